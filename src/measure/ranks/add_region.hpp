// Figures of one region on several ranks: what is added, and what is that of the slowest. Pure.
#pragma once

#include <array>
#include <cstddef>

#include "core/value/region.hpp"
#include "measure/region_figures.hpp"

namespace ridge::measure {

/// Adds what the region did on another rank: work, traffic, CPU time, threads, page faults. Wall
/// time becomes that of the rank that was longest in it: ranks are taken to be in a region at once.
/// What cannot be added (callers, work of each thread, figures by line) is that of the same rank.
/// `share_seconds` becomes a sum, which the caller divides by the ranks. Identity and notes stay.
void add_region(Region& to, const Region& from);

/// Leaves out work and traffic that a part of the ranks had, which would give wrong rates and
/// intensities against the whole; a note says so. Times are those of the ranks that had it. `with`:
/// ranks with figures of each group, in the order of kFigureGroups; `ranks`: that came to the
/// region.
void drop_parts(Region& region, const std::array<unsigned, kFigureGroups.size()>& with,
                std::size_t ranks);

}  // namespace ridge::measure
