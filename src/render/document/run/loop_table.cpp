#include "render/document/run/loop_table.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/value/region_names.hpp"
#include "render/chart/balance.hpp"
#include "render/chart/format_si.hpp"
#include "render/chart/level_style.hpp"
#include "render/chart/names.hpp"
#include "render/chart/selection.hpp"
#include "render/chart/text.hpp"
#include "render/document/run/loop_cells.hpp"
#include "render/format/text/text_table.hpp"

namespace ridge::render {
namespace {

// Importance of the columns that may be left out, in the order of loop_table.hpp.
constexpr int kMiddleLevel = 1;  // plus the level's index
constexpr int kInnermost = 20;
constexpr int kOutermost = 21;
constexpr int kMachineRoof = 22;
constexpr int kRate = 23;
constexpr int kGain = 24;
constexpr int kCodeRoof = 25;

constexpr const char* kRoofHeading = "% of roof|% of|%";

using Rows = std::vector<const ShownRegion*>;

template <class Cell>
TextColumn column(std::string title, int importance, const Rows& rows, Cell cell) {
  TextColumn result;
  result.title = std::move(title);
  result.importance = importance;
  for (const ShownRegion* row : rows) {
    result.cells.push_back(cell(*row));
  }
  return result;
}

/// "42.1%": columns are dear.
std::string tight(std::string percentage) {
  std::erase(percentage, ' ');
  return percentage;
}

std::string share_text(const ShownRegion& row) {
  return fmt::format("{}{}", row.uncertain ? "~" : "", tight(percent(row.share, 1)));
}

std::string rank_text(const ShownRegion& row) {
  return fmt::format("{}{}{}", row.rank, row.region->overlaps ? "+" : "",
                     row.region->partial ? "*" : "");
}

bool by_cpu_time(const ShownRegion& row) {
  return row.prediction != nullptr && row.prediction->verdict &&
         row.prediction->verdict->by_cpu_time;
}

std::string fraction_text(const ShownRegion& row, const std::optional<Bound>& bound) {
  const std::string text = tight(percent(bound ? bound->fraction : std::nullopt));
  return by_cpu_time(row) && bound && bound->fraction ? "^" + text : text;
}

TextColumn where_column(const Rows& rows, const TextStyle& style) {
  constexpr std::size_t kNatural = 200;
  const bool unicode = style.unicode;
  TextColumn result = column("where", 0, rows, [unicode](const ShownRegion& row) {
    return where(*row.region, row.name, kNatural, unicode);
  });
  result.left = true;
  result.least_width = usable_columns(style) / 5;
  result.fit = [rows, unicode](std::size_t row, std::size_t width) {
    return where(*rows[row]->region, rows[row]->name, width, unicode);
  };
  return result;
}

TextColumn bound_column(const Rows& rows, bool unicode) {
  TextColumn result = column("bound by", 0, rows, [unicode](const ShownRegion& row) {
    return bound_cell(row, false, unicode);
  });
  for (const ShownRegion* row : rows) {
    result.brief.push_back(bound_cell(*row, true, unicode));
  }
  result.left = true;
  return result;
}

int level_importance(std::size_t level, std::size_t levels) {
  return level == 0            ? kInnermost
         : level + 1 == levels ? kOutermost
                               : kMiddleLevel + static_cast<int>(level);
}

std::vector<TextColumn> common_columns(const Rows& rows, const Selection& selection,
                                       const TextStyle& style) {
  std::vector<TextColumn> columns = {column("#", 0, rows, rank_text)};
  if (selection.by_time) {
    columns.push_back(column("time", 0, rows, share_text));
  }
  columns.push_back(where_column(rows, style));
  return columns;
}

void add_bound_columns(std::vector<TextColumn>& columns, const Rows& rows, const TextStyle& style) {
  columns.push_back(bound_column(rows, style.unicode));
  columns.push_back(column("code", kCodeRoof, rows, [](const ShownRegion& row) {
    return row.prediction != nullptr ? fraction_text(row, row.prediction->code)
                                     : std::string(kUnknown);
  }));
  columns.back().group = kRoofHeading;
  columns.back().called = "% of code's roof";
  columns.push_back(column("machine", kMachineRoof, rows, [](const ShownRegion& row) {
    return row.prediction != nullptr ? fraction_text(row, row.prediction->machine)
                                     : std::string(kUnknown);
  }));
  columns.back().group = kRoofHeading;
  columns.back().called = "% of machine's roof";
  columns.back().gap = 1;
  columns.push_back(column("gain", kGain, rows, [&style](const ShownRegion& row) {
    return row.gain ? fmt::format("{:.2f}{}", *row.gain, style.unicode ? "\u00D7" : "x")
                    : std::string(kUnknown);
  }));
}

constexpr std::string_view kIntensityAt = "intensity at ";

std::string intensity_column(Level level) {
  return fmt::format("{}{}", kIntensityAt, to_string(level));
}

void add_level_columns(std::vector<TextColumn>& columns, const Rows& rows,
                       const Selection& selection) {
  const std::size_t levels = selection.levels.size();
  for (std::size_t level = 0; level < levels; ++level) {
    const std::string name(to_string(selection.levels[level]));
    columns.push_back(
        column(name, level_importance(level, levels), rows, [level](const ShownRegion& row) {
          return row.has_work ? intensity_cell(row.levels[level]) : std::string(kUnknown);
        }));
    columns.back().group =
        fmt::format("intensity [{}]|intensity|I", units_of(selection.work).per_byte);
    columns.back().gap = level == 0 ? 2 : 1;
    columns.back().called = intensity_column(selection.levels[level]);
  }
}

std::string table_of(const Rows& rows, const Selection& selection, const TextStyle& style,
                     LeftOut& left_out) {
  const bool work =
      std::any_of(rows.begin(), rows.end(), [](const ShownRegion* row) { return row->has_work; });
  std::vector<TextColumn> columns = common_columns(rows, selection, style);
  const std::string rate(units_of(selection.work).rate_title);
  columns.push_back(column(work ? rate : "byte/s", kRate, rows, rate_cell));
  if (work) {
    add_level_columns(columns, rows, selection);
  }
  columns.push_back(column(work ? "I at level" : "level", 0, rows,
                           [&](const ShownRegion& row) { return binding_cell(row, selection); }));
  if (selection.work == CountedWork::flops) {
    add_bound_columns(columns, rows, style);
  }
  return render_table(std::move(columns), usable_columns(style), style, &left_out);
}

bool is_left_out(const LeftOut& left_out, const std::string& column) {
  return std::find(left_out.columns.begin(), left_out.columns.end(), column) !=
         left_out.columns.end();
}

std::string left_out_words(const LeftOut& left_out, const Selection& selection) {
  std::string levels;
  for (const Level level : selection.levels) {
    if (is_left_out(left_out, intensity_column(level))) {
      levels += fmt::format("{}{}", levels.empty() ? "" : ", ", to_string(level));
    }
  }
  std::string names = levels.empty() ? "" : "intensity at " + levels;
  for (const std::string& name : left_out.columns) {
    if (!name.starts_with(kIntensityAt)) {
      names += (names.empty() ? "" : "; ") + name;
    }
  }
  return fmt::format("left out for want of columns: {} (COLUMNS={} shows all)", names,
                     left_out.width);
}

bool shows_unbounded(const ShownRegion& row, const Selection& selection, const LeftOut& left_out) {
  for (std::size_t level = 0; level < row.levels.size(); ++level) {
    const bool is_shown =
        row.binding == level || !is_left_out(left_out, intensity_column(selection.levels[level]));
    if (row.has_work && row.levels[level].unbounded && is_shown) {
      return true;
    }
  }
  return false;
}

/// Wall times of regions that run at the same time sum to more than the program's.
std::string omitted_words(const Selection& selection) {
  double shown = 0.0;
  for (const ShownRegion& row : selection.shown) {
    shown += row.share.value_or(0.0);
  }
  constexpr double kRounding = 1.05;
  const bool adds_up = shown + selection.omitted_share.value_or(0.0) <= kRounding;
  return fmt::format("{} more region{}{}", selection.omitted, selection.omitted == 1 ? "" : "s",
                     adds_up ? fmt::format(", {} of the time", percent(selection.omitted_share, 1))
                             : "; regions run at the same time: shares sum to more than 100 %");
}

std::string footer(const Selection& selection, const LeftOut& left_out, const TextStyle& style) {
  std::vector<std::string> lines;
  if (!left_out.columns.empty()) {
    lines.push_back(left_out_words(left_out, selection));
  }
  if (selection.omitted > 0) {
    lines.push_back(omitted_words(selection));
  }
  if (selection.timeless > 0 && selection.by_time) {
    lines.push_back(fmt::format("{} region{} never seen by a sample", selection.timeless,
                                selection.timeless == 1 ? "" : "s"));
  }
  if (!selection.by_time) {
    lines.push_back(fmt::format("no time was sampled: ordered by work; {} more region{}",
                                selection.timeless, selection.timeless == 1 ? "" : "s"));
  }
  const auto any = [&](auto test) {
    return std::any_of(selection.shown.begin(), selection.shown.end(), test);
  };
  const bool floating = selection.work == CountedWork::flops;
  if (!floating) {
    lines.emplace_back("bounds are those of flops and bytes: without --intops");
  }
  if (floating && any([](const ShownRegion& row) { return row.gain.has_value(); })) {
    lines.emplace_back(
        "gain: speed-up of the whole program if the loop reached the roof of its code");
  }
  if (floating && any(by_cpu_time)) {
    lines.emplace_back("^ its threads waited for a CPU: by the CPU time of the busiest thread");
  }
  if (any([](const ShownRegion& row) { return row.uncertain; })) {
    lines.emplace_back("~ short loop: its share of the time is uncertain");
  }
  if (any([](const ShownRegion& row) { return row.region->overlaps; })) {
    lines.emplace_back(
        "+ a marker: all that ran between its start and its stop, which stands in other rows too");
  }
  if (any([](const ShownRegion& row) { return row.region->partial; })) {
    lines.emplace_back("* cut midway when the program ended: counts lag behind or run ahead");
  }
  if (any([&](const ShownRegion& row) { return shows_unbounded(row, selection, left_out); })) {
    lines.emplace_back("unb. nothing crosses that boundary: the intensity is unbounded");
  }
  if (has_doubtful_figures(selection)) {
    lines.emplace_back(
        "? from sampled lines, which may not speak for all: --traffic=exact is right");
  }
  for (const ShownRegion& row : selection.shown) {
    if (is_uneven(*row.region)) {
      lines.push_back(fmt::format("#{} {}", row.rank, balance_words(*row.region, style.unicode)));
    }
  }
  std::string out;
  for (const std::string& line : lines) {
    for (const std::string& part : wrap(line, usable_columns(style) - 2)) {
      out += fmt::format("  {}\n", paint(part, kDim, style));
    }
  }
  return out;
}

}  // namespace

std::string loop_table(const Profile& profile, const Prediction& prediction, const TextStyle& style,
                       const std::vector<std::uint32_t>& only, CountedWork work) {
  const Selection selection =
      select_regions(profile, prediction, kMostTableRows, only, kShownShare, work);
  Rows rows;
  for (const ShownRegion& shown : selection.shown) {
    rows.push_back(&shown);
  }
  LeftOut left_out;
  const std::string out = rows.empty() ? "  no loops or functions with time or work were recorded\n"
                                       : table_of(rows, selection, style, left_out);
  return out + footer(selection, left_out, style);
}

}  // namespace ridge::render
