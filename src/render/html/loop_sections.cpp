// Tables and details of regions.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "render/balance.hpp"
#include "render/format_si.hpp"
#include "render/html/html_sections.hpp"
#include "render/html/markup.hpp"
#include "render/names.hpp"
#include "render/text.hpp"

namespace ridge::render::html {
namespace {

constexpr std::size_t kMostDetails = 40;
constexpr std::size_t kMostCalls = 30;

std::string name_of(const Region& region) {
  return plain_name(region);
}

Cell name_cell(const ShownRegion& row) {
  std::string html = escape_markup(name_of(*row.region));
  const std::string location = source_location(*row.region);
  std::string below = location;
  if (row.region->partial) {
    below += std::string(below.empty() ? "" : "; ") + "cut midway: counts are a lower bound";
  }
  if (row.uncertain) {
    below += std::string(below.empty() ? "" : "; ") + "short loop: share uncertain";
  }
  if (!below.empty()) {
    html += "<small>" + escape_markup(below) + "</small>";
  }
  return {html, false, true};
}

Cell share_cell(const ShownRegion& row) {
  return bar_cell(fmt::format("{}{}", row.uncertain ? "~" : "", percent(row.share, 1)), row.share);
}

Cell bound_cell(const ShownRegion& row) {
  if (row.prediction == nullptr || !row.prediction->code) {
    return text_cell(kUnknown);
  }
  return text_cell(ceiling_words(row.prediction->code->ceiling));
}

Cell fraction_cell(const ShownRegion& row, std::optional<Bound> RegionPrediction::* which) {
  if (row.prediction == nullptr || !(row.prediction->*which)) {
    return number_cell(kUnknown);
  }
  const auto fraction = (row.prediction->*which)->fraction;
  return bar_cell(percent(fraction), fraction);
}

Cell gain_cell(const ShownRegion& row) {
  return number_cell(row.speed_up ? fmt::format("{:.2f}\u00D7", *row.speed_up)
                                  : std::string(kUnknown));
}

std::vector<Heading> bound_headings() {
  return {{"bound by", false, "the ceiling that binds this region's own code"},
          {"% of code roof", true, "of what this code could reach: its own operations and widths"},
          {"% of machine roof", true, "of what the machine could reach at this intensity"},
          {"gain", true, "speed-up of the whole program if this region reached its code roof"}};
}

void add_bound_cells(std::vector<Cell>& cells, const ShownRegion& row) {
  cells.push_back(bound_cell(row));
  cells.push_back(fraction_cell(row, &RegionPrediction::code));
  cells.push_back(fraction_cell(row, &RegionPrediction::machine));
  cells.push_back(gain_cell(row));
}

std::vector<Heading> first_headings() {
  return {{"#", true, "rank by time; the same number as in the chart"},
          {"where", false, {}},
          {"time", true, "share of the program's wall time"}};
}

std::vector<Cell> first_cells(const ShownRegion& row) {
  return {number_cell(std::to_string(row.rank)), name_cell(row), share_cell(row)};
}

std::string work_table(const Selection& selection) {
  std::vector<Heading> headings = first_headings();
  headings.push_back({"performance", true, "flops over wall time in the region"});
  for (const std::string& level : selection.levels) {
    headings.push_back({"I " + level, true, "intensity at this level, flop/byte"});
  }
  for (Heading& heading : bound_headings()) {
    headings.push_back(std::move(heading));
  }
  std::vector<std::vector<Cell>> rows;
  for (const ShownRegion& row : selection.shown) {
    if (!row.has_work) {
      continue;
    }
    std::vector<Cell> cells = first_cells(row);
    cells.push_back(number_cell(si(row.flops_per_second, "Flop/s")));
    for (const LevelFigures& level : row.levels) {
      cells.push_back(number_cell(level.unbounded ? "unbounded" : number(level.intensity)));
    }
    add_bound_cells(cells, row);
    rows.push_back(std::move(cells));
  }
  return rows.empty() ? std::string()
                      : table(
                            "Regions with floating-point work; intensity I in flop/byte at each "
                            "memory level",
                            headings, rows);
}

std::string bandwidth_table(const Selection& selection) {
  std::vector<Heading> headings = first_headings();
  for (const std::string& level : selection.levels) {
    headings.push_back({level, true, "bytes that cross this boundary per second"});
  }
  for (Heading& heading : bound_headings()) {
    headings.push_back(std::move(heading));
  }
  std::vector<std::vector<Cell>> rows;
  for (const ShownRegion& row : selection.shown) {
    if (row.has_work) {
      continue;
    }
    std::vector<Cell> cells = first_cells(row);
    for (const LevelFigures& level : row.levels) {
      cells.push_back(number_cell(si(level.bytes_per_second, "B/s")));
    }
    add_bound_cells(cells, row);
    rows.push_back(std::move(cells));
  }
  return rows.empty()
             ? std::string()
             : table(
                   "Regions without floating-point work, or with less than 1 flop in 1000 bytes: "
                   "bandwidth at each memory level",
                   headings, rows);
}

std::string omitted_line(const Selection& selection) {
  std::string line;
  if (selection.omitted > 0) {
    line = fmt::format("{} more region{}, {} of the time. ", selection.omitted,
                       selection.omitted == 1 ? "" : "s", percent(selection.omitted_share, 1));
  }
  if (selection.timeless > 0) {
    line += selection.by_time
                ? fmt::format("{} never seen by a sample.", selection.timeless)
                : fmt::format("No time was sampled: ordered by work; {} more.", selection.timeless);
  }
  return line.empty() ? std::string() : element("p", line, "quiet");
}

std::string work_details(const Region& region) {
  if (region.flops.terms.empty()) {
    return {};
  }
  std::vector<std::vector<Cell>> rows;
  const double total = static_cast<double>(region.flops.total());
  for (const WorkTerm& term : region.flops.terms) {
    const double flops = static_cast<double>(term.flops);
    const std::optional<double> share = total > 0.0 ? std::optional(flops / total) : std::nullopt;
    rows.push_back({text_cell(to_string(term.precision)), text_cell(to_string(term.kind)),
                    number_cell(fmt::format("{} bit", term.width_bits)),
                    number_cell(si(flops, "Flop")), bar_cell(percent(share, 1), share)});
  }
  return table("Work by precision, kind and SIMD width",
               {{"precision", false, {}},
                {"kind", false, {}},
                {"width", true, {}},
                {"work", true, {}},
                {"share", true, {}}},
               rows);
}

std::string traffic_details(const ShownRegion& row, const std::vector<std::string>& levels) {
  std::vector<std::vector<Cell>> rows;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const LevelFigures& figures = row.levels[i];
    if (!figures.bytes) {
      continue;
    }
    const auto least = row.region->least_traffic.find(levels[i]);
    std::optional<double> least_bytes;
    std::optional<double> excess;
    if (least != row.region->least_traffic.end()) {
      least_bytes = static_cast<double>(least->second.total());
      excess = *least_bytes > 0.0 ? std::optional(*figures.bytes / *least_bytes) : std::nullopt;
    }
    rows.push_back(
        {text_cell(levels[i]), number_cell(si(figures.bytes, "B")),
         number_cell(si(figures.bytes_per_second, "B/s")), number_cell(si(least_bytes, "B")),
         number_cell(excess ? fmt::format("{:.2f}\u00D7", *excess) : std::string(kUnknown))});
  }
  return rows.empty() ? std::string()
                      : table("Traffic by level",
                              {{"level", false, {}},
                               {"traffic", true, "read and written across the boundary"},
                               {"bandwidth", true, {}},
                               {"least", true, "distinct cache lines touched"},
                               {"excess", true, "traffic over the least possible"}},
                              rows);
}

std::string calls_line(std::string_view title, const std::map<std::string, std::uint64_t>& calls) {
  std::string line;
  std::size_t shown = 0;
  for (const auto& [name, count] : calls) {
    if (shown++ == kMostCalls) {
      line += fmt::format(", and {} more", calls.size() - kMostCalls);
      break;
    }
    line += fmt::format("{}{} {}", line.empty() ? "" : ", ", clean(name), count);
  }
  return definition(title, line);
}

std::string interval(const std::optional<SampledTime>& time) {
  if (!time) {
    return {};
  }
  return fmt::format("{} ({} to {}, {} samples)", si(time->value.value(), "s"),
                     si(time->low.value(), "s"), si(time->high.value(), "s"), time->samples);
}

std::string_view unit_words(BoundUnit unit) {
  switch (unit) {
    case BoundUnit::flops_per_second:
      return "Flop/s";
    case BoundUnit::bytes_per_second:
      return "B/s";
    case BoundUnit::intops_per_second:
      return "Intop/s";
  }
  return "";
}

std::string bound_line(const std::optional<Bound>& bound) {
  if (!bound) {
    return {};
  }
  const auto rate = [&](double value) { return si(value, unit_words(bound->unit)); };
  std::string line =
      fmt::format("{} at {}", ceiling_words(bound->ceiling), rate(bound->attainable));
  if (bound->next) {
    line += fmt::format("; then {}", ceiling_words(*bound->next));
    line += bound->next_attainable ? fmt::format(" at {}", rate(*bound->next_attainable)) : "";
  }
  return line;
}

std::string neighbours_line(const ShownRegion& row) {
  std::string line;
  if (row.prediction != nullptr) {
    for (const Bound& bound : row.prediction->code_at_neighbouring_threads) {
      line += fmt::format("{}{}: {}", line.empty() ? "" : "; ", clean(bound.ceiling),
                          bound_line(bound));
    }
  }
  return line;
}

/// What crosses the last boundary when less of the last cache is ours: "1/2: 2.00 GB; 1/4: 2.50
/// GB".
std::string shares_line(const Region& region) {
  std::string line;
  for (const auto& [share, traffic] : region.traffic_at_share) {
    line += fmt::format("{}{}: {}", line.empty() ? "" : "; ", clean(share),
                        si(static_cast<double>(traffic.total()), "B"));
  }
  return line;
}

std::string lines_simulated(const Region& region) {
  if (!region.traffic_mode) {
    return {};
  }
  return *region.traffic_mode == TrafficMode::exact ? "all"
                                                    : "8 of 64 classes, in a part of the run";
}

/// "inlined at" for "inlined-at".
std::string note_words(std::string code) {
  std::replace_if(code.begin(), code.end(), [](char c) { return c == '-' || c == '_'; }, ' ');
  return code.empty() ? "note" : code;
}

std::string region_details(const ShownRegion& row, const std::vector<std::string>& levels) {
  const Region& region = *row.region;
  std::string out = "<details><summary>";
  out += escape_markup(fmt::format("{}  {}", row.rank, name_of(region))) + "</summary>\n";
  out += "<dl class=\"provenance\">\n";
  out += definition("function", region.function == name_of(region) ? "" : region.function);
  out += definition("time, wall", interval(region.time_seconds.self));
  out += definition("time, all threads", interval(region.cpu_seconds.self));
  for (const Note& note : region.notes) {
    out += definition(note_words(note.code), note.text);
  }
  out += definition("threads", std::to_string(region.threads));
  out += definition("balance", balance_words(region));
  out += definition("entries", region.entries > 0 ? grouped(region.entries) : "");
  out += definition("iterations", region.iterations ? grouped(*region.iterations) : "");
  out += definition("loaded, stored",
                    region.bytes_loaded + region.bytes_stored > 0
                        ? fmt::format("{}, {}", si(static_cast<double>(region.bytes_loaded), "B"),
                                      si(static_cast<double>(region.bytes_stored), "B"))
                        : "");
  if (row.prediction != nullptr) {
    out += definition("roof of this code", bound_line(row.prediction->code));
    out += definition("roof of the machine", bound_line(row.prediction->machine));
    out += definition("at measured thread counts", neighbours_line(row));
  }
  out += definition("integer operations",
                    region.intops ? si(static_cast<double>(*region.intops), "intop") : "");
  out += definition(
      "min, max, compare ...",
      region.flops.other > 0 ? si(static_cast<double>(region.flops.other), "lanes") : "");
  out += definition("lines simulated", lines_simulated(region));
  if (levels.size() > 1) {
    out += definition(
        fmt::format("{} traffic with a share of {}", levels.back(), levels[levels.size() - 2]),
        shares_line(region));
  }
  out += calls_line("counted calls", region.calls);
  out += calls_line("not counted (no source)", region.opaque);
  return out + "</dl>\n" + work_details(region) + traffic_details(row, levels) +
         region_findings(region) + "</details>\n";
}

}  // namespace

std::string loops_section(const Selection& selection) {
  std::string out = "<section>\n" + element("h2", "Where the time goes");
  if (selection.shown.empty()) {
    out += element("p", "No loops or functions with time or work were recorded.");
  }
  return out + work_table(selection) + bandwidth_table(selection) + omitted_line(selection) +
         "</section>\n";
}

std::string details_section(const Selection& selection) {
  if (selection.shown.empty()) {
    return {};
  }
  std::string out = "<section>\n" + element("h2", "Region by region");
  for (std::size_t i = 0; i < selection.shown.size() && i < kMostDetails; ++i) {
    out += region_details(selection.shown[i], selection.levels);
  }
  return out + "</section>\n";
}

}  // namespace ridge::render::html
