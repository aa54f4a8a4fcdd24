#include "bench/modes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/quantity/estimate.hpp"

namespace ridge::bench {
namespace {

constexpr std::size_t kEnough = 40;
constexpr double kApart = 0.05;
constexpr double kLeastShare = 0.15;
constexpr double kMostBetween = 0.03;

struct Sample {
  double judged = 0.0;
  double rate = 0.0;
};

double mean(const std::vector<Sample>& samples, std::size_t begin, std::size_t end) {
  double sum = 0.0;
  for (std::size_t i = begin; i < end; ++i) {
    sum += samples[i].judged;
  }
  return sum / static_cast<double>(end - begin);
}

/// Samples before the border are nearer to the mean of their own than to that of the others
/// (2-means in one dimension). `samples` are sorted.
std::size_t border_of(const std::vector<Sample>& samples) {
  constexpr int kMostRounds = 100;
  double split = 0.5 * (samples.front().judged + samples.back().judged);
  std::size_t border = 0;
  for (int round = 0; round < kMostRounds; ++round) {
    const auto at = std::partition_point(samples.begin(), samples.end(), [&](const Sample& sample) {
      return sample.judged < split;
    });
    const auto next = std::clamp<std::size_t>(static_cast<std::size_t>(at - samples.begin()), 1,
                                              samples.size() - 1);
    if (next == border) {
      break;
    }
    border = next;
    split = 0.5 * (mean(samples, 0, border) + mean(samples, border, samples.size()));
  }
  return border;
}

double median_rate(const std::vector<Sample>& samples, std::size_t begin, std::size_t end) {
  std::vector<double> rates;
  for (std::size_t i = begin; i < end; ++i) {
    rates.push_back(samples[i].rate);
  }
  std::sort(rates.begin(), rates.end());
  return quantile(rates, 0.5);
}

}  // namespace

std::vector<Mode> modes_of(const Measured& measured, Scale scale) {
  const std::size_t count = measured.rates.size();
  if (count < kEnough) {
    return {};
  }
  const auto judged = scale == Scale::per_cycle ? work_per_cycle(measured) : measured.rates;
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < count; ++i) {
    samples.push_back({judged[i], measured.rates[i]});
  }
  std::sort(samples.begin(), samples.end(),
            [](const Sample& a, const Sample& b) { return a.judged < b.judged; });
  const std::size_t border = border_of(samples);
  const double low = mean(samples, 0, border);
  const double high = mean(samples, border, count);
  const double share = static_cast<double>(border) / static_cast<double>(count);
  const auto between = std::count_if(samples.begin(), samples.end(), [&](const Sample& sample) {
    return sample.judged > low + (high - low) / 3.0 && sample.judged < high - (high - low) / 3.0;
  });
  if (high - low < kApart * high || std::min(share, 1.0 - share) < kLeastShare ||
      static_cast<double>(between) > kMostBetween * static_cast<double>(count)) {
    return {};
  }
  return {{median_rate(samples, 0, border), share},
          {median_rate(samples, border, count), 1.0 - share}};
}

}  // namespace ridge::bench
