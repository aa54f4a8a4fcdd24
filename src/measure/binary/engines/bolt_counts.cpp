#include "measure/binary/engines/bolt_counts.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "machine_code/function.hpp"
#include "measure/binary/engines/bolt_symbols.hpp"

namespace ridge::measure::binary {
namespace {

using machine_code::Flow;
using machine_code::Function;
using machine_code::Instruction;

/// Of the compiler's crtbegin.o, in every program: they do nothing, and BOLT leaves them out.
bool is_start_code(std::string_view name) {
  return name == "deregister_tm_clones" || name == "register_tm_clones";
}

/// BOLT puts "/1" behind names of local functions, and "/" and the source file.
std::string_view plain_name(std::string_view name) {
  return name.substr(0, name.find('/'));
}

/// Descriptions by address of the function; those with a counter that is there.
std::map<std::uint64_t, const BoltFunction*> by_address(
    const BoltTables& tables, const std::map<std::string, std::uint64_t, std::less<>>& names) {
  const auto in_use = [&](std::uint32_t counter) {
    return counter < tables.in_use.size() && tables.in_use[counter];
  };
  std::map<std::uint64_t, const BoltFunction*> functions;
  for (const BoltFunction& function : tables.functions) {
    const auto named = names.find(plain_name(function.name));
    const bool is_there = std::any_of(function.edges.begin(), function.edges.end(),
                                      [&](const BoltEdge& edge) { return in_use(edge.counter); }) ||
                          std::any_of(function.calls.begin(), function.calls.end(),
                                      [&](const BoltCall& call) { return in_use(call.counter); });
    if (named != names.end() && is_there) {
      functions.emplace(named->second, &function);
    }
  }
  return functions;
}

/// Calls `each` with every function in a section .text.
template <class Each>
void for_functions(const machine_code::ElfImage& program, const Each& each) {
  const auto ranges = machine_code::function_ranges(program);
  if (!ranges) {
    return;
  }
  for (const machine_code::FunctionRange& range : *ranges) {
    const bool is_text =
        std::any_of(program.sections().begin(), program.sections().end(), [&](const auto& section) {
          return section.executable && section.name.starts_with(".text") &&
                 range.begin >= section.address && range.begin - section.address < section.size;
        });
    if (is_text) {
      if (const auto function = machine_code::read_function(program, range)) {
        each(*function, *ranges);
      }
    }
  }
}

void add_jumps(const Function& function, const std::vector<machine_code::FunctionRange>& ranges,
               const BoltFunction* counted, std::span<const std::uint64_t> counters,
               JumpsInto& jumps) {
  for (const Instruction& each : function.instructions) {
    const bool is_jump = each.flow == Flow::jump || each.flow == Flow::conditional_jump;
    if (!is_jump || function.range.contains(each.target)) {
      continue;
    }
    const auto* into = machine_code::find_range(ranges, each.target);
    if (into == nullptr || into->begin == each.target) {
      continue;
    }
    std::optional<std::uint64_t> count;
    for (const BoltCall& call : counted != nullptr ? counted->calls : std::vector<BoltCall>{}) {
      if (function.range.begin + call.from == each.address && call.counter < counters.size()) {
        count = counters[call.counter];
      }
    }
    jumps[each.target].push_back(count);
  }
}

}  // namespace

BoltCounts count_blocks(const machine_code::ElfImage& program, const BoltTables& tables,
                        const std::map<std::string, std::uint64_t, std::less<>>& names,
                        std::span<const std::uint64_t> counters) {
  const auto counted = by_address(tables, names);
  const auto find = [&](const Function& function) {
    const auto found = counted.find(function.range.begin);
    return found != counted.end() ? found->second : nullptr;
  };
  BoltRun run{counters, bolt_marks(program), exception_entries(program), {}};
  for_functions(program, [&](const Function& function, const auto& ranges) {
    add_jumps(function, ranges, find(function), counters, run.jumps);
  });
  BoltCounts counts;
  for_functions(program, [&](const Function& function, const auto&) {
    const BoltFunction* description = find(function);
    if (description != nullptr) {
      FunctionCounts of = solve_flow(function, *description, run);
      counts.blocks.insert(counts.blocks.end(), of.blocks.begin(), of.blocks.end());
      if (of.complete) {
        return;
      }
    } else if (std::all_of(function.instructions.begin(), function.instructions.end(),
                           does_nothing)) {
      return;
    }
    if (!is_start_code(function.name)) {
      counts.uncounted.push_back(function.name.empty()
                                     ? fmt::format("code at {:#x}", function.range.begin)
                                     : function.name);
    }
  });
  return counts;
}

}  // namespace ridge::measure::binary
