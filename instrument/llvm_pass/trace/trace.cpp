#include "instrument/llvm_pass/trace/trace.hpp"

#include <cstddef>

#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "abi/layout.h"
#include "instrument/llvm_pass/cost/generic/cost.hpp"

namespace ridge::pass {

using namespace llvm;
using Shape = MemoryAccess::Shape;

namespace {

/// Entries written after one check for room.
constexpr size_t kEntriesAtOnce = RIDGE_TRACE_ROOM;
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

/// Touches two lines at most, so that one entry is enough whichever lines are traced.
bool is_simple(const MemoryAccess& access) {
  return access.shape == Shape::whole && access.bytes <= RIDGE_TRACE_LINE_BYTES;
}

/// Its alignment keeps the access within one line.
bool stays_in_line(const Traced& traced) {
  Align align(1);
  if (const auto* load = dyn_cast<LoadInst>(traced.instruction)) align = load->getAlign();
  if (const auto* store = dyn_cast<StoreInst>(traced.instruction)) align = store->getAlign();
  return traced.access.bytes <= align.value();
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
  /// The region in its place; flags and bytes are to be added.
  Value* region_part(OwnBuilder& builder, uint32_t region) {
    Value* base = builder.CreateShl(values_.region_base, uint64_t{RIDGE_TRACE_REGION_SHIFT});
    return builder.CreateAdd(base, builder.getInt64(uint64_t{region} << RIDGE_TRACE_REGION_SHIFT));
  }

  static uint64_t access_part(const MemoryAccess& access, uint64_t bytes) {
    const uint64_t flags = (access.write ? RIDGE_TRACE_WRITE : 0) |
                           (access.non_temporal ? RIDGE_TRACE_NON_TEMPORAL : 0);
    return flags << RIDGE_TRACE_FLAGS_SHIFT | bytes;
  }

  Value* meta(OwnBuilder& builder, const MemoryAccess& access, uint32_t region, uint64_t bytes) {
    return builder.CreateAdd(region_part(builder, region),
                             builder.getInt64(access_part(access, bytes)));
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

  Value* load_field(OwnBuilder& builder, uint64_t offset) {
    return builder.CreateLoad(builder.getInt64Ty(), field(builder, offset));
  }

  /// One check for room, then one entry in front of each access.
  void write_batch(const Batch& batch) {
    if (batch.empty()) return;
    Instruction* first = batch.front().instruction;
    make_room(first, batch.size());
    OwnBuilder builder(first);
    Value* mask = load_field(builder, offsetof(ridge_thread, trace_mask));
    Value* cursor = load_field(builder, offsetof(ridge_thread, trace_cursor));
    SmallDenseMap<uint32_t, Value*, 4> region_parts;
    for (const Traced& traced : batch) {
      Value*& region = region_parts[traced.region];
      if (!region) region = region_part(builder, traced.region);
      cursor = write_entry(traced, cursor, mask, region);
    }
    OwnBuilder end(batch.back().instruction);
    end.CreateStore(cursor, field(end, offsetof(ridge_thread, trace_cursor)));
  }

  /// The budget keeps the buffer from filling up, except where the handler of a signal flushed in
  /// the middle of a batch, which then put the old cursor back.
  void make_room(Instruction* position, uint64_t accesses) {
    OwnBuilder builder(position);
    Value* budget = builder.CreateSub(load_field(builder, offsetof(ridge_thread, trace_budget)),
                                      builder.getInt64(accesses));
    builder.CreateStore(budget, field(builder, offsetof(ridge_thread, trace_budget)));
    Value* room = builder.CreateSub(load_field(builder, offsetof(ridge_thread, trace_limit)),
                                    load_field(builder, offsetof(ridge_thread, trace_cursor)));
    Value* left = builder.CreateSub(room, builder.getInt64(kEntryBytes * accesses));
    Value* full = builder.CreateICmpSLT(builder.CreateOr(budget, left), builder.getInt64(0));
    MDNode* weights = MDBuilder(builder.getContext()).createUnlikelyBranchWeights();
    Instruction* flush = SplitBlockAndInsertIfThen(full, position->getIterator(), false, weights);
    mark_own(flush);
    OwnBuilder(flush).CreateCall(runtime_.trace_flush, {values_.thread});
  }

  /// Always writes, but moves on only if the line is traced: a branch would be mispredicted.
  static Value* write_entry(const Traced& traced, Value* cursor, Value* mask, Value* region) {
    OwnBuilder builder(traced.instruction);
    Value* slot = builder.CreateIntToPtr(cursor, builder.getPtrTy());
    Value* address = address_of(builder, traced.access.address);
    builder.CreateStore(address, slot);
    const uint64_t access = access_part(traced.access, traced.access.bytes);
    builder.CreateStore(builder.CreateAdd(region, builder.getInt64(access)),
                        builder.byte_address(slot, offsetof(ridge_trace_entry, meta)));
    Value* wanted = class_bit(builder, address, mask);
    if (!stays_in_line(traced)) {
      Value* last = builder.CreateAdd(address, builder.getInt64(traced.access.bytes - 1));
      wanted = builder.CreateOr(wanted, class_bit(builder, last, mask));
    }
    wanted = builder.CreateAnd(wanted, builder.getInt64(1));
    return builder.CreateAdd(cursor, builder.CreateMul(wanted, builder.getInt64(kEntryBytes)));
  }

  /// Bit 0: whether the line of `address` is in the mask.
  static Value* class_bit(OwnBuilder& builder, Value* address, Value* mask) {
    Value* line = builder.CreateLShr(address, uint64_t{Log2_64(RIDGE_TRACE_LINE_BYTES)});
    return builder.CreateLShr(mask, builder.CreateAnd(line, RIDGE_LINE_CLASSES - 1));
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
