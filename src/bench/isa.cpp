#include "bench/isa.hpp"

#include <cstddef>

namespace ridge::bench {
namespace {

constexpr std::array<std::string_view, kAllIsas.size()> kNames{"scalar", "sse",        "avx2",
                                                               "avx512", "sse-legacy", "amx"};
constexpr std::array<unsigned, kAllIsas.size()> kVectorBytes{0, 16, 32, 64, 16, 1024};

constexpr std::size_t index(Isa isa) {
  return static_cast<std::size_t>(isa);
}

}  // namespace

std::string_view to_string(Isa isa) {
  return kNames.at(index(isa));
}

std::optional<Isa> parse_isa(std::string_view text) {
  for (const Isa isa : kAllIsas) {
    if (to_string(isa) == text) {
      return isa;
    }
  }
  return std::nullopt;
}

unsigned vector_bytes(Isa isa, unsigned element_bytes) {
  return isa == Isa::scalar ? element_bytes : kVectorBytes.at(index(isa));
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
  }
  return false;
}

}  // namespace ridge::bench
