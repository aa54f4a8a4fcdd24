// Costs of the intrinsics of x86 that have no generic form: explicit rounding, masked scalars, dot
// products, integer SIMD.
#include <llvm/ADT/StringSwitch.h>

#include "instrument/llvm_pass/cost/generic/cost.hpp"

namespace ridge::pass {

using namespace llvm;

namespace {

enum class Family { unknown, none, other, integer, add, mul, div, sqrt, fma, dot, dot_bf16 };

struct Name {
  StringRef operation;  ///< "add", "vfmadd", "dpbf16ps" ...
  StringRef type;       ///< "pd", "ss", "128" ... may be empty
  bool masked = false;
};

Name parse(StringRef name) {
  name.consume_front("llvm.x86.");
  SmallVector<StringRef, 6> parts;
  name.split(parts, '.');
  size_t next = parts.size() > 1 ? 1 : 0;
  Name result;
  if (next < parts.size() - 1 && (parts[next] == "mask" || parts[next] == "maskz")) {
    result.masked = true;
    ++next;
  }
  result.operation = parts[next];
  if (next + 1 < parts.size()) result.type = parts[next + 1];
  return result;
}

bool starts_with_any(StringRef text, ArrayRef<StringRef> prefixes) {
  return any_of(prefixes, [&](StringRef prefix) { return text.starts_with(prefix); });
}

Family float_family(const Name& name) {
  if (name.type.starts_with("c") || starts_with_any(name.operation, {"vfc", "vfmul"})) {
    return Family::unknown;  // complex fp16
  }
  const Family family = StringSwitch<Family>(name.operation)
                            .Cases("add", "sub", "addsub", "hadd", "hsub", Family::add)
                            .Case("mul", Family::mul)
                            .Case("div", Family::div)
                            .Case("sqrt", Family::sqrt)
                            .Cases("vfmadd", "vfmaddsub", "vfmsub", "vfmsubadd", Family::fma)
                            .Cases("dp", "dpps", "dppd", Family::dot)
                            .Case("dpbf16ps", Family::dot_bf16)
                            .Default(Family::unknown);
  if (family != Family::unknown) return family;
  if (starts_with_any(
          name.operation,
          {"max",   "min",      "cmp",     "comi",    "ucomi",  "vcomi",    "cvt",   "vcvt",
           "round", "rndscale", "getexp",  "getmant", "scalef", "fixupimm", "range", "reduce",
           "rcp",   "rsqrt",    "fpclass", "sitofp",  "uitofp", "vfrcz"})) {
    return Family::other;
  }
  return Family::unknown;
}

bool moves_only(StringRef operation) {
  return starts_with_any(
      operation,
      {"blend",  "pblend",   "perm",     "vperm",     "pshuf",     "pack",    "movmsk",  "pmovmsk",
       "expand", "compress", "insert",   "extr",      "broadcast", "vzero",   "ldmxcsr", "stmxcsr",
       "lfence", "mfence",   "sfence",   "pause",     "ptest",     "vtest",   "ktest",   "pmov",
       "rdtsc",  "ldu",      "maskload", "maskstore", "gather",    "scatter", "clflush", "clwb",
       "xgetbv", "monitor",  "mwait",    "emms"});
}

bool is_integer_simd(StringRef operation) {
  return starts_with_any(
      operation,
      {"psll", "psrl",  "psra",     "pavg",      "pmul",     "pmadd", "psad",    "psign",
       "pabs", "phadd", "phsub",    "pternlog",  "vpmadd",   "vpdp",  "mpsadbw", "dbpsadbw",
       "padd", "psub",  "addcarry", "subborrow", "conflict", "vpsh",  "kadd"});
}

/// Operations per lane of the result.
uint64_t integer_operations(StringRef operation) {
  if (operation.starts_with("vpdpb")) return 8;
  if (operation.starts_with("vpdpw")) return 4;
  if (operation.starts_with("vpmadd52")) return 2;
  if (operation.starts_with("pmadd")) return 3;
  return 1;
}

const Type* float_type(const IntrinsicInst& call) {
  if (call.getType()->isFPOrFPVectorTy()) return call.getType();
  for (const Use& argument : call.args()) {
    if (argument->getType()->isFPOrFPVectorTy()) return argument->getType();
  }
  return nullptr;
}

class X86Cost {
 public:
  X86Cost(IntrinsicInst& call, const Target& target, Cost& cost)
      : call_(call), target_(target), cost_(cost) {}

  bool add() {
    const Name name = parse(call_.getCalledFunction()->getName());
    const Type* type = float_type(call_);
    if (moves_only(name.operation)) return true;
    if (type) return add_float(name, type);
    if (!is_integer_simd(name.operation)) return false;
    cost_.fixed.push_back(
        {{RIDGE_INT_OPS}, lanes_of(call_.getType()) * integer_operations(name.operation)});
    return true;
  }

 private:
  bool add_float(const Name& name, const Type* type) {
    const bool scalar = name.type == "ss" || name.type == "sd" || name.type == "sh";
    if (scalar) type = type->getScalarType();
    switch (float_family(name)) {
      case Family::other:
        cost_.fixed.push_back({{RIDGE_OTHER_OPS}, lanes_of(type)});
        return true;
      case Family::add:
        return flops(name, type, RIDGE_ADD, 1);
      case Family::mul:
        return flops(name, type, RIDGE_MUL, 1);
      case Family::div:
        return flops(name, type, RIDGE_DIV, 1);
      case Family::sqrt:
        return flops(name, type, RIDGE_SQRT, 1);
      case Family::fma:
        return flops(name, type, RIDGE_FMA, 2);
      case Family::dot:
        return dot_product(type);
      case Family::dot_bf16:
        // Two bf16 products are added to each fp32 lane.
        fixed(RIDGE_BF16, RIDGE_FMA, target_.register_bits(type), 4 * uint64_t{lanes_of(type)});
        return true;
      default:
        return false;
    }
  }

  void fixed(uint16_t precision, uint16_t operation, unsigned width, uint64_t amount) {
    cost_.fixed.push_back({{RIDGE_FLOPS, precision, operation, width, 0}, amount});
  }

  /// Masked forms left in LLVM 19 are scalar: (a, b, source, mask, rounding). The back end drops a
  /// mask that is known.
  bool flops(const Name& name, const Type* type, uint16_t operation, uint64_t per_lane) {
    const std::optional<uint16_t> precision = precision_of(type);
    if (!precision) return false;
    const Term term{RIDGE_FLOPS, *precision, operation, target_.register_bits(type), 0};
    if (!name.masked) {
      cost_.fixed.push_back({term, per_lane * lanes_of(type)});
      return true;
    }
    if (call_.arg_size() < 4 || !call_.getArgOperand(3)->getType()->isIntegerTy()) return false;
    if (const auto* known = dyn_cast<ConstantInt>(call_.getArgOperand(3))) {
      if (known->getValue()[0]) cost_.fixed.push_back({term, per_lane});
      return true;
    }
    DynamicCost dynamic{term, per_lane};
    dynamic.low_bit_of = call_.getArgOperand(3);
    cost_.dynamic.push_back(dynamic);
    return true;
  }

  /// dpps, dppd: per 128 bits the high half of the immediate chooses the products to be added.
  bool dot_product(const Type* type) {
    const auto* immediate = dyn_cast<ConstantInt>(call_.getArgOperand(2));
    const std::optional<uint16_t> precision = precision_of(type);
    if (!immediate || !precision) return false;
    const unsigned bits = target_.register_bits(type);
    const uint64_t groups = std::max(1u, bits / 128);
    const unsigned lanes = 128 / type->getScalarSizeInBits();
    const uint64_t chosen =
        static_cast<uint64_t>(popcount((immediate->getZExtValue() >> 4) & ((1u << lanes) - 1)));
    if (chosen == 0) return true;
    fixed(*precision, RIDGE_MUL, bits, groups * chosen);
    if (chosen > 1) fixed(*precision, RIDGE_ADD, bits, groups * (chosen - 1));
    return true;
  }

  IntrinsicInst& call_;
  const Target& target_;
  Cost& cost_;
};

}  // namespace

bool x86_cost(IntrinsicInst& call, const Target& target, Cost& cost) {
  return X86Cost(call, target, cost).add();
}

}  // namespace ridge::pass
