#include "instrument/llvm_pass/cost/generic/target.hpp"

#include <algorithm>

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/Support/MathExtras.h>

#include "abi/descriptor.h"

namespace ridge::pass {

using namespace llvm;

std::optional<uint16_t> precision_of(const Type* type) {
  const Type* element = type->getScalarType();
  if (element->isDoubleTy()) return RIDGE_FP64;
  if (element->isFloatTy()) return RIDGE_FP32;
  if (element->isHalfTy()) return RIDGE_FP16;
  if (element->isBFloatTy()) return RIDGE_BF16;
  return std::nullopt;
}

unsigned lanes_of(const Type* type) {
  const auto* vector = dyn_cast<FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

namespace {

unsigned number_attribute(const Function& function, StringRef name, unsigned fallback) {
  unsigned value = fallback;
  const Attribute attribute = function.getFnAttribute(name);
  if (attribute.isValid() && attribute.getValueAsString().getAsInteger(10, value)) return fallback;
  return value;
}

}  // namespace

Target::Target(const Function& function) {
  StringSet<> features;
  SmallVector<StringRef, 64> list;
  function.getFnAttribute("target-features").getValueAsString().split(list, ',', -1, false);
  for (StringRef feature : list) {
    if (feature.consume_front("+")) features.insert(feature);
  }
  const bool avx512 = features.contains("avx512f");
  fma_ = avx512 || features.contains("fma") || features.contains("fma4");
  fma_fp16_ = features.contains("avx512fp16");
  masks_ = avx512;
  contracts_ = !function.hasOptNone();
  if (features.contains("avx")) widest_bits_ = 256;
  const unsigned preferred = number_attribute(function, "prefer-vector-width", 512);
  const unsigned required = number_attribute(function, "min-legal-vector-width", 512);
  if (avx512 && (preferred >= 512 || required >= 512)) widest_bits_ = 512;
}

unsigned Target::register_bits(const Type* type) const {
  const unsigned element = type->getScalarSizeInBits();
  const unsigned lanes = lanes_of(type);
  if (lanes == 1) return element;
  return std::clamp(static_cast<unsigned>(PowerOf2Ceil(uint64_t{element} * lanes)), 128u,
                    widest_bits_);
}

bool Target::has_fma(const Type* type) const {
  const std::optional<uint16_t> precision = precision_of(type);
  if (precision == RIDGE_FP64 || precision == RIDGE_FP32) return fma_;
  return precision == RIDGE_FP16 && fma_fp16_;
}

}  // namespace ridge::pass
