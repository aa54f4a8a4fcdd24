#include "render/document/model/sweep_chart.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "render/chart/level_style.hpp"
#include "render/chart/text.hpp"
#include "render/document/model/sweep_scale.hpp"
#include "render/format/text/canvas.hpp"
#include "render/format/text/paint.hpp"

namespace ridge::render {
namespace {

constexpr std::size_t kHeight = 14;
constexpr std::size_t kLeft = 8;  ///< columns of the numbers beside the plot

/// Index of the look of what has no level of its own.
constexpr std::size_t kOfTheCore = 2;

class Plot {
 public:
  Plot(const LoopSweep& sweep, const TextStyle& style)
      : sweep_(sweep),
        style_(style),
        scale_(scale_of(sweep)),
        canvas_(usable_columns(style) - kLeft - 2, kHeight, style) {}

  std::string draw() {
    for (const SweepBreak& edge : sweep_.breaks) {
      vertical(edge);
    }
    if (has_roof(sweep_)) {
      line(&SweepPoint::roof, kDim, '.');
    }
    line(&SweepPoint::time, kPlain, '-');
    for (const SweepPoint& point : sweep_.points) {
      const LevelStyle& look = level_style(point.part, kOfTheCore);
      canvas_.text(column(point.value), row(point.time),
                   style_.unicode ? look.glyph : std::string_view(&look.ascii, 1), look.sgr);
    }
    for (const SweepBreak& edge : sweep_.breaks) {
      name(edge);
    }
    return rows() + x_axis() + legend();
  }

 private:
  [[nodiscard]] static int cell(double position, std::size_t cells) {
    const auto count = static_cast<double>(cells);
    return static_cast<int>(std::clamp(std::floor(position * count), 0.0, count - 1.0));
  }
  [[nodiscard]] int column(std::int64_t value) const {
    return cell(scale_.across(static_cast<double>(value)), canvas_.width());
  }
  [[nodiscard]] int row(double time) const { return cell(1.0 - scale_.up(time), canvas_.height()); }

  void vertical(const SweepBreak& edge) {
    const int x = column(edge.up_to) * canvas_.points_x();
    const int every = style_.unicode ? 2 : 1;
    for (int y = 0; y < static_cast<int>(canvas_.height()) * canvas_.points_y(); y += every) {
      canvas_.point(x, y, level_style(to_string(edge.level), 0).sgr, ':');
    }
  }

  /// Where there is room; the list of conditions names all of them.
  void name(const SweepBreak& edge) {
    const std::string text = fmt::format("{} {}", to_string(edge.level), edge.up_to);
    const auto width = static_cast<int>(text.size());
    const int line = column(edge.up_to);
    const bool at_right = line + width + 2 > static_cast<int>(canvas_.width());
    const int at = at_right ? line - width : line + 1;
    for (int y = 0; y < static_cast<int>(canvas_.height()); ++y) {
      if (canvas_.free_of_text(at, y, width)) {
        canvas_.text(at, y, text, level_style(to_string(edge.level), 0).sgr);
        return;
      }
    }
  }

  /// From point to point, in every column of points.
  void line(double SweepPoint::* time, Paint how, char ascii) {
    const int columns = static_cast<int>(canvas_.width()) * canvas_.points_x();
    const int rows = static_cast<int>(canvas_.height()) * canvas_.points_y();
    const auto x_of = [&](const SweepPoint& point) {
      return scale_.across(static_cast<double>(point.value)) * columns;
    };
    for (std::size_t i = 1; i < sweep_.points.size(); ++i) {
      const double from = x_of(sweep_.points[i - 1]);
      const double to = x_of(sweep_.points[i]);
      double before = sweep_.points[i - 1].*time;
      for (int x = static_cast<int>(from); x <= static_cast<int>(to); ++x) {
        const double share = to > from ? std::clamp((x - from) / (to - from), 0.0, 1.0) : 1.0;
        const double now =
            (1.0 - share) * sweep_.points[i - 1].*time + share * sweep_.points[i].*time;
        const auto y_of = [&](double value) { return cell(1.0 - scale_.up(value), rows); };
        for (int y = std::min(y_of(before), y_of(now)); y <= std::max(y_of(before), y_of(now));
             ++y) {
          canvas_.point(std::min(x, columns - 1), y, how, ascii);
        }
        before = now;
      }
    }
  }

  [[nodiscard]] std::string rows() const {
    std::vector<std::string> labels(canvas_.height());
    for (const double time : scale_.times()) {
      labels.at(static_cast<std::size_t>(row(time))) = scale_.label(time);
    }
    std::string out = "\n  " + paint(time_words(sweep_), kDim, style_) + "\n";
    for (std::size_t y = 0; y < canvas_.height(); ++y) {
      out += pad_left(labels[y], kLeft) + " " + (style_.unicode ? "\u2502" : "|") + canvas_.row(y);
      out.erase(out.find_last_not_of(' ') + 1);
      out += "\n";
    }
    return out;
  }

  [[nodiscard]] std::string x_axis() const {
    constexpr double kLabelledDecades = 3.5;
    std::string line;
    for (std::size_t x = 0; x < canvas_.width(); ++x) {
      line += style_.unicode ? "\u2500" : "-";
    }
    std::string labels(canvas_.width() + kLeft + 2, ' ');
    for (const bool decades : {true, false}) {
      for (const Tick& tick : ticks(scale_.x, 1.0, kLabelledDecades)) {
        const auto at = static_cast<std::size_t>(cell(scale_.across(tick.value), canvas_.width()));
        const std::size_t start = at + kLeft + 2 - std::min(tick.label.size() / 2, kLeft);
        if (tick.decade == decades && !tick.label.empty() &&
            start + tick.label.size() < labels.size() &&
            labels.substr(start - 1, tick.label.size() + 2).find_first_not_of(' ') ==
                std::string::npos) {
          labels.replace(start, tick.label.size(), tick.label);
        }
      }
    }
    labels.erase(labels.find_last_not_of(' ') + 1);
    return std::string(kLeft, ' ') + " " + (style_.unicode ? "\u2514" : "+") + line + "\n" +
           labels + "\n" + std::string(kLeft + 2, ' ') +
           paint(clean(sweep_.symbol, style_.unicode), kDim, style_) + "\n";
  }

  [[nodiscard]] std::string legend() const {
    std::string out = "  ";
    std::size_t used = 2;
    const auto add = [&](const std::string& text, Paint how) {
      const std::size_t width = display_width(text) + 3;
      if (used + width > usable_columns(style_) && used > 2) {
        out.erase(out.find_last_not_of(' ') + 1);
        out += "\n  ";
        used = 2;
      }
      out += paint(text, how, style_) + "   ";
      used += width;
    };
    add("most of the time:", kDim);
    for (const std::string& part : parts_of(sweep_)) {
      const LevelStyle& look = level_style(part, kOfTheCore);
      add(fmt::format("{} {}", style_.unicode ? look.glyph : std::string_view(&look.ascii, 1),
                      part == "in-core" ? "the core" : part),
          look.sgr);
    }
    if (has_roof(sweep_)) {
      add(style_.unicode ? "dim line: roofline" : "....: roofline", kDim);
    }
    if (!sweep_.breaks.empty()) {
      add("vertical: a layer condition ends", kDim);
    }
    out.erase(out.find_last_not_of(' ') + 1);
    return out + "\n";
  }

  const LoopSweep& sweep_;
  const TextStyle& style_;
  SweepScale scale_;
  Canvas canvas_;
};

}  // namespace

std::string sweep_chart(const LoopSweep& sweep, const TextStyle& style) {
  return sweep.unit.empty() || sweep.points.empty() ? std::string() : Plot(sweep, style).draw();
}

}  // namespace ridge::render
