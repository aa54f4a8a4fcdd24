#include "render/document/chart/roofline_table.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "render/chart/format_si.hpp"
#include "render/chart/text.hpp"
#include "render/document/chart/machines_chart.hpp"
#include "render/format/text/roofline_chart.hpp"
#include "render/format/text/text_table.hpp"

namespace ridge::render {
namespace {

TextColumn column(std::string title, bool left = false) {
  TextColumn made;
  made.title = std::move(title);
  made.left = left;
  return made;
}

std::string dot_table(const RooflineChart& chart, const TextStyle& style) {
  TextColumn rank = column("");
  TextColumn name = column("computation", true);
  TextColumn machine = column("machine", true);
  TextColumn level = column("level", true);
  TextColumn intensity = column("flop/byte");
  TextColumn rate = column("performance");
  TextColumn what = column("", true);
  std::vector<std::string> names;
  for (const RooflineDot& dot : chart.dots) {
    if (std::find(names.begin(), names.end(), dot.name) == names.end()) {
      names.push_back(dot.name);
    }
    const auto at = std::find(names.begin(), names.end(), dot.name) - names.begin();
    rank.cells.push_back(fmt::format("{}", at + 1));
    name.cells.push_back(shorten_middle(clean(dot.name, style.unicode), 32, style.unicode));
    machine.cells.push_back(clean(dot.machine.value_or(std::string(kUnknown)), style.unicode));
    level.cells.push_back(clean(dot.level, style.unicode));
    intensity.cells.push_back(number(dot.intensity));
    rate.cells.push_back(si(dot.performance, "Flop/s"));
    what.cells.emplace_back(dot.measured ? "measured" : "attainable");
  }
  return render_table({rank, name, machine, level, intensity, rate, what},
                      static_cast<std::size_t>(style.columns), style);
}

std::string line_table(const RooflineChart& chart, const TextStyle& style) {
  TextColumn machine = column("machine", true);
  TextColumn line = column("line", true);
  TextColumn rate = column("rate");
  TextColumn basis = column("basis", true);
  TextColumn origin = column("origin", true);
  for (const RooflineMachine& each : chart.machines) {
    for (const RooflineLine& one : each.lines) {
      machine.cells.push_back(clean(each.key, style.unicode));
      line.cells.push_back(clean(one.words, style.unicode));
      rate.cells.push_back(si(one.rate, one.level ? "B/s" : "Flop/s"));
      basis.cells.emplace_back(to_string(one.basis));
      origin.cells.push_back(
          fmt::format("{}{}{}", to_string(one.origin),
                      one.source ? fmt::format(" [{}]", clean(*one.source, style.unicode)) : "",
                      one.verified ? "" : ", unverified"));
    }
  }
  return render_table({machine, line, rate, basis, origin}, static_cast<std::size_t>(style.columns),
                      style);
}

}  // namespace

std::string roofline_notes(const RooflineChart& chart, const TextStyle& style) {
  constexpr std::size_t kIndent = 6;
  const std::size_t width = static_cast<std::size_t>(std::max(style.columns, 60)) - kIndent;
  std::string out;
  const auto add = [&](const std::vector<Note>& notes) {
    for (const Note& note : notes) {
      const std::vector<std::string> lines = wrap(clean(note.text, style.unicode), width);
      for (std::size_t i = 0; i < lines.size(); ++i) {
        out += fmt::format("{}{}\n", i == 0 ? "note: " : "      ", lines[i]);
      }
    }
  };
  for (const RooflineMachine& machine : chart.machines) {
    add(machine.notes);
  }
  add(chart.notes);
  return out;
}

std::string roofline_text(const RooflineChart& chart, const TextStyle& style) {
  std::string out = "\n" + chart_text(machines_chart(chart), style);
  if (!chart.dots.empty()) {
    out += "\n" + dot_table(chart, style);
  }
  if (!chart.machines.empty()) {
    out += "\n" + line_table(chart, style);
  }
  for (const SpectrumBand& band : chart.spectrum) {
    out += fmt::format("{}{}: {} to {} flop/byte ({})\n",
                       &band == chart.spectrum.data() ? "\n" : "", clean(band.name, style.unicode),
                       number(band.low), number(band.high), clean(band.sizes, style.unicode));
  }
  const std::string notes = roofline_notes(chart, style);
  return notes.empty() ? out : out + "\n" + notes;
}

}  // namespace ridge::render
