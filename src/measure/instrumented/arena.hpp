// The memory that `ridge run` shares with the measured program (abi/layout.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "abi/layout.h"
#include "core/result.hpp"
#include "core/value/caches_elsewhere.hpp"
#include "core/value/machine.hpp"
#include "core/value/note.hpp"
#include "measure/instrumented/arena_view.hpp"
#include "measure/profile/simulated_caches.hpp"

namespace ridge::measure {

class Arena {
 public:
  /// Error (unavailable, with a hint): no memory or no file descriptor for it, or the system
  /// forbids it. The address space is as large as can be had, under a limit (`ulimit -v`) at most a
  /// quarter of that; the first part is reserved in full.
  [[nodiscard]] static Result<Arena> create(ridge_mode mode, const ridge_cache_config& caches);

  /// Which lines a traffic run shall see; before the program starts. Without this: all.
  void set_sampling(ridge_traffic_mode mode, std::uint64_t sample_mask);
  /// Of the machine: with several, the run says on which of them pages lie.
  void set_memory_nodes(unsigned count);

  /// Caches that a run of all lines shall simulate too, at most RIDGE_ELSEWHERE_MAX.
  void set_elsewhere(const std::vector<CachesElsewhere>& caches);

  Arena(Arena&& other) noexcept;
  Arena& operator=(Arena&& other) noexcept;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena();

  [[nodiscard]] ArenaBytes bytes() const { return bytes_; }
  /// When limits made it smaller than usual.
  [[nodiscard]] std::optional<Note> size_note() const;
  /// Value of RIDGE_SESSION for the measured program: valid while this arena lives.
  [[nodiscard]] std::string session() const;

 private:
  Arena(int file, ArenaBytes bytes) : file_(file), bytes_(bytes) {}

  int file_ = -1;
  ArenaBytes bytes_;
};

}  // namespace ridge::measure
