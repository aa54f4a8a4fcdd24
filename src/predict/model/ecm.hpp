// The execution-cache-memory model: cycles that one core needs for an iteration with data from each
// level, and how many cores saturate the memory. Formulas and sources: docs/theory/loops.md.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/value/loop_model.hpp"
#include "core/value/loop_prediction.hpp"
#include "core/value/machine.hpp"
#include "core/value/note.hpp"
#include "predict/roof/ceiling_index.hpp"

namespace ridge::predict {

/// Cycles of one core by the rule. `transfers`: cycles of each boundary up to the level that holds
/// the data.
[[nodiscard]] double ecm_cycles(OverlapRule rule, double overlapping, double transferring,
                                std::span<const double> transfers);

/// What is known of the core; else that of cores of Intel, which a note says.
[[nodiscard]] OverlapRule overlap_of(const Microarchitecture* cpu, std::vector<Note>& notes);

/// `model` has an in-core model. `clock`: Hz, positive. Bandwidths are those of one thread, of the
/// saturated memory those of the most threads that were measured.
[[nodiscard]] EcmModel ecm_of(const LoopModel& model, const CeilingIndex& ceilings,
                              OverlapRule rule, double clock);

}  // namespace ridge::predict
