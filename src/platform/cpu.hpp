// Who the processor is and which vector instructions it and the operating system allow (CPUID).
#pragma once

#include "core/value/machine.hpp"

namespace ridge::platform {

/// Vendor, brand string, family, model and stepping as CPUID gives them (extended fields added as
/// both vendors document). Fields that CPUID does not give keep their defaults.
[[nodiscard]] CpuIdentity cpu_identity();

/// Family, model and stepping from EAX of CPUID leaf 1 (AMD APM volume 3, appendix E; Intel SDM
/// volume 2, CPUID).
struct CpuSignature {
  unsigned family = 0;
  unsigned model = 0;
  unsigned stepping = 0;

  friend bool operator==(const CpuSignature&, const CpuSignature&) = default;
};
[[nodiscard]] CpuSignature decode_signature(unsigned leaf1_eax);

/// Vector instructions that may be executed: the CPU has them and the operating system saves
/// their registers.
struct SimdSupport {
  bool avx = false;
  bool fma = false;
  bool avx2 = false;
  bool avx512 = false;     ///< AVX-512F
  bool avx512_dq = false;  ///< products of 64-bit integers
  bool avx512_fp16 = false;
  bool avx512_bf16 = false;
  bool avx512_vnni = false;
  bool amx_bf16 = false;  ///< of AMX: this process may use the tiles (asked for on the first call)
  bool amx_int8 = false;

  friend bool operator==(const SimdSupport&, const SimdSupport&) = default;
};
[[nodiscard]] SimdSupport simd_support();

}  // namespace ridge::platform
