#include "predict/roof/ceilings.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "core/value/widest_ceiling.hpp"
namespace ridge::predict {
namespace {

bool usable(const Ceiling& ceiling) {
  const double p90 = p90_of(ceiling.value);
  return !ceiling.device && ceiling.kind != CeilingKind::latency && std::isfinite(p90) && p90 > 0.0;
}

/// Equal counts first, then the next lower ones, then the next higher ones.
std::pair<int, unsigned> thread_distance(unsigned wanted, unsigned measured) {
  if (measured == wanted) {
    return {0, 0};
  }
  return measured < wanted ? std::pair{1, wanted - measured} : std::pair{2, measured - wanted};
}

/// -1 where the instruction set has no place in the order of widths.
int rank_or_none(Isa isa) {
  const auto rank = properties_of(isa).rank;
  return rank ? static_cast<int>(*rank) : -1;
}

/// (difference of ranks, negated rank): smaller is nearer. A ceiling that names no instruction set
/// stands for all of them.
std::pair<unsigned, int> isa_distance(Isa wanted, std::optional<Isa> isa) {
  constexpr unsigned kForeign = 100;
  if (!isa || *isa == wanted) {
    return {0, 0};
  }
  const auto distance = rank_distance(wanted, *isa);
  return distance ? std::pair{*distance, -rank_or_none(*isa)} : std::pair{kForeign, 0};
}

/// The nearest of all ceilings that `fits` accepts.
template <class Fits>
Match nearest(const Machine& machine, Isa isa, unsigned threads, const Fits& fits) {
  using Distance = std::tuple<std::pair<int, unsigned>, std::pair<unsigned, int>, std::string_view>;
  std::optional<Distance> best;
  Match match;
  for (const Ceiling& ceiling : machine.ceilings) {
    if (!usable(ceiling) || !fits(ceiling)) {
      continue;
    }
    const Distance distance{thread_distance(threads, ceiling.threads),
                            isa_distance(isa, ceiling.isa), ceiling.id};
    if (!best || distance < *best) {
      best = distance;
      const bool same_isa = std::get<1>(distance).first == 0;
      match = {&ceiling, same_isa, same_isa && ceiling.threads == threads};
    }
  }
  return match;
}

}  // namespace

Isa isa_of_width(Precision precision, unsigned width_bits) {
  return isa_holding(kCountedFamily, width_bits, element_bits(precision));
}

ComputeKey compute_key(Precision precision, Isa isa, Operation operation, unsigned threads) {
  return {std::string(to_string(precision)), isa, operation, threads};
}

std::vector<unsigned> measured_threads(const Machine& machine) {
  std::vector<unsigned> counts;
  for (const Ceiling& ceiling : machine.ceilings) {
    if (usable(ceiling)) {
      counts.push_back(ceiling.threads);
    }
  }
  std::sort(counts.begin(), counts.end());
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  return counts;
}

unsigned most_threads(const Machine& machine) {
  if (machine.topology) {
    return machine.topology->threads;
  }
  const std::vector<unsigned> measured = measured_threads(machine);
  return measured.empty() ? 1U : measured.back();
}

std::optional<ThreadChoice> choose_threads(const Machine& machine, unsigned threads) {
  const std::vector<unsigned> counts = measured_threads(machine);
  if (counts.empty()) {
    return std::nullopt;
  }
  const auto upper = std::lower_bound(counts.begin(), counts.end(), threads);
  if (upper != counts.end() && *upper == threads) {
    return ThreadChoice{threads, true, {}};
  }
  ThreadChoice choice{upper == counts.begin() ? counts.front() : *(upper - 1), false, {}};
  if (upper != counts.begin()) {
    choice.neighbours.push_back(*(upper - 1));
  }
  if (upper != counts.end()) {
    choice.neighbours.push_back(*upper);
  }
  return choice;
}

Match find_compute(const Machine& machine, const ComputeKey& key) {
  return nearest(machine, key.isa.value_or(kWidestIsa), key.threads, [&](const Ceiling& ceiling) {
    return ceiling.kind == CeilingKind::compute && ceiling.precision == key.precision &&
           ceiling.operation == key.operation;
  });
}

Match find_bandwidth(const Machine& machine, const BandwidthKey& key) {
  return nearest(machine, key.isa.value_or(kWidestIsa), key.threads, [&](const Ceiling& ceiling) {
    return ceiling.kind == CeilingKind::bandwidth && ceiling.level == key.level &&
           ceiling.pattern == key.pattern;
  });
}

const Ceiling* fastest_mix(const Machine& machine, std::string_view precision, unsigned threads) {
  std::vector<const Ceiling*> nearest;
  for (const Ceiling& ceiling : machine.ceilings) {
    if (!usable(ceiling) || ceiling.kind != CeilingKind::compute ||
        ceiling.precision != precision || !ceiling.operation ||
        std::find(kMixes.begin(), kMixes.end(), *ceiling.operation) == kMixes.end()) {
      continue;
    }
    const auto distance = [&](const Ceiling& of) { return thread_distance(threads, of.threads); };
    if (!nearest.empty() && distance(ceiling) < distance(*nearest.front())) {
      nearest.clear();
    }
    if (nearest.empty() || distance(ceiling) == distance(*nearest.front())) {
      nearest.push_back(&ceiling);
    }
  }
  return widest_within_noise(nearest);
}

std::string resource_of(std::string_view id) {
  constexpr std::string_view kBandwidth = "bandwidth.";
  if (!id.starts_with(kBandwidth)) {
    return "compute";
  }
  id.remove_prefix(kBandwidth.size());
  return std::string(id.substr(0, id.find('.')));
}

std::optional<Level> level_of(std::string_view id) {
  return parse_level(resource_of(id));
}

}  // namespace ridge::predict
