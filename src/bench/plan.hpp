// What `ridge bench` measures: one planned kernel per ceiling. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/isa.hpp"
#include "bench/kernel_table.hpp"
#include "bench/variants.hpp"
#include "core/quantity/units.hpp"
#include "core/value/machine.hpp"
#include "core/value/profile.hpp"
#include "platform/cpu.hpp"

namespace ridge::bench {

/// What one effort spends.
struct EffortLimits {
  Seconds wall{};             ///< of the whole characterisation, about; not always needed
  Seconds most_per_weight{};  ///< more time than this does not make a ceiling better
  unsigned passes = 1;        ///< in which a ceiling has earned its whole budget
};
[[nodiscard]] EffortLimits limits_of(Effort effort);
[[nodiscard]] std::string_view to_string(Effort effort);

struct PlanOptions {
  Effort effort = Effort::quick;
  /// Everything is measured with each of these. Empty: with 1 and all; unless quick, the widest
  /// instruction set also with 2, 4, ... and one thread per core.
  std::vector<unsigned> thread_counts;
  platform::SimdSupport simd;
  IntegerWidths integers = IntegerWidths::widest;
  unsigned last_level_caches = 1;  ///< outermost caches that the threads' CPUs touch
  std::uint64_t memory_bytes = 0;  ///< most that all threads' sets may take; 0: not known
};

struct PlannedKernel {
  std::string id;  ///< of the ceiling, and of its form where there are two
  const Kernel* kernel = nullptr;
  Isa isa = Isa::scalar;
  Precision precision = Precision::fp64;
  std::optional<Level> level;  ///< absent for a compute kernel
  unsigned threads = 1;
  /// Bytes that each thread walks through, over all arrays of the kernel; 0 for compute.
  std::uint64_t set_bytes = 0;
  /// Walked through at the beginning of each visit, per thread: enough that the samples find the
  /// caches as their own walk leaves them.
  std::uint64_t warm_up_bytes = 0;
  Seconds sample_time{};  ///< aimed at
  Seconds visit_time{};   ///< a shorter visit would be mostly warm-up
  Seconds budget{};       ///< for all its visits
  double tolerance = 0;   ///< the value is known well enough within this fraction of itself
  double weight = 1.0;    ///< its share of the time for taking samples, relative to the others
  std::vector<std::string> flags;

  [[nodiscard]] bool is_compute() const { return kernel->kind == CeilingKind::compute; }
};

/// What its ceiling is told apart by; two forms of one kernel have the same.
[[nodiscard]] CeilingKey key_of(const PlannedKernel& planned);

/// Thread counts that are measured: those asked for, or as PlanOptions says; ascending, without
/// duplicates.
[[nodiscard]] std::vector<unsigned> thread_counts(const Machine& machine,
                                                  const PlanOptions& options);

/// Gives each kernel the budget that its weight earns it.
void share_budget(std::vector<PlannedKernel>& planned, Seconds budget, Seconds most_per_weight);

/// Bytes per thread that stay in a level (or, for memory, do not stay in any cache) when `threads`
/// threads walk through as many each. L1: 3/4 of a thread's share. Other caches: 1/4, since on
/// small pages a physically indexed cache misses long before it is full and a virtual machine may
/// own less of the outermost one than it is told; but at least twice the share in the level before,
/// as far as 3/4 of the own share allow. Memory: 4 times all last-level caches, over all threads.
[[nodiscard]] std::uint64_t working_set(const Machine& machine, Level level, unsigned threads,
                                        unsigned last_level_caches);

/// A cache: twice through the set, since a victim cache is filled only by what the inner one lets
/// go. Memory: as much as drives out of the caches what another kernel has left there.
[[nodiscard]] std::uint64_t warm_up_bytes(const Machine& machine, Level level,
                                          std::uint64_t set_bytes, unsigned threads,
                                          unsigned last_level_caches);

/// The widest of kIsas that the CPU has.
[[nodiscard]] Isa widest_isa(const platform::SimdSupport& simd);

/// Sets sample time, visit time, tolerance and weight as the level has them.
void set_schedule(PlannedKernel& planned);

/// A level that is left out because its set would not leave the caches with the memory there is.
struct TooLarge {
  Level level = Level::DRAM;
  unsigned threads = 1;
  std::uint64_t bytes = 0;  ///< needed by all threads together
};

struct Plan {
  std::vector<PlannedKernel> kernels;
  std::vector<TooLarge> too_large;
};

/// Every ceiling of this effort, without budgets (share_budget). Empty when the CPU has no AVX.
[[nodiscard]] Plan plan(const Machine& machine, const PlanOptions& options);

}  // namespace ridge::bench
