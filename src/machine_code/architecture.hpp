// Instruction sets whose machine code is told apart. x86-64 is read; AArch64 is recognised, and
// refused where code is decoded.
#pragma once

#include <string_view>

namespace ridge::machine_code {

enum class Architecture { x86_64, aarch64 };

/// "x86-64", "AArch64".
[[nodiscard]] constexpr std::string_view to_string(Architecture architecture) {
  return architecture == Architecture::x86_64 ? "x86-64" : "AArch64";
}

}  // namespace ridge::machine_code
