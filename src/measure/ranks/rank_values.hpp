// What each rank had of a region, and how it spreads. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/value/parallel_run.hpp"
#include "core/value/region.hpp"

namespace ridge::measure {

/// Ranks that are listed one by one; of more there are bins.
inline constexpr std::size_t kRanksListed = 64;

/// Of a region itself on one rank, in few bytes: there may be ten thousand of each region.
struct RankValue {
  unsigned rank = 0;
  double time_seconds = -1.0;  ///< this and the next: negative means unknown
  double cpu_seconds = -1.0;
  std::optional<std::uint64_t> flops;
  std::optional<std::uint64_t> bytes;
};

[[nodiscard]] RankValue value_of(unsigned rank, const Region& region);

struct NumberOfRank {
  unsigned rank = 0;
  double number = 0.0;
};

/// nullopt of nothing. `numbers` in any order; `with_bins`: they are not listed.
[[nodiscard]] std::optional<RankSpread> spread_of(std::vector<NumberOfRank> numbers,
                                                  bool with_bins);

/// `values` in any order. Ranks of `others` did not come there: times and work are 0.
[[nodiscard]] RegionRanks region_ranks(std::vector<RankValue> values,
                                       const std::vector<unsigned>& others);

}  // namespace ridge::measure
