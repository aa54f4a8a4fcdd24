#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "render/chart/format_si.hpp"
#include "render/chart/names.hpp"
#include "render/chart/text.hpp"
#include "render/document/compare/cells.hpp"
#include "render/document/compare/comparison_table.hpp"
#include "render/format/text/paint.hpp"
#include "render/format/text/text_table.hpp"

namespace ridge::render {
namespace {

const ComparedCeiling::Value* find(const ComparedCeiling& ceiling, std::size_t machine) {
  const auto found =
      std::find_if(ceiling.values.begin(), ceiling.values.end(),
                   [&](const ComparedCeiling::Value& value) { return value.machine == machine; });
  return found == ceiling.values.end() ? nullptr : &*found;
}

std::string value_text(const ComparedCeiling& ceiling, const ComparedCeiling::Value* value) {
  if (value == nullptr) {
    return std::string(kUnknown);
  }
  return si(value->p90, ceiling.unit == "byte/s"   ? "B/s"
                        : ceiling.unit == "flop/s" ? "Flop/s"
                                                   : ceiling.unit.c_str());
}

std::string ratio_text(const ComparedCeiling::Value* value, bool unicode) {
  if (value == nullptr || !value->ratio) {
    return std::string(kUnknown);
  }
  Change change;
  change.verdict = value->verdict;
  change.ratio = value->ratio;
  return change_text(&change, unicode);
}

/// "fp64 AVX-512 FMA, 2 threads": ids differ in more than ceiling_words() tells.
std::string ceiling_name(const ComparedCeiling& ceiling, bool unicode) {
  return clean(ceiling.id, unicode);
}

}  // namespace

std::string machine_comparison_table(const MachineComparison& comparison, const TextStyle& style) {
  std::string out;
  for (const std::string& line :
       wrap(clean(comparison.summary, style.unicode), usable_columns(style) - 2)) {
    out += fmt::format("  {}\n", paint(line, kBold, style));
  }
  std::vector<std::string> changes;
  std::vector<TextColumn> columns(1);
  columns[0].title = "ceiling";
  columns[0].left = true;
  for (const ComparedCeiling& ceiling : comparison.ceilings) {
    columns[0].cells.push_back(ceiling_name(ceiling, style.unicode));
  }
  for (std::size_t i = 0; i < comparison.machines.size(); ++i) {
    constexpr std::size_t kLabel = 20;
    TextColumn values;
    values.title =
        shorten_middle(clean(comparison.machines[i].label, style.unicode), kLabel, style.unicode);
    TextColumn ratios;
    ratios.title = "change";
    for (const ComparedCeiling& ceiling : comparison.ceilings) {
      values.cells.push_back(value_text(ceiling, find(ceiling, i)));
      ratios.cells.push_back(ratio_text(find(ceiling, i), style.unicode));
    }
    columns.push_back(std::move(values));
    if (i > 0) {
      changes.insert(changes.end(), ratios.cells.begin(), ratios.cells.end());
      columns.push_back(std::move(ratios));
    }
  }
  out += "\n" + render_table(std::move(columns), usable_columns(style), style);
  std::string notes;
  for (const Note& note : comparison.notes) {
    notes += fmt::format("  - {}\n", clean(note.text, style.unicode));
  }
  for (const std::string& line : mark_explanations(changes)) {
    notes += fmt::format("  - {}\n", line);
  }
  return notes.empty() ? out : out + fmt::format("\n  {}\n{}", paint("Notes", kBold, style), notes);
}

}  // namespace ridge::render
