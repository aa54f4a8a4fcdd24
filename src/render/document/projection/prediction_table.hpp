// `ridge predict --kernel` and `--list` for the terminal.
#pragma once

#include <string>
#include <vector>

#include "core/value/kernel_prediction.hpp"
#include "render/chart/style.hpp"

namespace ridge::render {

/// Every kernel with its parameters, formulas and source.
[[nodiscard]] std::string kernel_list(const std::vector<KernelText>& kernels,
                                      const TextStyle& style);

/// Work, traffic and intensity; one line for each machine; then the resources of each.
[[nodiscard]] std::string kernel_prediction(const KernelPrediction& prediction,
                                            const TextStyle& style);

/// The resources of one machine with the origin of each rate, what binds, and the interval.
[[nodiscard]] std::string resource_report(const ResourcePrediction& prediction,
                                          const TextStyle& style);

/// One line for each machine, by rank where they have one, else in their order: attainable rate,
/// time, what binds.
[[nodiscard]] std::string machine_summary(const std::vector<ResourcePrediction>& machines,
                                          const TextStyle& style);

/// Several kernels or computations: a line for each on each machine.
[[nodiscard]] std::string kernel_predictions(const std::vector<KernelPrediction>& predictions,
                                             const TextStyle& style);

}  // namespace ridge::render
