// A loop nest as people read it, with the sizes at which it is modelled.
#pragma once

#include <set>
#include <string>

#include "core/value/loop_model.hpp"
#include "core/value/loop_nest.hpp"

namespace ridge::analyze {

/// Loops, accesses and operations; iterations where all symbols of a trip count have values. Inner
/// loops whose trip counts depend on outer counters have the mean over these.
[[nodiscard]] LoopModel describe_loop(const LoopNest& nest, const Polynomial::Values& values);

/// Symbols of trip counts, first values and addresses that are no counters of the nest: what needs
/// a value before anything can be counted.
[[nodiscard]] std::set<std::string> parameters_of(const LoopNest& nest);

}  // namespace ridge::analyze
