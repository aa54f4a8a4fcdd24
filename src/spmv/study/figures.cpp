#include "spmv/study/figures.hpp"

#include <cmath>

namespace ridge::spmv {

std::optional<double> break_even(double products, double ratio) {
  return ratio > 1 ? std::optional(std::ceil(products * ratio / (ratio - 1))) : std::nullopt;
}

void set_figures(SparseTiming& timing, const Samples& own, const Samples& csr,
                 const TimedProduct& product) {
  timing.time = *estimate_from<Seconds>(own.seconds);
  timing.bandwidth = *estimate_from<BytesPerSecond>(own.bandwidths);
  std::vector<double> performance;
  std::vector<double> own_share;
  std::vector<double> csr_share;
  std::vector<double> speedups;
  for (std::size_t k = 0; k < own.seconds.size(); ++k) {
    performance.push_back(product.flops / own.seconds[k]);
    own_share.push_back(product.own_bytes / own.bandwidths[k] / own.seconds[k]);
    csr_share.push_back(product.csr_bytes / own.bandwidths[k] / own.seconds[k]);
    speedups.push_back(csr.seconds[k] / own.seconds[k]);
  }
  timing.performance = *estimate_from<FlopsPerSecond>(performance);
  timing.of_own_roof = *estimate_from<Number>(own_share);
  timing.own_roof_interval = median_interval(own_share);
  timing.of_csr_roof = *estimate_from<Number>(csr_share);
  timing.speedup = estimate_from<Number>(speedups);
  timing.paired_speedup = median_interval(speedups);
  const double reference = estimate_from<Seconds>(csr.seconds)->median.value();
  timing.conversion_products = product.conversion_seconds / reference;
  if (timing.paired_speedup && standing_of(*timing.paired_speedup) == Standing::faster) {
    timing.break_even = break_even(*timing.conversion_products, timing.paired_speedup->median);
  }
  timing.code_balance_bound = product.flops == 0 ? 0
                                                 : timing.bandwidth.median.value() *
                                                       timing.time.median.value() / product.flops;
}

const SparseTiming* fastest(const SparseStudy& study, unsigned threads) {
  const SparseTiming* best = nullptr;
  const auto at_least = [](const SparseTiming& timing) {
    return timing.paired_speedup && standing_of(*timing.paired_speedup) == Standing::faster
               ? timing.paired_speedup->low
               : 1.0;
  };
  for (const SparseTiming& timing : study.timings) {
    const bool counts = timing.format == "csr" || at_least(timing) > 1;
    if (timing.threads == threads && counts &&
        (best == nullptr || at_least(timing) > at_least(*best))) {
      best = &timing;
    }
  }
  return best;
}

}  // namespace ridge::spmv
