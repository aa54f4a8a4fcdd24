#include "measure/profile/line_sample.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/quantity/percent.hpp"
#include "measure/profile/region_traffic.hpp"

namespace ridge::measure {
namespace {

/// Standard error that random misses may leave in a region's traffic at a boundary.
constexpr double kChanceMost = 0.01;
/// Less of a region's traffic than this goes without a remark, except at an edge.
constexpr double kBoundaryMatters = 0.01;
constexpr double kLineBytes = RIDGE_TRACE_LINE_BYTES;
/// With fewer the pilot gives no verdict: 32 in each class (cachesim/pilot.c).
constexpr double kLinesToJudge = 32 * static_cast<int>(RIDGE_LINE_CLASSES);
constexpr std::uint64_t kClassesLeast = 16;

/// One class of each eight neighbours, all different mod 8, the first two mod 2 and the first four
/// mod 4: strides of two, four and eight lines hit as many of them as they should. Drawn once.
constexpr std::array<unsigned, 8> kPlaceInGroup{5, 2, 7, 0, 3, 6, 4, 1};

double bytes_at(const ridge_region_traffic& traffic, std::size_t boundary) {
  return static_cast<double>(traffic.crossed[boundary].read) +
         static_cast<double>(traffic.crossed[boundary].written);
}

/// Classes are chosen as if the lines that miss were thrown at random: the standard error of their
/// number, as a part of the region's traffic.
double chance_error(const SimulatedTraffic& process, std::size_t region, std::size_t boundary) {
  const double weight = static_cast<double>(process.sample_weight);
  const double sampled = bytes_at(process.sampled[region], boundary);
  const double all = bytes_at(process.traffic[region], boundary) + weight * sampled;
  return all > 0.0 ? std::sqrt(weight * (weight - 1.0) * sampled * kLineBytes) / all : 0.0;
}

/// Lines of the region that the pilot saw cross the boundary.
double lines_seen(const SimulatedTraffic& process, std::size_t region, std::size_t boundary) {
  const auto& lines = process.pilot[region].levels[boundary].lines;
  return std::accumulate(std::begin(lines), std::end(lines), 0.0);
}

bool is_even(const SimulatedTraffic& process, std::size_t region, std::size_t boundary) {
  return process.pilot[region].levels[boundary].verdict == RIDGE_PILOT_EVEN;
}

/// Accesses since sampling began for each one in a window that counted lines at the boundary; of
/// the whole process where the region's own are not known.
double accesses_per_piloted(const SimulatedTraffic& process, std::size_t region,
                            std::size_t boundary) {
  const auto ratio = [](std::uint64_t sampled, std::uint64_t piloted) {
    return piloted > 0 ? static_cast<double>(sampled) / static_cast<double>(piloted) : 0.0;
  };
  const ridge_region_pilot& own = process.pilot[region];
  if (own.levels[boundary].piloted_accesses > 0) {
    return ratio(own.sampled_accesses, own.levels[boundary].piloted_accesses);
  }
  std::uint64_t sampled = 0;
  std::uint64_t piloted = 0;
  for (const ridge_region_pilot& pilot : process.pilot) {
    sampled += pilot.sampled_accesses;
    piloted += pilot.levels[boundary].piloted_accesses;
  }
  return ratio(sampled, piloted);
}

/// Bytes of the region that sampled lines stand for at the boundary, at the least. What falls into
/// classes that are not sampled is seen by the pilot alone.
double sampled_bytes(const SimulatedTraffic& process, std::size_t region, std::size_t boundary) {
  const double told =
      static_cast<double>(process.sample_weight) * bytes_at(process.sampled[region], boundary);
  if (is_even(process, region, boundary)) {
    return told;
  }
  return std::max(told, kLineBytes * lines_seen(process, region, boundary) *
                            accesses_per_piloted(process, region, boundary));
}

/// Traffic with half of the last level, over that with all of it, from which on the data are about
/// as large as the level: a few lines more or less in a set then decide whether all of it misses,
/// and classes whose sets got fewer do not speak for the others. Of the boundaries only memory's
/// can be below what memory sees with half of the level.
constexpr double kEdge = 1.2;

double at_half(const ridge_region_traffic& traffic) {
  return static_cast<double>(traffic.memory_at_half.read) +
         static_cast<double>(traffic.memory_at_half.written);
}

bool at_an_edge(const SimulatedTraffic& process, std::size_t region, std::size_t boundary) {
  const ridge_region_traffic& sampled = process.sampled[region];
  return at_half(sampled) > kEdge * bytes_at(sampled, boundary);
}

/// That little reaches memory proves nothing at an edge: the few sets that miss may be in the other
/// classes. What half of the level lets through says how much it is about.
bool at_an_edge_of_much(const SimulatedTraffic& process, std::size_t region, double much) {
  return at_an_edge(process, region, process.memory_boundary) &&
         at_half(all_lines(process, region)) > much;
}

/// Whether the pilot can have shown nothing once the run has grown so much.
bool stays_unproven(const SimulatedTraffic& process, std::size_t region, std::size_t boundary,
                    double growth) {
  return process.pilot[region].levels[boundary].verdict == RIDGE_PILOT_UNPROVEN &&
         (growth <= 1.0 || growth * lines_seen(process, region, boundary) < kLinesToJudge);
}

/// At the end of a run that grows so much.
bool may_be_wrong(const SimulatedTraffic& process, std::size_t region, std::size_t boundary,
                  double growth) {
  return process.pilot[region].levels[boundary].verdict == RIDGE_PILOT_UNEVEN ||
         stays_unproven(process, region, boundary, growth) ||
         chance_error(process, region, boundary) > kChanceMost * std::sqrt(growth) ||
         at_an_edge(process, region, boundary);
}

void scale(ridge_bytes_crossed& bytes, std::uint64_t weight) {
  const auto times = [weight](std::uint64_t value) {
    std::uint64_t product = 0;
    return __builtin_mul_overflow(value, weight, &product) ? UINT64_MAX : product;
  };
  bytes = {times(bytes.read), times(bytes.written)};
}

/// Boundaries of a region where sampled lines do not stand for all, as sets of bits.
struct Doubts {
  unsigned uneven = 0;
  unsigned unproven = 0;  ///< too few lines, seen by the pilot or sampled
};

Doubts doubts_of(const SimulatedTraffic& process, std::size_t region, double much) {
  Doubts doubts;
  for (std::size_t boundary = 0; boundary <= process.memory_boundary; ++boundary) {
    // The first boundary is what the others are measured by: there any traffic matters.
    if (sampled_bytes(process, region, boundary) <= (boundary == 0 ? 0.0 : much)) {
      continue;
    }
    const unsigned bit = 1U << boundary;
    if (process.pilot[region].levels[boundary].verdict == RIDGE_PILOT_UNEVEN) {
      doubts.uneven |= bit;
    } else if (!is_even(process, region, boundary) ||
               chance_error(process, region, boundary) > kChanceMost) {
      doubts.unproven |= bit;
    }
  }
  return doubts;
}

/// "below cache level 2", "below cache levels 1 and 3".
std::string below_levels(unsigned boundaries) {
  std::vector<std::string> levels;
  for (std::size_t i = 0; i < RIDGE_CACHE_LEVELS_MAX; ++i) {
    if ((boundaries >> i & 1U) != 0) {
      levels.push_back(std::to_string(i + 1));
    }
  }
  return fmt::format("below cache level{} {}", levels.size() == 1 ? "" : "s",
                     fmt::join(levels, " and "));
}

Note uneven_note(const ridge_region_pilot& pilot, unsigned boundaries) {
  const ridge_pilot_level* worst = nullptr;
  for (std::size_t i = 0; i < RIDGE_CACHE_LEVELS_MAX; ++i) {
    const ridge_pilot_level& level = pilot.levels[i];
    if ((boundaries >> i & 1U) != 0 && (worst == nullptr || level.variation > worst->variation)) {
      worst = &level;
    }
  }
  return {
      "sampled-uneven",
      fmt::format("the traffic here varies by {} over the classes of lines (the class with most "
                  "has {:.2g} times the mean) {}, so what 8 of 64 classes say may be far off "
                  "there: --traffic=exact is right",
                  percent_text(worst->variation), worst->hottest, below_levels(boundaries))};
}

}  // namespace

std::optional<std::uint64_t> sample_mask(const ridge_cache_config& caches) {
  std::uint64_t classes = RIDGE_LINE_CLASSES;
  for (std::size_t i = 0; i < caches.level_count; ++i) {
    const ridge_cache_level& level = caches.levels[i];
    if (level.line_bytes != RIDGE_TRACE_LINE_BYTES || level.ways == 0) {
      return std::nullopt;
    }
    classes = std::gcd(classes, level.size_bytes / (std::uint64_t{level.ways} * level.line_bytes));
  }
  if (classes < kClassesLeast || caches.level_count == 0) {
    return std::nullopt;
  }
  // With fewer classes the choice repeats: a class then is several of the 64.
  std::uint64_t mask = 0;
  for (std::uint64_t group = 0; group < RIDGE_LINE_CLASSES / 8; ++group) {
    mask |= std::uint64_t{1} << (8 * group + kPlaceInGroup.at(group % (classes / 8)));
  }
  return mask;
}

ridge_region_traffic weighted(ridge_region_traffic sampled, std::uint64_t weight) {
  for (ridge_bytes_crossed& bytes : sampled.crossed) {
    scale(bytes, weight);
  }
  for (ridge_bytes_crossed* bytes :
       {&sampled.memory_at_half, &sampled.memory_at_quarter, &sampled.least}) {
    scale(*bytes, weight);
  }
  return sampled;
}

ridge_region_traffic all_lines(const SimulatedTraffic& process, std::size_t region) {
  ridge_region_traffic traffic = process.traffic.at(region);
  if (!process.sampled.empty()) {
    add_traffic(traffic, weighted(process.sampled.at(region), process.sample_weight));
  }
  return traffic;
}

bool is_sampled(const SimulatedTraffic& process, std::size_t region) {
  return region < process.sampled.size() &&
         (process.pilot[region].sampled_accesses != 0 ||
          std::any_of(
              std::begin(process.sampled[region].crossed),
              std::end(process.sampled[region].crossed),
              [](const auto& bytes) { return bytes.read != 0 || bytes.written != 0; }));
}

std::optional<Note> distrust(const SimulatedTraffic& process, std::size_t region) {
  if (!is_sampled(process, region)) {
    return std::nullopt;
  }
  const double much = kBoundaryMatters * bytes_at(all_lines(process, region), 0);
  const Doubts doubts = doubts_of(process, region, much);
  if (doubts.uneven != 0) {
    return uneven_note(process.pilot[region], doubts.uneven);
  }
  // The note on the edge is about memory only, so it does not stand for a doubt of other levels.
  const unsigned memory = 1U << process.memory_boundary;
  if ((doubts.unproven & ~memory) == 0 && at_an_edge_of_much(process, region, much)) {
    return Note{
        "sampled-edge",
        "the data here take half of the last cache or more, so a few lines more or less in a "
        "set may decide what reaches memory: memory traffic from 8 of 64 classes of lines may "
        "be off, --traffic=exact is right"};
  }
  if (doubts.unproven == 0) {
    return std::nullopt;
  }
  return Note{"sampled-unproven",
              fmt::format("too few lines moved here {} to show that 8 of 64 classes of lines speak "
                          "for all: traffic may be off there, --traffic=exact is right",
                          below_levels(doubts.unproven))};
}

std::optional<Note> sampling_note(const std::vector<const SimulatedTraffic*>& processes) {
  bool sampled = false;
  float most = 0.0;
  for (const SimulatedTraffic* one : processes) {
    const SimulatedTraffic& process = *one;
    for (std::size_t region = 0; region < process.sampled.size(); ++region) {
      if (!is_sampled(process, region)) {
        continue;
      }
      sampled = true;
      for (const ridge_pilot_level& level : process.pilot[region].levels) {
        most = level.verdict == RIDGE_PILOT_EVEN ? std::max(most, level.variation) : most;
      }
    }
  }
  if (!sampled) {
    return std::nullopt;
  }
  return Note{"traffic-sampled",
              fmt::format("traffic was sampled: 8 of 64 classes of lines, each for eight; in the "
                          "loops that are not marked the traffic of each level varies by at most "
                          "{} over the classes (--traffic=exact simulates all lines)",
                          percent_text(most))};
}

UntrustedShare untrusted_share(const std::vector<const SimulatedTraffic*>& processes,
                               double growth) {
  UntrustedShare worst;
  for (std::size_t boundary = 0; boundary < RIDGE_CACHE_LEVELS_MAX; ++boundary) {
    double all = 0.0;
    double untrusted = 0.0;
    for (const SimulatedTraffic* one : processes) {
      const SimulatedTraffic& process = *one;
      for (std::size_t region = 0; region < process.traffic.size(); ++region) {
        const double told = bytes_at(all_lines(process, region), boundary);
        all += told;
        if (is_sampled(process, region) && may_be_wrong(process, region, boundary, growth)) {
          const double sampled = sampled_bytes(process, region, boundary);
          untrusted += sampled;
          all += std::max(0.0, sampled - told);
        }
      }
    }
    if (all > 0.0 && untrusted / all > worst.share) {
      worst = {untrusted / all, boundary};
    }
  }
  return worst;
}

}  // namespace ridge::measure
