#include "render/document/run/loop_cells.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "core/value/region_names.hpp"
#include "render/chart/format_si.hpp"
#include "render/chart/names.hpp"
#include "render/chart/text.hpp"

namespace ridge::render {
namespace {

/// Why threads wait, by the code of the finding that says it in full.
std::string waiting_reason(std::string_view code) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kReasons{{
      {"waits-imbalance", "imbalance"},
      {"waits-serial", "serial parts"},
      {"waits-lock", "a lock"},
      {"waits-oversubscribed", "few CPUs"},
      {"waits-busy", "busy machine"},
  }};
  const auto known = std::find_if(kReasons.begin(), kReasons.end(),
                                  [&](const auto& reason) { return reason.first == code; });
  return known == kReasons.end() ? std::string(kUnknown) : std::string(known->second);
}

const Bound* code_bound(const ShownRegion& row) {
  return row.prediction != nullptr && row.prediction->code ? &*row.prediction->code : nullptr;
}

/// What a region does instead of running its own code.
std::string outside_words(VerdictKind kind, bool brief) {
  return kind == VerdictKind::asleep ? "asleep" : brief ? "kernel" : "in the kernel";
}

std::string with_doubt(std::string figure, const LevelFigures& figures) {
  return figures.doubtful ? figure + "?" : figure;
}

}  // namespace

std::string bound_cell(const ShownRegion& row, bool brief, bool unicode) {
  if (is_waiting(*row.region)) {
    const auto& findings = findings_of(row.prediction);
    return waiting_reason(findings.empty() ? std::string_view() : findings.front().code);
  }
  if (is_outside_code(row.prediction)) {
    return outside_words(row.prediction->verdict->kind, brief);
  }
  const Bound* bound = code_bound(row);
  return bound == nullptr ? std::string(kUnknown)
         : brief          ? brief_ceiling_words(bound->ceiling, unicode)
                          : ceiling_words(bound->ceiling, unicode);
}

std::string intensity_cell(const LevelFigures& figures) {
  return with_doubt(figures.unbounded ? "unb." : number(figures.intensity), figures);
}

std::string rate_cell(const ShownRegion& row) {
  if (row.has_work || !row.binding) {
    return si(row.flops_per_second, "");
  }
  const LevelFigures& figures = row.levels[*row.binding];
  return with_doubt(si(figures.bytes_per_second, "B/s"), figures);
}

std::string binding_cell(const ShownRegion& row, const Selection& selection) {
  if (!row.binding || code_bound(row) == nullptr) {
    return std::string(kUnknown);
  }
  const std::string level(to_string(selection.levels[*row.binding]));
  return row.has_work ? fmt::format("{} {}", intensity_cell(row.levels[*row.binding]), level)
                      : level;
}

}  // namespace ridge::render
