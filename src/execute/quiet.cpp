#include "execute/quiet.hpp"

#include <algorithm>
#include <iterator>

#include "core/quantity/estimate.hpp"

namespace ridge::execute {

QuietSamples quiet_samples(const std::vector<Sample>& samples) {
  constexpr double kTolerance = 1.03;
  constexpr std::size_t kEnough = 20;
  std::vector<double> bursts;
  for (const Sample& sample : samples) {
    bursts.push_back(sample.burst_cycles);
  }
  if (bursts.size() < kEnough) {
    return {samples, false};
  }
  std::ranges::sort(bursts);
  const double most = kTolerance * quantile(bursts, 0.1);
  QuietSamples quiet;
  std::ranges::copy_if(samples, std::back_inserter(quiet.samples),
                       [&](const Sample& sample) { return sample.burst_cycles <= most; });
  if (quiet.samples.size() < std::max(kEnough, samples.size() / 5)) {
    return {samples, true};
  }
  return quiet;
}

}  // namespace ridge::execute
