// Predictions of another tool (testdata/model_reference.tsv), and what ours are for the same
// kernels.
#pragma once

#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "analyze/program_for_tests.hpp"
#include "analyze/traffic/conditions.hpp"
#include "analyze/traffic/machines_for_tests.hpp"
#include "analyze/traffic/simulation.hpp"

namespace ridge::analyze::testing_reference {

/// Read, written, read ... across L1-L2, L2-L3, L3-memory, for 64 bytes of the iteration space.
using Figures = std::array<double, 6>;

struct Row {
  std::string predictor;  ///< "LC" or "SIM"
  std::string machine;
  std::string kernel;
  Polynomial::Values values;
  unsigned cases = 1;
  std::optional<Figures> figures;  ///< nullopt: the other tool makes no prediction
};

inline std::vector<Row> rows(const std::string& file) {
  std::vector<Row> all;
  std::ifstream input(file);
  for (std::string line; std::getline(input, line);) {
    if (line.empty() || line.front() == '#') {
      continue;
    }
    std::istringstream words(line);
    Row row;
    std::string n;
    std::string m;
    words >> row.predictor >> row.machine >> row.kernel >> n >> m >> row.cases;
    row.values["N"] = std::stoll(n);
    if (m != "-") {
      row.values["M"] = std::stoll(m);
    }
    Figures figures{};
    bool is_there = true;
    for (double& figure : figures) {
      std::string word;
      words >> word;
      is_there = is_there && word != "-";
      figure = word == "-" ? 0.0 : std::stod(word);
    }
    if (is_there) {
      row.figures = figures;
    }
    all.push_back(row);
  }
  return all;
}

/// The caches as the reference has them: one core's view, sizes as its predictions name them, sets
/// and ways as its machine descriptions do. Its layer conditions know no victim caches.
inline Machine machine(const std::string& name, const std::string& predictor) {
  using testing_machines::cache;
  struct Sizes {
    std::uint64_t l2, l3;
    unsigned ways2, ways3;
  };
  static const std::map<std::string, Sizes> kSizes{
      {"BroadwellEP_E5-2697v4_CoD", {256, 11520, 8, 20}},
      {"HaswellEP_E5-2695v3_CoD", {256, 9216, 8, 16}},
      {"IvyBridgeEP_E5-2690v2", {256, 25600, 8, 20}},
      {"SandyBridgeEP_E5-2680", {256, 20480, 8, 16}},
      {"SkylakeSP_Gold-6148", {1024, 28160, 16, 11}},
      {"Zen2_EPYC-7452", {512, 16384, 8, 16}},
      {"Zen_EPYC-7451", {512, 8192, 8, 16}}};
  const Sizes sizes = kSizes.at(name);
  const bool has_victim = name.starts_with("Zen") && predictor == "SIM";
  return testing_machines::with(
      {cache(Level::L1, 32, 8), cache(Level::L2, sizes.l2, sizes.ways2),
       cache(Level::L3, sizes.l3, sizes.ways3, 1,
             has_victim ? CachePolicy::victim : CachePolicy::non_inclusive)});
}

inline LoopNest kernel(const std::string& name) {
  static const std::map<std::string, std::pair<const char*, const char*>> kFunctions{
      {"1d-3pt", {"stencils.c", "three_points"}},
      {"2d-5pt", {"stencils.c", "five_points"}},
      {"3d-7pt", {"stencils.c", "seven_points"}},
      {"3d-long-range-stencil", {"stencils.c", "long_range"}},
      {"DAXPY", {"stencils.c", "daxpy"}},
      {"copy", {"stencils.c", "copy"}},
      {"scalar_product", {"stencils.c", "scalar_product"}},
      {"triad", {"reference.c", "vector_triad"}},
      {"x-update", {"stencils.c", "update"}},
      {"matvec", {"reference.c", "matvec_by_columns"}}};
  static std::map<std::string, LoopNest> read;
  if (!read.contains(name)) {
    const auto [source, function] = kFunctions.at(name);
    read[name] = testing_programs::nest(source, function);
  }
  return read.at(name);
}

inline std::optional<Figures> of(const Result<ModelledTraffic>& traffic) {
  constexpr double kIterations = 8.0;  // of 8 bytes each
  if (!traffic || traffic->crossings.size() != 3) {
    return std::nullopt;
  }
  Figures figures{};
  for (std::size_t i = 0; i < 3; ++i) {
    figures[2 * i] = kIterations * traffic->crossings[i].read;
    figures[2 * i + 1] = kIterations * traffic->crossings[i].written;
  }
  return figures;
}

/// The reference has its arrays one directly behind the other, in the order in which it declares
/// them.
inline Layout layout(const Row& row) {
  static const std::map<std::string, std::vector<const char*>> kArrays{
      {"1d-3pt", {"a", "b"}},
      {"2d-5pt", {"a", "b"}},
      {"3d-7pt", {"a", "b"}},
      {"3d-long-range-stencil", {"U", "V", "ROC"}},
      {"DAXPY", {"a", "b"}},
      {"copy", {"a", "b"}},
      {"scalar_product", {"a", "b"}},
      {"triad", {"a", "b", "c", "d"}},
      {"x-update", {"a"}},
      {"matvec", {"a", "b", "c"}}};
  const std::int64_t n = row.values.at("N");
  const std::int64_t m = row.values.contains("M") ? row.values.at("M") : 1;
  const bool is_cube = row.kernel.starts_with("3d");
  Layout made;
  std::int64_t next = std::int64_t{1} << 20U;
  for (const char* array : kArrays.at(row.kernel)) {
    made.addresses[array] = next;
    const bool is_vector = row.kernel == "matvec" && std::string(array) != "a";
    next += 8 * n * (is_vector ? 1 : m) * (is_cube ? n : 1);
  }
  made.addresses["c"] = made.addresses.contains("c") ? made.addresses["c"] : next;
  return made;
}

inline std::optional<Figures> ours(const Row& row) {
  const LoopNest nest = kernel(row.kernel);
  const Machine caches = machine(row.machine, row.predictor);
  if (row.predictor == "LC") {
    return of(traffic_by_conditions(nest, row.values, caches, 1));
  }
  SimulationOptions options;
  options.layout = layout(row);
  return of(traffic_by_simulation(nest, row.values, caches, 1, options));
}

/// The greatest relative difference of a figure; those of the reference are whole numbers.
inline double difference(const Figures& theirs, const Figures& mine) {
  double most = 0.0;
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    const double apart = std::max(0.0, std::abs(mine[i] - theirs[i]) - 0.5);
    most = std::max(most, apart / std::max(theirs[i], 1.0));
  }
  return most;
}

}  // namespace ridge::analyze::testing_reference
