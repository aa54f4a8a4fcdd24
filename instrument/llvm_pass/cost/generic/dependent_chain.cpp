#include "instrument/llvm_pass/cost/generic/dependent_chain.hpp"

#include <algorithm>
#include <optional>

#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace ridge::pass {

using namespace llvm;

namespace {

bool is_multiply_add(const Instruction& instruction) {
  const auto* call = dyn_cast<IntrinsicInst>(&instruction);
  return call &&
         (call->getIntrinsicID() == Intrinsic::fma || call->getIntrinsicID() == Intrinsic::fmuladd);
}

/// llvm.vector.reduce.fadd without leave to change the order: one addition after the other.
bool is_ordered_reduction(const Instruction& instruction) {
  const auto* call = dyn_cast<IntrinsicInst>(&instruction);
  return call && call->getIntrinsicID() == Intrinsic::vector_reduce_fadd &&
         !call->hasAllowReassoc();
}

/// Rough latencies in cycles. They choose between paths, no figure is computed from them.
unsigned weight_of(const Instruction& instruction) {
  switch (instruction.getOpcode()) {
    case Instruction::FAdd:
    case Instruction::FSub:
    case Instruction::FMul:
      return 4;
    case Instruction::FDiv:
      return 13;
    case Instruction::Load:
      return 5;
    case Instruction::Call:
      return is_multiply_add(instruction) ? 4 : 15;
    default:
      return 1;
  }
}

/// All paths from the header phi `root` to other values of its loop.
class Paths {
 public:
  Paths(const Loop& loop, const PHINode& root) : loop_(loop), root_(root) {}

  struct Path {
    unsigned weight = 0;
    int operand = -1;  ///< that the path comes through; -1: the root itself
  };

  /// nullopt: `value` does not depend on the root in every execution.
  std::optional<Path> to(const Value* value) {
    if (value == &root_) return Path{};
    const auto* instruction = dyn_cast<Instruction>(value);
    if (!instruction || !loop_.contains(instruction)) return std::nullopt;
    const auto known = known_.find(instruction);
    if (known != known_.end()) return known->second;
    const bool other_root =
        isa<PHINode>(instruction) && instruction->getParent() == loop_.getHeader();
    if (other_root || depth_ == kDeepest) return std::nullopt;
    ++depth_;
    const std::optional<Path> path = through_operands(*instruction);
    --depth_;
    known_[instruction] = path;
    return path;
  }

 private:
  std::optional<Path> through_operands(const Instruction& instruction) {
    const bool merges = isa<PHINode, SelectInst>(instruction);
    std::optional<Path> longest;
    for (unsigned i = isa<SelectInst>(instruction) ? 1 : 0; i < instruction.getNumOperands(); ++i) {
      const auto path = to(instruction.getOperand(i));
      if (!path && merges) return std::nullopt;
      if (path && (!longest || path->weight > longest->weight)) {
        longest = Path{path->weight, static_cast<int>(i)};
      }
    }
    if (longest) longest->weight += weight_of(instruction);
    return longest;
  }

  static constexpr unsigned kDeepest = 512;
  const Loop& loop_;
  const PHINode& root_;
  DenseMap<const Instruction*, std::optional<Path>> known_;
  unsigned depth_ = 0;
};

struct Chain {
  unsigned weight = 0;
  SmallVector<std::pair<const Instruction*, ChainLink>, 8> links;
};

enum class StepKind { sum, product, other };

StepKind kind_of(const Instruction& instruction, int operand) {
  switch (instruction.getOpcode()) {
    case Instruction::FAdd:
      return StepKind::sum;
    case Instruction::FSub:
      return operand == 0 ? StepKind::sum : StepKind::other;
    case Instruction::FMul:
      return StepKind::product;
    default:
      if (is_multiply_add(instruction)) return operand == 2 ? StepKind::sum : StepKind::other;
      return is_ordered_reduction(instruction) ? StepKind::sum : StepKind::other;
  }
}

/// Moves a value without computing on it.
bool passes_on(const Instruction& instruction) {
  return isa<PHINode, SelectInst, CastInst, ShuffleVectorInst, InsertElementInst,
             ExtractElementInst, FreezeInst>(instruction);
}

Chain collect(const Loop& loop, const PHINode& root) {
  Paths paths(loop, root);
  const Value* at = root.getIncomingValueForBlock(loop.getLoopLatch());
  auto path = paths.to(at);
  Chain chain;
  if (!path || at == &root) return chain;
  chain.weight = path->weight;
  bool sums = true;
  bool multiplies = true;
  while (path && path->operand >= 0) {
    const auto& instruction = *cast<Instruction>(at);
    if (!passes_on(instruction)) {
      const StepKind kind = kind_of(instruction, path->operand);
      sums = sums && kind == StepKind::sum;
      multiplies = multiplies && kind == StepKind::product;
      ChainLink link;
      link.load = isa<LoadInst>(instruction);
      link.as_addend = is_multiply_add(instruction) && path->operand == 2;
      chain.links.emplace_back(&instruction, link);
    }
    at = instruction.getOperand(static_cast<unsigned>(path->operand));
    path = paths.to(at);
  }
  for (auto& [instruction, link] : chain.links) link.reduction = sums || multiplies;
  return chain;
}

bool has_load(const Chain& chain) {
  return any_of(chain.links, [](const auto& entry) { return entry.second.load; });
}

}  // namespace

DependentChains::DependentChains(const LoopInfo& loops) {
  for (const Loop* loop : const_cast<LoopInfo&>(loops).getLoopsInPreorder()) {
    if (!loop->isInnermost() || !loop->getLoopLatch()) continue;
    Chain arithmetic;
    Chain addresses;
    for (const PHINode& phi : loop->getHeader()->phis()) {
      Chain chain = collect(*loop, phi);
      const bool through_values = phi.getType()->isFPOrFPVectorTy();
      if (!through_values && !has_load(chain)) continue;
      Chain& longest = through_values ? arithmetic : addresses;
      if (chain.weight > longest.weight) longest = std::move(chain);
    }
    for (const Chain* chain : {&arithmetic, &addresses}) {
      for (const auto& [instruction, link] : chain->links) links_.try_emplace(instruction, link);
    }
  }
}

const ChainLink* DependentChains::find(const Instruction& instruction) const {
  const auto known = links_.find(&instruction);
  return known == links_.end() ? nullptr : &known->second;
}

}  // namespace ridge::pass
