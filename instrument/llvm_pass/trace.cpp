#include "trace.hpp"

#include <cstddef>

#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "abi/layout.h"
#include "cost.hpp"

namespace ridge::pass {

using namespace llvm;
using Shape = MemoryAccess::Shape;

namespace {

/// Entries written after one check for room; far below RIDGE_TRACE_CAPACITY.
constexpr size_t kEntriesAtOnce = 64;
constexpr uint64_t kEntryBytes = sizeof(ridge_trace_entry);

struct Traced {
  Instruction* instruction;
  uint32_t region;
  MemoryAccess access;
};

/// The entries between two points where other code may use the buffer.
using Batch = SmallVector<Traced, 16>;

/// fs- and gs-relative addresses of x86 are no addresses of the flat space.
bool has_flat_address(const MemoryAccess& access) {
  const unsigned space = access.address->getType()->getPointerAddressSpace();
  return space < 256 || space > 258;
}

bool is_simple(const MemoryAccess& access) {
  return access.shape == Shape::whole && access.bytes < (uint64_t{1} << RIDGE_TRACE_FLAGS_SHIFT);
}

/// Code that may write to the same buffer runs here.
bool ends_batch(const Instruction& instruction) {
  const auto* call = dyn_cast<CallBase>(&instruction);
  if (!call) return false;
  const CallKind kind = classify(*call);
  return kind != CallKind::intrinsic && kind != CallKind::assembly;
}

class Tracer {
 public:
  Tracer(const TraceValues& values, const RuntimeSymbols& runtime)
      : values_(values), runtime_(runtime) {}

  void trace_block(const std::vector<TracedInstruction>& block, bool checked) {
    const DataLayout& layout = block.front().instruction->getModule()->getDataLayout();
    std::vector<Batch> batches(1);
    std::vector<Traced> others;
    for (const auto& [instruction, region] : block) {
      MemoryAccesses accesses;
      if (collect_accesses(*instruction, layout, accesses)) {
        for (MemoryAccess& access : accesses) {
          if (!has_flat_address(access)) continue;
          const bool simple = is_simple(access) && !checked;
          if (!simple) others.push_back({instruction, region, access});
          if (!simple || batches.back().size() == kEntriesAtOnce) batches.emplace_back();
          if (simple) batches.back().push_back({instruction, region, access});
        }
      }
      if (ends_batch(*instruction)) batches.emplace_back();
    }
    for (const Batch& batch : batches) write_batch(batch);
    for (const Traced& other : others) call_runtime(other, checked);
  }

 private:
  Value* meta(OwnBuilder& builder, const MemoryAccess& access, uint32_t region, uint64_t bytes) {
    const uint64_t flags = (access.write ? RIDGE_TRACE_WRITE : 0) |
                           (access.non_temporal ? RIDGE_TRACE_NON_TEMPORAL : 0);
    const uint64_t constant =
        uint64_t{region} << RIDGE_TRACE_REGION_SHIFT | flags << RIDGE_TRACE_FLAGS_SHIFT | bytes;
    Value* base = builder.CreateShl(values_.region_base, uint64_t{RIDGE_TRACE_REGION_SHIFT});
    return builder.CreateAdd(base, builder.getInt64(constant));
  }

  static Value* address_of(OwnBuilder& builder, Value* pointer) {
    Value* flat = pointer;
    if (pointer->getType()->getPointerAddressSpace() != 0) {
      flat = builder.CreateAddrSpaceCast(pointer, builder.getPtrTy());
    }
    return builder.CreatePtrToInt(flat, builder.getInt64Ty());
  }

  Value* field(OwnBuilder& builder, uint64_t offset) {
    return builder.byte_address(values_.thread, offset);
  }

  /// One check for room, then one entry in front of each access.
  void write_batch(const Batch& batch) {
    if (batch.empty()) return;
    Instruction* first = batch.front().instruction;
    OwnBuilder builder(first);
    Type* i64 = builder.getInt64Ty();
    const auto load = [&](uint64_t offset) {
      return builder.CreateLoad(i64, field(builder, offset));
    };
    Value* room = builder.CreateSub(load(offsetof(ridge_thread, trace_limit)),
                                    load(offsetof(ridge_thread, trace_cursor)));
    Value* full = builder.CreateICmpULT(room, builder.getInt64(kEntryBytes * batch.size()));
    MDNode* weights = MDBuilder(builder.getContext()).createUnlikelyBranchWeights();
    Instruction* flush = SplitBlockAndInsertIfThen(full, first->getIterator(), false, weights);
    mark_own(flush);
    OwnBuilder(flush).CreateCall(runtime_.trace_flush, {values_.thread});
    builder.SetInsertPoint(first);
    Value* cursor = load(offsetof(ridge_thread, trace_cursor));
    Value* slots = builder.CreateIntToPtr(cursor, builder.getPtrTy());
    uint64_t offset = 0;
    for (const auto& [instruction, region, access] : batch) {
      OwnBuilder here(instruction);
      Value* slot = here.byte_address(slots, offset);
      here.CreateStore(address_of(here, access.address), slot);
      here.CreateStore(meta(here, access, region, access.bytes),
                       here.byte_address(slot, offsetof(ridge_trace_entry, meta)));
      offset += kEntryBytes;
    }
    OwnBuilder end(batch.back().instruction);
    end.CreateStore(end.CreateAdd(cursor, end.getInt64(offset)),
                    field(end, offsetof(ridge_thread, trace_cursor)));
  }

  void call_runtime(const Traced& traced, bool checked) {
    Instruction* position = traced.instruction;
    if (checked) {
      OwnBuilder builder(position);
      Value* cursor = builder.CreateLoad(builder.getInt64Ty(),
                                         field(builder, offsetof(ridge_thread, trace_cursor)));
      position = SplitBlockAndInsertIfThen(builder.CreateIsNotNull(cursor), position->getIterator(),
                                           false);
      mark_own(position);
    }
    OwnBuilder builder(position);
    const MemoryAccess& access = traced.access;
    const uint32_t region = traced.region;
    if (access.shape == Shape::consecutive || access.shape == Shape::scattered) {
      return call_lanes(builder, access, region);
    }
    Value* length = access.shape == Shape::whole ? builder.getInt64(access.bytes)
                                                 : access.dynamic_bytes(builder);
    builder.CreateCall(runtime_.trace_range, {values_.thread, address_of(builder, access.address),
                                              length, meta(builder, access, region, 0)});
  }

  void call_lanes(OwnBuilder& builder, const MemoryAccess& access, uint32_t region) {
    Value* addresses = access.lane_addresses(builder);
    Function& function = *builder.GetInsertBlock()->getParent();
    OwnBuilder entry(&function.getEntryBlock().front());
    AllocaInst* space = entry.CreateAlloca(addresses->getType(), nullptr, "ridge.lanes");
    builder.CreateStore(addresses, space);
    builder.CreateCall(runtime_.trace_lanes,
                       {values_.thread, space, builder.getInt64(access.mask.lanes),
                        access.mask.bits(builder), meta(builder, access, region, access.bytes)});
  }

  const TraceValues& values_;
  const RuntimeSymbols& runtime_;
};

}  // namespace

void trace_inline(const TraceRegions& blocks, const TraceValues& values,
                  const RuntimeSymbols& runtime) {
  Tracer tracer(values, runtime);
  for (const auto& block : blocks) tracer.trace_block(block, false);
}

void trace_checked(const TraceRegions& blocks, const TraceValues& values,
                   const RuntimeSymbols& runtime) {
  Tracer tracer(values, runtime);
  for (const auto& block : blocks) tracer.trace_block(block, true);
}

}  // namespace ridge::pass
