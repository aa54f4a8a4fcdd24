#include "bench/measured_roof.hpp"

#include <algorithm>

#include "bench/ceilings.hpp"

namespace ridge::bench {
namespace {

double p90(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return quantile(values, 0.9);
}

}  // namespace

CeilingRate ceiling_rate(const Measured& kept) {
  return {p90(kept.rates), p90(work_per_cycle(kept))};
}

RoofPoint make_roof_point(const Measured& kept, const LoopWork& loop, const CeilingRate& compute,
                          const CeilingRate& bandwidth, Scale bandwidth_scale) {
  const double intensity =
      static_cast<double>(loop.flops) / static_cast<double>(loop.loaded_bytes + loop.stored_bytes);
  std::vector<double> rates = kept.rates;
  for (double& rate : rates) {
    rate *= intensity;
  }
  const double clock = clock_of_p90(kept).value();
  const double bytes =
      bandwidth_scale == Scale::per_cycle ? bandwidth.per_cycle * clock : bandwidth.per_second;
  RoofPoint point;
  point.intensity = FlopsPerByte{intensity};
  point.value = estimate_from<FlopsPerSecond>(std::move(rates)).value();
  point.fraction =
      point.value.p90.value() / ideal_roof(compute.per_cycle * clock, bytes, intensity);
  return point;
}

}  // namespace ridge::bench
