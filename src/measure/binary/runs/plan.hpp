// The plan of a run that simulates traffic, as bytes (abi/record.h). Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "abi/record.h"
#include "core/value/caches_elsewhere.hpp"

namespace ridge::measure::binary {

/// Code of a file that belongs to one region.
struct PlannedRange {
  std::uint64_t begin = 0;  ///< offset in the file
  std::uint64_t end = 0;
  std::uint32_t region = 0;  ///< from 1

  friend bool operator==(const PlannedRange&, const PlannedRange&) = default;
};

struct PlannedModule {
  std::string path;
  std::vector<PlannedRange> ranges;  ///< by offset, apart from one another
};

struct PlannedTraffic {
  ridge_cache_config caches{};
  ridge_traffic_mode mode = RIDGE_TRAFFIC_EXACT;
  std::uint64_t sample_mask = 0;
  std::uint32_t region_count = 1;          ///< ids are below
  std::vector<CachesElsewhere> elsewhere;  ///< at most RIDGE_ELSEWHERE_MAX
};

[[nodiscard]] std::vector<std::byte> plan_bytes(const PlannedTraffic& traffic,
                                                std::span<const PlannedModule> modules);

}  // namespace ridge::measure::binary
