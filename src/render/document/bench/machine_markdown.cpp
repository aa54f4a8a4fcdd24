#include "render/document/bench/machine_markdown.hpp"

#include <cstddef>

#include <fmt/format.h>

#include "render/chart/ceiling_figures.hpp"
#include "render/chart/format_si.hpp"
#include "render/chart/names.hpp"
#include "render/chart/text.hpp"
#include "render/format/markdown/markdown_table.hpp"
#include "render/format/markdown/markdown_text.hpp"

namespace ridge::render {

std::string markdown_machine(const Machine& machine, std::string_view title) {
  std::string out = fmt::format(
      "# {}\n\n{}\n\n",
      markdown_text(title.empty() ? fmt::format("Roofs of {}", clean(machine.name)) : title),
      markdown_text(topology_line(machine)));
  constexpr std::size_t kWords = 4;
  MarkdownTable table({"ceiling", "origin", "flags", "unit", "threads", "p90 (latency: p10)",
                       "of traffic", "median", "spread", "of theory"},
                      kWords);
  for (const Ceiling& ceiling : machine.ceilings) {
    const CeilingFigures figures = figures_of(ceiling);
    table.add({markdown_text(figures.what), markdown_text(figures.origin),
               markdown_text(figures.flags), markdown_text(figures.unit),
               std::to_string(ceiling.threads), figures.quoted, figures.traffic, figures.median,
               percent(figures.spread, 1), markdown_text(limit_words(ceiling))});
  }
  return trimmed(out + table.text());
}

}  // namespace ridge::render
