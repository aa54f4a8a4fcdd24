#include "bench/plan.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>

#include "bench/variants.hpp"

namespace ridge::bench {
namespace {

/// How long a kernel is sampled relative to the others; the length of one sample: short enough to
/// fall between two interrupts, long enough for the clock to be read; the length of a visit besides
/// its warm-up, and how well the value wants to be known.
struct Schedule {
  std::optional<Level> level;  ///< absent: compute
  double weight;
  Seconds sample_time;
  Seconds visit_time;
  double tolerance;
};
constexpr std::array kSchedules{Schedule{{}, 1.0, Seconds{50e-6}, Seconds{0.4e-3}, 0.005},
                                Schedule{Level::L1, 1.0, Seconds{50e-6}, Seconds{0.4e-3}, 0.0075},
                                Schedule{Level::L2, 1.3, Seconds{50e-6}, Seconds{0.4e-3}, 0.01},
                                Schedule{Level::L3, 2.5, Seconds{100e-6}, Seconds{2e-3}, 0.02},
                                Schedule{Level::L4, 2.5, Seconds{100e-6}, Seconds{2e-3}, 0.02}};
constexpr Schedule kMemorySchedule{{}, 9.0, Seconds{200e-6}, Seconds{5e-3}, 0.03};

/// At about this pace warm-ups walk: only the length of visits depends on it.
constexpr BytesPerSecond kWarmUpPace{10e9};

const Schedule& schedule_of(std::optional<Level> level) {
  const auto found = std::find_if(kSchedules.begin(), kSchedules.end(),
                                  [&](const Schedule& entry) { return entry.level == level; });
  return found == kSchedules.end() ? kMemorySchedule : *found;
}

/// Of a cache, when `threads` threads run. They are placed one per core first, so sharers meet only
/// when there are more threads than caches; here the worst case counts, all sharers present.
std::uint64_t share_of(const Cache& cache, unsigned threads) {
  return cache.size_bytes / std::clamp(cache.shared_by_threads, 1U, threads);
}

/// A pointer chase goes through its set a hundred times more slowly than a stream: in a cache that
/// is shared, a large one would be driven out by others before it is seen again. Three times the
/// cache before is enough to miss that one.
std::uint64_t latency_set(const Machine& machine, Level level, std::uint64_t set) {
  const auto found = std::find_if(machine.caches.begin(), machine.caches.end(),
                                  [&](const Cache& cache) { return cache.level == level; });
  const bool between = found != machine.caches.end() && found != machine.caches.begin();
  return between ? std::min(set, 3 * std::prev(found)->size_bytes) : set;
}

class Planner {
 public:
  Planner(const Machine& machine, const PlanOptions& options)
      : machine_(machine), options_(options), widest_(widest_isa(options.simd)) {}

  Plan make() {
    if (!is_supported(Isa::scalar, options_.simd)) {
      return {};
    }
    const auto levels = levels_of(machine_);
    for (const unsigned threads : thread_counts(machine_, options_)) {
      add_compute(threads);
      for (std::size_t index = 0; index < levels.size(); ++index) {
        add_memory(levels[index], index, threads);
      }
    }
    return std::move(plan_);
  }

 private:
  void add_compute(unsigned threads) {
    for (const Variant& variant :
         compute_variants(options_.effort, options_.simd, options_.integers)) {
      if (!is_due(variant, threads)) {
        continue;
      }
      PlannedKernel next = common(variant, threads, {});
      plan_.kernels.push_back(std::move(next));
    }
  }

  void add_memory(Level level, std::size_t index, unsigned threads) {
    const std::uint64_t set = working_set(machine_, level, threads, options_.last_level_caches);
    if (options_.memory_bytes > 0 && set > options_.memory_bytes / threads) {
      plan_.too_large.push_back({level, threads, set * threads});
      return;
    }
    for (const Variant& variant :
         bandwidth_variants(options_.effort, options_.simd, place_of(index))) {
      if (is_due(variant, threads)) {
        add_level(variant, level, set, threads);
      }
    }
    if (threads == 1) {
      for (const Variant& variant : latency_variants(options_.effort)) {
        add_level(variant, level, latency_set(machine_, level, set), threads);
      }
    }
  }

  void add_level(const Variant& variant, Level level, std::uint64_t set, unsigned threads) {
    PlannedKernel next = common(variant, threads, level);
    next.set_bytes = set;
    next.warm_up_bytes = warm_up_bytes(machine_, level, set, threads, options_.last_level_caches);
    if (variant.kernel->order != Order::straight && next.warm_up_bytes <= set) {
      next.warm_up_bytes = 0;  // memory: it goes on where it was longest ago (runner.cpp)
    }
    next.visit_time += Seconds{static_cast<double>(next.warm_up_bytes) / kWarmUpPace.value()};
    plan_.kernels.push_back(std::move(next));
  }

  [[nodiscard]] Place place_of(std::size_t level_index) const {
    if (level_index >= machine_.caches.size()) {
      return Place::memory;
    }
    return level_index == 0 ? Place::innermost : Place::middle;
  }

  /// Thread counts between one and all are there for the course of it.
  [[nodiscard]] bool is_due(const Variant& variant, unsigned threads) const {
    constexpr std::array<std::variant<Operation, Pattern>, 4> kCourse{
        Operation::fma, Pattern::load, Pattern::copy, Pattern::triad};
    const bool between =
        options_.thread_counts.empty() && threads != 1 && threads != machine_.topology->threads;
    const bool sums_integers = variant.kernel->is_integer() && variant.kernel->is(Operation::add);
    const bool on_course =
        variant.precision == Precision::fp64 &&
        std::find(kCourse.begin(), kCourse.end(), variant.kernel->measures) != kCourse.end();
    return !between || (variant.isa == widest_ && (on_course || sums_integers));
  }

  static PlannedKernel common(const Variant& variant, unsigned threads,
                              std::optional<Level> level) {
    PlannedKernel next;
    next.kernel = variant.kernel;
    next.isa = variant.isa;
    next.precision = variant.precision;
    next.level = level;
    next.threads = threads;
    next.id = to_string(key_of(next));
    next.id += variant.kernel->free_adds ? ".free-adds" : "";
    set_schedule(next);
    return next;
  }

  const Machine& machine_;
  const PlanOptions& options_;
  Isa widest_;
  Plan plan_;
};

}  // namespace

EffortLimits limits_of(Effort effort) {
  switch (effort) {
    case Effort::quick:
      return {Seconds{12.0}, Seconds{0.05}, 64};
    case Effort::standard:
      return {Seconds{52.0}, Seconds{0.08}, 96};
    case Effort::full:
      break;
  }
  return {Seconds{270.0}, Seconds{0.4}, 256};
}

CeilingKey key_of(const PlannedKernel& planned) {
  const Kernel& kernel = *planned.kernel;
  if (const auto* operation = std::get_if<Operation>(&kernel.measures)) {
    return {ComputeKey{std::string(data_name(kernel, planned.precision)), planned.isa, *operation,
                       planned.threads}};
  }
  const auto pattern = std::get<Pattern>(kernel.measures);
  if (kernel.kind == CeilingKind::latency) {
    return {LatencyKey{*planned.level, pattern, planned.threads}};
  }
  return {BandwidthKey{*planned.level, pattern, planned.isa, planned.threads}};
}

std::string_view to_string(Effort effort) {
  constexpr std::array<std::string_view, 3> names{"quick", "standard", "full"};
  return names.at(static_cast<std::size_t>(effort));
}

std::vector<unsigned> thread_counts(const Machine& machine, const PlanOptions& options) {
  std::vector<unsigned> counts = options.thread_counts;
  const unsigned all = machine.topology->threads;
  if (counts.empty()) {
    counts = {1, all};
    for (unsigned threads = 2; threads < all && options.effort != Effort::quick; threads *= 2) {
      counts.push_back(threads);
    }
    if (options.effort != Effort::quick && machine.topology->cores < all) {
      counts.push_back(machine.topology->cores);
    }
  }
  std::sort(counts.begin(), counts.end());
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  return counts;
}

void share_budget(std::vector<PlannedKernel>& planned, Seconds budget, Seconds most_per_weight) {
  double weights = 0.0;
  for (const PlannedKernel& kernel : planned) {
    weights += kernel.weight;
  }
  const Seconds per_weight = std::min(most_per_weight, budget / std::max(weights, 1.0));
  for (PlannedKernel& kernel : planned) {
    kernel.budget = per_weight * kernel.weight;
  }
}

std::uint64_t working_set(const Machine& machine, Level level, unsigned threads,
                          unsigned last_level_caches) {
  constexpr std::uint64_t kMinimum = std::uint64_t{4} << 10U;
  constexpr std::uint64_t kWithoutCaches = std::uint64_t{64} << 20U;
  const auto found = std::find_if(machine.caches.begin(), machine.caches.end(),
                                  [&](const Cache& cache) { return cache.level == level; });
  if (found == machine.caches.end()) {
    const std::uint64_t all = machine.caches.empty()
                                  ? kWithoutCaches
                                  : 4 * machine.caches.back().size_bytes * last_level_caches;
    return std::max(kMinimum, all / threads);
  }
  if (found == machine.caches.begin()) {
    return std::max(kMinimum, share_of(*found, threads) * 3 / 4);
  }
  const std::uint64_t share = share_of(*found, threads);
  const std::uint64_t before = share_of(*std::prev(found), threads);
  return std::min(share * 3 / 4, std::max(share / 4, 2 * before));
}

Isa widest_isa(const platform::SimdSupport& simd) {
  Isa widest = Isa::scalar;
  for (const Isa isa : kIsas) {
    widest = is_supported(isa, simd) ? isa : widest;
  }
  return widest;
}

void set_schedule(PlannedKernel& planned) {
  const Schedule& schedule = schedule_of(planned.level);
  planned.sample_time = schedule.sample_time;
  planned.visit_time = schedule.visit_time;
  planned.tolerance = schedule.tolerance;
  planned.weight = schedule.weight;
}

std::uint64_t warm_up_bytes(const Machine& machine, Level level, std::uint64_t set_bytes,
                            unsigned threads, unsigned last_level_caches) {
  const bool in_cache = std::any_of(machine.caches.begin(), machine.caches.end(),
                                    [&](const Cache& cache) { return cache.level == level; });
  if (in_cache || machine.caches.empty()) {
    return 2 * set_bytes;
  }
  const std::uint64_t caches = machine.caches.back().size_bytes * last_level_caches;
  return std::min(set_bytes, caches * 3 / 2 / threads);
}

Plan plan(const Machine& machine, const PlanOptions& options) {
  return Planner(machine, options).make();
}

}  // namespace ridge::bench
