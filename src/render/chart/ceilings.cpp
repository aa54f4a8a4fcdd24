#include "render/chart/ceilings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>

#include <fmt/core.h>

#include "core/value/widest_ceiling.hpp"
#include "render/chart/format_si.hpp"
#include "render/chart/selection.hpp"
#include "render/chart/text.hpp"

namespace ridge::render {
namespace {

constexpr std::size_t kMostLowerCeilings = 5;
/// Closer ceilings would be one line with two labels.
constexpr double kLeastRatio = 1.10;

unsigned program_threads(const Profile& profile) {
  if (const Region* program = program_region(profile)) {
    return std::max(program->threads, 1U);
  }
  unsigned most = 1;
  for (const Region& region : profile.regions) {
    most = std::max(most, region.threads);
  }
  return most;
}

unsigned measured_threads(const Machine& machine, unsigned wanted) {
  std::optional<unsigned> below;
  std::optional<unsigned> lowest;
  for (const Ceiling& ceiling : machine.ceilings) {
    if (ceiling.device || ceiling.kind == CeilingKind::latency) {
      continue;
    }
    lowest = std::min(lowest.value_or(ceiling.threads), ceiling.threads);
    if (ceiling.threads <= wanted) {
      below = std::max(below.value_or(ceiling.threads), ceiling.threads);
    }
  }
  return below.value_or(lowest.value_or(wanted));
}

std::string main_precision(const Profile& profile) {
  Work all;
  if (const Region* program = program_region(profile)) {
    all = known_work(*program);
  }
  if (all.total() == 0) {
    for (const Region& region : profile.regions) {
      all += is_sum(region) ? Work{} : known_work(region);
    }
  }
  Precision best = Precision::fp64;
  for (const Precision candidate : {Precision::fp32, Precision::fp16, Precision::bf16}) {
    if (all.total(candidate).value_or(0) > all.total(best).value_or(0)) {
      best = candidate;
    }
  }
  return std::string(to_string(best));
}

const Ceiling* best_bandwidth(const Machine& machine, Level level, unsigned threads) {
  const Ceiling* best = nullptr;
  bool best_is_load = false;
  for (const Ceiling& ceiling : machine.ceilings) {
    if (ceiling.kind != CeilingKind::bandwidth || ceiling.device || ceiling.threads != threads ||
        ceiling.level != level) {
      continue;
    }
    const bool load = ceiling.pattern == Pattern::load;
    const bool better = best == nullptr || (load && !best_is_load) ||
                        (load == best_is_load && traffic_rate(ceiling) > traffic_rate(*best));
    if (better) {
      best = &ceiling;
      best_is_load = load;
    }
  }
  return best;
}

/// Lower is more worth a line: the FMA rates of the instruction sets tell about vectorisation, add
/// about the balance of operations. Division and square root bind single loops only.
std::optional<int> worth(const Ceiling& ceiling) {
  constexpr std::array<std::pair<Isa, Operation>, 7> kOrder{{{Isa::avx512, Operation::fma},
                                                             {Isa::avx2, Operation::fma},
                                                             {Isa::scalar, Operation::fma},
                                                             {Isa::scalar, Operation::add},
                                                             {Isa::avx512, Operation::add},
                                                             {Isa::avx2, Operation::add},
                                                             {Isa::sse, Operation::fma}}};
  for (std::size_t i = 0; i < kOrder.size(); ++i) {
    if (ceiling.isa == kOrder.at(i).first && ceiling.operation == kOrder.at(i).second) {
      return static_cast<int>(i);
    }
  }
  const bool basic = ceiling.operation == Operation::fma || ceiling.operation == Operation::add;
  return basic ? std::optional(static_cast<int>(kOrder.size())) : std::nullopt;
}

bool is_of_integers(const Ceiling& ceiling) {
  const bool wide_enough = ceiling.precision == "int32" || ceiling.precision == "int64";
  const bool operation = ceiling.operation == Operation::add || ceiling.operation == Operation::mul;
  return wide_enough && operation &&
         std::holds_alternative<Estimate<IntOpsPerSecond>>(ceiling.value);
}

/// As worth(): sums and products of the widest instructions, then those of one integer at a time,
/// which code that is not vectorised works with.
int integer_worth(const Ceiling& ceiling, const Ceiling& widest) {
  const bool scalar = ceiling.isa == Isa::scalar;
  const int tier = ceiling.isa == widest.isa ? 0 : scalar ? 1 : 2;
  const int product = ceiling.operation == Operation::mul ? 1 : 0;
  const int width = (ceiling.precision == "int64") == scalar ? 0 : 1;
  return 4 * tier + 2 * product + width;
}

bool apart(const Ceiling& candidate, const std::vector<const Ceiling*>& chosen) {
  const double rate = p90_of(candidate.value);
  return std::all_of(chosen.begin(), chosen.end(), [rate](const Ceiling* other) {
    const double ratio = p90_of(other->value) / rate;
    return ratio >= kLeastRatio || ratio <= 1.0 / kLeastRatio;
  });
}

std::vector<const Ceiling*> choose_compute(const Machine& machine, const std::string& precision,
                                           unsigned threads) {
  std::vector<const Ceiling*> all;
  for (const Ceiling& ceiling : machine.ceilings) {
    const double rate = p90_of(ceiling.value);
    const bool fits =
        precision == kIntegers ? is_of_integers(ceiling) : ceiling.precision == precision;
    if (ceiling.kind == CeilingKind::compute && !ceiling.device && ceiling.threads == threads &&
        fits && std::isfinite(rate) && rate > 0.0) {
      all.push_back(&ceiling);
    }
  }
  if (all.empty()) {
    return all;
  }
  const auto by_rate = [](const Ceiling* a, const Ceiling* b) {
    return p90_of(a->value) > p90_of(b->value);
  };
  const Ceiling* highest = widest_within_noise(all);
  std::vector<const Ceiling*> chosen = {highest};
  const auto worth_here = [&](const Ceiling& ceiling) {
    return precision == kIntegers ? std::optional(integer_worth(ceiling, *highest))
                                  : worth(ceiling);
  };
  std::stable_sort(all.begin(), all.end(), [&](const Ceiling* a, const Ceiling* b) {
    constexpr int kLast = 1000;
    return worth_here(*a).value_or(kLast) < worth_here(*b).value_or(kLast);
  });
  for (const Ceiling* candidate : all) {
    if (chosen.size() <= kMostLowerCeilings && worth_here(*candidate) &&
        apart(*candidate, chosen)) {
      chosen.push_back(candidate);
    }
  }
  std::stable_sort(chosen.begin(), chosen.end(), by_rate);
  return chosen;
}

/// Of any pattern and instruction set, if it moves clearly more than `roof`.
const Ceiling* higher_than(const Ceiling& roof, const Machine& machine) {
  constexpr double kClearly = 1.05;
  const Ceiling* highest = nullptr;
  for (const Ceiling& ceiling : machine.ceilings) {
    const bool rival = ceiling.kind == CeilingKind::bandwidth && !ceiling.device &&
                       ceiling.threads == roof.threads && ceiling.level == roof.level &&
                       ceiling.pattern != roof.pattern;
    const double least =
        highest != nullptr ? traffic_rate(*highest) : kClearly * traffic_rate(roof);
    if (rival && traffic_rate(ceiling) > least) {
      highest = &ceiling;
    }
  }
  return highest;
}

bool is_memory(const Machine& machine, Level level) {
  return std::any_of(machine.memories.begin(), machine.memories.end(),
                     [&](const MemoryNode& memory) { return memory.level == level; });
}

}  // namespace

double traffic_rate(const Ceiling& ceiling) {
  return p90_of(ceiling.traffic_value ? *ceiling.traffic_value : ceiling.value);
}

std::string words_of(const HigherPattern& pattern) {
  return clean(fmt::format(
      "the {} roof is that of {}, {}; {} moves {}: such a loop may stand above it",
      to_string(pattern.level), pattern.roof->pattern ? to_string(*pattern.roof->pattern) : "?",
      si(traffic_rate(*pattern.roof), "B/s"),
      pattern.higher->pattern ? to_string(*pattern.higher->pattern) : "?",
      si(traffic_rate(*pattern.higher), "B/s")));
}

std::vector<AboveRoof> patterns_above_roofs(const Machine& machine) {
  std::set<unsigned> counts;
  for (const Ceiling& ceiling : machine.ceilings) {
    if (!ceiling.device && ceiling.kind != CeilingKind::latency) {
      counts.insert(ceiling.threads);
    }
  }
  std::vector<Level> levels;
  for (const MemoryNode& memory : machine.memories) {
    levels.push_back(memory.level);
  }
  std::vector<AboveRoof> found;
  for (const unsigned threads : counts) {
    const CeilingChoice choice = choose_ceilings(machine, "fp64", levels, threads);
    for (const HigherPattern& pattern : choice.higher_patterns) {
      found.push_back({threads, pattern.level, words_of(pattern)});
    }
  }
  return found;
}

CeilingChoice choose_ceilings(const Profile& profile, CountedWork work) {
  return choose_ceilings(
      profile.machine,
      work == CountedWork::intops ? std::string(kIntegers) : main_precision(profile),
      levels_of(profile), program_threads(profile));
}

CeilingChoice choose_ceilings(const Machine& machine, std::string precision,
                              const std::vector<Level>& levels, unsigned threads) {
  CeilingChoice choice;
  choice.threads = measured_threads(machine, threads);
  choice.precision = std::move(precision);
  for (const Level level : levels) {
    if (const Ceiling* best = best_bandwidth(machine, level, choice.threads)) {
      choice.bandwidths.emplace_back(level, best);
      const Ceiling* higher = is_memory(machine, level) ? higher_than(*best, machine) : nullptr;
      if (higher != nullptr) {
        choice.higher_patterns.push_back({level, best, higher});
      }
    }
  }
  choice.compute = choose_compute(machine, choice.precision, choice.threads);
  return choice;
}

}  // namespace ridge::render
