// The figures of a region in groups that only make sense together: each group comes from one
// source.
#pragma once

#include <array>
#include <string_view>

#include "core/value/profile.hpp"

namespace ridge::measure {

enum class FigureGroup {
  time,      ///< wall time, and the most threads at once
  cpu_time,  ///< CPU time, waiting and page faults, of all threads and of each
  work,      ///< entries, flops, bytes, traffic of L1 and all other counts, of all threads and each
  traffic,   ///< below L1, and what a region does with lines
};
inline constexpr std::array kFigureGroups{FigureGroup::time, FigureGroup::cpu_time,
                                          FigureGroup::work, FigureGroup::traffic};

/// For people: "time", "CPU time", "work", "traffic below L1".
[[nodiscard]] std::string_view to_string(FigureGroup group);

/// Whether the region has figures of this group. The entries of the program are none: it is entered
/// once whatever was counted.
[[nodiscard]] bool has_figures(const Region& region, FigureGroup group);

/// Puts the figures of this group of `from` in the place of those of `to`; absent ones become
/// absent. CPU times of threads stay beside the work of threads only where both sides number the
/// same threads.
void take_figures(FigureGroup group, Region& to, const Region& from);

/// Leaves out all that depends on how long the program took: of a run that was slowed down.
void drop_times(Profile& profile);

}  // namespace ridge::measure
