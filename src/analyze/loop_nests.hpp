// The loop nests of a program in LLVM's intermediate language. Knows no compiler: clang and flang
// are run by others.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "core/value/loop_nest.hpp"

namespace ridge::analyze {

/// Of every innermost loop the nest around it, in the order of the source. `program`: bitcode or
/// text, compiled with debug information and before optimisation:
///   clang -O1 -g -Xclang -disable-llvm-passes -emit-llvm -c (C++ also: -fstandalone-debug)
///   flang-new -O1 -g -mllvm -opt-bisect-limit=0 -emit-llvm -c (lists what it leaves out on
///   standard error)
/// `name` for messages. With `function`, a name of the source ("axpy", "axpy<double>",
/// "Grid::relax") or of the linker, those of the functions that have it: of all instances of a
/// template. Errors: `bad_input` where it is not LLVM's, or has no such function (the hint names
/// those that it has).
[[nodiscard]] Result<std::vector<LoopNest>> loop_nests(std::string_view program,
                                                       const std::string& name,
                                                       const std::string& function = {});

}  // namespace ridge::analyze
