#include "bench/characterise.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "bench/beside_ceilings.hpp"
#include "bench/campaign.hpp"
#include "bench/ceilings.hpp"
#include "bench/modes.hpp"
#include "bench/notes.hpp"
#include "bench/numa.hpp"
#include "bench/passes.hpp"
#include "bench/plan.hpp"
#include "bench/quiet_wait.hpp"
#include "bench/roof_survey.hpp"
#include "bench/sweep.hpp"
#include "bench/wall_budget.hpp"
#include "platform/affinity.hpp"
#include "platform/clock.hpp"
#include "platform/conditions.hpp"
#include "platform/cpu.hpp"
#include "platform/quota.hpp"
#include "platform/topology.hpp"

namespace ridge::bench {
namespace {

constexpr double kSamplingShare = 0.8;  ///< of the budget; the rest is memory, code and sweep

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
    if (threads == 0 || threads > machine.topology->threads) {
      return fail(ErrorCode::usage, fmt::format("cannot measure with {} threads", threads),
                  fmt::format("this process may use 1 to {}", machine.topology->threads));
    }
  }
  if (!is_supported(Isa::scalar, simd)) {
    return fail(ErrorCode::unavailable, "this CPU has no AVX instructions",
                "give ridge a machine file with --machine FILE");
  }
  return {};
}

/// What is measured.
struct Subject {
  Machine machine;                            ///< as the system describes it
  const Microarchitecture* theory = nullptr;  ///< null: unknown
  platform::Hardware hardware;
};

/// How much of it is measured, in how much time and memory.
struct Scope {
  Campaign campaign;
  std::vector<NumaProbe> node_pairs;
  EffortLimits limits;
  std::uint64_t memory_bytes = 0;  ///< most that one number of threads may take
};

/// Most that all threads may take of the memory that is free, where everything is measured with
/// `thread_counts` numbers of threads.
std::uint64_t share_of_memory(std::size_t thread_counts, Effort effort) {
  const std::uint64_t known = platform::available_memory_bytes();  // 0: it is not
  const std::uint64_t free = std::min(known > 0 ? known : std::numeric_limits<std::uint64_t>::max(),
                                      platform::address_space_left());
  // Each number of threads has memory of its own; beyond the quick effort one more each for
  // strides and gathers, and for pointer chains on small pages.
  const std::uint64_t shares = thread_counts * (effort == Effort::quick ? 1 : 3);
  return std::max<std::uint64_t>(1, free / 4 * 3 / shares);
}

/// Error: `usage`, as of choose().
Result<Scope> choose_scope(const Subject& subject, const Options& options) {
  PlanOptions plan_options{.effort = options.effort,
                           .thread_counts = options.thread_counts,
                           .simd = platform::simd_support(),
                           .last_level_caches = subject.hardware.last_level_caches,
                           .memory_bytes = 0};
  plan_options.memory_bytes =
      share_of_memory(thread_counts(subject.machine, plan_options).size(), options.effort);
  auto campaign = choose(subject.machine, plan_options, options.only);
  if (!campaign) {
    return tl::make_unexpected(campaign.error());
  }
  Scope scope;
  scope.campaign = std::move(*campaign);
  if (scope.campaign.numa) {
    scope.node_pairs = plan_numa(subject.hardware.nodes);
  }
  scope.limits = limits_of(options.effort);
  scope.limits.wall = options.budget.value_or(scope.limits.wall);
  scope.memory_bytes = plan_options.memory_bytes;
  return scope;
}

Outline outline_of(const Scope& scope) {
  const Campaign& campaign = scope.campaign;
  const auto ceilings =
      std::count_if(campaign.ceilings.begin(), campaign.ceilings.end(),
                    [](const PlannedKernel& planned) { return !planned.kernel->free_adds; });
  return {static_cast<std::size_t>(ceilings), campaign.roofs.size(), campaign.sustained.size(),
          scope.limits.wall};
}

/// The p90 of a short visit, byte/s.
Result<BytesPerSecond> quick_rate(Runner& runner, const PlannedKernel& planned) {
  constexpr Seconds kBudget{0.01};
  return runner.run({{&planned, kBudget}}).map([](const std::vector<Measured>& measured) {
    const auto rate = estimate_from<BytesPerSecond>(measured.front().rates);
    return rate ? rate->p90 : BytesPerSecond{};
  });
}

/// Levels of caches whose size is not seen in the widest instruction set's loads on one thread, at
/// any set size. Empty where one thread was not asked for. Errors: as Runner::run().
Result<std::vector<Level>> sweep(Runner& runner, const Scope& scope,
                                 const std::vector<Cache>& caches, WallBudget& budget) {
  const auto& planned = scope.campaign.ceilings;
  const auto loads = std::find_if(planned.rbegin(), planned.rend(), [](const auto& kernel) {
    return kernel.threads == 1 && kernel.kernel->is(Pattern::load);
  });
  if (loads == planned.rend()) {
    return std::vector<Level>();
  }
  return unconfirmed_levels(caches, [&](std::uint64_t bytes) -> Result<BytesPerSecond> {
    if (budget.must_stop() || bytes > scope.memory_bytes) {
      return BytesPerSecond{};  // not known, so not confirmed
    }
    PlannedKernel point = *loads;
    point.set_bytes = bytes;
    point.sample_time = Seconds{100e-6};
    point.id = fmt::format("sweep.{}", bytes);
    return quick_rate(runner, point);
  });
}

/// Errors: as Runner::run().
Result<RoofSurvey> look_for_knees(Runner& runner, const std::vector<RoofPlan>& roofs,
                                  const Machine& machine, WallBudget& budget) {
  if (!roofs.empty()) {
    budget.show_progress("looking for the knees of the roofs");
  }
  RoofSurvey survey(roofs, machine);
  if (auto looked = survey.look(runner, [&] { return budget.must_stop(); }); !looked) {
    return tl::make_unexpected(looked.error());
  }
  return survey;
}

/// For a quarter of the time that was granted, beyond it.
Result<void> repeat_those_apart(Passes& passes, const Passes::TakeTurns& take, WallBudget& budget) {
  const Seconds end = budget.elapsed() + std::min(Seconds{15.0}, 0.25 * budget.wall());
  return passes.repeat_apart(
      take, {.stop = [&] { return budget.must_stop(); },
             .out_of_time = [&] { return budget.elapsed() >= end; },
             .on_turn =
                 [&] {
                   budget.show_progress(fmt::format("{} again, whose threads did not run at once",
                                                    passes.apart().size()));
                 }});
}

/// Visits all of `planned` until `end`, and beyond it those whose threads did not run at once.
/// Errors: as Runner::run().
Result<Passes> take_samples(Runner& runner, std::vector<PlannedKernel> planned,
                            const std::vector<Cache>& caches, const EffortLimits& limits,
                            Seconds end, WallBudget& budget) {
  share_budget(planned, (end - budget.elapsed()) * kSamplingShare, limits.most_per_weight);
  std::vector<Level> levels;
  for (const Cache& cache : caches) {
    levels.push_back(cache.level);
  }
  Passes passes(std::move(planned), std::move(levels), limits.passes);
  const auto take = [&](const std::vector<Turn>& turns, const std::function<bool()>& stop) {
    return runner.run(turns, stop);
  };
  auto taken =
      passes
          .run(take, {.stop = [&] { return budget.must_stop(); },
                      .out_of_time = [&] { return budget.elapsed() >= end; },
                      .on_turn =
                          [&] {
                            budget.show_progress(fmt::format("{} of {} known well enough",
                                                             passes.settled(), passes.size()));
                          }})
          .and_then([&] { return repeat_those_apart(passes, take, budget); });
  if (!taken) {
    return tl::make_unexpected(taken.error());
  }
  return passes;
}

struct Sampled {
  std::vector<Level> unconfirmed;  ///< levels whose size the sweep did not confirm
  RoofSurvey roofs;
  Passes passes;             ///< over the ceilings, then the points of the roofs
  std::size_t ceilings = 0;  ///< so many of the passes' kernels are of ceilings
};

Result<Sampled> sample(Runner& runner, const Scope& scope, const Machine& machine,
                       WallBudget& budget) {
  const Campaign& campaign = scope.campaign;
  auto unconfirmed = sweep(runner, scope, machine.caches, budget);
  if (!unconfirmed) {
    return tl::make_unexpected(unconfirmed.error());
  }
  auto roofs = look_for_knees(runner, campaign.roofs, machine, budget);
  if (!roofs) {
    return tl::make_unexpected(roofs.error());
  }
  std::vector<PlannedKernel> planned = campaign.ceilings;
  planned.insert(planned.end(), roofs->points().begin(), roofs->points().end());
  const Seconds end =
      budget.wall() - time_beside_ceilings(campaign, scope.node_pairs, budget.wall());
  auto passes = take_samples(runner, std::move(planned), machine.caches, scope.limits, end, budget);
  if (!passes) {
    return tl::make_unexpected(passes.error());
  }
  return Sampled{std::move(*unconfirmed), std::move(*roofs), std::move(*passes),
                 campaign.ceilings.size()};
}

struct CeilingsMade {
  std::vector<Ceiling> ceilings;
  std::vector<std::size_t> made_from;  ///< by ceiling: the planned kernel
  std::vector<double> clocks;          ///< Hz, beside all samples that were kept
};

/// Errors: as Runner::loop_work().
Result<CeilingsMade> make_ceilings(Runner& runner, const Sampled& sampled,
                                   const CeilingContext& context) {
  const Passes& passes = sampled.passes;
  CeilingsMade made;
  for (std::size_t index = 0; index < sampled.ceilings; ++index) {
    if (passes.samples(index).rates.empty()) {
      continue;  // stopped before its first visit, or its threads never ran at once
    }
    const PlannedKernel& planned = passes.planned()[index];
    const auto loop = runner.loop_work(planned);
    if (!loop) {
      return tl::make_unexpected(loop.error());
    }
    const Sorted by_quiet = passes.sorted(index);
    Ceiling ceiling = make_ceiling(planned, *loop, by_quiet.kept, context);
    ceiling.modes = modes_of(by_quiet.kept, passes.scale_of(planned));
    if (!ceiling.modes.empty()) {
      ceiling.flags.emplace_back(flag::kBimodal);
    }
    if (!passes.is_known(planned, by_quiet)) {
      ceiling.flags.emplace_back(flag::kDisturbed);
    }
    made.clocks.insert(made.clocks.end(), by_quiet.kept.clocks.begin(), by_quiet.kept.clocks.end());
    if (const auto place = add_better_form(made.ceilings, planned, std::move(ceiling))) {
      made.made_from.resize(made.ceilings.size());
      made.made_from[*place] = index;
    }
  }
  return made;
}

void show_samples(const CeilingsMade& made, const Passes& passes,
                  const std::function<void(const RawSamples&)>& on_samples) {
  for (std::size_t i = 0; on_samples && i < made.made_from.size(); ++i) {
    const Sorted by_quiet = passes.sorted(made.made_from[i]);
    on_samples(
        {made.ceilings[i], passes.samples(made.made_from[i]), by_quiet.quiet, by_quiet.kept});
  }
}

/// The machine of `context` with ceilings, measured roofs and its clock. Errors: as
/// Runner::loop_work().
Result<Machine> with_ceilings(const CeilingContext& context, const Sampled& sampled, Runner& runner,
                              const std::function<void(const RawSamples&)>& on_samples) {
  auto made = make_ceilings(runner, sampled, context);
  if (!made) {
    return tl::make_unexpected(made.error());
  }
  show_samples(*made, sampled.passes, on_samples);
  auto roofs = sampled.roofs.measured(runner, sampled.passes);
  if (!roofs) {
    return tl::make_unexpected(roofs.error());
  }
  Machine machine = context.machine;
  machine.ceilings = std::move(made->ceilings);
  machine.measured_roofs = std::move(*roofs);
  machine.clock.core = estimate_from<Hertz>(std::move(made->clocks));
  machine.clock.tsc_hertz = runner.probe().tsc_hertz();
  machine.clock.uncertainty = runner.probe().uncertainty();
  return machine;
}

/// What the system granted and took away; not what was seen before the first sample, and not why a
/// pair of nodes is absent. `machine`: with its ceilings.
Conditions conditions_of(const Subject& subject, const Scope& scope, const Passes& passes,
                         const Machine& machine) {
  std::vector<const Measured*> rows;
  for (std::size_t i = 0; i < passes.size(); ++i) {
    rows.push_back(&passes.samples(i));
  }
  const std::vector<unsigned>& cpus = subject.hardware.placement;
  return {.allowed_cpus = static_cast<unsigned>(cpus.size()),
          .online_cpus = platform::online_cpus(),
          .quota = platform::cpu_quota(),
          .after = platform::cpu_times(cpus),
          .sysfs = platform::has_sysfs(),
          .theory = subject.theory != nullptr,
          .too_large = scope.campaign.too_large,
          .clock_drift = clock_drift(rows),
          .apart = ceilings_apart(scope.campaign.ceilings, passes, machine)};
}

struct Outcome {
  Machine machine;
  Conditions conditions;  ///< while it was measured
};

/// Errors: as Runner::run(); `unavailable` when there is no ceiling.
Result<Outcome> measure_scope(Runner& runner, const Subject& subject, const Scope& scope,
                              WallBudget& budget,
                              const std::function<void(const RawSamples&)>& on_samples) {
  const bool probe_holds = runner.probe().check().holds();
  const auto sampled = sample(runner, scope, subject.machine, budget);
  if (!sampled) {
    return tl::make_unexpected(sampled.error());
  }
  auto beside =
      measure_beside_ceilings(runner, scope.campaign, {scope.node_pairs, subject.hardware.siblings},
                              subject.machine, budget);
  if (!beside) {
    return tl::make_unexpected(beside.error());
  }
  auto machine =
      with_ceilings({subject.machine, subject.theory, sampled->unconfirmed,
                     runner.huge_pages_granted(), probe_holds, runner.probe().uncertainty()},
                    *sampled, runner, on_samples);
  if (!machine) {
    return tl::make_unexpected(machine.error());
  }
  if (machine->ceilings.empty()) {
    return nothing_measured(budget.stopped());
  }
  machine->sustained = std::move(beside->sustained);
  machine->siblings = std::move(beside->siblings);
  machine->numa = scope.node_pairs.size() == 1 ? only_node(scope.node_pairs.front(), *machine)
                                               : std::move(beside->numa);
  Conditions conditions = conditions_of(subject, scope, sampled->passes, *machine);
  conditions.huge_pages = runner.huge_pages_granted();
  conditions.node_error = std::move(beside->node_error);
  return Outcome{std::move(*machine), std::move(conditions)};
}

/// `waited`: before this. Errors: as characterise().
Result<Machine> measure(const Subject& subject, const Options& options, const Waited& waited,
                        const std::function<void(const Progress&)>& on_progress) {
  const std::uint64_t start = platform::ticks_before();
  Runner runner(subject.hardware.placement, platform::ClockProbe(platform::calibrate_tsc()));
  const auto cpu_times = platform::cpu_times(subject.hardware.placement);
  const auto scope = choose_scope(subject, options);
  if (!scope) {
    return tl::make_unexpected(scope.error());
  }
  for (const PlannedKernel& planned : scope->campaign.ceilings) {
    runner.reserve(planned.threads, planned.set_bytes);
  }
  if (options.on_outline) {
    options.on_outline(outline_of(*scope));
  }
  WallBudget budget(start, runner.probe().tsc_hertz(), scope->limits.wall, options.stop,
                    on_progress);
  auto outcome = measure_scope(runner, subject, *scope, budget, options.on_samples);
  if (!outcome) {
    return tl::make_unexpected(outcome.error());
  }
  auto& [machine, conditions] = *outcome;
  machine.effort = std::string(to_string(options.effort));
  machine.incomplete = budget.stopped();
  conditions.before = cpu_times;
  conditions.waited = waited;
  machine.notes = notes_of(conditions, machine);
  return std::move(machine);
}

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
  const Subject subject{std::move(description), theory, std::move(*hardware)};
  // What is refused is refused before the wait.
  if (const auto scope = choose_scope(subject, options); !scope) {
    return tl::make_unexpected(scope.error());
  }
  Waited waited;
  if (options.quiet_limit) {
    const auto progress = [&](const std::string& what) {
      if (on_progress) {
        on_progress({0, 1, what});
      }
    };
    waited = wait_for_quiet(*options.quiet_limit,
                            hooks_of(subject.hardware.placement, options.stop, progress));
  }
  return measure(subject, options, waited, on_progress);
}

}  // namespace ridge::bench
