#include "bench/roof_survey.hpp"

#include <algorithm>
#include <optional>

#include "bench/measured_roof.hpp"

namespace ridge::bench {
namespace {

constexpr Seconds kLook{0.02};

/// nullopt when it was not planned or never visited.
std::optional<std::size_t> visited(const Passes& passes, const std::string& id) {
  const auto& planned = passes.planned();
  const auto found = std::find_if(planned.begin(), planned.end(),
                                  [&](const PlannedKernel& kernel) { return kernel.id == id; });
  const auto index = static_cast<std::size_t>(found - planned.begin());
  return found == planned.end() || passes.samples(index).rates.empty() ? std::nullopt
                                                                       : std::optional(index);
}

/// p90 per turn of the loop and second: a turn is what its work is counted in.
Result<double> turns_per_second(Runner& runner, const PlannedKernel& planned) {
  const auto taken = runner.run({{&planned, kLook}});
  if (!taken) {
    return tl::make_unexpected(taken.error());
  }
  const auto rate = estimate_from<Hertz>(taken->front().rates);
  return runner.loop_work(planned).map([&](const LoopWork& loop) {
    return rate ? rate->p90.value() / static_cast<double>(work_per_turn(*planned.kernel, loop))
                : 0.0;
  });
}

}  // namespace

RoofSurvey::RoofSurvey(std::vector<RoofPlan> roofs, const Machine& machine)
    : roofs_(std::move(roofs)),
      innermost_(machine.caches.empty() ? std::nullopt
                                        : std::optional(machine.caches.front().level)) {}

/// In fma per load; 0 when nothing was measured.
Result<double> RoofSurvey::knee_of(Runner& runner, const RoofPlan& roof) const {
  const auto compute = turns_per_second(runner, roof.compute);
  const auto bandwidth = turns_per_second(runner, roof.bandwidth);
  const auto fmas = runner.loop_work(roof.compute);
  const auto loads = runner.loop_work(roof.bandwidth);
  if (!compute || !bandwidth) {
    return tl::make_unexpected(compute ? bandwidth.error() : compute.error());
  }
  if (!fmas || !loads) {
    return tl::make_unexpected(fmas ? loads.error() : fmas.error());
  }
  const double loads_per_turn = static_cast<double>(loads->loaded_bytes) * 8.0 / loads->vector_bits;
  const double loads_per_second = *bandwidth * loads_per_turn;
  return loads_per_second > 0.0 ? *compute * fmas->fma / loads_per_second : 0.0;
}

Result<void> RoofSurvey::look(Runner& runner, const std::function<bool()>& stop) {
  for (std::size_t i = 0; i < roofs_.size() && !(stop && stop()); ++i) {
    const auto knee = knee_of(runner, roofs_[i]);
    if (!knee) {
      return tl::make_unexpected(knee.error());
    }
    if (*knee <= 0.0) {
      continue;
    }
    for (const Mix& mix : mixes_around(*knee)) {
      kernels_.push_back(roof_kernel(mix, roofs_[i].bandwidth.level == innermost_));
      points_.push_back(roof_point(roofs_[i], kernels_.back()));
      roof_of_point_.push_back(i);
    }
  }
  return {};
}

Result<MeasuredRoof> RoofSurvey::measured_one(std::size_t roof, Runner& runner,
                                              const Passes& passes) const {
  const RoofPlan& plan = roofs_[roof];
  MeasuredRoof result{*plan.bandwidth.level,
                      std::string(ridge::to_string(plan.compute.precision)),
                      plan.compute.isa,
                      plan.compute.threads,
                      plan.compute.id,
                      plan.bandwidth.id,
                      {}};
  const auto compute = visited(passes, plan.compute.id);
  const auto bandwidth = visited(passes, plan.bandwidth.id);
  if (!compute || !bandwidth) {
    return result;
  }
  const CeilingRate peak = ceiling_rate(passes.sorted(*compute).kept);
  const CeilingRate loads = ceiling_rate(passes.sorted(*bandwidth).kept);
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const auto index = roof_of_point_[i] == roof ? visited(passes, points_[i].id) : std::nullopt;
    if (!index) {
      continue;
    }
    const auto loop = runner.loop_work(points_[i]);
    if (!loop) {
      return tl::make_unexpected(loop.error());
    }
    result.points.push_back(make_roof_point(passes.sorted(*index).kept, *loop, peak, loads,
                                            passes.scale_of(points_[i])));
  }
  return result;
}

Result<std::vector<MeasuredRoof>> RoofSurvey::measured(Runner& runner, const Passes& passes) const {
  std::vector<MeasuredRoof> roofs;
  for (std::size_t i = 0; i < roofs_.size(); ++i) {
    auto roof = measured_one(i, runner, passes);
    if (!roof) {
      return tl::make_unexpected(roof.error());
    }
    if (!roof->points.empty()) {
      roofs.push_back(std::move(*roof));
    }
  }
  return roofs;
}

}  // namespace ridge::bench
