// `ridge predict --work W --bytes V` and `--points FILE`: computations by their figures.
#include <cstdio>
#include <utility>

#include <fmt/core.h>

#include "cli/common/demand_subject.hpp"
#include "cli/common/point_figures.hpp"
#include "cli/common/points_file.hpp"
#include "cli/predict/demand_prediction.hpp"
#include "cli/predict/predict_subjects.hpp"
#include "predict/roof/computation.hpp"

namespace ridge::cli {
namespace {

using predict::ComputationFigures;

/// Of the command line.
Result<ComputationFigures> figures_of(const PredictOptions& options) {
  return figures_from({options.work, options.bytes, options.balance, options.intensity,
                       options.performance, options.time, options.precision});
}

/// --solve of a computation asks the machines: which rate, which time.
Result<void> check_solve(const PredictOptions& options) {
  if (options.solve && !solves_on_machines(options)) {
    return fail(
        ErrorCode::usage, fmt::format("--solve: no `{}` to solve for", *options.solve),
        "time (with --fraction), bandwidth, peak or a level (with --time); with --kernel one "
        "of its parameters");
  }
  return {};
}

}  // namespace

Result<int> predict_computation(const PredictOptions& options) {
  if (auto fine = check_solve(options); !fine) {
    return tl::make_unexpected(std::move(fine.error()));
  }
  std::vector<DemandSubject> subjects;
  if (!options.points) {
    auto subject = figures_of(options).and_then(
        [](const ComputationFigures& figures) { return subject_of(figures, "command line"); });
    if (!subject) {
      return tl::make_unexpected(std::move(subject.error()));
    }
    subjects.push_back(std::move(*subject));
    return predict_demands(std::move(subjects), options);
  }
  const auto points = read_points(*options.points);
  if (!points) {
    return tl::make_unexpected(points.error());
  }
  for (const PointOfFile& point : *points) {
    auto subject = subject_of(point.figures, point.place);
    if (!subject) {
      Error error = std::move(subject.error());
      error.code = ErrorCode::bad_input;
      error.message = fmt::format("{}: {}", point.place, error.message);
      return tl::make_unexpected(std::move(error));
    }
    subject->measured_on = point.measured_on;
    subjects.push_back(std::move(*subject));
  }
  return predict_demands(std::move(subjects), options);
}

}  // namespace ridge::cli
