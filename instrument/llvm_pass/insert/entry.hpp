// The entry of an instrumented function: attaches the thread and pushes a frame.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>

#include "instrument/llvm_pass/cost/generic/own.hpp"

namespace ridge::pass {

/// What the runtime offers, declared in a module, and the module's own state. The references are
/// weak: objects that are linked without the runtime run all the same, and count nowhere.
struct RuntimeSymbols {
  explicit RuntimeSymbols(llvm::Module& module);

  /// Gives the block that is written to without the runtime its size, once that is known.
  void define_nowhere(llvm::Module& module, size_t counters);

  /// Takes away what the module does not use. A weak reference stands in the object all the same,
  /// without a type, and contradicts the thread-local variable of the runtime. Call last.
  void remove_unused();

  llvm::GlobalVariable* module_state;    ///< struct ridge_module, internal
  llvm::GlobalVariable* thread_pointer;  ///< ridge_current_thread
  llvm::GlobalVariable* nowhere;         ///< stands in for the thread's block without the runtime
  llvm::FunctionCallee register_module;
  llvm::FunctionCallee attach_thread;
  llvm::FunctionCallee repair_stack;
  llvm::FunctionCallee trace_flush;
  llvm::FunctionCallee trace_range;
  llvm::FunctionCallee trace_lanes;
  llvm::FunctionCallee loop_entered;
};

/// Values that the rest of the function uses. Until `build` they are placeholders in the entry
/// block, so that counters and stores can be placed while the control flow is still the old one.
class FunctionEntry {
 public:
  FunctionEntry(llvm::Function& function, const RuntimeSymbols& runtime);

  /// Splits the entry block behind its static allocas; call before any analysis of the function.
  static void split_entry_block(llvm::Function& function);

  [[nodiscard]] llvm::Value* thread() const { return thread_; }
  [[nodiscard]] llvm::Value* frame() const { return frame_; }        ///< own ridge_frame
  [[nodiscard]] llvm::Value* counters() const { return counters_; }  ///< the module's counter 0
  [[nodiscard]] llvm::Value* region_base() const { return region_base_; }    ///< i64
  [[nodiscard]] llvm::Value* depth_inside() const { return depth_inside_; }  ///< slot + 1
  [[nodiscard]] llvm::Value* depth_outside() const {
    return depth_outside_;
  }  ///< put back at exits

  /// Writes the entry sequence; the frame starts in region `first_region` of the module. Returns a
  /// block that nothing leads to yet: the way in where there is no runtime.
  [[nodiscard]] llvm::BasicBlock* build(uint32_t first_region);

 private:
  /// What the rest of the function uses, on one of the two ways in.
  struct Values {
    llvm::Value* thread;
    llvm::Value* frame;
    llvm::Value* counters;
    llvm::Value* region_base;
    llvm::Value* depth_inside;
    llvm::Value* depth_outside;
  };
  llvm::Value* build_attach(OwnBuilder& builder);
  Values build_push(OwnBuilder& builder, llvm::Value* thread, llvm::BasicBlock* body,
                    uint32_t first_region);
  void write_frame(OwnBuilder& builder, Values& values, llvm::Value* slot,
                   llvm::Value* stack_pointer, uint32_t first_region);
  [[nodiscard]] Values nowhere(OwnBuilder& builder) const;

  llvm::Function& function_;
  const RuntimeSymbols& runtime_;
  llvm::Value* thread_;
  llvm::Value* frame_;
  llvm::Value* counters_;
  llvm::Value* region_base_;
  llvm::Value* depth_inside_;
  llvm::Value* depth_outside_;
};

/// Where control goes in traffic mode; both null: on into the function itself.
struct TrafficVersion {
  llvm::Function* clone = nullptr;
  llvm::BasicBlock* body = nullptr;
};

/// Puts the check of the module's mode in front of a built function: an unregistered module is
/// registered, or the function entered through `uncounted` where there is no runtime; in traffic
/// mode the traffic version takes over.
void add_mode_check(llvm::Function& function, const RuntimeSymbols& runtime,
                    const TrafficVersion& version, llvm::BasicBlock* uncounted);

/// Whether the runtime was linked.
llvm::Value* has_runtime(llvm::IRBuilderBase& builder, const RuntimeSymbols& runtime);

}  // namespace ridge::pass
