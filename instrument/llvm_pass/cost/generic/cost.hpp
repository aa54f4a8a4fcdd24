// What one execution of an instruction costs (docs/contracts.md, section 1).
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/IntrinsicInst.h>

#include "abi/descriptor.h"
#include "instrument/llvm_pass/cost/generic/duplicates.hpp"
#include "instrument/llvm_pass/cost/generic/memory_access.hpp"
#include "instrument/llvm_pass/cost/generic/string_table.hpp"
#include "instrument/llvm_pass/cost/generic/target.hpp"

namespace ridge::pass {

/// Key of a ridge_term_descriptor.
struct Term {
  uint32_t quantity = 0;
  uint16_t precision = 0;
  uint16_t operation = 0;
  uint32_t width_bits = 0;
  uint32_t name = 0;

  friend bool operator<(const Term& a, const Term& b) {
    return std::tie(a.quantity, a.precision, a.operation, a.width_bits, a.name) <
           std::tie(b.quantity, b.precision, b.operation, b.width_bits, b.name);
  }
};

struct FixedCost {
  Term term;
  uint64_t amount = 0;
};

/// `amount` times a number that is only known when the instruction runs.
struct DynamicCost {
  Term term;
  uint64_t amount = 1;
  std::optional<MemoryAccess> bytes;  ///< its dynamic_bytes()
  LaneMask lanes;                     ///< else its active lanes
  llvm::Value* low_bit_of = nullptr;  ///< else bit 0 of this mask
  bool inverted = false;              ///< lanes (or the bit) that are off
  /// Where the number is known, if that is not at the instruction itself.
  llvm::Instruction* position = nullptr;
};

struct Cost {
  llvm::SmallVector<FixedCost, 4> fixed;
  llvm::SmallVector<DynamicCost, 2> dynamic;

  [[nodiscard]] bool empty() const { return fixed.empty() && dynamic.empty(); }
};

/// How a call is treated: by counting, by the region register, and by the placement of counters.
enum class CallKind {
  intrinsic,     ///< stays in this code; its cost is known or named
  math,          ///< libm: counted by name, no region of its own, always returns
  memory,        ///< memcpy and the like: counted, no region of its own, always returns
  assembly,      ///< inline assembly
  instrumented,  ///< defined in this module: pushes its own frame
  external,      ///< leaves instrumented code
  waiting,       ///< OpenMP runtime entry point that waits for other threads
  cheap,         ///< runtime query of a few nanoseconds: named, no region of its own
  marker,        ///< the program's markers: not named; all counters stand in memory meanwhile
};
/// Functions of include/ridge/marker.h and of the runtime behind them, and procedures of the
/// Fortran module ridge_marker.
[[nodiscard]] bool belongs_to_markers(llvm::StringRef name);
[[nodiscard]] CallKind classify(const llvm::CallBase& call);
/// False when control is known to come back to the next instruction, and only once, and nobody
/// reads the counters meanwhile.
[[nodiscard]] bool may_not_return(const llvm::Instruction& instruction);
/// Linkage name of the callee; "(indirect call)" when unknown.
[[nodiscard]] llvm::StringRef callee_name(const llvm::CallBase& call);

class CostModel {
 public:
  CostModel(llvm::Function& function, StringTable& strings);

  [[nodiscard]] Cost cost(llvm::Instruction& instruction);

 private:
  void arithmetic(llvm::Instruction& instruction, Cost& cost);
  void add_flops(Cost& cost, const llvm::Type* type, uint16_t operation, uint64_t flops_per_lane);
  void add_flops(Cost& cost, const llvm::Type* type, uint16_t operation, uint64_t flops_per_lane,
                 const LaneMask& mask);
  void add_fma(Cost& cost, const llvm::Type* type);
  void add_multiply_add(Cost& cost, const llvm::Type* type);
  void add_selected(llvm::Instruction& instruction, Cost& cost);
  void add_reduction(Cost& cost, llvm::IntrinsicInst& call, uint16_t operation);
  void add_named(Cost& cost, uint32_t quantity, llvm::StringRef name, uint64_t amount = 1);
  void add_other(Cost& cost, const llvm::Type* type);
  void memory(llvm::Instruction& instruction, Cost& cost);
  void call(llvm::CallBase& call, Cost& cost);
  void math_call(llvm::CallBase& call, llvm::StringRef name, Cost& cost);
  void intrinsic(llvm::IntrinsicInst& call, Cost& cost);
  bool constrained_intrinsic(llvm::IntrinsicInst& call, Cost& cost);
  bool vp_intrinsic(llvm::IntrinsicInst& call, Cost& cost);
  bool math_intrinsic(llvm::IntrinsicInst& call, Cost& cost);
  bool named_intrinsic(llvm::IntrinsicInst& call, llvm::StringRef name, Cost& cost);
  bool integer_intrinsic(llvm::IntrinsicInst& call, Cost& cost);
  void find_contractions(llvm::BasicBlock& block);

  const llvm::DataLayout& layout_;
  StringTable& strings_;
  Target target_;
  llvm::DenseSet<const llvm::Instruction*> data_operations_;
  Duplicates duplicates_;
  /// Multiplies that the backend fuses into an add, and those adds.
  llvm::DenseSet<const llvm::Instruction*> absorbed_;
  llvm::DenseSet<const llvm::Instruction*> fused_;
};

/// llvm.x86.*: adds what is known of `call`; false when nothing is.
bool x86_cost(llvm::IntrinsicInst& call, const Target& target, Cost& cost);

}  // namespace ridge::pass
