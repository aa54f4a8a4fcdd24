#include "bench/campaign.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "bench/numa.hpp"
#include "bench/selection.hpp"
#include "bench/siblings.hpp"

namespace ridge::bench {
namespace {

/// A roof needs its two ceilings: asked for by its own word, it brings them along.
bool belongs_to_a_roof(const PlannedKernel& kernel, const std::vector<RoofPlan>& roofs,
                       const Selection& selection) {
  return selection.names(Part::roof) &&
         std::any_of(roofs.begin(), roofs.end(), [&](const RoofPlan& roof) {
           return selection.wants_level(*roof.bandwidth.level) &&
                  (roof.bandwidth.id == kernel.id || roof.compute.id == kernel.id);
         });
}

/// The two ends of the chart: no loop takes more power than the one, none is used by more programs
/// than the other.
std::vector<PlannedKernel> to_hold(const Machine& machine, const std::vector<RoofPlan>& roofs) {
  std::vector<PlannedKernel> held;
  for (const RoofPlan& roof : roofs) {
    const bool memory =
        std::none_of(machine.caches.begin(), machine.caches.end(),
                     [&](const Cache& cache) { return cache.level == roof.bandwidth.level; });
    if (memory && roof.compute.threads == machine.topology->threads) {
      held = {roof.compute, roof.bandwidth};
    }
  }
  return held;
}

bool is_part(Part part, Effort effort, const Selection& selection) {
  return selection.names(part) || (selection.everything() && effort != Effort::quick);
}

bool contains(const std::vector<PlannedKernel>& kernels, const std::string& id) {
  return std::any_of(kernels.begin(), kernels.end(),
                     [&](const PlannedKernel& kernel) { return kernel.id == id; });
}

}  // namespace

Result<Campaign> choose(const Machine& machine, const PlanOptions& options,
                        const std::vector<std::string>& only) {
  PlanOptions wanted = options;
  wanted.integers = integers_of(only);
  Plan all = plan(machine, wanted);
  const auto selection = Selection::parse(only, all.kernels);
  if (!selection) {
    return tl::make_unexpected(selection.error());
  }
  const Isa widest = widest_isa(options.simd);
  const auto all_roofs = roofs_of(all.kernels, widest);
  const auto all_held = to_hold(machine, all_roofs);
  const auto all_nodes = numa_kernels(all.kernels, machine, widest);
  Campaign campaign;
  campaign.too_large = std::move(all.too_large);
  campaign.numa = is_part(Part::numa, options.effort, *selection);
  campaign.siblings = is_part(Part::siblings, options.effort, *selection);
  std::copy_if(all.kernels.begin(), all.kernels.end(), std::back_inserter(campaign.ceilings),
               [&](const PlannedKernel& kernel) {
                 return selection->wants(kernel) ||
                        belongs_to_a_roof(kernel, all_roofs, *selection) ||
                        (selection->names(Part::sustained) && contains(all_held, kernel.id)) ||
                        (selection->names(Part::numa) && all_nodes &&
                         (all_nodes->load.id == kernel.id ||
                          (all_nodes->latency && all_nodes->latency->id == kernel.id))) ||
                        (selection->names(Part::siblings) && is_of_siblings(kernel, widest));
               });
  if (campaign.ceilings.empty()) {
    return fail(ErrorCode::usage,
                fmt::format("--only {}: no ceiling is all of that", fmt::join(only, ",")),
                "words of one kind (L1,L2) are alternatives; others restrict one another");
  }
  if (options.effort != Effort::quick || selection->names(Part::roof)) {
    campaign.roofs = roofs_of(campaign.ceilings, widest);
    std::erase_if(campaign.roofs, [&](const RoofPlan& roof) {
      return roof.bandwidth.threads != 1 && options.effort != Effort::full;
    });
  }
  if (options.effort == Effort::full || selection->names(Part::sustained)) {
    std::copy_if(
        all_held.begin(), all_held.end(), std::back_inserter(campaign.sustained),
        [&](const PlannedKernel& kernel) { return contains(campaign.ceilings, kernel.id); });
  }
  return campaign;
}

}  // namespace ridge::bench
