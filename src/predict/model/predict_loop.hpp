// How fast a modelled loop can be on a machine.
#pragma once

#include "core/value/loop_model.hpp"
#include "core/value/loop_prediction.hpp"
#include "core/value/machine.hpp"

namespace ridge::predict {

/// By the measured ceilings of the machine. `cpu`: its microarchitecture; nullptr: not known.
/// `threads` of the rooflines, at least 1: where they were not measured, the nearest that were.
/// Without an in-core model there is no ECM model; what is left out is said in the notes.
[[nodiscard]] LoopPrediction predict_loop(const LoopModel& model, const Machine& machine,
                                          const Microarchitecture* cpu, unsigned threads);

}  // namespace ridge::predict
