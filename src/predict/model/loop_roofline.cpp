#include "predict/model/loop_roofline.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "predict/model/loop_region.hpp"
#include "predict/roof/limits.hpp"

namespace ridge::predict {
namespace {

constexpr std::string_view kArithmetic = "arithmetic";
constexpr std::string_view kInCore = "in-core";

void add_limit(std::vector<LoopLimit>& limits, const std::optional<Limit>& limit) {
  if (limit && limit->seconds > 0.0) {
    limits.push_back({std::string(limit->level ? to_string(*limit->level) : kArithmetic),
                      limit->ceiling, limit->seconds / kRegionIterations});
  }
}

std::optional<LoopRoofline> roofline_from(const LoopModel& model, std::vector<LoopLimit> limits) {
  if (limits.empty()) {
    return std::nullopt;
  }
  const LoopLimit& slowest = *std::ranges::max_element(limits, {}, &LoopLimit::seconds);
  LoopRoofline roofline{slowest.resource, slowest.seconds, {}, {}};
  if (const double flops = flops_of(model); flops > 0.0) {
    roofline.performance = flops / roofline.seconds;
  }
  roofline.limits = std::move(limits);
  return roofline;
}

}  // namespace

std::optional<LoopRoofline> naive_roofline(const LoopModel& model, const CeilingIndex& ceilings,
                                           unsigned threads) {
  const Region region = region_of(model, ceilings.machine());
  const Level memory = memory_level(ceilings.machine());
  std::vector<Note> unused;  // the hierarchical one says what is missing
  std::vector<LoopLimit> limits;
  add_limit(limits, best_mix_limit(known_work(region), ceilings, threads, std::nullopt));
  add_limit(limits, boundary_limit(boundary_traffic(region, memory, ceilings.machine()), memory,
                                   ceilings, threads, unused));
  return roofline_from(model, std::move(limits));
}

std::optional<LoopRoofline> hierarchical_roofline(const LoopModel& model,
                                                  const CeilingIndex& ceilings,
                                                  const Microarchitecture* cpu,
                                                  std::optional<double> clock, unsigned threads,
                                                  std::vector<Note>& notes) {
  const Machine& machine = ceilings.machine();
  const Region region = region_of(model, machine);
  std::vector<LoopLimit> limits;
  if (model.in_core && model.in_core->cycles > 0.0 && clock) {
    const double cycles = model.in_core->cycles / model.in_core->iterations_per_pass;
    limits.push_back({std::string(kInCore), {}, cycles / *clock / threads});
  } else {
    add_limit(limits, own_mix_limit(known_work(region), ceilings, cpu, threads, notes));
    add_limit(limits, l1_limit(l1_bytes(region), ceilings, dominating_isa(known_work(region)),
                               threads, notes));
  }
  for (const Level level : levels_of(machine)) {
    if (level != Level::L1) {
      add_limit(limits, boundary_limit(boundary_traffic(region, level, machine), level, ceilings,
                                       threads, notes));
    }
  }
  return roofline_from(model, std::move(limits));
}

}  // namespace ridge::predict
