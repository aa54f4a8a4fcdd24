#include "predict/roof/bottleneck.hpp"

#include <algorithm>
#include <cassert>

namespace ridge::predict {

double resource_seconds(double amount, double rate, double latency) {
  assert(rate > 0.0);
  return amount > 0.0 ? amount / rate + latency : 0.0;
}

CombinedTime combine(std::span<const ResourceTime> resources) {
  CombinedTime time;
  double largest = 0.0;
  double compute = 0.0;
  double data = 0.0;
  double waiting = 0.0;
  for (const ResourceTime& resource : resources) {
    switch (resource.overlap) {
      case Overlap::none:
        waiting += resource.seconds;
        break;
      case Overlap::compute:
        compute = std::max(compute, resource.seconds);
        largest = std::max(largest, resource.seconds);
        break;
      case Overlap::data:
        data += resource.seconds;
        largest = std::max(largest, resource.seconds);
        break;
    }
    time.sum += resource.seconds;
  }
  // Sums in another order may differ in the last bit: the order of the three is what must hold.
  time.max = std::min(largest + waiting, time.sum);
  time.ecm = std::clamp(std::max(compute, data) + waiting, time.max, time.sum);
  for (std::size_t i = 0; i < resources.size(); ++i) {
    const auto longer_than = [&](const std::optional<std::size_t>& other) {
      return !other || resources[i].seconds > resources[*other].seconds;
    };
    if (resources[i].seconds <= 0.0) {
      continue;
    }
    if (longer_than(time.binding)) {
      time.next = time.binding;
      time.binding = i;
    } else if (longer_than(time.next)) {
      time.next = i;
    }
  }
  return time;
}

double naive_roof(double peak, double bandwidth, double intensity) {
  return std::min(peak, intensity * bandwidth);
}

}  // namespace ridge::predict
