// A run of a modelled loop beside its model.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/value/loop_model.hpp"

namespace ridge::render {

/// Cycles of an iteration that the ECM model gives for the data as they lie; else nullopt.
[[nodiscard]] std::optional<double> modelled_cycles(const LoopModel& model);
/// That were measured; nullopt: not run, or without a clock.
[[nodiscard]] std::optional<double> measured_cycles(const LoopModel& model);

/// What the run took, how far the model is from it and what such a distance tells, a sentence each;
/// empty: the loop was not run.
[[nodiscard]] std::vector<std::string> measured_words(const LoopModel& model);

}  // namespace ridge::render
