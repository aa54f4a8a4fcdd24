#include "bench/beside_ceilings.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "bench/siblings.hpp"
#include "bench/sustain.hpp"
#include "platform/cpu.hpp"

namespace ridge::bench {
namespace {

constexpr Seconds kHold{6.0};  ///< of sustained rates: power limits act within seconds

/// Of one pair of so many.
Seconds pair_budget(std::size_t pairs, Seconds wall) {
  constexpr double kShare = 0.05;
  return std::min(Seconds{0.3}, kShare * wall / std::max<std::size_t>(1, pairs));
}

Result<std::vector<Sustained>> hold(Runner& runner, const Campaign& campaign, WallBudget& budget) {
  std::vector<Sustained> held;
  for (const PlannedKernel& planned : campaign.sustained) {
    if (budget.must_stop()) {
      break;
    }
    budget.show_progress(fmt::format("holding {} for {:.0f} s", planned.id, kHold.value()));
    auto sustained = sustain(runner, planned, kHold, [&] { return budget.must_stop(); });
    if (!sustained) {
      return tl::make_unexpected(sustained.error());
    }
    if (*sustained) {
      held.push_back(std::move(**sustained));
    }
  }
  return held;
}

Result<std::vector<Siblings>> look_at_siblings(const Runner& runner, const Campaign& campaign,
                                               const std::vector<unsigned>& cpus,
                                               WallBudget& budget) {
  constexpr Seconds kLook{0.05};
  std::vector<Siblings> together;
  if (!campaign.siblings || cpus.size() < 2) {
    return together;
  }
  const Isa widest = widest_isa(platform::simd_support());
  for (const PlannedKernel& planned : campaign.ceilings) {
    if (!is_of_siblings(planned, widest) || budget.must_stop()) {
      continue;
    }
    auto measured = measure_siblings(planned, cpus, runner.probe(), kLook);
    if (!measured) {
      return tl::make_unexpected(measured.error());
    }
    if (*measured) {
      together.push_back(std::move(**measured));
    }
  }
  return together;
}

struct NodePairs {
  std::vector<NumaEntry> measured;
  std::optional<std::string> error;
};

NodePairs look_at_nodes(const Runner& runner, const Campaign& campaign,
                        const std::vector<NumaProbe>& pairs, const Machine& machine,
                        WallBudget& budget) {
  NodePairs looks;
  if (pairs.size() == 1) {
    return looks;
  }
  const auto kernels =
      numa_kernels(campaign.ceilings, machine, widest_isa(platform::simd_support()));
  for (const NumaProbe& pair : pairs) {
    if (!kernels || budget.must_stop()) {
      break;
    }
    budget.show_progress(fmt::format("node {} to {}", pair.cpu_node, pair.memory_node));
    auto entry = measure_numa(pair, *kernels, true, runner.probe(),
                              pair_budget(pairs.size(), budget.wall()));
    if (entry) {
      looks.measured.push_back(std::move(*entry));
    } else {
      looks.error = entry.error().message;
    }
  }
  return looks;
}

}  // namespace

Seconds time_beside_ceilings(const Campaign& campaign, const std::vector<NumaProbe>& pairs,
                             Seconds wall) {
  const auto held = static_cast<double>(campaign.sustained.size());
  const auto looks = static_cast<double>(pairs.size());
  return std::min(held * 1.1 * kHold + looks * 2.0 * pair_budget(pairs.size(), wall), 0.5 * wall);
}

Result<BesideCeilings> measure_beside_ceilings(Runner& runner, const Campaign& campaign,
                                               const Together& together, const Machine& machine,
                                               WallBudget& budget) {
  auto sustained = hold(runner, campaign, budget);
  if (!sustained) {
    return tl::make_unexpected(sustained.error());
  }
  auto siblings = look_at_siblings(runner, campaign, together.siblings, budget);
  if (!siblings) {
    return tl::make_unexpected(siblings.error());
  }
  NodePairs nodes = look_at_nodes(runner, campaign, together.node_pairs, machine, budget);
  return BesideCeilings{std::move(*sustained), std::move(*siblings), std::move(nodes.measured),
                        std::move(nodes.error)};
}

}  // namespace ridge::bench
