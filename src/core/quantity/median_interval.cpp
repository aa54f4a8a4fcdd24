#include "core/quantity/median_interval.hpp"

#include <algorithm>
#include <cmath>

#include "core/quantity/estimate.hpp"

namespace ridge {
namespace {

/// How many order statistics the interval may leave out at each end, and its confidence.
struct Trimmed {
  std::size_t count = 0;
  double confidence = 0;
};

Trimmed trimmed(std::size_t samples) {
  const auto n = static_cast<double>(samples);
  Trimmed found;
  double log_term = -n;  // of P(B = i), to base 2
  double tail = 0;       // P(B <= i)
  for (std::size_t i = 0; 2 * i + 1 < samples; ++i) {
    if (i > 0) {
      const auto at = static_cast<double>(i);
      log_term += std::log2((n - at + 1) / at);
    }
    tail += std::exp2(log_term);
    if (1 - 2 * tail < kMedianConfidence) {
      break;
    }
    found = {i, 1 - 2 * tail};
  }
  return found;
}

}  // namespace

std::optional<MedianInterval> median_interval(std::vector<double> samples) {
  std::erase_if(samples, [](double sample) { return !std::isfinite(sample); });
  const auto [left_out, confidence] = trimmed(samples.size());
  if (confidence == 0) {
    return std::nullopt;
  }
  std::sort(samples.begin(), samples.end());
  return MedianInterval{quantile(samples, 0.5), samples[left_out],
                        samples[samples.size() - 1 - left_out], confidence, samples.size()};
}

std::optional<MedianInterval> paired_ratio(const std::vector<double>& reference,
                                           const std::vector<double>& own) {
  std::vector<double> ratios;
  for (std::size_t k = 0; k < std::min(reference.size(), own.size()); ++k) {
    ratios.push_back(reference[k] / own[k]);
  }
  return median_interval(std::move(ratios));
}

Standing standing_of(const MedianInterval& ratio) {
  if (ratio.low > 1) {
    return Standing::faster;
  }
  if (ratio.high < 1) {
    return Standing::slower;
  }
  return ratio.high > kTooWide * ratio.low ? Standing::too_noisy : Standing::no_difference;
}

std::string_view to_string(Standing standing) {
  switch (standing) {
    case Standing::faster:
      return "faster";
    case Standing::slower:
      return "slower";
    case Standing::no_difference:
      return "no-difference";
    case Standing::too_noisy:
      break;
  }
  return "too-noisy";
}

}  // namespace ridge
