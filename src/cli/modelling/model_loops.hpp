// From a source file to the models of its loops: compiled, read, and put against caches and core.
#pragma once

#include "cli/modelling/model_request.hpp"
#include "core/result.hpp"
#include "core/value/loop_model.hpp"
#include "core/value/machine.hpp"

namespace ridge::cli {

/// Of a source file. Names in the sizes that are no parameters of a loop are defined as macros.
/// Errors: those of compile() and analyze::loop_nests(); `bad_input` where no loop is there, or
/// none at that line.
[[nodiscard]] Result<LoopModels> model_loops(const ModelRequest& request, const Machine& machine);

/// Of a program, library or object (bytes of an ELF file): the cycles of every innermost loop in
/// the core, nothing else. Errors: those of analyze::in_core_loops(); `bad_input` without a loop.
[[nodiscard]] Result<LoopModels> model_code(const ModelRequest& request, const Machine& machine,
                                            const std::string& object);

}  // namespace ridge::cli
