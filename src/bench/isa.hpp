// Instruction sets that ceilings are measured for.
#pragma once

#include <array>

#include "core/identity/isa.hpp"
#include "platform/cpu.hpp"

namespace ridge::bench {

/// The widths that every kernel exists for, narrow to wide.
inline constexpr std::array kIsas{Isa::scalar, Isa::sse, Isa::avx2, Isa::avx512};
/// Besides those, the ones that only some kernels exist for (variants.hpp).
inline constexpr std::array kAllIsas{Isa::sse_legacy, Isa::scalar, Isa::sse,
                                     Isa::avx2,       Isa::avx512, Isa::amx};

/// Width of a vector register in bytes; the scalar "vector" holds one element of `element_bytes`.
[[nodiscard]] unsigned vector_bytes(Isa isa, unsigned element_bytes);

/// Whether the CPU has it, and the emitter code for it: nothing is emitted for Arm.
[[nodiscard]] bool is_supported(Isa isa, const platform::SimdSupport& simd);

}  // namespace ridge::bench
