// What a document on modelled loops holds, before it has a format. Texts are clean.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/value/loop_model.hpp"
#include "render/document/model/loop_sweep.hpp"
#include "render/format/html/static_page.hpp"

namespace ridge::render {

/// What belongs together: lines of code, then sentences, a chart and tables.
struct LoopPart {
  std::vector<std::string> code;
  std::vector<std::string> sentences;
  std::vector<PageTable> tables;
  std::optional<LoopSweep> sweep;
};

/// One nest at one size, or one at many.
struct LoopSection {
  std::string title;
  std::vector<LoopPart> parts;
};

/// Nests in the order in which they first stand, each with all of its sizes.
[[nodiscard]] std::vector<LoopSection> loop_sections(const LoopModels& models);

/// "Loops of stencil.c".
[[nodiscard]] std::string loop_models_title(const LoopModels& models);
/// Caches, date and version.
[[nodiscard]] std::string loop_models_lead(const LoopModels& models);

}  // namespace ridge::render
