#include "instrument/llvm_pass/insert/entry.hpp"

#include <cstddef>
#include <functional>

#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "abi/layout.h"

namespace ridge::pass {

using namespace llvm;

namespace {

constexpr uint64_t kFrameBytes = sizeof(ridge_frame);
static_assert(offsetof(ridge_thread, depth) == 0 && kFrameBytes == 16);
static_assert(offsetof(ridge_frame, region) == 0 && offsetof(ridge_frame, region_base) == 4);

MDNode* unlikely(LLVMContext& context) {
  return MDBuilder(context).createUnlikelyBranchWeights();
}

FunctionCallee runtime_function(Module& module, StringRef name, Type* result,
                                ArrayRef<Type*> parameters) {
  FunctionCallee callee =
      module.getOrInsertFunction(name, FunctionType::get(result, parameters, false));
  if (auto* function = dyn_cast<Function>(callee.getCallee())) {
    function->setLinkage(GlobalValue::ExternalWeakLinkage);
    function->setDoesNotThrow();
    function->addFnAttr(Attribute::Cold);
  }
  return callee;
}

StructType* module_type(LLVMContext& context) {
  Type* pointer = PointerType::getUnqual(context);
  Type* i64 = Type::getInt64Ty(context);
  Type* i32 = Type::getInt32Ty(context);
  return StructType::get(context, {pointer, i64, i32, i32, i64, i64});
}

Instruction* placeholder(Type* type, Instruction* position, const Twine& name) {
  return new FreezeInst(PoisonValue::get(type), name, position->getIterator());
}

void replace(Value*& value, Value* with) {
  auto* old = cast<Instruction>(value);
  old->replaceAllUsesWith(with);
  old->eraseFromParent();
  value = with;
}

}  // namespace

RuntimeSymbols::RuntimeSymbols(Module& module) {
  LLVMContext& context = module.getContext();
  Type* nothing = Type::getVoidTy(context);
  Type* pointer = PointerType::getUnqual(context);
  Type* i64 = Type::getInt64Ty(context);
  StructType* state = module_type(context);
  static_assert(sizeof(ridge_module) == 40);
  module_state = new GlobalVariable(module, state, false, GlobalValue::InternalLinkage,
                                    ConstantAggregateZero::get(state), "ridge.module");
  module_state->setAlignment(Align(8));
  thread_pointer =
      new GlobalVariable(module, pointer, false, GlobalValue::ExternalWeakLinkage, nullptr,
                         "ridge_current_thread", nullptr, GlobalValue::InitialExecTLSModel);
  nowhere = new GlobalVariable(module, Type::getInt8Ty(context), false,
                               GlobalValue::ExternalLinkage, nullptr, "ridge.nowhere");
  register_module = runtime_function(module, "ridge_register_module", nothing, {pointer});
  attach_thread = runtime_function(module, "ridge_attach_thread", pointer, {});
  repair_stack = runtime_function(module, "ridge_repair_stack", i64, {pointer, i64});
  trace_flush = runtime_function(module, "ridge_trace_flush", nothing, {pointer});
  trace_range = runtime_function(module, "ridge_trace_range", nothing, {pointer, i64, i64, i64});
  trace_lanes =
      runtime_function(module, "ridge_trace_lanes", nothing, {pointer, pointer, i64, i64, i64});
  loop_entered = runtime_function(module, "ridge_loop_entered", nothing, {i64, i64});
}

namespace {

/// Of the block that is written to without the runtime: the head of struct ridge_thread, one frame,
/// the module's counters.
constexpr uint64_t kNowhereFrame = offsetof(ridge_thread, frames);
constexpr uint64_t kNowhereCounters = kNowhereFrame + kFrameBytes;

}  // namespace

void RuntimeSymbols::define_nowhere(Module& module, size_t counters) {
  Type* type = ArrayType::get(Type::getInt8Ty(module.getContext()),
                              kNowhereCounters + counters * sizeof(uint64_t));
  auto* defined = new GlobalVariable(module, type, false, GlobalValue::InternalLinkage,
                                     ConstantAggregateZero::get(type));
  defined->setAlignment(Align(64));
  defined->takeName(nowhere);
  nowhere->replaceAllUsesWith(defined);
  nowhere->eraseFromParent();
  nowhere = defined;
}

void RuntimeSymbols::remove_unused() {
  for (FunctionCallee& callee :
       {std::ref(register_module), std::ref(attach_thread), std::ref(repair_stack),
        std::ref(trace_flush), std::ref(trace_range), std::ref(trace_lanes),
        std::ref(loop_entered)}) {
    auto* function = cast<Function>(callee.getCallee());
    if (function->use_empty()) {
      function->eraseFromParent();
      callee = {};
    }
  }
  if (thread_pointer->use_empty()) {
    thread_pointer->eraseFromParent();
    thread_pointer = nullptr;
  }
}

Value* has_runtime(IRBuilderBase& builder, const RuntimeSymbols& runtime) {
  FunctionCallee callee = runtime.register_module;
  return builder.CreateIsNotNull(callee.getCallee());
}

void FunctionEntry::split_entry_block(Function& function) {
  BasicBlock& entry = function.getEntryBlock();
  Instruction* first_other = nullptr;
  for (Instruction& instruction : make_early_inc_range(entry)) {
    auto* allocation = dyn_cast<AllocaInst>(&instruction);
    if (allocation && allocation->isStaticAlloca()) {
      if (first_other) allocation->moveBefore(first_other);
    } else if (!first_other) {
      first_other = &instruction;
    }
  }
  BasicBlock* body = SplitBlock(&entry, first_other->getIterator());
  body->setName("ridge.body");
}

FunctionEntry::FunctionEntry(Function& function, const RuntimeSymbols& runtime)
    : function_(function), runtime_(runtime) {
  Instruction* end = function.getEntryBlock().getTerminator();
  LLVMContext& context = function.getContext();
  Type* pointer = PointerType::getUnqual(context);
  Type* i64 = Type::getInt64Ty(context);
  thread_ = placeholder(pointer, end, "ridge.thread");
  frame_ = placeholder(pointer, end, "ridge.frame");
  counters_ = placeholder(pointer, end, "ridge.counters");
  region_base_ = placeholder(i64, end, "ridge.region_base");
  depth_inside_ = placeholder(i64, end, "ridge.depth_inside");
  depth_outside_ = placeholder(i64, end, "ridge.depth_outside");
}

BasicBlock* FunctionEntry::build(uint32_t first_region) {
  BasicBlock* entry = &function_.getEntryBlock();
  // What was placed in the entry block stands behind the placeholders.
  Instruction* last = cast<Instruction>(depth_outside_);
  BasicBlock* body = SplitBlock(entry, std::next(last->getIterator()));
  body->setName("ridge.entered");
  // A block of its own: what analyses expanded beside the allocas stays in front of all ways in.
  BasicBlock* count = BasicBlock::Create(function_.getContext(), "ridge.count", &function_, body);
  cast<BranchInst>(entry->getTerminator())->setSuccessor(0, count);
  OwnBuilder builder(count);
  Value* thread = build_attach(builder);
  const Values counted = build_push(builder, thread, body, first_region);
  BasicBlock* push = builder.GetInsertBlock();
  builder.CreateBr(body);
  BasicBlock* uncounted =
      BasicBlock::Create(function_.getContext(), "ridge.uncounted", &function_, body);
  OwnBuilder aside(uncounted);
  const Values nothing = nowhere(aside);
  aside.CreateBr(body);

  OwnBuilder joined(&body->front());
  const auto join = [&](Value*& value, Value* Values::* member, const Twine& name) {
    PHINode* phi = joined.CreatePHI(value->getType(), 2, name);
    phi->addIncoming(counted.*member, push);
    phi->addIncoming(nothing.*member, uncounted);
    replace(value, phi);
  };
  join(thread_, &Values::thread, "ridge.thread");
  join(frame_, &Values::frame, "ridge.frame");
  join(counters_, &Values::counters, "ridge.counters");
  join(region_base_, &Values::region_base, "ridge.region_base");
  join(depth_inside_, &Values::depth_inside, "ridge.depth_inside");
  join(depth_outside_, &Values::depth_outside, "ridge.depth_outside");
  return uncounted;
}

/// All threads write to the same few lines, and nobody reads them.
FunctionEntry::Values FunctionEntry::nowhere(OwnBuilder& builder) const {
  Value* block = runtime_.nowhere;
  return {block,
          builder.byte_address(block, kNowhereFrame),
          builder.byte_address(block, kNowhereCounters),
          builder.getInt64(0),
          builder.getInt64(1),
          builder.getInt64(1)};
}

/// ridge_current_thread, or ridge_attach_thread() where that is null.
Value* FunctionEntry::build_attach(OwnBuilder& builder) {
  LLVMContext& context = function_.getContext();
  BasicBlock* entry = builder.GetInsertBlock();
  BasicBlock* attach =
      BasicBlock::Create(context, "ridge.attach", &function_, entry->getNextNode());
  BasicBlock* ready = BasicBlock::Create(context, "ridge.ready", &function_, attach->getNextNode());
  Value* known = builder.CreateLoad(builder.getPtrTy(),
                                    builder.CreateThreadLocalAddress(runtime_.thread_pointer));
  builder.CreateCondBr(builder.CreateIsNull(known), attach, ready, unlikely(context));
  builder.SetInsertPoint(attach);
  Value* attached = builder.CreateCall(runtime_.attach_thread);
  builder.CreateBr(ready);
  builder.SetInsertPoint(ready);
  PHINode* thread = builder.CreatePHI(builder.getPtrTy(), 2);
  thread->addIncoming(known, entry);
  thread->addIncoming(attached, attach);
  return thread;
}

namespace {

constexpr uint64_t kStackPointer = offsetof(ridge_frame, stack_pointer);

Value* frame_address(OwnBuilder& builder, Value* thread, Value* slot) {
  Value* frames = builder.byte_address(thread, offsetof(ridge_thread, frames));
  return builder.CreateGEP(builder.getInt8Ty(), frames,
                           builder.CreateMul(slot, builder.getInt64(kFrameBytes)));
}

/// Keeps the backend from folding the sum into each store, which takes two registers throughout.
Value* one_register(OwnBuilder& builder, Value* address) {
  Type* pointer = builder.getPtrTy();
  InlineAsm* same = InlineAsm::get(FunctionType::get(pointer, {pointer}, false), "", "=r,0", false);
  return builder.CreateCall(same, {address});
}

}  // namespace

/// Takes the slot above the top frame. The top frame must lie higher on the stack than this one:
/// otherwise it was left by longjmp or an exception, and the runtime finds the slot.
FunctionEntry::Values FunctionEntry::build_push(OwnBuilder& builder, Value* thread,
                                                BasicBlock* body, uint32_t first_region) {
  LLVMContext& context = function_.getContext();
  BasicBlock* ready = builder.GetInsertBlock();
  BasicBlock* repair = BasicBlock::Create(context, "ridge.repair", &function_, body);
  BasicBlock* push = BasicBlock::Create(context, "ridge.push", &function_, body);
  Value* found = builder.CreateLoad(builder.getInt64Ty(), thread, "ridge.depth");
  Value* sp = builder.CreatePtrToInt(
      builder.CreateIntrinsic(Intrinsic::addressofreturnaddress, {builder.getPtrTy()}, {}),
      builder.getInt64Ty());
  Value* top = builder.CreateGEP(builder.getInt8Ty(), frame_address(builder, thread, found),
                                 builder.getInt64(kStackPointer - kFrameBytes));
  Value* dead = builder.CreateICmpULE(builder.CreateLoad(builder.getInt64Ty(), top), sp);
  Value* full = builder.CreateICmpUGE(found, builder.getInt64(RIDGE_FRAME_CAPACITY));
  builder.CreateCondBr(builder.CreateOr(dead, full), repair, push, unlikely(context));

  builder.SetInsertPoint(repair);
  Value* repaired = builder.CreateCall(runtime_.repair_stack, {thread, sp});
  // Deeper frames share the last slot: leave the stack as full as it was.
  Value* last = builder.CreateICmpEQ(repaired, builder.getInt64(RIDGE_FRAME_CAPACITY - 1));
  Value* kept = builder.CreateSelect(last, found, repaired);
  builder.CreateBr(push);

  builder.SetInsertPoint(push);
  const auto either = [&](Value* usual, Value* after_repair, const Twine& name) {
    PHINode* phi = builder.CreatePHI(builder.getInt64Ty(), 2, name);
    phi->addIncoming(usual, ready);
    phi->addIncoming(after_repair, repair);
    return phi;
  };
  Value* slot = either(found, repaired, "ridge.slot");
  Value* outside = either(found, kept, "ridge.outside");
  Values values{};
  values.thread = thread;
  values.depth_outside = outside;
  write_frame(builder, values, slot, sp, first_region);
  return values;
}

/// Frame first, depth last: the sampler reads at any moment.
void FunctionEntry::write_frame(OwnBuilder& builder, Values& values, Value* slot, Value* sp,
                                uint32_t first_region) {
  Value* thread = values.thread;
  const auto state = [&](uint64_t offset) {
    return builder.CreateLoad(builder.getInt64Ty(),
                              builder.byte_address(runtime_.module_state, offset));
  };
  Value* frame = one_register(builder, frame_address(builder, thread, slot));
  Value* region_base = state(offsetof(ridge_module, region_base));
  Value* counters =
      one_register(builder, builder.CreateGEP(builder.getInt8Ty(), thread,
                                              state(offsetof(ridge_module, counter_offset))));
  Value* inside = builder.CreateAdd(slot, builder.getInt64(1));
  Value* region = builder.CreateOr(builder.CreateShl(region_base, 32), first_region);
  builder.CreateStore(region, frame, true);  // region and region_base
  builder.CreateStore(sp, builder.byte_address(frame, kStackPointer), true);
  builder.CreateStore(inside, thread, true);
  values.frame = frame;
  values.counters = counters;
  values.region_base = region_base;
  values.depth_inside = inside;
}

namespace {

/// In traffic mode the clone takes over with the same arguments and the same return address.
void call_clone(Function& function, Function& clone, BasicBlock* block) {
  OwnBuilder builder(block);
  SmallVector<Value*, 8> arguments;
  for (Argument& argument : function.args()) arguments.push_back(&argument);
  CallInst* call = builder.CreateCall(&clone, arguments);
  call->setTailCallKind(CallInst::TCK_MustTail);
  call->setCallingConv(function.getCallingConv());
  AttributeList attributes = function.getAttributes();
  attributes = attributes.removeFnAttributes(function.getContext());
  call->setAttributes(attributes);
  if (function.getReturnType()->isVoidTy()) {
    builder.CreateRetVoid();
  } else {
    builder.CreateRet(call);
  }
}

}  // namespace

void add_mode_check(Function& function, const RuntimeSymbols& runtime,
                    const TrafficVersion& version, BasicBlock* uncounted) {
  LLVMContext& context = function.getContext();
  BasicBlock* entry = &function.getEntryBlock();
  BasicBlock* body = entry->getSingleSuccessor();
  entry->getTerminator()->eraseFromParent();
  BasicBlock* other_mode = BasicBlock::Create(context, "ridge.other_mode", &function, body);
  BasicBlock* unregistered = BasicBlock::Create(context, "ridge.unregistered", &function, body);
  BasicBlock* registering = BasicBlock::Create(context, "ridge.register", &function, body);
  BasicBlock* registered = BasicBlock::Create(context, "ridge.registered", &function, body);

  OwnBuilder builder(entry);
  const auto mode = [&] {
    return builder.CreateLoad(
        builder.getInt32Ty(),
        builder.byte_address(runtime.module_state, offsetof(ridge_module, mode)));
  };
  Value* first_mode = mode();
  builder.CreateCondBr(builder.CreateICmpNE(first_mode, builder.getInt32(RIDGE_MODE_COUNT)),
                       other_mode, body, unlikely(context));
  builder.SetInsertPoint(other_mode);
  builder.CreateCondBr(builder.CreateICmpEQ(first_mode, builder.getInt32(RIDGE_MODE_UNREGISTERED)),
                       unregistered, registered);
  builder.SetInsertPoint(unregistered);
  builder.CreateCondBr(has_runtime(builder, runtime), registering, uncounted);
  builder.SetInsertPoint(registering);
  builder.CreateCall(runtime.register_module, {runtime.module_state});
  builder.CreateBr(registered);
  builder.SetInsertPoint(registered);
  if (!version.clone && !version.body) {
    builder.CreateBr(body);
    return;
  }
  BasicBlock* traffic = version.body;
  if (version.clone) traffic = BasicBlock::Create(context, "ridge.traffic", &function, body);
  builder.CreateCondBr(builder.CreateICmpEQ(mode(), builder.getInt32(RIDGE_MODE_TRAFFIC)), traffic,
                       body, unlikely(context));
  if (version.clone) call_clone(function, *version.clone, traffic);
}

}  // namespace ridge::pass
