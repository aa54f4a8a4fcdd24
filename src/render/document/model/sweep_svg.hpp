// Sweeps over sizes as pictures.
#pragma once

#include <string>

#include "core/value/loop_model.hpp"
#include "render/document/model/loop_sweep.hpp"

namespace ridge::render {

/// A stand-alone SVG file with all sweeps of the models, one below the other; without a sweep a
/// picture that says so.
[[nodiscard]] std::string loop_sweep_svg(const LoopModels& models);

/// One of them as an element of a page; empty without times.
[[nodiscard]] std::string sweep_element(const LoopSweep& sweep);

}  // namespace ridge::render
