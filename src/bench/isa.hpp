// Instruction sets that ceilings are measured for.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "platform/cpu.hpp"

namespace ridge::bench {

/// `sse` is the 128-bit width in VEX encoding, as compilers emit it for any CPU since 2011.
/// `sse_legacy` is the two-operand encoding of 1999 (packed, no FMA): what a program runs that was
/// built without -march. `amx` works on tiles of 1 KiB.
enum class Isa { scalar, sse, avx2, avx512, sse_legacy, amx };

/// The widths that every kernel exists for, narrow to wide.
inline constexpr std::array kIsas{Isa::scalar, Isa::sse, Isa::avx2, Isa::avx512};
/// Besides those, the ones that only some kernels exist for (variants.hpp).
inline constexpr std::array kAllIsas{Isa::sse_legacy, Isa::scalar, Isa::sse,
                                     Isa::avx2,       Isa::avx512, Isa::amx};

/// As ceiling ids spell it.
[[nodiscard]] std::string_view to_string(Isa isa);
[[nodiscard]] std::optional<Isa> parse_isa(std::string_view text);

/// Width of a vector register in bytes; the scalar "vector" holds one element of `element_bytes`.
[[nodiscard]] unsigned vector_bytes(Isa isa, unsigned element_bytes);

[[nodiscard]] bool is_supported(Isa isa, const platform::SimdSupport& simd);

}  // namespace ridge::bench
