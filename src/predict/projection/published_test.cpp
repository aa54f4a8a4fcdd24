// Published measurements against the model: ceilings of the Empirical Roofline Toolkit, the series
// of BerkeleyGW GPP on V100, GPU benchmarks, intensities of the first Roofline paper.
//
// ert.*: Empirical_Roofline_Tool-1.1.0/Results (best result on each machine), GFLOP/s and GB/s
// gpp.*, ert.v100, ert.knl: github.com/cyanguwa/nersc-roofline, Plotting and GPP/KNL/roofline.py
// gpub.*: github.com/te42kyfo/gpu-benches
// aurora: argonne-lcf/user-guides; crd: crd.lbl.gov, Roofline introduction
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "predict/catalogue/kernels_for_tests.hpp"
#include "predict/roof/bottleneck.hpp"
#include "predict/roof/resources.hpp"

namespace ridge::predict {
namespace {

using testing::demand_of;
using testing::intensity;
using testing::sized;
using testing::target_with;

constexpr double kGiga = 1e9;

struct Ceilings {
  std::string id;
  double peak;                     ///< GFLOP/s
  std::vector<Level> levels;       ///< innermost first
  std::vector<double> bandwidths;  ///< GB/s
  Level memory;
};

const std::vector<Ceilings> kErt{
    {"babbage.01", 299.57, {"L1", "L2", "L3", "DRAM"}, {1491.61, 827.18, 546.77, 79.09}, "DRAM"},
    {"babbage.02", 974.28, {"L1", "L2", "DRAM"}, {2085.58, 1138.89, 145.41}, "DRAM"},
    {"edison.01", 355.79, {"L1", "L2", "L3", "DRAM"}, {1723.23, 1075.56, 669.08, 83.0}, "DRAM"},
    {"madonna.01", 49.92, {"L1", "L2", "L3", "DRAM"}, {499.81, 303.69, 81.15, 31.78}, "DRAM"},
    {"madonna.02", 52.63, {"L1", "L2", "L3", "DRAM"}, {500.59, 306.98, 80.82, 33.88}, "DRAM"},
    {"mira", 204.51, {"L1", "DRAM"}, {232.35, 28.25}, "DRAM"},
    {"titan.01", 105.34, {"L1", "L2", "DRAM"}, {360.04, 185.15, 31.16}, "DRAM"},
    {"titan.02", 1225.48, {"L1", "DRAM"}, {559.14, 160.66}, "DRAM"},
    {"p100.01.Run018",
     288.33,
     {"L1", "L2", "L3", "DRAM"},
     {1002.83, 541.98, 290.41, 68.76},
     "DRAM"},
    {"v100.nersc", 7068.86, {"L1", "L2", "HBM"}, {14336, 2996.77, 828.758}, "HBM"},
    {"knl.nersc", 2390.12, {"HBM"}, {341.14}, "HBM"},
    {"mi210 (rocprof)", 20273, {"L1", "L2", "HBM"}, {9227.4, 5018.0, 1388.8}, "HBM"},
};

TargetMachine measured_by(const Ceilings& ceilings) {
  TargetMachine target = target_with(1.0, 1.0);
  target.figures.peaks = {
      {"fp64", Pipes::vector, Basis::sustained, {}, {ceilings.peak * kGiga, Origin::measured}}};
  target.figures.bandwidths.clear();
  for (std::size_t i = 0; i < ceilings.levels.size(); ++i) {
    target.figures.bandwidths.push_back({ceilings.levels[i],
                                         Basis::sustained,
                                         {},
                                         {ceilings.bandwidths[i] * kGiga, Origin::measured}});
  }
  return target;
}

PredictionChoices sustained() {
  PredictionChoices choices;
  choices.basis = Basis::sustained;
  return choices;
}

TEST(Published, CeilingsBoundStreamsByMemoryAndDenseWorkByThePeak) {
  for (const Ceilings& entry : kErt) {
    SCOPED_TRACE(entry.id);
    const TargetMachine target = measured_by(entry);
    const double point = entry.peak / entry.bandwidths.back();
    const auto at = [&](double flop_per_byte) {
      return predict_demand(demand_of(flop_per_byte * kGiga, kGiga), target, sustained());
    };
    const auto below = at(0.99 * point);
    EXPECT_EQ(below.resources[*below.binding].resource, to_string(entry.memory));
    EXPECT_NEAR(below.attainable.value() / kGiga, 0.99 * entry.peak, 1e-6 * entry.peak);
    const auto above = at(1.01 * point);
    EXPECT_EQ(above.resources[*above.binding].resource, "compute");
    EXPECT_NEAR(above.attainable.value() / kGiga, entry.peak, 1e-9 * entry.peak);
    EXPECT_EQ(above.resources.size(), 1 + entry.levels.size());
    EXPECT_TRUE(std::is_sorted(entry.bandwidths.rbegin(), entry.bandwidths.rend()));
  }
}

// gpp.v100.hier: nw = 1 .. 6. The paper's reading: bound by HBM first, by arithmetic as nw grows.
TEST(Published, TheSeriesOfGppStaysBelowItsHierarchicalRoof) {
  struct Row {
    double hbm, l2, l1, gflops;
    const char* binds;
  };
  const std::vector<Row> rows{{2.584785579, 2.250285265, 0.865326481, 2085.756683, "HBM"},
                              {4.738878073, 3.34359685, 1.556526957, 3593.593112, "HBM"},
                              {6.892970567, 3.245471837, 2.222121895, 4381.739349, "HBM"},
                              {9.047063062, 3.766406852, 2.863508257, 4625.535516, "compute"},
                              {11.08619259, 4.356477696, 3.446245893, 4599.764097, "compute"},
                              {13.21154434, 5.182021625, 4.034947498, 4692.209405, "compute"}};
  constexpr double kFlops = 1e12;
  const TargetMachine v100 = measured_by(kErt[9]);
  for (const Row& row : rows) {
    SCOPED_TRACE(row.gflops);
    const auto bytes = [&](double per_byte) {
      return StreamTraffic{static_cast<std::uint64_t>(kFlops / per_byte), 0, 0};
    };
    const auto prediction = predict_demand(
        demand_of(kFlops, kFlops / row.hbm), v100, sustained(),
        {{Level::L1, bytes(row.l1)}, {Level::L2, bytes(row.l2)}, {Level::HBM, bytes(row.hbm)}});
    const double roof = std::min({7068.86, row.hbm * 828.758, row.l2 * 2996.77, row.l1 * 14336});
    EXPECT_NEAR(prediction.attainable.value() / kGiga, roof, 1e-6 * roof);
    EXPECT_EQ(prediction.resources[*prediction.binding].resource, row.binds);
    EXPECT_LT(row.gflops, roof);
    // Transfers one after the other are too pessimistic for a GPU: it beats that roof.
    EXPECT_GE(prediction.attainable.value(), prediction.attainable_without_overlap.value());
  }
}

// gpp.v100.stride: without fma, strides of 1, 2, 4, 8.
TEST(Published, TheStrideSeriesOfGppFollowsTheBandwidth) {
  struct Row {
    double intensity, gflops;
  };
  const std::vector<Row> rows{
      {2.533980314, 1994.606784}, {6.864738836, 3503.086437}, {13.13976773, 3540.3362},
      {1.177935685, 952.2262185}, {3.079777026, 2435.802042}, {5.557899728, 3469.064625},
      {0.508459684, 413.3108435}, {1.204257783, 993.4397937}, {2.562221071, 2086.056261},
      {0.398565084, 329.9016027}, {1.082948995, 897.4549944}, {2.341433828, 1935.074835}};
  constexpr double kWithoutFma = 7068.86 / 2.0;  // add and mul share the pipe of fma (Yang 2020)
  for (const Row& row : rows) {
    SCOPED_TRACE(row.gflops);
    const double roof = naive_roof(kWithoutFma, 828.758, row.intensity);
    EXPECT_GT(row.gflops, 0.90 * roof);
    EXPECT_LT(row.gflops, 1.002 * roof);  // one row lies 0.2 % above its ceiling
  }
}

// gpp.v100.tools: the same run through three profilers.
TEST(Published, GppCountsAgreeBetweenProfilers) {
  OperationCounts work;
  work.add = 164886478848;
  work.mul = 1429016150016;
  work.fma = 2 * 2363372863488;
  EXPECT_NEAR(static_cast<double>(work.flops()) / 6320.6e9, 1.0, 1e-4);
  EXPECT_NEAR(fma_share(work).value(), 0.597, 1e-3);
  EXPECT_NEAR(480.44e9 / (32 * 15013123354.0), 1.0, 1e-3);  // a sector is 32 byte
  const double seconds = resource_seconds(1677853638.88, 1.31e9);
  EXPECT_NEAR(seconds / 1.2808043044885498, 1.0, 1e-3);
}

TEST(Published, ConstantsOfGpuBenchmarksFollowTheNaiveRoof) {
  // gpub.v100.readme: intensity, byte/s, flop/s.
  EXPECT_NEAR(naive_roof(7000, 869, 0.125), 109, 0.5);
  EXPECT_NEAR(naive_roof(7000, 861, 1.125), 968, 1);
  EXPECT_NEAR(naive_roof(7000, 812, 8.125), 6600, 4);
  // No write-allocate on GPUs: scale moves two streams, triad three.
  EXPECT_EQ(sized("scal", {{"n", 1000}}).demand.least.total(false), 16000U);
  EXPECT_EQ(sized("triad", {{"n", 1000}}).demand.least.total(false), 24000U);
  // gpub.roofline: what fp32 fma reached of the peak.
  for (const auto& [reached, peak] :
       {std::pair(19192.0, 19492.0), {23723.0, 37400.0}, {50855.0, 90500.0}, {42558.0, 66900.0}}) {
    EXPECT_LT(reached, peak);
  }
}

TEST(Published, IntensitiesOfKernels) {
  // roofline2009.ai: SpMV 0.17 to 0.25, 7-point stencil (8 flop) 0.33 to 0.5 flop/byte.
  EXPECT_LE(intensity(sized("spmv-csr", {{"m", 1e6}, {"nnz", 1e9}})), 0.17);
  EXPECT_NEAR(intensity(sized("spmv-csr", {{"m", 1e6}, {"nnz", 1e9}}, "fp32")), 0.25, 0.001);
  const auto stencil = sized("stencil7", {{"nx", 100}, {"coefficients", 2}});
  EXPECT_NEAR(intensity(stencil, true), 1.0 / 3, 1e-12);
  EXPECT_NEAR(intensity(stencil), 0.5, 1e-12);
  // hpcg.spmv: 27 points, 4-byte indices; the last row pointer is left out there.
  const auto hpcg = sized("spmv-csr", {{"m", 1e8}, {"nnz", 27e8}});
  EXPECT_NEAR(1 / intensity(hpcg), 6.518518518518518, 1e-8);
  // crd.intro: an FFT out of place with write-allocate has 0.104 log2 N.
  EXPECT_NEAR(intensity(sized("fft", {{"n", 1 << 20}}), true), 0.104 * 20, 0.01);
  // crd.intro: z = x + y, 1 flop for 24 byte.
  EXPECT_NEAR(intensity(sized("triad", {{"n", 1e6}})) / 2, 0.041666666666666664, 1e-12);
}

// aurora: one tile and the whole node.
TEST(Published, TwelveTilesAreTheNode) {
  const TargetMachine tile = target_with(17e12, 1e12, "fp64", "HBM");
  const TargetMachine node = target_with(203e12, 12e12, "fp64", "HBM");
  const auto triad = sized("triad", {{"n", 1e9}});
  const auto seconds = [&](const TargetMachine& target) {
    return predict_demand(triad.demand, target).seconds.value();
  };
  EXPECT_NEAR(seconds(tile) / seconds(node), 12.0, 1e-9);
  EXPECT_NEAR(203.0 / 17.0, 12.0, 0.06);
}

}  // namespace
}  // namespace ridge::predict
