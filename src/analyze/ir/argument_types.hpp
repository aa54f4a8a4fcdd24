// Types of the source, from debug information, as arguments.
#pragma once

#include <string>

#include <llvm/IR/DebugInfoMetadata.h>

#include "analyze/ir/parameter.hpp"

namespace ridge::analyze {

/// `is_address`: what is passed is an address, as all of Fortran is, whatever the type.
[[nodiscard]] Parameter parameter_of(const std::string& name, const llvm::DIType* type,
                                     bool is_address);

/// A variable of its own: the type of arrays is that of their elements.
[[nodiscard]] Parameter variable_of_type(const std::string& name, const llvm::DIType* type);

/// Why a function that returns it cannot be called; empty: it can.
[[nodiscard]] std::string reason_of_return(const llvm::DIType* type);

}  // namespace ridge::analyze
