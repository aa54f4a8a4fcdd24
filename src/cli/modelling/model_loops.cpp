#include "cli/modelling/model_loops.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "abi/version.h"
#include "analyze/dependences.hpp"
#include "analyze/describe_loop.hpp"
#include "analyze/in_core.hpp"
#include "analyze/loop_nests.hpp"
#include "analyze/traffic/blocking.hpp"
#include "analyze/traffic/comparison.hpp"
#include "analyze/traffic/conditions.hpp"
#include "analyze/traffic/simulation.hpp"
#include "cli/modelling/compile.hpp"
#include "cli/modelling/index_files.hpp"
#include "cli/modelling/run_loop.hpp"
#include "platform/topology.hpp"

namespace ridge::cli {
namespace {

using analyze::describe_loop;
using analyze::parameters_of;

std::vector<std::string> macros_of(const Sizes& sizes, const std::set<std::string>& names) {
  std::vector<std::string> macros;
  for (const auto& [name, value] : sizes) {
    if (names.contains(name)) {
      macros.push_back(fmt::format("{}={}", name, value));
    }
  }
  return macros;
}

std::set<std::string> names_of(const Sizes& sizes) {
  std::set<std::string> names;
  for (const auto& [name, value] : sizes) {
    names.insert(name);
  }
  return names;
}

bool is_at(const LoopNest& nest, std::optional<unsigned> line) {
  return !line || std::ranges::any_of(nest.levels,
                                      [&](const LoopLevel& level) { return level.line == *line; });
}

LoopModels head_of(const ModelRequest& request, const Machine& machine) {
  LoopModels models;
  models.ridge_version = ridge_version_text;
  models.date = platform::utc_now();
  models.source = request.file;
  models.machine = machine.name;
  return models;
}

/// What one compilation gives.
struct Program {
  CompileRequest request;
  std::string bitcode;
  std::string command;  ///< that makes the machine code
  std::vector<LoopNest> nests;
  Result<std::vector<analyze::InCoreLoop>> code;
};

/// Names in the sizes that a nest has no parameter for keep their value: they are macros.
std::vector<std::string> names_without_value(const LoopNest& nest, const Sizes& sizes) {
  std::vector<std::string> names;
  for (const std::string& name : parameters_of(nest)) {
    if (!sizes.contains(name)) {
      names.push_back(name);
    }
  }
  return names;
}

class Modelling {
 public:
  Modelling(const ModelRequest& request, const Machine& machine)
      : request_(request), machine_(machine) {}

  Result<LoopModels> run() {
    LoopModels models = head_of(request_, machine_);
    auto indices = read_index_files(request_.index_files);
    if (!indices) {
      return tl::make_unexpected(indices.error());
    }
    simulation_.indices = std::move(*indices);
    for (const Sizes& sizes : request_.sizes) {
      if (auto fine = compile_for(sizes); !fine) {
        return tl::make_unexpected(fine.error());
      }
      for (const LoopNest& nest : program_->nests) {
        models.models.push_back(model(nest, sizes));
      }
    }
    return models;
  }

 private:
  /// Anew only where the sizes are macros, for these change the program.
  Result<void> compile_for(const Sizes& sizes) {
    if (program_ && macros_.empty()) {
      return {};
    }
    if (program_) {
      return use(read(macros_of(sizes, macros_)));
    }
    auto without = read({});
    if (!without || !unknown_names(*without, sizes).empty()) {
      macros_ = without ? unknown_names(*without, sizes) : names_of(sizes);
      if (macros_.empty()) {
        return use(std::move(without));
      }
      auto with = read(macros_of(sizes, macros_));
      if (with || !without) {
        return use(std::move(with));
      }
      // Some are names of something else: how many elements an array has, for example.
      std::erase_if(macros_,
                    [&](const std::string& name) { return !read(macros_of(sizes, {name})); });
      return use(macros_.empty() ? std::move(without) : read(macros_of(sizes, macros_)));
    }
    return use(std::move(without));
  }

  static std::set<std::string> unknown_names(const Program& program, const Sizes& sizes) {
    std::set<std::string> names = names_of(sizes);
    for (const LoopNest& nest : program.nests) {
      for (const std::string& known : parameters_of(nest)) {
        names.erase(known);
      }
    }
    return names;
  }

  Result<void> use(Result<Program> program) {
    if (!program) {
      return tl::make_unexpected(program.error());
    }
    program_ = std::move(*program);
    return {};
  }

  Result<Program> read(const std::vector<std::string>& macros) const {
    const CompileRequest asked{request_.file, request_.flags, macros, request_.cpu, true};
    auto compiled = compile(asked);
    if (!compiled) {
      return tl::make_unexpected(compiled.error());
    }
    auto nests =
        analyze::loop_nests(compiled->program, request_.file, request_.function.value_or(""));
    if (!nests) {
      return tl::make_unexpected(nests.error());
    }
    Program program{asked, {}, compiled->command, {}, code_of(*compiled)};
    program.bitcode = std::move(compiled->program);
    std::ranges::copy_if(*nests, std::back_inserter(program.nests),
                         [&](const LoopNest& nest) { return is_at(nest, request_.line); });
    if (program.nests.empty()) {
      return no_loop(*nests);
    }
    return program;
  }

  tl::unexpected<Error> no_loop(const std::vector<LoopNest>& nests) const {
    if (nests.empty()) {
      return fail(ErrorCode::bad_input,
                  fmt::format("{} has no loop{}", request_.file,
                              request_.function ? " in " + *request_.function : ""),
                  "loops that the compiler runs completely, or turns into formulas, are none");
    }
    std::set<unsigned> lines;
    for (const LoopNest& nest : nests) {
      for (const LoopLevel& level : nest.levels) {
        lines.insert(level.line);
      }
    }
    return fail(ErrorCode::bad_input,
                fmt::format("{} has no loop at line {}", request_.file, *request_.line),
                fmt::format("loops begin at lines {}", fmt::join(lines, ", ")));
  }

  LoopModel model(const LoopNest& nest, const Sizes& given) const {
    const Sizes sizes = with_derived(nest, given);
    LoopModel made = describe_loop(nest, sizes);
    for (const std::string& name : macros_) {
      if (const auto value = given.find(name); value != given.end()) {
        made.values.insert(*value);
      }
    }
    std::ranges::move(analyze::dependence_notes(nest), std::back_inserter(made.notes));
    add_in_core(made, nest);
    const auto unbound = names_without_value(nest, sizes);
    if (unbound.empty()) {
      add_traffic(made, nest, sizes);
      add_measurement(made, nest, sizes);
    } else {
      made.notes.push_back(
          {"sizes-unknown",
           fmt::format("{} {} no value, so traffic and time are unknown: -D {}=4000",
                       fmt::join(unbound, ", "), unbound.size() == 1 ? "has" : "have",
                       unbound.front())});
    }
    return made;
  }

  void add_traffic(LoopModel& model, const LoopNest& nest, const Sizes& sizes) const {
    if (request_.by_conditions) {
      add_conditions(model, nest, sizes);
    }
    if (!request_.by_simulation) {
      return;
    }
    auto simulated =
        analyze::traffic_by_simulation(nest, sizes, machine_, request_.cores, simulation_);
    if (simulated) {
      if (!model.traffic.empty()) {
        auto reasons = analyze::explain_differences(nest, sizes, machine_, request_.cores,
                                                    model.traffic.front(), *simulated, simulation_);
        std::ranges::move(reasons, std::back_inserter(simulated->notes));
      }
      model.traffic.push_back(std::move(*simulated));
    } else {
      model.notes.push_back(
          {"no-simulation", "no simulated traffic: " + simulated.error().message});
    }
  }

  void add_measurement(LoopModel& model, const LoopNest& nest, const Sizes& sizes) const {
    if (!request_.runs) {
      return;
    }
    auto measured =
        run_loop(program_->request, program_->bitcode, nest, sizes, simulation_.indices);
    if (measured) {
      model.measured = std::move(*measured);
    } else {
      const Error& why = measured.error();
      model.notes.push_back({"not-run", fmt::format("not run: {}. {}", why.message, why.hint)});
    }
  }

  void add_conditions(LoopModel& model, const LoopNest& nest, const Sizes& sizes) const {
    auto conditions = analyze::reuse_conditions(nest, sizes, machine_, request_.cores);
    auto traffic = analyze::traffic_by_conditions(nest, sizes, machine_, request_.cores);
    if (!conditions || !traffic) {
      const Error& why = conditions ? traffic.error() : conditions.error();
      model.notes.push_back({"no-conditions", "no layer conditions: " + why.message});
      return;
    }
    model.conditions = std::move(*conditions);
    model.traffic.push_back(std::move(*traffic));
    model.blocking = analyze::blocking_advice(nest, sizes, machine_, request_.cores);
  }

  void add_in_core(LoopModel& model, const LoopNest& nest) const {
    if (!program_->code) {
      model.notes.push_back(
          {"no-cycles", "no cycles in the core: " + program_->code.error().message});
      return;
    }
    model.in_core = analyze::in_core_of(nest, *program_->code);
    if (model.in_core) {
      model.in_core->compiler = program_->command;
    } else {
      model.notes.push_back({"no-cycles",
                             "no cycles in the core: the compiled code has no loop for this one "
                             "(it may be a call of memcpy or memset, or be unrolled completely)"});
    }
  }

  Result<std::vector<analyze::InCoreLoop>> code_of(const Compiled& compiled) const {
    if (compiled.machine_code.empty()) {
      return fail(ErrorCode::bad_input,
                  "the machine code cannot be made: " +
                      compiled.why_not.substr(0, compiled.why_not.find('\n')));
    }
    return analyze::in_core_loops(compiled.machine_code, request_.file, {},
                                  request_.cpu.value_or(""));
  }

  const ModelRequest& request_;
  const Machine& machine_;
  analyze::SimulationOptions simulation_;
  std::optional<Program> program_;
  std::set<std::string> macros_;  ///< sizes that are no parameters
};

}  // namespace

Result<LoopModels> model_code(const ModelRequest& request, const Machine& machine,
                              const std::string& object) {
  const auto loops = analyze::in_core_loops(object, request.file, request.function.value_or(""),
                                            request.cpu.value_or(""));
  if (!loops) {
    return tl::make_unexpected(loops.error());
  }
  LoopModels models = head_of(request, machine);
  for (const analyze::InCoreLoop& loop : *loops) {
    if (request.line && !std::ranges::binary_search(loop.lines, *request.line)) {
      continue;
    }
    LoopModel& model = models.models.emplace_back();
    model.function = loop.source_function;
    model.file = loop.file;
    model.loops.emplace_back().line = loop.lines.empty() ? 0 : loop.lines.front();
    model.in_core = loop.model;
    model.in_core->compiler = request.file;
    model.notes.push_back(
        {"machine-code",
         fmt::format("of machine code alone the cycles in the core are known: {} "
                     "flop, {} byte loaded and {} byte stored in a pass",
                     loop.flops_per_pass, loop.bytes_loaded_per_pass, loop.bytes_stored_per_pass)});
  }
  if (models.models.empty()) {
    return fail(ErrorCode::bad_input, fmt::format("{} has no such loop", request.file),
                "--function takes a symbol or a name of the source");
  }
  return models;
}

Result<LoopModels> model_loops(const ModelRequest& request, const Machine& machine) {
  return Modelling(request, machine).run();
}

}  // namespace ridge::cli
