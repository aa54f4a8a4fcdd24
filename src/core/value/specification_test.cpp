#include "core/value/specification.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/describe/specification.hpp"

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
  EXPECT_EQ(main_memory(example()), Level::HBM);
  Specification sustained_only = example();
  std::erase_if(sustained_only.bandwidths,
                [](const auto& b) { return b.basis == Basis::theoretical; });
  EXPECT_EQ(main_memory(sustained_only), Level::HBM);
  EXPECT_EQ(main_memory(Specification{}), std::nullopt);
  Specification measured_hbm;  // a Xeon Phi: of its HBM only a sustained figure is published
  measured_hbm.bandwidths = {{"DRAM", Basis::theoretical, {}, {1.2e11}},
                             {"HBM", Basis::sustained, "triad", {3.4e11}}};
  EXPECT_EQ(main_memory(measured_hbm), Level::HBM);
}

TEST(Specification, ARidgePointIsAPeakOverABandwidthOfTheSameBasis) {
  EXPECT_DOUBLE_EQ(*ridge_point(example(), "fp64", Pipes::vector, Basis::theoretical), 10.0);
  EXPECT_DOUBLE_EQ(*ridge_point(example(), "fp64", Pipes::matrix, Basis::theoretical), 20.0);
  EXPECT_DOUBLE_EQ(*ridge_point(example(), "fp64", Pipes::vector, Basis::sustained), 8.0);
  EXPECT_EQ(ridge_point(example(), "fp64", Pipes::matrix, Basis::sustained), std::nullopt);
}

TEST(Specification, WhatWasHeldBackIsNoRoof) {
  Specification machine = example();
  machine.bandwidths.push_back({"HBM", Basis::achieved, "load", {2.9e12}});
  EXPECT_EQ(highest_bandwidth(machine, "HBM", Basis::sustained)->figure.value, 2.5e12);
  std::erase_if(machine.bandwidths, [](const auto& b) { return b.basis != Basis::achieved; });
  EXPECT_EQ(main_memory(machine), std::nullopt);
}

/// McCalpin's slide (IXPUG workshop, ISC 2023): 64 GB/s and 60 ns ask for 60 lines of 64 byte.
Specification by_mccalpin() {
  Specification machine;
  machine.cores = Figure{4.0};
  machine.line_size = Figure{64.0};
  machine.bandwidths = {{"DRAM", Basis::theoretical, {}, {6.4e10}},
                        {"DRAM", Basis::achieved, {}, {5e10}},
                        {"DRAM", Basis::sustained, "load", {1.6e10}, 1},
                        {"L2", Basis::theoretical, {}, {1e12}}};
  machine.latencies = {{"DRAM", {6e-8}}, {"L3", {1e-8}}};
  return machine;
}

TEST(BytesInFlight, AreLatencyTimesBandwidth) {
  const auto entries = bytes_in_flight(by_mccalpin());
  ASSERT_EQ(entries.size(), 1U);  // of L2 no latency is known, of L3 no bandwidth
  EXPECT_EQ(entries[0].level, Level::DRAM);
  EXPECT_EQ(entries[0].basis, Basis::theoretical);
  EXPECT_DOUBLE_EQ(entries[0].bytes, 3840.0);
  EXPECT_DOUBLE_EQ(entries[0].bytes / *entries[0].line_size, 60.0);
  EXPECT_DOUBLE_EQ(*entries[0].per_core, 960.0);
  EXPECT_DOUBLE_EQ(*entries[0].one_core, 960.0);
}

TEST(BytesInFlight, WhatIsNotKnownIsAbsent) {
  Specification machine = by_mccalpin();
  machine.cores.reset();
  machine.line_size.reset();
  std::erase_if(machine.bandwidths, [](const auto& b) { return b.cores.has_value(); });
  machine.bandwidths.push_back({"DRAM", Basis::sustained, "triad", {5e10}});
  const auto entries = bytes_in_flight(machine);
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[1].basis, Basis::sustained);
  EXPECT_DOUBLE_EQ(entries[1].bytes, 3000.0);
  EXPECT_EQ(entries[1].per_core, std::nullopt);
  EXPECT_EQ(entries[1].one_core, std::nullopt);
  EXPECT_EQ(entries[1].line_size, std::nullopt);
}

TEST(Lacks, AreFiguresThatTheKindHas) {
  using testing::ElementsAre;
  EXPECT_THAT(lacks(by_mccalpin()),
              ElementsAre(Lack::sustained_bandwidth, Lack::microarchitecture, Lack::design_power));
  Specification machine = by_mccalpin();
  machine.kind = MachineKind::gpu;
  machine.bandwidths.pop_back();
  machine.latencies.clear();
  EXPECT_THAT(lacks(machine),
              ElementsAre(Lack::sustained_bandwidth, Lack::latency, Lack::cache_bandwidth,
                          Lack::launch_latency, Lack::host_link, Lack::design_power));
  machine = by_mccalpin();
  machine.bandwidths = {{"DRAM", Basis::sustained, {}, {6e10}}};
  machine.microarchitecture = "Zen 2";  // whose loads from the caches are known
  machine.thermal_design_power = Figure{200.0};
  EXPECT_THAT(lacks(machine), ElementsAre(Lack::one_core_bandwidth));
}

TEST(CountFigures, CountsThemWhereverTheyStand) {
  Specification machine = by_mccalpin();  // cores, line, 4 bandwidths, 2 latencies
  EXPECT_EQ(describe::count_figures(machine), (FigureCount{8, 0}));
  machine.clock = Figure{1e9, Origin::datasheet, "DS", false};
  machine.links = {{"PCIe", false, 4, {3e10}, 16, Figure{2e10, Origin::measured, {}, false}}};
  machine.energy.per_flop["fp64"] = Figure{1e-11, Origin::measured, {}, false};
  EXPECT_EQ(describe::count_figures(machine), (FigureCount{12, 3}));
}

}  // namespace
}  // namespace ridge
