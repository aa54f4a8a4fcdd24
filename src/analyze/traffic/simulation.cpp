#include "analyze/traffic/simulation.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "analyze/traffic/layer_condition.hpp"
#include "analyze/traffic/windows.hpp"

namespace ridge::analyze {
namespace {

/// So much more than for a sample may be spent where no sample is needed.
constexpr double kForAll = 2.5;

/// Accesses that an iteration is worth; a line from beyond the first cache takes as long as many.
double cost_per_iteration(const LoopNest& nest, const Polynomial::Values& values) {
  double accesses = 1.0;
  for (const ArrayAccess& access : nest.accesses) {
    accesses += access.depth == nest.levels.size() ? 1.0 : 0.0;
  }
  const auto conditions = layer_conditions(nest, values);
  const bool is_known = conditions && conditions->left_out.empty();
  const double lines = is_known ? conditions->options.back().read / 64.0 : accesses;
  return accesses + kAccessesPerLine * lines;
}

CrossingTraffic crossing(Level level, double read, double written, double iterations) {
  CrossingTraffic made;
  made.level = level;
  made.read = read / iterations;
  made.written = written / iterations;
  return made;
}

/// Once to warm up, once to count.
ModelledTraffic of_whole(const IterationSpace& space, const std::vector<ServingCache>& levels,
                         CacheSimulation& caches, bool warms_up_thinned) {
  Sweep sweep(space, caches);
  sweep.whole(warms_up_thinned);
  const CrossedBytes before = caches.crossed();
  const auto iterations = static_cast<double>(sweep.whole(false));
  const CrossedBytes after = caches.crossed();
  ModelledTraffic made;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    made.crossings.push_back(
        crossing(levels[i].beyond, after.boundaries[i].read - before.boundaries[i].read,
                 after.boundaries[i].written - before.boundaries[i].written, iterations));
  }
  return made;
}

ModelledTraffic of_windows(const Sample& sample, const std::vector<ServingCache>& levels,
                           double iterations) {
  ModelledTraffic made;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    made.crossings.push_back(
        crossing(levels[i].beyond, sample.rates[i].read, sample.rates[i].written, 1.0));
  }
  made.relative_error = sample.relative_error;
  made.notes.push_back({"sampled", fmt::format("{:.3g} of {:.3g} iterations were simulated",
                                               sample.iterations, iterations)});
  if (!sample.is_filled) {
    made.notes.push_back({"not-filled",
                          "the iterations that were simulated did not fill the last cache: what is "
                          "written to memory "
                          "is taken as the lines that they wrote to"});
  }
  return made;
}

}  // namespace

Result<ModelledTraffic> traffic_by_simulation(const LoopNest& nest,
                                              const Polynomial::Values& values,
                                              const Machine& machine, unsigned cores,
                                              const SimulationOptions& options) {
  const auto space = IterationSpace::of(nest, values, options.layout, options.indices);
  if (!space) {
    return tl::make_unexpected(space.error());
  }
  const std::vector<ServingCache> levels = serving_caches(machine, cores);
  auto caches = CacheSimulation::of(levels);
  if (!caches) {
    return tl::make_unexpected(caches.error());
  }
  const double iterations = space->iterations();
  if (iterations < 1.0) {
    return fail(ErrorCode::bad_input, "the nest never runs", "give its bounds other values");
  }
  const double cost = cost_per_iteration(nest, values);
  const double passes = 1.0 + 1.0 / static_cast<double>(space->iterations_per_line());
  ModelledTraffic made =
      iterations * cost * passes <= kForAll * options.budget
          ? of_whole(*space, levels, *caches, iterations * cost * 2.0 > kForAll * options.budget)
          : of_windows(sample_windows(*space, levels, *caches, cost, options.budget), levels,
                       iterations);
  made.method = TrafficMethod::simulation;
  if (std::ranges::any_of(nest.accesses, &ArrayAccess::is_conditional)) {
    made.notes.push_back(
        {"conditional-accesses", "accesses that are conditional count as if they always happened"});
  }
  return made;
}

}  // namespace ridge::analyze
