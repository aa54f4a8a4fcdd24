// The bandwidth part of the roof rule (docs/theory/roofline.md, section 3).
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include <fmt/core.h>

#include "core/quantity/words.hpp"
#include "predict/roof/ceilings.hpp"
#include "predict/roof/limits.hpp"

namespace ridge::predict {
namespace {

/// Of the bytes that a kernel asks for, the share that it writes.
struct AskedMix {
  Pattern pattern;
  double asked_written;
};
constexpr std::array<AskedMix, 3> kAskedMixes{
    {{Pattern::load, 0.0}, {Pattern::copy, 0.5}, {Pattern::store, 1.0}}};

/// A measured mix of reads and writes across one boundary.
struct MixPoint {
  double written_share = 0.0;
  double seconds_per_byte = 0.0;
  std::string_view id;  ///< of its ceiling, which the machine holds
};

/// Bytes across the boundary per byte asked for, write-allocate included (at most one byte read for
/// each byte stored; victims are counted on neither side). nullopt: unknown for this ceiling.
std::optional<double> traffic_ratio(const Ceiling& ceiling, const AskedMix& mix) {
  if (!ceiling.traffic_value) {
    return mix.asked_written > 0.0 ? std::nullopt : std::optional(1.0);
  }
  const double ratio = p90_of(*ceiling.traffic_value) / p90_of(ceiling.value);
  if (!std::isfinite(ratio) || ratio <= 0.0) {
    return std::nullopt;
  }
  return std::clamp(ratio, 1.0, 1.0 + mix.asked_written);
}

/// Of a level where nothing else was measured, as in files of ERT: an update reads the lines that
/// it writes, so half of what it asks for is written and allocation adds nothing.
std::optional<MixPoint> update_point(const CeilingIndex& ceilings, Level level, unsigned threads,
                                     std::vector<Note>& notes) {
  const Ceiling* ceiling =
      find_bandwidth(ceilings, {level, Pattern::update, kWidestIsa, threads}).ceiling;
  if (ceiling == nullptr) {
    return std::nullopt;
  }
  add_note(notes, "nearest-ceiling",
           fmt::format("no {} bandwidth of loads, copies or stores; {} stands in for them",
                       to_string(level), ceiling->id));
  return MixPoint{0.5, 1.0 / p90_of(ceiling->value), ceiling->id};
}

/// The measured mixes of a level, ascending in written share; of equal shares the faster one.
std::vector<MixPoint> mix_points(const CeilingIndex& ceilings, Level level, unsigned threads,
                                 std::vector<Note>& notes) {
  constexpr double kSameShare = 1e-3;
  std::vector<MixPoint> points;
  for (const AskedMix& mix : kAskedMixes) {
    // Beyond L1 the rate hardly depends on the instruction set: the widest measured speaks for all.
    const Ceiling* ceiling =
        find_bandwidth(ceilings, {level, mix.pattern, kWidestIsa, threads}).ceiling;
    if (ceiling == nullptr) {
      continue;
    }
    const auto ratio = traffic_ratio(*ceiling, mix);
    if (!ratio) {
      add_note(
          notes, "no-ceiling",
          fmt::format("the write-allocate traffic of {} is unknown: it is left out", ceiling->id));
      continue;
    }
    if (ceiling->threads != threads) {
      add_note(notes, "nearest-ceiling",
               fmt::format("no {} {} bandwidth with {}; {} stands in for it", to_string(level),
                           to_string(mix.pattern), counted(threads, "thread"), ceiling->id));
    }
    points.push_back(
        {mix.asked_written / *ratio, 1.0 / (p90_of(ceiling->value) * *ratio), ceiling->id});
  }
  if (points.empty()) {
    if (auto update = update_point(ceilings, level, threads, notes)) {
      points.push_back(*update);
    }
  }
  std::stable_sort(points.begin(), points.end(), [](const MixPoint& a, const MixPoint& b) {
    return a.written_share < b.written_share;
  });
  std::vector<MixPoint> merged;
  for (const MixPoint& point : points) {
    if (merged.empty() || point.written_share - merged.back().written_share > kSameShare) {
      merged.push_back(point);
    } else if (point.seconds_per_byte < merged.back().seconds_per_byte) {
      merged.back() = point;
    }
  }
  return merged;
}

/// Piecewise linear in the written share, constant beyond the outermost points.
double seconds_per_byte(const std::vector<MixPoint>& points, double share) {
  const auto upper = std::find_if(points.begin(), points.end(), [&](const MixPoint& point) {
    return point.written_share >= share;
  });
  if (upper == points.begin()) {
    return points.front().seconds_per_byte;
  }
  if (upper == points.end()) {
    return points.back().seconds_per_byte;
  }
  const MixPoint& low = *(upper - 1);
  const double position = (share - low.written_share) / (upper->written_share - low.written_share);
  return low.seconds_per_byte + position * (upper->seconds_per_byte - low.seconds_per_byte);
}

/// Largest part of the traffic that has exactly the mix of `point`, in bytes.
double part_of_mix(double read, double written, const MixPoint& point) {
  const double share = point.written_share;
  const double by_read = share < 1.0 ? read / (1.0 - share) : HUGE_VAL;
  const double by_written = share > 0.0 ? written / share : HUGE_VAL;
  return std::min(by_read, by_written);
}

const MixPoint& nearest_point(const std::vector<MixPoint>& points, double share) {
  return *std::min_element(points.begin(), points.end(), [&](const auto& a, const auto& b) {
    return std::abs(a.written_share - share) < std::abs(b.written_share - share);
  });
}

}  // namespace

Traffic l1_bytes(const Region& region) {
  if (bytes_accessed(region).value_or(0) == 0) {
    const auto found = region.traffic.find(Level::L1);
    return found == region.traffic.end() ? Traffic{} : found->second;
  }
  return {*region.bytes_loaded, *region.bytes_stored};
}

Traffic boundary_traffic(const Region& region, Level level, const Machine& machine) {
  const auto traffic_at = [&](Level at) {
    const auto found = region.traffic.find(at);
    return found == region.traffic.end() ? Traffic{} : found->second;
  };
  Traffic traffic = traffic_at(level);
  const auto cache = std::find_if(machine.caches.begin(), machine.caches.end(),
                                  [&](const Cache& candidate) { return candidate.level == level; });
  if (cache != machine.caches.end() && cache != machine.caches.begin() &&
      cache->policy == CachePolicy::victim) {
    traffic.written = std::min(traffic.written, traffic_at(std::prev(cache)->level).written);
  }
  return traffic;
}

std::optional<Limit> l1_limit(Traffic bytes, const CeilingIndex& ceilings, Isa isa,
                              unsigned threads, std::vector<Note>& notes) {
  const double loaded = static_cast<double>(bytes.read);
  const double stored = static_cast<double>(bytes.written);
  if (loaded + stored <= 0.0) {
    return std::nullopt;
  }
  const auto find = [&](Pattern pattern) {
    return find_bandwidth(ceilings, {Level::L1, pattern, isa, threads}).ceiling;
  };
  Limit limit{Level::L1, {}, 0.0};
  const auto consider = [&](double amount, const Ceiling* ceiling) {
    if (ceiling == nullptr) {
      return;
    }
    const double seconds = amount / p90_of(ceiling->value);
    if (seconds > limit.seconds) {
      limit.seconds = seconds;
      limit.ceiling = ceiling->id;
    }
  };
  const Ceiling* mixed = nullptr;
  for (const Pattern pattern :
       {Pattern::load, Pattern::two_load_one_store, Pattern::triad, Pattern::copy}) {
    const Ceiling* ceiling = find(pattern);
    if (ceiling != nullptr && (mixed == nullptr || p90_of(ceiling->value) > p90_of(mixed->value))) {
      mixed = ceiling;
    }
  }
  consider(loaded, find(Pattern::load));
  consider(stored, find(Pattern::store));
  consider(loaded + stored, mixed);
  if (limit.seconds <= 0.0) {
    add_note(notes, "no-ceiling", "no L1 bandwidth was measured: L1 does not bind here");
    return std::nullopt;
  }
  return limit;
}

std::optional<Limit> boundary_limit(Traffic traffic, Level level, const CeilingIndex& ceilings,
                                    unsigned threads, std::vector<Note>& notes) {
  const double read = static_cast<double>(traffic.read);
  const double written = static_cast<double>(traffic.written);
  const double all = read + written;
  if (all <= 0.0) {
    return std::nullopt;
  }
  const std::vector<MixPoint> points = mix_points(ceilings, level, threads, notes);
  if (points.empty()) {
    add_note(
        notes, "no-ceiling",
        fmt::format("no {0} bandwidth was measured: {0} does not bind here", to_string(level)));
    return std::nullopt;
  }
  const double share = written / all;
  double seconds = all * seconds_per_byte(points, share);
  // Less traffic must never take longer: a region is no faster than any part of it that has one of
  // the measured mixes. This only matters where noise bends the interpolation the wrong way.
  for (const MixPoint& point : points) {
    seconds = std::max(seconds, part_of_mix(read, written, point) * point.seconds_per_byte);
  }
  return Limit{level, std::string(nearest_point(points, share).id), seconds};
}

}  // namespace ridge::predict
