// Instruction sets that ceilings are measured for.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "platform/cpu.hpp"

namespace ridge::bench {

/// `sse` is the 128-bit width in VEX encoding, as compilers emit it for any CPU since 2011.
enum class Isa { scalar, sse, avx2, avx512 };

inline constexpr std::array kIsas{Isa::scalar, Isa::sse, Isa::avx2, Isa::avx512};

/// As ceiling ids spell it.
[[nodiscard]] std::string_view to_string(Isa isa);
[[nodiscard]] std::optional<Isa> parse_isa(std::string_view text);

/// Width of a vector register in bytes; the scalar "vector" holds one element of `element_bytes`.
[[nodiscard]] unsigned vector_bytes(Isa isa, unsigned element_bytes);

[[nodiscard]] bool is_supported(Isa isa, const platform::SimdSupport& simd);

}  // namespace ridge::bench
