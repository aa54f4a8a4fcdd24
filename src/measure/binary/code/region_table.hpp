// Regions of one file while they are found.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/result.hpp"
#include "measure/binary/code/module_regions.hpp"
#include "measure/binary/code/waits.hpp"

namespace ridge::measure::binary {

class RegionTable {
 public:
  /// The region of this key; a new one has no name yet.
  std::uint32_t function(const std::string& key);
  /// The loop at `place` of the function, within `parent`. A loop within one of the same place is
  /// another one.
  std::uint32_t loop(std::uint32_t function, std::uint32_t parent, const std::string& place);
  std::uint32_t wait(const RuntimeWait& wait);
  std::uint32_t other(const std::string& name);
  /// Holds until the next one is made.
  [[nodiscard]] ModuleRegion& at(std::uint32_t region) { return drafts_[region].region; }

  /// By its symbol, bodies outlined from it find it.
  void set_symbol(std::uint32_t region, std::string symbol);
  /// The region is a body outlined from the function with this symbol.
  void set_outlined(std::uint32_t region, std::string symbol);
  /// Puts outlined bodies under their functions.
  void place_outlined();

  /// Functions so far: index of the next one that is kept.
  [[nodiscard]] std::size_t functions() const { return functions_.size(); }
  void keep(Result<machine_code::Function> function);
  /// Apart from what others own.
  void own(machine_code::AddressRange code, std::uint32_t region);

  [[nodiscard]] ModuleRegions finish() &&;

 private:
  struct Draft {
    ModuleRegion region;
    std::string place;  ///< of a loop
  };

  std::uint32_t find_or_make(const std::string& identity, RegionKind kind);
  [[nodiscard]] bool is_within(std::uint32_t region, std::uint32_t other) const;
  [[nodiscard]] unsigned depth(std::uint32_t region) const;
  [[nodiscard]] std::vector<std::uint32_t> parents_first() const;

  std::vector<Draft> drafts_;
  std::unordered_map<std::string, std::uint32_t> by_identity_;
  std::unordered_map<std::string, std::uint32_t> by_symbol_;
  std::vector<std::pair<std::uint32_t, std::string>> outlined_;
  std::vector<machine_code::Function> functions_;
  std::vector<ModuleRegions::Owner> owners_;
};

}  // namespace ridge::measure::binary
