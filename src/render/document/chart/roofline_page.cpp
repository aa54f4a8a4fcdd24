#include "render/document/chart/roofline_page.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "render/chart/format_si.hpp"
#include "render/chart/text.hpp"
#include "render/document/chart/machines_chart.hpp"
#include "render/format/html/static_page.hpp"
#include "render/format/svg/roofline_svg.hpp"

namespace ridge::render {
namespace {

std::string origin_of(const RooflineLine& line) {
  return fmt::format("{}{}{}", to_string(line.origin),
                     line.source ? fmt::format(" [{}]", clean(*line.source)) : "",
                     line.verified ? "" : ", unverified");
}

PageTable dot_table(const RooflineChart& chart) {
  PageTable table{"Computations and loops",
                  {"computation", "machine", "", "traffic of", "intensity", "performance"},
                  4,
                  {}};
  for (const RooflineDot& dot : chart.dots) {
    table.rows.push_back({clean(dot.name), clean(dot.machine.value_or(std::string(kUnknown))),
                          dot.measured ? "measured" : "attainable", clean(dot.level),
                          number(dot.intensity) + " flop/byte", si(dot.performance, "Flop/s")});
  }
  return table;
}

PageTable line_table(const RooflineChart& chart) {
  PageTable table{"Roofs and ceilings", {"machine", "", "line", "basis", "origin", "rate"}, 5, {}};
  for (const RooflineMachine& machine : chart.machines) {
    for (const RooflineLine& line : machine.lines) {
      table.rows.push_back({clean(machine.key), clean(machine.name), clean(line.words),
                            std::string(to_string(line.basis)), origin_of(line),
                            si(line.rate, line.level ? "B/s" : "Flop/s")});
    }
  }
  return table;
}

PageTable band_table(const RooflineChart& chart) {
  PageTable table{"Intensities of well-known kernels", {"kernel", "sizes", "from", "to"}, 2, {}};
  for (const SpectrumBand& band : chart.spectrum) {
    table.rows.push_back({clean(band.name), clean(band.sizes), number(band.low) + " flop/byte",
                          number(band.high) + " flop/byte"});
  }
  return table;
}

/// Each once.
std::vector<std::string> sources_of(const RooflineChart& chart) {
  std::vector<std::string> sources;
  for (const RooflineDot& dot : chart.dots) {
    std::string source = fmt::format("{}: {}", clean(dot.name), clean(dot.source));
    if (!dot.source.empty() && std::find(sources.begin(), sources.end(), source) == sources.end()) {
      sources.push_back(std::move(source));
    }
  }
  return sources;
}

std::vector<std::string> notes_of(const RooflineChart& chart) {
  std::vector<std::string> notes;
  for (const RooflineMachine& machine : chart.machines) {
    for (const Note& note : machine.notes) {
      notes.push_back(clean(note.text));
    }
  }
  for (const Note& note : chart.notes) {
    notes.push_back(clean(note.text));
  }
  return notes;
}

}  // namespace

std::string roofline_page(const RooflineChart& chart, bool powers_of_two) {
  const std::string title = chart.title.empty() ? "Roofline" : clean(chart.title);
  Chart picture = machines_chart(chart, powers_of_two);
  picture.title.clear();  // it is the heading of the page
  std::string body = page_figure(chart_element(picture));
  body += page_table(dot_table(chart));
  body += page_table(line_table(chart));
  body += page_table(band_table(chart));
  body += page_list("Where the computations come from", "quiet", sources_of(chart));
  body += page_list("Notes", "quiet", notes_of(chart));
  return static_page(title, "Hollow dots are what the roofs allow, filled ones were measured.",
                     body);
}

}  // namespace ridge::render
