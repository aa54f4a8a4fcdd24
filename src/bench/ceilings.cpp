#include "bench/ceilings.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "bench/quiet.hpp"
#include "bench/variants.hpp"

namespace ridge::bench {
namespace {

template <class Q>
Estimate<Q> scaled(Estimate<Q> estimate, double factor) {
  for (Q* value : {&estimate.median, &estimate.p90, &estimate.low, &estimate.high}) {
    *value = *value * factor;
  }
  return estimate;
}

Ceiling describe(const PlannedKernel& planned) {
  Ceiling ceiling = ceiling_of(key_of(planned));
  ceiling.id = planned.id;  // that of its form
  ceiling.flags = planned.flags;
  if (is_untested({planned.kernel, planned.isa, planned.precision})) {
    ceiling.flags.emplace_back(flag::kUntested);
  }
  return ceiling;
}

double p90(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return quantile(values, 0.9);
}

void add_limit(Ceiling& ceiling, const PlannedKernel& planned, const BoundaryBytes& bytes,
               const Measured& measured, const CeilingContext& context) {
  if (context.theory == nullptr) {
    return;
  }
  const auto per_cycle = limit_per_cycle(*context.theory, planned, bytes);
  if (!per_cycle) {
    return;
  }
  const unsigned cores = std::min(planned.threads, context.machine.topology->cores);
  ceiling.limit = *per_cycle * clock_of_p90(measured).value() * cores;
  ceiling.limit_fraction = p90_of(ceiling.value) / *ceiling.limit;
  ceiling.source = limit_source(*context.theory);
  if (*ceiling.limit_fraction > 1.0) {
    const bool certain = *ceiling.limit_fraction > 1.0 + context.clock_uncertainty;
    ceiling.flags.emplace_back(certain ? flag::kAboveLimit : flag::kAtLimit);
  }
  if (!context.clock_probe_holds) {
    ceiling.flags.emplace_back(flag::kClockProbe);
  }
}

void add_sample_flags(Ceiling& ceiling, const Measured& measured) {
  constexpr double kSteady = 0.85;
  constexpr std::size_t kEnough = 10;
  if (median_of(ceiling.value) < kSteady * p90_of(ceiling.value)) {
    ceiling.flags.emplace_back(flag::kUnsteady);
  }
  if (measured.rates.size() < kEnough) {
    ceiling.flags.emplace_back(flag::kFewSamples);
  }
}

void add_memory_flags(Ceiling& ceiling, const PlannedKernel& planned, bool allocation_certain,
                      const CeilingContext& context) {
  constexpr std::uint64_t kHugePagesMatter = std::uint64_t{2} << 20U;
  const auto& unconfirmed = context.unconfirmed_levels;
  if (std::find(unconfirmed.begin(), unconfirmed.end(), planned.level) != unconfirmed.end()) {
    ceiling.flags.emplace_back(flag::kCacheSize);
  }
  if (!allocation_certain) {
    ceiling.flags.emplace_back(flag::kWriteAllocate);
  }
  const bool wanted = planned.kernel->pages == platform::Pages::huge;
  if (wanted && !context.huge_pages && planned.set_bytes > kHugePagesMatter) {
    ceiling.flags.emplace_back(flag::kNoHugePages);
  }
}

/// Operations on integers are no flops.
CeilingEstimate compute_value(const Kernel& kernel, const Measured& measured) {
  if (kernel.numbers != Numbers::floating) {
    return estimate_from<IntOpsPerSecond>(measured.rates).value();
  }
  return estimate_from<FlopsPerSecond>(measured.rates).value();
}

std::vector<double> inverse(std::vector<double> rates) {
  for (double& rate : rates) {
    rate = 1.0 / rate;
  }
  return rates;
}

}  // namespace

Hertz clock_of_p90(const Measured& measured) {
  return Hertz{p90(measured.rates) / p90(work_per_cycle(measured))};
}

Ceiling make_ceiling(const PlannedKernel& planned, const LoopWork& loop, const Measured& measured,
                     const CeilingContext& context) {
  Ceiling ceiling = describe(planned);
  BoundaryModel boundary;
  switch (planned.kernel->kind) {
    case CeilingKind::compute:
      ceiling.value = compute_value(*planned.kernel, measured);
      break;
    case CeilingKind::bandwidth: {
      boundary =
          boundary_bytes(context.machine, *planned.level, planned.threads, *planned.kernel, loop);
      const auto asked = estimate_from<BytesPerSecond>(measured.rates).value();
      ceiling.value = asked;
      ceiling.traffic_value = scaled(asked, boundary.bytes.traffic() / boundary.bytes.asked());
      add_memory_flags(ceiling, planned, boundary.certain, context);
      break;
    }
    case CeilingKind::latency:
      ceiling.value = estimate_from<Seconds>(inverse(measured.rates)).value();
      ceiling.cycles = estimate_from<Cycles>(inverse(work_per_cycle(measured)));
      add_memory_flags(ceiling, planned, true, context);
  }
  ceiling.clock = clock_of_p90(measured);
  add_limit(ceiling, planned, boundary.bytes, measured, context);
  add_sample_flags(ceiling, measured);
  return ceiling;
}

std::optional<std::size_t> add_better_form(std::vector<Ceiling>& ceilings,
                                           const PlannedKernel& planned, Ceiling next) {
  if (planned.is_compute()) {
    next.id = to_string(key_of(planned));
  }
  const auto other = std::find_if(ceilings.begin(), ceilings.end(),
                                  [&](const Ceiling& there) { return there.id == next.id; });
  const auto place = static_cast<std::size_t>(other - ceilings.begin());
  if (other == ceilings.end()) {
    ceilings.push_back(std::move(next));
  } else if (p90_of(next.value) > p90_of(other->value)) {
    *other = std::move(next);
  } else {
    return std::nullopt;
  }
  return place;
}

}  // namespace ridge::bench
