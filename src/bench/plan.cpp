#include "bench/plan.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace ridge::bench {
namespace {

/// How long a kernel is sampled relative to the others; the length of one sample: short enough to
/// fall between two interrupts, long enough for the clock to be read; the length of a visit besides
/// its warm-up, and how well the value wants to be known.
struct Schedule {
  std::string_view level;  ///< empty: compute
  double weight;
  Seconds sample_time;
  Seconds visit_time;
  double tolerance;
};
constexpr std::array kSchedules{Schedule{"", 1.0, Seconds{50e-6}, Seconds{0.4e-3}, 0.005},
                                Schedule{"L1", 1.0, Seconds{50e-6}, Seconds{0.4e-3}, 0.0075},
                                Schedule{"L2", 1.3, Seconds{50e-6}, Seconds{0.4e-3}, 0.01},
                                Schedule{"L3", 2.5, Seconds{100e-6}, Seconds{2e-3}, 0.02},
                                Schedule{"L4", 2.5, Seconds{100e-6}, Seconds{2e-3}, 0.02}};
constexpr Schedule kMemorySchedule{"", 9.0, Seconds{200e-6}, Seconds{5e-3}, 0.03};

/// At about this pace warm-ups walk: only the length of visits depends on it.
constexpr BytesPerSecond kWarmUpPace{10e9};

const Schedule& schedule_of(const std::string& level) {
  const auto found = std::find_if(kSchedules.begin(), kSchedules.end(),
                                  [&](const Schedule& entry) { return entry.level == level; });
  return found == kSchedules.end() ? kMemorySchedule : *found;
}

std::vector<Isa> supported(const PlanOptions& options) {
  std::vector<Isa> isas;
  std::copy_if(kIsas.begin(), kIsas.end(), std::back_inserter(isas),
               [&](Isa isa) { return is_supported(isa, options.simd); });
  return isas;
}

/// At L1 every instruction set has a bandwidth of its own; further out the two widest tell enough.
std::vector<Isa> isas_for(std::size_t level_index, std::vector<Isa> isas) {
  constexpr std::size_t kWidest = 2;
  if (level_index > 0 && isas.size() > kWidest) {
    isas.erase(isas.begin(), isas.end() - kWidest);
  }
  return isas;
}

bool can_run(const Kernel& kernel, const PlanOptions& options) {
  return options.simd.fma || !kernel.needs_fma();
}

/// Of a cache, when `threads` threads run. They are placed one per core first, so sharers meet only
/// when there are more threads than caches; here the worst case counts, all sharers present.
std::uint64_t share_of(const Cache& cache, unsigned threads) {
  return cache.size_bytes / std::clamp(cache.shared_by_threads, 1U, threads);
}

class Planner {
 public:
  Planner(const Machine& machine, const PlanOptions& options)
      : machine_(machine), options_(options), isas_(supported(options)) {}

  std::vector<PlannedKernel> make() {
    const auto levels = level_names(machine_);
    for (const unsigned threads : thread_counts(machine_, options_)) {
      add_compute(threads);
      for (std::size_t index = 0; index < levels.size(); ++index) {
        add_bandwidth(levels[index], index, threads);
      }
    }
    return std::move(planned_);
  }

 private:
  void add_compute(unsigned threads) {
    for (const Isa isa : isas_) {
      for (const Precision precision : {Precision::fp64, Precision::fp32}) {
        for (const Kernel& kernel : kKernels) {
          if (kernel.kind != CeilingKind::compute || !is_due(kernel, threads, isa) ||
              (is_between(threads) && precision != Precision::fp64)) {
            continue;
          }
          PlannedKernel next = common(kernel, isa, threads, "");
          next.precision = precision;
          next.id =
              compute_ceiling_id(ridge::to_string(precision), to_string(isa), kernel.name, threads);
          planned_.push_back(std::move(next));
        }
      }
    }
  }

  void add_bandwidth(const std::string& level, std::size_t index, unsigned threads) {
    const std::uint64_t wanted = working_set(machine_, level, threads, options_.last_level_caches);
    const std::uint64_t most = options_.memory_bytes > 0 ? options_.memory_bytes / threads : wanted;
    for (const Isa isa : isas_for(index, isas_)) {
      for (const Kernel& kernel : kKernels) {
        const bool innermost = index == 0 && !machine_.caches.empty();
        if (kernel.kind != CeilingKind::bandwidth || !kernel.reaches(innermost) ||
            !is_due(kernel, threads, isa)) {
          continue;
        }
        PlannedKernel next = common(kernel, isa, threads, level);
        next.set_bytes = std::min(wanted, most);
        next.id = bandwidth_ceiling_id(level, kernel.name, to_string(isa), threads);
        next.warm_up_bytes = warm_up(level, next.set_bytes, threads);
        next.visit_time += Seconds{static_cast<double>(next.warm_up_bytes) / kWarmUpPace.value()};
        if (next.set_bytes < wanted) {
          next.flags.emplace_back("small-set");
        }
        planned_.push_back(std::move(next));
      }
    }
  }

  /// Thread counts between one and all are there for the course of it.
  [[nodiscard]] bool is_between(unsigned threads) const {
    return options_.thread_counts.empty() && threads != 1 && threads != machine_.topology.threads;
  }

  [[nodiscard]] bool is_due(const Kernel& kernel, unsigned threads, Isa isa) const {
    constexpr std::array<std::string_view, 4> kCourse{"fma", "load", "copy", "triad"};
    const bool course = isa == isas_.back() &&
                        std::find(kCourse.begin(), kCourse.end(), kernel.name) != kCourse.end();
    return kernel.from <= options_.effort && can_run(kernel, options_) &&
           (course || !is_between(threads));
  }

  PlannedKernel common(const Kernel& kernel, Isa isa, unsigned threads, const std::string& level) {
    PlannedKernel next;
    next.kernel = &kernel;
    next.isa = isa;
    next.level = level;
    next.threads = threads;
    next.sample_time = schedule_of(level).sample_time;
    next.visit_time = schedule_of(level).visit_time;
    next.tolerance = schedule_of(level).tolerance;
    next.weight = schedule_of(level).weight;
    return next;
  }

  /// A cache: twice through the set, since a victim cache is filled only by what the inner one
  /// lets go. Memory: as much as drives out of the caches what another kernel has left there.
  [[nodiscard]] std::uint64_t warm_up(const std::string& level, std::uint64_t set_bytes,
                                      unsigned threads) const {
    const bool in_cache = std::any_of(machine_.caches.begin(), machine_.caches.end(),
                                      [&](const Cache& cache) { return cache.level == level; });
    if (in_cache || machine_.caches.empty()) {
      return 2 * set_bytes;
    }
    const std::uint64_t caches = machine_.caches.back().size_bytes * options_.last_level_caches;
    return std::min(set_bytes, caches * 3 / 2 / threads);
  }

  const Machine& machine_;
  const PlanOptions& options_;
  std::vector<Isa> isas_;
  std::vector<PlannedKernel> planned_;
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

std::string_view to_string(Effort effort) {
  constexpr std::array<std::string_view, 3> names{"quick", "standard", "full"};
  return names.at(static_cast<std::size_t>(effort));
}

std::vector<unsigned> thread_counts(const Machine& machine, const PlanOptions& options) {
  std::vector<unsigned> counts = options.thread_counts;
  const unsigned all = machine.topology.threads;
  if (counts.empty()) {
    counts = {1, all};
    for (unsigned threads = 2; threads < all && options.effort != Effort::quick; threads *= 2) {
      counts.push_back(threads);
    }
    if (options.effort != Effort::quick && machine.topology.cores < all) {
      counts.push_back(machine.topology.cores);
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

std::uint64_t working_set(const Machine& machine, const std::string& level, unsigned threads,
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

std::vector<PlannedKernel> plan(const Machine& machine, const PlanOptions& options) {
  return Planner(machine, options).make();
}

}  // namespace ridge::bench
