// What an instrumented module carries besides code: descriptor, constructor, ELF note.
#pragma once

#include <string>

#include "instrument/llvm_pass/insert/entry.hpp"

namespace ridge::pass {

/// Fills in struct ridge_module, registers it in a constructor and leaves the ELF note.
void add_module_glue(llvm::Module& module, const RuntimeSymbols& runtime,
                     const std::string& descriptor);

}  // namespace ridge::pass
