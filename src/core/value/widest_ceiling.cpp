#include "core/value/widest_ceiling.hpp"

#include <algorithm>
#include <tuple>
#include <variant>

namespace ridge {
namespace {

constexpr double kSame = 1.03;
/// Charts draw no second line as close as this, so a name must not depend on which is higher. A
/// wide interval alone must not pull the roof down.
constexpr double kNear = 1.10;

double high_of(const CeilingEstimate& estimate) {
  return std::visit([](const auto& e) { return e.high.value(); }, estimate);
}

bool is_within_noise(const Ceiling& candidate, const Ceiling& highest) {
  const double top = p90_of(highest.value);
  const double rate = p90_of(candidate.value);
  const bool overlap = high_of(candidate.value) >= low_of(highest.value) &&
                       low_of(candidate.value) <= high_of(highest.value);
  return rate * kSame >= top || (overlap && rate * kNear >= top);
}

/// Less is preferred.
auto preference(const Ceiling& ceiling) {
  const int operation = ceiling.operation == Operation::fma_add ? 0
                        : ceiling.operation == Operation::fma   ? 1
                                                                : 2;
  const auto rank = ceiling.isa ? properties_of(*ceiling.isa).rank : std::nullopt;
  return std::tuple(operation, rank ? -static_cast<int>(*rank) : 1, -p90_of(ceiling.value),
                    std::string_view(ceiling.id));
}

}  // namespace

const Ceiling* widest_within_noise(std::span<const Ceiling* const> ceilings) {
  const auto highest = std::max_element(
      ceilings.begin(), ceilings.end(),
      [](const Ceiling* a, const Ceiling* b) { return p90_of(a->value) < p90_of(b->value); });
  const Ceiling* chosen = nullptr;
  for (const Ceiling* candidate : ceilings) {
    if (is_within_noise(*candidate, **highest) &&
        (chosen == nullptr || preference(*candidate) < preference(*chosen))) {
      chosen = candidate;
    }
  }
  return chosen;
}

}  // namespace ridge
