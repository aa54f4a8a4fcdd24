#include "render/document/bench/specification_table.hpp"

#include <utility>

#include <fmt/format.h>

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
  const PublishedBandwidth* bandwidth = highest_bandwidth(machine, main_memory(machine), basis);
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
    std::string what = clean(bandwidth.level);
    if (bandwidth.pattern) {
      what += " " + clean(*bandwidth.pattern);
    }
    rows.push_back({what, si(bandwidth.figure.value, "B/s"),
                    std::string(to_string(bandwidth.basis)), provenance(bandwidth.figure)});
  }
  for (const PublishedLink& link : machine.links) {
    rows.push_back({fmt::format("{}{}, {}", clean(link.name),
                                link.generation ? fmt::format(" {}.0", *link.generation) : "",
                                link.both_directions ? "both directions" : "one direction"),
                    si(link.figure.value, "B/s"), "", provenance(link.figure)});
  }
  return rows;
}

std::vector<Row> sizes_of(const Specification& machine) {
  std::vector<Row> rows;
  add_optional(rows, "cores", machine.cores, "");
  add_optional(rows, "clock", machine.clock, "Hz");
  add_optional(rows, "boost clock", machine.boost_clock, "Hz");
  add_optional(rows, "fp64 flop per cycle and core", machine.fp64_flops_per_cycle_and_core, "");
  for (const PublishedCache& cache : machine.caches) {
    rows.push_back({clean(cache.level) + (cache.per_core ? " of a core" : ""),
                    binary_size(cache.size.value), "", provenance(cache.size)});
  }
  for (const PublishedMemory& memory : machine.memories) {
    rows.push_back({clean(memory.level), si(memory.size.value, "B"), "", provenance(memory.size)});
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
  for (const PublishedPeak& peak : machine.peaks) {
    const auto intensity = ridge_point(machine, peak.precision, peak.pipes, peak.basis);
    if (intensity && highest_peak(machine, peak.precision, peak.pipes, peak.basis) == &peak) {
      text += fmt::format("  {} {}, {}: {} {}\n", clean(peak.precision), to_string(peak.pipes),
                          to_string(peak.basis), number(*intensity),
                          is_integer(peak.precision) ? "op/byte" : "flop/byte");
    }
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
  return render_table(std::move(columns), usable_columns(style), style);
}

std::string specification_details(const Specification& machine, const TextStyle& style) {
  std::string text = fmt::format("{}  ({}, {})\n\n", paint(clean(machine.name), kBold, style),
                                 clean(machine.key), to_string(machine.kind));
  text += table(rates_of(machine), style);
  text += fmt::format("\nridge points, {}:\n{}", clean(main_memory(machine)), ridge_lines(machine));
  if (const auto sizes = sizes_of(machine); !sizes.empty()) {
    text += "\n" + table(sizes, style);
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

}  // namespace ridge::render
