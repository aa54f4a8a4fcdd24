#include "render/document/model/sweep_svg.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "render/chart/format_si.hpp"
#include "render/chart/level_style.hpp"
#include "render/chart/palette.hpp"
#include "render/chart/text.hpp"
#include "render/document/model/sweep_scale.hpp"
#include "render/format/svg/svg_elements.hpp"
#include "render/format/svg/svg_layout.hpp"
#include "render/format/svg/svg_writer.hpp"

namespace ridge::render {
namespace {

constexpr std::string_view kStyle = R"(
.ridge-sweep{font-family:$fonts}
.ridge-sweep text{fill:$ink}
.ridge-sweep .background{fill:$page}
.ridge-sweep .frame{fill:none;stroke:$frame;stroke-width:1.2}
.ridge-sweep .title{font-weight:600}
.ridge-sweep .quiet{fill:$quiet}
.ridge-sweep .minor{stroke:$minor}
.ridge-sweep .major{stroke:$major}
.ridge-sweep .time{fill:none;stroke:$ink;stroke-width:2}
.ridge-sweep .roof{fill:none;stroke:$quiet;stroke-width:1.4;stroke-dasharray:7 5}
.ridge-sweep .edge{stroke-width:1.4;stroke-dasharray:3 3}
.ridge-sweep .halo{paint-order:stroke;stroke:$page;stroke-width:4px;stroke-linejoin:round}
.ridge-sweep .dot{stroke:$ink;stroke-width:.8;fill-opacity:.85}
)";
constexpr std::string_view kDarkStyle = R"(
.ridge-sweep text{fill:$ink}
.ridge-sweep .background{fill:$page}
.ridge-sweep .frame{stroke:$frame}
.ridge-sweep .quiet{fill:$quiet}
.ridge-sweep .minor{stroke:$minor}
.ridge-sweep .major{stroke:$major}
.ridge-sweep .time{stroke:$ink}
.ridge-sweep .roof{stroke:$quiet}
.ridge-sweep .halo{stroke:$page}
.ridge-sweep .dot{stroke:$ink}
)";

// In pixels.
constexpr double kWidth = 960.0;
constexpr double kLeft = 84.0;
constexpr double kRight = 28.0;
constexpr double kPlot = 320.0;
constexpr double kHead = 48.0;  ///< title and what the vertical axis is
constexpr double kRow = 17.0;   ///< of names of edges, above the plot
constexpr double kFoot = 92.0;  ///< numbers, symbol and legend
constexpr double kText = 13.0;
constexpr double kSmall = 11.5;
constexpr double kTitle = 19.0;
constexpr double kMark = 5.0;
constexpr double kBeside = 5.0;  ///< from a line to its name
constexpr std::size_t kOfTheCore = 2;

std::string level_rules(Theme theme) {
  std::string out;
  for (std::size_t i = 0; i < kLevelStyles; ++i) {
    out += fmt::format(".ridge-sweep .fill{0}{{fill:{1}}}.ridge-sweep .stroke{0}{{stroke:{1}}}\n",
                       i, level_style_at(i).colour.in(theme));
  }
  return out;
}

std::string sheet() {
  return svg::style(coloured(kStyle, Theme::light) + level_rules(Theme::light) +
                    on_dark_screens(coloured(kDarkStyle, Theme::dark) + level_rules(Theme::dark))) +
         "\n";
}

std::string text(double x, double y, Anchor anchor, double size, std::string css,
                 std::string words) {
  return text_element({x, y, anchor, 0.0, size, std::move(css), std::move(words)});
}

/// One sweep from `top` on.
class Panel {
 public:
  Panel(const LoopSweep& sweep, double top) : sweep_(sweep), scale_(scale_of(sweep)), top_(top) {
    place_names();
    plot_ = top_ + kHead + static_cast<double>(rows_) * kRow;
  }

  [[nodiscard]] double height() const { return plot_ + kPlot + kFoot - top_; }

  [[nodiscard]] std::string draw() const { return head() + grid() + edges() + curves() + legend(); }

 private:
  struct Name {
    const SweepBreak* edge = nullptr;
    double x = 0.0;
    std::size_t row = 0;
    std::string text;
    double line = 0.0;  ///< where its line stands
    double width = 0.0;
  };

  [[nodiscard]] double x_of(double value) const {
    return kLeft + (kWidth - kLeft - kRight) * scale_.across(value);
  }
  [[nodiscard]] double y_of(double time) const { return plot_ + kPlot * (1.0 - scale_.up(time)); }

  /// Names stand right of their lines; from the right to the left, each in the lowest row where it
  /// touches no other name and no line of another. Those that would leave the picture stand left of
  /// their lines, above all others.
  void place_names() {
    std::vector<Name> at_end;
    for (std::size_t i = sweep_.breaks.size(); i-- > 0;) {
      Name name = name_of(sweep_.breaks[i]);
      if (name.x < name.line) {
        at_end.push_back(std::move(name));
      } else {
        place(std::move(name));
      }
    }
    std::ranges::for_each(at_end, [this](Name& name) { place(std::move(name)); });
  }

  [[nodiscard]] Name name_of(const SweepBreak& edge) const {
    Name name;
    name.edge = &edge;
    name.text = fmt::format("{}: {} up to {}", to_string(edge.level),
                            shorten_end(edge.condition, kMostOfCondition), edge.up_to);
    name.width = text_width(name.text, kSmall) + 2.0 * kBeside;
    name.line = x_of(static_cast<double>(edge.up_to));
    name.x = name.line + name.width > kWidth ? name.line - name.width : name.line;
    return name;
  }

  void place(Name name) {
    while (!is_free(name)) {
      ++name.row;
    }
    rows_ = std::max(rows_, name.row + 1);
    names_.push_back(std::move(name));
  }

  [[nodiscard]] bool is_free(const Name& name) const {
    const double end = name.x + name.width;
    return std::ranges::none_of(names_, [&](const Name& placed) {
      const bool on_name =
          placed.row == name.row && placed.x < end && name.x < placed.x + placed.width;
      const bool on_line = placed.row >= name.row && name.x < placed.line && placed.line < end;
      return on_name || on_line;
    });
  }

  [[nodiscard]] std::string head() const {
    return text(kLeft, top_ + 24.0, Anchor::start, kTitle, "title",
                shorten_middle(sweep_.title, kMostOfTitle)) +
           text(kLeft, top_ + 42.0, Anchor::start, kText, "quiet", time_words(sweep_));
  }

  [[nodiscard]] std::string grid() const {
    constexpr double kLabelledDecades = 4.0;
    std::string out;
    const double right = kWidth - kRight;
    for (const Tick& tick : ticks(scale_.x, 1.0, kLabelledDecades)) {
      const double x = x_of(tick.value);
      out += svg::line({x, plot_}, {x, plot_ + kPlot}, tick.decade ? "major" : "minor") + "\n";
      if (!tick.label.empty()) {
        out += text(x, plot_ + kPlot + 20.0, Anchor::middle, kText, "", tick.label);
      }
    }
    for (const double time : scale_.times()) {
      out += svg::line({kLeft, y_of(time)}, {right, y_of(time)}, "major") + "\n";
      out += text(kLeft - 8.0, y_of(time) + 4.5, Anchor::end, kText, "", scale_.label(time));
    }
    out += svg::rectangle({kLeft, plot_}, right - kLeft, kPlot, "frame") + "\n";
    return out + text((kLeft + right) / 2.0, plot_ + kPlot + 42.0, Anchor::middle, kText, "",
                      sweep_.symbol);
  }

  [[nodiscard]] std::string edges() const {
    std::string lines;
    std::string names;
    for (const Name& name : names_) {
      const double y = plot_ - 5.0 - kRow * static_cast<double>(name.row);
      const std::size_t style = level_style_index(to_string(name.edge->level), 0);
      lines += svg::line({name.line, y - kSmall}, {name.line, plot_ + kPlot},
                         fmt::format("edge stroke{}", style)) +
               "\n";
      names += text(name.x + kBeside, y, Anchor::start, kSmall, "halo", name.text);
    }
    return lines + names;
  }

  [[nodiscard]] std::string curve(double SweepPoint::* time, std::string_view css) const {
    std::vector<svg::Pixel> corners;
    for (const SweepPoint& point : sweep_.points) {
      corners.push_back({x_of(static_cast<double>(point.value)), y_of(point.*time)});
    }
    return svg::polyline(corners, css) + "\n";
  }

  [[nodiscard]] std::string curves() const {
    std::string out = has_roof(sweep_) ? curve(&SweepPoint::roof, "roof") : std::string();
    out += curve(&SweepPoint::time, "time");
    for (const SweepPoint& point : sweep_.points) {
      const PlacedMark mark{x_of(static_cast<double>(point.value)), y_of(point.time), kMark,
                            level_style_index(point.part, kOfTheCore)};
      const std::string words = fmt::format("{} = {}: {} {}, mostly {}", sweep_.symbol, point.value,
                                            number(point.time), sweep_.unit, clean(point.part));
      out += svg::element("g", {}, svg::title(words) + mark_element(mark)) + "\n";
    }
    return out;
  }

  [[nodiscard]] std::string legend() const {
    const double y = plot_ + kPlot + 70.0;
    double x = kLeft;
    std::string out;
    const auto add = [&](const std::string& words) {
      out += text(x, y, Anchor::start, kText, "", words);
      x += text_width(words, kText) + 22.0;
    };
    add("Most of the time:");
    for (const std::string& part : parts_of(sweep_)) {
      out += mark_element({x, y - 4.5, kMark, level_style_index(part, kOfTheCore)});
      x += 12.0;
      add(part == "in-core" ? "the core" : part);
    }
    if (has_roof(sweep_)) {
      out += svg::line({x, y - 4.5}, {x + 30.0, y - 4.5}, "roof") + "\n";
      x += 38.0;
      add("roofline");
    }
    return out;
  }

  static constexpr std::size_t kMostOfCondition = 48;
  static constexpr std::size_t kMostOfTitle = 72;

  const LoopSweep& sweep_;
  SweepScale scale_;
  double top_ = 0.0;
  double plot_ = 0.0;  ///< upper end of the plot
  std::vector<Name> names_;
  std::size_t rows_ = 0;
};

std::string description_of(const std::vector<LoopSweep>& sweeps) {
  std::string words = "Time for each iteration over the size of the loop.";
  for (const LoopSweep& sweep : sweeps) {
    words += " " + sweep.title + ":";
    for (const SweepPoint& point : sweep.points) {
      words +=
          fmt::format(" {} = {} {} {};", sweep.symbol, point.value, number(point.time), sweep.unit);
    }
  }
  return words;
}

std::string picture(const std::string& title, const std::vector<LoopSweep>& sweeps) {
  double top = 8.0;
  std::string body;
  for (const LoopSweep& sweep : sweeps) {
    const Panel panel(sweep, top);
    body += panel.draw();
    top += panel.height();
  }
  if (sweeps.empty()) {
    body = text(kLeft, top + 24.0, Anchor::start, kText, "",
                "No loop stands here at three sizes or more with times");
    top += 48.0;
  }
  const std::string width = fmt::format("{:.0f}", kWidth);
  const std::string height = fmt::format("{:.0f}", top);
  return svg::opening({.view_box = fmt::format("0 0 {} {}", width, height),
                       .width = width,
                       .height = height,
                       .css = "ridge-sweep",
                       .labelled = true,
                       .font = {}}) +
         svg::title_of_root(title) + "\n" + svg::description_of_root(description_of(sweeps)) +
         "\n" + sheet() + svg::ground("background") + "\n" + body + std::string(svg::kEnd);
}

}  // namespace

std::string loop_sweep_svg(const LoopModels& models) {
  std::vector<LoopSweep> sweeps;
  for (const LoopGroup& group : groups_of(models)) {
    std::ranges::copy_if(sweeps_of(group), std::back_inserter(sweeps),
                         [](const LoopSweep& sweep) { return !sweep.unit.empty(); });
  }
  return std::string(svg::kDeclaration) + picture("Loops of " + clean(models.source), sweeps);
}

std::string sweep_element(const LoopSweep& sweep) {
  return sweep.unit.empty() ? std::string() : picture(sweep.title, {sweep});
}

}  // namespace ridge::render
