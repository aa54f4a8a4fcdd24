#include "measure/code/operation_counts.hpp"

#include <algorithm>

#include "core/quantity/saturating.hpp"

namespace ridge::measure {

ExecutionWork work_of(const machine_code::Instruction& instruction) {
  ExecutionWork work;
  for (const machine_code::Operation& operation : instruction.operations()) {
    const auto kind = machine_code::operation_kind(operation.kind);
    const auto precision = machine_code::precision(operation.element);
    if (kind && precision) {
      (operation.masked ? work.masked : work.plain)
          .add({*precision, *kind, operation.width_bits}, operation.flops());
    }
  }
  return work;
}

void OperationCounts::add(const OperationKey& key, std::uint64_t flops) {
  if (flops != 0) {
    auto& sum = flops_[key];
    sum = saturating_add(sum, flops);
  }
}

OperationCounts& OperationCounts::operator+=(const OperationCounts& other) {
  for (const auto& [key, flops] : other.flops_) {
    auto& sum = flops_[key];
    sum = saturating_add(sum, flops);
  }
  return *this;
}

std::uint64_t OperationCounts::of(const OperationKey& key) const {
  const auto found = flops_.find(key);
  return found != flops_.end() ? found->second : 0;
}

std::uint64_t OperationCounts::total() const {
  std::uint64_t sum = 0;
  for (const auto& [key, flops] : flops_) {
    sum = saturating_add(sum, flops);
  }
  return sum;
}

OperationCounts least(const OperationCounts& a, const OperationCounts& b) {
  OperationCounts result;
  for (const auto& [key, flops] : a.by_key()) {
    result.add(key, std::min(flops, b.of(key)));
  }
  return result;
}

OperationCounts most(const OperationCounts& a, const OperationCounts& b) {
  OperationCounts result = a;
  return result += beyond(b, a);
}

OperationCounts beyond(const OperationCounts& a, const OperationCounts& b) {
  OperationCounts result;
  for (const auto& [key, flops] : a.by_key()) {
    result.add(key, flops - std::min(flops, b.of(key)));
  }
  return result;
}

void WorkRange::widen(const WorkRange& other) {
  least = {measure::least(least.plain, other.least.plain),
           measure::least(least.masked, other.least.masked),
           {std::min(least.frame.read, other.least.frame.read),
            std::min(least.frame.written, other.least.frame.written)}};
  most = {measure::most(most.plain, other.most.plain),
          measure::most(most.masked, other.most.masked),
          {std::max(most.frame.read, other.most.frame.read),
           std::max(most.frame.written, other.most.frame.written)}};
}

}  // namespace ridge::measure
