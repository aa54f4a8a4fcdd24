// What `ridge model` shows, and how it is written in each format (cli/output/output_format.hpp).
#pragma once

#include <string>

#include "core/result.hpp"
#include "core/value/loop_model.hpp"

namespace ridge::cli {

/// Time over the size. Error: `usage` where the models are of no sweep.
[[nodiscard]] Result<std::string> to_svg(const LoopModels& models);
/// One page without scripts.
[[nodiscard]] Result<std::string> to_html(const LoopModels& models);
[[nodiscard]] Result<std::string> to_markdown(const LoopModels& models);
/// ridge.loop-model/1.
[[nodiscard]] Result<std::string> to_json(const LoopModels& models);
/// The date in a PDF.
[[nodiscard]] std::string date_of(const LoopModels& models);

}  // namespace ridge::cli
