#include "predict/projection/what_if.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <variant>

#include <fmt/core.h>

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

bool scale_level(TargetMachine& target, std::string_view level, double factor) {
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

bool own_cache(const TargetMachine& target, std::string_view level) {
  return std::any_of(target.figures.caches.begin(), target.figures.caches.end(),
                     [&](const PublishedCache& cache) {
                       return cache.level == level && (cache.per_core || level == "L1");
                     });
}

void scale_cores(TargetMachine& target, double factor) {
  scale(*target.figures.cores, factor);
  scale_peaks(target, factor, [](std::string_view) { return true; });
  for (const std::string_view level : {"L1", "L2", "L3"}) {
    if (own_cache(target, level)) {
      scale_level(target, level, factor);
    }
  }
}

void scale_clock(TargetMachine& target, double factor) {
  for (auto* clock : {&target.figures.clock, &target.figures.boost_clock}) {
    if (*clock) {
      scale(**clock, factor);
    }
  }
  scale_peaks(target, factor, [](std::string_view) { return true; });
  for (const std::string_view level : {"L1", "L2", "L3"}) {
    scale_level(target, level, factor);
  }
}

void note_factor(TargetMachine& target, const std::string& key, double factor) {
  const auto [entry, fresh] = target.factors.try_emplace(key, factor);
  entry->second *= fresh ? 1.0 : factor;
}

/// Bandwidth of a level: the best figure becomes the given one, the others in proportion.
bool set_rate(TargetMachine& target, const Change& change) {
  double best = 0.0;
  for (const PublishedBandwidth& bandwidth : target.figures.bandwidths) {
    best = bandwidth.level == change.key ? std::max(best, bandwidth.figure.value) : best;
  }
  if (best <= 0.0 || !scale_level(target, change.key, change.value / best)) {
    return false;
  }
  note_factor(target, change.key, change.value / best);
  return true;
}

bool set_size(TargetMachine& target, const Change& change) {
  for (PublishedCache& cache : target.figures.caches) {
    if (cache.level == change.key) {
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
  if (!scale_level(target, change.key, change.value) && !scale_links(target, change) &&
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

}  // namespace

std::optional<std::string> resized_cache(std::string_view text) {
  const auto change = parse_change(text);
  return change && change->kind == Change::Kind::size ? std::optional(change->key) : std::nullopt;
}

std::vector<std::string> what_if_keys(const TargetMachine& target) {
  std::vector<std::string> keys{"clock", "compute"};
  const auto add = [&](const std::string& key) {
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
      keys.push_back(key);
    }
  };
  if (target.figures.cores) {
    add("cores");
  }
  for (const PublishedBandwidth& bandwidth : target.figures.bandwidths) {
    add(bandwidth.level);
  }
  for (const PublishedCache& cache : target.figures.caches) {
    add(cache.level);
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
  target.changes.emplace_back(text);
  return {};
}

}  // namespace ridge::predict
