#include "measure/binary/code/loop_evidence.hpp"

#include <algorithm>
#include <utility>

#include "core/quantity/saturating.hpp"
#include "measure/binary/code/access_terms.hpp"
#include "measure/binary/code/loop_chain.hpp"
#include "measure/binary/code/loop_code.hpp"
#include "measure/binary/code/loop_flow.hpp"

namespace ridge::measure::binary {
namespace {

using machine_code::Function;
using machine_code::Operation;

void add_terms(std::vector<AccessTerm>& sum, const std::vector<AccessTerm>& more) {
  for (const AccessTerm& term : more) {
    const auto known = std::ranges::find_if(sum, [&](const AccessTerm& one) {
      return one.pattern == term.pattern && one.write == term.write &&
             one.stride_bytes == term.stride_bytes;
    });
    if (known != sum.end()) {
      known->bytes = saturating_add(known->bytes, term.bytes);
    } else {
      sum.push_back(term);
    }
  }
}

void add_terms(std::vector<ChainTerm>& sum, const std::vector<ChainTerm>& more) {
  for (const ChainTerm& term : more) {
    const auto known = std::ranges::find_if(sum, [&](const ChainTerm& one) {
      return one.operation == term.operation && one.precision == term.precision &&
             one.reduction == term.reduction;
    });
    if (known != sum.end()) {
      known->operations = saturating_add(known->operations, term.operations);
    } else {
      sum.push_back(term);
    }
  }
}

bool ran(const ExecutedModule& executed, const Function& function, std::uint32_t loop) {
  return std::ranges::any_of(function.loops[loop].latches, [&](std::uint32_t latch) {
    return executed.executions_at(function.begin_of(function.blocks[latch])) != 0;
  });
}

bool is_packed(const LoopInstruction& one) {
  return one.instruction.vector_bits != 0 &&
         std::ranges::any_of(one.instruction.operations(),
                             [](const Operation& operation) { return operation.lanes > 1; });
}

/// One load, whose address is what the one before loaded: so list nodes are visited.
bool follows_pointers(const std::vector<ChainTerm>& chain, const LoopCode& loop) {
  return chain.size() == 1 && chain[0].operation == ChainOperation::load &&
         chain[0].operations == loop.turns;
}

bool turns_are_iterations(const LoopCode& loop, const std::optional<LoopAccesses>& accesses,
                          const std::vector<ChainTerm>& chain) {
  return std::ranges::none_of(loop.instructions, is_packed) &&
         ((accesses && accesses->steps_by_one_element) || follows_pointers(chain, loop));
}

std::vector<std::uint64_t> by_thread(const ExecutedModule& executed, const Function& function,
                                     std::uint32_t loop) {
  const auto position =
      executed.find(function.begin_of(function.blocks[function.loops[loop].header]));
  std::vector<std::uint64_t> turns;
  for (const auto& thread : executed.by_thread) {
    turns.push_back(position && *position < thread.size() ? thread[*position] : 0);
  }
  return turns;
}

}  // namespace

LoopEvidence loop_evidence(const ModuleRegions& regions, const ModuleRegion& region,
                           const ExecutedModule& executed) {
  LoopEvidence evidence;
  bool tells_accesses = true;
  for (const MachineLoop& machine_loop : region.loops) {
    const Function& function = regions.functions[machine_loop.function];
    if (!ran(executed, function, machine_loop.loop)) {
      continue;
    }
    const auto loop = loop_code(executed, function, machine_loop.loop);
    const auto accesses = loop ? loop_accesses(*loop) : std::nullopt;
    tells_accesses = tells_accesses && accesses;
    if (accesses) {
      add_terms(evidence.accesses, accesses->terms);
    }
    const auto chain = loop ? loop_chain(*loop) : std::vector<ChainTerm>{};
    add_terms(evidence.chain, chain);
    if (region.loops.size() == 1 && loop && turns_are_iterations(*loop, accesses, chain)) {
      evidence.iterations = loop_turns(executed, function, machine_loop.loop);
      evidence.iterations_by_thread = evidence.iterations
                                          ? by_thread(executed, function, machine_loop.loop)
                                          : std::vector<std::uint64_t>{};
    }
  }
  if (!tells_accesses) {
    evidence.accesses.clear();
  }
  return evidence;
}

}  // namespace ridge::measure::binary
