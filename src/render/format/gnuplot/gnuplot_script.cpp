#include "render/format/gnuplot/gnuplot_script.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "render/chart/chart_geometry.hpp"
#include "render/chart/heat.hpp"
#include "render/chart/level_style.hpp"
#include "render/chart/palette.hpp"
#include "render/chart/text.hpp"

namespace ridge::render {
namespace {

constexpr std::string_view kUse =
    R"(# A roofline drawn by gnuplot (5.2 or later); all data stand in this file.
#   gnuplot FILE                                               writes roofline.svg
#   gnuplot -e "picture='fig.pdf'; terminal='pdfcairo size 8.5cm,6.5cm font \",7\"'" FILE
#   gnuplot -persist -e "picture=''; terminal='qt'" FILE       shows a window
)";

std::string_view default_terminal(bool paper) {
  return paper ? "svg size 480,370 font \"sans,11\"" : "svg size 1000,680 font \"sans,13\"";
}

/// Point types of the level's shape in gnuplot's cairo and svg terminals (filled ones).
int point_type(Shape shape) {
  switch (shape) {
    case Shape::triangle:
      return 9;
    case Shape::diamond:
      return 13;
    case Shape::square:
      return 5;
    case Shape::circle:
      return 7;
    case Shape::inverted_triangle:
      return 11;
    case Shape::pentagon:
      return 15;
    case Shape::hexagon:
      return 3;
  }
  return 7;
}

class Script {
 public:
  Script(const Chart& chart, bool paper) : chart_(chart), paper_(paper) {}

  std::string build() {
    out_ = kUse;
    set_up();
    data();
    plot();
    return std::move(out_);
  }

 private:
  [[nodiscard]] const LevelStyle& style_of(std::size_t level) const {
    return level_style(chart_.levels[level], level);
  }
  template <class... T>
  void line(fmt::format_string<T...> format, T&&... values) {
    out_ += fmt::format(format, std::forward<T>(values)...) + "\n";
  }
  [[nodiscard]] double y(double rate) const { return rate / chart_.y_prefix.factor; }

  void set_up() {
    line("if (!exists(\"terminal\")) terminal = '{}'", default_terminal(paper_));
    line("if (!exists(\"picture\")) picture = 'roofline.svg'");
    line("eval 'set terminal ' . terminal");
    line("if (strlen(picture) > 0) {{ set output picture }}");
    line("set termoption noenhanced");
    line("set encoding utf8");
    line("set logscale xy");
    line("set xrange [{:.8g}:{:.8g}]", chart_.x.low, chart_.x.high);
    line("set yrange [{:.8g}:{:.8g}]", y(chart_.y.low), y(chart_.y.high));
    line("set format xy '%g'");
    line("set grid xtics ytics mxtics mytics lc rgb '{}' lw 0.6, lc rgb '{}' lw 0.4",
         palette::kMajor.light, palette::kMinor.light);
    line("set xlabel {} noenhanced",
         gnuplot_text(paper_ ? chart_.short_x_title() : chart_.x_title()));
    line("set ylabel {} noenhanced", gnuplot_text(chart_.y_title()));
    if (!chart_.title.empty()) {
      line("set title {} noenhanced", gnuplot_text(chart_.title));
    }
    line("set key outside bottom center horizontal noenhanced{}", paper_ ? " samplen 1" : "");
    line("set bmargin {}", paper_ ? 8 : 7);
    zones();
    labels();
  }

  void zones() {
    for (const Zone& zone : zones_of(chart_)) {
      line(
          "set object rectangle from {:.6g}, graph 0 to {:.6g}, graph 1 behind fc rgb '{}' "
          "fs solid noborder",
          zone.low, zone.high,
          (zone.memory_bound ? palette::kMemoryZone : palette::kComputeZone).light);
    }
  }

  void labels() {
    if (chart_.roof) {
      ceiling_label(*chart_.roof);
    }
    for (const ComputeCeiling& ceiling : chart_.lower_ceilings) {
      ceiling_label(ceiling);
    }
    for (const ChartRegion& region : chart_.regions) {
      const ChartDot& dot = region.main_dot();
      line("set label '{}' at {:.6g},{:.6g} {} front font ',{}'", region.rank,
           dot.intensity.value_or(edge_intensity(chart_)), y(region.rate_of(dot)),
           dot.intensity ? "center offset 0,0.9" : "right offset -1.2,0", paper_ ? 8 : 11);
    }
  }

  void ceiling_label(const ComputeCeiling& ceiling) {
    line("set label {} at graph 0.9, first {:.6g} right offset 0,0.4 noenhanced font ',{}'",
         gnuplot_text(ceiling.label), y(ceiling.flops_per_second), paper_ ? 7 : 10);
  }

  void data() {
    for (std::size_t i = 0; i < chart_.roofs.size(); ++i) {
      if (const auto roof = segment_of(chart_, chart_.roofs[i])) {
        line("$roof{} << EOD\n{:.6g} {:.6g}\n{:.6g} {:.6g}\nEOD", i, roof->x1, y(roof->y1),
             roof->x2, y(roof->y2));
      }
    }
    for (std::size_t i = 0; i < chart_.measured.size(); ++i) {
      line("$measured{} << EOD", i);
      for (const auto& point : points_inside(chart_, chart_.measured[i])) {
        line("{:.6g} {:.6g}", point.intensity, y(point.flops_per_second));
      }
      line("EOD");
    }
    ceiling_data("ceiling",
                 chart_.roof ? std::vector{*chart_.roof} : std::vector<ComputeCeiling>{});
    ceiling_data("lower", chart_.lower_ceilings);
    dot_data();
  }

  void ceiling_data(std::string_view name, const std::vector<ComputeCeiling>& ceilings) {
    line("${} << EOD", name);
    for (const ComputeCeiling& ceiling : ceilings) {
      const Segment at = segment_of(chart_, ceiling);
      line("{:.6g} {:.6g}\n{:.6g} {:.6g}\n", at.x1, y(at.y1), at.x2, y(at.y2));
    }
    line("EOD");
  }

  /// Columns: intensity, performance, size as a share of the time, colour.
  void dot_data() {
    for (std::size_t level = 0; level < chart_.levels.size(); ++level) {
      std::string rows;
      for (const ChartRegion& region : chart_.regions) {
        for (std::size_t i = 0; i < region.dots.size(); ++i) {
          if (region.dots[i].level == level && region.draws(i)) {
            rows += row_of(region, i);
          }
        }
      }
      dots_.push_back(!rows.empty());
      if (!rows.empty()) {
        line("$dots{} << EOD\n{}EOD", level, rows);
      }
    }
    line("$joins << EOD");
    for (const ChartRegion& region : chart_.regions) {
      for (std::size_t i = 0; i < region.dots.size(); ++i) {
        if (region.draws(i)) {
          line("{:.6g} {:.6g}", region.dots[i].intensity.value_or(edge_intensity(chart_)),
               y(region.rate_of(region.dots[i])));
        }
      }
      line("");
    }
    line("EOD");
    speck_data();
    whisker_data();
  }

  void speck_data() {
    if (!chart_.specks.empty()) {
      line("$specks << EOD");
      for (const ChartSpeck& speck : chart_.specks) {
        line("{:.6g} {:.6g}", speck.intensity, y(speck.flops_per_second));
      }
      line("EOD");
    }
  }

  /// At the main dot.
  void whisker_data() {
    line("$whiskers << EOD");
    for (const ChartRegion& region : chart_.regions) {
      const ChartDot& dot = region.main_dot();
      const auto& spread = dot.flops_per_second ? dot.spread : region.spread;
      if (dot.intensity && spread) {
        line("{:.6g} {:.6g} {:.6g} {:.6g}", *dot.intensity, y(region.rate_of(dot)), y(spread->low),
             y(spread->high));
        whiskers_ = true;
      }
    }
    line("EOD");
  }

  [[nodiscard]] std::string row_of(const ChartRegion& region, std::size_t index) const {
    const ChartDot& dot = region.dots[index];
    const double beside = chart_.heat && index != region.main_index() ? 0.3 : 1.0;
    const std::string_view colour = chart_.heat ? heat_style(heat_step(region.share)).colour.light
                                                : style_of(dot.level).colour.light;
    return fmt::format("{:.6g} {:.6g} {:.4g} 0x{}\n",
                       dot.intensity.value_or(edge_intensity(chart_)), y(region.rate_of(dot)),
                       beside * region.share, colour.substr(1));
  }

  void plot() {
    std::vector<std::string> parts;
    const double thick = paper_ ? 1.6 : 2.4;
    for (std::size_t i = 0; i < chart_.roofs.size(); ++i) {
      const BandwidthRoof& roof = chart_.roofs[i];
      if (segment_of(chart_, roof)) {
        parts.push_back(
            fmt::format("$roof{} with lines lw {} lc rgb '{}' title {}", i, thick,
                        roof.neutral ? palette::kInk.light : style_of(roof.level).colour.light,
                        gnuplot_text(roof.label)));
      }
    }
    if (chart_.roof) {
      parts.push_back(
          fmt::format("$ceiling with lines lw {} lc rgb '{}' notitle", thick, palette::kInk.light));
    }
    if (!chart_.lower_ceilings.empty()) {
      parts.push_back(
          fmt::format("$lower with lines dt 2 lw 1 lc rgb '{}' notitle", palette::kInk.light));
    }
    for (std::size_t i = 0; i < chart_.measured.size(); ++i) {
      if (!points_inside(chart_, chart_.measured[i]).empty()) {
        parts.push_back(fmt::format("$measured{} with lines lw 1 dt 3 lc rgb '{}' {}", i,
                                    style_of(chart_.measured[i].level).colour.light,
                                    i == 0 ? "title 'roofs as measured'" : "notitle"));
      }
    }
    if (whiskers_) {
      parts.push_back(fmt::format("$whiskers with yerrorbars pt 0 lw 0.8 lc rgb '{}' notitle",
                                  palette::kQuiet.light));
    }
    if (!chart_.regions.empty()) {
      parts.push_back(
          fmt::format("$joins with lines lw 0.8 lc rgb '{}' notitle", palette::kJoin.light));
    }
    if (!chart_.specks.empty()) {
      parts.push_back(fmt::format("$specks with points pt 7 ps 0.2 lc rgb '{}' notitle",
                                  palette::kQuiet.light));
    }
    for (std::size_t level = 0; level < dots_.size(); ++level) {
      if (dots_[level]) {
        add_dots(parts, level);
      }
    }
    add_heat(parts);
    if (parts.empty()) {
      parts.emplace_back("1/0 notitle");
    }
    line("plot \\\n  {}", fmt::join(parts, ", \\\n  "));
    line("if (strlen(picture) > 0) {{ set output }}");
  }

  void add_dots(std::vector<std::string>& parts, std::size_t level) const {
    const LevelStyle& style = style_of(level);
    std::string name = "dots at " + chart_.levels[level];
    for (const LegendEntry& entry : chart_.legend) {
      name = entry.level == level ? entry.text : name;
    }
    parts.push_back(fmt::format(
        "$dots{} using 1:2:({} + {}*sqrt($3)):4 with points pt {} ps variable lc rgb variable "
        "title {}",
        level, paper_ ? 0.5 : 0.9, paper_ ? 0.9 : 1.8, point_type(style.shape),
        gnuplot_text(name)));
  }

  /// Points outside of the plot, for the key.
  void add_heat(std::vector<std::string>& parts) const {
    for (std::size_t step = 0; chart_.heat && !chart_.regions.empty() && step < kHeatSteps;
         ++step) {
      parts.push_back(fmt::format(
          "1/0 with points pt 7 ps 1.2 lc rgb '{}' title {}", heat_style(step).colour.light,
          gnuplot_text(std::string(heat_style(step).words) + " of the time")));
    }
  }

  const Chart& chart_;
  bool paper_;
  std::string out_;
  std::vector<bool> dots_;  ///< by level: there are any
  bool whiskers_ = false;
};

}  // namespace

std::string gnuplot_text(std::string_view text) {
  std::string out = "'";
  for (const char c : clean(text)) {
    out += c == '\'' ? "''" : std::string(1, c);
  }
  return out + "'";
}

std::string gnuplot_script(const Chart& chart, bool paper) {
  return Script(chart, paper).build();
}

}  // namespace ridge::render
