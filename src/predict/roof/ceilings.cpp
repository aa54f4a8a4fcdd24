#include "predict/roof/ceilings.hpp"

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "core/value/widest_ceiling.hpp"

namespace ridge::predict {
namespace {

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

Match nearest(std::span<const CeilingIndex::Entry> entries, Isa isa, unsigned threads) {
  using Distance = std::tuple<std::pair<int, unsigned>, std::pair<unsigned, int>, std::string_view>;
  std::optional<Distance> best;
  Match match;
  for (const auto& [key, ceiling] : entries) {
    const Distance distance{thread_distance(threads, ceiling->threads),
                            isa_distance(isa, ceiling->isa), ceiling->id};
    if (!best || distance < *best) {
      best = distance;
      const bool same_isa = std::get<1>(distance).first == 0;
      match = {ceiling, same_isa, same_isa && ceiling->threads == threads};
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
  return CeilingIndex(machine).threads();
}

unsigned most_threads(const Machine& machine) {
  if (machine.topology) {
    return machine.topology->threads;
  }
  const std::vector<unsigned> measured = measured_threads(machine);
  return measured.empty() ? 1U : measured.back();
}

std::optional<ThreadChoice> choose_threads(const CeilingIndex& ceilings, unsigned threads) {
  const std::vector<unsigned>& counts = ceilings.threads();
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

Match find_compute(const CeilingIndex& ceilings, const ComputeKey& key) {
  return nearest(ceilings.compute(key.precision, key.operation), key.isa.value_or(kWidestIsa),
                 key.threads);
}

Match find_bandwidth(const CeilingIndex& ceilings, const BandwidthKey& key) {
  return nearest(ceilings.bandwidth(key.level, key.pattern), key.isa.value_or(kWidestIsa),
                 key.threads);
}

const Ceiling* fastest_mix(const CeilingIndex& ceilings, std::string_view precision,
                           unsigned threads) {
  std::vector<const Ceiling*> nearest;
  for (const Operation mix : kMixes) {
    for (const auto& [key, ceiling] : ceilings.compute(precision, mix)) {
      const auto distance = [&](const Ceiling& of) { return thread_distance(threads, of.threads); };
      if (!nearest.empty() && distance(*ceiling) < distance(*nearest.front())) {
        nearest.clear();
      }
      if (nearest.empty() || distance(*ceiling) == distance(*nearest.front())) {
        nearest.push_back(ceiling);
      }
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
