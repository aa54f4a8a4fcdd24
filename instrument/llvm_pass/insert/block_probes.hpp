// Pseudo probes: marks that survive compiling and linking, by which machine code is tied to the
// counters that count it. They are no instructions: the machine code is that without them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <llvm/IR/Function.h>

#include "abi/descriptor.h"

namespace ridge::pass {

/// The probes of a module, as they stand in the descriptor.
class ProbeTable {
 public:
  /// `first` of `count` new execution classes. Class 0 is code without work of the program.
  uint32_t add_classes(uint32_t count);

  void begin_function(uint64_t id);
  /// Number of the next probe of the function that was begun last. The class may hold
  /// RIDGE_PROBE_BEHIND_CALL.
  uint32_t add_probe(uint32_t execution_class);

  [[nodiscard]] const std::vector<ridge_probed_function>& functions() const { return functions_; }
  [[nodiscard]] const std::vector<uint32_t>& classes() const { return classes_; }

 private:
  std::vector<ridge_probed_function> functions_;
  std::vector<uint32_t> classes_;
  uint32_t used_classes_ = 0;
};

/// Different for functions whose machine code differs, also for those of one name in two modules
/// or two compilations. To be taken before anything is inserted.
[[nodiscard]] uint64_t probe_id(const llvm::Function& function);

/// Inserts the next probe of the function that `table` began last.
void insert_probe(llvm::Instruction* position, uint32_t execution_class, ProbeTable& table);

/// Leaves a `struct ridge_probed_code` that says where the code of `function` lies. Of the address
/// the section of probes keeps a hash of the symbol's name only, which `strip` removes.
void add_code_record(llvm::Function& function, uint64_t id);

/// Tells the back end to write the section of probes.
void describe_probes(llvm::Module& module, const ProbeTable& table);

}  // namespace ridge::pass
