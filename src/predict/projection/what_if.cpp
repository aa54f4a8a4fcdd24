#include "predict/projection/what_if.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/core.h>

#include "predict/roof/ceilings.hpp"
#include "predict/roof/figure_choice.hpp"

namespace ridge::predict {
namespace {

struct Change {
  enum class Kind { factor, rate, size, number };
  std::string key;
  Kind kind = Kind::factor;
  double value = 1.0;  ///< factor, byte/s, byte or a plain number
};

struct Ending {
  std::string_view text;
  Change::Kind kind;
  double factor;
};
constexpr std::array kEndings{Ending{"x", Change::Kind::factor, 1.0},
                              Ending{"", Change::Kind::number, 1.0},
                              Ending{"B", Change::Kind::size, 1.0},
                              Ending{"K", Change::Kind::size, 1024.0},
                              Ending{"KiB", Change::Kind::size, 1024.0},
                              Ending{"M", Change::Kind::size, 1048576.0},
                              Ending{"MiB", Change::Kind::size, 1048576.0},
                              Ending{"G", Change::Kind::size, 1073741824.0},
                              Ending{"GiB", Change::Kind::size, 1073741824.0},
                              Ending{"MB/s", Change::Kind::rate, 1e6},
                              Ending{"GB/s", Change::Kind::rate, 1e9},
                              Ending{"TB/s", Change::Kind::rate, 1e12}};

Result<Change> parse_change(std::string_view text) {
  const auto wrong = [&] {
    return fail(ErrorCode::usage, fmt::format("--what-if: `{}` is no change", text.substr(0, 60)),
                "such as DRAM=2x, DRAM=400GB/s, L2=2M, cores=16, clock=1.2x, fp64=2x, PCIe=2x");
  };
  const auto sign = text.find('=');
  if (sign == std::string_view::npos || sign == 0) {
    return wrong();
  }
  const std::string_view number = text.substr(sign + 1);
  Change change;
  change.key = text.substr(0, sign);
  const char* first = number.data();
  const char* last = first + number.size();
  const auto [end, error] = std::from_chars(first, last, change.value);
  if (error != std::errc() || !std::isfinite(change.value) || change.value <= 0.0) {
    return wrong();
  }
  const std::string_view rest(end, static_cast<std::size_t>(last - end));
  const auto ending = std::find_if(kEndings.begin(), kEndings.end(),
                                   [&](const Ending& one) { return one.text == rest; });
  if (ending == kEndings.end()) {
    return wrong();
  }
  change.kind = ending->kind;
  change.value *= ending->factor;
  return change;
}

void scale(Figure& figure, double factor) {
  figure.value *= factor;
  figure.origin = Origin::assumed;
}

void scale(CeilingEstimate& value, double factor) {
  std::visit(
      [&](auto& estimate) {
        for (auto* part : {&estimate.median, &estimate.p90, &estimate.low, &estimate.high}) {
          *part = *part * factor;
        }
        estimate.origin = Origin::assumed;
      },
      value);
}

template <class Wanted>
void scale_ceilings(TargetMachine& target, CeilingKind kind, double factor, Wanted wanted) {
  if (!target.measured) {
    return;
  }
  for (Ceiling& ceiling : target.measured->ceilings) {
    if (ceiling.kind == kind && wanted(ceiling)) {
      scale(ceiling.value, factor);
      if (ceiling.traffic_value) {
        scale(*ceiling.traffic_value, factor);
      }
    }
  }
}

template <class Wanted>
bool scale_peaks(TargetMachine& target, double factor, Wanted wanted) {
  bool found = false;
  for (PublishedPeak& peak : target.figures.peaks) {
    if (wanted(peak.precision)) {
      scale(peak.figure, factor);
      found = true;
    }
  }
  scale_ceilings(target, CeilingKind::compute, factor, [&](const Ceiling& ceiling) {
    return ceiling.precision && wanted(*ceiling.precision);
  });
  return found;
}

bool scale_level(TargetMachine& target, std::optional<Level> level, double factor) {
  if (!level) {
    return false;
  }
  bool found = false;
  for (PublishedBandwidth& bandwidth : target.figures.bandwidths) {
    if (bandwidth.level == level) {
      scale(bandwidth.figure, factor);
      found = true;
    }
  }
  scale_ceilings(target, CeilingKind::bandwidth, factor,
                 [&](const Ceiling& ceiling) { return ceiling.level == level; });
  return found;
}

bool own_cache(const TargetMachine& target, Level level) {
  return std::any_of(target.figures.caches.begin(), target.figures.caches.end(),
                     [&](const PublishedCache& cache) {
                       return cache.level == level &&
                              (cache.per_core || level == Level::L1 || cache.shared_by_cores == 1U);
                     });
}

/// The same rate with another number of threads; its limit is of those that it was measured with.
Ceiling with_threads(Ceiling ceiling, unsigned threads) {
  ceiling.id = fmt::format("{}.t{}", ceiling.id.substr(0, ceiling.id.rfind(".t")), threads);
  ceiling.threads = threads;
  ceiling.limit.reset();
  ceiling.limit_fraction.reset();
  ceiling.flags.clear();
  return ceiling;
}

/// Ceilings of all threads become those of so many more: arithmetic and own caches faster, the rest
/// as it was. Ceilings of fewer threads stay; those of more than there are then go.
void scale_measured_cores(const TargetMachine& target, Machine& machine, double factor) {
  const std::vector<unsigned> threads = measured_threads(machine);
  if (threads.empty()) {
    return;
  }
  constexpr double kMost = 1e9;
  const auto there =
      static_cast<unsigned>(std::clamp(std::round(threads.back() * factor), 1.0, kMost));
  const bool measured = std::find(threads.begin(), threads.end(), there) != threads.end();
  std::vector<Ceiling> added;
  for (const Ceiling& ceiling : machine.ceilings) {
    if (ceiling.device || ceiling.threads != threads.back() || measured ||
        ceiling.kind == CeilingKind::latency) {
      continue;
    }
    Ceiling more = with_threads(ceiling, there);
    if (ceiling.kind == CeilingKind::compute ||
        (ceiling.level && own_cache(target, *ceiling.level))) {
      const double own = static_cast<double>(there) / threads.back();
      scale(more.value, own);
      if (more.traffic_value) {
        scale(*more.traffic_value, own);
      }
    }
    added.push_back(std::move(more));
  }
  machine.ceilings.insert(machine.ceilings.end(), added.begin(), added.end());
  std::erase_if(machine.ceilings,
                [&](const Ceiling& ceiling) { return !ceiling.device && ceiling.threads > there; });
}

/// What the cores draw together from caches of their own; what one draws alone stays.
void scale_own_caches(TargetMachine& target, double factor) {
  for (PublishedBandwidth& bandwidth : target.figures.bandwidths) {
    if (!bandwidth.cores && own_cache(target, bandwidth.level)) {
      scale(bandwidth.figure, factor);
    }
  }
}

void scale_cores(TargetMachine& target, double factor) {
  // Its ceilings are of numbers of threads, and one thread gets no faster by more cores.
  std::optional<Machine> measured = std::exchange(target.measured, std::nullopt);
  target.part_cores = target.part_cores.value_or(target.figures.cores->value);
  scale(*target.figures.cores, factor);
  scale_peaks(target, factor, [](std::string_view) { return true; });
  scale_own_caches(target, factor);
  target.measured = std::move(measured);
  if (target.measured) {
    scale_measured_cores(target, *target.measured, factor);
  }
}

void scale_clock(TargetMachine& target, double factor) {
  for (auto* clock : {&target.figures.clock, &target.figures.boost_clock}) {
    if (*clock) {
      scale(**clock, factor);
    }
  }
  scale_peaks(target, factor, [](std::string_view) { return true; });
  for (const Level level : {Level::L1, Level::L2, Level::L3}) {
    scale_level(target, level, factor);
  }
}

void note_factor(TargetMachine& target, const std::string& key, double factor) {
  const auto [entry, fresh] = target.factors.try_emplace(key, factor);
  entry->second *= fresh ? 1.0 : factor;
}

/// Bandwidth of a level: the best figure becomes the given one, the others in proportion.
bool set_rate(TargetMachine& target, const Change& change) {
  const auto level = parse_level(change.key);
  double best = 0.0;
  for (const PublishedBandwidth& bandwidth : target.figures.bandwidths) {
    best = bandwidth.level == level ? std::max(best, bandwidth.figure.value) : best;
  }
  if (best <= 0.0 || !scale_level(target, level, change.value / best)) {
    return false;
  }
  note_factor(target, change.key, change.value / best);
  // A rate that somebody gives is that of any mix, whatever the core can do.
  std::erase_if(target.figures.bandwidths, [&](const PublishedBandwidth& bandwidth) {
    return bandwidth.level == level && follows_from_core(bandwidth.figure) &&
           bandwidth.pattern == "store";
  });
  for (PublishedBandwidth& bandwidth : target.figures.bandwidths) {
    if (bandwidth.level == level && follows_from_core(bandwidth.figure)) {
      bandwidth.figure.source.reset();
    }
  }
  return true;
}

bool set_size(TargetMachine& target, const Change& change) {
  const auto level = parse_level(change.key);
  for (PublishedCache& cache : target.figures.caches) {
    if (cache.level == level) {
      cache.size.value = change.value;
      cache.size.origin = Origin::assumed;
      return true;
    }
  }
  return false;
}

bool scale_links(TargetMachine& target, const Change& change) {
  bool found = false;
  for (PublishedLink& link : target.figures.links) {
    if (link.name == change.key) {
      scale(link.figure, change.value);
      for (auto* reached : {&link.pinned, &link.pageable}) {
        if (*reached) {
          scale(**reached, change.value);
        }
      }
      found = true;
    }
  }
  return found;
}

bool scale_key(TargetMachine& target, const Change& change) {
  if (change.key == "cores" && target.figures.cores) {
    scale_cores(target, change.value);
    return true;
  }
  if (change.key == "clock") {
    scale_clock(target, change.value);
    return true;
  }
  const auto wanted = [&](std::string_view precision) {
    return change.key == "compute" || precision == change.key;
  };
  if (!scale_level(target, parse_level(change.key), change.value) && !scale_links(target, change) &&
      !scale_peaks(target, change.value, wanted)) {
    return false;
  }
  note_factor(target, change.key, change.value);
  return true;
}

bool apply(TargetMachine& target, const Change& change) {
  switch (change.kind) {
    case Change::Kind::factor:
      return scale_key(target, change);
    case Change::Kind::rate:
      return set_rate(target, change);
    case Change::Kind::size:
      return set_size(target, change);
    case Change::Kind::number:
      break;
  }
  if (change.key != "cores" || !target.figures.cores) {
    return false;
  }
  scale_cores(target, change.value / target.figures.cores->value);
  return true;
}

/// Rates and sizes of anything that could be built, and of whatever is computed from them.
bool is_conceivable(const TargetMachine& target) {
  constexpr double kLeast = 1e-30;
  constexpr double kMost = 1e30;
  constexpr double kMostCores = 1e9;
  const auto fine = [](double value) { return value >= kLeast && value <= kMost; };
  const Specification& figures = target.figures;
  const auto all = [&](const auto& list) {
    return std::all_of(list.begin(), list.end(),
                       [&](const auto& each) { return fine(each.figure.value); });
  };
  const auto fine_clock = [&](const std::optional<Figure>& clock) {
    return !clock || fine(clock->value);
  };
  return all(figures.peaks) && all(figures.bandwidths) && all(figures.links) &&
         (!figures.cores || (figures.cores->value >= 1.0 && figures.cores->value <= kMostCores)) &&
         fine_clock(figures.clock) && fine_clock(figures.boost_clock);
}

}  // namespace

std::optional<std::string> resized_cache(std::string_view text) {
  const auto change = parse_change(text);
  return change && change->kind == Change::Kind::size ? std::optional(change->key) : std::nullopt;
}

std::vector<std::string> what_if_keys(const TargetMachine& target) {
  std::vector<std::string> keys{"clock", "compute"};
  const auto add = [&](std::string_view key) {
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
      keys.emplace_back(key);
    }
  };
  if (target.figures.cores) {
    add("cores");
  }
  for (const PublishedBandwidth& bandwidth : target.figures.bandwidths) {
    add(to_string(bandwidth.level));
  }
  for (const PublishedCache& cache : target.figures.caches) {
    add(to_string(cache.level));
  }
  for (const PublishedPeak& peak : target.figures.peaks) {
    add(peak.precision);
  }
  for (const PublishedLink& link : target.figures.links) {
    add(link.name);
  }
  return keys;
}

Result<void> apply_what_if(TargetMachine& target, std::string_view text) {
  const auto change = parse_change(text);
  if (!change) {
    return tl::make_unexpected(change.error());
  }
  if (!apply(target, *change)) {
    const auto keys = what_if_keys(target);
    const bool known = std::find(keys.begin(), keys.end(), change->key) != keys.end();
    return fail(known ? ErrorCode::usage : ErrorCode::bad_input,
                known ? fmt::format("--what-if: {} of {} cannot be changed like this: `{}`",
                                    change->key, target.figures.key, text.substr(0, 60))
                      : fmt::format("--what-if: {} has no `{}`", target.figures.key, change->key),
                known
                    ? "2x for a rate, 400GB/s for a bandwidth, 2M for the size of a cache, 16 for "
                      "cores"
                    : "");
  }
  if (!is_conceivable(target)) {
    return fail(ErrorCode::usage,
                fmt::format("--what-if: `{}` leaves no figure that can be computed with",
                            text.substr(0, 60)),
                "rates stay between 1e-30 and 1e30, cores between 1 and 1e9");
  }
  target.changes.emplace_back(text);
  return {};
}

}  // namespace ridge::predict
