#include "serialize/random_values.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/core.h>

#include "serialize/comparison_for_tests.hpp"
#include "serialize/random_pieces.hpp"

namespace ridge::serialize {
namespace {

SampledTime sampled(Random& random) {
  std::array<double, 3> values{any_size(random), any_size(random), any_size(random)};
  std::sort(values.begin(), values.end());
  return {Seconds(values[1]), Seconds(values[0]), Seconds(values[2]), count(random)};
}

SelfAndInclusive times(Random& random) {
  return {maybe<SampledTime>(random, sampled), maybe<SampledTime>(random, sampled)};
}

Work work(Random& random) {
  Work made;
  for (std::size_t i = random() % 5; i > 0; --i) {
    const auto precision = one_of(
        random, std::array{Precision::fp64, Precision::fp32, Precision::fp16, Precision::bf16});
    const auto kind =
        one_of(random, std::array{OperationKind::add, OperationKind::mul, OperationKind::fma,
                                  OperationKind::div, OperationKind::sqrt});
    made.add(precision, kind, element_bits(precision) << random() % 4, random() >> 3U);
  }
  made.other = count(random);
  return made;
}

std::map<std::string, std::uint64_t> counts(Random& random) {
  std::map<std::string, std::uint64_t> made;
  for (std::size_t i = random() % 4; i > 0; --i) {
    made[text(random)] = count(random);
  }
  return made;
}

TrafficByLevel traffic(Random& random, const std::vector<std::string>& keys) {
  TrafficByLevel made;
  for (const std::string& key : keys) {
    if (chance(random, 2)) {
      made[key] = chance(random, 4) ? Traffic{} : Traffic{random() >> 2U, random() >> 2U};
    }
  }
  return made;
}

Note note(Random& random) {
  return {text(random), text(random)};
}

ThreadWork thread_work(Random& random) {
  return {static_cast<std::uint32_t>(random() % 64), count(random), count(random), count(random),
          maybe<SampledTime>(random, sampled)};
}

Origin found_by(Random& random) {
  return one_of(random, std::array{Origin::counted, Origin::simulated, Origin::modelled});
}

Finding finding(Random& random) {
  const auto gain = [](Random& r) { return 1.0 + plain_double(r); };
  return {text(random),
          text(random),
          {{text(random), -plain_double(random)}},
          maybe<double>(random, gain),
          maybe<Origin>(random, found_by),
          maybe<double>(random, gain),
          maybe<double>(random, gain),
          maybe<std::string>(random, text),
          chance(random, 2)};
}

AccessTerm access(Random& random) {
  AccessTerm made;
  made.pattern = one_of(
      random, std::array{AccessPattern::unknown, AccessPattern::unit, AccessPattern::constant,
                         AccessPattern::invariant, AccessPattern::indirect});
  made.write = chance(random, 2);
  made.stride_bytes = maybe<std::uint32_t>(
      random, [](Random& r) { return 1 + static_cast<std::uint32_t>(r() % 100000); });
  made.bytes = count(random);
  return made;
}

ChainTerm chain_term(Random& random) {
  ChainTerm made;
  made.operation =
      one_of(random, std::array{ChainOperation::add, ChainOperation::mul, ChainOperation::fma,
                                ChainOperation::div, ChainOperation::sqrt, ChainOperation::other,
                                ChainOperation::call, ChainOperation::load});
  if (made.operation <= ChainOperation::sqrt) {
    made.precision = one_of(random, std::array{Precision::fp64, Precision::fp32});
  }
  made.reduction = chance(random, 2);
  made.operations = count(random);
  return made;
}

MaskedOperations masked(Random& random) {
  const std::uint64_t operations = random() >> 8U;
  return {operations, 8 * operations, random() % (8 * operations + 1)};
}

void fill_details(Random& random, Region& region) {
  region.fusible_flops = maybe<std::uint64_t>(random, count);
  region.bytes_non_temporal = maybe<std::uint64_t>(random, count);
  region.bytes_overwritten = maybe<std::uint64_t>(random, count);
  region.accesses = list(random, 3, access);
  region.gathered = maybe<Traffic>(random, [](Random& r) { return Traffic{count(r), count(r)}; });
  region.masked = maybe<MaskedOperations>(random, masked);
  region.chain = list(random, 3, chain_term);
  region.not_vectorised = maybe<std::string>(random, text);
}

void fill_place(Random& random, Region& region) {
  region.name = text(random);
  region.function = text(random);
  region.file = maybe<std::string>(random, text);
  const auto position = [](Random& r) { return static_cast<unsigned>(r() % 100000); };
  region.line = maybe<unsigned>(random, position);
  region.column = maybe<unsigned>(random, position);
  region.partial = chance(random, 4);
  region.threads = 1 + static_cast<unsigned>(random() % 128);
  region.entries = count(random);
  region.iterations = maybe<std::uint64_t>(random, count);
}

PageFaults page_faults(Random& random) {
  std::array<std::uint64_t, 3> values{count(random), count(random), count(random)};
  std::sort(values.begin(), values.end());
  return {values[1], values[0], values[2], values[0], Seconds(plain_double(random))};
}

Region region(Random& random, std::uint32_t id) {
  Region made;
  made.id = id;
  made.kind = id == 0 ? RegionKind::program
                      : one_of(random, std::array{RegionKind::function, RegionKind::loop,
                                                  RegionKind::library, RegionKind::marker});
  fill_place(random, made);
  if (id > 0 && chance(random, 2)) {
    made.parent = static_cast<std::uint32_t>(random() % id);
  }
  made.time_seconds = times(random);
  made.cpu_seconds = times(random);
  made.waited_seconds = maybe<Seconds>(random, [](Random& r) { return Seconds(plain_double(r)); });
  made.trip_counts = maybe<TripCounts>(random, [](Random& r) {
    const auto [shortest, longest] = std::minmax({count(r), count(r)});
    return TripCounts{shortest, longest};
  });
  made.page_faults = maybe<PageFaults>(random, page_faults);
  made.flops = work(random);
  made.intops = maybe<std::uint64_t>(random, count);
  made.calls = counts(random);
  made.opaque = counts(random);
  made.bytes_loaded = count(random);
  made.bytes_stored = count(random);
  fill_details(random, made);
  made.traffic = traffic(random, {"L1", "L2", "L3", "DRAM"});
  made.least_traffic = traffic(random, {"L2", "DRAM"});
  for (const char* level : {"L2", "DRAM"}) {
    if (chance(random, 2)) {
      const std::uint64_t low = random() >> 2U;
      made.traffic_interval[level] = {low, low + (random() >> 2U)};
    }
  }
  made.traffic_at_share = traffic(random, {"1/2", "1/4"});
  made.line_use = maybe<double>(random, [](Random& r) { return plain_double(r); });
  made.miss_curve = list(random, 3, [](Random& r) { return MissCurvePoint{count(r), count(r)}; });
  made.memory_nodes = list(random, 3, [](Random& r) {
    return NodeLines{static_cast<unsigned>(r() % 16), static_cast<unsigned>(r() % 16), count(r)};
  });
  made.sharing = maybe<LineSharing>(random, [](Random& r) {
    return LineSharing{count(r), count(r), count(r), count(r), maybe<std::uint64_t>(r, count)};
  });
  if (chance(random, 2)) {
    made.thread_work = {thread_work(random), thread_work(random)};
  }
  made.traffic_mode = maybe<TrafficMode>(random, [](Random& r) {
    return one_of(r, std::array{TrafficMode::exact, TrafficMode::sampled});
  });
  made.findings = list(random, 2, finding);
  made.notes = list(random, 2, note);
  return made;
}

Process process(Random& random) {
  Process made;
  made.pid = static_cast<std::int64_t>(random() >> 1U);
  made.argv = list(random, 3, text);
  made.exit_code = maybe<int>(random, [](Random& r) { return static_cast<int>(r() % 256); });
  made.signal = maybe<int>(random, [](Random& r) { return 1 + static_cast<int>(r() % 64); });
  made.rank = maybe<int>(random, [](Random& r) { return static_cast<int>(r() % 1000); });
  return made;
}

Bound bound(Random& random) {
  Bound made;
  made.ceiling = text(random);
  made.unit = one_of(random, std::array{BoundUnit::flops_per_second, BoundUnit::bytes_per_second,
                                        BoundUnit::intops_per_second});
  made.attainable = plain_double(random);
  made.fraction = maybe<double>(random, plain_double);
  made.next = maybe<std::string>(random, text);
  made.next_attainable = maybe<double>(random, plain_double);
  return made;
}

}  // namespace

Profile random_profile(Random& random) {
  Profile made;
  made.ridge_version = "0.1.0";
  made.date = "2026-01-31T12:00:00Z";
  made.program = {list(random, 4, text), 0, std::nullopt, Seconds(plain_double(random)),
                  maybe<std::string>(random, text)};
  made.machine = random_machine(random);
  made.processes = list(random, 3, process);
  made.processes.push_back(process(random));
  made.time = {Seconds(plain_double(random)), 0.25};
  if (chance(random, 2)) {
    made.caches_elsewhere.push_back({"zen\"4", {{"L1", 32768, 8}}, "HBM"});
  }
  const auto regions = static_cast<std::uint32_t>(random() % 6);
  for (std::uint32_t id = 0; id < regions; ++id) {
    made.regions.push_back(region(random, id));
    if (!made.caches_elsewhere.empty() && chance(random, 2)) {
      made.regions.back().traffic_elsewhere[made.caches_elsewhere.front().name] =
          traffic(random, {"L2", "L3", "DRAM"});
    }
  }
  made.notes = list(random, 2, note);
  return made;
}

Prediction random_prediction(Random& random, const Profile& profile) {
  Prediction made;
  for (const Region& of : profile.regions) {
    RegionPrediction entry;
    entry.region = of.id;
    entry.code = maybe<Bound>(random, bound);
    entry.machine = maybe<Bound>(random, bound);
    entry.code_at_neighbouring_threads = list(random, 2, bound);
    entry.notes = list(random, 2, note);
    made.regions.push_back(entry);
  }
  made.summary = text(random);
  return made;
}

Page random_page(Random& random) {
  Page made;
  const std::size_t results = random() % 4;
  for (std::size_t i = 0; i < results; ++i) {
    const Profile profile = random_profile(random);
    made.results.push_back({text(random), profile, random_prediction(random, profile)});
  }
  made.machines = list(random, 2, random_machine);
  if (chance(random, 2)) {
    made.comparison = comparison_for_tests();
  }
  if (chance(random, 2)) {
    made.sources.push_back(
        {text(random), static_cast<unsigned>(1 + random() % 9999), list(random, 4, text)});
  }
  if (chance(random, 2)) {
    made.above_roofs.push_back({0, {}, 2, text(random), text(random)});
    made.above_roofs.push_back({{}, 0, 1, text(random), text(random)});
  }
  return made;
}

}  // namespace ridge::serialize
