#include "bench/jit_instructions.hpp"

#include <array>

namespace ridge::bench {
namespace {

namespace Inst = asmjit::x86::Inst;

constexpr Instructions kPackedDouble{Inst::kIdVmovapd,     Inst::kIdVmovntpd, Inst::kIdVfmadd213pd,
                                     Inst::kIdVfmadd231pd, Inst::kIdVaddpd,   Inst::kIdVmulpd,
                                     Inst::kIdVdivpd,      Inst::kIdVsqrtpd};
constexpr Instructions kPackedSingle{Inst::kIdVmovaps,     Inst::kIdVmovntps, Inst::kIdVfmadd213ps,
                                     Inst::kIdVfmadd231ps, Inst::kIdVaddps,   Inst::kIdVmulps,
                                     Inst::kIdVdivps,      Inst::kIdVsqrtps};
constexpr Instructions kScalarDouble{Inst::kIdVmovsd,      0,
                                     Inst::kIdVfmadd213sd, Inst::kIdVfmadd231sd,
                                     Inst::kIdVaddsd,      Inst::kIdVmulsd,
                                     Inst::kIdVdivsd,      Inst::kIdVsqrtsd};
constexpr Instructions kScalarSingle{Inst::kIdVmovss,      0,
                                     Inst::kIdVfmadd213ss, Inst::kIdVfmadd231ss,
                                     Inst::kIdVaddss,      Inst::kIdVmulss,
                                     Inst::kIdVdivss,      Inst::kIdVsqrtss};
// Half precision is moved as if it were single: 32 equal bits hold two equal halves.
constexpr Instructions kPackedHalf{
    Inst::kIdVmovaps, 0, Inst::kIdVfmadd213ph, 0, Inst::kIdVaddph, Inst::kIdVmulph, Inst::kIdVdivph,
    Inst::kIdVsqrtph};
constexpr Instructions kScalarHalf{
    Inst::kIdVmovss, 0, Inst::kIdVfmadd213sh, 0, Inst::kIdVaddsh, Inst::kIdVmulsh, Inst::kIdVdivsh,
    Inst::kIdVsqrtsh};
constexpr Instructions kLegacyDouble{
    Inst::kIdMovapd, 0, 0, 0, Inst::kIdAddpd, Inst::kIdMulpd, Inst::kIdDivpd, Inst::kIdSqrtpd};
constexpr Instructions kLegacySingle{
    Inst::kIdMovaps, 0, 0, 0, Inst::kIdAddps, Inst::kIdMulps, Inst::kIdDivps, Inst::kIdSqrtps};
// Integers are moved as if they were floating-point numbers: no kernel moves them while it is
// timed.
constexpr Instructions kPackedInt64{
    .move = Inst::kIdVmovapd, .add = Inst::kIdVpaddq, .mul = Inst::kIdVpmullq};
constexpr Instructions kPackedInt32{
    .move = Inst::kIdVmovaps, .add = Inst::kIdVpaddd, .mul = Inst::kIdVpmulld};
constexpr Instructions kLegacyInt64{.move = Inst::kIdMovapd, .add = Inst::kIdPaddq};
constexpr Instructions kLegacyInt32{.move = Inst::kIdMovaps, .add = Inst::kIdPaddd};

}  // namespace

const Instructions& instructions_of(Isa isa, Precision precision, Numbers numbers) {
  const bool twice = precision == Precision::fp64;
  if (numbers == Numbers::int32 || numbers == Numbers::int64) {
    return isa == Isa::sse_legacy ? (twice ? kLegacyInt64 : kLegacyInt32)
                                  : (twice ? kPackedInt64 : kPackedInt32);
  }
  if (isa == Isa::sse_legacy) {
    return twice ? kLegacyDouble : kLegacySingle;
  }
  if (precision == Precision::fp16) {
    return isa == Isa::scalar ? kScalarHalf : kPackedHalf;
  }
  if (isa == Isa::scalar) {
    return twice ? kScalarDouble : kScalarSingle;
  }
  return twice ? kPackedDouble : kPackedSingle;
}

}  // namespace ridge::bench
