// The reference's simulation by its own rules, written anew, to tell what of a difference comes
// from them. They differ from those of cachesim: a store that hits is no use of its line, a line
// that leaves the cache before a victim cache takes a place there even where the victim cache has
// it, a load through a victim cache leaves a copy there, and all that is counted is one window of
// 100 000 iterations after the caches have been filled once.
#pragma once

#include "analyze/traffic/model_reference_for_tests.hpp"

namespace ridge::benchmarks {

/// nullopt: the nest cannot be simulated.
[[nodiscard]] std::optional<analyze::testing_reference::Figures> by_reference_rules(
    const analyze::testing_reference::Row& row);

}  // namespace ridge::benchmarks
