#include "predict/model/ecm.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "predict/model/added_time.hpp"
#include "predict/model/loop_region.hpp"
#include "predict/roof/ceilings.hpp"
#include "predict/roof/limits.hpp"
#include "predict/roof/saturation.hpp"

namespace ridge::predict {
namespace {

std::optional<double> performance_of(const LoopModel& model, double iterations_per_second) {
  const double flops = flops_of(model);
  return flops > 0.0 ? std::optional(flops * iterations_per_second) : std::nullopt;
}

/// T_OL holds what the ports of the arithmetic alone do not say: chains and the front end. They
/// count where the whole takes longer than loads and stores.
std::pair<double, double> core_cycles(const InCoreModel& core) {
  const double whole = core.cycles / core.iterations_per_pass;
  const double transferring = core.transferring_cycles / core.iterations_per_pass;
  const double overlapping = core.overlapping_cycles / core.iterations_per_pass;
  constexpr double kRounding = 1e-9;
  const bool more = whole > transferring * (1.0 + kRounding);
  return {more ? std::max(overlapping, whole) : overlapping, transferring};
}

/// Ceilings of the least threads that were measured, and what they mean for one core.
class OneCore {
 public:
  OneCore(const CeilingIndex& ceilings, double clock) : clock_(clock) {
    if (const auto choice = choose_threads(ceilings, 1)) {
      threads_ = choice->used;
    }
  }
  [[nodiscard]] unsigned threads() const { return threads_; }
  /// Of an iteration. Threads share the time of a region among themselves.
  [[nodiscard]] double cycles(const Limit& limit) const {
    return limit.seconds * threads_ * clock_ / kRegionIterations;
  }

 private:
  double clock_;
  unsigned threads_ = 1;
};

EcmTransfer transfer_of(const Region& region, Level level, const CeilingIndex& ceilings,
                        const OneCore& core) {
  EcmTransfer transfer;
  transfer.level = level;
  if (!region.traffic.contains(level)) {
    transfer.missing = "its traffic is not known";
    return transfer;
  }
  const Traffic traffic = boundary_traffic(region, level, ceilings.machine());
  if (traffic.total() == 0) {
    transfer.cycles = 0.0;  // nothing crosses: known, and not a stand-in
    return transfer;
  }
  std::vector<Note> unused;  // the roofline says the same
  const auto limit = boundary_limit(traffic, level, ceilings, core.threads(), unused);
  if (!limit) {
    transfer.missing = "its bandwidth was not measured";
    return transfer;
  }
  transfer.cycles = core.cycles(*limit);
  transfer.ceiling = limit->ceiling;
  return transfer;
}

/// L1, then every level up to the first transfer that is not known.
std::vector<EcmLevel> levels_from(const EcmModel& ecm, const LoopModel& model, double clock) {
  std::vector<EcmLevel> levels;
  std::vector<double> crossed;
  const auto add = [&](Level level) {
    const double cycles =
        ecm_cycles(ecm.overlap, ecm.overlapping_cycles, ecm.transferring_cycles, crossed);
    levels.push_back({level, cycles, {}});
    if (cycles > 0.0) {
      levels.back().performance = performance_of(model, clock / cycles);
    }
  };
  add(Level::L1);
  for (const EcmTransfer& transfer : ecm.transfers) {
    if (!transfer.cycles) {
      break;
    }
    crossed.push_back(*transfer.cycles);
    add(transfer.level);
  }
  return levels;
}

/// Powers of two, the fewest that saturate the memory, and all cores.
std::set<unsigned> counts_to_show(unsigned cores, unsigned saturating) {
  std::set<unsigned> counts{cores};
  for (unsigned threads = 1; threads < cores; threads *= 2) {
    counts.insert(threads);
  }
  if (saturating <= cores) {
    counts.insert(saturating);
  }
  return counts;
}

/// P(n) = min(n P(1), roof). Nothing where the memory is not known, or is not asked of anything.
void add_scaling(EcmModel& ecm, const LoopModel& model, const Region& region,
                 const CeilingIndex& ceilings, double clock) {
  const Machine& machine = ceilings.machine();
  const Level memory = memory_level(machine);
  if (ecm.levels.back().level != memory || ecm.levels.back().cycles <= 0.0) {
    return;
  }
  std::vector<Note> unused;
  const auto full = boundary_limit(boundary_traffic(region, memory, machine), memory, ceilings,
                                   ceilings.threads().back(), unused);
  if (!full) {
    return;
  }
  ecm.saturated_cycles = full->seconds * clock / kRegionIterations;
  const double one_core = clock / ecm.levels.back().cycles;
  const double roof = clock / *ecm.saturated_cycles;
  ecm.saturating_threads = saturating_cores(one_core, roof);
  const unsigned cores = machine.topology ? machine.topology->cores : most_threads(machine);
  for (const unsigned threads : counts_to_show(std::max(cores, 1U), *ecm.saturating_threads)) {
    const double rate = saturated_bandwidth(one_core, roof, threads);
    ecm.scaling.push_back({threads, rate, performance_of(model, rate)});
  }
}

}  // namespace

double ecm_cycles(OverlapRule rule, double overlapping, double transferring,
                  std::span<const double> transfers) {
  const double sum = std::accumulate(transfers.begin(), transfers.end(), transferring);
  switch (rule) {
    case OverlapRule::nothing:
      return overlapping + sum;
    case OverlapRule::arithmetic:
      return std::max(overlapping, sum);
    case OverlapRule::everything:
      break;
  }
  const double slowest = transfers.empty() ? 0.0 : *std::ranges::max_element(transfers);
  return std::max({overlapping, transferring, slowest});
}

OverlapRule overlap_of(const Microarchitecture* cpu, std::vector<Note>& notes) {
  if (cpu != nullptr && cpu->overlap) {
    return *cpu->overlap;
  }
  add_note(
      notes, "overlap-assumed",
      "no source says which transfers overlap on this core: the rule of Intel's cores is taken");
  return OverlapRule::arithmetic;
}

EcmModel ecm_of(const LoopModel& model, const CeilingIndex& ceilings, OverlapRule rule,
                double clock) {
  const Machine& machine = ceilings.machine();
  const Region region = region_of(model, machine);
  const OneCore core(ceilings, clock);
  EcmModel ecm;
  ecm.overlap = rule;
  std::tie(ecm.overlapping_cycles, ecm.transferring_cycles) = core_cycles(*model.in_core);
  // Where boundaries work at the same time, a measured rate is that of the slowest: its own.
  const Machine added =
      rule == OverlapRule::everything ? Machine{} : added_ceilings(ceilings, core.threads());
  const CeilingIndex of_added(added);
  const CeilingIndex& each = rule == OverlapRule::everything ? ceilings : of_added;
  for (const Level level : levels_of(machine)) {
    if (level != Level::L1) {
      ecm.transfers.push_back(transfer_of(region, level, each, core));
    }
  }
  ecm.levels = levels_from(ecm, model, clock);
  add_scaling(ecm, model, region, ceilings, clock);
  return ecm;
}

}  // namespace ridge::predict
