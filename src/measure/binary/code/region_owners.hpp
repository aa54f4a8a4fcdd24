// Whose each instruction is.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "measure/binary/code/module_regions.hpp"

namespace ridge::measure::binary {

/// By the ranges of the regions, which are apart from one another.
class RegionOwners {
 public:
  explicit RegionOwners(const ModuleRegions& regions) {
    for (std::uint32_t i = 0; i < regions.regions.size(); ++i) {
      for (const machine_code::AddressRange& range : regions.regions[i].ranges) {
        ranges_.push_back({range, i});
      }
    }
    std::ranges::sort(ranges_, {}, begin_of);
  }

  /// nullopt where the address is in no region.
  [[nodiscard]] std::optional<std::uint32_t> find(std::uint64_t address) const {
    const auto behind = std::ranges::upper_bound(ranges_, address, {}, begin_of);
    return behind != ranges_.begin() && (behind - 1)->range.contains(address)
               ? std::optional((behind - 1)->region)
               : std::nullopt;
  }

 private:
  static std::uint64_t begin_of(const ModuleRegions::Owner& one) { return one.range.begin; }

  std::vector<ModuleRegions::Owner> ranges_;
};

}  // namespace ridge::measure::binary
