#include <algorithm>
#include <array>
#include <utility>

#include <fmt/core.h>

#include "serialize/random_pieces.hpp"
#include "serialize/random_values.hpp"

namespace ridge::serialize {
namespace {

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

Isa isa(Random& random) {
  return one_of(random, kIsaTable).isa;
}

Ceiling ceiling(Random& random, std::size_t number) {
  Ceiling made;
  made.id = fmt::format("{}.{}", non_empty_text(random), number);
  made.kind = one_of(
      random, std::array{CeilingKind::compute, CeilingKind::bandwidth, CeilingKind::latency});
  made.precision = maybe<std::string>(random, non_empty_text);
  made.isa = maybe<Isa>(random, isa);
  made.operation =
      maybe<Operation>(random, [](Random& r) { return one_of(r, kOperationTable).first; });
  made.level = maybe<std::string>(random, non_empty_text);
  made.pattern = maybe<Pattern>(random, [](Random& r) { return one_of(r, kPatternTable).first; });
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
                    isa(random),
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
  made.clock.uncertainty = maybe<double>(random, plain_double);
  const std::size_t ceilings = random() % 6;
  for (std::size_t i = 0; i < ceilings; ++i) {
    made.ceilings.push_back(ceiling(random, i));
  }
  if (chance(random, 2)) {
    characterise(random, made);
  }
  return made;
}

}  // namespace ridge::serialize
