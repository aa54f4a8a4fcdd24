// Libraries choose their code by what the processor can, and an engine may offer less than it.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace ridge::measure::binary {

/// Variables by which OpenBLAS, numpy and the C library take their AVX2 code (Haswell's) also on
/// processors with AVX-512. What the user has set already is left as it is.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> same_code_variables();

}  // namespace ridge::measure::binary
