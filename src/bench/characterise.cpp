#include "bench/characterise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "bench/campaign.hpp"
#include "bench/ceilings.hpp"
#include "bench/modes.hpp"
#include "bench/notes.hpp"
#include "bench/numa.hpp"
#include "bench/passes.hpp"
#include "bench/plan.hpp"
#include "bench/quiet_wait.hpp"
#include "bench/roof_survey.hpp"
#include "bench/siblings.hpp"
#include "bench/sustain.hpp"
#include "bench/sweep.hpp"
#include "platform/affinity.hpp"
#include "platform/clock.hpp"
#include "platform/conditions.hpp"
#include "platform/cpu.hpp"
#include "platform/quota.hpp"
#include "platform/topology.hpp"

namespace ridge::bench {
namespace {

constexpr double kSamplingShare = 0.8;  ///< of the budget; the rest is memory, code and sweep
constexpr Seconds kSweepPointBudget{0.01};
constexpr Seconds kHold{6.0};  ///< of sustained rates: power limits act within seconds

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

tl::unexpected<Error> nothing_measured(bool stopped) {
  return stopped ? fail(ErrorCode::unavailable, "stopped before anything was measured",
                        "a first value of every ceiling takes some seconds")
                 : fail(ErrorCode::unavailable, "no ceiling: the threads never ran at once",
                        "other programs or guests hold a CPU: measure again without them");
}

Result<void> check(const Machine& machine, const Options& options,
                   const platform::SimdSupport& simd) {
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

class Characterisation {
 public:
  Characterisation(Machine machine, const Microarchitecture* theory, const Options& options,
                   const std::function<void(const Progress&)>& on_progress,
                   platform::Hardware hardware, Waited waited)
      : machine_(std::move(machine)),
        theory_(theory),
        options_(options),
        limits_(limits_of(options.effort)),
        on_progress_(on_progress),
        start_(platform::ticks_before()),
        hardware_(std::move(hardware)),
        waited_(waited),
        runner_(hardware_.placement, platform::ClockProbe(platform::calibrate_tsc())) {
    limits_.wall = options.budget.value_or(limits_.wall);
  }

  Result<Machine> run() {
    return prepare()
        .and_then([&] { return sweep(); })
        .and_then([&] { return plan_roofs(); })
        .and_then([&] { return take_samples(); })
        .and_then([&] { return hold(); })
        .and_then([&] { return look_at_siblings(); })
        .and_then([&] { return look_at_nodes(); })
        .and_then([&] { return finish(); });
  }

 private:
  [[nodiscard]] Seconds elapsed() const {
    const auto ticks = static_cast<double>(platform::ticks_after() - start_);
    return Seconds{ticks / runner_.probe().tsc_hertz()};
  }
  /// Of one pair of nodes.
  [[nodiscard]] Seconds node_budget() const {
    constexpr double kShare = 0.05;
    return std::min(Seconds{0.3}, kShare * limits_.wall / std::max<std::size_t>(1, probes_.size()));
  }
  /// When the passes have to be over.
  [[nodiscard]] Seconds passes_end() const {
    const auto held = static_cast<double>(campaign_.sustained.size());
    const auto pairs = static_cast<double>(probes_.size());
    return limits_.wall -
           std::min(held * 1.1 * kHold + pairs * 2.0 * node_budget(), 0.5 * limits_.wall);
  }
  [[nodiscard]] bool stopped() {
    stopped_ = stopped_ || (options_.stop && options_.stop());
    return stopped_;
  }

  void show_progress(const std::string& what) const {
    if (on_progress_) {
      const auto total = static_cast<std::size_t>(limits_.wall.value() * 1e3) + 1;
      const auto done = static_cast<std::size_t>(elapsed().value() * 1e3);
      const double left = std::max(0.0, limits_.wall.value() - elapsed().value());
      on_progress_({std::min(done, total - 1), total,
                    fmt::format("{}, at most {:.0f} s left", what, std::ceil(left))});
    }
  }

  Result<void> prepare() {
    const std::uint64_t known = platform::available_memory_bytes();  // 0: it is not
    const std::uint64_t free =
        std::min(known > 0 ? known : std::numeric_limits<std::uint64_t>::max(),
                 platform::address_space_left());
    PlanOptions plan_options{.effort = options_.effort,
                             .thread_counts = options_.thread_counts,
                             .simd = platform::simd_support(),
                             .last_level_caches = hardware_.last_level_caches,
                             .memory_bytes = 0};
    // Each number of threads has memory of its own; beyond the quick effort one more each for
    // strides and gathers, and for pointer chains on small pages.
    const std::uint64_t shares =
        thread_counts(machine_, plan_options).size() * (options_.effort == Effort::quick ? 1 : 3);
    plan_options.memory_bytes = std::max<std::uint64_t>(1, free / 4 * 3 / shares);
    memory_bytes_ = plan_options.memory_bytes;
    auto chosen = choose(machine_, plan_options, options_.only);
    if (!chosen) {
      return tl::make_unexpected(chosen.error());
    }
    campaign_ = std::move(*chosen);
    if (campaign_.numa) {
      probes_ = plan_numa(hardware_.nodes);
    }
    for (const PlannedKernel& planned : campaign_.ceilings) {
      runner_.reserve(planned.threads, planned.set_bytes);
    }
    if (options_.on_outline) {
      const auto ceilings =
          std::count_if(campaign_.ceilings.begin(), campaign_.ceilings.end(),
                        [](const PlannedKernel& planned) { return !planned.kernel->free_adds; });
      options_.on_outline({static_cast<std::size_t>(ceilings), campaign_.roofs.size(),
                           campaign_.sustained.size(), limits_.wall});
    }
    clock_probe_holds_ = runner_.probe().check().holds();
    return {};
  }

  [[nodiscard]] Result<double> quick_rate(const PlannedKernel& planned, Seconds budget) {
    return runner_.run({{&planned, budget}}).map([](const std::vector<Measured>& measured) {
      const auto rate = estimate_from<BytesPerSecond>(measured.front().rates);
      return rate ? rate->p90.value() : 0.0;
    });
  }

  /// The widest instruction set's loads on one thread, at any set size.
  Result<void> sweep() {
    const auto& planned = campaign_.ceilings;
    const auto loads = std::find_if(planned.rbegin(), planned.rend(), [](const auto& kernel) {
      return kernel.threads == 1 && kernel.kernel->is(Pattern::load);
    });
    if (loads == planned.rend()) {
      return {};  // one thread was not asked for
    }
    return unconfirmed_levels(machine_.caches,
                              [&](std::uint64_t bytes) -> Result<BytesPerSecond> {
                                if (stopped() || bytes > memory_bytes_) {
                                  return BytesPerSecond{};  // not known, so not confirmed
                                }
                                PlannedKernel point = *loads;
                                point.set_bytes = bytes;
                                point.sample_time = Seconds{100e-6};
                                point.id = fmt::format("sweep.{}", bytes);
                                return quick_rate(point, kSweepPointBudget).map([](double rate) {
                                  return BytesPerSecond{rate};
                                });
                              })
        .map([&](std::vector<std::string> levels) { unconfirmed_ = std::move(levels); });
  }

  Result<void> plan_roofs() {
    if (!campaign_.roofs.empty()) {
      show_progress("looking for the knees of the roofs");
    }
    roofs_ = RoofSurvey(campaign_.roofs, machine_);
    return roofs_.look(runner_, [&] { return stopped(); });
  }

  Result<void> take_samples() {
    std::vector<PlannedKernel> planned = campaign_.ceilings;
    planned.insert(planned.end(), roofs_.points().begin(), roofs_.points().end());
    share_budget(planned, (passes_end() - elapsed()) * kSamplingShare, limits_.most_per_weight);
    std::vector<std::string> levels;
    for (const Cache& cache : machine_.caches) {
      levels.push_back(cache.level);
    }
    passes_.emplace(std::move(planned), std::move(levels), limits_.passes);
    const auto take = [&](const std::vector<Turn>& turns, const std::function<bool()>& stop) {
      return runner_.run(turns, stop);
    };
    return passes_
        ->run(take, {.stop = [&] { return stopped(); },
                     .out_of_time = [&] { return elapsed() >= passes_end(); },
                     .on_turn =
                         [&] {
                           show_progress(fmt::format("{} of {} known well enough",
                                                     passes_->settled(), passes_->size()));
                         }})
        .and_then([&] { return repeat_those_apart(take); });
  }

  /// For a quarter of the time that was granted, beyond it.
  Result<void> repeat_those_apart(const Passes::TakeTurns& take) {
    const Seconds end = elapsed() + std::min(Seconds{15.0}, 0.25 * limits_.wall);
    return passes_->repeat_apart(
        take, {.stop = [&] { return stopped(); },
               .out_of_time = [&] { return elapsed() >= end; },
               .on_turn =
                   [&] {
                     show_progress(fmt::format("{} again, whose threads did not run at once",
                                               passes_->apart().size()));
                   }});
  }

  Result<void> hold() {
    for (const PlannedKernel& planned : campaign_.sustained) {
      if (stopped()) {
        break;
      }
      show_progress(fmt::format("holding {} for {:.0f} s", planned.id, kHold.value()));
      auto sustained = sustain(runner_, planned, kHold, [&] { return stopped(); });
      if (!sustained) {
        return tl::make_unexpected(sustained.error());
      }
      if (*sustained) {
        machine_.sustained.push_back(std::move(**sustained));
      }
    }
    return {};
  }

  Result<void> look_at_siblings() {
    constexpr Seconds kLook{0.05};
    if (!campaign_.siblings || hardware_.siblings.size() < 2) {
      return {};
    }
    const Isa widest = widest_isa(platform::simd_support());
    for (const PlannedKernel& planned : campaign_.ceilings) {
      if (!is_of_siblings(planned, widest) || stopped()) {
        continue;
      }
      auto measured = measure_siblings(planned, hardware_.siblings, runner_.probe(), kLook);
      if (!measured) {
        return tl::make_unexpected(measured.error());
      }
      if (*measured) {
        machine_.siblings.push_back(std::move(**measured));
      }
    }
    return {};
  }

  /// A pair that the system does not let us look at is left out and noted.
  Result<void> look_at_nodes() {
    const auto kernels =
        numa_kernels(campaign_.ceilings, machine_, widest_isa(platform::simd_support()));
    if (probes_.size() == 1) {
      return {};  // that is what the ceilings of memory say
    }
    for (const NumaProbe& probe : probes_) {
      if (!kernels || stopped()) {
        break;
      }
      show_progress(fmt::format("node {} to {}", probe.cpu_node, probe.memory_node));
      auto entry = measure_numa(probe, *kernels, true, runner_.probe(), node_budget());
      if (entry) {
        machine_.numa.push_back(std::move(*entry));
      } else {
        node_error_ = entry.error().message;
      }
    }
    return {};
  }

  Result<void> add_ceiling(std::size_t index, const CeilingContext& context) {
    const PlannedKernel& planned = passes_->planned()[index];
    const auto loop = runner_.loop_work(planned);
    if (!loop) {
      return tl::make_unexpected(loop.error());
    }
    const Sorted by_quiet = passes_->sorted(index);
    Ceiling ceiling = make_ceiling(planned, *loop, by_quiet.kept, context);
    ceiling.modes = modes_of(by_quiet.kept, passes_->scale_of(planned));
    if (!ceiling.modes.empty()) {
      ceiling.flags.emplace_back(flag::kBimodal);
    }
    if (!passes_->is_known(planned, by_quiet)) {
      ceiling.flags.emplace_back(flag::kDisturbed);
    }
    clocks_.insert(clocks_.end(), by_quiet.kept.clocks.begin(), by_quiet.kept.clocks.end());
    if (const auto place = add_better_form(machine_.ceilings, planned, std::move(ceiling))) {
      made_from_.resize(machine_.ceilings.size());
      made_from_[*place] = index;
    }
    return {};
  }

  void show_samples() const {
    for (std::size_t i = 0; options_.on_samples && i < made_from_.size(); ++i) {
      const Sorted by_quiet = passes_->sorted(made_from_[i]);
      options_.on_samples(
          {machine_.ceilings[i], passes_->samples(made_from_[i]), by_quiet.quiet, by_quiet.kept});
    }
  }

  Result<Machine> finish() {
    const CeilingContext context{machine_,           theory_,
                                 unconfirmed_,       runner_.huge_pages_granted(),
                                 clock_probe_holds_, runner_.probe().uncertainty()};
    for (std::size_t i = 0; i < campaign_.ceilings.size(); ++i) {
      if (passes_->samples(i).rates.empty()) {
        continue;  // stopped before its first visit, or its threads never ran at once
      }
      if (auto added = add_ceiling(i, context); !added) {
        return tl::make_unexpected(added.error());
      }
    }
    show_samples();
    auto roofs = roofs_.measured(runner_, *passes_);
    if (!roofs) {
      return tl::make_unexpected(roofs.error());
    }
    machine_.measured_roofs = std::move(*roofs);
    if (machine_.ceilings.empty()) {
      return nothing_measured(stopped_);
    }
    if (probes_.size() == 1) {
      machine_.numa = only_node(probes_.front(), machine_);
    }
    machine_.clock.core = estimate_from<Hertz>(std::move(clocks_));
    machine_.clock.tsc_hertz = runner_.probe().tsc_hertz();
    machine_.clock.uncertainty = runner_.probe().uncertainty();
    machine_.effort = std::string(to_string(options_.effort));
    machine_.incomplete = stopped_;
    machine_.notes = notes_of(conditions(), machine_);
    return std::move(machine_);
  }

  [[nodiscard]] Conditions conditions() const {
    std::vector<const Measured*> rows;
    for (std::size_t i = 0; i < passes_->size(); ++i) {
      rows.push_back(&passes_->samples(i));
    }
    return {.allowed_cpus = static_cast<unsigned>(hardware_.placement.size()),
            .online_cpus = platform::online_cpus(),
            .quota = platform::cpu_quota(),
            .before = cpu_times_before_,
            .after = platform::cpu_times(hardware_.placement),
            .huge_pages = runner_.huge_pages_granted(),
            .sysfs = platform::has_sysfs(),
            .theory = theory_ != nullptr,
            .too_large = campaign_.too_large,
            .clock_drift = clock_drift(rows),
            .node_error = node_error_,
            .apart = ceilings_apart(campaign_.ceilings, *passes_, machine_),
            .waited = waited_};
  }

  Machine machine_;
  const Microarchitecture* theory_;
  const Options& options_;
  EffortLimits limits_;
  const std::function<void(const Progress&)>& on_progress_;
  std::uint64_t start_;
  platform::Hardware hardware_;
  Waited waited_;
  Runner runner_;
  std::optional<platform::CpuTimes> cpu_times_before_ = platform::cpu_times(hardware_.placement);
  Campaign campaign_;
  std::vector<NumaProbe> probes_;
  std::optional<std::string> node_error_;
  RoofSurvey roofs_;
  std::optional<Passes> passes_;
  std::vector<double> clocks_;
  std::vector<std::size_t> made_from_;  ///< by ceiling: the planned kernel
  std::vector<std::string> unconfirmed_;
  std::uint64_t memory_bytes_ = 0;  ///< most that one number of threads may take
  bool clock_probe_holds_ = true;
  bool stopped_ = false;
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
  Waited waited;
  if (options.quiet_limit) {
    const auto progress = [&](const std::string& what) {
      if (on_progress) {
        on_progress({0, 1, what});
      }
    };
    waited =
        wait_for_quiet(*options.quiet_limit, hooks_of(hardware->placement, options.stop, progress));
  }
  return Characterisation(std::move(description), theory, options, on_progress,
                          std::move(*hardware), waited)
      .run();
}

}  // namespace ridge::bench
