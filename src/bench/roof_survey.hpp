// Measured roofs from the first look at their knees to the result.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "bench/passes.hpp"
#include "bench/roof.hpp"
#include "bench/runner.hpp"
#include "core/result.hpp"
#include "core/value/machine.hpp"

namespace ridge::bench {

class RoofSurvey {
 public:
  RoofSurvey() = default;
  RoofSurvey(std::vector<RoofPlan> roofs, const Machine& machine);
  RoofSurvey(RoofSurvey&&) = default;  // no copies: the points point into this object
  RoofSurvey& operator=(RoofSurvey&&) = default;

  /// Finds out by a short look at the two ceilings of each roof where its knee lies, and plans its
  /// points around it. Errors: as Runner::run().
  [[nodiscard]] Result<void> look(Runner& runner, const std::function<bool()>& stop);

  /// To be visited like ceilings; they point into this object.
  [[nodiscard]] const std::vector<PlannedKernel>& points() const { return points_; }

  /// From the samples of the points and of the ceilings, by their ids; what has none is left out.
  [[nodiscard]] Result<std::vector<MeasuredRoof>> measured(Runner& runner,
                                                           const Passes& passes) const;

 private:
  [[nodiscard]] Result<double> knee_of(Runner& runner, const RoofPlan& roof) const;
  [[nodiscard]] Result<MeasuredRoof> measured_one(std::size_t roof, Runner& runner,
                                                  const Passes& passes) const;

  std::vector<RoofPlan> roofs_;
  std::optional<Level> innermost_;  ///< absent without caches
  std::deque<Kernel> kernels_;      ///< of the points: their addresses stay
  std::vector<PlannedKernel> points_;
  std::vector<std::size_t> roof_of_point_;
};

}  // namespace ridge::bench
