// What the backend will do with a function's floating-point code, read from its attributes.
#pragma once

#include <cstdint>
#include <optional>

#include <llvm/IR/Function.h>
#include <llvm/IR/Type.h>

namespace ridge::pass {

/// RIDGE_FP64 ...; nullopt for x87, fp128 and everything that is no floating-point type.
[[nodiscard]] std::optional<uint16_t> precision_of(const llvm::Type* type);

/// Lanes of a fixed vector, 1 for a scalar.
[[nodiscard]] unsigned lanes_of(const llvm::Type* type);

class Target {
 public:
  explicit Target(const llvm::Function& function);

  /// Bits of the register that holds `type`: the element of a scalar; for a vector 128, 256 or 512,
  /// at most the widest register that the function may use (wider types are split).
  [[nodiscard]] unsigned register_bits(const llvm::Type* type) const;
  /// llvm.fmuladd becomes one instruction for this type.
  [[nodiscard]] bool has_fma(const llvm::Type* type) const;
  /// There are operations that leave out lanes by a mask, into which the backend folds selects.
  [[nodiscard]] bool has_masks() const { return masks_; }
  /// The backend fuses contract-flagged mul and add pairs (not at -O0).
  [[nodiscard]] bool contracts() const { return contracts_; }

 private:
  unsigned widest_bits_ = 128;
  bool fma_ = false;
  bool fma_fp16_ = false;
  bool masks_ = false;
  bool contracts_ = false;
};

}  // namespace ridge::pass
