// Starts ridge-model, and reads what it says.
#pragma once

#include <string>

#include "cli/modelling/model_request.hpp"
#include "core/result.hpp"
#include "core/value/loop_model.hpp"
#include "core/value/machine.hpp"

namespace ridge::cli {

/// lib/ridge/ridge-model beside this program.
[[nodiscard]] std::string modeller_path();

/// `request.machine` is set here. Errors: `unavailable` where there is no such program, or it does
/// not start; those that it reports.
[[nodiscard]] Result<LoopModels> model_by(const std::string& modeller, ModelRequest request,
                                          const Machine& machine);

}  // namespace ridge::cli
