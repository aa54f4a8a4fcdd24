#include "bench/characterise.hpp"

#include <algorithm>
#include <map>
#include <string>

#include <fmt/format.h>

#include "bench/ceilings.hpp"
#include "bench/plan.hpp"
#include "bench/runner.hpp"
#include "bench/sweep.hpp"
#include "platform/affinity.hpp"
#include "platform/clock.hpp"
#include "platform/cpu.hpp"
#include "platform/quota.hpp"
#include "platform/topology.hpp"

namespace ridge::bench {
namespace {

/// Every kernel is sampled in so many rounds, so that a disturbance of some seconds does not take
/// all samples of any one.
constexpr unsigned kRounds = 6;
constexpr double kSamplingShare = 0.8;  ///< of the budget; the rest is memory, code and sweep
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
    for (const PlannedKernel& planned : planned_) {
      budget_left_ += planned.budget;
      runner_.reserve(planned.threads, planned.set_bytes);
    }
  }

  Result<Machine> run() {
    clock_probe_holds_ = runner_.probe().check().holds();
    if (auto swept = sweep(); !swept) {
      return tl::make_unexpected(swept.error());
    }
    for (unsigned round = 0; round < kRounds; ++round) {
      for (std::size_t i = 0; i < planned_.size(); ++i) {
        if (on_progress_) {
          on_progress_({round * planned_.size() + i, kRounds * planned_.size(), planned_[i].id});
        }
        if (auto sampled = sample(planned_[i]); !sampled) {
          return tl::make_unexpected(sampled.error());
        }
      }
    }
    return finish();
  }

 private:
  [[nodiscard]] Seconds elapsed() const {
    const auto ticks = static_cast<double>(platform::ticks_after() - start_);
    return Seconds{ticks / runner_.probe().tsc_hertz()};
  }

  /// The widest instruction set's loads on one thread, at any set size.
  Result<void> sweep() {
    const auto loads = std::find_if(planned_.rbegin(), planned_.rend(), [](const auto& planned) {
      return planned.threads == 1 && planned.kernel->name == "load";
    });
    if (loads == planned_.rend()) {
      return {};  // one thread was not asked for
    }
    return unconfirmed_levels(
               machine_.caches,
               [&](std::uint64_t bytes) -> Result<BytesPerSecond> {
                 PlannedKernel point = *loads;
                 point.set_bytes = bytes;
                 point.sample_time = Seconds{100e-6};
                 point.id = fmt::format("sweep.{}", bytes);
                 return runner_.run(point, kSweepPointBudget).map([](const Measured& measured) {
                   const auto rate = estimate_from<BytesPerSecond>(measured.rates);
                   return rate ? rate->p90 : BytesPerSecond{};
                 });
               })
        .map([&](std::vector<std::string> levels) { unconfirmed_ = std::move(levels); });
  }

  /// One round of one kernel. When time runs out, all that is left is shortened alike.
  Result<void> sample(const PlannedKernel& planned) {
    const Seconds wanted = planned.budget / kRounds;
    const double time_left = (options_.budget - elapsed()).value();
    const double pace = std::clamp(time_left / std::max(budget_left_.value(), 1e-6), 0.05, 1.0);
    budget_left_ -= wanted;
    return runner_.run(planned, wanted * pace).map([&](const Measured& measured) {
      measured_[planned.id].append(measured);
    });
  }

  Result<Machine> finish() {
    const CeilingContext context{machine_, theory_, unconfirmed_, runner_.huge_pages_granted(),
                                 clock_probe_holds_};
    std::vector<Ceiling> ceilings;
    std::vector<double> clocks;
    for (const PlannedKernel& planned : planned_) {
      const Measured& measured = measured_[planned.id];
      const auto loop = runner_.loop_work(planned);
      if (!loop) {
        return tl::make_unexpected(loop.error());
      }
      ceilings.push_back(make_ceiling(planned, *loop, measured, context));
      clocks.insert(clocks.end(), measured.clocks.begin(), measured.clocks.end());
      if (options_.on_samples) {
        options_.on_samples(
            {ceilings.back(), measured.rates, measured.clocks, measured.thrown_away});
      }
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
  Seconds budget_left_{};
  std::map<std::string, Measured> measured_;
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
