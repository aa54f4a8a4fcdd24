#include "serialize/random_values.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/core.h>

namespace ridge::serialize {
namespace {

using Random = std::mt19937_64;

bool chance(Random& random, unsigned one_in) {
  return random() % one_in == 0;
}

template <class T, std::size_t N>
const T& one_of(Random& random, const std::array<T, N>& values) {
  return values[random() % N];
}

/// Any finite double above 0, of every magnitude.
double positive_double(Random& random) {
  for (;;) {
    const double value = std::abs(std::bit_cast<double>(random()));
    if (std::isfinite(value) && value > 0.0) {
      return value;
    }
  }
}

/// A number of a size that measurements have.
double plain_double(Random& random) {
  return std::ldexp(static_cast<double>(random() >> 11U), static_cast<int>(random() % 40) - 60) +
         1e-9;
}

double any_size(Random& random) {
  return chance(random, 4) ? positive_double(random) : plain_double(random);
}

std::uint64_t count(Random& random) {
  return chance(random, 8) ? std::numeric_limits<std::uint64_t>::max() : random() >> random() % 64;
}

/// Valid UTF-8 with everything that JSON must escape.
std::string text(Random& random) {
  constexpr std::array<std::string_view, 12> pieces{"heat2d",
                                                    "std::vector<double>",
                                                    " ",
                                                    "\"",
                                                    "\\",
                                                    "\n\t\r",
                                                    "\x01\x1f\x7f",
                                                    "\xC3\xBC\xC3\x9F",
                                                    "\xE2\x82\xAC",
                                                    "\xF0\x9F\x8F\x94",
                                                    "/",
                                                    "</script>"};
  std::string value;
  for (std::size_t i = random() % 5; i > 0; --i) {
    value += one_of(random, pieces);
  }
  return value;
}

std::string non_empty_text(Random& random) {
  return fmt::format("x{}", text(random));
}

template <class T, class Make>
std::optional<T> maybe(Random& random, Make make) {
  return chance(random, 2) ? std::optional<T>(make(random)) : std::nullopt;
}

template <class Make>
auto list(Random& random, std::size_t most, Make make) {
  std::vector<decltype(make(random))> values;
  for (std::size_t i = random() % (most + 1); i > 0; --i) {
    values.push_back(make(random));
  }
  return values;
}

template <class Q>
Estimate<Q> estimate(Random& random) {
  std::array<double, 4> values{any_size(random), any_size(random), any_size(random),
                               any_size(random)};
  std::sort(values.begin(), values.end());
  constexpr std::array origins{Origin::measured, Origin::counted,   Origin::simulated,
                               Origin::modelled, Origin::datasheet, Origin::assumed};
  return {Q(values[1]), Q(values[2]),  Q(values[0]),
          Q(values[3]), count(random), one_of(random, origins)};
}

/// `whole`: of integers, where the kind allows it.
CeilingEstimate ceiling_estimate(Random& random, CeilingKind kind, bool whole) {
  switch (kind) {
    case CeilingKind::compute:
      return whole ? CeilingEstimate{estimate<IntOpsPerSecond>(random)}
                   : CeilingEstimate{estimate<FlopsPerSecond>(random)};
    case CeilingKind::bandwidth:
      return estimate<BytesPerSecond>(random);
    case CeilingKind::latency:
      break;
  }
  return estimate<Seconds>(random);
}

Ceiling ceiling(Random& random, std::size_t number) {
  Ceiling made;
  made.id = fmt::format("{}.{}", non_empty_text(random), number);
  made.kind = one_of(
      random, std::array{CeilingKind::compute, CeilingKind::bandwidth, CeilingKind::latency});
  made.precision = maybe<std::string>(random, non_empty_text);
  made.isa = maybe<std::string>(random, non_empty_text);
  made.operation = maybe<std::string>(random, non_empty_text);
  made.level = maybe<std::string>(random, non_empty_text);
  made.pattern = maybe<std::string>(random, non_empty_text);
  made.threads = 1 + static_cast<unsigned>(random() % 256);
  made.device = maybe<std::string>(random, text);
  const bool whole = chance(random, 4);
  made.value = ceiling_estimate(random, made.kind, whole);
  if (chance(random, 2)) {
    made.traffic_value = ceiling_estimate(random, made.kind, whole);
  }
  if (made.kind == CeilingKind::latency && chance(random, 2)) {
    made.cycles = estimate<Cycles>(random);
  }
  const double limit = p90_of(made.value) * (1.0 + plain_double(random));
  const double fraction = p90_of(made.value) / limit;
  if (chance(random, 2) && std::isfinite(limit) && fraction > 0.0) {
    made.limit = limit;
    made.limit_fraction = fraction;
    made.source = text(random);
  }
  made.flags = list(random, 3, text);
  if (chance(random, 2)) {
    made.clock = Hertz(any_size(random));
    made.modes = list(random, 2, [](Random& r) { return Mode{any_size(r), any_size(r)}; });
  }
  return made;
}

MeasuredRoof measured_roof(Random& random) {
  MeasuredRoof made{non_empty_text(random),
                    "fp64",
                    non_empty_text(random),
                    1 + static_cast<unsigned>(random() % 8),
                    non_empty_text(random),
                    non_empty_text(random),
                    {}};
  double intensity = plain_double(random);
  for (std::size_t i = random() % 16; i > 0; --i) {
    made.points.push_back(
        {FlopsPerByte(intensity), estimate<FlopsPerSecond>(random), any_size(random)});
    intensity *= 1.5;
  }
  return made;
}

CeilingEstimate rate(Random& random) {
  const auto kind = chance(random, 2) ? CeilingKind::compute : CeilingKind::bandwidth;
  return ceiling_estimate(random, kind, false);
}

void characterise(Random& random, Machine& machine) {
  constexpr std::array<std::string_view, 3> efforts{"quick", "standard", "full"};
  machine.effort = std::string(one_of(random, efforts));
  machine.incomplete = chance(random, 2);
  machine.measured_roofs = list(random, 3, measured_roof);
  machine.sustained = list(random, 2, [](Random& r) {
    return Sustained{non_empty_text(r), Seconds(any_size(r)), rate(r), estimate<Hertz>(r),
                     Hertz(any_size(r))};
  });
  machine.siblings = list(random, 2, [](Random& r) {
    return Siblings{non_empty_text(r), 1 + static_cast<unsigned>(r() % 8), rate(r)};
  });
  machine.numa = list(random, 3, [](Random& r) {
    return NumaEntry{static_cast<unsigned>(r() % 8),
                     static_cast<unsigned>(r() % 8),
                     non_empty_text(r),
                     1 + static_cast<unsigned>(r() % 8),
                     maybe<Estimate<BytesPerSecond>>(r, estimate<BytesPerSecond>),
                     maybe<Estimate<Seconds>>(r, estimate<Seconds>)};
  });
  machine.notes = list(random, 2, [](Random& r) { return Note{text(r), text(r)}; });
}

std::vector<Cache> caches(Random& random) {
  std::vector<Cache> made(random() % 4);
  for (std::size_t i = 0; i < made.size(); ++i) {
    made[i].level = fmt::format("L{}", i + 1);
    made[i].ways = 1 + static_cast<unsigned>(random() % 32);
    made[i].line_bytes = 64;
    made[i].size_bytes = std::max<std::uint64_t>(count(random), 64ULL * made[i].ways);
    made[i].shared_by_threads = 1 + static_cast<unsigned>(random() % 64);
    made[i].policy = one_of(random, std::array{CachePolicy::inclusive, CachePolicy::non_inclusive,
                                               CachePolicy::victim});
    made[i].write_allocate = one_of(random, std::array{WriteAllocate::always, WriteAllocate::never,
                                                       WriteAllocate::when_unsaturated});
  }
  return made;
}

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
          maybe<std::string>(random, text)};
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
  made.flops = work(random);
  made.intops = maybe<std::uint64_t>(random, count);
  made.calls = counts(random);
  made.opaque = counts(random);
  made.bytes_loaded = count(random);
  made.bytes_stored = count(random);
  fill_details(random, made);
  made.traffic = traffic(random, {"L1", "L2", "L3", "DRAM"});
  made.least_traffic = traffic(random, {"L2", "DRAM"});
  made.traffic_at_share = traffic(random, {"1/2", "1/4"});
  made.line_use = maybe<double>(random, [](Random& r) { return plain_double(r); });
  made.miss_curve = list(random, 3, [](Random& r) { return MissCurvePoint{count(r), count(r)}; });
  made.sharing = maybe<LineSharing>(
      random, [](Random& r) { return LineSharing{count(r), count(r), count(r), count(r)}; });
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

Machine random_machine(Random& random) {
  Machine made;
  made.ridge_version = "0.1.0";
  made.name = text(random);
  made.date = "2026-01-31T12:00:00Z";
  made.host = maybe<std::string>(random, text);
  made.cpu = {text(random), text(random), 25, static_cast<unsigned>(random() % 256), 1};
  made.topology = {1 + static_cast<unsigned>(random() % 2), 1, 1, 2};
  made.caches = caches(random);
  made.memories.push_back(
      {"DRAM", maybe<std::uint64_t>(random, [](Random& r) { return r() | 1U; })});
  made.clock.core = maybe<Estimate<Hertz>>(random, estimate<Hertz>);
  made.clock.tsc_hertz = maybe<double>(random, plain_double);
  const std::size_t ceilings = random() % 6;
  for (std::size_t i = 0; i < ceilings; ++i) {
    made.ceilings.push_back(ceiling(random, i));
  }
  if (chance(random, 2)) {
    characterise(random, made);
  }
  return made;
}

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
    made.sources.push_back(
        {text(random), static_cast<unsigned>(1 + random() % 9999), list(random, 4, text)});
  }
  return made;
}

}  // namespace ridge::serialize
