#include "render/document/spmv/study_svg.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "render/chart/format_si.hpp"
#include "render/chart/palette.hpp"
#include "render/chart/text.hpp"
#include "render/document/spmv/study_chart.hpp"
#include "render/document/spmv/study_tables.hpp"
#include "render/format/svg/roofline_svg.hpp"
#include "render/format/svg/svg_elements.hpp"
#include "render/format/svg/svg_writer.hpp"

namespace ridge::render {
namespace {

constexpr std::string_view kStyle = R"(
.ridge-study .bar{stroke-width:1.5;fill-opacity:.8}
.ridge-study .outline{fill:none;stroke-width:1.5}
.ridge-study .spy{fill:$ink}
)";
constexpr std::string_view kDarkStyle = R"(
.ridge-study .spy{fill:$ink}
)";

// Columns of the bars, and the square beside them, in pixels.
constexpr double kBarsAt = 272.0;
constexpr double kBarsEnd = 500.0;
constexpr double kRateEnd = 612.0;
constexpr double kOwnEnd = 710.0;
constexpr double kCsrEnd = 812.0;
constexpr double kSpyAt = 846.0;
constexpr double kSpySide = 254.0;
constexpr double kRow = 19.0;
constexpr double kBarHeight = 13.0;
constexpr int kShades = 10;

class Panels {
 public:
  Panels(const SparseStudy& study, const SvgLook& look, double top)
      : study_(study), look_(look), bandwidths_(bandwidths_of(study)), top_(top) {}

  StudyPanels place() {
    const double end_of_spy = place_spy();  // both add texts: in this order
    out_.bottom = std::max(place_bars(), end_of_spy);
    return std::move(out_);
  }

 private:
  void text(double x, double y, Anchor anchor, double size, std::string css, std::string words) {
    out_.texts.push_back({x, y, anchor, 0.0, size, std::move(css), std::move(words)});
  }

  double place_bars() {
    double y = top_ + 14.0;
    const auto entries = entries_of(study_);
    if (entries.empty()) {
      return y;
    }
    text(look_.left, y, Anchor::start, look_.text, "strong", "Performance of each format");
    text(kRateEnd, y, Anchor::end, look_.small, "quiet", "useful flops");
    text(kOwnEnd, y, Anchor::end, look_.small, "quiet", "of own roof");
    text(kCsrEnd, y, Anchor::end, look_.small, "quiet", "of CSR's roof");
    for (const StudyEntry& entry : entries) {
      for (const SparseTiming* timing : entry.timings) {
        most_ = std::max(most_, timing->performance.high.value());
      }
    }
    y += 8.0;
    for (const StudyEntry& entry : entries) {
      if (entry.number > kMostStudyEntries) {
        text(look_.left, y + 18.0, Anchor::start, look_.small, "quiet",
             fmt::format("{} more in the tables", entries.size() - kMostStudyEntries));
        return y + 24.0;
      }
      y += 6.0;
      text(look_.left - 8.0, y + 14.0, Anchor::end, look_.small, "strong",
           std::to_string(entry.number));
      constexpr std::size_t kName = 20;
      text(look_.left, y + 14.0, Anchor::start, look_.text, "", shorten_middle(entry.name, kName));
      for (const SparseTiming* timing : entry.timings) {
        place_bar(entry, *timing, y);
        y += kRow;
      }
    }
    return y;
  }

  void place_bar(const StudyEntry& entry, const SparseTiming& timing, double y) {
    const auto at = [&](double rate) {
      return most_ > 0.0 && rate > 0.0 ? (kBarsEnd - kBarsAt) * std::min(rate / most_, 1.0) : 0.0;
    };
    const double middle = y + kRow / 2.0;
    const std::size_t style = style_of_threads(bandwidths_, timing.threads);
    PlacedMark mark{kBarsAt - 12.0, middle, 5.0, style};
    mark.hollow = entry.reordered;
    out_.marks.push_back(mark);
    const auto& rate = timing.performance;
    out_.bars.push_back({kBarsAt, middle - kBarHeight / 2.0, at(rate.median.value()), kBarHeight,
                         style, entry.reordered});
    const double low = kBarsAt + at(rate.low.value());
    const double high = kBarsAt + at(rate.high.value());
    out_.whiskers.push_back({low, middle, high, middle, "whisker"});
    for (const double end : {low, high}) {
      out_.whiskers.push_back({end, middle - 3.0, end, middle + 3.0, "whisker"});
    }
    const double base = middle + look_.text * 0.35;
    text(kRateEnd, base, Anchor::end, look_.text, "", si(rate.median.value(), "Flop/s"));
    text(kOwnEnd, base, Anchor::end, look_.text, "", percent(timing.of_own_roof.median.value()));
    text(kCsrEnd, base, Anchor::end, look_.text, "", percent(timing.of_csr_roof.median.value()));
  }

  double place_spy() {
    const SparsePicture& picture = study_.picture;
    if (picture.densities.empty()) {
      return top_;
    }
    double y = top_ + 14.0;
    const SparseMatrixFacts& matrix = study_.matrix;
    text(kSpyAt, y, Anchor::start, look_.text, "strong", "Where its entries lie");
    y += 12.0;
    out_.spy_x = kSpyAt;
    out_.spy_y = y;
    out_.spy_scale = kSpySide / static_cast<double>(std::max(picture.width, picture.height));
    y += out_.spy_scale * static_cast<double>(picture.height);
    for (const std::string& words :
         {fmt::format("{} x {}", grouped(matrix.rows), grouped(matrix.columns)),
          fmt::format("{} entries", grouped(matrix.entries)),
          std::string("the darker, the denser (logarithm)")}) {
      y += 17.0;
      text(kSpyAt, y, Anchor::start, look_.small, "quiet", words);
    }
    return y;
  }

  const SparseStudy& study_;
  const SvgLook& look_;
  std::vector<StudyBandwidth> bandwidths_;
  double top_;
  double most_ = 0.0;  ///< flop/s at the right end of the bars
  StudyPanels out_;
};

std::string bar_element(const PlacedBar& bar) {
  return svg::rectangle(
             {bar.x, bar.y}, bar.width, bar.height,
             fmt::format("{}{}", bar.hollow ? "outline stroke" : "bar fill", bar.style)) +
         "\n";
}

/// One path for each shade; parts side by side become one rectangle.
std::string spy_element(const SparsePicture& picture, const StudyPanels& panels) {
  std::array<std::string, kShades> paths;
  const std::vector<int> shades = shades_of(picture.densities, kShades);
  for (std::size_t y = 0; y < picture.height; ++y) {
    const int* row = shades.data() + y * picture.width;
    for (std::size_t x = 0; x < picture.width;) {
      std::size_t end = x + 1;
      while (end < picture.width && row[end] == row[x]) {
        ++end;
      }
      if (row[x] >= 0) {
        paths.at(static_cast<std::size_t>(row[x])) +=
            fmt::format("M{} {}h{}v1H{}z", x, y, end - x, x);
      }
      x = end;
    }
  }
  std::string drawn = "\n";
  for (std::size_t i = 0; i < paths.size(); ++i) {
    constexpr double kFaintest = 0.25;
    const double opacity = kFaintest + (1.0 - kFaintest) * static_cast<double>(i) / (kShades - 1);
    if (!paths[i].empty()) {
      drawn += svg::element("path", {{"d", paths[i]},
                                     {"class", "spy"},
                                     {"fill-opacity", fmt::format("{:.2f}", opacity)}}) +
               "\n";
    }
  }
  const std::string group =
      svg::element("g",
                   {{"transform", fmt::format("translate({:.1f} {:.1f}) scale({:.4f})",
                                              panels.spy_x, panels.spy_y, panels.spy_scale)},
                    {"shape-rendering", "crispEdges"}},
                   drawn);
  const auto length = [&](std::size_t parts) {
    return panels.spy_scale * static_cast<double>(parts);
  };
  return group + "\n" +
         svg::rectangle({panels.spy_x, panels.spy_y}, length(picture.width), length(picture.height),
                        "frame") +
         "\n";
}

std::string panels_element(const SparseStudy& study, const StudyPanels& panels) {
  std::string out;
  for (const PlacedBar& bar : panels.bars) {
    out += bar_element(bar);
  }
  for (const PlacedLine& line : panels.whiskers) {
    out += line_element(line);
  }
  for (const PlacedMark& mark : panels.marks) {
    out += mark_element(mark);
  }
  for (const PlacedText& text : panels.texts) {
    out += text_element(text);
  }
  return panels.spy_scale > 0.0 ? out + spy_element(study.picture, panels) : out;
}

std::string element_of(const SparseStudy& study, Chart chart, const SvgLook& look) {
  for (ChartRegion& region : chart.regions) {
    region.name.clear();  // the bars are the key
  }
  const SvgLayout layout = layout_svg(chart, look);
  const StudyPanels panels = layout_panels(study, look, layout.height + 6.0);
  const std::string width = fmt::format("{:.0f}", layout.width);
  const std::string height = fmt::format("{:.0f}", std::ceil(panels.bottom + 18.0));
  std::string out = svg::opening({.view_box = fmt::format("0 0 {} {}", width, height),
                                  .width = width,
                                  .height = height,
                                  .css = "ridge-study",
                                  .labelled = true,  // by the chart's title and description
                                  .font = {}});
  out += svg::style(coloured(kStyle, Theme::light) +
                    on_dark_screens(coloured(kDarkStyle, Theme::dark))) +
         "\n";
  // Classes of the chart's sheet.
  const auto group = [](const std::string& content) {
    return svg::element("g", {{"class", "ridge-roofline"}}, content) + "\n";
  };
  out += group(svg::ground("background")) + chart_element(chart, look);
  return (out + group("\n" + panels_element(study, panels))).append(svg::kEnd);
}

}  // namespace

StudyPanels layout_panels(const SparseStudy& study, const SvgLook& look, double top) {
  return Panels(study, look, top).place();
}

std::string study_element(const SparseStudy& study) {
  return element_of(study, chart_of(study), screen_look());
}

std::string study_svg(const SparseStudy& study, const SvgLook& look,
                      const std::optional<std::string>& title) {
  Chart chart = chart_of(study);
  if (title) {
    chart.title = clean(*title);
  } else if (look.paper) {
    chart.title.clear();  // a paper has captions
  }
  return look.paper ? chart_svg(chart, look)
                    : std::string(svg::kDeclaration) + element_of(study, chart, look);
}

}  // namespace ridge::render
