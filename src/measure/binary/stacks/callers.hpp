// Who calls the regions of a program, from the stacks of its threads. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "measure/binary/profile/sampled_code.hpp"
#include "measure/binary/program_code.hpp"

namespace ridge::measure::binary {

/// Regions that a stack goes through, innermost first, one for each call: those of runtimes in
/// which a program or thread begins are left out, and so is what is in no region.
using RegionStack = std::vector<std::uint32_t>;

/// Empty for a stack whose innermost place is in no region.
[[nodiscard]] std::vector<RegionStack> region_stacks(const ProgramCode& code,
                                                     std::span<const PlaceStack> stacks);

/// The function that a region is in: it itself, or the outermost around it.
[[nodiscard]] std::uint32_t function_of(const ProgramCode& code, std::uint32_t region);

struct CallingRegion {
  std::uint32_t region = 0;  ///< in which most of the calls stand
  double share = 0.0;        ///< of the stacks of the called region

  friend bool operator==(const CallingRegion&, const CallingRegion&) = default;
};

/// By region: the way by which most of its stacks came to it, from its direct caller outwards, as
/// far as at least half of them came by it. Stacks of regions inside count for those around them.
/// Empty where there are too few of them to say.
[[nodiscard]] std::vector<std::vector<CallingRegion>> callers(const ProgramCode& code,
                                                              std::span<const RegionStack> stacks);

}  // namespace ridge::measure::binary
