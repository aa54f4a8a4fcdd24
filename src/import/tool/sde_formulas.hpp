// Instructions of Intel SDE's mix (`sde -mix`), and the flops of each. Sources: the names are XED's
// (opcodes such as VFMADD231PD; with -iform also the operands, VFMADD231PD_YMMqq_YMMqq_YMMqq); the
// flops are those of docs/contracts.md, section 1. The lines *elements_fp_* of the mix are no
// flops: they count comparisons, minima and maxima as one and an fma as one per element.
#pragma once

#include <array>
#include <string_view>

#include "core/value/region.hpp"

namespace ridge::imports {

/// What stands before the type in an opcode, without the V of AVX.
struct SdeOperation {
  std::string_view name;
  OperationKind kind;
  unsigned flops;  ///< per lane
};
inline constexpr std::array kSdeOperations{
    SdeOperation{"ADD", OperationKind::add, 1},
    SdeOperation{"SUB", OperationKind::add, 1},
    SdeOperation{"ADDSUB", OperationKind::add, 1},
    SdeOperation{"HADD", OperationKind::add, 1},
    SdeOperation{"HSUB", OperationKind::add, 1},
    SdeOperation{"MUL", OperationKind::mul, 1},
    SdeOperation{"DIV", OperationKind::div, 1},
    SdeOperation{"SQRT", OperationKind::sqrt, 1},
    SdeOperation{"FMADD", OperationKind::fma, 2},
    SdeOperation{"FMSUB", OperationKind::fma, 2},
    SdeOperation{"FNMADD", OperationKind::fma, 2},
    SdeOperation{"FNMSUB", OperationKind::fma, 2},
    SdeOperation{"FMADDSUB", OperationKind::fma, 2},
    SdeOperation{"FMSUBADD", OperationKind::fma, 2},
};

/// Behind the name of an fma: which operand is added.
inline constexpr std::array<std::string_view, 3> kSdeFmaOrders{"132", "213", "231"};

/// The end of an opcode. `elements`: the lines of the mix that count packed instructions by lanes.
struct SdeType {
  std::string_view name;
  Precision precision;
  bool is_packed;
  std::string_view elements;
};
inline constexpr std::array kSdeTypes{
    SdeType{"PD", Precision::fp64, true, "*elements_fp_double_"},
    SdeType{"SD", Precision::fp64, false, ""},
    SdeType{"PS", Precision::fp32, true, "*elements_fp_single_"},
    SdeType{"SS", Precision::fp32, false, ""},
    SdeType{"PH", Precision::fp16, true, "*elements_fp_half_"},
    SdeType{"SH", Precision::fp16, false, ""},
};

/// In the iform of an instruction that has a mask operand, be it the one that switches nothing off.
inline constexpr std::string_view kSdeMask = "_MASK";

/// Pairs of bf16 into fp32: two fma for each fp32 lane.
inline constexpr std::string_view kSdeBf16Dot = "VDPBF16PS";

/// Floating-point work that is left out, and is told where it ran: its precision or its size is
/// none that the mix says.
inline constexpr std::array<std::string_view, 24> kSdeLeftOut{
    "FADD",   "FADDP",  "FIADD", "FSUB",      "FSUBP",     "FSUBR", "FSUBRP", "FISUB",
    "FISUBR", "FMUL",   "FMULP", "FIMUL",     "FDIV",      "FDIVP", "FDIVR",  "FDIVRP",
    "FIDIV",  "FIDIVR", "FSQRT", "TDPBF16PS", "TDPFP16PS", "DPPS",  "DPPD",   "VDPPS"};

/// The vector registers of an operand list.
struct SdeRegister {
  std::string_view name;
  unsigned bits;
};
inline constexpr std::array kSdeRegisters{SdeRegister{"ZMM", 512}, SdeRegister{"YMM", 256},
                                          SdeRegister{"XMM", 128}};

}  // namespace ridge::imports
