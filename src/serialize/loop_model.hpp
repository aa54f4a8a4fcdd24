// `ridge.loop-model/1`: what `ridge model` knows of loops before they run.
#pragma once

#include <string>
#include <string_view>

#include "core/result.hpp"
#include "core/value/loop_model.hpp"

namespace ridge::serialize {

[[nodiscard]] std::string write_loop_models(const LoopModels& models);

[[nodiscard]] Result<LoopModels> parse_loop_models(std::string_view text,
                                                   std::string_view file_name);

}  // namespace ridge::serialize
