// The one table of micro-kernels. A kernel says which instructions its loop repeats; how many
// flops and bytes that makes is derived from the emitted code (code_work.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "core/machine.hpp"

namespace ridge::bench {

enum class StepKind {
  none,
  fma,         ///< x = x * c + d, on a chain of its own
  add,         ///< x = x + d
  mul,         ///< x = x * c
  load,        ///< r = array[i]
  store,       ///< array[i] = r
  fma_memory,  ///< r = array[i] * c + r
};

struct Step {
  StepKind kind = StepKind::none;
  unsigned array = 0;
};

/// How thorough a characterisation is. Each contains the ones before.
enum class Effort { quick, standard, full };

/// Levels at which a bandwidth kernel is measured.
enum class Reach { all, l1, beyond_l1 };

struct Kernel {
  CeilingKind kind;
  std::string_view name;  ///< the `operation` or the `pattern` of its ceilings
  std::array<Step, 3> steps;
  Reach reach = Reach::all;
  Effort from = Effort::quick;  ///< the least effort at which it is planned

  [[nodiscard]] constexpr bool reaches(bool innermost) const {
    return reach == Reach::all || (reach == Reach::l1) == innermost;
  }

  [[nodiscard]] constexpr std::size_t step_count() const {
    return static_cast<std::size_t>(std::count_if(
        steps.begin(), steps.end(), [](Step step) { return step.kind != StepKind::none; }));
  }
  [[nodiscard]] constexpr bool has(StepKind wanted) const {
    return std::any_of(steps.begin(), steps.end(), [&](Step step) { return step.kind == wanted; });
  }
  /// Arrays walked through; 0 for a compute kernel.
  [[nodiscard]] constexpr unsigned arrays() const {
    unsigned count = 0;
    for (const Step& step : steps) {
      const bool memory = step.kind == StepKind::load || step.kind == StepKind::store ||
                          step.kind == StepKind::fma_memory;
      count = memory ? std::max(count, step.array + 1) : count;
    }
    return count;
  }
  [[nodiscard]] constexpr bool needs_fma() const {
    return has(StepKind::fma) || has(StepKind::fma_memory);
  }
};

inline constexpr std::array kKernels{
    Kernel{CeilingKind::compute, "fma", {{{StepKind::fma}}}},
    Kernel{CeilingKind::compute, "add", {{{StepKind::add}}}},
    Kernel{CeilingKind::compute, "mul", {{{StepKind::mul}}}},
    Kernel{CeilingKind::compute, "fma+add", {{{StepKind::fma}, {StepKind::add}}}},
    // From L1 each vector is loaded twice: loads of two lines at once may meet in a bank (Zen 4
    // then serves 58 of 64 byte per cycle at 512 bit), loads of one line never do, and a ceiling
    // has to hold for code that reuses lines too.
    Kernel{CeilingKind::bandwidth, "load", {{{StepKind::load, 0}, {StepKind::load, 0}}}, Reach::l1},
    Kernel{CeilingKind::bandwidth, "load", {{{StepKind::load, 0}}}, Reach::beyond_l1},
    Kernel{CeilingKind::bandwidth, "store", {{{StepKind::store, 0}}}},
    Kernel{CeilingKind::bandwidth, "copy", {{{StepKind::load, 1}, {StepKind::store, 0}}}},
    Kernel{CeilingKind::bandwidth,
           "triad",
           {{{StepKind::load, 1}, {StepKind::fma_memory, 2}, {StepKind::store, 0}}}},
};

/// nullptr when there is none of this kind and name; of several, the one for levels beyond L1.
[[nodiscard]] constexpr const Kernel* find_kernel(CeilingKind kind, std::string_view name) {
  for (const Kernel& kernel : kKernels) {
    if (kernel.kind == kind && kernel.name == name && kernel.reach != Reach::l1) {
      return &kernel;
    }
  }
  return nullptr;
}

}  // namespace ridge::bench
