#include "render/document/run/rank_table.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/quantity/words.hpp"
#include "render/chart/format_si.hpp"
#include "render/chart/names.hpp"
#include "render/chart/selection.hpp"
#include "render/chart/text.hpp"
#include "render/format/text/paint.hpp"
#include "render/format/text/text_table.hpp"

namespace ridge::render {
namespace {

constexpr std::size_t kHottest = 8;
constexpr std::size_t kLostShown = 8;

struct Row {
  std::string number;
  std::string where;
  const RegionRanks* ranks = nullptr;
};

std::vector<Row> rows_of(const Profile& profile, const Prediction& prediction,
                         const TextStyle& style) {
  constexpr std::size_t kWidth = 32;
  std::vector<Row> rows;
  for (const ShownRegion& shown : select_regions(profile, prediction, kHottest).shown) {
    const auto& ranks = shown.region->ranks;
    if (ranks && ranks->time_seconds && ranks->time_seconds->most > 0.0) {
      rows.push_back({std::to_string(shown.rank), where(*shown.region, kWidth, style.unicode),
                      &*shown.region->ranks});
    }
  }
  return rows;
}

std::string at_rank(double seconds, int rank) {
  return fmt::format("{} ({})", si(seconds, "s"), rank);
}

template <class Cell>
TextColumn column(std::string title, bool left, int importance, const std::vector<Row>& rows,
                  Cell cell) {
  TextColumn made;
  made.title = std::move(title);
  made.left = left;
  made.importance = importance;
  for (const Row& row : rows) {
    made.cells.push_back(cell(row));
  }
  return made;
}

std::vector<TextColumn> columns_of(const std::vector<Row>& rows) {
  const auto time = [](const Row& row) -> const RankSpread& { return *row.ranks->time_seconds; };
  std::vector<TextColumn> columns;
  columns.push_back(column("#", false, 0, rows, [](const Row& row) { return row.number; }));
  columns.push_back(column("where", true, 0, rows, [](const Row& row) { return row.where; }));
  columns.push_back(column("least (rank)", false, 2, rows, [&](const Row& row) {
    return at_rank(time(row).least, time(row).least_rank);
  }));
  columns.push_back(
      column("median", false, 1, rows, [&](const Row& row) { return si(time(row).median, "s"); }));
  columns.push_back(column("most (rank)", false, 3, rows, [&](const Row& row) {
    return at_rank(time(row).most, time(row).most_rank);
  }));
  columns.push_back(column("most / mean", false, 4, rows, [&](const Row& row) {
    const auto uneven = imbalance_of(time(row));
    return uneven ? fmt::format("{:.2f}", *uneven) : std::string(kUnknown);
  }));
  columns.push_back(column("flops, most / mean", false, 0, rows, [](const Row& row) {
    const auto uneven = row.ranks->flops ? imbalance_of(*row.ranks->flops) : std::nullopt;
    return uneven ? fmt::format("{:.2f}", *uneven) : std::string(kUnknown);
  }));
  return columns;
}

struct SpreadRow {
  std::string figure;
  std::string unit;
  const RankSpread* spread = nullptr;
};

std::string spread_rows(const RegionRanks& ranks, const TextStyle& style) {
  std::vector<SpreadRow> rows;
  const auto add = [&](const char* figure, const char* unit, const auto& spread) {
    if (spread) {
      rows.push_back({figure, unit, &*spread});
    }
  };
  add("time", "s", ranks.time_seconds);
  add("CPU time", "s", ranks.cpu_seconds);
  add("work", "Flop", ranks.flops);
  add("bytes", "B", ranks.bytes);
  TextColumn figure{"figure", {}, 4, true, 0, {}, {}, {}, 0, {}};
  TextColumn least{"least (rank)", {}, 2, false, 0, {}, {}, {}, 0, {}};
  TextColumn median{"median", {}, 2, false, 0, {}, {}, {}, 0, {}};
  TextColumn most{"most (rank)", {}, 2, false, 0, {}, {}, {}, 0, {}};
  TextColumn uneven{"most / mean", {}, 2, false, 0, {}, {}, {}, 0, {}};
  const auto at = [](double value, const std::string& unit, int rank) {
    return fmt::format("{} ({})", si(value, unit), rank);
  };
  for (const SpreadRow& row : rows) {
    const RankSpread& spread = *row.spread;
    figure.cells.push_back(row.figure);
    least.cells.push_back(at(spread.least, row.unit, spread.least_rank));
    median.cells.push_back(si(spread.median, row.unit));
    most.cells.push_back(at(spread.most, row.unit, spread.most_rank));
    const auto ratio = imbalance_of(spread);
    uneven.cells.push_back(ratio ? fmt::format("{:.2f}", *ratio) : std::string(kUnknown));
  }
  return render_table({figure, least, median, most, uneven}, usable_columns(style), style);
}

std::string rows_of_ranks(const RegionRanks& ranks, const TextStyle& style) {
  constexpr std::size_t kMost = 16;
  std::vector<const RankWork*> shown;
  for (const RankWork& work : ranks.by_rank) {
    shown.push_back(&work);
  }
  std::ranges::stable_sort(shown, std::ranges::greater{}, [](const RankWork* work) {
    return work->time_seconds ? work->time_seconds->value() : 0.0;
  });
  const std::size_t left_out = shown.size() - std::min(shown.size(), kMost);
  shown.resize(shown.size() - left_out);
  TextColumn rank{"rank", {}, 4, false, 0, {}, {}, {}, 0, {}};
  TextColumn time{"time", {}, 2, false, 0, {}, {}, {}, 0, {}};
  TextColumn flops{"work", {}, 2, false, 0, {}, {}, {}, 0, {}};
  TextColumn rate{"rate", {}, 2, false, 0, {}, {}, {}, 0, {}};
  for (const RankWork* work : shown) {
    const auto seconds =
        work->time_seconds ? std::optional(work->time_seconds->value()) : std::nullopt;
    const auto done = work->flops ? std::optional(static_cast<double>(*work->flops)) : std::nullopt;
    rank.cells.push_back(std::to_string(work->rank));
    time.cells.push_back(si(seconds, "s"));
    flops.cells.push_back(si(done, "Flop"));
    rate.cells.push_back(seconds && done && *seconds > 0.0 ? si(*done / *seconds, "Flop/s")
                                                           : std::string(kUnknown));
  }
  const std::string table = render_table({rank, time, flops, rate}, usable_columns(style), style);
  return left_out == 0 ? table : table + fmt::format("    {} with less time\n", left_out);
}

}  // namespace

std::string region_ranks_text(const Region& region, const TextStyle& style) {
  if (!region.ranks) {
    return {};
  }
  const std::string spread = spread_rows(*region.ranks, style);
  return region.ranks->by_rank.empty() ? spread : spread + rows_of_ranks(*region.ranks, style);
}

std::string ranks_line(const ParallelRun& run) {
  std::string line = run.measured == run.ranks
                         ? counted(run.ranks, "rank")
                         : fmt::format("{} of {}", run.measured, counted(run.ranks, "rank"));
  if (!run.lost.empty()) {
    const std::vector<unsigned> shown(
        run.lost.begin(),
        run.lost.begin() + static_cast<std::ptrdiff_t>(std::min(kLostShown, run.lost.size())));
    line += fmt::format(" (lost: {}{})", fmt::join(shown, ", "),
                        shown.size() < run.lost.size() ? " and more" : "");
  }
  return run.hosts.size() > 1 ? line + fmt::format(" on {} machines", run.hosts.size()) : line;
}

std::string rank_table(const Profile& profile, const Prediction& prediction,
                       const TextStyle& style) {
  if (!profile.parallel) {
    return {};
  }
  std::string out = fmt::format(
      "\n  {}\n", paint(fmt::format("Time of each region over {}", ranks_line(*profile.parallel)),
                        kBold, style));
  const std::vector<Row> rows = rows_of(profile, prediction, style);
  if (rows.empty()) {
    return out + "    no region has a time on any rank\n";
  }
  return out + render_table(columns_of(rows), usable_columns(style), style);
}

}  // namespace ridge::render
