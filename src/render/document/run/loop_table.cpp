#include "render/document/run/loop_table.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "render/chart/balance.hpp"
#include "render/chart/format_si.hpp"
#include "render/chart/level_style.hpp"
#include "render/chart/names.hpp"
#include "render/chart/selection.hpp"
#include "render/chart/text.hpp"
#include "render/format/text/text_table.hpp"

namespace ridge::render {
namespace {

/// A longer list scrolls away; the HTML report has the rest.
constexpr std::size_t kMostRows = 40;

// Importance of the columns that may be left out, in the order of loop_table.hpp.
constexpr int kMiddleLevel = 1;  // plus the level's index
constexpr int kMachineRoof = 20;
constexpr int kInnermost = 21;
constexpr int kRate = 22;
constexpr int kGain = 23;
constexpr int kOutermost = 24;
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

/// Without the unit, which the title names: "12.3 G".
std::string rate(std::optional<double> value) {
  return si(value, "");
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
  return std::to_string(row.rank) + (row.region->partial ? "*" : "");
}

const Bound* code_bound(const ShownRegion& row) {
  return row.prediction != nullptr && row.prediction->code ? &*row.prediction->code : nullptr;
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
    return where(*row.region, kNatural, unicode);
  });
  result.left = true;
  result.least_width = usable_columns(style) / 5;
  result.fit = [rows, unicode](std::size_t row, std::size_t width) {
    return where(*rows[row]->region, width, unicode);
  };
  return result;
}

TextColumn bound_column(const Rows& rows, bool unicode) {
  TextColumn result = column("bound by", 0, rows, [unicode](const ShownRegion& row) {
    const Bound* bound = code_bound(row);
    return bound != nullptr ? ceiling_words(bound->ceiling, unicode) : std::string(kUnknown);
  });
  for (const ShownRegion* row : rows) {
    const Bound* bound = code_bound(*row);
    result.brief.push_back(bound != nullptr ? brief_ceiling_words(bound->ceiling, unicode)
                                            : std::string(kUnknown));
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
  columns.push_back(column("machine", kMachineRoof, rows, [](const ShownRegion& row) {
    return row.prediction != nullptr ? fraction_text(row, row.prediction->machine)
                                     : std::string(kUnknown);
  }));
  columns.back().group = kRoofHeading;
  columns.back().gap = 1;
  columns.push_back(column("gain", kGain, rows, [&style](const ShownRegion& row) {
    return row.gain ? fmt::format("{:.2f}{}", *row.gain, style.unicode ? "\u00D7" : "x")
                    : std::string(kUnknown);
  }));
}

template <class Cell>
void add_level_columns(std::vector<TextColumn>& columns, const Rows& rows,
                       const Selection& selection, const std::string& group, Cell cell) {
  const std::size_t levels = selection.levels.size();
  for (std::size_t level = 0; level < levels; ++level) {
    columns.push_back(
        column(std::string(to_string(selection.levels[level])), level_importance(level, levels),
               rows, [level, &cell](const ShownRegion& row) { return cell(row.levels[level]); }));
    columns.back().group = group;
    columns.back().gap = level == 0 ? 2 : 1;
  }
}

std::string with_doubt(std::string figure, const LevelFigures& figures) {
  return figures.doubtful ? figure + "?" : figure;
}

std::string intensity_text(const LevelFigures& figures) {
  return with_doubt(figures.unbounded ? "unb." : number(figures.intensity), figures);
}

std::string work_table(const Rows& rows, const Selection& selection, const TextStyle& style) {
  std::vector<TextColumn> columns = common_columns(rows, selection, style);
  columns.push_back(column("flop/s", kRate, rows,
                           [](const ShownRegion& row) { return rate(row.flops_per_second); }));
  add_level_columns(columns, rows, selection, "intensity [flop/byte]|intensity|I", intensity_text);
  add_bound_columns(columns, rows, style);
  return render_table(std::move(columns), usable_columns(style), style);
}

std::string bandwidth_table(const Rows& rows, const Selection& selection, const TextStyle& style) {
  std::vector<TextColumn> columns = common_columns(rows, selection, style);
  add_level_columns(columns, rows, selection, "bandwidth [byte/s]|byte/s|B/s",
                    [](const LevelFigures& figures) {
                      return with_doubt(rate(figures.bytes_per_second), figures);
                    });
  add_bound_columns(columns, rows, style);
  return render_table(std::move(columns), usable_columns(style), style);
}

std::string footer(const Selection& selection, const TextStyle& style) {
  std::vector<std::string> lines;
  if (selection.omitted > 0) {
    lines.push_back(fmt::format("{} more region{}, {} of the time", selection.omitted,
                                selection.omitted == 1 ? "" : "s",
                                percent(selection.omitted_share, 1)));
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
  if (any([](const ShownRegion& row) { return row.gain.has_value(); })) {
    lines.emplace_back(
        "gain: speed-up of the whole program if the loop reached the roof of its code");
  }
  if (any(by_cpu_time)) {
    lines.emplace_back("^ its threads waited for a CPU: by the CPU time of the busiest thread");
  }
  if (any([](const ShownRegion& row) { return row.uncertain; })) {
    lines.emplace_back("~ short loop: its share of the time is uncertain");
  }
  if (any([](const ShownRegion& row) { return row.region->partial; })) {
    lines.emplace_back("* cut midway when the program ended: counts lag behind or run ahead");
  }
  if (any([](const ShownRegion& row) {
        return std::any_of(row.levels.begin(), row.levels.end(),
                           [](const LevelFigures& level) { return level.unbounded; });
      })) {
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
                       const std::vector<std::uint32_t>& only) {
  const Selection selection = select_regions(profile, prediction, kMostRows, only);
  Rows with_work;
  Rows without_work;
  for (const ShownRegion& shown : selection.shown) {
    (shown.has_work ? with_work : without_work).push_back(&shown);
  }
  std::string out;
  if (with_work.empty() && without_work.empty()) {
    out = "  no loops or functions with time or work were recorded\n";
  }
  if (!with_work.empty()) {
    out += work_table(with_work, selection, style);
  }
  if (!without_work.empty()) {
    out += with_work.empty() ? "" : "\n";
    out += fmt::format("  {}\n", paint("Little or no floating-point work", kBold, style));
    out += bandwidth_table(without_work, selection, style);
  }
  return out + footer(selection, style);
}

}  // namespace ridge::render
