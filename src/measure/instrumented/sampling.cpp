#include "measure/instrumented/sampling.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "measure/instrumented/traffic.hpp"

namespace ridge::measure {
namespace {

/// Standard error that random misses may leave in a region's traffic at a boundary.
constexpr double kChanceMost = 0.01;
/// Less of a region's traffic than this goes without a remark, except at an edge.
constexpr double kBoundaryMatters = 0.01;
constexpr double kLineBytes = RIDGE_TRACE_LINE_BYTES;
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
double chance_error(const RawProcess& process, std::size_t region, std::size_t boundary) {
  const double weight = static_cast<double>(process.sample_weight);
  const double sampled = bytes_at(process.sampled[region], boundary);
  const double all = bytes_at(process.traffic[region], boundary) + weight * sampled;
  return all > 0.0 ? std::sqrt(weight * (weight - 1.0) * sampled * kLineBytes) / all : 0.0;
}

double misses_seen(const ridge_region_pilot& pilot) {
  return std::accumulate(std::begin(pilot.misses), std::end(pilot.misses), 0.0);
}

/// Accesses since sampling began for each one in a window; of the whole process where the region's
/// own are not known.
double accesses_per_piloted(const RawProcess& process, std::size_t region) {
  const auto ratio = [](std::uint64_t sampled, std::uint64_t piloted) {
    return piloted > 0 ? static_cast<double>(sampled) / static_cast<double>(piloted) : 0.0;
  };
  const ridge_region_pilot& own = process.pilot[region];
  if (own.piloted_accesses > 0) {
    return ratio(own.sampled_accesses, own.piloted_accesses);
  }
  std::uint64_t sampled = 0;
  std::uint64_t piloted = 0;
  for (const ridge_region_pilot& pilot : process.pilot) {
    sampled += pilot.sampled_accesses;
    piloted += pilot.piloted_accesses;
  }
  return ratio(sampled, piloted);
}

/// Bytes of the region that sampled lines stand for at the boundary, at the least. What falls into
/// classes that are not sampled is seen by the pilot alone, and there at the first boundary.
double sampled_bytes(const RawProcess& process, std::size_t region, std::size_t boundary) {
  const double weight = static_cast<double>(process.sample_weight);
  const double told = weight * bytes_at(process.sampled[region], boundary);
  if (process.pilot[region].verdict == RIDGE_PILOT_EVEN) {
    return told;
  }
  const double piloted =
      kLineBytes * misses_seen(process.pilot[region]) * accesses_per_piloted(process, region);
  const double first = bytes_at(process.traffic[region], 0) + bytes_at(process.sampled[region], 0);
  const double here =
      bytes_at(process.traffic[region], boundary) + bytes_at(process.sampled[region], boundary);
  return std::max(told, first > 0.0 ? piloted * std::min(1.0, here / first) : piloted);
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

bool at_an_edge(const RawProcess& process, std::size_t region, std::size_t boundary) {
  const ridge_region_traffic& sampled = process.sampled[region];
  return at_half(sampled) > kEdge * bytes_at(sampled, boundary);
}

/// That little reaches memory proves nothing at an edge: the few sets that miss may be in the other
/// classes. What half of the level lets through says how much it is about.
bool at_an_edge_of_much(const RawProcess& process, std::size_t region, double much) {
  return at_an_edge(process, region, process.memory_boundary) &&
         at_half(all_lines(process, region)) > much;
}

bool may_be_wrong(const RawProcess& process, std::size_t region, std::size_t boundary) {
  return process.pilot[region].verdict != RIDGE_PILOT_EVEN ||
         chance_error(process, region, boundary) > kChanceMost ||
         at_an_edge(process, region, boundary);
}

void scale(ridge_bytes_crossed& bytes, std::uint64_t weight) {
  const auto times = [weight](std::uint64_t value) {
    std::uint64_t product = 0;
    return __builtin_mul_overflow(value, weight, &product) ? UINT64_MAX : product;
  };
  bytes = {times(bytes.read), times(bytes.written)};
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

ridge_region_traffic all_lines(const RawProcess& process, std::size_t region) {
  ridge_region_traffic traffic = process.traffic.at(region);
  if (process.sampled.empty()) {
    return traffic;
  }
  ridge_region_traffic sampled = process.sampled.at(region);
  for (ridge_bytes_crossed& bytes : sampled.crossed) {
    scale(bytes, process.sample_weight);
  }
  for (ridge_bytes_crossed* bytes :
       {&sampled.memory_at_half, &sampled.memory_at_quarter, &sampled.least}) {
    scale(*bytes, process.sample_weight);
  }
  add_traffic(traffic, sampled);
  return traffic;
}

bool is_sampled(const RawProcess& process, std::size_t region) {
  return region < process.sampled.size() &&
         (process.pilot[region].sampled_accesses != 0 ||
          std::any_of(
              std::begin(process.sampled[region].crossed),
              std::end(process.sampled[region].crossed),
              [](const auto& bytes) { return bytes.read != 0 || bytes.written != 0; }));
}

std::optional<Note> distrust(const RawProcess& process, std::size_t region) {
  if (!is_sampled(process, region)) {
    return std::nullopt;
  }
  const ridge_region_pilot& pilot = process.pilot[region];
  if (pilot.verdict == RIDGE_PILOT_UNEVEN) {
    return Note{"sampled-uneven",
                fmt::format("the misses here vary by {:.2g} % over the classes of lines (the class "
                            "with most has {:.2g} times the mean), so traffic from 8 of 64 classes "
                            "may be far off: --traffic=exact is right",
                            100.0 * pilot.variation, pilot.hottest)};
  }
  const ridge_region_traffic traffic = all_lines(process, region);
  const double much = kBoundaryMatters * bytes_at(traffic, 0);
  bool by_chance = false;
  bool at_memory_alone = true;
  for (std::size_t boundary = 0; boundary < RIDGE_CACHE_LEVELS_MAX; ++boundary) {
    if (bytes_at(traffic, boundary) > much &&
        chance_error(process, region, boundary) > kChanceMost) {
      by_chance = true;
      at_memory_alone = at_memory_alone && boundary == process.memory_boundary;
    }
  }
  // The note on the edge is about memory only, so it does not stand for a doubt of other levels.
  if (pilot.verdict == RIDGE_PILOT_EVEN && at_memory_alone &&
      at_an_edge_of_much(process, region, much)) {
    return Note{
        "sampled-edge",
        "the data here take half of the last cache or more, so a few lines more or less in a "
        "set may decide what reaches memory: memory traffic from 8 of 64 classes of lines may "
        "be off, --traffic=exact is right"};
  }
  if ((pilot.verdict == RIDGE_PILOT_EVEN && !by_chance) ||
      (bytes_at(process.sampled[region], 0) == 0.0 && misses_seen(pilot) == 0.0)) {
    return std::nullopt;
  }
  return Note{"sampled-unproven",
              "too few lines moved here to show that 8 of 64 classes of lines speak for all: "
              "traffic may be off, --traffic=exact is right"};
}

std::optional<Note> sampling_note(const DecodedArena& arena) {
  bool sampled = false;
  float most = 0.0;
  for (const RawProcess& process : arena.processes) {
    for (std::size_t region = 0; region < process.sampled.size(); ++region) {
      if (is_sampled(process, region)) {
        sampled = true;
        const ridge_region_pilot& pilot = process.pilot[region];
        most = pilot.verdict == RIDGE_PILOT_EVEN ? std::max(most, pilot.variation) : most;
      }
    }
  }
  if (!sampled) {
    return std::nullopt;
  }
  return Note{"traffic-sampled",
              fmt::format("traffic was sampled: 8 of 64 classes of lines, each for eight; in the "
                          "loops that are not marked the misses vary by at most {:.2g} % over the "
                          "classes (--traffic=exact simulates all lines)",
                          100.0 * most)};
}

UntrustedShare untrusted_share(const DecodedArena& arena) {
  UntrustedShare worst;
  for (std::size_t boundary = 0; boundary < RIDGE_CACHE_LEVELS_MAX; ++boundary) {
    double all = 0.0;
    double untrusted = 0.0;
    for (const RawProcess& process : arena.processes) {
      for (std::size_t region = 0; region < process.traffic.size(); ++region) {
        const double told = bytes_at(all_lines(process, region), boundary);
        all += told;
        if (is_sampled(process, region) && may_be_wrong(process, region, boundary)) {
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
