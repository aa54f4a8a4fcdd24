#include "serialize/described/specification_rules.hpp"

#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/core.h>

namespace ridge::serialize {
namespace {

/// Data sheets round to two or three digits, and clocks too.
constexpr double kRounding = 0.02;
/// A sustained value may pass a theoretical one by as much as clocks and rounding explain.
constexpr double kAboveTheory = 0.03;

struct Plausible {
  std::string_view unit;
  double least;  ///< less was given in another unit
};
constexpr std::array kPlausible{Plausible{"flop/s", 1e8}, Plausible{"op/s", 1e8},
                                Plausible{"byte/s", 1e8}, Plausible{"Hz", 1e7}};

/// Of a latency, s.
constexpr double kLongest = 1e-2;

struct Prefix {
  char symbol;
  double factor;
};
constexpr std::array kPrefixes{Prefix{'k', 1e3}, Prefix{'M', 1e6}, Prefix{'G', 1e9},
                               Prefix{'T', 1e12}, Prefix{'P', 1e15}};

/// "3350 GB/s" -> 3.35e12; nullopt for anything that is no prefix of the unit.
std::optional<double> factor_of(std::string_view spelt, std::string_view unit) {
  for (const Prefix prefix : kPrefixes) {
    if (spelt.empty() || spelt.front() != prefix.symbol) {
      continue;
    }
    const std::string_view rest = spelt.substr(1);
    const bool bytes = unit == "byte/s" && (rest == "B/s" || rest == "byte/s");
    const bool flops = unit == "flop/s" && (rest == "FLOP/s" || rest == "Flop/s" ||
                                            rest == "flop/s" || rest == "FLOPS");
    if (bytes || flops || rest == unit) {
      return prefix.factor;
    }
  }
  return std::nullopt;
}

/// Of every figure at or below `value`: an object that says a value, its unit and a source.
void check_sources(const Reader& value, const std::map<std::string, std::string>& sources) {
  if (value.kind() == JsonKind::array) {
    for (const Reader& item : value.items()) {
      check_sources(item, sources);
    }
  }
  if (value.kind() != JsonKind::object) {
    return;
  }
  const Reader source = value.find("source");
  if (!source.absent() && !value.find("value").absent() && !value.find("unit").absent() &&
      sources.count(source.text()) == 0) {
    source.fail("is not listed under \"sources\"");
  }
  for (const auto& [key, member] : value.members()) {
    if (key != "sources") {
      check_sources(member, sources);
    }
  }
}

void check_distinct(const Reader& array, std::string_view key) {
  std::set<std::string> seen;
  for (const Reader& item : array.absent() ? std::vector<Reader>{} : array.items()) {
    if (!seen.insert(item.at(key).text()).second) {
      item.at(key).fail("stands there twice");
    }
  }
}

void check_peak_against_clock(const Reader& array, const Specification& machine) {
  if (!machine.cores || !machine.fp64_flops_per_cycle_and_core ||
      (!machine.clock && !machine.boost_clock)) {
    return;
  }
  const std::vector<Reader> items = array.items();
  for (std::size_t i = 0; i < machine.peaks.size() && i < items.size(); ++i) {
    const PublishedPeak& peak = machine.peaks[i];
    if (peak.precision != "fp64" || peak.pipes != Pipes::vector ||
        peak.basis != Basis::theoretical) {
      continue;
    }
    const double per_cycle = machine.cores->value * machine.fp64_flops_per_cycle_and_core->value;
    bool agrees = false;
    for (const auto& clock : {machine.clock, machine.boost_clock}) {
      agrees = agrees || (clock && std::abs(peak.figure.value / (per_cycle * clock->value) - 1.0) <
                                       kRounding);
    }
    if (!agrees) {
      const auto& clock = machine.clock ? machine.clock : machine.boost_clock;
      items[i].find("value").fail(fmt::format(
          "is {:.4g}, but {:g} cores x {:g} flop/cycle x {:g} Hz is {:.4g}", peak.figure.value,
          machine.cores->value, machine.fp64_flops_per_cycle_and_core->value, clock->value,
          per_cycle * clock->value));
    }
  }
}

/// The highest theoretical value of the same kind, or nothing.
template <class Published, class Same>
void check_sustained(const Reader& array, const std::vector<Published>& all, Same same) {
  const std::vector<Reader> items = array.items();
  for (std::size_t i = 0; i < all.size() && i < items.size(); ++i) {
    if (all[i].basis == Basis::theoretical) {
      continue;
    }
    double limit = 0.0;
    for (const Published& other : all) {
      if (other.basis == Basis::theoretical && same(other, all[i])) {
        limit = std::max(limit, other.figure.value);
      }
    }
    if (limit > 0.0 && all[i].figure.value > limit * (1.0 + kAboveTheory)) {
      items[i].find("value").fail(fmt::format("is {:.4g} {}, above the theoretical {:.4g}",
                                              all[i].figure.value, to_string(all[i].basis), limit));
    }
  }
}

/// Of a group of cores: no larger than the part.
template <class Published>
void check_group(const Reader& array, const std::vector<Published>& all, std::string_view key,
                 std::optional<unsigned> Published::* group, const Specification& machine) {
  const std::vector<Reader> items = array.absent() ? std::vector<Reader>{} : array.items();
  for (std::size_t i = 0; i < all.size() && i < items.size(); ++i) {
    const std::optional<unsigned>& cores = all[i].*group;
    if (machine.cores && cores && *cores > machine.cores->value) {
      items[i].find(key).fail(
          fmt::format("is {}, but the part has {:g} cores", *cores, machine.cores->value));
    }
  }
}

void check_precisions(const Reader& array, const Specification& machine) {
  const PublishedPeak* fp64 = highest_peak(machine, "fp64", Pipes::vector, Basis::theoretical);
  const PublishedPeak* fp32 = highest_peak(machine, "fp32", Pipes::vector, Basis::theoretical);
  if (fp64 != nullptr && fp32 != nullptr &&
      fp32->figure.value < fp64->figure.value * (1.0 - kRounding)) {
    array.fail(fmt::format("has fp32 at {:.4g}, below fp64 at {:.4g}", fp32->figure.value,
                           fp64->figure.value));
  }
}

}  // namespace

void Units<Figure>::check(const Reader& object, std::string_view key, const Figure& figure,
                          std::string_view unit) {
  const Reader spelt = object.at(key);
  const double value = figure.value;
  if (const std::string text = spelt.text(); text != unit) {
    const auto factor = factor_of(text, unit);
    spelt.fail(factor ? fmt::format("must be \"{}\": {:g} {} is {:g} {}", unit, value, text,
                                    value * *factor, unit)
                      : fmt::format("must be \"{}\"", unit));
    return;
  }
  if (unit == "s" && value > kLongest) {
    object.find("value").fail(
        fmt::format("is {:g} s: too long for any machine; was it given in ns?", value));
  }
  for (const Plausible& plausible : kPlausible) {
    if (plausible.unit == unit && value < plausible.least) {
      object.find("value").fail(fmt::format(
          "is {:g} {}: too little for any machine; was it given in G{}?", value, unit, unit));
    }
  }
}

void Rules<PublishedEnergy>::check(const Reader& object, const PublishedEnergy& /*energy*/) {
  check_distinct(object.find("per_flop"), "precision");
  check_distinct(object.find("per_byte"), "level");
}

void Rules<Specification>::check(const Reader& root, const Specification& machine) {
  if (machine.peaks.empty()) {
    root.find("peaks").fail("must hold at least one peak");
  }
  if (!main_memory(machine)) {
    root.find("bandwidths")
        .fail(
            "must hold the bandwidth that all cores draw from a memory (DRAM, HBM, CXL or NVRAM), "
            "theoretical or sustained");
  }
  if (!machine.sources.empty()) {
    check_sources(root, machine.sources);
  }
  check_peak_against_clock(root.find("peaks"), machine);
  check_sustained(root.find("peaks"), machine.peaks,
                  [](const PublishedPeak& a, const PublishedPeak& b) {
                    return a.precision == b.precision && a.pipes == b.pipes;
                  });
  check_sustained(root.find("bandwidths"), machine.bandwidths,
                  [](const PublishedBandwidth& limit, const PublishedBandwidth& reached) {
                    return limit.level == reached.level &&
                           (!limit.cores || limit.cores == reached.cores);
                  });
  check_precisions(root.find("peaks"), machine);
  check_group(root.find("caches"), machine.caches, "shared_by_cores",
              &PublishedCache::shared_by_cores, machine);
  check_group(root.find("bandwidths"), machine.bandwidths, "cores", &PublishedBandwidth::cores,
              machine);
  check_distinct(root.find("latencies"), "level");
}

}  // namespace ridge::serialize
