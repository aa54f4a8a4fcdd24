#include "predict/projection/cache_rates.hpp"

#include <algorithm>
#include <string>

#include <fmt/core.h>

#include "predict/projection/published_ceilings.hpp"
#include "predict/roof/cache_geometry.hpp"
#include "predict/roof/figure_choice.hpp"

namespace ridge::predict {
namespace {

void take_highest(std::optional<double>& rate, const std::optional<double>& other) {
  if (other && *other > rate.value_or(0.0)) {
    rate = other;
  }
}

bool has_own_figure(const Specification& figures, Level level) {
  return std::any_of(figures.bandwidths.begin(), figures.bandwidths.end(),
                     [&](const PublishedBandwidth& bandwidth) {
                       return bandwidth.level == level && !bandwidth.cores &&
                              bandwidth.basis != Basis::achieved;
                     });
}

}  // namespace

CoreRates core_rates(const Microarchitecture& core, Level level) {
  CoreRates rates;
  if (level == Level::L1) {
    for (const auto& isa : core.isas) {
      take_highest(rates.read, isa.load_bytes_per_cycle);
      take_highest(rates.written, isa.store_bytes_per_cycle);
    }
    return rates;
  }
  for (const auto& limit : core.levels) {
    if (limit.level == level) {
      rates = {limit.read_bytes_per_cycle, limit.write_bytes_per_cycle};
    }
  }
  return rates;
}

void add_cache_rates(TargetMachine& target) {
  Specification& figures = target.figures;
  const auto clock = published_clock(figures, cores_of(figures));
  if (!target.microarchitecture || target.measured || figures.kind != MachineKind::cpu || !clock) {
    return;
  }
  const double cycles = *clock * figures.cores->value;
  for (const Level level : kCacheLevels) {
    const PublishedCache* cache = cache_named(target, level);
    const CoreRates rates = core_rates(*target.microarchitecture, level);
    if (cache == nullptr || !is_of_a_core(target, *cache) || has_own_figure(figures, level) ||
        !rates.read || *rates.read <= 0.0) {
      continue;
    }
    const auto add = [&](const char* pattern, const std::optional<double>& per_cycle) {
      if (per_cycle && *per_cycle > 0.0) {
        figures.bandwidths.push_back(
            {level,
             Basis::theoretical,
             pattern,
             {*per_cycle * cycles, Origin::modelled, std::string(kCoreSource), true},
             std::nullopt});
      }
    };
    add("load", rates.read);
    add("store", rates.written);
    figures.sources.try_emplace(
        std::string(kCoreSource),
        fmt::format("{}: byte per cycle x base clock x cores", target.microarchitecture->name));
  }
}

}  // namespace ridge::predict
