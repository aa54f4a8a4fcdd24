// Figures of one region on several ranks: what is added, and what is that of the slowest. Pure.
#pragma once

#include "core/value/region.hpp"

namespace ridge::measure {

/// Adds what the region did on another rank: work, traffic, CPU time, threads, page faults. Wall
/// time becomes that of the rank that was longest in it: ranks are taken to be in a region at once.
/// What cannot be added (callers, work of each thread, figures by line) is that of the same rank.
/// `share_seconds` becomes a sum, which the caller divides by the ranks. Identity and notes stay.
void add_region(Region& to, const Region& from);

}  // namespace ridge::measure
