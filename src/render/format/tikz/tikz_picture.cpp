#include "render/format/tikz/tikz_picture.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "render/chart/chart_geometry.hpp"
#include "render/chart/heat.hpp"
#include "render/chart/level_style.hpp"
#include "render/chart/text.hpp"

namespace ridge::render {
namespace {

constexpr std::string_view kUse = R"(% A roofline for pgfplots. In the preamble:
%   \usepackage{pgfplots}
%   \pgfplotsset{compat=1.17}
% then \input this file. \ridgewidth and \ridgeheight, defined before, change its size.
)";

std::string_view mark_name(Shape shape) {
  switch (shape) {
    case Shape::triangle:
      return "triangle*";
    case Shape::diamond:
      return "diamond*";
    case Shape::square:
      return "square*";
    case Shape::circle:
      return "*";
    case Shape::inverted_triangle:
      return "triangle*,mark options={rotate=180}";
    case Shape::pentagon:
      return "pentagon*";
    case Shape::hexagon:
      return "oplus*";
  }
  return "*";
}

class Picture {
 public:
  Picture(const Chart& chart, bool paper) : chart_(chart), paper_(paper) {}

  std::string build() {
    out_ = kUse;
    line("\\providecommand{{\\ridgewidth}}{{{}}}", paper_ ? "8.5cm" : "14cm");
    line("\\providecommand{{\\ridgeheight}}{{{}}}", paper_ ? "6.8cm" : "9cm");
    line("\\begin{{tikzpicture}}");
    colours();
    axis();
    zones();
    roofs();
    ceilings();
    measured();
    specks();
    for (const ChartRegion& region : chart_.regions) {
      dots(region);
    }
    legend();
    line("\\end{{loglogaxis}}");
    line("\\end{{tikzpicture}}");
    return std::move(out_);
  }

 private:
  template <class... T>
  void line(fmt::format_string<T...> format, T&&... values) {
    out_ += fmt::format(format, std::forward<T>(values)...) + "\n";
  }
  [[nodiscard]] double y(double rate) const { return rate / chart_.y_prefix.factor; }
  [[nodiscard]] std::size_t style_of(std::size_t level) const {
    return level_style_index(chart_.levels[level], level);
  }
  [[nodiscard]] std::string colour_of(const BandwidthRoof& roof) const {
    return roof.neutral ? "black" : fmt::format("ridge{}", style_of(roof.level));
  }

  void colours() {
    for (std::size_t i = 0; i < kLevelStyles; ++i) {
      colour(fmt::format("ridge{}", i), level_style_at(i).colour);
    }
    for (std::size_t step = 0; chart_.heat && step < kHeatSteps; ++step) {
      colour(fmt::format("ridgeheat{}", step), heat_style(step).colour);
    }
    if (chart_.zones) {
      colour("ridgememory", palette::kMemoryZone);
      colour("ridgecompute", palette::kComputeZone);
    }
  }

  void colour(const std::string& name, const Colour& value) {
    std::string code(value.light.substr(1));
    for (char& c : code) {
      c = c >= 'a' && c <= 'f' ? static_cast<char>(c - 'a' + 'A') : c;
    }
    line("\\definecolor{{{}}}{{HTML}}{{{}}}", name, code);
  }

  void zones() {
    for (const Zone& zone : zones_of(chart_)) {
      line("\\fill[ridge{}] (axis cs:{:.6g},{:.6g}) rectangle (axis cs:{:.6g},{:.6g});",
           zone.memory_bound ? "memory" : "compute", zone.low, y(chart_.y.low), zone.high,
           y(chart_.y.high));
    }
  }

  void axis() {
    line("\\begin{{loglogaxis}}[width=\\ridgewidth, height=\\ridgeheight,");
    line("  xmin={:.8g}, xmax={:.8g}, ymin={:.8g}, ymax={:.8g},", chart_.x.low, chart_.x.high,
         y(chart_.y.low), y(chart_.y.high));
    line("  xlabel={{{}}}, ylabel={{{}}},",
         tex_text(paper_ ? chart_.short_x_title() : chart_.x_title()), tex_text(chart_.y_title()));
    if (!chart_.title.empty()) {
      line("  title={{{}}},", tex_text(chart_.title));
    }
    line(
        "  log ticks with fixed point, grid=both, minor grid style={{black!5}}, major grid "
        "style={{black!15}},");
    line("  font={}, label style={{font={}}}, clip marker paths=true,", font(), font());
    line(
        "  legend style={{font={}, at={{(0.5,-0.22)}}, anchor=north, draw=none, column sep=4pt}}, "
        "legend columns={}]",
        font(), paper_ ? "2" : "-1");
  }

  [[nodiscard]] const char* font() const { return paper_ ? "\\scriptsize" : "\\small"; }

  void roofs() {
    constexpr double kApart = 1.6;  // closer ones would be named across one another
    double named = 0.0;
    for (const BandwidthRoof& roof : chart_.roofs) {
      if (const auto at = segment_of(chart_, roof)) {
        const bool apart = named == 0.0 || named / roof.bytes_per_second >= kApart ||
                           roof.bytes_per_second / named >= kApart;
        line("\\addplot[{}, thick, forget plot] coordinates {{({:.6g},{:.6g}) ({:.6g},{:.6g})}}{}",
             colour_of(roof), at->x1, y(at->y1), at->x2, y(at->y2), apart ? "" : ";");
        if (!apart) {
          continue;
        }
        named = roof.bytes_per_second;
        line("  node[pos=0.7, sloped, above, inner sep=1pt, font={}, text={}] {{{}}};",
             paper_ ? "\\tiny" : "\\scriptsize", colour_of(roof), tex_text(roof.label));
      }
    }
  }

  void ceilings() {
    if (chart_.roof) {
      ceiling(*chart_.roof, "very thick");
    }
    for (const ComputeCeiling& lower : chart_.lower_ceilings) {
      ceiling(lower, "dashed");
    }
  }

  void ceiling(const ComputeCeiling& ceiling, const char* how) {
    const Segment at = segment_of(chart_, ceiling);
    line("\\addplot[black, {}, forget plot] coordinates {{({:.6g},{:.6g}) ({:.6g},{:.6g})}}", how,
         at.x1, y(at.y1), at.x2, y(at.y2));
    line("  node[pos=1, anchor=south east, inner sep=1pt, font={}] {{{}}};",
         paper_ ? "\\tiny" : "\\scriptsize", tex_text(ceiling.label));
  }

  void measured() {
    for (const MeasuredCurve& curve : chart_.measured) {
      const auto points = points_inside(chart_, curve);
      if (points.empty()) {
        continue;
      }
      out_ += fmt::format("\\addplot[ridge{}, thin, densely dotted, forget plot] coordinates {{",
                          style_of(curve.level));
      for (const auto& point : points) {
        out_ += fmt::format("({:.6g},{:.6g}) ", point.intensity, y(point.flops_per_second));
      }
      out_ += "};\n";
    }
  }

  void dots(const ChartRegion& region) {
    if (region.expanded) {
      out_ += "\\addplot[black!55, thin, forget plot] coordinates {";
      for (const ChartDot& dot : region.dots) {
        out_ += fmt::format("({:.6g},{:.6g}) ", x_of(dot), y(region.rate_of(dot)));
      }
      out_ += "};\n";
    }
    for (std::size_t i = 0; i < region.dots.size(); ++i) {
      if (region.draws(i)) {
        mark(region, i);
      }
    }
    whisker(region);
    const ChartDot& main = region.main_dot();
    line(
        "\\node[anchor={}, inner sep=1.5pt, font={}, fill=white, fill opacity=0.75, text "
        "opacity=1] at (axis cs:{:.6g},{:.6g}) {{{}}}; % {}",
        main.intensity ? "south west" : "east, xshift=-4pt", paper_ ? "\\tiny" : "\\scriptsize",
        x_of(main), y(region.rate_of(main)), region.rank, tex_text(region.name));
  }

  void mark(const ChartRegion& region, std::size_t index) {
    const ChartDot& dot = region.dots[index];
    const std::size_t style = style_of(dot.level);
    const double beside = chart_.heat && index != region.main_index() ? 0.6 : 1.0;
    line(
        "\\addplot[only marks, mark={}, mark size={:.2f}pt, fill={}, draw=black, forget "
        "plot] coordinates {{({:.6g},{:.6g})}};",
        mark_name(level_style_at(style).shape),
        beside *
            ((paper_ ? 1.4 : 2.0) + (paper_ ? 2.2 : 4.0) * std::sqrt(std::min(1.0, region.share))),
        chart_.heat ? fmt::format("ridgeheat{}", heat_step(region.share))
                    : fmt::format("ridge{}", style),
        x_of(dot), y(region.rate_of(dot)));
  }

  void specks() {
    if (chart_.specks.empty()) {
      return;
    }
    out_ += "\\addplot[only marks, mark=*, mark size=0.5pt, black!50, forget plot] coordinates {";
    for (const ChartSpeck& speck : chart_.specks) {
      out_ += fmt::format("({:.6g},{:.6g}) ", speck.intensity, y(speck.flops_per_second));
    }
    out_ += "};\n";
  }

  /// At the main dot.
  void whisker(const ChartRegion& region) {
    const ChartDot& dot = region.main_dot();
    const auto& spread = dot.flops_per_second ? dot.spread : region.spread;
    if (dot.intensity && spread) {
      line("\\draw[black!65, |-|] (axis cs:{0:.6g},{1:.6g}) -- (axis cs:{0:.6g},{2:.6g});",
           x_of(dot), y(std::max(spread->low, chart_.y.low)),
           y(std::min(spread->high, chart_.y.high)));
    }
  }

  [[nodiscard]] double x_of(const ChartDot& dot) const {
    return dot.intensity.value_or(edge_intensity(chart_));
  }
  void legend() {
    if (chart_.regions.empty()) {
      return;
    }
    const auto entry = [&](std::size_t style, const std::string& text) {
      line("\\addlegendimage{{only marks, mark={}, fill={}, draw=black}}",
           mark_name(level_style_at(style).shape),
           chart_.heat ? "white" : fmt::format("ridge{}", style));
      line("\\addlegendentry{{{}}}", tex_text(text));
    };
    for (const LegendEntry& item : chart_.legend) {
      entry(style_of(item.level), item.text);
    }
    for (std::size_t i = 0; i < chart_.levels.size() && chart_.legend.empty(); ++i) {
      const auto roof = std::find_if(chart_.roofs.begin(), chart_.roofs.end(),
                                     [&](const BandwidthRoof& each) { return each.level == i; });
      entry(style_of(i), roof == chart_.roofs.end() ? chart_.levels[i] : roof->label);
    }
    for (std::size_t step = 0; chart_.heat && step < kHeatSteps; ++step) {
      line("\\addlegendimage{{only marks, mark=*, fill=ridgeheat{}, draw=black}}", step);
      line("\\addlegendentry{{{}}}",
           tex_text(fmt::format("{}{}", step == 0 ? "time: " : "", heat_style(step).words)));
    }
  }

  const Chart& chart_;
  bool paper_;
  std::string out_;
};

}  // namespace

std::string tex_text(std::string_view text) {
  std::string out;
  for (const char c : clean(text, false)) {
    switch (c) {
      case '\\':
        out += "\\textbackslash{}";
        break;
      case '^':
        out += "\\textasciicircum{}";
        break;
      case '~':
        out += "\\textasciitilde{}";
        break;
      case '<':
        out += "\\textless{}";
        break;
      case '>':
        out += "\\textgreater{}";
        break;
      case '|':
        out += "\\textbar{}";
        break;
      case '"':
        out += "{''}";
        break;
      case '{':
      case '}':
      case '$':
      case '&':
      case '#':
      case '%':
      case '_':
        out += '\\';
        out += c;
        break;
      // Where TikZ ends an option or a label, and where ligatures would change the text.
      case ',':
      case ';':
      case '=':
      case '[':
      case ']':
      case '-':
      case '`':
      case '\'':
        out += fmt::format("{{{}}}", c);
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string tikz_picture(const Chart& chart, bool paper) {
  return Picture(chart, paper).build();
}

}  // namespace ridge::render
