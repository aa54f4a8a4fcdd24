#include "analyze/ir/openmp.hpp"

#include <string_view>
#include <vector>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace ridge::analyze {
namespace {

constexpr const char* kMark = "ridge.work_shared";
constexpr std::string_view kRuntime = "__kmpc_";

/// Of `__kmpc_for_static_init_4(place, thread, schedule, last, lower, upper, stride, ...)`.
enum StaticInit : unsigned { kSchedule = 2, kUpper = 5, kStride = 6, kStaticArguments = 9 };
/// Of `__kmpc_dispatch_init_4(place, thread, schedule, lower, upper, ...)`, and of
/// `__kmpc_dispatch_next_4(place, thread, last, lower, upper, stride)`.
enum Dispatch : unsigned { kFrom = 3, kTo = 4, kInitArguments = 7, kNextArguments = 6 };

std::string_view callee_of(const llvm::CallInst& call) {
  const llvm::Function* callee = call.getCalledFunction();
  return callee == nullptr ? std::string_view() : std::string_view(callee->getName());
}

std::vector<llvm::CallInst*> runtime_calls(llvm::Function& function) {
  std::vector<llvm::CallInst*> calls;
  for (llvm::BasicBlock& block : function) {
    for (llvm::Instruction& instruction : block) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (call != nullptr && callee_of(*call).starts_with(kRuntime)) {
        calls.push_back(call);
      }
    }
  }
  return calls;
}

/// `call` goes away; whoever asks for its result gets this number.
void replace(llvm::CallInst& call, std::uint64_t result) {
  if (call.getType()->isIntegerTy()) {
    call.replaceAllUsesWith(llvm::ConstantInt::get(call.getType(), result));
  }
  if (call.use_empty()) {
    call.eraseFromParent();
  }
}

/// The block jumps to another one. `from` were its successors: none of them may count on it.
void jump(llvm::BasicBlock& block, llvm::BasicBlock& to) {
  for (llvm::BasicBlock* successor : llvm::successors(&block)) {
    successor->removePredecessor(&block);
  }
  llvm::Instruction* end = block.getTerminator();
  auto* made = llvm::BranchInst::Create(&to, end->getIterator());
  made->setDebugLoc(end->getDebugLoc());
  end->eraseFromParent();
}

/// Marks the loop that ends where its counter passes the number that lies here.
void mark_loop(llvm::Function& function, const llvm::Value& upper) {
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    for (const llvm::Instruction& instruction : *loop->getHeader()) {
      const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      if (load != nullptr && load->getPointerOperand() == &upper &&
          loop->getLoopLatch() != nullptr) {
        llvm::addStringMetadataToLoop(loop, kMark, 1);
      }
    }
  }
}

/// Of chunks that threads take in turn, the first one is all: it ends where the loop would go on
/// with the next one, which is where the stride is read.
void join_chunks(llvm::CallInst& init, llvm::BasicBlock& end) {
  for (llvm::User* user : init.getArgOperand(kStride)->users()) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(user);
    if (load != nullptr && load->getFunction() == init.getFunction() &&
        load->getParent()->getSingleSuccessor() != nullptr &&
        !llvm::isa<llvm::PHINode>(end.front())) {
      jump(*load->getParent(), end);
    }
  }
}

void take_whole_static(llvm::CallInst& init, const std::vector<llvm::CallInst*>& calls) {
  if (init.arg_size() != kStaticArguments) {
    return;
  }
  mark_loop(*init.getFunction(), *init.getArgOperand(kUpper));
  const auto* schedule = llvm::dyn_cast<llvm::ConstantInt>(init.getArgOperand(kSchedule));
  constexpr std::uint64_t kChunked = 33;
  if (schedule != nullptr && (schedule->getZExtValue() & 0xFFFFU) == kChunked) {
    llvm::DominatorTree dominators(*init.getFunction());
    for (llvm::CallInst* fini : calls) {
      if (callee_of(*fini) == "__kmpc_for_static_fini" && dominators.dominates(&init, fini)) {
        join_chunks(init, *fini->getParent());
        break;
      }
    }
  }
}

/// The loop over parts that threads fetch runs once, with all of them.
void take_whole_dispatch(llvm::CallInst& next, const std::vector<llvm::CallInst*>& calls) {
  llvm::BasicBlock& asks = *next.getParent();
  auto* branch = llvm::dyn_cast<llvm::BranchInst>(asks.getTerminator());
  if (next.arg_size() != kNextArguments || branch == nullptr || !branch->isConditional()) {
    return;
  }
  llvm::DominatorTree dominators(*next.getFunction());
  const llvm::CallInst* init = nullptr;
  for (const llvm::CallInst* each : calls) {
    const bool is_init = callee_of(*each).starts_with("__kmpc_dispatch_init_") &&
                         each->arg_size() == kInitArguments && dominators.dominates(each, &next);
    init = is_init ? each : init;
  }
  llvm::BasicBlock& end = *branch->getSuccessor(1);
  if (init == nullptr || llvm::isa<llvm::PHINode>(asks.front()) ||
      llvm::isa<llvm::PHINode>(end.front())) {
    return;
  }
  mark_loop(*next.getFunction(), *next.getArgOperand(kTo));
  llvm::IRBuilder<> builder(&next);
  builder.CreateStore(init->getArgOperand(kFrom), next.getArgOperand(kFrom));
  builder.CreateStore(init->getArgOperand(kTo), next.getArgOperand(kTo));
  std::vector<llvm::BasicBlock*> behind(llvm::pred_begin(&asks), llvm::pred_end(&asks));
  for (llvm::BasicBlock* block : behind) {
    if (dominators.dominates(&asks, block) && block->getSingleSuccessor() != nullptr) {
      jump(*block, end);
    }
  }
}

/// What only orders threads, or asks which one this is.
bool is_of_threads_only(std::string_view name) {
  for (const std::string_view each :
       {"__kmpc_barrier", "__kmpc_for_static_fini", "__kmpc_dispatch_deinit",
        "__kmpc_dispatch_fini", "__kmpc_push_num_threads", "__kmpc_end_reduce", "__kmpc_end_single",
        "__kmpc_end_master", "__kmpc_end_masked", "__kmpc_for_static_init_",
        "__kmpc_dispatch_init_"}) {
    if (name.starts_with(each)) {
      return true;
    }
  }
  return false;
}

/// What this thread may do as the only one there is.
bool is_asked_for_leave(std::string_view name) {
  return name.starts_with("__kmpc_reduce") || name == "__kmpc_single" || name == "__kmpc_master" ||
         name == "__kmpc_masked" || name.starts_with("__kmpc_dispatch_next_");
}

/// `__kmpc_fork_call(place, n, body, arguments...)` as `body(&0, &0, arguments...)`.
void call_body(llvm::CallInst& fork, unsigned first_argument) {
  auto* body =
      fork.arg_size() > 2 ? llvm::dyn_cast<llvm::Function>(fork.getArgOperand(2)) : nullptr;
  if (body == nullptr || body->isDeclaration() ||
      body->arg_size() != 2 + fork.arg_size() - first_argument || body == fork.getFunction()) {
    return;
  }
  llvm::IRBuilder<> entry(&*fork.getFunction()->getEntryBlock().getFirstInsertionPt());
  llvm::Value* number = entry.CreateAlloca(entry.getInt32Ty());
  llvm::IRBuilder<> builder(&fork);
  builder.CreateStore(builder.getInt32(0), number);
  std::vector<llvm::Value*> arguments{number, number};
  for (unsigned i = first_argument; i < fork.arg_size(); ++i) {
    arguments.push_back(fork.getArgOperand(i));
  }
  for (unsigned i = 0; i < arguments.size(); ++i) {
    if (arguments[i]->getType() != body->getArg(i)->getType()) {
      return;
    }
  }
  body->removeFnAttr(llvm::Attribute::NoInline);
  builder.CreateCall(body, arguments);
  fork.eraseFromParent();
}

void read_as_one_thread(llvm::Function& function) {
  const auto calls = runtime_calls(function);
  for (llvm::CallInst* call : calls) {
    if (callee_of(*call).starts_with("__kmpc_for_static_init_")) {
      take_whole_static(*call, calls);
    } else if (callee_of(*call).starts_with("__kmpc_dispatch_next_")) {
      take_whole_dispatch(*call, calls);
    }
  }
  for (llvm::CallInst* call : calls) {
    const std::string_view name = callee_of(*call);
    if (name == "__kmpc_fork_call" || name == "__kmpc_fork_teams") {
      call_body(*call, 3);
    } else if (name == "__kmpc_fork_call_if") {
      call_body(*call, 4);
    } else if (is_of_threads_only(name)) {
      replace(*call, 0);
    } else if (is_asked_for_leave(name)) {
      replace(*call, 1);
    }
  }
}

}  // namespace

void inline_parallel_regions(llvm::Module& program) {
  for (llvm::Function& function : program) {
    if (!function.isDeclaration()) {
      read_as_one_thread(function);
    }
  }
}

bool is_work_shared(const llvm::Loop& loop) {
  return llvm::getBooleanLoopAttribute(&loop, kMark);
}

}  // namespace ridge::analyze
