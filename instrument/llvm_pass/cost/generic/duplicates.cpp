#include "instrument/llvm_pass/cost/generic/duplicates.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IntrinsicInst.h>

namespace ridge::pass {

using namespace llvm;

namespace {

/// What is computed: the operation (opcode, or 1000 + intrinsic) and from what.
using Computation = std::pair<unsigned, std::vector<const Value*>>;

bool is_pure_arithmetic(const IntrinsicInst& call) {
  switch (call.getIntrinsicID()) {
    case Intrinsic::fma:
    case Intrinsic::fmuladd:
    case Intrinsic::sqrt:
      return true;
    default:
      return false;
  }
}

bool is_floating_point(const Instruction& instruction) {
  return instruction.getType()->isFPOrFPVectorTy() &&
         (isa<BinaryOperator>(instruction) || isa<UnaryOperator>(instruction));
}

/// Within one block: values by the first one that is equal.
class BlockValues {
 public:
  std::optional<Computation> computation(const Instruction& instruction) const {
    const auto* call = dyn_cast<IntrinsicInst>(&instruction);
    const bool counted_call = call && is_pure_arithmetic(*call);
    if (!counted_call && !is_floating_point(instruction)) return std::nullopt;
    constexpr unsigned kIntrinsics = 1000;
    Computation result{
        counted_call ? kIntrinsics + call->getIntrinsicID() : instruction.getOpcode(), {}};
    const auto operands = counted_call ? call->args() : instruction.operands();
    for (const Use& operand : operands) result.second.push_back(first_of(operand.get()));
    if (instruction.isCommutative() && result.second.size() >= 2) {
      std::sort(result.second.begin(), result.second.begin() + 2);
    }
    return result;
  }

  /// The first instruction that computes the same; nullptr when this is the first.
  const Instruction* remember(const Computation& computation, const Instruction& instruction) {
    const auto [position, is_new] = seen_.try_emplace(computation, &instruction);
    if (is_new) return nullptr;
    first_[&instruction] = position->second;
    return position->second;
  }

 private:
  const Value* first_of(const Value* value) const {
    const auto found = first_.find(value);
    return found == first_.end() ? value : found->second;
  }

  std::map<Computation, const Instruction*> seen_;
  DenseMap<const Value*, const Instruction*> first_;
};

}  // namespace

Duplicates find_duplicates(Function& function) {
  Duplicates duplicates;
  for (const BasicBlock& block : function) {
    BlockValues values;
    for (const Instruction& instruction : block) {
      const auto computation = values.computation(instruction);
      if (!computation) continue;
      if (const Instruction* first = values.remember(*computation, instruction)) {
        duplicates.repeated.insert(&instruction);
        duplicates.shared.insert(first);
      }
    }
  }
  return duplicates;
}

}  // namespace ridge::pass
