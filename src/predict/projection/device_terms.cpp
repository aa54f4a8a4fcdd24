#include "predict/projection/device_terms.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "predict/projection/published_ceilings.hpp"
#include "predict/roof/figure_choice.hpp"

namespace ridge::predict {
namespace {

// Most threads that one multiprocessor holds: CUDA C++ Programming Guide, technical specifications
// by compute capability (1024 to 2048); 32 wavefronts of 64 of a CDNA compute unit.
constexpr double kMostResident = 2048.0;

/// Independent iterations and kernels, if a kernel is the whole nest or the loop itself.
struct Parallelism {
  double of_nest = 0.0;
  double of_loop = 0.0;
  double nests = 0.0;
  double loops = 0.0;
};

const Region* parent_loop(const Region& region, const Profile& profile) {
  const auto parent =
      std::find_if(profile.regions.begin(), profile.regions.end(), [&](const Region& candidate) {
        return region.parent == candidate.id && candidate.kind == RegionKind::loop &&
               candidate.entries.value_or(0) > 0;
      });
  return parent == profile.regions.end() ? nullptr : &*parent;
}

bool has_recurrence(const Region& region) {
  return std::any_of(region.chain.begin(), region.chain.end(),
                     [](const ChainTerm& term) { return !term.reduction; });
}

/// nullopt: nobody counted. Threads share the iterations of the outermost loop, each with an entry
/// of its own; a loop inside is entered by one of them.
std::optional<Parallelism> parallelism_of(const Region& region, const Profile& profile) {
  if (region.iterations.value_or(0) == 0 || region.entries.value_or(0) == 0) {
    return std::nullopt;
  }
  const Region* outermost = &region;
  for (const Region* loop = &region; loop != nullptr; loop = parent_loop(*loop, profile)) {
    outermost = loop;
  }
  const double threads = std::max(1U, region.threads);
  const auto entries = static_cast<double>(*region.entries);
  const auto iterations = static_cast<double>(*region.iterations);
  Parallelism found;
  found.nests = std::max(1.0, static_cast<double>(*outermost->entries) / threads);
  found.loops = std::max(found.nests, outermost == &region ? entries / threads : entries);
  found.of_loop = has_recurrence(region) ? 1.0 : std::max(1.0, iterations / found.loops);
  found.of_nest = found.of_loop * found.loops / found.nests;
  return found;
}

/// Of the whole device: fp32 peak over two flop per cycle. nullopt: not known.
std::optional<double> lanes_of(const TargetMachine& device) {
  const Specification& figures = device.figures;
  const auto& clock = figures.boost_clock ? figures.boost_clock : figures.clock;
  const PublishedPeak* peak = choose_peak(device, "fp32", Pipes::vector, Basis::theoretical);
  if (peak == nullptr || !clock || !figures.cores || !(clock->value > 0.0)) {
    return std::nullopt;
  }
  return peak->figure.value / (2.0 * clock->value);
}

std::optional<double> find_latency(const Latencies& latencies, std::string_view key) {
  const auto found = latencies.find(key);
  return found == latencies.end() ? std::nullopt : std::optional(found->second);
}

/// Lines of the region that lie in the host's memory, each once in and, written, once out: byte.
std::optional<double> footprint_of(const Region& region, const Profile& profile) {
  const auto found = region.least_traffic.find(memory_level(profile.machine));
  return found == region.least_traffic.end()
             ? std::nullopt
             : std::optional(static_cast<double>(found->second.total()));
}

void add_launches(DevicePlacement& placement, const TargetMachine& device,
                  const Latencies& latencies, const Parallelism& parallelism) {
  auto latency = find_latency(latencies, "launch");
  if (!latency && device.figures.launch_latency) {
    latency = device.figures.launch_latency->value;
  }
  placement.terms.launches = parallelism.nests;
  if (!latency) {
    placement.unknown.emplace_back("the launch latency (--latency launch=5us)");
    placement.most_seconds.reset();
    return;
  }
  placement.terms.launch_seconds = parallelism.nests * *latency;
  placement.most_seconds = parallelism.loops * *latency;
}

void add_transfer(DevicePlacement& placement, const TargetMachine& device,
                  const Latencies& latencies, std::optional<double> footprint) {
  const PublishedLink* link = choose_link(device, kHostLink);
  if (link == nullptr || !footprint) {
    placement.unknown.emplace_back(link == nullptr ? "the link to the host"
                                                   : "the loop's footprint (traffic off)");
    placement.most_seconds.reset();
    return;
  }
  const double latency = find_latency(latencies, kHostLink).value_or(0.0);
  const double best = link->pinned ? link->pinned->value : one_way(*link);
  placement.terms.transfer_seconds = *footprint / best + latency;
  if (!link->pageable) {
    placement.unknown.emplace_back("the rate of copies from pageable memory");
    placement.most_seconds.reset();
  } else if (placement.most_seconds) {
    *placement.most_seconds +=
        placement.terms.launches * (*footprint / link->pageable->value + latency);
  }
}

}  // namespace

DevicePlacement place_on_device(const Region& region, const Profile& profile,
                                const TargetMachine& device, const Latencies& latencies) {
  DevicePlacement placement;
  const auto parallelism = parallelism_of(region, profile);
  const auto lanes = lanes_of(device);
  if (!parallelism) {
    placement.refused = "not a loop whose iterations were counted: it may not fill the device";
  } else if (!lanes) {
    placement.refused = "how many lanes it has is not known: cores, clock or fp32 peak are missing";
  } else if (parallelism->of_nest < *lanes) {
    placement.refused =
        fmt::format("{:.0f} independent iterations at most, and the device has {:.0f} lanes",
                    parallelism->of_nest, *lanes);
  }
  if (placement.refused) {
    return placement;
  }
  placement.terms.iterations = parallelism->of_nest;
  placement.terms.lanes = *lanes;
  placement.least_filled =
      std::min(1.0, parallelism->of_loop / (kMostResident * cores_of(device.figures)));
  add_launches(placement, device, latencies, *parallelism);
  add_transfer(placement, device, latencies, footprint_of(region, profile));
  return placement;
}

void add_device_terms(ProjectedRegion& projected, const DevicePlacement& placement) {
  if (placement.refused && !projected.missing) {
    ProjectedRegion refused{.region = projected.region, .cores = projected.cores};
    refused.missing = placement.refused;
    projected = std::move(refused);
  }
  if (projected.missing || !projected.seconds) {
    return;
  }
  const DeviceTerms& terms = placement.terms;
  projected.device = terms;
  const double launches = terms.launch_seconds.value_or(0.0);
  const double once = launches + terms.transfer_seconds.value_or(0.0);
  *projected.ideal_seconds += once;
  *projected.seconds += once;
  *projected.low_seconds += launches;
  projected.high_seconds =
      placement.most_seconds
          ? std::optional(
                std::max(*projected.high_seconds / placement.least_filled + *placement.most_seconds,
                         *projected.high_seconds + once))
          : std::nullopt;
  if (!placement.unknown.empty()) {
    projected.notes.push_back(
        {"device-unknown", fmt::format("its time lacks {}", fmt::join(placement.unknown, ", "))});
  }
}

}  // namespace ridge::predict
