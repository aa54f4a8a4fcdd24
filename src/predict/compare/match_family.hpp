// Regions of one family of two results: those of one kind and function, or of functions that did
// the same.
#pragma once

#include "core/value/comparison.hpp"
#include "predict/compare/pairing.hpp"

namespace ridge::predict {

/// Settles what belongs together among the open regions of `family` and leaves out what has several
/// equally good partners; the others stay open. Neither side is empty. `by`: what brought the
/// family together.
void match_family(const Candidates& family, MatchedBy by, Pairing& pairing);

}  // namespace ridge::predict
