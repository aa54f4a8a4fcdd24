#include "render/document/model/loop_sections.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "render/chart/format_si.hpp"
#include "render/chart/text.hpp"
#include "render/document/model/loop_tables.hpp"
#include "render/document/model/loop_words.hpp"
#include "render/document/model/measured_words.hpp"

namespace ridge::render {
namespace {

LoopPart prediction_part(const LoopModel& model, const LoopPrediction& prediction) {
  LoopPart part;
  part.sentences.push_back(
      fmt::format("On {}{}, {}", clean(prediction.machine),
                  prediction.clock ? " at " + si(*prediction.clock, "Hz") : std::string(),
                  verdict_words(prediction)));
  if (prediction.ecm) {
    part.sentences.push_back(
        fmt::format("ECM {}: {}", ecm_notation(prediction), ecm_legend(*prediction.ecm)));
  }
  part.tables = prediction_tables(model, prediction);
  return part;
}

LoopSection section_of(const LoopModel& model) {
  const std::string sizes = size_words(model);
  LoopSection section{loop_title(model) + (sizes.empty() ? "" : ", " + sizes), {}};
  section.parts.push_back({.code = nest_lines(model), .sentences = {}, .tables = {}, .sweep = {}});
  section.parts.push_back(
      {.code = {}, .sentences = {}, .tables = traffic_tables(model), .sweep = {}});
  section.parts.push_back(
      {.code = {}, .sentences = blocking_words(model), .tables = {}, .sweep = {}});
  if (model.in_core) {
    section.parts.push_back(
        {.code = {}, .sentences = in_core_words(*model.in_core), .tables = {}, .sweep = {}});
  }
  for (const LoopPrediction& prediction : model.predictions) {
    section.parts.push_back(prediction_part(model, prediction));
  }
  section.parts.push_back(
      {.code = {}, .sentences = measured_words(model), .tables = {}, .sweep = {}});
  section.parts.push_back({.code = {}, .sentences = note_words(model), .tables = {}, .sweep = {}});
  return section;
}

/// The nest at its smallest size says what it accesses; figures stand in the sweep.
LoopSection section_of(const std::vector<LoopSweep>& sweeps) {
  const LoopModel& first = *sweeps.front().points.front().model;
  LoopSection section{
      fmt::format("{}, {} = {} to {}", loop_title(first), sweeps.front().symbol,
                  sweeps.front().points.front().value, sweeps.front().points.back().value),
      {}};
  section.parts.push_back({.code = nest_lines(first), .sentences = {}, .tables = {}, .sweep = {}});
  for (const LoopSweep& sweep : sweeps) {
    section.parts.push_back({.code = {},
                             .sentences = break_words(sweep),
                             .tables = {sweep_table(sweep)},
                             .sweep = sweep});
  }
  return section;
}

}  // namespace

std::vector<LoopSection> loop_sections(const LoopModels& models) {
  std::vector<LoopSection> sections;
  for (const LoopGroup& group : groups_of(models)) {
    if (const std::vector<LoopSweep> sweeps = sweeps_of(group); !sweeps.empty()) {
      sections.push_back(section_of(sweeps));
      continue;
    }
    for (const LoopModel* model : group) {
      sections.push_back(section_of(*model));
    }
  }
  return sections;
}

std::string loop_models_title(const LoopModels& models) {
  return "Loops of " + clean(models.source);
}

std::string loop_models_lead(const LoopModels& models) {
  return fmt::format("Caches of {}, {}, ridge {}", clean(models.machine), clean(models.date),
                     clean(models.ridge_version));
}

}  // namespace ridge::render
