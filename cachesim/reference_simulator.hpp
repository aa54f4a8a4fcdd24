// The oracle: the rules of README.md written for reading, with one std::list per set. It simulates
// one machine; the smaller shares of the last level are simply other machines.
#pragma once

#include <array>
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "abi/layout.h"

namespace ridge::cachesim_reference {

struct Line {
  std::uint64_t number = 0;
  bool dirty = false;
  std::uint32_t owner = 0;  // region that dirtied it
  std::uint32_t user = 0;   // region that used it last in this cache
  bool carried = false;     // dirty when it came up from a victim cache, not written since
};

struct Traffic {
  std::array<ridge_bytes_crossed, RIDGE_CACHE_LEVELS_MAX> crossed{};
  ridge_bytes_crossed least{};
  std::uint64_t accesses = 0;
};

struct Access {
  std::uint32_t core = 0;
  std::uint64_t address = 0;
  std::uint64_t bytes = 8;
  bool write = false;
  bool non_temporal = false;
  std::uint32_t region = 1;
};

class Cache {
 public:
  Cache(std::uint64_t sets, std::uint32_t ways) : sets_(sets), ways_(ways) {}

  // The line, moved to the front of its set; null if absent.
  Line* use(std::uint64_t number);
  Line* peek(std::uint64_t number);
  // Puts a line at the front; what falls off the end is returned in a list of 0 or 1 elements.
  std::list<Line> put(const Line& line);
  void drop(std::uint64_t number);

 private:
  std::list<Line>& set_of(std::uint64_t number) { return sets_[number % sets_.size()]; }
  std::vector<std::list<Line>> sets_;
  std::size_t ways_;
};

class Simulator {
 public:
  explicit Simulator(const ridge_cache_config& config);
  void access(const Access& access);
  [[nodiscard]] const Traffic& region(std::uint32_t id) { return traffic_[id]; }

 private:
  struct Piece {
    std::uint64_t line;
    std::uint64_t bytes;
    const Access* access;
  };

  // What the copies of other cores mean for a miss: the victim caches behind which there is one,
  // and a dirty one that is handed over there.
  struct Supply {
    std::set<std::uint32_t> levels;
    std::optional<Line> dirty;
    std::uint32_t dirty_level = 0;
    bool all_asked = false;  // a load asks level by level, on its way down
  };

  [[nodiscard]] Cache& cache(std::uint32_t level, std::uint32_t core);
  [[nodiscard]] bool same_cache(std::uint32_t level, std::uint32_t a, std::uint32_t b) const;
  [[nodiscard]] bool victim(std::uint32_t level) const;
  [[nodiscard]] bool allocates(std::uint32_t level) const;

  void touch(const Piece& piece);
  void store(const Piece& piece);
  void load(const Piece& piece);
  void bypass(const Piece& piece);
  void store_past(const Piece& piece, std::uint32_t level, Supply& supply);
  void fill(const Piece& piece, std::uint32_t level, Supply& supply, bool make_dirty);
  // Line for cache `level - 1`, from cache `level` or below it.
  Line obtain(const Piece& piece, std::uint32_t level, Supply& supply);
  void leave(const Line& line, std::uint32_t level, std::uint32_t core);
  void arrive(const Line& line, std::uint32_t level, std::uint32_t core);
  // Asks all other cores, or those whose first common cache with `core` is of level `joined`.
  void take_back(std::uint64_t line, std::uint32_t core, bool remove,
                 std::optional<std::uint32_t> joined, Supply& supply);
  [[nodiscard]] std::uint32_t first_common(std::uint32_t a, std::uint32_t b) const;

  ridge_cache_config config_;
  std::uint32_t levels_;
  std::uint64_t line_bytes_;
  std::vector<std::vector<Cache>> caches_;
  std::map<std::uint32_t, Traffic> traffic_;
  std::set<std::pair<std::uint32_t, std::uint64_t>> touched_;
  std::set<std::pair<std::uint32_t, std::uint64_t>> dirtied_;
};

}  // namespace ridge::cachesim_reference
