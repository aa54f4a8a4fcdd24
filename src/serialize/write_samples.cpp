// Test helper: writes random values as files into the folder given, for validate_samples.py.
#include <cstdio>
#include <fstream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "core/value/sparse_study_for_tests.hpp"
#include "serialize/comparison.hpp"
#include "serialize/comparison_for_tests.hpp"
#include "serialize/kernel_prediction.hpp"
#include "serialize/known_caches.hpp"
#include "serialize/loop_model.hpp"
#include "serialize/machine.hpp"
#include "serialize/microarchitecture.hpp"
#include "serialize/network.hpp"
#include "serialize/page.hpp"
#include "serialize/profile.hpp"
#include "serialize/projection.hpp"
#include "serialize/random_values.hpp"
#include "serialize/roofline_chart.hpp"
#include "serialize/sparse_study.hpp"
#include "serialize/specification.hpp"
#include "serialize/tensor_graph.hpp"

namespace {

using namespace ridge;             // NOLINT(google-build-using-namespace): a small program
using namespace ridge::serialize;  // NOLINT(google-build-using-namespace)

/// Of each format one file.
template <class Save>
void save_random_values(std::mt19937_64& random, Save save) {
  save("machine", write_machine(random_machine(random)));
  const Profile profile = random_profile(random);
  save("profile", write_profile(profile, random_prediction(random, profile)));
  save("page", write_page(random_page(random)));
  save("comparison", write_comparison(random_comparison(random)));
  save("machine-comparison", write_machine_comparison(random_machine_comparison(random)));
  save("projection", write_projection(profile, random_projection(random, profile)));
  save("prediction", write_kernel_prediction(random_kernel_prediction(random)));
  save("predictions", write_kernel_predictions(
                          {random_kernel_prediction(random), random_kernel_prediction(random)}));
  save("chart", write_roofline_chart(random_roofline_chart(random)));
  save("kernels", write_kernels(random_catalogue(random).kernels));
  const Network network = random_network(random);
  save("network", write_network(network, {random_network_times(random, network)}));
}

/// Of published machines, studies and tables one file each.
template <class Save>
void save_random_tables(std::mt19937_64& random, const Specification& machine, Save save) {
  save("specification", write_specification(machine));
  save("spmv", write_sparse_study(random_sparse_study(random)));
  save("microarchitectures", write_microarchitectures(random_microarchitectures(random)));
  save("caches", write_known_caches(random_known_caches(random)));
  save("tensor-graph", write_tensor_graph(random_tensor_graph(random)));
  save("loop-model", write_loop_models(random_loop_models(random)));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: serialize_write_samples DIR\n", stderr);
    return 2;
  }
  constexpr int kSamples = 40;
  const auto save = [&](std::string_view name, const std::string& text) {
    std::ofstream(fmt::format("{}/{}.json", argv[1], name)) << text;
  };
  std::mt19937_64 random(20260131);
  for (int i = 0; i < kSamples; ++i) {
    save_random_values(random, [&](std::string_view name, const std::string& text) {
      save(fmt::format("{}-{}", name, i), text);
    });
  }
  std::mt19937_64 of_published(20260202);
  std::vector<Specification> machines;
  for (int i = 0; i < kSamples; ++i) {
    machines.push_back(random_specification(of_published));
    machines.back().key = fmt::format("m{}", i);
    save_random_tables(of_published, machines.back(),
                       [&](std::string_view name, const std::string& text) {
                         save(fmt::format("{}-{}", name, i), text);
                       });
  }
  save("random-machines", write_specifications(machines));
  for (const Specification& known : known_specifications()) {
    save(known.key, write_specification(known));
  }
  save("machines", write_specifications(known_specifications()));
  save("comparison", write_comparison(comparison_for_tests()));
  save("machine-comparison", write_machine_comparison(machine_comparison_for_tests()));
  save("spmv", write_sparse_study(sparse_study_for_tests()));
  return 0;
}
