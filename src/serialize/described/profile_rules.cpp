#include "serialize/described/profile_rules.hpp"

#include <limits>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/core.h>

namespace ridge::serialize {
namespace {

void check_sum(const Reader& object, std::string_view key, std::uint64_t terms) {
  const Reader value = object.find(key);
  if (!value.absent() && value.ok() && value.count() != terms) {
    value.fail(fmt::format("is {}, but the terms add up to {}", value.count(), terms));
  }
}

using IndexById = std::unordered_map<std::uint32_t, std::size_t>;

IndexById index_regions(const std::vector<Reader>& items, const std::vector<Region>& regions) {
  IndexById index;
  bool has_program = false;
  for (std::size_t i = 0; i < regions.size(); ++i) {
    if (!index.emplace(regions[i].id, i).second) {
      items[i].find("id").fail(fmt::format("stands twice: {}", regions[i].id));
    }
    if (regions[i].kind == RegionKind::program && std::exchange(has_program, true)) {
      items[i].find("kind").fail("is program a second time");
    }
  }
  return index;
}

/// Parents must exist and lead to a root. Each region is walked over once.
void check_parents(const std::vector<Reader>& items, const std::vector<Region>& regions) {
  const IndexById index = index_regions(items, regions);
  constexpr std::size_t kUnseen = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> walk_of(regions.size(), kUnseen);
  for (std::size_t start = 0; start < regions.size(); ++start) {
    std::size_t at = start;
    while (walk_of[at] == kUnseen && regions[at].parent) {
      walk_of[at] = start;
      const auto parent = index.find(*regions[at].parent);
      if (parent == index.end()) {
        items[at].find("parent").fail(
            fmt::format("is {}, but no region has this id", *regions[at].parent));
        return;
      }
      at = parent->second;
    }
    if (walk_of[at] == start && regions[at].parent) {
      items[at].find("parent").fail("leads back to the region itself");
      return;
    }
    walk_of[at] = start;
  }
}

void check_processes(const std::vector<Reader>& items, const Profile& profile) {
  for (std::size_t i = 0; i < profile.regions.size(); ++i) {
    if (profile.regions[i].process >= profile.processes.size()) {
      items[i].find("process").fail(fmt::format("is {}, but there are {} processes",
                                                profile.regions[i].process,
                                                profile.processes.size()));
    }
  }
}

void check_names_elsewhere(const Reader& array, const Profile& profile) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < profile.caches_elsewhere.size(); ++i) {
    const std::string& name = profile.caches_elsewhere[i].name;
    if (!names.insert(name).second) {
      array.items()[i].find("name").fail(fmt::format("stands twice: {}", quote_for_message(name)));
    }
  }
}

template <class Call>
void check_callers(const Reader& calls, const std::vector<Call>& items, const Profile& profile) {
  std::set<std::uint32_t> ids;
  for (const Region& region : profile.regions) {
    ids.insert(region.id);
  }
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].region && !ids.contains(*items[i].region)) {
      calls.items()[i].find("region").fail(
          fmt::format("is {}, but no region has this id", *items[i].region));
      return;
    }
  }
}

/// Traffic on caches that nobody describes means nothing.
void check_elsewhere(const Reader& regions, const Profile& profile) {
  std::set<std::string> known;
  for (const CachesElsewhere& caches : profile.caches_elsewhere) {
    known.insert(caches.name);
  }
  for (const Region& region : profile.regions) {
    for (const auto& [name, traffic] : region.traffic_elsewhere) {
      if (!known.contains(name)) {
        regions.fail(fmt::format("region {} has traffic on {}, which is not among caches_elsewhere",
                                 region.id, quote_for_message(name)));
        return;
      }
    }
  }
}

}  // namespace

void Rules<SampledTime>::check(const Reader& object, const SampledTime& time) {
  // The three come from separate formulas: their rounding must not make a result unreadable.
  const double slack = 1e-9 * time.high.value();
  if (time.low.value() > time.value.value() + slack ||
      time.value.value() > time.high.value() + slack) {
    object.fail(fmt::format("must have low <= value <= high, has {}, {}, {}", time.low.value(),
                            time.value.value(), time.high.value()));
  }
}

void Rules<WorkTerm>::check(const Reader& object, const WorkTerm& term) {
  if (term.width_bits % element_bits(term.precision) != 0) {
    object.find("width_bits")
        .fail(fmt::format("must be a multiple of {} for {}, is {}", element_bits(term.precision),
                          to_string(term.precision), term.width_bits));
  }
}

void Rules<Work>::check(const Reader& object, const Work& work) {
  const std::vector<Reader> items = object.at("terms").items();
  std::set<std::tuple<Precision, OperationKind, unsigned>> keys;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < work.terms.size(); ++i) {
    const WorkTerm& term = work.terms[i];
    if (!keys.insert({term.precision, term.kind, term.width_bits}).second) {
      items[i].fail("repeats precision, kind and width of an earlier term");
    }
    if (__builtin_add_overflow(sum, term.flops, &sum)) {
      items[i].fail("makes the sum of the terms exceed 2^64-1");
      return;
    }
  }
  (void)object.at("total");
  check_sum(object, "total", work.total());
  for (const Precision precision : describe::Enumerators<Precision>::values) {
    check_sum(object, to_string(precision), work.total(precision).value_or(0));
  }
}

void Rules<TrafficInterval>::check(const Reader& object, const TrafficInterval& interval) {
  if (interval.low > interval.high) {
    object.fail("must have a low that is not above its high");
  }
}

void Rules<MaskedOperations>::check(const Reader& object, const MaskedOperations& masked) {
  if (masked.active_lanes > masked.lanes || masked.operations > masked.lanes) {
    object.fail("has more operations or active lanes than lanes");
  }
}

void Rules<PageFaults>::check(const Reader& object, const PageFaults& faults) {
  if (faults.low > faults.value || faults.value > faults.high) {
    object.fail("needs low <= value <= high");
  }
  if (faults.major > faults.value) {
    object.at("major").fail("is more than all page faults");
  }
}

void Rules<TripCounts>::check(const Reader& object, const TripCounts& trips) {
  if (trips.shortest > trips.longest) {
    object.fail("has a shortest above the longest");
  }
}

void Rules<RankSpread>::check(const Reader& object, const RankSpread& spread) {
  if (spread.least > spread.median || spread.median > spread.most || spread.mean > spread.most ||
      spread.mean < spread.least) {
    object.fail("needs least <= median <= most, and the mean between least and most");
  }
}

void Rules<ParallelRun>::check(const Reader& object, const ParallelRun& run) {
  if (run.measured > run.ranks || run.lost.size() > run.ranks - run.measured) {
    object.fail("has more ranks measured or lost than there are");
  }
}

void Rules<Profile>::check(const Reader& object, const Profile& profile) {
  const Reader regions = object.find("regions");
  const std::vector<Reader> items = regions.items();
  check_processes(items, profile);
  check_parents(items, profile.regions);
  check_names_elsewhere(object.find("caches_elsewhere"), profile);
  check_elsewhere(regions, profile);
  check_callers(object.find("mpi_calls"), profile.mpi_calls, profile);
  check_callers(object.find("library_calls"), profile.library_calls, profile);
}

}  // namespace ridge::serialize
