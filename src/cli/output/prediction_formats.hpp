// What `ridge predict --kernel` and `--work` show, and how it is written in each format
// (cli/output/output_format.hpp).
#pragma once

#include <string>
#include <vector>

#include "core/result.hpp"
#include "core/value/kernel_prediction.hpp"

namespace ridge::cli {

struct PredictionContent {
  std::vector<KernelPrediction> predictions;
  /// What a picture shows in their place; empty: the same.
  std::vector<KernelPrediction> drawn;
};

/// A roofline chart. Error: `usage` where nothing has both work and bytes on a machine.
[[nodiscard]] Result<std::string> to_svg(const PredictionContent& content);
/// One page without scripts: the picture, if anything can be drawn, and tables.
[[nodiscard]] Result<std::string> to_html(const PredictionContent& content);
/// ridge.prediction/1 of one, ridge.predictions/1 of several.
[[nodiscard]] Result<std::string> to_json(const PredictionContent& content);
/// The date in a PDF: none, predictions are not dated.
[[nodiscard]] std::string date_of(const PredictionContent& content);

}  // namespace ridge::cli
