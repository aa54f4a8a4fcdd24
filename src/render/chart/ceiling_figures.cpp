#include "render/chart/ceiling_figures.hpp"

#include <algorithm>
#include <variant>

#include <fmt/format.h>

#include "render/chart/format_si.hpp"
#include "render/chart/names.hpp"
#include "render/chart/text.hpp"

namespace ridge::render {
namespace {

std::string_view short_unit(const CeilingEstimate& estimate) {
  const std::string_view unit = unit_of(estimate);
  return unit == "flop/s" ? "Flop/s" : unit == "byte/s" ? "B/s" : unit;
}

/// (high - low) / median: the width of the 80 % interval.
std::optional<double> spread_of(const CeilingEstimate& estimate) {
  return std::visit(
      [](const auto& value) -> std::optional<double> {
        if (value.samples < 2 || !(value.median.value() > 0.0)) {
          return std::nullopt;
        }
        return (value.high.value() - value.low.value()) / value.median.value();
      },
      estimate);
}

std::string_view origin_of(const CeilingEstimate& estimate) {
  return std::visit([](const auto& value) { return to_string(value.origin); }, estimate);
}

std::string what(const Ceiling& ceiling, bool unicode) {
  std::string words = ceiling_words(ceiling);
  if (ceiling.kind == CeilingKind::compute && ceiling.precision == "fp64") {
    words += " fp64";  // the table holds several precisions; elsewhere fp64 goes without saying
  }
  if (ceiling.kind == CeilingKind::bandwidth && ceiling.level && ceiling.pattern) {
    words = fmt::format("{} {}", to_string(*ceiling.level), to_string(*ceiling.pattern));
    words += ceiling.isa ? fmt::format(" {}", isa_words(*ceiling.isa)) : "";
  }
  if (ceiling.kind == CeilingKind::latency && ceiling.level && ceiling.pattern) {
    const std::string_view pages = *ceiling.pattern == Pattern::chase_huge ? "huge pages"
                                   : *ceiling.pattern == Pattern::chase_4k
                                       ? "4 KiB pages"
                                       : to_string(*ceiling.pattern);
    words = fmt::format("{} latency, {}", to_string(*ceiling.level), pages);
  }
  words += ceiling.device ? fmt::format(" on {}", *ceiling.device) : "";
  return clean(words, unicode);
}

}  // namespace

CeilingFigures figures_of(const Ceiling& ceiling, bool unicode) {
  const std::string_view unit = short_unit(ceiling.value);
  CeilingFigures figures;
  figures.what = what(ceiling, unicode);
  figures.unit = unit;
  figures.quoted = si(
      ceiling.kind == CeilingKind::latency ? low_of(ceiling.value) : p90_of(ceiling.value), unit);
  figures.traffic =
      ceiling.traffic_value ? si(p90_of(*ceiling.traffic_value), unit) : std::string(kUnknown);
  figures.median = si(median_of(ceiling.value), unit);
  figures.spread = spread_of(ceiling.value);
  figures.origin = origin_of(ceiling.value);
  figures.flags = clean(fmt::format("{}", fmt::join(ceiling.flags, ", ")), unicode);
  return figures;
}

std::string limit_words(const Ceiling& ceiling) {
  std::string words = percent(ceiling.limit_fraction, 1);
  std::erase(words, ' ');
  if (std::find(ceiling.flags.begin(), ceiling.flags.end(), "above-limit") != ceiling.flags.end()) {
    return words + "!";
  }
  return ceiling.limit_fraction.value_or(0.0) > 1.0 ? words + "~" : words;
}

namespace {

std::string core_counts(const Topology& topology) {
  const auto plural = [](unsigned count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
  };
  std::string line =
      fmt::format("{}, {}", plural(topology.cores, "core"), plural(topology.threads, "thread"));
  if (topology.sockets > 1) {
    line = fmt::format("{}, {}", plural(topology.sockets, "socket"), line);
  }
  if (topology.numa_nodes > 1) {
    line += fmt::format(", {}", plural(topology.numa_nodes, "NUMA node"));
  }
  return line;
}

}  // namespace

std::string topology_line(const Machine& machine, bool unicode) {
  std::string line = machine.topology ? core_counts(*machine.topology) : "number of cores unknown";
  const char* separator = "; ";
  for (const Cache& cache : machine.caches) {
    line += fmt::format("{}{} {}", separator, to_string(cache.level),
                        binary_size(static_cast<double>(cache.size_bytes)));
    separator = ", ";
  }
  for (const MemoryNode& memory : machine.memories) {
    if (memory.size_bytes) {
      line += fmt::format("{}{} {}", separator, to_string(memory.level),
                          binary_size(static_cast<double>(*memory.size_bytes)));
      separator = ", ";
    }
  }
  return clean(line, unicode);
}

std::string clock_line(const Machine& machine) {
  std::string line;
  if (machine.clock.core) {
    line = fmt::format("core {} ({})", si(machine.clock.core->median.value(), "Hz"),
                       to_string(machine.clock.core->origin));
  }
  if (machine.clock.tsc_hertz) {
    line += fmt::format("{}TSC {}", line.empty() ? "" : ", ", si(*machine.clock.tsc_hertz, "Hz"));
  }
  return line;
}

}  // namespace ridge::render
