// Random values that the formats can hold: for property tests and for the check of written files
// against the schemas.
#pragma once

#include <random>
#include <vector>

#include "core/value/caches_elsewhere.hpp"
#include "core/value/comparison.hpp"
#include "core/value/kernel_prediction.hpp"
#include "core/value/loop_model.hpp"
#include "core/value/machine.hpp"
#include "core/value/network.hpp"
#include "core/value/page.hpp"
#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"
#include "core/value/projection.hpp"
#include "core/value/roofline_chart.hpp"
#include "core/value/sparse_study.hpp"
#include "core/value/specification.hpp"
#include "core/value/tensor_graph.hpp"

namespace ridge::serialize {

[[nodiscard]] Machine random_machine(std::mt19937_64& random);
[[nodiscard]] Profile random_profile(std::mt19937_64& random);
/// One entry per region, with and without bounds.
[[nodiscard]] Prediction random_prediction(std::mt19937_64& random, const Profile& profile);
[[nodiscard]] SparseStudy random_sparse_study(std::mt19937_64& random);
[[nodiscard]] std::vector<Microarchitecture> random_microarchitectures(std::mt19937_64& random);
[[nodiscard]] std::vector<KnownCaches> random_known_caches(std::mt19937_64& random);
[[nodiscard]] TensorGraph random_tensor_graph(std::mt19937_64& random);
[[nodiscard]] LoopModels random_loop_models(std::mt19937_64& random);
[[nodiscard]] Specification random_specification(std::mt19937_64& random);
[[nodiscard]] Comparison random_comparison(std::mt19937_64& random);
[[nodiscard]] MachineComparison random_machine_comparison(std::mt19937_64& random);
/// Of the regions of this profile that have a time.
[[nodiscard]] Projection random_projection(std::mt19937_64& random, const Profile& profile);
[[nodiscard]] KernelPrediction random_kernel_prediction(std::mt19937_64& random);
[[nodiscard]] RooflineChart random_roofline_chart(std::mt19937_64& random);
[[nodiscard]] KernelCatalogue random_catalogue(std::mt19937_64& random);
[[nodiscard]] Network random_network(std::mt19937_64& random);
[[nodiscard]] NetworkTimes random_network_times(std::mt19937_64& random, const Network& network);
/// None to three results.
[[nodiscard]] Page random_page(std::mt19937_64& random);

}  // namespace ridge::serialize
