// Modelled loops for people: in a terminal, as Markdown and as a page.
#pragma once

#include <string>

#include "core/value/loop_model.hpp"
#include "render/chart/style.hpp"

namespace ridge::render {

/// Each nest with its loops and accesses, layer conditions, traffic, advice, core, rooflines and
/// ECM model; of a nest at several sizes the sweep (loop_sweep.hpp) as chart and table.
[[nodiscard]] std::string loop_models_text(const LoopModels& models, const TextStyle& style);

/// For GitHub, without charts.
[[nodiscard]] std::string loop_models_markdown(const LoopModels& models);

/// One HTML file that loads nothing, with the charts of sweeps. Whatever names hold stays text.
[[nodiscard]] std::string loop_models_page(const LoopModels& models);

}  // namespace ridge::render
