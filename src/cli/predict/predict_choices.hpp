// From the words of the command line to what a prediction takes.
#pragma once

#include <vector>

#include "cli/predict/predict_options.hpp"
#include "core/result.hpp"
#include "core/value/target_machine.hpp"
#include "predict/roof/resources.hpp"

namespace ridge::cli {

/// --basis, --pipes, --data, --link, --duplex, --overlap, --latency, --stores, --memory, --cold,
/// --working-set, --launches. Errors: `usage`.
[[nodiscard]] Result<predict::PredictionChoices> prediction_choices(const PredictOptions& options);

/// The machines of --on with the changes of --what-if, for kernels and computations on the cores of
/// --cores. Errors: a memory node of --memory that none of them has; as find_targets() and
/// predict::apply_what_if(), with the nearest keys.
[[nodiscard]] Result<std::vector<TargetMachine>> changed_targets(const PredictOptions& options);

}  // namespace ridge::cli
