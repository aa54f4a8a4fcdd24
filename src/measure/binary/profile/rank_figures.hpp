// What each rank of a parallel program had of its regions, where one run measured all of them.
// Pure.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "core/value/profile.hpp"
#include "measure/binary/profile/region_seconds.hpp"
#include "measure/binary/program_code.hpp"
#include "measure/binary/runs/timed_run.hpp"

namespace ridge::measure::binary {

/// Of the regions of a program, by their numbers in its code.
struct RegionCounts {
  std::vector<std::uint64_t> flops;
  std::vector<std::uint64_t> bytes;  ///< loaded and stored

  /// What one more process did.
  void add(const std::vector<ModuleWork>& work);
};
using CountsOfRanks = std::map<unsigned, RegionCounts>;

/// Where samples are of two ranks or more: how the figures of each region spread over them, and
/// `parallel`. Figures of the regions themselves stay those of all processes together; the roofs
/// are dropped where there were more ranks than CPUs. Processes that ranks started count with them;
/// where no rank came to a region, it has no spread.
/// Any other profile stays as it is. `counts`: over all processes of each rank; empty: they are not
/// told apart. `numbers`: by region of the profile, as binary_profile() gives them.
void add_rank_figures(Profile& profile, std::span<const std::uint32_t> numbers,
                      const TimedRun& timed, const ProgramCode& code, const CountsOfRanks& counts);

}  // namespace ridge::measure::binary
