// What instructions compute.
#pragma once

#include <optional>

#include <llvm/IR/Instruction.h>

#include "core/value/loop_nest.hpp"

namespace ridge::analyze {

/// nullopt: nothing that counts. Of vectors, one for each element.
[[nodiscard]] std::optional<LoopOperation> operation_of(const llvm::Instruction& instruction);

}  // namespace ridge::analyze
