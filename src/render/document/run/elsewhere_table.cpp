#include "render/document/run/elsewhere_table.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "render/chart/format_si.hpp"
#include "render/chart/names.hpp"
#include "render/chart/selection.hpp"
#include "render/chart/text.hpp"
#include "render/format/text/paint.hpp"
#include "render/format/text/text_table.hpp"

namespace ridge::render {
namespace {

constexpr std::size_t kHottest = 6;
constexpr std::string_view kHere = "here";

struct Row {
  std::string rank;
  std::string where;
  std::string caches;
  const TrafficByLevel* traffic = nullptr;
  const Region* region = nullptr;
  Level memory = Level::DRAM;  ///< there
};

void add_rows(std::vector<Row>& rows, const Profile& profile, const Region& region,
              const std::string& rank, const TextStyle& style) {
  constexpr std::size_t kWidth = 24;
  if (region.traffic_elsewhere.empty()) {
    return;
  }
  rows.push_back({rank, where(region, kWidth, style.unicode), std::string(kHere), &region.traffic,
                  &region, memory_level(profile.machine)});
  for (const CachesElsewhere& caches : profile.caches_elsewhere) {
    const auto found = region.traffic_elsewhere.find(caches.name);
    if (found != region.traffic_elsewhere.end()) {
      rows.push_back(
          {"", "", clean(caches.name, style.unicode), &found->second, &region, caches.memory});
    }
  }
}

/// Levels below the first one, memory last under one heading whatever its name.
std::vector<Level> cache_levels(const std::vector<Row>& rows) {
  std::vector<Level> levels;
  for (const Row& row : rows) {
    for (const auto& [level, traffic] : *row.traffic) {
      if (level != Level::L1 && level != row.memory &&
          std::find(levels.begin(), levels.end(), level) == levels.end()) {
        levels.push_back(level);
      }
    }
  }
  std::sort(levels.begin(), levels.end(), InnermostFirst{});
  return levels;
}

std::optional<double> bytes_at(const Row& row, Level level) {
  const auto found = row.traffic->find(level);
  return found == row.traffic->end() ? std::nullopt
                                     : std::optional(static_cast<double>(found->second.total()));
}

/// "10.3 GB (HBM)" where memory is not what it is here.
std::string memory_text(const Row& row, Level usual) {
  const auto bytes = bytes_at(row, row.memory);
  return row.memory == usual || !bytes
             ? si(bytes, "B")
             : fmt::format("{} ({})", si(bytes, "B"), to_string(row.memory));
}

std::string intensity_text(const Row& row) {
  const auto bytes = bytes_at(row, row.memory);
  const double flops = static_cast<double>(known_work(*row.region).total());
  if (!bytes || flops <= 0.0) {
    return std::string(kUnknown);
  }
  return *bytes > 0.0 ? number(flops / *bytes) : "unb.";
}

template <class Cell>
TextColumn column(std::string title, bool left, int importance, const std::vector<Row>& rows,
                  Cell cell) {
  TextColumn result;
  result.title = std::move(title);
  result.left = left;
  result.importance = importance;
  for (const Row& row : rows) {
    result.cells.push_back(cell(row));
  }
  return result;
}

}  // namespace

std::string elsewhere_table(const Profile& profile, const Prediction& prediction,
                            const TextStyle& style) {
  if (profile.caches_elsewhere.empty()) {
    return {};
  }
  std::vector<Row> rows;
  for (const ShownRegion& shown : select_regions(profile, prediction, kHottest).shown) {
    add_rows(rows, profile, *shown.region, std::to_string(shown.rank), style);
  }
  if (const Region* program = program_region(profile)) {
    add_rows(rows, profile, *program, "", style);
  }
  if (rows.empty()) {
    return {};
  }
  const Level usual = rows.front().memory;
  std::vector<TextColumn> columns;
  columns.push_back(column("#", false, 0, rows, [](const Row& row) { return row.rank; }));
  columns.push_back(column("where", true, 0, rows, [](const Row& row) { return row.where; }));
  columns.push_back(column("caches", true, 0, rows, [](const Row& row) { return row.caches; }));
  int importance = 10;
  for (const Level level : cache_levels(rows)) {
    columns.push_back(column(std::string(to_string(level)), false, --importance, rows,
                             [&](const Row& row) { return si(bytes_at(row, level), "B"); }));
  }
  columns.push_back(column(std::string(to_string(usual)), false, 0, rows,
                           [&](const Row& row) { return memory_text(row, usual); }));
  columns.push_back(column("flop/byte", false, 11, rows, intensity_text));
  std::string out =
      fmt::format("\n  {}\n", paint("Traffic on other caches, simulated", kBold, style));
  return out + render_table(std::move(columns), usable_columns(style), style);
}

}  // namespace ridge::render
