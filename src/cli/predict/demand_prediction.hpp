// What kernels of the catalogue and computations by their figures have in common: from demands to
// predictions on machines, measured times beside them, and inverse questions.
#pragma once

#include <optional>
#include <vector>

#include "cli/common/demand_subject.hpp"
#include "cli/predict/predict_options.hpp"
#include "core/result.hpp"

namespace ridge::cli {

/// Every subject on every machine of --on and --machine, with --time, --solve of a rate or a time,
/// and --relative-to; printed and written as the options say. Errors: those of the options.
[[nodiscard]] Result<int> predict_demands(std::vector<DemandSubject> subjects,
                                          const PredictOptions& options);

/// --solve of something that the machines decide: a time or a rate; else of a kernel's parameter.
[[nodiscard]] bool solves_on_machines(const PredictOptions& options);

/// Seconds of --time. Errors: `usage`.
[[nodiscard]] Result<std::optional<double>> measured_time(const PredictOptions& options);

}  // namespace ridge::cli
