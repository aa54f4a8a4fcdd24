// The natural loops of a function. For read_function only.
#pragma once

#include "machine_code/function.hpp"

namespace ridge::machine_code {

/// Fills `loops`, `Block::loop` and `irreducible` of a function whose blocks are there.
void add_loops(Function& function);

}  // namespace ridge::machine_code
