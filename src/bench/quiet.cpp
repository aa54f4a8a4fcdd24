#include "bench/quiet.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/quantity/estimate.hpp"

namespace ridge::bench {

std::optional<double> quiet_burst_cycles(std::vector<double> quickest_of_visits) {
  if (quickest_of_visits.empty()) {
    return std::nullopt;
  }
  std::sort(quickest_of_visits.begin(), quickest_of_visits.end());
  return quantile(quickest_of_visits, 0.1);
}

double quickest_burst(const Measured& measured) {
  return *std::min_element(measured.burst_cycles.begin(), measured.burst_cycles.end());
}

Sorted sort_out(const Measured& measured, double quiet_cycles) {
  constexpr double kTolerance = 1.03;
  constexpr std::ptrdiff_t kEnough = 20;
  Sorted sorted;
  for (const double cycles : measured.burst_cycles) {
    sorted.quiet.push_back(cycles <= kTolerance * quiet_cycles);
  }
  sorted.disturbed = std::count(sorted.quiet.begin(), sorted.quiet.end(), true) < kEnough;
  if (sorted.disturbed) {
    sorted.kept = measured;
    return sorted;
  }
  sorted.kept.thrown_away = measured.thrown_away;
  sorted.kept.threads_apart = measured.threads_apart;
  for (std::size_t i = 0; i < measured.rates.size(); ++i) {
    if (sorted.quiet[i]) {
      sorted.kept.rates.push_back(measured.rates[i]);
      sorted.kept.clocks.push_back(measured.clocks[i]);
      sorted.kept.burst_cycles.push_back(measured.burst_cycles[i]);
      sorted.kept.visits.push_back(measured.visits[i]);
    }
  }
  return sorted;
}

std::vector<double> work_per_cycle(const Measured& measured) {
  std::vector<double> values(measured.rates.size());
  std::transform(measured.rates.begin(), measured.rates.end(), measured.clocks.begin(),
                 values.begin(), std::divides<>());
  return values;
}

std::optional<double> uncertainty_of_p90(const Measured& measured, Scale scale) {
  constexpr double kStandardDeviations = 1.2816;  // 80 %
  constexpr std::size_t kFewest = 8;
  std::vector<unsigned> visits = measured.visits;
  visits.erase(std::unique(visits.begin(), visits.end()), visits.end());
  if (visits.size() < kFewest) {
    return std::nullopt;
  }
  std::vector<double> values =
      scale == Scale::per_cycle ? work_per_cycle(measured) : measured.rates;
  std::sort(values.begin(), values.end());
  const double reach =
      kStandardDeviations * std::sqrt(0.9 * 0.1 / static_cast<double>(visits.size()));
  const double low = quantile(values, 0.9 - reach);
  const double high = quantile(values, std::min(1.0, 0.9 + reach));
  return (high - low) / 2.0 / quantile(values, 0.9);
}

}  // namespace ridge::bench
