// Where the answer of `ridge predict` goes.
#pragma once

#include <string>

#include "cli/predict/predict_options.hpp"
#include "core/result.hpp"

namespace ridge::cli {

/// JSON goes into the file of -o; what is printed is JSON or text for people. Gives exit code 0.
/// Errors: `usage` when the file exists and --force is missing, `write_failed`.
[[nodiscard]] Result<int> deliver(const std::string& json, const std::string& text,
                                  const PredictOptions& options);

}  // namespace ridge::cli
