#include "render/document/run/region_csv.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "render/chart/ceilings.hpp"
#include "render/chart/counted_work.hpp"
#include "render/chart/names.hpp"
#include "render/chart/selection.hpp"
#include "render/chart/text.hpp"
#include "render/format/csv/csv_row.hpp"

namespace ridge::render {
namespace {

/// More than any profile has: every region gets its row.
constexpr std::size_t kAllRows = 1U << 30U;

std::vector<Level> levels_of(std::span<const LabelledResult> results) {
  std::vector<Level> levels;
  for (const LabelledResult& result : results) {
    for (const Level level : levels_of(*result.profile)) {
      if (std::find(levels.begin(), levels.end(), level) == levels.end()) {
        levels.push_back(level);
      }
    }
  }
  return levels;
}

std::string heading(const std::vector<Level>& levels) {
  CsvRow row;
  for (const char* title : {"result",
                            "rank",
                            "region",
                            "kind",
                            "name",
                            "function",
                            "file",
                            "line",
                            "threads",
                            "entries",
                            "iterations",
                            "time self [s]",
                            "time self low [s]",
                            "time self high [s]",
                            "samples",
                            "time share",
                            "work [flop]",
                            "work fp64 [flop]",
                            "work fp32 [flop]",
                            "performance [flop/s]",
                            "performance low [flop/s]",
                            "performance high [flop/s]",
                            "integer operations [intop]",
                            "integer performance [intop/s]",
                            "loaded [byte]",
                            "stored [byte]"}) {
    row.text(title);
  }
  for (const Level level : levels) {
    for (const char* what : {"read [byte]", "written [byte]", "intensity [flop/byte]",
                             "integer intensity [intop/byte]"}) {
      row.text(fmt::format("{} {}", to_string(level), what));
    }
  }
  for (const char* title : {"bound by", "attainable", "unit of attainable", "fraction of code roof",
                            "fraction of machine roof", "gain", "findings", "doubtful traffic"}) {
    row.text(title);
  }
  return row.line();
}

void add_time(CsvRow& row, const Region& region, const ShownRegion& shown) {
  const auto& time = region.time_seconds.self;
  row.number(time ? std::optional(time->value.value()) : std::nullopt);
  row.number(time ? std::optional(time->low.value()) : std::nullopt);
  row.number(time ? std::optional(time->high.value()) : std::nullopt);
  row.count(time ? std::optional<std::uint64_t>(time->samples) : std::nullopt);
  row.number(shown.share);
}

void add_work(CsvRow& row, const Region& region, const ShownRegion& shown) {
  const auto counted = [&](std::uint64_t count) {
    return region.flops ? std::optional(count) : std::nullopt;
  };
  const Work& work = known_work(region);
  row.count(counted(work.total()));
  row.count(counted(work.total(Precision::fp64).value_or(0)));
  row.count(counted(work.total(Precision::fp32).value_or(0)));
  row.number(shown.flops_per_second);
  const auto& time = region.time_seconds.self;
  const auto flops = static_cast<double>(work.total());
  const auto rate = [&](Seconds seconds) {
    const bool known = shown.flops_per_second && seconds.value() > 0.0;
    return known ? std::optional(flops / seconds.value()) : std::nullopt;
  };
  row.number(time ? rate(time->high) : std::nullopt);
  row.number(time ? rate(time->low) : std::nullopt);
  row.count(region.intops);
  const auto integers =
      is_outside_code(shown.prediction) ? std::nullopt : integer_performance(region);
  row.number(integers ? std::optional(integers->value()) : std::nullopt);
  row.count(region.bytes_loaded);
  row.count(region.bytes_stored);
}

void add_traffic(CsvRow& row, const Region& region, const ShownRegion& shown,
                 const std::vector<Level>& own_levels, const std::vector<Level>& levels) {
  for (const Level level : levels) {
    const auto traffic = region.traffic.find(level);
    const bool counted = traffic == region.traffic.end() && level == Level::L1 &&
                         bytes_accessed(region).value_or(0) > 0;
    const bool known = traffic != region.traffic.end();
    row.count(known     ? std::optional(traffic->second.read)
              : counted ? region.bytes_loaded
                        : std::nullopt);
    row.count(known     ? std::optional(traffic->second.written)
              : counted ? region.bytes_stored
                        : std::nullopt);
    const auto at = std::find(own_levels.begin(), own_levels.end(), level);
    if (at == own_levels.end()) {
      row.number(std::nullopt);
      row.number(std::nullopt);
      continue;
    }
    const LevelFigures& figures = shown.levels[static_cast<std::size_t>(at - own_levels.begin())];
    row.number(figures.intensity);
    const bool crosses = region.intops && figures.bytes.value_or(0.0) > 0.0;
    row.number(crosses ? std::optional(static_cast<double>(*region.intops) / *figures.bytes)
                       : std::nullopt);
  }
}

void add_bounds(CsvRow& row, const ShownRegion& shown) {
  const Bound* code =
      shown.prediction != nullptr && shown.prediction->code ? &*shown.prediction->code : nullptr;
  const Bound* machine = shown.prediction != nullptr && shown.prediction->machine
                             ? &*shown.prediction->machine
                             : nullptr;
  row.text(code != nullptr ? code->ceiling : std::string());
  row.number(code != nullptr ? std::optional(code->attainable) : std::nullopt);
  row.text(code != nullptr ? to_string(code->unit) : std::string_view());
  row.number(code != nullptr ? code->fraction : std::nullopt);
  row.number(machine != nullptr ? machine->fraction : std::nullopt);
  row.number(shown.gain);
  std::string findings;
  for (const Finding& finding : findings_of(shown.prediction)) {
    findings += (findings.empty() ? "" : " ") + finding.code;
  }
  row.text(findings);
}

void add_doubts(CsvRow& row, const ShownRegion& shown, const std::vector<Level>& own_levels) {
  std::string doubtful;
  for (std::size_t i = 0; i < own_levels.size(); ++i) {
    if (shown.levels[i].doubtful) {
      doubtful += fmt::format("{}{}", doubtful.empty() ? "" : " ", to_string(own_levels[i]));
    }
  }
  row.text(doubtful);
}

std::string region_row(const LabelledResult& result, const ShownRegion& shown,
                       const std::vector<Level>& own_levels, const std::vector<Level>& levels) {
  const Region& region = *shown.region;
  CsvRow row;
  row.text(result.label);
  row.count(region.time_seconds.self ? std::optional<std::uint64_t>(shown.rank) : std::nullopt);
  row.count(region.id);
  row.text(to_string(region.kind));
  row.text(region.name);
  row.text(region.function);
  row.text(region.file.value_or(""));
  row.count(region.line ? std::optional<std::uint64_t>(*region.line) : std::nullopt);
  row.count(region.threads);
  row.count(region.entries);
  row.count(region.iterations);
  add_time(row, region, shown);
  add_work(row, region, shown);
  add_traffic(row, region, shown, own_levels, levels);
  add_bounds(row, shown);
  add_doubts(row, shown, own_levels);
  return row.line();
}

std::vector<std::uint32_t> wanted_ids(const LabelledResult& result) {
  if (!result.only.empty()) {
    return result.only;
  }
  std::vector<std::uint32_t> ids;
  for (const Region& region : result.profile->regions) {
    ids.push_back(region.id);
  }
  return ids;
}

}  // namespace

std::string region_csv(std::span<const LabelledResult> results) {
  const std::vector<Level> levels = levels_of(results);
  std::string out = heading(levels);
  for (const LabelledResult& result : results) {
    const Selection selection =
        select_regions(*result.profile, *result.prediction, kAllRows, wanted_ids(result));
    for (const ShownRegion& shown : selection.shown) {
      out += region_row(result, shown, selection.levels, levels);
    }
  }
  return out;
}

}  // namespace ridge::render
