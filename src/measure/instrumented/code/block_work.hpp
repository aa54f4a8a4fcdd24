// What a function's machine code does each time one of its probes is passed.
#pragma once

#include <map>
#include <span>
#include <utility>
#include <vector>

#include "machine_code/function.hpp"
#include "measure/code/operation_counts.hpp"
#include "measure/instrumented/code/block_counts.hpp"
#include "measure/instrumented/code/math_calls.hpp"
#include "measure/instrumented/code/pseudo_probes.hpp"

namespace ridge::measure {

struct WorkByProbe {
  /// One for each block of machine code that counts as passing the probe. Together they ran as
  /// often as the probe was passed, if they are as many as the probe has copies.
  std::map<ProbeName, std::vector<WorkRange>> blocks;
  /// Probes of one block, each in no other: they were passed equally often.
  std::vector<std::pair<ProbeName, ProbeName>> together;
};

/// Adds the work of `function` to `work`. A block with a counted probe ran as often as that. Others
/// (made by the back end: the arms of a branch in place of a select, what follows a square root
/// that may have to set errno) belong to the counted block from which control came: they add the
/// least and the most that the ways to the next counted block do. `copies` says in how many places
/// a probe stands; of a block's probes the one with the fewest is taken. A loop that the back end
/// made of an atomic operation (compare and exchange until it succeeds) counts once.
/// Returns false where operations remain that no count reaches.
bool add_block_work(const machine_code::Function& function, std::span<const Probe> probes,
                    const ProbeLookup& lookup, const std::map<ProbeName, unsigned>& copies,
                    const MathCalls& math_calls, WorkByProbe& work);

}  // namespace ridge::measure
