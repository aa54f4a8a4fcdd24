#include "predict/model/added_time.hpp"

#include <algorithm>
#include <array>

#include "predict/roof/ceilings.hpp"

namespace ridge::predict {
namespace {

constexpr std::array kPatterns{Pattern::load, Pattern::copy, Pattern::store, Pattern::update};

CeilingEstimate exactly(double rate) {
  const BytesPerSecond value(rate);
  return Estimate<BytesPerSecond>{value, value, value, value, 1, Origin::modelled};
}

/// The ceiling with the time that is left of it when `inner` seconds per byte are taken away.
Ceiling less(const Ceiling& measured, double inner) {
  // A boundary may be measured as fast as the one before it: its rate stays finite.
  constexpr double kLeastShare = 0.02;
  const double whole = 1.0 / p90_of(measured.value);
  const double rate = 1.0 / std::max(whole - inner, kLeastShare * whole);
  Ceiling ceiling = measured;
  ceiling.value = exactly(rate);
  if (measured.traffic_value) {
    ceiling.traffic_value = exactly(rate * p90_of(*measured.traffic_value) * whole);
  }
  return ceiling;
}

}  // namespace

Machine added_ceilings(const CeilingIndex& ceilings, unsigned threads) {
  const Machine& machine = ceilings.machine();
  Machine added;
  added.caches = machine.caches;
  added.memories = machine.memories;
  for (const Pattern pattern : kPatterns) {
    double inner = 0.0;
    for (const Level level : levels_of(machine)) {
      const Ceiling* measured =
          find_bandwidth(ceilings, {level, pattern, kWidestIsa, threads}).ceiling;
      if (measured != nullptr) {
        added.ceilings.push_back(less(*measured, inner));
        inner = std::max(inner, 1.0 / p90_of(measured->value));
      }
    }
  }
  return added;
}

}  // namespace ridge::predict
