#include "serialize/random_values.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/describe/page.hpp"
#include "core/describe/profile.hpp"
#include "serialize/described/by_hand.hpp"
#include "serialize/described/page_parts.hpp"
#include "serialize/described/random_value.hpp"
#include "serialize/random_caches.hpp"

namespace ridge::serialize {

template <>
struct RandomByHand<Machine> {
  static Machine make(Random& random) { return random_machine(random); }
};

template <>
struct RandomByHand<Comparison> {
  static Comparison make(Random& random) { return random_comparison(random); }
};

template <>
struct Mend<SampledTime> {
  static void mend(Random& /*random*/, SampledTime& time) {
    std::array values{time.low, time.value, time.high};
    std::sort(values.begin(), values.end());
    time.low = values[0];
    time.value = values[1];
    time.high = values[2];
  }
};

template <>
struct Mend<Work> {
  /// Each key once, and a sum that 64 bits hold.
  static void mend(Random& random, Work& work) {
    for (const WorkTerm& term : std::exchange(work.terms, {})) {
      work.add(term.precision, term.kind, element_bits(term.precision) << random() % 4,
               term.flops >> 3U);
    }
  }
};

template <>
struct Mend<Traffic> {
  static void mend(Random& /*random*/, Traffic& traffic) {
    traffic.read >>= 2U;
    traffic.written >>= 2U;
  }
};

template <>
struct Mend<TrafficInterval> {
  static void mend(Random& /*random*/, TrafficInterval& interval) {
    std::tie(interval.low, interval.high) = std::minmax({interval.low, interval.high});
  }
};

template <>
struct Mend<TripCounts> {
  static void mend(Random& /*random*/, TripCounts& trips) {
    std::tie(trips.shortest, trips.longest) = std::minmax({trips.shortest, trips.longest});
  }
};

template <>
struct Mend<PageFaults> {
  static void mend(Random& /*random*/, PageFaults& faults) {
    std::array values{faults.low, faults.value, faults.high};
    std::sort(values.begin(), values.end());
    std::tie(faults.low, faults.value, faults.high) = std::tie(values[0], values[1], values[2]);
    faults.major = std::min(faults.major, faults.value);
  }
};

template <>
struct Mend<MaskedOperations> {
  static void mend(Random& /*random*/, MaskedOperations& masked) {
    masked.operations >>= 8U;
    masked.lanes = 8 * masked.operations;
    masked.active_lanes = std::min(masked.active_lanes, masked.lanes);
  }
};

template <>
struct Mend<RankSpread> {
  static void mend(Random& /*random*/, RankSpread& spread) {
    std::array values{spread.least, spread.median, spread.most};
    std::sort(values.begin(), values.end());
    std::tie(spread.least, spread.median, spread.most) = std::tie(values[0], values[1], values[2]);
    spread.mean = spread.median;
  }
};

template <>
struct Mend<ParallelRun> {
  static void mend(Random& /*random*/, ParallelRun& run) {
    run.measured %= run.ranks;
    run.lost.resize(std::min<std::size_t>(run.lost.size(), run.ranks - run.measured));
  }
};

template <>
struct Mend<ThreadWork> {
  static void mend(Random& /*random*/, ThreadWork& work) {
    work.flops >>= 8U;  // several threads add up
    work.bytes >>= 8U;
    work.iterations >>= 8U;
  }
};

namespace {

TrafficByLevel of_levels(Random& random, std::initializer_list<Level> levels) {
  TrafficByLevel made;
  for (const Level level : levels) {
    if (chance(random, 2)) {
      made[level] = chance(random, 4) ? Traffic{} : random_object<Traffic>(random);
    }
  }
  return made;
}

/// With the levels of real machines: some of what is derived looks for them.
Region random_region(Random& random, std::uint32_t id, const Profile& profile) {
  auto made = random_object<Region>(random);
  made.id = id;
  made.process = static_cast<std::uint32_t>(random() % profile.processes.size());
  if (id == 0) {
    made.kind = RegionKind::program;
  } else if (made.kind == RegionKind::program) {
    made.kind = RegionKind::loop;
  }
  made.parent = id > 0 && chance(random, 2)
                    ? std::optional(static_cast<std::uint32_t>(random() % id))
                    : std::nullopt;
  made.traffic = of_levels(random, {Level::L1, Level::L2, Level::L3, Level::DRAM});
  made.traffic_elsewhere.clear();
  if (!profile.caches_elsewhere.empty() && chance(random, 2)) {
    made.traffic_elsewhere[profile.caches_elsewhere.front().name] =
        of_levels(random, {Level::L2, Level::L3, Level::DRAM});
  }
  return made;
}

}  // namespace

template <>
struct Mend<Profile> {
  static void mend(Random& random, Profile& profile) {
    profile.processes.push_back(random_object<Process>(random));
    profile.caches_elsewhere.resize(std::min<std::size_t>(profile.caches_elsewhere.size(), 1));
    profile.regions.clear();
    const auto regions = static_cast<std::uint32_t>(random() % 6);
    for (std::uint32_t id = 0; id < regions; ++id) {
      profile.regions.push_back(random_region(random, id, profile));
    }
    for (MpiCall& call : profile.mpi_calls) {
      call.region =
          regions > 0 && call.region ? std::optional(*call.region % regions) : std::nullopt;
    }
    for (LibraryCall& call : profile.library_calls) {
      call.region =
          regions > 0 && call.region ? std::optional(*call.region % regions) : std::nullopt;
    }
  }
};

Profile random_profile(Random& random) {
  return random_object<Profile>(random);
}

Prediction random_prediction(Random& random, const Profile& profile) {
  Prediction made;
  for (const Region& of : profile.regions) {
    made.regions.push_back(random_object<RegionPrediction>(random));
    made.regions.back().region = of.id;
  }
  made.summary = text(random);
  made.next_steps = {random_object<NextStep>(random)};
  made.communication = random_object<CommunicationBound>(random);
  return made;
}

template <>
struct Mend<PageResult> {
  static void mend(Random& random, PageResult& result) {
    result.profile = random_profile(random);
    result.prediction = random_prediction(random, result.profile);
  }
};

Page random_page(Random& random) {
  return random_object<Page>(random);
}

}  // namespace ridge::serialize
