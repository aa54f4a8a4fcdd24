#include "analyze/in_core.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analyze/in_core/bounds.hpp"
#include "analyze/in_core/core_model.hpp"
#include "analyze/in_core/micro_operations.hpp"
#include "analyze/in_core/object_code.hpp"
#include "analyze/in_core/pipeline.hpp"

namespace ridge::analyze {
namespace {

using machine_code::Function;
using machine_code::Instruction;
using machine_code::Loop;

bool is_innermost(const Function& function, std::uint32_t loop) {
  return std::ranges::none_of(function.loops,
                              [&](const Loop& each) { return each.parent == loop; });
}

/// Instructions of all blocks, as they lie.
std::vector<Instruction> body_of(const Function& function, const Loop& loop) {
  std::vector<Instruction> body;
  for (const std::uint32_t block : loop.blocks) {
    const auto of_block = function.instructions_of(function.blocks[block]);
    body.insert(body.end(), of_block.begin(), of_block.end());
  }
  return body;
}

void add_places(InCoreLoop& found, const ObjectCode& object, const ObjectFunction& function,
                std::span<const Instruction> body) {
  std::map<std::string, std::set<unsigned>> lines;
  std::map<std::string, std::size_t> instructions;
  for (const Instruction& each : body) {
    const SourcePlace place = object.place_of(function, each.address);
    if (!place.file.empty() && place.line != 0) {
      lines[place.file].insert(place.line);
      ++instructions[place.file];
    }
  }
  const auto most = std::ranges::max_element(instructions, {},
                                             &std::pair<const std::string, std::size_t>::second);
  if (most != instructions.end()) {
    found.file = most->first;
    found.lines.assign(lines[most->first].begin(), lines[most->first].end());
  }
}

void add_notes(InCoreModel& model, const Function& function, const Loop& loop,
               const CoreModel& core, unsigned crossing_loads) {
  if (crossing_loads != 0) {
    model.notes.push_back(
        {"loads-cross-lines",
         "Some loads are not aligned to their width, since others of the same array are. It was "
         "assumed that as many as possible are aligned."});
  }
  if (loop.blocks.size() > 1) {
    model.notes.push_back(
        {"branches-in-loop",
         "The loop has branches inside. All of its instructions are counted in every pass, which "
         "is the most that a pass can take, and no branch is taken to be mispredicted."});
  }
  if (std::ranges::any_of(loop.blocks,
                          [&](std::uint32_t block) { return function.blocks[block].calls; })) {
    model.notes.push_back(
        {"calls-in-loop", "The loop calls a function. What the function does is not counted."});
  }
  if (core.data() == nullptr) {
    model.notes.push_back(
        {"core-not-corrected",
         "The numbers are those of LLVM's model of this processor. Ridge has no data of its own "
         "to correct them."});
  } else if (!core.data()->measured) {
    model.notes.push_back({"core-untested",
                           "Ridge's data of this processor come from publications. They were not "
                           "tested on the processor."});
  }
}

/// Of the ports of `units`, the busiest.
double most_of(const std::vector<double>& cycles, std::uint64_t units) {
  double most = 0.0;
  for (std::size_t i = 0; i < cycles.size(); ++i) {
    most = ((units >> i) & 1U) != 0 ? std::max(most, cycles[i]) : most;
  }
  return most;
}

void add_cycles(InCoreModel& model, const CoreModel& core, const LoopCode& code) {
  const std::vector<double> ports = unit_cycles(code.operations, core.units().size(), code.hidden);
  const double divider = divider_cycles(code.operations);
  for (std::size_t i = 0; i < ports.size(); ++i) {
    if (ports[i] > 0.0) {
      model.ports.push_back({core.units()[i], ports[i]});
    }
  }
  if (divider > 0.0) {
    model.ports.push_back({"divider", divider});
  }
  const std::uint64_t memory = core.load_units() | core.store_units();
  model.transferring_cycles = most_of(ports, memory);
  model.port_cycles = std::max({model.transferring_cycles, most_of(ports, ~memory), divider});
  model.chain_cycles = chain_cycles(code.operations);
  model.front_end_cycles = front_end_cycles(core, code);
  model.cycles = std::max(
      {steady_cycles(core, code), model.port_cycles, model.chain_cycles, model.front_end_cycles});
  model.overlapping_cycles =
      std::max({most_of(ports, ~memory), divider, model.chain_cycles, model.front_end_cycles});
  if (model.cycles > std::max(model.overlapping_cycles, model.transferring_cycles)) {
    model.overlapping_cycles = model.cycles;
  }
  model.unknown = code.unknown;
}

InCoreLoop analyse(CoreModel& core, const ObjectCode& object, const ObjectFunction& of,
                   const Function& function, const Loop& loop, const std::string& name) {
  const std::vector<Instruction> body = body_of(function, loop);
  InCoreLoop found;
  found.function = of.symbol;
  found.source_function = of.name;
  std::vector<std::span<const std::uint8_t>> code;
  for (const Instruction& each : body) {
    code.push_back(of.code.subspan(each.address - of.address, each.length));
    found.flops_per_pass += each.flops();
    found.bytes_loaded_per_pass += each.loaded_bytes();
    found.bytes_stored_per_pass += each.stored_bytes();
  }
  add_places(found, object, of, body);
  found.model.microarchitecture = core.name();
  found.model.compiler = name;
  found.model.address = function.instructions[function.blocks[loop.header].first].address;
  found.model.instructions = static_cast<unsigned>(body.size());
  const LoopCode made = loop_code(core, body, code);
  add_cycles(found.model, core, made);
  add_notes(found.model, function, loop, core, made.crossing_loads);
  return found;
}

Error no_such_function(const ObjectCode& object, const std::string& name,
                       const std::string& function) {
  std::set<std::string> names;
  for (const ObjectFunction& each : object.functions()) {
    names.insert(each.name.empty() ? each.symbol : each.name);
  }
  names.erase("");
  return {ErrorCode::bad_input, fmt::format("{} has no function {}", name, function),
          names.empty() ? "its functions have no names: compile it with -g, or do not strip it"
                        : fmt::format("it has {}", fmt::join(names, ", "))};
}

}  // namespace

Result<std::vector<InCoreLoop>> in_core_loops(std::string_view object, const std::string& name,
                                              const std::string& function, const std::string& cpu) {
  auto core = CoreModel::of(cpu);
  if (!core) {
    return tl::make_unexpected(core.error());
  }
  const auto read = ObjectCode::read(object, name);
  if (!read) {
    return tl::make_unexpected(read.error());
  }
  std::vector<InCoreLoop> found;
  bool is_there = function.empty();
  for (const ObjectFunction& each : read->functions()) {
    if (!function.empty() && function != each.symbol && function != each.name) {
      continue;
    }
    is_there = true;
    const auto taken = read->take_apart(each);
    if (!taken) {
      return tl::make_unexpected(taken.error());
    }
    for (std::uint32_t loop = 0; loop < taken->loops.size(); ++loop) {
      if (is_innermost(*taken, loop)) {
        found.push_back(analyse(*core, *read, each, *taken, taken->loops[loop], name));
      }
    }
  }
  if (!is_there) {
    return tl::make_unexpected(no_such_function(*read, name, function));
  }
  return found;
}

namespace {

double flops_of_iteration(const LoopNest& nest) {
  double flops = 0.0;
  for (const LoopOperation& each : nest.operations) {
    const bool counts = each.what == "add" || each.what == "mul" || each.what == "div" ||
                        each.what == "sqrt" || each.what == "fma";
    flops += counts ? each.count * (each.what == "fma" ? 2.0 : 1.0) : 0.0;
  }
  return flops;
}

double bytes_of_iteration(const LoopNest& nest, bool written) {
  double bytes = 0.0;
  for (const ArrayAccess& each : nest.accesses) {
    bytes += each.is_write == written && each.depth == nest.levels.size() ? each.bytes : 0.0;
  }
  return bytes;
}

/// 0: neither says how many.
double iterations_per_pass(const LoopNest& nest, const InCoreLoop& loop) {
  const double flops = flops_of_iteration(nest);
  if (flops > 0.0 && loop.flops_per_pass > 0) {
    return static_cast<double>(loop.flops_per_pass) / flops;
  }
  const double stored = bytes_of_iteration(nest, true);
  if (stored > 0.0 && loop.bytes_stored_per_pass > 0) {
    return static_cast<double>(loop.bytes_stored_per_pass) / stored;
  }
  const double loaded = bytes_of_iteration(nest, false);
  return loaded > 0.0 ? static_cast<double>(loop.bytes_loaded_per_pass) / loaded : 0.0;
}

/// Lines that what the innermost loop does stands on.
std::set<unsigned> lines_of(const LoopNest& nest) {
  std::set<unsigned> lines{nest.levels.back().line};
  for (const ArrayAccess& each : nest.accesses) {
    if (each.depth == nest.levels.size()) {
      lines.insert(each.line);
    }
  }
  lines.erase(0U);
  return lines;
}

}  // namespace

std::optional<InCoreModel> in_core_of(const LoopNest& nest, std::span<const InCoreLoop> loops) {
  const std::set<unsigned> wanted = lines_of(nest);
  const InCoreLoop* best = nullptr;
  std::tuple<bool, double, std::size_t> most{false, 0.0, 0};
  for (const InCoreLoop& loop : loops) {
    const auto shared = static_cast<std::size_t>(
        std::ranges::count_if(loop.lines, [&](unsigned line) { return wanted.contains(line); }));
    // A vector body has fewer lines than its remainder, which looks at the counter, too.
    const std::tuple rank{loop.source_function == nest.function, iterations_per_pass(nest, loop),
                          shared};
    if (shared != 0 && (best == nullptr || rank > most)) {
      most = rank;
      best = &loop;
    }
  }
  if (best == nullptr) {
    return std::nullopt;
  }
  InCoreModel model = best->model;
  const double iterations = std::get<double>(most);
  model.iterations_per_pass = iterations > 0.0 ? iterations : 1.0;
  return model;
}

}  // namespace ridge::analyze
