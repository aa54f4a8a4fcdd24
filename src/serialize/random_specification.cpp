#include <array>
#include <cstddef>
#include <set>
#include <string>

#include "core/describe/specification.hpp"
#include "serialize/described/random_value.hpp"
#include "serialize/random_values.hpp"

namespace ridge::serialize {

namespace {

constexpr std::array<const char*, 2> kSources{"DS", "a \"paper\""};

}  // namespace

template <>
struct Mend<Figure> {
  /// Above what any unit takes for a slip of its prefix.
  static void mend(Random& random, Figure& figure) {
    constexpr double kPlausible = 1e9;
    figure.value = kPlausible + figure.value;
    if (figure.source) {
      figure.source = one_of(random, kSources);
    }
  }
};

namespace {

/// Below every theoretical value, and plausible.
constexpr double kSustained = 5e8;

/// Precisions that rules know, and others; one theoretical value, so that none contradicts another.
void mend_peaks(Random& random, Specification& machine) {
  constexpr std::array<const char*, 5> kPrecisions{"fp64", "fp32", "int8", "fp16", "int4"};
  constexpr double kTheoretical = 2e12;
  if (machine.peaks.empty()) {
    machine.peaks.push_back(random_object<PublishedPeak>(random));
  }
  for (PublishedPeak& peak : machine.peaks) {
    if (!chance(random, 4)) {
      peak.precision = one_of(random, kPrecisions);
    }
    peak.figure.value = peak.basis == Basis::theoretical ? kTheoretical : kSustained;
  }
  machine.fp64_flops_per_cycle_and_core.reset();
  const double clock = machine.boost_clock ? machine.boost_clock->value : 0.0;
  if (clock > 0.0 && chance(random, 2)) {  // as the peak of one unit has it
    machine.cores = Figure{1.0};
    machine.fp64_flops_per_cycle_and_core = Figure{kTheoretical / clock};
  }
}

void mend_bandwidths(Random& random, Specification& machine) {
  machine.bandwidths.push_back(random_object<PublishedBandwidth>(random));
  machine.bandwidths.back().level = Level::DRAM;
  machine.bandwidths.back().basis = Basis::theoretical;
  machine.bandwidths.back().cores.reset();
  for (PublishedBandwidth& bandwidth : machine.bandwidths) {
    if (bandwidth.basis != Basis::theoretical) {
      bandwidth.figure.value = kSustained;
    }
  }
}

/// Each level once, and no longer than a machine has it.
void mend_latencies(Specification& machine) {
  constexpr double kLatency = 1.25e-7;
  for (PublishedLatency& latency : machine.latencies) {
    latency.figure.value = kLatency;
  }
  if (machine.launch_latency) {
    machine.launch_latency->value = kLatency;
  }
  std::set<Level> seen;
  std::erase_if(machine.latencies, [&](const PublishedLatency& latency) {
    return !seen.insert(latency.level).second;
  });
}

/// Groups of cores that fit into every part.
void mend_groups(Specification& machine) {
  for (PublishedCache& cache : machine.caches) {
    cache.shared_by_cores = cache.shared_by_cores ? std::optional(1U) : std::nullopt;
  }
  for (PublishedBandwidth& bandwidth : machine.bandwidths) {
    bandwidth.cores = bandwidth.cores ? std::optional(1U) : std::nullopt;
  }
}

}  // namespace

template <>
struct Mend<Specification> {
  static void mend(Random& random, Specification& machine) {
    mend_peaks(random, machine);
    mend_bandwidths(random, machine);
    mend_groups(machine);
    mend_latencies(machine);
    for (const char* source : kSources) {
      if (!machine.sources.empty()) {  // where there are any, each that is named must be there
        machine.sources.emplace(source, non_empty_text(random));
      }
    }
  }
};

Specification random_specification(Random& random) {
  return random_object<Specification>(random);
}

}  // namespace ridge::serialize
