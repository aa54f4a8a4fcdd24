#include "serialize/described/machine_rules.hpp"

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "serialize/estimate_value.hpp"

namespace ridge::serialize {
namespace {

/// Whole operations are rates of compute ceilings too.
void check_unit(const Reader& estimate, CeilingKind kind) {
  if (estimate.absent()) {
    return;
  }
  switch (kind) {
    case CeilingKind::compute:
      if (estimate.at("unit").text() != kUnit<IntOpsPerSecond>) {
        expect_unit(estimate, kUnit<FlopsPerSecond>, "a compute ceiling");
      }
      return;
    case CeilingKind::bandwidth:
      return expect_unit(estimate, kUnit<BytesPerSecond>, "a bandwidth ceiling");
    case CeilingKind::latency:
      return expect_unit(estimate, kUnit<Seconds>, "a latency ceiling");
  }
}

/// Of a ceiling that is named by its id only.
void check_rate(const Reader& estimate) {
  if (estimate.at("unit").text() != kUnit<BytesPerSecond>) {
    expect_unit(estimate, kUnit<FlopsPerSecond>, "a rate");
  }
}

/// limit_fraction is derived, yet kept: the two say the same thing, or one of them was mistyped.
void check_limit(const Reader& object, const Ceiling& ceiling) {
  constexpr double kTolerance = 0.01;
  if (ceiling.limit.has_value() != ceiling.limit_fraction.has_value()) {
    object.fail(ceiling.limit ? "has a limit but no limit_fraction (p90 / limit)"
                              : "has a limit_fraction but no limit");
    return;
  }
  if (!ceiling.limit) {
    return;
  }
  const double expected = p90_of(ceiling.value) / *ceiling.limit;
  if (!(std::abs(*ceiling.limit_fraction - expected) <= kTolerance * expected)) {
    object.find("limit_fraction")
        .fail(fmt::format("is {}, but p90 / limit is {}", *ceiling.limit_fraction, expected));
  }
}

/// `name`: of one item of the list, under `key`.
template <class T, class Name>
void check_distinct(const Reader& array, const std::vector<T>& values, std::string_view key,
                    Name T::* name) {
  const std::vector<Reader> items = array.items();
  std::set<Name> known;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!known.insert(values[i].*name).second) {
      const Reader value = items[i].find(key);
      value.fail(fmt::format("stands twice: {}", quote_for_message(value.text())));
    }
  }
}

}  // namespace

void Rules<Cache>::check(const Reader& object, const Cache& cache) {
  const std::uint64_t one_set = std::uint64_t{cache.ways} * cache.line_bytes;
  if (cache.size_bytes < one_set) {
    object.find("size_bytes")
        .fail(fmt::format("must be at least ways * line_bytes = {}, is {}", one_set,
                          cache.size_bytes));
  }
}

void Rules<Ceiling>::check(const Reader& object, const Ceiling& ceiling) {
  check_unit(object.at("value"), ceiling.kind);
  check_unit(object.find("traffic_value"), ceiling.kind);
  check_limit(object, ceiling);
}

void Rules<MeasuredRoof>::check(const Reader& object, const MeasuredRoof& roof) {
  for (std::size_t i = 1; i < roof.points.size(); ++i) {
    if (!(roof.points[i - 1].intensity < roof.points[i].intensity)) {
      object.at("points").fail("must have ascending intensities");
    }
  }
}

void Rules<Sustained>::check(const Reader& object, const Sustained& /*sustained*/) {
  check_rate(object.at("value"));
}

void Rules<Siblings>::check(const Reader& object, const Siblings& /*siblings*/) {
  check_rate(object.at("value"));
}

void Rules<Machine>::check(const Reader& object, const Machine& machine) {
  if (machine.memories.empty()) {
    object.find("memories").fail("must name at least one memory");
  }
  check_distinct(object.find("caches"), machine.caches, "level", &Cache::level);
  check_distinct(object.find("ceilings"), machine.ceilings, "id", &Ceiling::id);
}

}  // namespace ridge::serialize
