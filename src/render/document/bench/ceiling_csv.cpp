#include "render/document/bench/ceiling_csv.hpp"

#include <optional>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "render/chart/ceilings.hpp"
#include "render/format/csv/csv_row.hpp"

namespace ridge::render {

std::string ceiling_csv(const Machine& machine) {
  CsvRow titles;
  for (const char* title : {"ceiling", "kind", "precision", "isa", "operation", "level", "pattern",
                            "threads", "unit", "median", "p90", "low", "high", "samples",
                            "traffic p90 [byte/s]", "limit", "fraction of limit", "flags"}) {
    titles.text(title);
  }
  std::string out = titles.line();
  for (const Ceiling& ceiling : machine.ceilings) {
    CsvRow row;
    row.text(ceiling.id);
    row.text(to_string(ceiling.kind));
    row.text(ceiling.precision.value_or(""));
    row.text(ceiling.isa ? to_string(*ceiling.isa) : "");
    row.text(ceiling.operation ? to_string(*ceiling.operation) : "");
    row.text(ceiling.level ? to_string(*ceiling.level) : std::string_view());
    row.text(ceiling.pattern ? to_string(*ceiling.pattern) : "");
    row.count(ceiling.threads);
    row.text(unit_of(ceiling.value));
    std::visit(
        [&](const auto& value) {
          for (const auto figure : {value.median, value.p90, value.low, value.high}) {
            row.number(figure.value());
          }
          row.count(value.samples);
        },
        ceiling.value);
    row.number(ceiling.traffic_value ? std::optional(traffic_rate(ceiling)) : std::nullopt);
    row.number(ceiling.limit);
    row.number(ceiling.limit_fraction);
    row.text(fmt::format("{}", fmt::join(ceiling.flags, " ")));
    out += row.line();
  }
  return out;
}

}  // namespace ridge::render
