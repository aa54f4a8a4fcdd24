#include "measure/instrumented/counts.hpp"

#include <array>
#include <limits>
#include <string_view>

namespace ridge::measure {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
/// Names of real templates reach some 10 kB; longer ones are cut.
constexpr std::size_t kTextMax = std::size_t{1} << 16U;

std::uint64_t add_saturating(std::uint64_t a, std::uint64_t b) {
  return a > kMost - b ? kMost : a + b;
}

std::uint64_t multiply_saturating(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? kMost : product;
}

void add_to(std::uint64_t& sum, std::uint64_t amount) {
  sum = add_saturating(sum, amount);
}
void add_to(std::optional<std::uint64_t>& sum, std::uint64_t amount) {
  sum = add_saturating(sum.value_or(0), amount);
}

void add_flops(Work& work, const ridge_term_descriptor& term, std::uint64_t flops) {
  constexpr std::array kPrecisions{Precision::fp64, Precision::fp32, Precision::fp16,
                                   Precision::bf16};
  constexpr std::array kOperations{OperationKind::add, OperationKind::mul, OperationKind::fma,
                                   OperationKind::div, OperationKind::sqrt};
  if (term.precision < kPrecisions.size() && term.operation < kOperations.size() && flops != 0) {
    work.add(kPrecisions[term.precision], kOperations[term.operation], term.width_bits, flops);
  }
}

void add_named(std::map<std::string, std::uint64_t>& sums, std::string_view name,
               std::uint64_t amount) {
  if (amount != 0) {
    add_to(sums[std::string(name.substr(0, kTextMax))], amount);
  }
}

/// Flops of the IR where no machine code takes their place.
void add_ir_flops(Counts& counts, const ridge_term_descriptor& term, std::uint64_t flops,
                  const CounterWork* machine) {
  add_to(counts.ir_flops, flops);
  if (machine == nullptr) {
    add_flops(counts.work, term, flops);
    add_to(counts.least_flops, flops);
    add_to(counts.most_flops, flops);
  }
}

void add_machine_work(Counts& counts, const CounterWork& machine, std::uint64_t counter) {
  for (const WorkTerm& term : machine.terms) {
    if (const std::uint64_t flops = multiply_saturating(counter, term.flops); flops != 0) {
      counts.work.add(term.precision, term.kind, term.width_bits, flops);
    }
  }
  add_to(counts.least_flops, multiply_saturating(counter, machine.least));
  add_to(counts.most_flops, multiply_saturating(counter, machine.most));
  Traffic spilled = counts.spilled.value_or(Traffic{});
  add_to(spilled.read, multiply_saturating(counter, machine.spilled.read));
  add_to(spilled.written, multiply_saturating(counter, machine.spilled.written));
  counts.spilled = spilled;
}

/// Value of a counter times the amount of one of its terms (abi/descriptor.h). `machine`: what
/// stands in place of its flops, or null.
void add_term(Counts& counts, const Descriptor& descriptor, const ridge_term_descriptor& term,
              std::uint64_t counter, const CounterWork* machine) {
  const std::uint64_t amount = multiply_saturating(counter, term.amount);
  switch (term.quantity) {
    case RIDGE_FLOPS:
      return add_ir_flops(counts, term, amount, machine);
    case RIDGE_OTHER_OPS:
      return add_to(counts.work.other, amount);
    case RIDGE_INT_OPS:
      return add_to(counts.intops, amount);
    case RIDGE_BYTES_LOADED:
      return add_to(counts.bytes_loaded, amount);
    case RIDGE_BYTES_STORED:
      return add_to(counts.bytes_stored, amount);
    case RIDGE_BYTES_NON_TEMPORAL:
      return add_to(counts.bytes_non_temporal, amount);
    case RIDGE_ENTRIES:
      return add_to(counts.entries, amount);
    case RIDGE_ITERATIONS:
      return add_to(counts.iterations, amount);
    case RIDGE_HEADER_EXECUTIONS:
      return add_to(counts.header_executions, amount);
    case RIDGE_CALLS:
      return add_named(counts.calls, descriptor.text(term.name), amount);
    case RIDGE_OPAQUE:
      return add_named(counts.opaque, descriptor.text(term.name), amount);
    default:
      return counts.details.add(term, amount);
  }
}

void add_term(CountsOfThread& counts, const ridge_term_descriptor& term, std::uint64_t counter) {
  const std::uint64_t amount = multiply_saturating(counter, term.amount);
  switch (term.quantity) {
    case RIDGE_FLOPS:
      return add_to(counts.flops, amount);
    case RIDGE_BYTES_LOADED:
    case RIDGE_BYTES_STORED:
      return add_to(counts.bytes, amount);
    case RIDGE_ENTRIES:
      return add_to(counts.entries, amount);
    case RIDGE_ITERATIONS:
      return add_to(counts.iterations, amount);
    case RIDGE_HEADER_EXECUTIONS:
      return add_to(counts.header_executions, amount);
    default:
      return;
  }
}

const CounterWork* find_work(const MachineCounts& machine, std::uint32_t counter) {
  const auto found = machine.counters.find(counter);
  return found != machine.counters.end() ? &found->second : nullptr;
}

}  // namespace

Counts& Counts::operator+=(const Counts& other) {
  work += other.work;
  add_to(ir_flops, other.ir_flops);
  add_to(least_flops, other.least_flops);
  add_to(most_flops, other.most_flops);
  add_to(intops, other.intops);
  add_to(bytes_loaded, other.bytes_loaded);
  add_to(bytes_stored, other.bytes_stored);
  add_to(bytes_non_temporal, other.bytes_non_temporal);
  if (other.spilled) {
    Traffic sum = spilled.value_or(Traffic{});
    add_to(sum.read, other.spilled->read);
    add_to(sum.written, other.spilled->written);
    spilled = sum;
  }
  add_to(entries, other.entries);
  if (other.iterations) {
    add_to(iterations, *other.iterations);
  }
  if (other.header_executions) {
    add_to(header_executions, *other.header_executions);
  }
  for (const auto& [name, count] : other.calls) {
    add_to(calls[name], count);
  }
  for (const auto& [name, count] : other.opaque) {
    add_to(opaque[name], count);
  }
  details += other.details;
  return *this;
}

CountsOfThread& CountsOfThread::operator+=(const CountsOfThread& other) {
  add_to(flops, other.flops);
  add_to(bytes, other.bytes);
  add_to(iterations, other.iterations);
  add_to(header_executions, other.header_executions);
  add_to(entries, other.entries);
  return *this;
}

bool Counts::empty() const {
  return work.total() == 0 && work.other == 0 && intops == 0 && bytes_loaded == 0 &&
         bytes_stored == 0 && entries == 0 && iterations.value_or(0) == 0 &&
         header_executions.value_or(0) == 0 && calls.empty() && opaque.empty();
}

void add_counter(Counts& counts, const Descriptor& descriptor, std::uint32_t counter,
                 std::uint64_t value, const MachineCounts& machine) {
  const auto described = descriptor.counter(counter);
  const CounterWork* work = find_work(machine, counter);
  for (std::uint32_t t = 0; t < described.term_count; ++t) {
    add_term(counts, descriptor, descriptor.term(described.first_term + t), value, work);
  }
  if (work != nullptr) {
    add_machine_work(counts, *work, value);
  }
}

void add_counter(CountsOfThread& counts, const Descriptor& descriptor, std::uint32_t counter,
                 std::uint64_t value, const MachineCounts& machine) {
  const auto described = descriptor.counter(counter);
  const CounterWork* work = find_work(machine, counter);
  for (std::uint32_t t = 0; t < described.term_count; ++t) {
    const auto term = descriptor.term(described.first_term + t);
    if (term.quantity != RIDGE_FLOPS || work == nullptr) {
      add_term(counts, term, value);
    }
  }
  for (std::size_t i = 0; work != nullptr && i < work->terms.size(); ++i) {
    add_to(counts.flops, multiply_saturating(value, work->terms[i].flops));
  }
}

}  // namespace ridge::measure
