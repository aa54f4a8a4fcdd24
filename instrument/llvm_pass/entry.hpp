// The entry of an instrumented function: attaches the thread and pushes a frame.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>

#include "own.hpp"

namespace ridge::pass {

/// What the runtime offers, declared in a module, and the module's own state.
struct RuntimeSymbols {
  explicit RuntimeSymbols(llvm::Module& module);

  llvm::GlobalVariable* module_state;    ///< struct ridge_module, internal
  llvm::GlobalVariable* thread_pointer;  ///< ridge_current_thread
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

  /// Writes the entry sequence; the frame starts in region `first_region` of the module.
  void build(uint32_t first_region);

 private:
  void build_attach(OwnBuilder& builder, llvm::BasicBlock* body);
  void build_push(llvm::BasicBlock* ready, llvm::Value* thread, llvm::BasicBlock* body,
                  uint32_t first_region);
  void write_frame(OwnBuilder& builder, llvm::Value* thread, llvm::Value* slot,
                   llvm::Value* stack_pointer, uint32_t first_region);

  llvm::Function& function_;
  const RuntimeSymbols& runtime_;
  llvm::Value* thread_;
  llvm::Value* frame_;
  llvm::Value* counters_;
  llvm::Value* region_base_;
  llvm::Value* depth_inside_;
  llvm::Value* depth_outside_;
  uint32_t first_region_ = 0;
};

/// Where control goes in traffic mode; both null: on into the function itself.
struct TrafficVersion {
  llvm::Function* clone = nullptr;
  llvm::BasicBlock* body = nullptr;
};

/// Puts the check of the module's mode in front of a built function: an unregistered module is
/// registered, and in traffic mode the traffic version takes over.
void add_mode_check(llvm::Function& function, const RuntimeSymbols& runtime,
                    const TrafficVersion& version);

}  // namespace ridge::pass
