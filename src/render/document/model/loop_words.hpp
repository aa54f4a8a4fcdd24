// What is said of a modelled loop in a line, whatever the format. Texts are clean.
#pragma once

#include <string>
#include <vector>

#include "core/value/loop_model.hpp"

namespace ridge::render {

/// "jacobi (stencil.c:9)", without folders.
[[nodiscard]] std::string loop_title(const LoopModel& model);

/// "M = 4000, N = 4000"; empty: the loop has no parameters with values.
[[nodiscard]] std::string size_words(const LoopModel& model);

/// The nest as indented lines: loops with trip counts, accesses, operations.
[[nodiscard]] std::vector<std::string> nest_lines(const LoopModel& model);

/// "3 add, 1 mul (fp64): 4 flop".
[[nodiscard]] std::string operation_words(const LoopModel& model);

/// "L1-L2", "L3-DRAM": the boundary through which `level` serves the one before it, among `levels`,
/// innermost first, which begin beyond L1.
[[nodiscard]] std::string boundary_words(const std::vector<Level>& levels, Level level);

/// What the in-core model says, a sentence each.
[[nodiscard]] std::vector<std::string> in_core_words(const InCoreModel& core);

/// "Blocks of at most 512 iterations of i keep the reuse in L1: 16 byte an iteration less from L2".
[[nodiscard]] std::vector<std::string> blocking_words(const LoopModel& model);

/// "{ 6.0 || 8.0 | 10.0 | 6.0 | 13.0 } cy/CL": T_OL, T_nOL and transfers for each cache line of
/// work; "?" where one is not known.
[[nodiscard]] std::string ecm_notation(const LoopPrediction& prediction);

/// What the terms of the notation are, which of them pass at the same time, and which are not
/// known.
[[nodiscard]] std::string ecm_legend(const EcmModel& ecm);

/// "the bandwidth of DRAM", "the core".
[[nodiscard]] std::string resource_words(const std::string& resource);

/// What binds and how fast that lets the loop be.
[[nodiscard]] std::string verdict_words(const LoopPrediction& prediction);

/// How many cores saturate the memory; empty: not known.
[[nodiscard]] std::string saturation_words(const LoopPrediction& prediction);

/// All notes of the model, each once.
[[nodiscard]] std::vector<std::string> note_words(const LoopModel& model);

}  // namespace ridge::render
