// The one table of micro-kernels. A kernel says which instructions its loop repeats; how many
// flops and bytes that makes is derived from the emitted code (code_work.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <variant>

#include "core/value/machine.hpp"
#include "platform/pages.hpp"

namespace ridge::bench {

enum class StepKind {
  none,
  fma,         ///< x = x * c + d, on a chain of its own
  add,         ///< x = x + d; free (Kernel::free_adds): x = c + d
  mul,         ///< x = x * c
  div,         ///< x = x / c
  sqrt,        ///< r = sqrt(c); each on its own
  dot,         ///< x = x + the products of c and d, neighbours summed up; a tile of them with AMX
  load,        ///< r = array[i]
  store,       ///< array[i] = r
  nt_store,    ///< the same past the caches
  fma_memory,  ///< r = array[i] * c + r
  add_memory,  ///< r = array[i] + r
  mul_memory,  ///< r = array[i] * c
  gather,      ///< r = array[index[i]], ...: one instruction for a whole vector
  pick,        ///< the same, put together from single loads
  chase,       ///< p = *p
};

struct Step {
  StepKind kind = StepKind::none;
  unsigned array = 0;
};

/// How thorough a characterisation is. Each contains the ones before.
enum class Effort { quick, standard, full };

/// Levels at which a bandwidth kernel is measured.
enum class Reach { all, l1, beyond_l1, memory };

/// Where a level stands; `memory` is whatever lies behind the last cache.
enum class Place { innermost, middle, memory };

/// How a kernel goes through its memory. All but `straight` need memory of their own
/// (traversal.hpp).
enum class Order {
  straight,  ///< through its arrays from beginning to end
  strided,   ///< to every n-th line of an array, later to the lines in between
  gather,    ///< to one element of each line of an array, as an array of indices says
  chase,     ///< to one element of each line, which says where the next one is
};

/// What a compute kernel calculates with: numbers of the precision it is built for, bytes, whose
/// products are summed up in 32 bits, or integers as wide as fp32 or fp64, for which they are built
/// as. What integers do are operations, not flops.
enum class Numbers { floating, int8, int32, int64 };

/// The loop of a measured roof: so many fma for so many loads, evenly mixed.
struct Mix {
  unsigned loads = 0;  ///< 0: not such a kernel; else 1, 2, 4 or 8
  unsigned fmas = 0;
};

struct Kernel {
  CeilingKind kind;
  std::variant<Operation, Pattern> measures;  ///< what its ceilings are told apart by
  std::array<Step, 3> steps;
  Reach reach = Reach::all;
  Effort from = Effort::quick;  ///< the least effort at which it is planned
  Order order = Order::straight;
  unsigned stride_lines = 1;  ///< of a strided kernel
  unsigned chains = 0;        ///< dependent chains; 0: as many as hide every latency
  /// A second form of the kernel of this name, for the instruction sets with few registers: its
  /// adds wait for nothing, which leaves registers to more chains of the other step. The faster
  /// form is the ceiling.
  bool free_adds = false;
  Numbers numbers = Numbers::floating;
  bool widest_only = false;  ///< of the instruction sets the two widest, at L1 too
  Mix mix{};
  platform::Pages pages = platform::Pages::huge;

  /// Of its ceilings; "roof" for the loop of a measured roof.
  [[nodiscard]] constexpr std::string_view name() const {
    return mix.loads > 0 ? "roof" : std::visit([](auto what) { return to_string(what); }, measures);
  }
  [[nodiscard]] constexpr bool is(std::variant<Operation, Pattern> what) const {
    return mix.loads == 0 && measures == what;
  }

  [[nodiscard]] constexpr bool reaches(Place place) const {
    switch (reach) {
      case Reach::all:
        return true;
      case Reach::l1:
        return place == Place::innermost;
      case Reach::beyond_l1:
        return place != Place::innermost;
      case Reach::memory:
        break;
    }
    return place == Place::memory;
  }
  /// As above for what is no memory: a kernel that is for memory alone is not reached.
  [[nodiscard]] constexpr bool reaches(bool innermost) const {
    return reaches(innermost ? Place::innermost : Place::middle);
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
    if (kind == CeilingKind::compute) {
      return 0;
    }
    unsigned count = 1;
    for (const Step& step : steps) {
      count = std::max(count, step.array + 1);
    }
    return count;
  }
  /// Adds or multiplies integers: the operations that the integer work of programs is held against.
  [[nodiscard]] constexpr bool is_integer() const {
    return numbers == Numbers::int32 || numbers == Numbers::int64;
  }
  [[nodiscard]] constexpr bool needs_fma() const {
    return has(StepKind::fma) || has(StepKind::fma_memory);
  }
};

inline constexpr std::array kKernels{
    Kernel{CeilingKind::compute, Operation::fma, {{{StepKind::fma}}}},
    Kernel{CeilingKind::compute, Operation::add, {{{StepKind::add}}}},
    Kernel{CeilingKind::compute, Operation::mul, {{{StepKind::mul}}}},
    Kernel{CeilingKind::compute, Operation::fma_add, {{{StepKind::fma}, {StepKind::add}}}},
    // With 8 chains of fma, just as many as are in flight, Zen 5 reaches 3.2 of its 4 instructions
    // per cycle; with 12 all of them.
    Kernel{.kind = CeilingKind::compute,
           .measures = Operation::fma_add,
           .steps = {{{StepKind::fma}, {StepKind::add}}},
           .free_adds = true},
    // What code without FMA instructions can reach at most.
    Kernel{.kind = CeilingKind::compute,
           .measures = Operation::mul_add,
           .steps = {{{StepKind::mul}, {StepKind::add}}},
           .from = Effort::full},
    Kernel{.kind = CeilingKind::compute,
           .measures = Operation::div,
           .steps = {{{StepKind::div}}},
           .from = Effort::standard},
    Kernel{.kind = CeilingKind::compute,
           .measures = Operation::sqrt,
           .steps = {{{StepKind::sqrt}}},
           .from = Effort::standard},
    // What a loop reaches whose operations wait for one another: a recurrence, or a sum that the
    // compiler may not reorder.
    Kernel{.kind = CeilingKind::compute,
           .measures = Operation::fma_chain,
           .steps = {{{StepKind::fma}}},
           .from = Effort::standard,
           .chains = 1},
    Kernel{.kind = CeilingKind::compute,
           .measures = Operation::add_chain,
           .steps = {{{StepKind::add}}},
           .from = Effort::standard,
           .chains = 1},
    Kernel{.kind = CeilingKind::compute,
           .measures = Operation::dot,
           .steps = {{{StepKind::dot}}},
           .from = Effort::standard},
    Kernel{.kind = CeilingKind::compute,
           .measures = Operation::dot,
           .steps = {{{StepKind::dot}}},
           .from = Effort::standard,
           .numbers = Numbers::int8},
    Kernel{.kind = CeilingKind::compute,
           .measures = Operation::add,
           .steps = {{{StepKind::add}}},
           .numbers = Numbers::int32},
    Kernel{.kind = CeilingKind::compute,
           .measures = Operation::mul,
           .steps = {{{StepKind::mul}}},
           .numbers = Numbers::int32},
    Kernel{.kind = CeilingKind::compute,
           .measures = Operation::add,
           .steps = {{{StepKind::add}}},
           .numbers = Numbers::int64},
    Kernel{.kind = CeilingKind::compute,
           .measures = Operation::mul,
           .steps = {{{StepKind::mul}}},
           .numbers = Numbers::int64},
    // From L1 each vector is loaded twice: loads of two lines at once may meet in a bank (Zen 4
    // then serves 58 of 64 byte per cycle at 512 bit), loads of one line never do, and a ceiling
    // has to hold for code that reuses lines too.
    Kernel{CeilingKind::bandwidth,
           Pattern::load,
           {{{StepKind::load, 0}, {StepKind::load, 0}}},
           Reach::l1},
    Kernel{CeilingKind::bandwidth, Pattern::load, {{{StepKind::load, 0}}}, Reach::beyond_l1},
    Kernel{CeilingKind::bandwidth, Pattern::store, {{{StepKind::store, 0}}}},
    Kernel{CeilingKind::bandwidth, Pattern::copy, {{{StepKind::load, 1}, {StepKind::store, 0}}}},
    Kernel{CeilingKind::bandwidth,
           Pattern::triad,
           {{{StepKind::load, 1}, {StepKind::fma_memory, 2}, {StepKind::store, 0}}}},
    Kernel{.kind = CeilingKind::bandwidth,
           .measures = Pattern::update,
           .steps = {{{StepKind::mul_memory, 0}, {StepKind::store, 0}}},
           .from = Effort::standard},
    // In L1 both loads of one line, as by "load": 92 instead of 88 to 90 byte per cycle at 256 bit
    // on Zen 4.
    Kernel{.kind = CeilingKind::bandwidth,
           .measures = Pattern::two_load_one_store,
           .steps = {{{StepKind::load, 1}, {StepKind::load, 1}, {StepKind::store, 0}}},
           .reach = Reach::l1,
           .from = Effort::standard},
    Kernel{.kind = CeilingKind::bandwidth,
           .measures = Pattern::two_load_one_store,
           .steps = {{{StepKind::load, 1}, {StepKind::add_memory, 2}, {StepKind::store, 0}}},
           .reach = Reach::beyond_l1,
           .from = Effort::standard},
    Kernel{.kind = CeilingKind::bandwidth,
           .measures = Pattern::nt_store,
           .steps = {{{StepKind::nt_store, 0}}},
           .reach = Reach::memory,
           .from = Effort::standard},
    Kernel{.kind = CeilingKind::bandwidth,
           .measures = Pattern::nt_copy,
           .steps = {{{StepKind::load, 1}, {StepKind::nt_store, 0}}},
           .reach = Reach::memory,
           .from = Effort::standard},
    // One number of each line, as on the way down a column.
    Kernel{.kind = CeilingKind::bandwidth,
           .measures = Pattern::stride_2,
           .steps = {{{StepKind::load}}},
           .from = Effort::standard,
           .order = Order::strided,
           .stride_lines = 2},
    Kernel{.kind = CeilingKind::bandwidth,
           .measures = Pattern::stride_4,
           .steps = {{{StepKind::load}}},
           .from = Effort::standard,
           .order = Order::strided,
           .stride_lines = 4},
    Kernel{.kind = CeilingKind::bandwidth,
           .measures = Pattern::stride_8,
           .steps = {{{StepKind::load}}},
           .from = Effort::standard,
           .order = Order::strided,
           .stride_lines = 8},
    Kernel{.kind = CeilingKind::bandwidth,
           .measures = Pattern::stride_16,
           .steps = {{{StepKind::load}}},
           .from = Effort::standard,
           .order = Order::strided,
           .stride_lines = 16},
    Kernel{.kind = CeilingKind::bandwidth,
           .measures = Pattern::gather,
           .steps = {{{StepKind::gather}}},
           .from = Effort::standard,
           .order = Order::gather,
           .widest_only = true},
    Kernel{.kind = CeilingKind::bandwidth,
           .measures = Pattern::gather_emulated,
           .steps = {{{StepKind::pick}}},
           .from = Effort::standard,
           .order = Order::gather,
           .widest_only = true},
    Kernel{.kind = CeilingKind::latency,
           .measures = Pattern::chase_huge,
           .steps = {{{StepKind::chase}}},
           .from = Effort::standard,
           .order = Order::chase},
    // The time to find the page is part of the latency, as it is for a program that asks for
    // nothing else.
    Kernel{.kind = CeilingKind::latency,
           .measures = Pattern::chase_4k,
           .steps = {{{StepKind::chase}}},
           .from = Effort::standard,
           .order = Order::chase,
           .pages = platform::Pages::small},
};

/// nullptr when there is none of this kind and name; of several, the one for levels beyond L1, of
/// floating-point numbers.
[[nodiscard]] constexpr const Kernel* find_kernel(CeilingKind kind, std::string_view name) {
  for (const Kernel& kernel : kKernels) {
    if (kernel.kind == kind && kernel.name() == name && kernel.reach != Reach::l1) {
      return &kernel;
    }
  }
  return nullptr;
}

/// The loop of a measured roof; not in the table, since a sweep chooses the mix. In L1 each vector
/// is loaded twice, as by "load".
[[nodiscard]] constexpr Kernel roof_kernel(Mix mix, bool innermost) {
  Kernel kernel{CeilingKind::bandwidth, Pattern::load, {{{StepKind::load}, {StepKind::fma}}}};
  kernel.reach = innermost ? Reach::l1 : Reach::beyond_l1;
  kernel.mix = mix;
  return kernel;
}

}  // namespace ridge::bench
