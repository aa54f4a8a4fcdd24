#include "predict/roof/ceiling_index.hpp"

#include <algorithm>
#include <cmath>

namespace ridge::predict {
namespace {

bool usable(const Ceiling& ceiling) {
  const double p90 = p90_of(ceiling.value);
  return !ceiling.device && ceiling.kind != CeilingKind::latency && std::isfinite(p90) && p90 > 0.0;
}

constexpr unsigned kByte = 8;
constexpr std::uint32_t kOfCompute = 1U << 31U;

std::uint32_t key_of_bandwidth(Level level, Pattern pattern) {
  const auto row = static_cast<std::uint32_t>(&LevelTable::of(level) - LevelTable::rows.data());
  return row << kByte | static_cast<std::uint32_t>(pattern);
}

std::uint32_t key_of_compute(std::uint32_t precision, Operation operation) {
  return kOfCompute | precision << kByte | static_cast<std::uint32_t>(operation);
}

}  // namespace

CeilingIndex::CeilingIndex(const Machine& machine) : machine_(&machine) {
  entries_.reserve(machine.ceilings.size());
  for (const Ceiling& ceiling : machine.ceilings) {
    if (!usable(ceiling)) {
      continue;
    }
    threads_.push_back(ceiling.threads);
    if (ceiling.kind == CeilingKind::bandwidth && ceiling.level && ceiling.pattern) {
      entries_.emplace_back(key_of_bandwidth(*ceiling.level, *ceiling.pattern), &ceiling);
    } else if (ceiling.kind == CeilingKind::compute && ceiling.precision && ceiling.operation) {
      const std::uint32_t precision = number_of(*ceiling.precision);
      if (precision == precisions_.size()) {
        precisions_.push_back(*ceiling.precision);
      }
      entries_.emplace_back(key_of_compute(precision, *ceiling.operation), &ceiling);
    }
  }
  std::stable_sort(entries_.begin(), entries_.end(),
                   [](const Entry& a, const Entry& b) { return a.first < b.first; });
  std::sort(threads_.begin(), threads_.end());
  threads_.erase(std::unique(threads_.begin(), threads_.end()), threads_.end());
}

/// As many as there are for one that no ceiling has.
std::uint32_t CeilingIndex::number_of(std::string_view precision) const {
  const auto found = std::find(precisions_.begin(), precisions_.end(), precision);
  return static_cast<std::uint32_t>(found - precisions_.begin());
}

std::span<const CeilingIndex::Entry> CeilingIndex::entries_of(std::uint32_t key) const {
  const auto begin = std::lower_bound(
      entries_.begin(), entries_.end(), key,
      [](const Entry& entry, std::uint32_t wanted) { return entry.first < wanted; });
  const auto end =
      std::find_if(begin, entries_.end(), [&](const Entry& entry) { return entry.first != key; });
  return {begin, end};
}

std::span<const CeilingIndex::Entry> CeilingIndex::compute(std::string_view precision,
                                                           Operation operation) const {
  return entries_of(key_of_compute(number_of(precision), operation));
}

std::span<const CeilingIndex::Entry> CeilingIndex::bandwidth(Level level, Pattern pattern) const {
  return entries_of(key_of_bandwidth(level, pattern));
}

}  // namespace ridge::predict
