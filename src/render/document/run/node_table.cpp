#include "render/document/run/node_table.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "render/chart/ceilings.hpp"
#include "render/chart/format_si.hpp"
#include "render/chart/text.hpp"
#include "render/format/markdown/markdown_table.hpp"
#include "render/format/markdown/markdown_text.hpp"
#include "render/format/text/paint.hpp"
#include "render/format/text/text_table.hpp"

namespace ridge::render {
namespace {

using Hosts = std::vector<RankHost>;
using Figure = std::optional<double>;

constexpr std::size_t kMost = 16;
constexpr std::size_t kOfEachEnd = 2;

Figure as_figure(const std::optional<Seconds>& seconds) {
  return seconds ? Figure(seconds->value()) : std::nullopt;
}

Figure as_figure(const std::optional<std::uint64_t>& count) {
  return count ? Figure(static_cast<double>(*count)) : std::nullopt;
}

/// By which machines can differ; a name for the heading, or none.
struct HostFigure {
  const char* name;
  Figure (*of)(const RankHost&);
};
constexpr std::array kFigures{
    HostFigure{"work", [](const RankHost& host) { return as_figure(host.flops); }},
    HostFigure{"bytes to memory",
               [](const RankHost& host) { return as_figure(host.memory_bytes); }},
    HostFigure{"CPU time", [](const RankHost& host) { return as_figure(host.cpu_seconds); }},
    HostFigure{"time in MPI", [](const RankHost& host) { return as_figure(host.mpi_seconds); }},
    HostFigure{"", [](const RankHost& host) { return as_figure(host.wall_seconds); }}};

/// nullopt where a machine has none, or none has anything.
Figure most_over_mean(const Hosts& hosts, const HostFigure& figure) {
  double sum = 0.0;
  double most = 0.0;
  for (const RankHost& host : hosts) {
    const Figure own = figure.of(host);
    if (!own) {
      return std::nullopt;
    }
    sum += *own;
    most = std::max(most, *own);
  }
  return sum > 0.0 ? Figure(most * static_cast<double>(hosts.size()) / sum) : std::nullopt;
}

std::string heading_of(const Hosts& hosts) {
  std::string uneven;
  for (const HostFigure& figure : kFigures) {
    const Figure ratio = *figure.name == '\0' ? std::nullopt : most_over_mean(hosts, figure);
    uneven += ratio ? fmt::format("{} {} {:.2f}", uneven.empty() ? "" : ",", figure.name, *ratio)
                    : std::string();
  }
  return fmt::format("By node: {} machines{}{}", hosts.size(),
                     uneven.empty() ? "" : "; most / mean:", uneven);
}

/// All, or of very many those at either end of a figure.
std::vector<bool> listed(const Hosts& hosts) {
  std::vector<bool> chosen(hosts.size(), hosts.size() <= kMost);
  if (hosts.size() <= kMost) {
    return chosen;
  }
  for (const HostFigure& figure : kFigures) {
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t i = 0; i < hosts.size(); ++i) {
      if (const Figure own = figure.of(hosts[i])) {
        order.emplace_back(*own, i);
      }
    }
    std::ranges::sort(order);
    for (std::size_t i = 0; i < std::min(kOfEachEnd, order.size()); ++i) {
      chosen[order[i].second] = chosen[order[order.size() - 1 - i].second] = true;
    }
  }
  chosen.front() = true;
  return chosen;
}

/// What one machine can do, with all its threads.
struct NodeRoofs {
  std::string precision;
  Figure compute;
  Figure memory;
};

/// The machine of the profile is all machines together.
NodeRoofs roofs_of(const Profile& profile) {
  const Machine& machine = profile.machine;
  const auto nodes = static_cast<double>(profile.parallel->hosts.size());
  NodeRoofs roofs;
  roofs.precision = choose_ceilings(profile).precision;
  const CeilingChoice choice = choose_ceilings(machine, roofs.precision, levels_of(profile),
                                               std::numeric_limits<unsigned>::max());
  if (!choice.compute.empty()) {
    roofs.compute = p90_of(choice.compute.front()->value) / nodes;
  }
  // Of several memories each has its roof: their bytes together have none.
  const auto memories = std::ranges::count_if(
      choice.bandwidths, [](const auto& roof) { return is_memory_level(roof.first); });
  for (const auto& [level, ceiling] : choice.bandwidths) {
    if (memories == 1 && is_memory_level(level)) {
      roofs.memory = traffic_rate(*ceiling) / nodes;
    }
  }
  return roofs;
}

Figure ratio(const Figure& part, const Figure& whole) {
  return part && whole && *whole > 0.0 ? Figure(*part / *whole) : std::nullopt;
}

/// Of chosen ranks nobody knows how many of a machine's they are.
bool are_all_measured(const ParallelRun& run) {
  std::size_t ranks = 0;
  for (const RankHost& host : run.hosts) {
    ranks += host.ranks;
  }
  return ranks == run.measured;
}

NodeRow row_of(const RankHost& host, std::size_t number, const NodeRoofs& roofs,
               bool all_measured) {
  NodeRow row;
  row.name = host.name.empty() ? fmt::format("node {}", number) : host.name;
  row.ranks = host.ranks;
  row.cpus = host.cpus > 0 ? std::optional(host.cpus) : std::nullopt;
  row.seconds = as_figure(host.wall_seconds);
  row.flops_per_second = ratio(as_figure(host.flops), row.seconds);
  row.bytes_per_second = ratio(as_figure(host.memory_bytes), row.seconds);
  row.of_compute = ratio(row.flops_per_second, roofs.compute);
  row.of_memory = ratio(row.bytes_per_second, roofs.memory);
  if (row.seconds && all_measured) {
    row.in_mpi = ratio(as_figure(host.mpi_seconds), *row.seconds * host.ranks);
  }
  return row;
}

std::string legend_of(const Profile& profile, const NodeRoofs& roofs) {
  const Region* program = program_region(profile);
  const Origins& origins = program != nullptr ? origins_of(*program, profile) : profile.origins;
  std::string text = fmt::format(
      "time: of the slowest rank. flop/s and memory: flops ({}) and bytes to memory ({}) of the "
      "node's ranks in that time.",
      to_string(origins.flops), to_string(origins.traffic));
  if (roofs.compute || roofs.memory) {
    text += fmt::format(
        " of roof: of the {} roof, and of the roof of memory, of one machine with all its threads; "
        "all are taken to be alike.",
        roofs.precision);
  }
  if (!are_all_measured(*profile.parallel)) {
    return text + " Figures are those of the measured ranks.";
  }
  const bool is_mpi_known = std::ranges::any_of(
      profile.parallel->hosts, [](const RankHost& host) { return host.mpi_seconds.has_value(); });
  return text + (is_mpi_known ? " in MPI: of the time of its ranks." : "");
}

struct Column {
  const char* title;
  const char* brief;  ///< on a terminal
  int importance;     ///< there
  std::string (*cell)(const NodeRow&);
};
constexpr std::array kColumns{
    Column{"node", "node", 0, [](const NodeRow& row) { return row.name; }},
    Column{"ranks", "ranks", 2, [](const NodeRow& row) { return std::to_string(row.ranks); }},
    Column{"CPUs", "CPUs", 1,
           [](const NodeRow& row) {
             return row.cpus ? std::to_string(*row.cpus) : std::string(kUnknown);
           }},
    Column{"time", "time", 3, [](const NodeRow& row) { return si(row.seconds, "s"); }},
    Column{"flop/s", "flop/s", 7,
           [](const NodeRow& row) { return si(row.flops_per_second, "Flop/s"); }},
    Column{"of compute roof", "of roof", 6,
           [](const NodeRow& row) { return percent(row.of_compute); }},
    Column{"memory", "memory", 5,
           [](const NodeRow& row) { return si(row.bytes_per_second, "B/s"); }},
    Column{"of memory roof", "of roof", 4,
           [](const NodeRow& row) { return percent(row.of_memory); }},
    Column{"in MPI", "in MPI", 8, [](const NodeRow& row) { return percent(row.in_mpi); }}};

/// A column in which nothing is known says nothing.
std::vector<const Column*> known_columns(const std::vector<NodeRow>& rows) {
  std::vector<const Column*> known;
  for (const Column& column : kColumns) {
    if (std::ranges::any_of(rows,
                            [&](const NodeRow& row) { return column.cell(row) != kUnknown; })) {
      known.push_back(&column);
    }
  }
  return known;
}

std::string left_out_text(std::size_t count) {
  return fmt::format("{} more between these are in profile.json", count);
}

}  // namespace

NodeTable nodes_of(const Profile& profile) {
  NodeTable table;
  if (!profile.parallel || profile.parallel->hosts.size() < 2) {
    return table;
  }
  const Hosts& hosts = profile.parallel->hosts;
  const NodeRoofs roofs = roofs_of(profile);
  const bool all_measured = are_all_measured(*profile.parallel);
  const std::vector<bool> chosen = listed(hosts);
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    if (chosen[i]) {
      table.rows.push_back(row_of(hosts[i], i + 1, roofs, all_measured));
    }
  }
  table.left_out = hosts.size() - table.rows.size();
  table.heading = heading_of(hosts);
  table.legend = legend_of(profile, roofs);
  return table;
}

std::string node_table(const Profile& profile, const TextStyle& style) {
  const NodeTable table = nodes_of(profile);
  if (table.rows.empty()) {
    return {};
  }
  std::vector<TextColumn> columns;
  for (const Column* from : known_columns(table.rows)) {
    TextColumn& column = columns.emplace_back();
    column.title = from->brief;
    column.called = from->title;
    column.importance = from->importance;
    for (const NodeRow& row : table.rows) {
      column.cells.push_back(clean(from->cell(row), style.unicode));
    }
  }
  columns.front().left = true;
  columns.front().gap = 4;
  columns.front().least_width = 12;
  const std::vector<std::string> names = columns.front().cells;
  columns.front().fit = [&](std::size_t row, std::size_t width) {
    return shorten_middle(names[row], width, style.unicode);
  };
  std::string out = "\n";
  for (const std::string& line : wrap(table.heading, usable_columns(style) - 2)) {
    out += fmt::format("  {}\n", paint(line, kBold, style));
  }
  out += render_table(std::move(columns), usable_columns(style), style);
  std::string below = table.legend;
  if (table.left_out > 0) {
    below = left_out_text(table.left_out) + ". " + below;
  }
  for (const std::string& line : wrap(below, usable_columns(style) - 4)) {
    out += fmt::format("    {}\n", paint(line, kDim, style));
  }
  return out;
}

std::string node_markdown(const Profile& profile) {
  const NodeTable nodes = nodes_of(profile);
  if (nodes.rows.empty()) {
    return {};
  }
  const auto columns = known_columns(nodes.rows);
  std::vector<std::string> titles;
  for (const Column* column : columns) {
    titles.emplace_back(column->title);
  }
  MarkdownTable table(titles, 1);
  for (const NodeRow& row : nodes.rows) {
    std::vector<std::string> cells;
    for (const Column* column : columns) {
      cells.push_back(column->cell(row));
    }
    cells.front() = markdown_code(cells.front());
    table.add(cells);
  }
  std::string below = nodes.left_out > 0 ? left_out_text(nodes.left_out) + ". " : std::string();
  below += nodes.legend;
  return fmt::format("**{}**\n\n{}{}\n\n", markdown_text(nodes.heading), table.text(),
                     markdown_text(below));
}

}  // namespace ridge::render
