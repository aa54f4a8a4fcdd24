// What a command predicts or draws: kernels of the catalogue and computations by their figures,
// with what was measured of them.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/common/point_figures.hpp"
#include "core/result.hpp"
#include "core/value/kernel_prediction.hpp"
#include "core/value/target_machine.hpp"
#include "predict/catalogue/kernels.hpp"
#include "predict/roof/computation.hpp"
#include "predict/roof/resources.hpp"

namespace ridge::cli {

/// One demand and how it is predicted for a machine.
struct DemandSubject {
  KernelPrediction prediction;  ///< without machines
  MeasuredOn measured_on;       ///< on one machine each; prediction.measured_seconds: on any
  std::function<ResourcePrediction(const TargetMachine&, const predict::PredictionChoices&)> on;
};

/// The time that was measured on the machine of this key, else that of any machine.
[[nodiscard]] std::optional<double> measured_seconds(const DemandSubject& subject,
                                                     const std::string& machine);

/// A computation by its figures. Errors: those of predict::computation_from().
[[nodiscard]] Result<DemandSubject> subject_of(const predict::ComputationFigures& figures,
                                               const std::string& source);

[[nodiscard]] DemandSubject subject_of(const predict::SizedKernel& kernel);

/// An entry of the catalogue in words.
[[nodiscard]] KernelText text_of(const predict::Kernel& kernel);

/// Error: `bad_input`, offering the nearest names.
[[nodiscard]] Result<const predict::Kernel*> kernel_named(const std::string& name);

/// Names the parameters that exist, the nearest first, where an error has no hint of its own.
[[nodiscard]] Error with_parameters(Error error, const predict::Kernel& kernel,
                                    const std::vector<predict::Assignment>& given);

/// "gemm n=5000 precision=fp32 name=GEMM time=1.2ms time.v100=41ms": a kernel of the catalogue, its
/// parameters, and the keys name, precision, time, performance and the latter two of one machine.
/// Errors: `usage` for a word that is no KEY=VALUE and for a figure; as size_kernel().
[[nodiscard]] Result<DemandSubject> parse_kernel_subject(std::string_view text);

}  // namespace ridge::cli
