#include "render/document/chart/roofline_csv.hpp"

#include "render/format/csv/csv_row.hpp"

namespace ridge::render {
namespace {

std::string heading() {
  CsvRow row;
  for (const char* title :
       {"what", "name", "machine", "level", "intensity [flop/byte]", "performance [flop/s]",
        "bandwidth [byte/s]", "basis", "origin", "source"}) {
    row.text(title);
  }
  return row.line();
}

std::string row_of(const RooflineDot& dot) {
  CsvRow row;
  row.text(dot.measured ? "measured" : "attainable");
  row.text(dot.name);
  row.text(dot.machine.value_or(""));
  row.text(dot.level);
  row.number(dot.intensity);
  row.number(dot.performance);
  row.number(std::nullopt);
  row.text("");
  row.text("");
  row.text(dot.source);
  return row.line();
}

std::string row_of(const RooflineMachine& machine, const RooflineLine& line) {
  CsvRow row;
  row.text(to_string(line.kind));
  row.text(line.words);
  row.text(machine.key);
  row.text(line.level ? to_string(*line.level) : "");
  row.number(std::nullopt);
  row.number(line.level ? std::nullopt : std::optional(line.rate));
  row.number(line.level ? std::optional(line.rate) : std::nullopt);
  row.text(to_string(line.basis));
  row.text(to_string(line.origin));
  row.text(line.source.value_or(""));
  return row.line();
}

}  // namespace

std::string roofline_csv(const RooflineChart& chart) {
  std::string out = heading();
  for (const RooflineDot& dot : chart.dots) {
    out += row_of(dot);
  }
  for (const RooflineMachine& machine : chart.machines) {
    for (const RooflineLine& line : machine.lines) {
      out += row_of(machine, line);
    }
  }
  return out;
}

}  // namespace ridge::render
