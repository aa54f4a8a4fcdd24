#include "instrument/llvm_pass/cost/generic/memory_access.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>

#include "instrument/llvm_pass/cost/generic/target.hpp"

namespace ridge::pass {

using namespace llvm;
using Shape = MemoryAccess::Shape;

Value* LaneMask::active(OwnBuilder& builder) const {
  Type* wanted = FixedVectorType::get(builder.getInt1Ty(), lanes);
  Value* result = ConstantInt::getTrue(wanted);
  if (vector && vector->getType() == wanted) {
    result = vector;
  } else if (vector) {
    auto* type = cast<FixedVectorType>(vector->getType());
    Type* integers = FixedVectorType::get(builder.getIntNTy(type->getScalarSizeInBits()),
                                          type->getNumElements());
    Value* negative = builder.CreateICmpSLT(builder.CreateBitCast(vector, integers),
                                            Constant::getNullValue(integers));
    SmallVector<int, 16> first;
    for (unsigned lane = 0; lane < lanes; ++lane) first.push_back(static_cast<int>(lane));
    result =
        type->getNumElements() == lanes ? negative : builder.CreateShuffleVector(negative, first);
  }
  if (!length) return result;
  Value* below = builder.CreateICmpULT(
      builder.CreateStepVector(FixedVectorType::get(builder.getInt32Ty(), lanes)),
      builder.CreateVectorSplat(lanes, length));
  return builder.CreateAnd(result, below);
}

Value* LaneMask::bits(OwnBuilder& builder) const {
  Value* packed = builder.CreateBitCast(active(builder), builder.getIntNTy(lanes));
  return builder.CreateZExtOrTrunc(packed, builder.getInt64Ty());
}

Value* LaneMask::count(OwnBuilder& builder) const {
  return builder.CreateUnaryIntrinsic(Intrinsic::ctpop, bits(builder));
}

Value* MemoryAccess::dynamic_bytes(OwnBuilder& builder) const {
  if (shape == Shape::range) return builder.CreateZExtOrTrunc(length, builder.getInt64Ty());
  return builder.CreateMul(mask.count(builder), builder.getInt64(bytes));
}

Value* MemoryAccess::lane_addresses(OwnBuilder& builder) const {
  auto* wanted = FixedVectorType::get(builder.getInt64Ty(), mask.lanes);
  if (address->getType()->isVectorTy()) return builder.CreatePtrToInt(address, wanted);
  Value* base =
      builder.CreateVectorSplat(mask.lanes, builder.CreatePtrToInt(address, builder.getInt64Ty()));
  if (shape == Shape::consecutive) {
    return builder.CreateAdd(
        base, builder.CreateMul(builder.CreateStepVector(wanted),
                                builder.CreateVectorSplat(mask.lanes, builder.getInt64(bytes))));
  }
  SmallVector<int, 16> first;
  for (unsigned lane = 0; lane < mask.lanes; ++lane) first.push_back(static_cast<int>(lane));
  Value* offsets =
      lanes_of(index->getType()) == mask.lanes ? index : builder.CreateShuffleVector(index, first);
  offsets = builder.CreateSExtOrTrunc(offsets, wanted);
  return builder.CreateAdd(
      base,
      builder.CreateMul(offsets, builder.CreateVectorSplat(mask.lanes, builder.getInt64(scale))));
}

namespace {

MemoryAccess whole(Value* address, uint64_t bytes, bool write) {
  MemoryAccess access;
  access.address = address;
  access.bytes = bytes;
  access.write = write;
  return access;
}

MemoryAccess range(Value* address, Value* length, bool write) {
  MemoryAccess access;
  access.shape = Shape::range;
  access.address = address;
  access.length = length;
  access.write = write;
  if (const auto* constant = dyn_cast<ConstantInt>(length)) {
    if (constant->getValue().ult(uint64_t{1} << 24)) {
      access.shape = Shape::whole;
      access.bytes = constant->getZExtValue();
    }
  }
  return access;
}

/// Vector access of `type` under `mask`; becomes a whole one where every lane is active.
MemoryAccess vector_access(Shape shape, Value* address, Type* type, LaneMask mask, bool write,
                           const DataLayout& layout) {
  MemoryAccess access;
  access.shape = shape;
  access.address = address;
  access.write = write;
  mask.lanes = lanes_of(type);
  const auto* constant = dyn_cast_or_null<Constant>(mask.vector);
  if (constant && constant->isAllOnesValue()) mask.vector = nullptr;
  access.mask = mask;
  access.bytes = layout.getTypeStoreSize(type->getScalarType()).getFixedValue();
  if (shape != Shape::scattered && mask.all()) {
    access.shape = Shape::whole;
    access.bytes *= mask.lanes;
  }
  return access;
}

bool collect_x86(IntrinsicInst& call, const DataLayout& layout, MemoryAccesses& accesses) {
  StringRef name = call.getCalledFunction()->getName();
  if (!name.consume_front("llvm.x86.")) return false;
  if (name.contains("maskload.")) {
    accesses.push_back(vector_access(Shape::consecutive, call.getArgOperand(0), call.getType(),
                                     {call.getArgOperand(1)}, false, layout));
  } else if (name.contains("maskstore.")) {
    accesses.push_back(vector_access(Shape::consecutive, call.getArgOperand(0),
                                     call.getArgOperand(2)->getType(), {call.getArgOperand(1)},
                                     true, layout));
  } else if (name.starts_with("avx2.gather.") || name.starts_with("avx512.mask.gather")) {
    // (source, base, index, mask, scale)
    Type* type = call.getType();
    unsigned lanes = std::min(lanes_of(type), lanes_of(call.getArgOperand(2)->getType()));
    accesses.push_back(vector_access(Shape::scattered, call.getArgOperand(1),
                                     FixedVectorType::get(type->getScalarType(), lanes),
                                     {call.getArgOperand(3)}, false, layout));
    accesses.back().index = call.getArgOperand(2);
    accesses.back().scale = cast<ConstantInt>(call.getArgOperand(4))->getZExtValue();
  } else if (name.starts_with("avx512.mask.scatter")) {
    // (base, mask, index, value, scale)
    Type* type = call.getArgOperand(3)->getType();
    unsigned lanes = std::min(lanes_of(type), lanes_of(call.getArgOperand(2)->getType()));
    accesses.push_back(vector_access(Shape::scattered, call.getArgOperand(0),
                                     FixedVectorType::get(type->getScalarType(), lanes),
                                     {call.getArgOperand(1)}, true, layout));
    accesses.back().index = call.getArgOperand(2);
    accesses.back().scale = cast<ConstantInt>(call.getArgOperand(4))->getZExtValue();
  } else if (name.contains("ldu.dq")) {
    accesses.push_back(whole(call.getArgOperand(0),
                             layout.getTypeStoreSize(call.getType()).getFixedValue(), false));
  } else {
    return false;
  }
  return true;
}

bool collect_vp(IntrinsicInst& call, const DataLayout& layout, MemoryAccesses& accesses) {
  auto* vp = dyn_cast<VPIntrinsic>(&call);
  if (!vp) return false;
  Value* pointer = vp->getMemoryPointerParam();
  if (!pointer || lanes_of(vp->getMaskParam()->getType()) > 64) return false;
  Value* data = vp->getMemoryDataParam();
  Type* type = data ? data->getType() : call.getType();
  const Shape shape = pointer->getType()->isVectorTy() ? Shape::scattered : Shape::consecutive;
  accesses.push_back(vector_access(shape, pointer, type,
                                   {vp->getMaskParam(), vp->getVectorLengthParam()},
                                   data != nullptr, layout));
  return true;
}

bool collect_masked(IntrinsicInst& call, const DataLayout& layout, MemoryAccesses& accesses) {
  const auto add = [&](Shape shape, unsigned address, unsigned mask, Type* type, bool write) {
    if (lanes_of(type) > 64) return false;
    accesses.push_back(vector_access(shape, call.getArgOperand(address), type,
                                     {call.getArgOperand(mask)}, write, layout));
    return true;
  };
  const auto stored = [&] { return call.getArgOperand(0)->getType(); };
  switch (call.getIntrinsicID()) {
    case Intrinsic::masked_load:
      return add(Shape::consecutive, 0, 2, call.getType(), false);
    case Intrinsic::masked_store:
      return add(Shape::consecutive, 1, 3, stored(), true);
    case Intrinsic::masked_gather:
      return add(Shape::scattered, 0, 2, call.getType(), false);
    case Intrinsic::masked_scatter:
      return add(Shape::scattered, 1, 3, stored(), true);
    case Intrinsic::masked_expandload:
      return add(Shape::packed, 0, 1, call.getType(), false);
    case Intrinsic::masked_compressstore:
      return add(Shape::packed, 1, 2, stored(), true);
    default:
      return collect_vp(call, layout, accesses) || collect_x86(call, layout, accesses);
  }
}

bool collect_library_call(CallBase& call, MemoryAccesses& accesses) {
  const Function* callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration() || call.arg_size() < 3) return false;
  const StringRef name = callee->getName();
  if (!call.getArgOperand(0)->getType()->isPointerTy() ||
      !call.getArgOperand(2)->getType()->isIntegerTy()) {
    return false;
  }
  if ((name == "memcpy" || name == "memmove") && call.getArgOperand(1)->getType()->isPointerTy()) {
    accesses.push_back(range(call.getArgOperand(1), call.getArgOperand(2), false));
  } else if (name != "memset") {
    return false;
  }
  accesses.push_back(range(call.getArgOperand(0), call.getArgOperand(2), true));
  return true;
}

bool collect_call(CallBase& call, const DataLayout& layout, MemoryAccesses& accesses) {
  if (auto* transfer = dyn_cast<AnyMemTransferInst>(&call)) {
    accesses.push_back(range(transfer->getRawSource(), transfer->getLength(), false));
    accesses.push_back(range(transfer->getRawDest(), transfer->getLength(), true));
    return true;
  }
  if (auto* set = dyn_cast<AnyMemSetInst>(&call)) {
    accesses.push_back(range(set->getRawDest(), set->getLength(), true));
    return true;
  }
  if (auto* intrinsic = dyn_cast<IntrinsicInst>(&call)) {
    return collect_masked(*intrinsic, layout, accesses);
  }
  return collect_library_call(call, accesses);
}

}  // namespace

bool collect_accesses(Instruction& instruction, const DataLayout& layout,
                      MemoryAccesses& accesses) {
  const auto size = [&](const Type* type) {
    return layout.getTypeStoreSize(const_cast<Type*>(type)).getKnownMinValue();
  };
  if (auto* load = dyn_cast<LoadInst>(&instruction)) {
    accesses.push_back(whole(load->getPointerOperand(), size(load->getType()), false));
  } else if (auto* store = dyn_cast<StoreInst>(&instruction)) {
    accesses.push_back(
        whole(store->getPointerOperand(), size(store->getValueOperand()->getType()), true));
    accesses.back().non_temporal = store->hasMetadata(LLVMContext::MD_nontemporal);
  } else if (auto* update = dyn_cast<AtomicRMWInst>(&instruction)) {
    accesses.push_back(whole(update->getPointerOperand(), size(update->getType()), false));
    accesses.push_back(whole(update->getPointerOperand(), size(update->getType()), true));
  } else if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
    const uint64_t bytes = size(exchange->getCompareOperand()->getType());
    accesses.push_back(whole(exchange->getPointerOperand(), bytes, false));
    accesses.push_back(whole(exchange->getPointerOperand(), bytes, true));
  } else if (auto* call = dyn_cast<CallBase>(&instruction)) {
    return collect_call(*call, layout, accesses);
  } else {
    return false;
  }
  return true;
}

}  // namespace ridge::pass
