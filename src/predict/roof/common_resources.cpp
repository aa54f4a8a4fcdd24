#include "predict/roof/common_resources.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "core/identity/level.hpp"
#include "predict/roof/bottleneck.hpp"

namespace ridge::predict {
namespace {

constexpr double kEqual = 1e-9;  // relative: the same sum in another order

/// Memories stand for one another whatever their names.
std::string kind_of(const std::string& resource) {
  return names_memory_level(resource) ? "memory" : resource;
}

std::set<std::string> unbounded_somewhere(const std::vector<ResourcePrediction>& machines) {
  std::set<std::string> names;
  for (const ResourcePrediction& machine : machines) {
    if (!machine.missing) {
      names.insert(machine.unbounded.begin(), machine.unbounded.end());
    }
  }
  return names;
}

}  // namespace

void rank_on_common_resources(std::vector<ResourcePrediction>& machines) {
  if (machines.size() < 2) {
    return;
  }
  const std::set<std::string> left_out = unbounded_somewhere(machines);
  std::vector<double> times;
  for (ResourcePrediction& machine : machines) {
    std::vector<ResourceTime> common = machine.resources;
    std::erase_if(common, [&](const ResourceTime& resource) {
      return left_out.contains(kind_of(resource.resource));
    });
    const CombinedTime time = combine(common);
    if (!machine.missing && time.binding) {
      machine.common_seconds = time.max;
      times.push_back(time.max);
    }
  }
  for (ResourcePrediction& machine : machines) {
    if (machine.common_seconds) {
      const double own = *machine.common_seconds * (1.0 - kEqual);
      machine.rank = 1U + static_cast<unsigned>(std::count_if(
                              times.begin(), times.end(), [&](double one) { return one < own; }));
    }
  }
}

}  // namespace ridge::predict
