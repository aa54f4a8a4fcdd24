#include "render/document/bench/specification_table.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/describe/specification.hpp"
#include "core/value/demand.hpp"
#include "render/chart/format_si.hpp"
#include "render/chart/text.hpp"
#include "render/format/text/text_table.hpp"

namespace ridge::render {
namespace {

using Machines = std::vector<Specification>;

template <class Cell>
TextColumn column(std::string title, int importance, bool left, std::size_t rows, Cell cell) {
  TextColumn result;
  result.title = std::move(title);
  result.importance = importance;
  result.left = left;
  for (std::size_t row = 0; row < rows; ++row) {
    result.cells.push_back(cell(row));
  }
  return result;
}

bool is_integer(std::string_view precision) {
  return precision.starts_with("int");
}

std::string rate(const Figure& figure, std::string_view precision) {
  return si(figure.value, is_integer(precision) ? "op/s" : "Flop/s");
}

std::string peak_cell(const Specification& machine, std::string_view precision, Pipes pipes) {
  const PublishedPeak* peak = highest_peak(machine, precision, pipes, Basis::theoretical);
  return peak != nullptr ? rate(peak->figure, precision) : std::string(kUnknown);
}

std::string bandwidth_cell(const Specification& machine, Basis basis) {
  const PublishedBandwidth* bandwidth = main_memory_bandwidth(machine, basis);
  return bandwidth != nullptr ? si(bandwidth->figure.value, "B/s") : std::string(kUnknown);
}

/// "data sheet, not verified [DS]"
std::string provenance(const Figure& figure) {
  std::string text(to_string(figure.origin));
  if (!figure.verified) {
    text += ", unverified";
  }
  if (figure.source) {
    text += fmt::format(" [{}]", clean(*figure.source));
  }
  return text;
}

struct Row {
  std::string what;
  std::string value;
  std::string basis;
  std::string provenance;
};

void add_optional(std::vector<Row>& rows, std::string what, const std::optional<Figure>& figure,
                  std::string_view unit) {
  if (figure) {
    rows.push_back({std::move(what),
                    unit.empty() ? fmt::format("{:g}", figure->value) : si(figure->value, unit), "",
                    provenance(*figure)});
  }
}

/// "PCIe 5.0 x16, one direction", and what copies over it reach.
void add_link(std::vector<Row>& rows, const PublishedLink& link) {
  const std::string name = fmt::format(
      "{}{}{}", clean(link.name), link.generation ? fmt::format(" {}.0", *link.generation) : "",
      link.lanes ? fmt::format(" x{}", *link.lanes) : "");
  rows.push_back(
      {fmt::format("{}, {}", name, link.both_directions ? "both directions" : "one direction"),
       si(link.figure.value, "B/s"), "", provenance(link.figure)});
  add_optional(rows, name + ", pinned memory", link.pinned, "B/s");
  add_optional(rows, name + ", pageable memory", link.pageable, "B/s");
}

std::vector<Row> rates_of(const Specification& machine) {
  std::vector<Row> rows;
  for (const PublishedPeak& peak : machine.peaks) {
    std::string what = fmt::format("{} {}", clean(peak.precision), to_string(peak.pipes));
    if (peak.operation) {
      what += " " + clean(*peak.operation);
    }
    rows.push_back({what, rate(peak.figure, peak.precision), std::string(to_string(peak.basis)),
                    provenance(peak.figure)});
  }
  for (const PublishedBandwidth& bandwidth : machine.bandwidths) {
    std::string what(to_string(bandwidth.level));
    if (bandwidth.pattern) {
      what += " " + clean(*bandwidth.pattern);
    }
    if (bandwidth.cores) {
      what += *bandwidth.cores == 1 ? ", one core" : fmt::format(", {} cores", *bandwidth.cores);
    }
    rows.push_back({what, si(bandwidth.figure.value, "B/s"),
                    std::string(to_string(bandwidth.basis)), provenance(bandwidth.figure)});
  }
  for (const PublishedLink& link : machine.links) {
    add_link(rows, link);
  }
  for (const PublishedLatency& latency : machine.latencies) {
    rows.push_back({fmt::format("{} latency", to_string(latency.level)),
                    si(latency.figure.value, "s"), "", provenance(latency.figure)});
  }
  add_optional(rows, "launch latency", machine.launch_latency, "s");
  return rows;
}

/// "L3 of 8 cores"
std::string cache_name(const PublishedCache& cache) {
  const std::string_view level = to_string(cache.level);
  if (cache.per_core || cache.shared_by_cores == 1U) {
    return fmt::format("{} of a core", level);
  }
  return cache.shared_by_cores ? fmt::format("{} of {} cores", level, *cache.shared_by_cores)
                               : std::string(level);
}

std::vector<Row> sizes_of(const Specification& machine) {
  std::vector<Row> rows;
  if (machine.microarchitecture) {
    rows.push_back({"microarchitecture", clean(*machine.microarchitecture), "", ""});
  }
  if (machine.sockets) {
    rows.push_back({"sockets of a node, at most", fmt::format("{}", *machine.sockets), "", ""});
  }
  add_optional(rows, "cores", machine.cores, "");
  add_optional(rows, "clock", machine.clock, "Hz");
  add_optional(rows, "boost clock", machine.boost_clock, "Hz");
  add_optional(rows, "fp64 flop per cycle and core", machine.fp64_flops_per_cycle_and_core, "");
  add_optional(rows, "design power", machine.thermal_design_power, "W");
  for (const auto& [what, size] : {std::pair("registers of a core", &machine.registers),
                                   std::pair("shared memory of a core", &machine.shared_memory),
                                   std::pair("cache line", &machine.line_size)}) {
    if (*size) {
      rows.push_back({what, binary_size((*size)->value), "", provenance(**size)});
    }
  }
  for (const PublishedCache& cache : machine.caches) {
    rows.push_back({cache_name(cache), binary_size(cache.size.value), "", provenance(cache.size)});
  }
  for (const PublishedMemory& memory : machine.memories) {
    rows.push_back({std::string(to_string(memory.level)), si(memory.size.value, "B"), "",
                    provenance(memory.size)});
  }
  return rows;
}

std::string table(const std::vector<Row>& rows, const TextStyle& style) {
  const auto cell = [&](auto member) {
    return [&rows, member](std::size_t row) { return rows[row].*member; };
  };
  return render_table({column("", 0, true, rows.size(), cell(&Row::what)),
                       column("value", 0, false, rows.size(), cell(&Row::value)),
                       column("basis", 1, true, rows.size(), cell(&Row::basis)),
                       column("origin", 2, true, rows.size(), cell(&Row::provenance))},
                      usable_columns(style), style);
}

std::string ridge_lines(const Specification& machine) {
  std::string text;
  for (const RidgePoint& point : ridge_points(machine)) {
    const std::string_view unit = is_integer(point.precision) ? "op" : "flop";
    text += fmt::format("  {} {}, {}: {} {}/byte", clean(point.precision), to_string(point.pipes),
                        to_string(point.basis), number(point.intensity), unit);
    if (const auto word = element_bytes(point.precision)) {
      text += fmt::format(", {} {}/word ({} byte)", number(point.intensity * *word), unit, *word);
    }
    text += "\n";
  }
  return text;
}

/// "24.5 kB, 383 lines"
std::string bytes_cell(std::optional<double> bytes, std::optional<double> line) {
  if (!bytes) {
    return std::string(kUnknown);
  }
  return line ? fmt::format("{}, {} lines", si(*bytes, "B"), number(*bytes / *line))
              : si(*bytes, "B");
}

std::string in_flight_table(const std::vector<BytesInFlight>& entries, const TextStyle& style) {
  const auto cells = [&](std::string title, int importance, bool left, auto cell) {
    return column(std::move(title), importance, left, entries.size(),
                  [&](std::size_t row) { return cell(entries[row]); });
  };
  return render_table(
      {cells("", 0, true,
             [](const BytesInFlight& e) {
               return fmt::format("{}, {}", to_string(e.level), to_string(e.basis));
             }),
       cells("latency", 2, false, [](const BytesInFlight& e) { return si(e.latency, "s"); }),
       cells("bandwidth", 2, false, [](const BytesInFlight& e) { return si(e.bandwidth, "B/s"); }),
       cells("of all cores", 0, false,
             [](const BytesInFlight& e) { return bytes_cell(e.bytes, e.line_size); }),
       cells("of each", 0, false,
             [](const BytesInFlight& e) { return bytes_cell(e.per_core, e.line_size); }),
       cells("one core alone", 1, false,
             [](const BytesInFlight& e) { return bytes_cell(e.one_core, e.line_size); })},
      usable_columns(style), style);
}

/// A letter stands in the list, words stand below it and in the details.
struct LackText {
  Lack lack;
  char letter;
  std::string_view words;
};
constexpr std::array kLackTexts{
    LackText{Lack::sustained_bandwidth, 's', "sustained bandwidth of the memory"},
    LackText{Lack::latency, 'l', "latency of the memory"},
    LackText{Lack::one_core_bandwidth, '1', "bandwidth of one core"},
    LackText{Lack::cache_bandwidth, 'c', "bandwidth of the caches"},
    LackText{Lack::microarchitecture, 'm', "microarchitecture"},
    LackText{Lack::launch_latency, 'k', "launch latency of kernels"},
    LackText{Lack::host_link, 'h', "link to the host"},
    LackText{Lack::design_power, 'p', "design power"}};
static_assert(kLackTexts.size() == describe::Enumerators<Lack>::values.size());

const LackText& text_of(Lack lack) {
  return *std::find_if(kLackTexts.begin(), kLackTexts.end(),
                       [&](const LackText& text) { return text.lack == lack; });
}

std::string lack_letters(const Specification& machine) {
  std::string letters;
  for (const Lack lack : lacks(machine)) {
    letters += text_of(lack).letter;
  }
  return letters;
}

std::string lack_words(const Specification& machine) {
  std::vector<std::string_view> words;
  for (const Lack lack : lacks(machine)) {
    words.push_back(text_of(lack).words);
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

/// What the letters mean, and how far the figures can be trusted.
std::string list_legend(const Machines& machines) {
  std::string text = "lacks:";
  for (const LackText& lack : kLackTexts) {
    const std::string item = fmt::format("  {} {}", lack.letter, lack.words);
    const std::size_t line = text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1;
    text += text.size() - line + item.size() > 100 ? "\n      " + item : item;
  }
  FigureCount all;
  for (const Specification& machine : machines) {
    const FigureCount count = describe::count_figures(machine);
    all.all += count.all;
    all.unverified += count.unverified;
  }
  if (all.all > 0) {
    const double share = static_cast<double>(all.unverified) / static_cast<double>(all.all);
    text += fmt::format(
        "\n{} machines, {} figures; {} of them ({}) unverified: from memory, or from a text "
        "that was not kept\n",
        machines.size(), all.all, all.unverified, percent(share, 1));
  }
  return text;
}

}  // namespace

std::string specification_list(const Machines& machines, std::string_view precision,
                               const TextStyle& style) {
  const auto cells = [&](std::string title, int importance, auto cell) {
    return column(std::move(title), importance, false, machines.size(),
                  [&](std::size_t row) { return cell(machines[row]); });
  };
  const auto ridge = [&](Pipes pipes) {
    return [pipes, precision](const Specification& machine) {
      return number(ridge_point(machine, precision, pipes, Basis::theoretical));
    };
  };
  const std::string unit = is_integer(precision) ? "op/byte" : "flop/byte";
  std::vector<TextColumn> columns;
  columns.push_back(column("machine", 0, true, machines.size(),
                           [&](std::size_t row) { return clean(machines[row].key); }));
  columns.push_back(column("name", 1, true, machines.size(),
                           [&](std::size_t row) { return clean(machines[row].name); }));
  columns.push_back(cells(fmt::format("{} vector", precision), 0, [&](const Specification& m) {
    return peak_cell(m, precision, Pipes::vector);
  }));
  columns.push_back(cells(
      "matrix", 3, [&](const Specification& m) { return peak_cell(m, precision, Pipes::matrix); }));
  columns.push_back(cells(
      "memory", 0, [](const Specification& m) { return bandwidth_cell(m, Basis::theoretical); }));
  columns.push_back(cells(
      "sustained", 2, [](const Specification& m) { return bandwidth_cell(m, Basis::sustained); }));
  columns.push_back(cells("ridge", 0, ridge(Pipes::vector)));
  columns.push_back(cells("matrix", 3, ridge(Pipes::matrix)));
  columns[columns.size() - 2].group = unit;
  columns[columns.size() - 1].group = unit;
  columns.push_back(column("lacks", 4, true, machines.size(),
                           [&](std::size_t row) { return lack_letters(machines[row]); }));
  return render_table(std::move(columns), usable_columns(style), style) + "\n" +
         list_legend(machines);
}

std::string specification_details(const Specification& machine, const TextStyle& style) {
  std::string text = fmt::format("{}  ({}, {}{})\n\n", paint(clean(machine.name), kBold, style),
                                 clean(machine.key), to_string(machine.kind),
                                 machine.year ? fmt::format(", {}", *machine.year) : "");
  text += table(rates_of(machine), style);
  if (const std::string ridges = ridge_lines(machine); !ridges.empty()) {
    const auto memory = main_memory(machine);
    text += fmt::format("\nmachine balance (ridge points), peak over bandwidth of {}:\n{}",
                        memory ? to_string(*memory) : "", ridges);
  }
  if (const auto entries = bytes_in_flight(machine); !entries.empty()) {
    const std::string lines =
        machine.line_size ? fmt::format(", lines of {:g} byte", machine.line_size->value) : "";
    text += fmt::format("\nbytes in flight, at least (Little's law: latency x bandwidth){}:\n{}",
                        lines, in_flight_table(entries, style));
  }
  if (const auto sizes = sizes_of(machine); !sizes.empty()) {
    text += "\n" + table(sizes, style);
  }
  if (const std::string missing = lack_words(machine); !missing.empty()) {
    text += fmt::format("\nnot known: {}\n", missing);
  }
  for (const std::string& note : machine.notes) {
    text += fmt::format("\nnote: {}", clean(note));
  }
  text += machine.notes.empty() ? "" : "\n";
  if (!machine.sources.empty()) {
    text += "\nsources:\n";
  }
  for (const auto& [key, source] : machine.sources) {
    text += fmt::format("  [{}] {}\n", clean(key), clean(source));
  }
  return text;
}

std::string derived_specification(const Specification& machine,
                                  const std::vector<ArithmeticLine>& arithmetic,
                                  const TextStyle& style) {
  std::string text;
  for (const ArithmeticLine& line : arithmetic) {
    text += fmt::format("{} = {}\n    = {}\n", line.quantity, line.arithmetic,
                        si(line.value, line.unit == "flop/s" ? "Flop/s" : "B/s"));
  }
  return text + (arithmetic.empty() ? "" : "\n") + specification_details(machine, style);
}

}  // namespace ridge::render
