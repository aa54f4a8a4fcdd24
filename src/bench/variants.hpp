// Which kernels exist for which instruction set and precision, and which of them this CPU can run.
#pragma once

#include <string_view>
#include <vector>

#include "bench/isa.hpp"
#include "bench/kernel_table.hpp"
#include "core/value/profile.hpp"
#include "platform/cpu.hpp"

namespace ridge::bench {

/// One form of a kernel: what JitKernel::build takes.
struct Variant {
  const Kernel* kernel = nullptr;
  Isa isa = Isa::scalar;
  Precision precision = Precision::fp64;
};

/// "fp64", or "int8", "int32", "int64" for a kernel of integers: the `precision` of its ceilings.
[[nodiscard]] std::string_view data_name(const Kernel& kernel, Precision precision);

/// Whether there are instructions for it at all, on whatever CPU.
[[nodiscard]] bool exists(const Variant& variant);
[[nodiscard]] bool can_run(const Variant& variant, const platform::SimdSupport& simd);

/// AMX and AVX512-FP16: encoded and tested by disassembly, but never run by Ridge's authors.
[[nodiscard]] bool is_untested(const Variant& variant);

/// Of which instruction sets integers are added and multiplied: the widest that has the operation
/// (all of them at full effort), or all.
enum class IntegerWidths { widest, all };

/// Compute kernels of all precisions and instruction sets, for the CPU described by `simd`.
[[nodiscard]] std::vector<Variant> compute_variants(Effort effort,
                                                    const platform::SimdSupport& simd,
                                                    IntegerWidths integers = IntegerWidths::widest);

/// Bandwidth kernels for a level that stands at `place`. At L1 every instruction set has a
/// bandwidth of its own; further out the two widest tell enough.
[[nodiscard]] std::vector<Variant> bandwidth_variants(Effort effort,
                                                      const platform::SimdSupport& simd,
                                                      Place place);

/// Pointer chases, one for each size of pages; for every level.
[[nodiscard]] std::vector<Variant> latency_variants(Effort effort);

}  // namespace ridge::bench
