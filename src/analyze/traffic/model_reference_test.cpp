#include <gtest/gtest.h>

#include "analyze/traffic/model_reference_for_tests.hpp"

namespace ridge::analyze {
namespace {

using testing_reference::Figures;
using testing_reference::Row;

constexpr const char* kTable = "testdata/model_reference.tsv";

/// docs/model-reference.md says why.
bool is_known_to_differ(const Row& row) {
  return row.machine == "Zen_EPYC-7451" && row.kernel == "3d-long-range-stencil" &&
         row.values.at("N") == 30;
}

TEST(ModelReference, LayerConditionsGiveTheSameTraffic) {
  unsigned cases = 0;
  unsigned same = 0;
  for (const Row& row : testing_reference::rows(kTable)) {
    if (row.predictor != "LC" || !row.figures) {
      continue;
    }
    const auto mine = testing_reference::ours(row);
    ASSERT_TRUE(mine) << row.kernel;
    const bool is_same = testing_reference::difference(*row.figures, *mine) == 0.0;
    EXPECT_EQ(is_same, !is_known_to_differ(row))
        << row.machine << " " << row.kernel << " N " << row.values.at("N");
    cases += row.cases;
    same += is_same ? row.cases : 0;
  }
  EXPECT_EQ(cases, 518U);
  EXPECT_EQ(same, 516U);
}

/// The small ones; benchmarks/model_reference compares all.
TEST(ModelReference, SimulationGivesTheSameTraffic) {
  unsigned compared = 0;
  for (const Row& row : testing_reference::rows(kTable)) {
    const bool is_small = row.values.at("N") <= 10'000 && !row.values.contains("M");
    if (row.predictor != "SIM" || !is_small || row.kernel == "triad") {
      continue;
    }
    const auto mine = testing_reference::ours(row);
    ASSERT_TRUE(mine) << row.kernel;
    EXPECT_LE(testing_reference::difference(*row.figures, *mine), 0.02)
        << row.machine << " " << row.kernel << " N " << row.values.at("N");
    ++compared;
  }
  EXPECT_EQ(compared, 13U);
}

}  // namespace
}  // namespace ridge::analyze
