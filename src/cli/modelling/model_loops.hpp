// From a source file to the models of its loops: compiled, read, and put against caches and core.
#pragma once

#include "cli/modelling/model_request.hpp"
#include "core/result.hpp"
#include "core/value/loop_model.hpp"
#include "core/value/machine.hpp"

namespace ridge::cli {

/// Names in the sizes that are no parameters of a loop are defined as macros. Errors: those of
/// compile() and analyze::loop_nests(); `bad_input` where no loop is there, or none at that line.
[[nodiscard]] Result<LoopModels> model_loops(const ModelRequest& request, const Machine& machine);

}  // namespace ridge::cli
