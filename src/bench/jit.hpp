// Kernels as machine code, emitted at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "bench/code_work.hpp"
#include "bench/isa.hpp"
#include "bench/kernel_table.hpp"
#include "core/result.hpp"
#include "core/value/profile.hpp"

namespace ridge::bench {

/// What a kernel works on: for each repetition, `iterations` turns of its inner loop from the
/// beginning of the arrays. Read by the emitted code: keep the order.
struct KernelArguments {
  std::byte* arrays[3] = {nullptr, nullptr, nullptr};  ///< aligned to 64 bytes
  std::uint64_t iterations = 1;                        ///< at least 1
  std::uint64_t repetitions = 1;                       ///< at least 1
  std::byte* end = nullptr;  ///< see traversal.hpp; not read by kernels that go straight
};

/// The code of a kernel, its work per turn of the inner loop, and how to call it. Copies share the
/// code, which lives as long as any of them.
class JitKernel {
 public:
  /// A variant that exists (variants.hpp). The CPU need not support its instructions, as long as
  /// the kernel is not run. Errors: `unavailable` when there is no executable memory; `bad_input`
  /// for a variant that does not exist.
  [[nodiscard]] static Result<JitKernel> build(const Kernel& kernel, Isa isa, Precision precision);

  /// Runs on the calling thread. Registers and arrays hold normal numbers throughout.
  void run(const KernelArguments& arguments) const { function_(&arguments); }

  [[nodiscard]] const LoopWork& loop() const { return loop_; }
  /// Bytes by which one turn of the inner loop advances in each array; 0 for a compute kernel. Of a
  /// kernel that does not go straight: of the lines that it touches.
  [[nodiscard]] std::size_t bytes_per_turn() const { return bytes_per_turn_; }
  [[nodiscard]] const std::vector<std::uint8_t>& code() const { return code_; }

 private:
  using Function = void (*)(const KernelArguments*);

  std::shared_ptr<void> memory_;  ///< executable code and the constants it reads
  Function function_ = nullptr;
  std::vector<std::uint8_t> code_;
  LoopWork loop_;
  std::size_t bytes_per_turn_ = 0;
};

}  // namespace ridge::bench
