// The roofline of a modelled loop: the least time that each resource needs for an iteration.
// Formulas: docs/theory/loops.md.
#pragma once

#include <optional>
#include <vector>

#include "core/value/loop_model.hpp"
#include "core/value/loop_prediction.hpp"
#include "core/value/machine.hpp"
#include "core/value/note.hpp"
#include "predict/roof/ceiling_index.hpp"

namespace ridge::predict {

/// Best arithmetic of the machine and its main memory (Williams et al. 2009). nullopt: neither is
/// known or asked of.
[[nodiscard]] std::optional<LoopRoofline> naive_roofline(const LoopModel& model,
                                                         const CeilingIndex& ceilings,
                                                         unsigned threads);

/// The loop's own time in the core, or without an in-core model its mix of operations in the widest
/// vectors and its loads and stores, and the bandwidth of every level. `clock`: Hz. nullopt: no
/// limit is known.
[[nodiscard]] std::optional<LoopRoofline> hierarchical_roofline(
    const LoopModel& model, const CeilingIndex& ceilings, const Microarchitecture* cpu,
    std::optional<double> clock, unsigned threads, std::vector<Note>& notes);

}  // namespace ridge::predict
