#include "analyze/ir/nest.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "analyze/ir/address.hpp"
#include "analyze/ir/condition.hpp"
#include "analyze/ir/counter.hpp"
#include "analyze/ir/descriptor.hpp"
#include "analyze/ir/memory_use.hpp"
#include "analyze/ir/openmp.hpp"
#include "analyze/ir/operation.hpp"
#include "analyze/ir/source_names.hpp"
#include "analyze/ir/source_types.hpp"

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

unsigned line_of(const llvm::DebugLoc& place) {
  return place ? place.getLine() : 0;
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
      add_level(*loop);
    }
    for (llvm::BasicBlock* block : chain_of(*innermost_).front()->blocks()) {
      add_block(*block);
    }
    for (const std::string& name : reader_.unchanged()) {
      note("taken-as-unchanged",
           fmt::format("{} is taken as unchanged while the loop runs.", name));
    }
    for (const std::string& name : reader_.contiguous()) {
      note("taken-as-contiguous", fmt::format("{} is taken as contiguous.", name));
    }
    for (const std::string& name : reader_.begin_at_1()) {
      note("taken-from-1", fmt::format("The bounds of {} are taken as beginning at 1.", name));
    }
    nest_.derived = reader_.symbols().all_derived();
    return std::move(nest_);
  }

 private:
  void describe_function() {
    nest_.function = in_->function->getName().str();
    if (const llvm::DISubprogram* described = in_->function->getSubprogram()) {
      nest_.function = described->getName().str();
      nest_.file = described->getFilename().str();
    } else {
      note("no-names",
           fmt::format("{} was compiled without -g: names are the compiler's.", nest_.function));
    }
  }

  void note(const std::string& code, const std::string& text) {
    const Note made{code, text};
    if (std::ranges::find(nest_.notes, made) == nest_.notes.end()) {
      nest_.notes.push_back(made);
    }
  }

  void add_level(const llvm::Loop& loop) {
    const Counter counter = counter_of(loop, *in_, reader_);
    counters_[&loop] = counter;
    const Trips trips = trips_of(loop, *in_, reader_);
    LoopLevel level{counter.name, counter.first, counter.step, trips.count,
                    line_of(loop.getStartLoc())};
    level.ends_early = trips.ends_early;
    level.is_conditional = !is_always_entered(loop, *in_);
    level.is_work_shared = is_work_shared(loop);
    if (!level.trips) {
      note("trips-unknown",
           fmt::format("How often the loop over {} runs is not known before it does.",
                       level.counter));
    } else if (level.ends_early) {
      note("ends-early", fmt::format("The loop over {} may end early: {} iterations are the most.",
                                     level.counter, level.trips->text()));
    }
    nest_.levels.push_back(std::move(level));
  }

  void add_block(llvm::BasicBlock& block) {
    const llvm::Loop* loop = in_->loops->getLoopFor(&block);
    if (loop == nullptr || !counters_.contains(loop)) {
      return;  // of another loop beside the innermost one
    }
    const bool is_conditional = !runs_always(block, *loop, *in_);
    for (llvm::Instruction& instruction : block) {
      add_access(instruction, *loop, is_conditional);
      if (loop == innermost_) {
        add_operation(instruction, is_conditional);
      }
    }
  }

  void add_access(llvm::Instruction& instruction, const llvm::Loop& loop, bool is_conditional) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (load != nullptr && is_of_descriptor(*load, *layout_)) {
      return;
    }
    for (const MemoryUse& use : memory_uses_of(instruction, *layout_)) {
      ArrayAccess access;
      access.bytes = use.bytes;
      access.elements = use.elements;
      access.depth = loop.getLoopDepth();
      access.is_write = use.is_write;
      access.is_conditional = is_conditional;
      access.line = line_of(instruction.getDebugLoc());
      find_address(access, *use.pointer, loop);
      nest_.accesses.push_back(std::move(access));
    }
  }

  /// Also a pointer that is read from the same place in each iteration: a row of an array of rows.
  bool is_fixed_base(const llvm::SCEVUnknown& base, const llvm::Loop& loop) const {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(base.getValue());
    return in_->evolution->isLoopInvariant(&base, &loop) ||
           (load != nullptr && load->isSimple() &&
            in_->evolution->isLoopInvariant(in_->evolution->getSCEV(load->getPointerOperand()),
                                            &loop));
  }

  void find_address(ArrayAccess& access, llvm::Value& pointer, const llvm::Loop& loop) {
    const llvm::SCEV* address = in_->evolution->getSCEVAtScope(&pointer, &loop);
    const auto* base = llvm::dyn_cast<llvm::SCEVUnknown>(in_->evolution->getPointerBase(address));
    if (base == nullptr) {
      access.array = "?";
      return;
    }
    const SourceArray array = reader_.array(*base->getValue(), loop);
    access.array = array.name;
    const Index index = is_fixed_base(*base, loop)
                            ? reader_.index(*in_->evolution->removePointerBase(address), loop)
                            : Index();
    access.offset = index.offset;
    access.index_array = index.array;
    constexpr unsigned kLargestScalar = 16;  // more is a copy of a whole structure
    if (index.offset && access.bytes / access.elements <= kLargestScalar) {
      access.part = part_of(array.type, array.is_array, *index.offset);
    } else if (!index.offset && index.shown) {
      const auto elements = index.shown->divided_by(access.bytes / access.elements);
      const std::string part = part_of(array.type, array.is_array, *index.shown);
      access.part = !part.empty() ? part : (elements ? "[" + elements->text() + "]" : "");
    }
  }

  void add_operation(llvm::Instruction& instruction, bool is_conditional) {
    auto made = operation_of(instruction);
    if (!made) {
      return;
    }
    made->is_conditional = is_conditional;
    if (made->what.starts_with("llvm.") && memory_uses_of(instruction, *layout_).empty()) {
      note("access-not-read", fmt::format("What {} accesses is not read.", made->what));
    }
    const auto same = std::ranges::find_if(nest_.operations, [&](const LoopOperation& other) {
      return other.what == made->what && other.precision == made->precision &&
             other.is_conditional == made->is_conditional;
    });
    if (same == nest_.operations.end()) {
      nest_.operations.push_back(*std::move(made));
    } else {
      same->count += made->count;
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
