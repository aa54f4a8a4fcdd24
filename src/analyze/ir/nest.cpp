#include "analyze/ir/nest.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "analyze/ir/address.hpp"
#include "analyze/ir/source_names.hpp"

namespace ridge::analyze {
namespace {

/// From the outermost to this one.
std::vector<const llvm::Loop*> chain_of(const llvm::Loop& innermost) {
  std::vector<const llvm::Loop*> chain;
  for (const llvm::Loop* loop = &innermost; loop != nullptr; loop = loop->getParentLoop()) {
    chain.insert(chain.begin(), loop);
  }
  return chain;
}

/// The recurrence of the first integer phi with a name whose step is a constant.
const llvm::SCEVAddRecExpr* counted_by(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  for (llvm::PHINode& phi : loop.getHeader()->phis()) {
    if (!phi.getType()->isIntegerTy() || variable_of(phi).empty()) {
      continue;
    }
    const auto* recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(&phi));
    if (recurrence != nullptr && recurrence->getLoop() == &loop && recurrence->isAffine() &&
        llvm::isa<llvm::SCEVConstant>(recurrence->getStepRecurrence(evolution))) {
      return recurrence;
    }
  }
  return nullptr;
}

Counter counter_of(const llvm::Loop& loop, const FunctionLoops& in, AddressReader& reader) {
  const Counter unnamed{"i" + std::to_string(loop.getLoopDepth()), Polynomial(0), 1};
  const llvm::SCEVAddRecExpr* recurrence = counted_by(loop, *in.evolution);
  if (recurrence == nullptr) {
    return unnamed;
  }
  const auto first = reader.polynomial(*recurrence->getStart(), loop);
  const auto step =
      reader.polynomial(*recurrence->getStepRecurrence(*in.evolution), loop)->constant();
  const std::string name = counter_name(loop);
  // `while (n--)` counts with a parameter: the name would stand for two numbers.
  const bool is_clear = first && first->is_valid() && !first->symbols().contains(name);
  return is_clear && step && *step != 0 ? Counter{name, *first, *step} : unnamed;
}

std::optional<TripCount> trips_of(const llvm::Loop& loop, const FunctionLoops& in,
                                  AddressReader& reader) {
  const llvm::SCEV* taken = in.evolution->getBackedgeTakenCount(&loop);
  if (llvm::isa<llvm::SCEVCouldNotCompute>(taken)) {
    return std::nullopt;
  }
  std::int64_t divisor = 1;
  if (const auto* quotient = llvm::dyn_cast<llvm::SCEVUDivExpr>(taken)) {
    const auto constant = reader.polynomial(*quotient->getRHS(), loop);
    divisor = constant ? constant->constant().value_or(0) : 0;
    taken = quotient->getLHS();
  }
  const auto span = reader.polynomial(*taken, loop);
  return span && span->is_valid() && divisor > 0 ? std::optional(TripCount{*span, divisor})
                                                 : std::nullopt;
}

unsigned line_of(const llvm::Instruction& instruction) {
  const llvm::DebugLoc& place = instruction.getDebugLoc();
  return place ? place.getLine() : 0;
}

std::string_view precision_of(const llvm::Type& type) {
  const llvm::Type* scalar = type.getScalarType();
  return scalar->isDoubleTy()  ? "fp64"
         : scalar->isFloatTy() ? "fp32"
         : scalar->isHalfTy()  ? "fp16"
                               : "";
}

/// What an instruction computes; empty: nothing that counts.
std::string computed_by(const llvm::Instruction& instruction) {
  switch (instruction.getOpcode()) {
    case llvm::Instruction::FAdd:
    case llvm::Instruction::FSub:
      return "add";
    case llvm::Instruction::FMul:
      return "mul";
    case llvm::Instruction::FDiv:
      return "div";
    case llvm::Instruction::Call:
      break;
    default:
      return {};
  }
  const auto& call = llvm::cast<llvm::CallBase>(instruction);
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) {
    const auto id = intrinsic->getIntrinsicID();
    if (id == llvm::Intrinsic::fmuladd || id == llvm::Intrinsic::fma) {
      return "fma";
    }
    return id == llvm::Intrinsic::sqrt ? "sqrt" : "";
  }
  const llvm::Function* callee = call.getCalledFunction();
  if (callee == nullptr) {
    return "call through a pointer";
  }
  const bool is_root = callee->getName() == "sqrt" || callee->getName() == "sqrtf";
  return is_root ? "sqrt" : callee->getName().str();
}

class NestBuilder {
 public:
  NestBuilder(const FunctionLoops& in, const llvm::Loop& innermost)
      : in_(&in),
        innermost_(&innermost),
        layout_(&in.function->getParent()->getDataLayout()),
        reader_(*in.evolution, *layout_, counters_) {}

  LoopNest build() {
    describe_function();
    for (const llvm::Loop* loop : chain_of(*innermost_)) {
      const Counter counter = counter_of(*loop, *in_, reader_);
      counters_[loop] = counter;
      reader_.enter(counter);
      const llvm::DebugLoc start = loop->getStartLoc();
      nest_.levels.push_back({counter.name, counter.first, counter.step,
                              trips_of(*loop, *in_, reader_), start ? start.getLine() : 0});
    }
    for (llvm::BasicBlock& block : *in_->function) {
      add_block(block);
    }
    return std::move(nest_);
  }

 private:
  void describe_function() {
    nest_.function = in_->function->getName().str();
    if (const llvm::DISubprogram* described = in_->function->getSubprogram()) {
      nest_.function = described->getName().str();
      nest_.file = described->getFilename().str();
    }
  }

  /// The loops of the nest around the block, innermost at most; nullptr: it lies in none of them,
  /// or in another loop within them.
  const llvm::Loop* loop_of(const llvm::BasicBlock& block) const {
    const llvm::Loop* loop = in_->loops->getLoopFor(&block);
    return loop != nullptr && counters_.contains(loop) ? loop : nullptr;
  }

  void add_block(llvm::BasicBlock& block) {
    const llvm::Loop* loop = loop_of(block);
    if (loop == nullptr) {
      return;
    }
    const llvm::BasicBlock* latch = loop->getLoopLatch();
    const bool is_conditional = latch == nullptr || !in_->dominators->dominates(&block, latch);
    for (llvm::Instruction& instruction : block) {
      add_access(instruction, *loop, is_conditional);
      if (loop == innermost_) {
        add_operation(instruction, is_conditional);
      }
    }
  }

  void add_access(llvm::Instruction& instruction, const llvm::Loop& loop, bool is_conditional) {
    llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (pointer == nullptr) {
      return;
    }
    const llvm::SCEV* address = in_->evolution->getSCEVAtScope(pointer, &loop);
    const auto* base = llvm::dyn_cast<llvm::SCEVUnknown>(in_->evolution->getPointerBase(address));
    ArrayAccess access;
    access.bytes =
        static_cast<unsigned>(layout_->getTypeStoreSize(llvm::getLoadStoreType(&instruction)));
    access.depth = loop.getLoopDepth();
    access.is_write = llvm::isa<llvm::StoreInst>(instruction);
    access.is_conditional = is_conditional;
    access.line = line_of(instruction);
    access.array = base == nullptr ? "?" : array_name(*base->getValue(), *layout_);
    AddressReader reader(*in_->evolution, *layout_, counters_);
    if (base != nullptr && in_->evolution->isLoopInvariant(base, &loop)) {
      access.offset = reader.polynomial(*in_->evolution->removePointerBase(address), loop);
    }
    access.index_array = access.offset ? "" : reader.index_array();
    nest_.accesses.push_back(std::move(access));
  }

  void add_operation(const llvm::Instruction& instruction, bool is_conditional) {
    LoopOperation made{computed_by(instruction), std::string(precision_of(*instruction.getType())),
                       1, is_conditional};
    if (made.what.empty()) {
      return;
    }
    const auto same = std::ranges::find_if(nest_.operations, [&](const LoopOperation& other) {
      return other.what == made.what && other.precision == made.precision &&
             other.is_conditional == made.is_conditional;
    });
    if (same == nest_.operations.end()) {
      nest_.operations.push_back(std::move(made));
    } else {
      ++same->count;
    }
  }

  const FunctionLoops* in_;
  const llvm::Loop* innermost_;
  const llvm::DataLayout* layout_;
  Counters counters_;
  AddressReader reader_;
  LoopNest nest_;
};

}  // namespace

LoopNest nest_of(const FunctionLoops& in, const llvm::Loop& innermost) {
  return NestBuilder(in, innermost).build();
}

}  // namespace ridge::analyze
