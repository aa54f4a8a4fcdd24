#include "measure/binary/code/loop_flow.hpp"

#include <algorithm>

#include "core/quantity/saturating.hpp"

namespace ridge::measure::binary {
namespace {

using machine_code::Block;
using machine_code::BlockEnd;
using machine_code::Function;
using machine_code::Loop;

bool contains(const std::vector<std::uint32_t>& ascending, std::uint32_t wanted) {
  return std::binary_search(ascending.begin(), ascending.end(), wanted);
}

std::uint64_t begun(const ExecutedModule& executed, const Function& function, std::uint32_t block) {
  return executed.executions_at(function.begin_of(function.blocks[block]));
}

/// Its last instruction: a call within it need not come back.
std::uint64_t ended(const ExecutedModule& executed, const Function& function, std::uint32_t block) {
  return executed.executions_at(function.instructions_of(function.blocks[block]).back().address);
}

/// Comes from this one block alone.
bool has_one_way_in(const Block& block) {
  return block.predecessors.size() == 1 && !block.entered_from_elsewhere;
}

std::optional<std::uint64_t> sum_of_edges(const ExecutedModule& executed, const Function& function,
                                          std::span<const std::uint32_t> from, std::uint32_t to) {
  std::uint64_t sum = 0;
  for (const std::uint32_t block : from) {
    const auto edge = edge_executions(executed, function, block, to);
    if (!edge) {
      return std::nullopt;
    }
    sum = saturating_add(sum, *edge);
  }
  return sum;
}

bool has_unknown_ways(const Function& function) {
  return function.has_unknown_jumps || function.irreducible;
}

}  // namespace

std::optional<std::uint64_t> edge_executions(const ExecutedModule& executed,
                                             const Function& function, std::uint32_t from,
                                             std::uint32_t to) {
  const Block& block = function.blocks[from];
  if (has_one_way_in(function.blocks[to])) {
    return begun(executed, function, to);
  }
  const bool has_unknown_end = block.leaves || block.end == BlockEnd::unknown_jump;
  if (has_unknown_end || block.successors.size() > 2) {
    return std::nullopt;
  }
  const std::uint64_t all = ended(executed, function, from);
  if (block.successors.size() == 1) {
    return all;
  }
  for (const std::uint32_t other : block.successors) {
    if (other != to && has_one_way_in(function.blocks[other])) {
      const std::uint64_t elsewhere = begun(executed, function, other);
      return elsewhere <= all ? std::optional(all - elsewhere) : std::nullopt;
    }
  }
  return std::nullopt;
}

std::optional<std::uint64_t> loop_entries(const ExecutedModule& executed, const Function& function,
                                          std::uint32_t index) {
  if (has_unknown_ways(function)) {
    return std::nullopt;
  }
  const Loop& loop = function.loops[index];
  const Block& header = function.blocks[loop.header];
  std::vector<std::uint32_t> outside;
  std::ranges::copy_if(header.predecessors, std::back_inserter(outside),
                       [&](std::uint32_t block) { return !contains(loop.blocks, block); });
  if (!header.entered_from_elsewhere) {
    if (const auto entries = sum_of_edges(executed, function, outside, loop.header)) {
      return entries;
    }
  }
  const auto turns_again = sum_of_edges(executed, function, loop.latches, loop.header);
  const std::uint64_t all = begun(executed, function, loop.header);
  return turns_again && *turns_again <= all ? std::optional(all - *turns_again) : std::nullopt;
}

std::optional<std::uint64_t> function_entries(const ExecutedModule& executed,
                                              std::span<const Function> functions,
                                              std::span<const std::uint64_t> entries) {
  std::uint64_t sum = 0;
  for (const std::uint64_t entry : entries) {
    std::uint64_t own = executed.executions_at(entry);
    const auto function = std::ranges::lower_bound(
        functions, entry, {}, [](const Function& one) { return one.range.begin; });
    const bool begins =
        function != functions.end() && function->range.begin == entry && !function->blocks.empty();
    if (begins && !function->blocks[0].predecessors.empty()) {
      const auto back = sum_of_edges(executed, *function, function->blocks[0].predecessors, 0);
      if (!back || *back > own || has_unknown_ways(*function)) {
        return std::nullopt;
      }
      own -= *back;
    }
    sum = saturating_add(sum, own);
  }
  return sum;
}

std::optional<std::uint64_t> loop_turns(const ExecutedModule& executed, const Function& function,
                                        std::uint32_t index) {
  const Loop& loop = function.loops[index];
  const Block& header = function.blocks[loop.header];
  const bool leaves_at_header =
      header.leaves || std::ranges::any_of(header.successors, [&](std::uint32_t block) {
        return !contains(loop.blocks, block);
      });
  if (leaves_at_header && !contains(loop.latches, loop.header)) {
    return std::nullopt;
  }
  return begun(executed, function, loop.header);
}

bool is_innermost(const Function& function, std::uint32_t loop) {
  return std::ranges::none_of(function.loops,
                              [&](const Loop& other) { return other.parent == loop; });
}

}  // namespace ridge::measure::binary
