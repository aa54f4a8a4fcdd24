#include "bench/isa.hpp"

namespace ridge::bench {

unsigned vector_bytes(Isa isa, unsigned element_bytes) {
  constexpr unsigned kBitsPerByte = 8;
  const auto bits = properties_of(isa).vector_bits;
  return bits ? *bits / kBitsPerByte : element_bytes;
}

bool is_supported(Isa isa, const platform::SimdSupport& simd) {
  switch (isa) {
    case Isa::scalar:
    case Isa::sse:
      return simd.avx;  // both are emitted in VEX encoding
    case Isa::sse_legacy:
      return true;  // part of x86-64
    case Isa::avx2:
      return simd.avx2;
    case Isa::avx512:
      return simd.avx512;
    case Isa::amx:
      return simd.amx_bf16 || simd.amx_int8;
    case Isa::neon:
    case Isa::sve:
    case Isa::vsx:
      break;
  }
  return false;
}

}  // namespace ridge::bench
