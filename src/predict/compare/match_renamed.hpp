// Functions of two results that have another name and do the same.
#pragma once

#include "predict/compare/pairing.hpp"
#include "predict/compare/region_tree.hpp"

namespace ridge::predict {

/// Matches the regions of functions that exist on one side only and do exactly the same work, alone
/// in that on both sides: first of those with loops of the same shape.
void match_renamed(const RegionTree& before, const RegionTree& after, Pairing& pairing);

}  // namespace ridge::predict
