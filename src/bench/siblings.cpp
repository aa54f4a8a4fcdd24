#include "bench/siblings.hpp"

#include "bench/runner.hpp"
#include "core/quantity/estimate.hpp"

namespace ridge::bench {

bool is_of_siblings(const PlannedKernel& planned, Isa widest) {
  const bool fma = planned.kernel->is(Operation::fma) && planned.precision == Precision::fp64;
  const bool loads = planned.kernel->is(Pattern::load) && planned.level == Level::L1;
  return planned.threads == 1 && planned.isa == widest && (fma || loads);
}

Result<std::optional<Siblings>> measure_siblings(const PlannedKernel& planned,
                                                 const std::vector<unsigned>& cpus,
                                                 const platform::ClockProbe& clock,
                                                 Seconds budget) {
  const auto threads = static_cast<unsigned>(cpus.size());
  PlannedKernel together = planned;
  together.id = "siblings." + planned.id;
  together.threads = threads;
  together.set_bytes = planned.set_bytes / threads;
  together.warm_up_bytes = planned.warm_up_bytes / threads;
  Runner runner(cpus, clock);
  const auto taken = runner.run({{&together, budget}});
  if (!taken) {
    return tl::make_unexpected(taken.error());
  }
  const std::vector<double>& rates = taken->front().rates;
  if (rates.empty()) {
    return std::optional<Siblings>{};
  }
  Siblings siblings{planned.id, threads, {}};
  if (planned.is_compute()) {
    siblings.value = estimate_from<FlopsPerSecond>(rates).value();
  } else {
    siblings.value = estimate_from<BytesPerSecond>(rates).value();
  }
  return std::optional(std::move(siblings));
}

}  // namespace ridge::bench
