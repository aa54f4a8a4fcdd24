#include "instrument/llvm_pass/cost/generic/cost.hpp"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include "instrument/llvm_pass/cost/generic/data_operations.hpp"

namespace ridge::pass {

using namespace llvm;

namespace {

/// A multiply that the backend may fuse into its one user, looking through a negation.
Instruction* contractable_multiply(Value* operand, const BasicBlock* block,
                                   const Duplicates& duplicates) {
  auto* instruction = dyn_cast<Instruction>(operand);
  if (instruction && instruction->getOpcode() == Instruction::FNeg && instruction->hasOneUse()) {
    instruction = dyn_cast<Instruction>(instruction->getOperand(0));
  }
  const bool matches =
      instruction && instruction->getOpcode() == Instruction::FMul && instruction->hasOneUse() &&
      instruction->getParent() == block && instruction->hasAllowContract() &&
      !duplicates.shared.contains(instruction) && !duplicates.repeated.contains(instruction);
  return matches ? instruction : nullptr;
}

bool is_add(const Instruction& instruction) {
  return instruction.getOpcode() == Instruction::FAdd ||
         instruction.getOpcode() == Instruction::FSub;
}

}  // namespace

CostModel::CostModel(Function& function, StringTable& strings)
    : layout_(function.getParent()->getDataLayout()),
      strings_(strings),
      target_(function),
      data_operations_(find_data_operations(function)),
      duplicates_(function.hasOptNone() ? Duplicates{} : find_duplicates(function)) {
  if (!target_.contracts()) return;
  for (BasicBlock& block : function) find_contractions(block);
}

/// Mirrors the backend's DAG combiner: an add takes its first contractable multiply; with
/// reassociation, fma(a, b, c * d) + e also becomes fma(a, b, fma(c, d, e)), however deep the
/// product stands.
void CostModel::find_contractions(BasicBlock& block) {
  DenseMap<const Value*, Value*> addends;  // fused add -> the innermost addend of its chain
  const auto addend_of = [&](Value* operand) {
    Value* inner = operand->hasOneUse() ? addends.lookup(operand) : nullptr;
    return inner ? inner : operand;
  };
  for (Instruction& add : block) {
    if (!is_add(add) || !add.hasAllowContract() || !target_.has_fma(add.getType())) continue;
    Value* left = add.getOperand(0);
    Value* right = add.getOperand(1);
    const bool subtracts = add.getOpcode() == Instruction::FSub;
    Instruction* taken = contractable_multiply(left, &block, duplicates_);
    Value* other = right;
    bool negated = subtracts;  // a * b - c adds -c: no product that could be fused further
    if (!taken) {
      taken = contractable_multiply(right, &block, duplicates_);
      other = left;
      negated = false;
    }
    for (const bool from_left : {true, false}) {
      if (taken || subtracts || !add.hasAllowReassoc()) break;
      Value* chain = from_left ? left : right;
      if (addend_of(chain) == chain) continue;
      taken = contractable_multiply(addend_of(chain), &block, duplicates_);
      other = from_left ? right : left;
    }
    if (!taken) continue;
    absorbed_.insert(taken);
    fused_.insert(&add);
    if (!negated) addends[&add] = addend_of(other);
  }
}

void CostModel::add_named(Cost& cost, uint32_t quantity, StringRef name, uint64_t amount) {
  Term term;
  term.quantity = quantity;
  term.name = strings_.intern(name);
  cost.fixed.push_back({term, amount});
}

void CostModel::add_other(Cost& cost, const Type* type) {
  cost.fixed.push_back({{RIDGE_OTHER_OPS}, lanes_of(type)});
}

void CostModel::add_flops(Cost& cost, const Type* type, uint16_t operation, uint64_t flops_per_lane,
                          const LaneMask& mask) {
  const std::optional<uint16_t> precision = precision_of(type);
  if (!precision) {
    const bool x87 = type->getScalarType()->isX86_FP80Ty();
    return add_named(cost, RIDGE_OPAQUE, x87 ? "x87 arithmetic" : "software floating point",
                     lanes_of(type));
  }
  const Term term{RIDGE_FLOPS, *precision, operation, target_.register_bits(type), 0};
  if (mask.all()) {
    cost.fixed.push_back({term, flops_per_lane * lanes_of(type)});
  } else {
    cost.dynamic.push_back({term, flops_per_lane, std::nullopt, mask});
  }
}

void CostModel::add_flops(Cost& cost, const Type* type, uint16_t operation,
                          uint64_t flops_per_lane) {
  add_flops(cost, type, operation, flops_per_lane, LaneMask{});
}

void CostModel::add_fma(Cost& cost, const Type* type) {
  add_flops(cost, type, RIDGE_FMA, 2);
}

void CostModel::add_multiply_add(Cost& cost, const Type* type) {
  if (target_.has_fma(type)) return add_fma(cost, type);
  add_flops(cost, type, RIDGE_MUL, 1);
  add_flops(cost, type, RIDGE_ADD, 1);
}

void CostModel::arithmetic(Instruction& instruction, Cost& cost) {
  const Type* type = instruction.getType();
  switch (instruction.getOpcode()) {
    case Instruction::FAdd:
    case Instruction::FSub:
      return fused_.contains(&instruction) ? add_fma(cost, type)
                                           : add_flops(cost, type, RIDGE_ADD, 1);
    case Instruction::FMul:
      return absorbed_.contains(&instruction) ? void() : add_flops(cost, type, RIDGE_MUL, 1);
    case Instruction::FDiv:
      return add_flops(cost, type, RIDGE_DIV, 1);
    case Instruction::FRem:
      return add_named(cost, RIDGE_CALLS, type->getScalarType()->isFloatTy() ? "fmodf" : "fmod",
                       lanes_of(type));
    case Instruction::FCmp:
      return add_other(cost, instruction.getOperand(0)->getType());
    case Instruction::FNeg:
    case Instruction::FPTrunc:
    case Instruction::FPExt:
    case Instruction::FPToSI:
    case Instruction::FPToUI:
    case Instruction::SIToFP:
    case Instruction::UIToFP:
      return add_other(cost, type);
    default:
      if (is_integer_arithmetic(instruction) && data_operations_.contains(&instruction)) {
        cost.fixed.push_back({{RIDGE_INT_OPS}, lanes_of(type)});
      }
  }
}

void CostModel::memory(Instruction& instruction, Cost& cost) {
  MemoryAccesses accesses;
  if (!collect_accesses(instruction, layout_, accesses)) return;
  for (const MemoryAccess& access : accesses) {
    const auto add = [&](uint32_t quantity) {
      if (access.shape == MemoryAccess::Shape::whole) {
        if (access.bytes != 0) cost.fixed.push_back({{quantity}, access.bytes});
      } else if (access.shape != MemoryAccess::Shape::range && access.mask.all()) {
        cost.fixed.push_back({{quantity}, access.bytes * access.mask.lanes});
      } else {
        cost.dynamic.push_back({{quantity}, 1, access});
      }
    };
    add(access.write ? RIDGE_BYTES_STORED : RIDGE_BYTES_LOADED);
    if (access.non_temporal) add(RIDGE_BYTES_NON_TEMPORAL);
  }
}

/// The select that alone uses `instruction`, in the same block, with a condition for each lane.
static SelectInst* only_select(Instruction& instruction) {
  if (!instruction.hasOneUse()) return nullptr;
  auto* select = dyn_cast<SelectInst>(instruction.user_back());
  const bool chooses =
      select && select->getParent() == instruction.getParent() &&
      select->getCondition() != &instruction &&
      lanes_of(select->getCondition()->getType()) == lanes_of(instruction.getType());
  return chooses ? select : nullptr;
}

/// Lanes of operations that the back end may fold into a select, as one with a mask.
void CostModel::add_selected(Instruction& instruction, Cost& cost) {
  constexpr unsigned kMostLanes = 64;  // LaneMask::count
  const unsigned lanes = lanes_of(instruction.getType());
  SelectInst* select =
      target_.has_masks() && lanes <= kMostLanes ? only_select(instruction) : nullptr;
  if (!select) return;
  for (const FixedCost& part : cost.fixed) {
    if (part.term.quantity != RIDGE_FLOPS || part.amount % lanes != 0) continue;
    DynamicCost selected{part.term, part.amount / lanes};
    selected.term.quantity = RIDGE_SELECTED_FLOPS;
    selected.inverted = select->getFalseValue() == &instruction;
    selected.position = select;
    if (lanes == 1) {
      selected.low_bit_of = select->getCondition();
    } else {
      selected.lanes.vector = select->getCondition();
      selected.lanes.lanes = lanes;
    }
    cost.dynamic.push_back(selected);
  }
}

Cost CostModel::cost(Instruction& instruction) {
  Cost cost;
  if (is_own(instruction) || is_iterations_call(instruction)) return cost;
  if (duplicates_.repeated.contains(&instruction)) return cost;  // the backend computes it once
  memory(instruction, cost);
  if (auto* atomic = dyn_cast<AtomicRMWInst>(&instruction)) {
    add_named(cost, RIDGE_CALLS, "atomicrmw");
    if (atomic->getOperation() == AtomicRMWInst::FAdd ||
        atomic->getOperation() == AtomicRMWInst::FSub) {
      add_flops(cost, atomic->getType(), RIDGE_ADD, 1);
    } else if (atomic->isFloatingPointOperation()) {
      add_other(cost, atomic->getType());
    }
  } else if (isa<AtomicCmpXchgInst>(instruction)) {
    add_named(cost, RIDGE_CALLS, "cmpxchg");
  } else if (auto* called = dyn_cast<CallBase>(&instruction)) {
    call(*called, cost);
  } else {
    arithmetic(instruction, cost);
  }
  if (instruction.getType()->isFPOrFPVectorTy()) add_selected(instruction, cost);
  return cost;
}

}  // namespace ridge::pass
