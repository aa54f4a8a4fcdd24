#include "instrument/llvm_pass/trace/traffic_version.hpp"

#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "instrument/llvm_pass/cost/generic/own.hpp"
#include "instrument/llvm_pass/insert/counting.hpp"

namespace ridge::pass {

using namespace llvm;

namespace {

/// A copy would jump through the tables into the original.
bool has_block_addresses(const Function& function) {
  return any_of(function, [](const BasicBlock& block) { return block.hasAddressTaken(); });
}

/// LLVM 19 hands neither variable arguments nor those in the caller's memory on to another function
/// correctly (the return address is overwritten).
bool can_hand_arguments_on(const Function& function) {
  const AttributeList attributes = function.getAttributes();
  return !function.isVarArg() && !attributes.hasAttrSomewhere(Attribute::ByVal) &&
         !attributes.hasAttrSomewhere(Attribute::InAlloca) &&
         !attributes.hasAttrSomewhere(Attribute::Preallocated);
}

TraceRegions map_accesses(const TraceRegions& accesses, ValueToValueMapTy& mapping) {
  TraceRegions mapped = accesses;
  for (std::vector<TracedInstruction>& block : mapped) {
    for (TracedInstruction& traced : block) {
      traced.instruction = cast<Instruction>(mapping[traced.instruction]);
    }
  }
  return mapped;
}

void tell_trip_counts(const std::vector<TripCount>& trips, ValueToValueMapTy& mapping,
                      Value* region_base, const RuntimeSymbols& runtime) {
  for (const TripCount& trip : trips) {
    auto* call = cast<CallInst>(mapping[trip.call]);
    OwnBuilder builder(call);
    Value* region = builder.CreateAdd(region_base, builder.getInt64(trip.region));
    builder.CreateCall(runtime.loop_entered, {region, call->getArgOperand(0)});
    call->eraseFromParent();
  }
}

/// The usual form: a function of its own, so that the one that counts stays as lean as it is.
Function* clone_function(Function& function, ValueToValueMapTy& mapping) {
  Function* clone = CloneFunction(&function, mapping);
  clone->setName(function.getName() + ".ridge.traffic");
  clone->setLinkage(GlobalValue::InternalLinkage);
  clone->setVisibility(GlobalValue::DefaultVisibility);
  clone->setDLLStorageClass(GlobalValue::DefaultStorageClass);
  clone->setDSOLocal(true);
  return clone;
}

/// The back end may fuse what stands apart in the IR; the quick one does not, and both runs of a
/// program have to compute the same.
bool may_be_fused(const Function& function) {
  return any_of(instructions(function), [](const Instruction& instruction) {
    return isa<FPMathOperator>(instruction) && instruction.hasAllowContract();
  });
}

/// The simulator takes most of the time of a run for traffic, and the traced version most of the
/// back end's: that may leave its code as it is. Nobody asks for its lines either.
void compile_quickly(Function& clone) {
  stripDebugInfo(clone);
  if (may_be_fused(clone)) return;
  clone.removeFnAttr(Attribute::AlwaysInline);
  clone.removeFnAttr(Attribute::OptimizeForSize);
  clone.removeFnAttr(Attribute::MinSize);
  clone.addFnAttr(Attribute::NoInline);
  clone.addFnAttr(Attribute::OptimizeNone);
}

/// A second body in the same function, sharing its arguments and the allocas of the entry block.
BasicBlock* clone_body(Function& function, ValueToValueMapTy& mapping) {
  SmallVector<BasicBlock*, 32> originals;
  for (BasicBlock& block : function) originals.push_back(&block);
  SmallVector<BasicBlock*, 32> copies;
  for (BasicBlock* block : originals) {
    copies.push_back(CloneBasicBlock(block, mapping, ".traffic", &function));
    mapping[block] = copies.back();
  }
  for (Instruction& original : make_early_inc_range(function.getEntryBlock())) {
    if (!isa<AllocaInst>(original)) continue;
    cast<Instruction>(mapping[&original])->eraseFromParent();
    mapping[&original] = &original;
  }
  const RemapFlags flags = RF_NoModuleLevelChanges | RF_IgnoreMissingLocals;
  for (BasicBlock* block : copies) {
    for (Instruction& instruction : *block) {
      RemapInstruction(&instruction, mapping, flags);
      RemapDbgRecordRange(function.getParent(), instruction.getDbgRecordRange(), mapping, flags);
    }
  }
  return copies.front();
}

}  // namespace

TraceRegions regions_of_accesses(Function& function, const FunctionRegions& regions) {
  TraceRegions result;
  for (BasicBlock& block : function) {
    std::vector<TracedInstruction> traced;
    for (Instruction& instruction : block) {
      // Calls that the program promises to be pure write to the buffer all the same.
      const bool matters = instruction.mayReadOrWriteMemory() || isa<CallBase>(instruction);
      if (matters && !is_iterations_call(instruction)) {
        traced.push_back({&instruction, regions.of_source(instruction)});
      }
    }
    if (!traced.empty()) result.push_back(std::move(traced));
  }
  return result;
}

std::vector<TripCount> trip_counts(Function& function, const FunctionRegions& regions) {
  std::vector<TripCount> result;
  for (Instruction& instruction : instructions(function)) {
    if (!is_iterations_call(instruction)) continue;
    if (const auto region = region_of_iterations(instruction, regions)) {
      result.push_back({&instruction, *region});
    }
  }
  return result;
}

void add_traffic_version(Function& function, const TraceRegions& accesses,
                         const std::vector<TripCount>& trips, const TraceValues& values,
                         const RuntimeSymbols& runtime, BasicBlock* uncounted) {
  TrafficVersion version;
  if (has_block_addresses(function)) {
    trace_checked(accesses, values, runtime);
  } else {
    ValueToValueMapTy mapping;
    if (can_hand_arguments_on(function)) {
      version.clone = clone_function(function, mapping);
    } else {
      version.body = clone_body(function, mapping);
    }
    const TraceValues mapped{mapping[values.thread], mapping[values.region_base]};
    trace_inline(map_accesses(accesses, mapping), mapped, runtime);
    tell_trip_counts(trips, mapping, mapped.region_base, runtime);
    if (version.clone) compile_quickly(*version.clone);
  }
  add_mode_check(function, runtime, version, uncounted);
}

}  // namespace ridge::pass
