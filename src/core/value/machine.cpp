#include "core/value/machine.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>

namespace ridge {
namespace {

template <class E, std::size_t N>
using NameTable = std::array<std::pair<E, std::string_view>, N>;

template <class E, std::size_t N>
std::string_view name_in(const NameTable<E, N>& table, E value) {
  return table.at(static_cast<std::size_t>(value)).second;
}

template <class E, std::size_t N>
std::optional<E> value_in(const NameTable<E, N>& table, std::string_view text) {
  for (const auto& [value, name] : table) {
    if (name == text) {
      return value;
    }
  }
  return std::nullopt;
}

constexpr NameTable<CachePolicy, 3> kPolicies{{{CachePolicy::inclusive, "inclusive"},
                                               {CachePolicy::non_inclusive, "non-inclusive"},
                                               {CachePolicy::victim, "victim"}}};
constexpr NameTable<WriteAllocate, 3> kWriteAllocates{
    {{WriteAllocate::always, "always"},
     {WriteAllocate::never, "never"},
     {WriteAllocate::when_unsaturated, "when-unsaturated"}}};
void set_fields(Ceiling& ceiling, const ComputeKey& key) {
  ceiling.precision = key.precision;
  ceiling.isa = key.isa;
  ceiling.operation = key.operation;
  ceiling.threads = key.threads;
}

void set_fields(Ceiling& ceiling, const BandwidthKey& key) {
  ceiling.isa = key.isa;
  ceiling.level = key.level;
  ceiling.pattern = key.pattern;
  ceiling.threads = key.threads;
}

void set_fields(Ceiling& ceiling, const LatencyKey& key) {
  ceiling.level = key.level;
  ceiling.pattern = key.pattern;
  ceiling.threads = key.threads;
}

std::optional<unsigned> saturated_at(const std::vector<Saturation::Point>& points) {
  constexpr double kEnough = 0.95;
  BytesPerSecond highest{};
  for (const auto& point : points) {
    highest = std::max(highest, point.p90);
  }
  const auto first = std::find_if(points.begin(), points.end(), [&](const auto& point) {
    return point.p90 >= kEnough * highest;
  });
  return first == std::prev(points.end()) ? std::nullopt : std::optional(first->threads);
}

/// Whether some pair of points has intervals that overlap and of which one is wide.
bool too_noisy_to_rank(const std::vector<Saturation::Point>& points) {
  constexpr double kNarrow = 0.8;
  for (auto a = points.begin(); a != points.end(); ++a) {
    for (auto b = std::next(a); b != points.end(); ++b) {
      const bool overlap = a->low <= b->p90 && b->low <= a->p90;
      if (overlap && (a->low < kNarrow * a->p90 || b->low < kNarrow * b->p90)) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

std::string_view to_string(CachePolicy policy) {
  return name_in(kPolicies, policy);
}
std::string_view to_string(WriteAllocate policy) {
  return name_in(kWriteAllocates, policy);
}

std::optional<CachePolicy> parse_cache_policy(std::string_view text) {
  return value_in(kPolicies, text);
}

std::string_view unit_of(const CeilingEstimate& estimate) {
  constexpr std::array<std::string_view, 4> units{"flop/s", "byte/s", "s", "op/s"};
  return units.at(estimate.index());
}

double p90_of(const CeilingEstimate& estimate) {
  return std::visit([](const auto& e) { return e.p90.value(); }, estimate);
}

double low_of(const CeilingEstimate& estimate) {
  return std::visit([](const auto& e) { return e.low.value(); }, estimate);
}

double median_of(const CeilingEstimate& estimate) {
  return std::visit([](const auto& e) { return e.median.value(); }, estimate);
}

std::vector<Level> levels_of(const Machine& machine) {
  std::vector<Level> levels;
  for (const Cache& cache : machine.caches) {
    levels.push_back(cache.level);
  }
  if (!machine.memories.empty()) {
    levels.push_back(machine.memories.front().level);
  }
  return levels;
}

Level memory_level(const Machine& machine) {
  return machine.memories.empty() ? Level::DRAM : machine.memories.front().level;
}

const Ceiling* find_ceiling(const Machine& machine, std::string_view id) {
  const auto found = std::find_if(machine.ceilings.begin(), machine.ceilings.end(),
                                  [&](const Ceiling& ceiling) { return ceiling.id == id; });
  return found == machine.ceilings.end() ? nullptr : &*found;
}

Ceiling ceiling_of(const CeilingKey& key) {
  Ceiling ceiling;
  ceiling.id = to_string(key);
  ceiling.kind = kind_of(key);
  std::visit([&](const auto& limit) { set_fields(ceiling, limit); }, key.limit);
  ceiling.device = key.device;
  return ceiling;
}

const RoofPoint* greatest_shortfall(const MeasuredRoof& roof) {
  const auto least = std::min_element(
      roof.points.begin(), roof.points.end(),
      [](const RoofPoint& a, const RoofPoint& b) { return a.fraction < b.fraction; });
  return least == roof.points.end() ? nullptr : &*least;
}

std::optional<Saturation> saturation_of(const Machine& machine, Level level, Pattern pattern) {
  std::map<Isa, std::vector<Saturation::Point>> curves;
  for (const Ceiling& ceiling : machine.ceilings) {
    if (ceiling.kind == CeilingKind::bandwidth && ceiling.level == level && !ceiling.device &&
        ceiling.pattern == pattern && ceiling.isa) {
      curves[*ceiling.isa].push_back({ceiling.threads, BytesPerSecond{p90_of(ceiling.value)},
                                      BytesPerSecond{low_of(ceiling.value)}});
    }
  }
  std::optional<Saturation> best;
  for (auto& [isa, points] : curves) {
    std::sort(points.begin(), points.end(),
              [](const auto& a, const auto& b) { return a.threads < b.threads; });
    if (points.size() >= 2 && (!best || points.front().p90 > best->points.front().p90)) {
      best = Saturation{level, pattern, isa, std::move(points), {}, false};
    }
  }
  if (best) {
    best->too_noisy = too_noisy_to_rank(best->points);
    best->threads = best->too_noisy ? std::nullopt : saturated_at(best->points);
  }
  return best;
}

std::vector<Concurrency> concurrency_of(const Machine& machine) {
  const auto best = [&](CeilingKind kind, Level level, const auto& rank) {
    const Ceiling* found = nullptr;
    for (const Ceiling& ceiling : machine.ceilings) {
      if (ceiling.kind == kind && ceiling.level == level && ceiling.threads == 1 &&
          !ceiling.device && ceiling.pattern && rank(ceiling) > 0.0 &&
          (found == nullptr || rank(ceiling) > rank(*found))) {
        found = &ceiling;
      }
    }
    return found;
  };
  const double line = machine.caches.empty() ? 64.0 : machine.caches.front().line_bytes;
  std::vector<Concurrency> all;
  for (const Level level : levels_of(machine)) {
    const Ceiling* bandwidth = best(CeilingKind::bandwidth, level, [](const Ceiling& ceiling) {
      return ceiling.pattern == Pattern::load ? p90_of(ceiling.value) : 0.0;
    });
    const Ceiling* latency = best(CeilingKind::latency, level, [](const Ceiling& ceiling) {
      return ceiling.pattern == Pattern::chase_huge ? 2.0
             : ceiling.pattern == Pattern::chase_4k ? 1.0
                                                    : 0.0;
    });
    if (bandwidth != nullptr && latency != nullptr) {
      all.push_back({level, p90_of(bandwidth->value) * low_of(latency->value) / line, bandwidth->id,
                     latency->id});
    }
  }
  return all;
}

std::optional<unsigned> lanes_of(const Microarchitecture::IsaLimits& limits,
                                 unsigned element_bits) {
  return limits.vector_bits ? std::optional(*limits.vector_bits / element_bits)
                            : lanes_of(limits.isa, element_bits);
}

const Microarchitecture* find_microarchitecture(const std::vector<Microarchitecture>& known,
                                                const std::optional<CpuIdentity>& cpu) {
  if (!cpu) {
    return nullptr;
  }
  for (const Microarchitecture& candidate : known) {
    for (const auto& match : candidate.matches) {
      if (match.vendor == cpu->vendor && match.family == cpu->family &&
          std::find(match.models.begin(), match.models.end(), cpu->model) != match.models.end()) {
        return &candidate;
      }
    }
  }
  return nullptr;
}

}  // namespace ridge
