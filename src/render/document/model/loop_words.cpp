#include "render/document/model/loop_words.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "core/quantity/words.hpp"
#include "render/chart/format_si.hpp"
#include "render/chart/text.hpp"

namespace ridge::render {
namespace {

constexpr std::size_t kIndent = 2;

std::string indented(std::size_t depth, const std::string& text) {
  return std::string(depth * kIndent, ' ') + text;
}

std::string loop_line(const ModelledLoop& loop) {
  std::string text = fmt::format("for {} = {}", clean(loop.counter), clean(loop.first));
  if (loop.step != 1) {
    text += fmt::format(", step {}", loop.step);
  }
  text += loop.trips.empty() ? ", an unknown number of times"
                             : fmt::format(", {} times", clean(loop.trips));
  if (loop.iterations && std::to_string(*loop.iterations) != loop.trips) {
    text += fmt::format(" ({})", *loop.iterations);
  }
  return loop.line == 0 ? text : text + fmt::format(", line {}", loop.line);
}

std::string access_line(const ModelledAccess& access) {
  std::string text = fmt::format("{} ({} byte{}{})", clean(access.text), access.bytes,
                                 access.is_indirect ? ", indirect" : "",
                                 access.is_conditional ? ", not in every iteration" : "");
  return text;
}

std::string list_of(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) {
    text += (text.empty() ? "" : ", ") + item;
  }
  return text;
}

/// The slowest of the limits of the core.
std::string core_limit(const InCoreModel& core) {
  const double whole = core.cycles * (1.0 - 1e-9);
  return core.chain_cycles >= whole       ? "the chain from one pass to the next"
         : core.front_end_cycles >= whole ? "decoding and renaming"
         : core.port_cycles >= whole      ? "the busiest port"
                                          : "no limit alone, all of them together";
}

std::string busiest_ports(const InCoreModel& core) {
  constexpr std::size_t kMost = 4;
  std::vector<PortUse> ports = core.ports;
  std::ranges::stable_sort(ports, std::greater{}, &PortUse::cycles);
  std::vector<std::string> words;
  for (std::size_t i = 0; i < std::min(ports.size(), kMost); ++i) {
    words.push_back(fmt::format("{} {}", clean(ports[i].port), number(ports[i].cycles)));
  }
  return list_of(words);
}

std::string term(std::optional<double> cycles, double iterations) {
  return cycles ? fmt::format("{:.1f}", *cycles * iterations) : std::string("?");
}

void add_notes(std::vector<std::string>& words, const std::vector<Note>& notes) {
  for (const Note& note : notes) {
    std::string text = clean(note.text);
    if (std::ranges::find(words, text) == words.end()) {
      words.push_back(std::move(text));
    }
  }
}

}  // namespace

std::string loop_title(const LoopModel& model) {
  const unsigned line = model.loops.empty() ? 0 : model.loops.front().line;
  std::string place = clean(model.file.substr(model.file.find_last_of('/') + 1));
  if (line != 0) {
    place += fmt::format(":{}", line);
  }
  return place.empty() ? clean(model.function)
                       : fmt::format("{} ({})", clean(model.function), place);
}

std::string size_words(const LoopModel& model) {
  std::vector<std::string> words;
  for (const auto& [name, value] : model.values) {
    words.push_back(fmt::format("{} = {}", clean(name), value));
  }
  return list_of(words);
}

std::vector<std::string> nest_lines(const LoopModel& model) {
  std::vector<std::string> lines;
  std::size_t depth = 0;
  for (const ModelledLoop& loop : model.loops) {
    lines.push_back(indented(depth++, loop_line(loop)));
  }
  for (const ModelledAccess& access : model.accesses) {
    lines.push_back(indented(depth, access_line(access)));
  }
  if (const std::string operations = operation_words(model); !operations.empty()) {
    lines.push_back(indented(depth, operations));
  }
  return lines;
}

std::string operation_words(const LoopModel& model) {
  std::map<std::string, std::vector<std::string>> by_precision;
  for (const ModelledOperation& operation : model.operations) {
    by_precision[operation.precision].push_back(
        fmt::format("{} {}{}", operation.count, clean(operation.what),
                    operation.is_conditional ? " not in every iteration" : ""));
  }
  std::vector<std::string> words;
  for (const auto& [precision, counts] : by_precision) {
    words.push_back(precision.empty() ? "calls: " + list_of(counts)
                                      : fmt::format("{} ({})", list_of(counts), clean(precision)));
  }
  if (const double flops = flops_of(model); flops > 0.0) {
    return fmt::format("{}: {} flop", list_of(words), static_cast<std::uint64_t>(flops));
  }
  return list_of(words);
}

std::string boundary_words(const std::vector<Level>& levels, Level level) {
  const auto found = std::ranges::find(levels, level);
  const Level before = found == levels.begin() || found == levels.end() ? Level::L1 : *(found - 1);
  return fmt::format("{}-{}", to_string(before), to_string(level));
}

std::vector<std::string> in_core_words(const InCoreModel& core) {
  std::vector<std::string> words{
      fmt::format("{} with data in L1: {} cycles an iteration ({} for {} of {}; {})",
                  clean(core.microarchitecture), number(core.cycles / core.iterations_per_pass),
                  number(core.cycles), counted(core.instructions, "instruction"),
                  core.iterations_per_pass == 1.0
                      ? std::string("one iteration")
                      : fmt::format("{:g} iterations", core.iterations_per_pass),
                  clean(core.compiler)),
      fmt::format("It is limited by {}: busiest port {}, chain {}, front end {} cycles a pass",
                  core_limit(core), number(core.port_cycles), number(core.chain_cycles),
                  number(core.front_end_cycles))};
  if (!core.ports.empty()) {
    words.push_back(fmt::format("Cycles a pass that ports are busy: {}", busiest_ports(core)));
  }
  if (!core.unknown.empty()) {
    std::vector<std::string> names;
    for (const std::string& name : core.unknown) {
      names.push_back(clean(name));
    }
    words.push_back(fmt::format("Nothing is known of {}: the cycles are too few", list_of(names)));
  }
  return words;
}

std::vector<std::string> blocking_words(const LoopModel& model) {
  std::vector<std::string> words;
  for (const BlockingAdvice& advice : model.blocking) {
    words.push_back(fmt::format(
        "Blocks of at most {} iterations of {} keep the reuse in {}: {} byte an iteration less "
        "from beyond it",
        advice.block, clean(advice.loop), to_string(advice.level), number(advice.bytes_saved)));
  }
  return words;
}

std::string ecm_notation(const LoopPrediction& prediction) {
  if (!prediction.ecm) {
    return {};
  }
  const EcmModel& ecm = *prediction.ecm;
  const double iterations = prediction.iterations_per_line;
  std::string text = fmt::format("{{ {} || {}", term(ecm.overlapping_cycles, iterations),
                                 term(ecm.transferring_cycles, iterations));
  for (const EcmTransfer& transfer : ecm.transfers) {
    text += " | " + term(transfer.cycles, iterations);
  }
  return text + " } cy/CL";
}

std::string ecm_legend(const EcmModel& ecm) {
  std::vector<Level> levels;
  for (const EcmTransfer& transfer : ecm.transfers) {
    levels.push_back(transfer.level);
  }
  std::string text = "arithmetic || loads and stores";
  for (const Level level : levels) {
    text += " | " + boundary_words(levels, level);
  }
  text += ecm.overlap == OverlapRule::everything ? "; all of it passes at the same time"
          : ecm.overlap == OverlapRule::arithmetic
              ? "; arithmetic passes beside the sum of the others"
              : "; nothing passes at the same time";
  for (const EcmTransfer& transfer : ecm.transfers) {
    if (!transfer.missing.empty()) {
      text +=
          fmt::format("; {}: {}", boundary_words(levels, transfer.level), clean(transfer.missing));
    }
  }
  return text;
}

std::string resource_words(const std::string& resource) {
  return resource == "in-core"      ? "the core"
         : resource == "arithmetic" ? "arithmetic"
                                    : fmt::format("the bandwidth of {}", clean(resource));
}

std::string verdict_words(const LoopPrediction& prediction) {
  if (!prediction.hierarchical) {
    return "nothing is known of the resources that it uses";
  }
  const LoopRoofline& roof = *prediction.hierarchical;
  std::string text = fmt::format("{}: bound by {}, ", counted(prediction.threads, "thread"),
                                 resource_words(roof.binds));
  text += roof.performance
              ? fmt::format("at most {}", si(*roof.performance, "Flop/s"))
              : fmt::format("at most {} iterations a second", si(1.0 / roof.seconds, ""));
  const LoopLimit* next = nullptr;
  for (const LoopLimit& limit : roof.limits) {
    if (limit.resource != roof.binds && (next == nullptr || limit.seconds > next->seconds)) {
      next = &limit;
    }
  }
  if (next != nullptr) {
    text += fmt::format("; at {} times as much {} binds", number(roof.seconds / next->seconds),
                        resource_words(next->resource));
  }
  return text;
}

std::string saturation_words(const LoopPrediction& prediction) {
  if (!prediction.ecm || !prediction.ecm->saturating_threads || prediction.ecm->scaling.empty()) {
    return {};
  }
  const unsigned cores = prediction.ecm->scaling.back().threads;
  const unsigned needed = *prediction.ecm->saturating_threads;
  const Level memory = prediction.ecm->levels.back().level;
  return needed > cores ? fmt::format("{} would take {} to be saturated; there are {}",
                                      to_string(memory), counted(needed, "core"), cores)
                        : fmt::format("{} is saturated by {} of {}", to_string(memory),
                                      counted(needed, "core"), cores);
}

std::vector<std::string> note_words(const LoopModel& model) {
  std::vector<std::string> words;
  add_notes(words, model.notes);
  for (const ModelledTraffic& traffic : model.traffic) {
    add_notes(words, traffic.notes);
  }
  if (model.in_core) {
    add_notes(words, model.in_core->notes);
  }
  for (const LoopPrediction& prediction : model.predictions) {
    add_notes(words, prediction.notes);
  }
  return words;
}

}  // namespace ridge::render
