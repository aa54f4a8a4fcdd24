#include "core/value/specification.hpp"

#include <gtest/gtest.h>

namespace ridge {
namespace {

Specification example() {
  Specification machine;
  machine.peaks = {{"fp64", Pipes::vector, Basis::theoretical, {}, {3e13}},
                   {"fp64", Pipes::matrix, Basis::theoretical, {}, {6e13}},
                   {"fp64", Pipes::vector, Basis::sustained, "fma", {2e13}},
                   {"fp64", Pipes::vector, Basis::sustained, "add", {1e13}}};
  machine.bandwidths = {{"L2", Basis::theoretical, {}, {9e12}},
                        {"DRAM", Basis::theoretical, {}, {5e11}},
                        {"HBM", Basis::theoretical, {}, {3e12}},
                        {"HBM", Basis::sustained, "load", {2e12}},
                        {"HBM", Basis::sustained, "triad", {2.5e12}}};
  return machine;
}

TEST(Specification, TheHighestOfAKindSpeaksForIt) {
  const Specification machine = example();
  EXPECT_EQ(highest_peak(machine, "fp64", Pipes::vector, Basis::sustained)->operation, "fma");
  EXPECT_EQ(highest_peak(machine, "fp32", Pipes::vector, Basis::theoretical), nullptr);
  EXPECT_EQ(highest_bandwidth(machine, "HBM", Basis::sustained)->pattern, "triad");
  EXPECT_EQ(highest_bandwidth(machine, "CXL", Basis::sustained), nullptr);
}

TEST(Specification, TheMainMemoryIsTheFastestThatIsNoCache) {
  EXPECT_EQ(main_memory(example()), "HBM");
  Specification sustained_only = example();
  std::erase_if(sustained_only.bandwidths,
                [](const auto& b) { return b.basis == Basis::theoretical; });
  EXPECT_EQ(main_memory(sustained_only), "HBM");
  EXPECT_EQ(main_memory(Specification{}), "");
  Specification measured_hbm;  // a Xeon Phi: of its HBM only a sustained figure is published
  measured_hbm.bandwidths = {{"DRAM", Basis::theoretical, {}, {1.2e11}},
                             {"HBM", Basis::sustained, "triad", {3.4e11}}};
  EXPECT_EQ(main_memory(measured_hbm), "HBM");
}

TEST(Specification, ARidgePointIsAPeakOverABandwidthOfTheSameBasis) {
  EXPECT_DOUBLE_EQ(*ridge_point(example(), "fp64", Pipes::vector, Basis::theoretical), 10.0);
  EXPECT_DOUBLE_EQ(*ridge_point(example(), "fp64", Pipes::matrix, Basis::theoretical), 20.0);
  EXPECT_DOUBLE_EQ(*ridge_point(example(), "fp64", Pipes::vector, Basis::sustained), 8.0);
  EXPECT_EQ(ridge_point(example(), "fp64", Pipes::matrix, Basis::sustained), std::nullopt);
}

}  // namespace
}  // namespace ridge
