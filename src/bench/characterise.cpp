#include "bench/characterise.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <string>

#include <fmt/format.h>

#include "bench/ceilings.hpp"
#include "bench/plan.hpp"
#include "bench/quiet.hpp"
#include "bench/runner.hpp"
#include "bench/scheduler.hpp"
#include "bench/sweep.hpp"
#include "platform/affinity.hpp"
#include "platform/clock.hpp"
#include "platform/cpu.hpp"
#include "platform/quota.hpp"
#include "platform/topology.hpp"

namespace ridge::bench {
namespace {

/// In so many passes over all ceilings each has had its share of the budget: at 12 s one pass takes
/// some 0.15 s, while other guests of a machine disturb for up to a second.
constexpr unsigned kPasses = 64;
constexpr unsigned kLeastPasses = 32;        ///< before any ceiling is settled
constexpr unsigned kPassesBetweenLooks = 4;  ///< at which are settled
constexpr double kSamplingShare = 0.8;       ///< of the budget; the rest is memory, code and sweep
constexpr Seconds kSweepPointBudget{0.01};

void apply_policies(Machine& machine, const Microarchitecture& theory) {
  for (Cache& cache : machine.caches) {
    for (const auto& policy : theory.policies) {
      if (policy.level == cache.level) {
        cache.policy = policy.policy;
        cache.write_allocate = policy.write_allocate;
      }
    }
  }
}

Result<void> check(const Machine& machine, const Options& options,
                   const platform::SimdSupport& simd) {
  if (!options.quick) {
    return fail(ErrorCode::unavailable, "the full set of ceilings is not there yet",
                "use --quick, which measures every ceiling that the roof needs");
  }
  for (const unsigned threads : options.thread_counts) {
    if (threads == 0 || threads > machine.topology.threads) {
      return fail(ErrorCode::usage, fmt::format("cannot measure with {} threads", threads),
                  fmt::format("this process may use 1 to {}", machine.topology.threads));
    }
  }
  if (!is_supported(Isa::scalar, simd)) {
    return fail(ErrorCode::unavailable, "this CPU has no AVX instructions",
                "give ridge a machine file with --machine FILE");
  }
  return {};
}

class Campaign {
 public:
  Campaign(Machine machine, const Microarchitecture* theory, const Options& options,
           const std::function<void(const Progress&)>& on_progress, platform::Hardware hardware)
      : machine_(std::move(machine)),
        theory_(theory),
        options_(options),
        on_progress_(on_progress),
        start_(platform::ticks_before()),
        runner_(hardware.placement, platform::ClockProbe(platform::calibrate_tsc())) {
    const std::uint64_t free = platform::available_memory_bytes();
    const PlanOptions plan_options{.thread_counts = options.thread_counts,
                                   .budget = options.budget * kSamplingShare,
                                   .simd = platform::simd_support(),
                                   .last_level_caches = hardware.last_level_caches,
                                   .memory_bytes = free / 4};
    planned_ = plan(machine_, plan_options);
    measured_.resize(planned_.size());
    std::vector<Claim> claims;
    for (const PlannedKernel& planned : planned_) {
      claims.push_back({planned.budget, planned.visit_time});
      runner_.reserve(planned.threads, planned.set_bytes);
    }
    scheduler_ = Scheduler(std::move(claims), kPasses);
  }

  Result<Machine> run() {
    clock_probe_holds_ = runner_.probe().check().holds();
    if (auto swept = sweep(); !swept) {
      return tl::make_unexpected(swept.error());
    }
    while (!must_stop()) {
      const auto visits = scheduler_.next_pass();
      if (visits.empty()) {
        break;
      }
      if (auto made = make(visits); !made) {
        return tl::make_unexpected(made.error());
      }
      if (scheduler_.passes_made() >= kLeastPasses &&
          scheduler_.passes_made() % kPassesBetweenLooks == 0) {
        settle();
      }
    }
    return finish();
  }

 private:
  [[nodiscard]] Seconds elapsed() const {
    const auto ticks = static_cast<double>(platform::ticks_after() - start_);
    return Seconds{ticks / runner_.probe().tsc_hertz()};
  }

  /// Asked between visits too. The first pass is always made to its end, or ceilings would be
  /// missing.
  [[nodiscard]] bool must_stop() const {
    return (options_.stop && options_.stop()) ||
           (scheduler_.passes_made() > 1 && elapsed() >= options_.budget);
  }

  void show_progress() const {
    if (on_progress_) {
      const auto total = static_cast<std::size_t>(options_.budget.value() * 1e3) + 1;
      const auto done = static_cast<std::size_t>(elapsed().value() * 1e3);
      on_progress_(
          {std::min(done, total - 1), total,
           fmt::format("{} of {} ceilings settled", scheduler_.settled(), scheduler_.size())});
    }
  }

  /// Threads are started once for all neighbouring visits with the same number of them.
  Result<void> make(const std::vector<Scheduler::Visit>& visits) {
    for (auto begin = visits.begin(); begin != visits.end();) {
      const unsigned threads = planned_[begin->index].threads;
      const auto end = std::find_if(begin, visits.end(), [&](const Scheduler::Visit& visit) {
        return planned_[visit.index].threads != threads;
      });
      std::vector<Turn> turns;
      std::transform(begin, end, std::back_inserter(turns), [&](const Scheduler::Visit& visit) {
        return Turn{&planned_[visit.index], visit.time};
      });
      show_progress();
      const auto taken = runner_.run(turns, [&] { return must_stop(); });
      if (!taken) {
        return tl::make_unexpected(taken.error());
      }
      for (std::size_t i = 0; i < taken->size(); ++i) {
        const Measured& visit = (*taken)[i];
        measured_[(begin + static_cast<std::ptrdiff_t>(i))->index].append(visit);
        if (!visit.rates.empty()) {
          quickest_bursts_[threads].push_back(quickest_burst(visit));
        }
      }
      begin = end;
    }
    return {};
  }

  [[nodiscard]] std::map<unsigned, double> quiet_cycles() const {
    std::map<unsigned, double> cycles;
    for (const auto& [threads, bursts] : quickest_bursts_) {
      cycles[threads] = quiet_burst_cycles(bursts).value();
    }
    return cycles;
  }

  /// Memory does not run at the clock of the core.
  [[nodiscard]] Scale scale_of(const PlannedKernel& planned) const {
    const bool in_core =
        planned.is_compute() ||
        std::any_of(machine_.caches.begin(), machine_.caches.end(),
                    [&](const Cache& cache) { return cache.level == planned.level; });
    return in_core ? Scale::per_cycle : Scale::per_second;
  }

  /// What disturbs memory need not be on the same core: there all samples count.
  [[nodiscard]] Sorted sorted(std::size_t index, const std::map<unsigned, double>& cycles) const {
    const PlannedKernel& planned = planned_[index];
    const double most = scale_of(planned) == Scale::per_second
                            ? std::numeric_limits<double>::infinity()
                            : cycles.at(planned.threads);
    return sort_out(measured_[index], most);
  }

  [[nodiscard]] bool is_known(const PlannedKernel& planned, const Sorted& sorted) const {
    const auto uncertainty = uncertainty_of_p90(sorted.kept, scale_of(planned));
    return !sorted.disturbed && uncertainty && *uncertainty <= planned.tolerance;
  }

  void settle() {
    const auto cycles = quiet_cycles();
    for (std::size_t i = 0; i < planned_.size(); ++i) {
      if (!scheduler_.is_settled(i) && is_known(planned_[i], sorted(i, cycles))) {
        scheduler_.settle(i);
      }
    }
  }

  /// The widest instruction set's loads on one thread, at any set size.
  Result<void> sweep() {
    const auto loads = std::find_if(planned_.rbegin(), planned_.rend(), [](const auto& planned) {
      return planned.threads == 1 && planned.kernel->name == "load";
    });
    if (loads == planned_.rend()) {
      return {};  // one thread was not asked for
    }
    return unconfirmed_levels(machine_.caches,
                              [&](std::uint64_t bytes) -> Result<BytesPerSecond> {
                                PlannedKernel point = *loads;
                                point.set_bytes = bytes;
                                point.sample_time = Seconds{100e-6};
                                point.id = fmt::format("sweep.{}", bytes);
                                return runner_.run({{&point, kSweepPointBudget}})
                                    .map([](const std::vector<Measured>& measured) {
                                      const auto rate =
                                          estimate_from<BytesPerSecond>(measured.front().rates);
                                      return rate ? rate->p90 : BytesPerSecond{};
                                    });
                              })
        .map([&](std::vector<std::string> levels) { unconfirmed_ = std::move(levels); });
  }

  Result<Machine> finish() {
    const CeilingContext context{machine_, theory_, unconfirmed_, runner_.huge_pages_granted(),
                                 clock_probe_holds_};
    const auto cycles = quiet_cycles();
    std::vector<Ceiling> ceilings;
    std::vector<double> clocks;
    for (std::size_t i = 0; i < planned_.size(); ++i) {
      if (measured_[i].rates.empty()) {
        continue;  // stopped before its first visit
      }
      const auto loop = runner_.loop_work(planned_[i]);
      if (!loop) {
        return tl::make_unexpected(loop.error());
      }
      const Sorted by_quiet = sorted(i, cycles);
      ceilings.push_back(make_ceiling(planned_[i], *loop, by_quiet.kept, context));
      if (!is_known(planned_[i], by_quiet)) {
        ceilings.back().flags.emplace_back(flag::kDisturbed);
      }
      clocks.insert(clocks.end(), by_quiet.kept.clocks.begin(), by_quiet.kept.clocks.end());
      if (options_.on_samples) {
        options_.on_samples({ceilings.back(), measured_[i], by_quiet.quiet, by_quiet.kept});
      }
    }
    if (ceilings.empty()) {
      return fail(ErrorCode::unavailable, "stopped before anything was measured",
                  "a first value of every ceiling takes about a second");
    }
    machine_.ceilings = std::move(ceilings);
    machine_.clock.core = estimate_from<Hertz>(std::move(clocks));
    machine_.clock.tsc_hertz = runner_.probe().tsc_hertz();
    return std::move(machine_);
  }

  Machine machine_;
  const Microarchitecture* theory_;
  const Options& options_;
  const std::function<void(const Progress&)>& on_progress_;
  std::uint64_t start_;
  Runner runner_;
  std::vector<PlannedKernel> planned_;
  Scheduler scheduler_{{}, 1};
  std::vector<Measured> measured_;                           ///< for each planned kernel
  std::map<unsigned, std::vector<double>> quickest_bursts_;  ///< of each visit, by threads
  std::vector<std::string> unconfirmed_;
  bool clock_probe_holds_ = true;
};

}  // namespace

Result<Machine> characterise(Machine description, const Microarchitecture* theory,
                             const Options& options,
                             const std::function<void(const Progress&)>& on_progress) {
  if (auto fine = check(description, options, platform::simd_support()); !fine) {
    return tl::make_unexpected(fine.error());
  }
  auto hardware = platform::read_hardware(platform::allowed_cpus());
  if (!hardware) {
    return tl::make_unexpected(hardware.error());
  }
  if (theory != nullptr) {
    apply_policies(description, *theory);
  }
  return Campaign(std::move(description), theory, options, on_progress, std::move(*hardware)).run();
}

}  // namespace ridge::bench
