#include <array>

#include "core/describe/comparison.hpp"
#include "core/describe/network.hpp"
#include "core/describe/projection.hpp"
#include "core/describe/resource_prediction.hpp"
#include "core/describe/roofline_chart.hpp"
#include "serialize/described/random_value.hpp"
#include "serialize/random_values.hpp"

namespace ridge::serialize {

template <>
struct Mend<FigureValue> {
  /// A count that 64 bits hold, or any other number.
  static void mend(Random& random, FigureValue& figure) {
    figure.count = maybe<std::uint64_t>(random, count);
    figure.value = figure.count ? static_cast<double>(*figure.count) : any_size(random);
    figure.exact = figure.count.has_value();
  }
};

template <>
struct Mend<ComparedCeiling::Value> {
  /// What is measured is known.
  static void mend(Random& random, ComparedCeiling::Value& value) {
    constexpr std::array kKnown{Verdict::same, Verdict::within_spread, Verdict::changed,
                                Verdict::one_run};
    value.verdict = value.ratio ? one_of(random, kKnown) : Verdict::same;
  }
};

Comparison random_comparison(Random& random) {
  return random_object<Comparison>(random);
}

MachineComparison random_machine_comparison(Random& random) {
  return random_object<MachineComparison>(random);
}

namespace {

/// Of the regions with a time, in the order of the profile.
std::vector<ProjectedRegion> random_regions(Random& random, const Profile& profile) {
  std::vector<ProjectedRegion> made;
  for (const Region& region : profile.regions) {
    if (region.time_seconds.self && region.time_seconds.self->value.value() > 0.0) {
      made.push_back(random_object<ProjectedRegion>(random));
      made.back().region = region.id;
    }
  }
  return made;
}

}  // namespace

Projection random_projection(Random& random, const Profile& profile) {
  auto made = random_object<Projection>(random);
  if (chance(random, 4)) {
    made.precision.clear();
  }
  for (MachineProjection& machine : made.machines) {
    machine.regions = random_regions(random, profile);
  }
  return made;
}

template <>
struct Mend<OperationCounts> {
  /// Their sum is a count as well.
  static void mend(Random& /*random*/, OperationCounts& work) {
    for (std::uint64_t* flops :
         {&work.add, &work.mul, &work.fma, &work.div, &work.sqrt, &work.any}) {
      *flops >>= 3U;
    }
  }
};

template <>
struct Mend<StreamTraffic> {
  static void mend(Random& /*random*/, StreamTraffic& traffic) {
    traffic.read >>= 2U;
    traffic.written >>= 2U;
    traffic.allocate >>= 2U;
  }
};

template <>
struct Mend<ResourcePrediction> {
  static void mend(Random& random, ResourcePrediction& prediction) {
    for (Note& note : prediction.notes) {
      note = {non_empty_text(random), non_empty_text(random)};
    }
    if (!prediction.resources.empty() && chance(random, 2)) {
      prediction.binding = 0;
      prediction.next = prediction.resources.size() - 1;
    }
    if (chance(random, 2)) {
      prediction.combination = non_empty_text(random);
      prediction.combined_seconds = any_size(random);
    }
  }
};

KernelCatalogue random_catalogue(Random& random) {
  return random_object<KernelCatalogue>(random);
}

RooflineChart random_roofline_chart(Random& random) {
  return random_object<RooflineChart>(random);
}

KernelPrediction random_kernel_prediction(Random& random) {
  auto made = random_object<KernelPrediction>(random);
  made.kernel = random_object<KernelText>(random);
  made.demand.precision = non_empty_text(random);
  made.measured_seconds = maybe<double>(random, plain_double);
  made.parameters = {{"n", plain_double(random)}, {"a", 1.0}};
  return made;
}

template <>
struct Mend<NetworkLayer> {
  /// Sums over layers are counts as well.
  static void mend(Random& /*random*/, NetworkLayer& layer) {
    for (std::optional<std::uint64_t>* known : {&layer.flops, &layer.intops, &layer.weight_bytes,
                                                &layer.read_bytes, &layer.written_bytes}) {
      *known = *known ? std::optional(**known >> 2U) : std::nullopt;
    }
    for (auto& [name, count] : layer.calls) {
      count >>= 2U;
    }
  }
};

Network random_network(Random& random) {
  return random_object<Network>(random);
}

NetworkTimes random_network_times(Random& random, const Network& network) {
  auto made = random_object<NetworkTimes>(random);
  made.layers.resize(network.layers.size());
  for (LayerTime& time : made.layers) {
    time = random_object<LayerTime>(random);
    time.bound = maybe<std::uint32_t>(
        random, [&](Random& r) { return static_cast<std::uint32_t>(r() % made.roofs.size()); });
  }
  return made;
}

}  // namespace ridge::serialize
