// Worked numbers from teaching material and publications. Each row names its case; values are those
// of the formula (where a source rounded twice, not the printed one).
//
// hager.*: G. Hager, Roofline Modeling and Performance Engineering, CSCS-USI Summer University,
// 2022 umea.*:  M. Myllykoski, Heterogeneous computing with performance modelling, Umea University,
// 2020 will.*:  S. Williams, T. Koskela, Using the Roofline Model and Intel Advisor, LBNL gpp.*:
// Yang et al., Hierarchical Roofline on V100 (data of github.com/cyanguwa/nersc-roofline);
//          "8 Steps to 3.7 TFLOP/s on NVIDIA V100 GPU", arXiv:2008.11326
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "predict/findings/predict.hpp"
#include "predict/roof/ceilings.hpp"
#include "predict/roof/machines_for_tests.hpp"

namespace ridge::predict {
namespace {

using testing::add_bandwidth;
using testing::add_compute;
using testing::region_named;
using testing::skylake_x_pipes;
using testing::took;

constexpr double kGiga = 1e9;

/// One compute ceiling (all pipes alike) and one bandwidth.
Machine simple_machine(double peak, double bandwidth) {
  Machine machine;
  machine.memories = {{"DRAM", {}}};
  add_compute(machine, "fp64", Isa::avx512, Operation::fma, 1, peak);
  add_compute(machine, "fp64", Isa::avx512, Operation::add, 1, peak / 2);
  add_compute(machine, "fp64", Isa::avx512, Operation::fma_add, 1, 0.75 * peak);
  add_bandwidth(machine, "DRAM", Pattern::load, Isa::avx512, 1, bandwidth);
  return machine;
}

Region simple_region(double flops, double bytes) {
  Region region = region_named("case");
  region.flops.add(Precision::fp64, OperationKind::fma, 512, static_cast<std::uint64_t>(flops));
  region.traffic["DRAM"] = {static_cast<std::uint64_t>(bytes), 0};
  return region;
}

struct Attainable {
  std::string id;
  double flops, bytes, peak, bandwidth;
  double expected;  ///< flop/s
  std::string binds;
};

TEST(Textbook, AttainablePerformance) {
  const double huge = 1e18;
  const std::vector<Attainable> cases{
      {"hager.p_roofline", 20e6, 240e6, 768e9, 210e9, 17.5e9, "DRAM"},
      {"hager.tflops (no traffic)", 20e6, 0, 768e9, 210e9, 768e9, "compute"},
      {"hager.ivb.bc6", 1e6, 6e6, huge, 46.6e9, 7.766666666666667e9, "DRAM"},
      {"hager.popt.scai1", 1e6, 8e6, huge, 46.6e9, 5.825e9, "DRAM"},
      {"hager.popt.kkt_power", 1e6, 7.977401e6, huge, 46.6e9, 5.841501e9, "DRAM"},
      {"hager.p_at_bc.scai1", 1e6, 8.5e6, huge, 46.6e9, 5.482352941176471e9, "DRAM"},
      {"hager.p_at_bc.kkt_power", 1e6, 8.8e6, huge, 46.6e9, 5.295454545454545e9, "DRAM"},
      {"hager.a100.spmv_max", 1e6, 6e6, huge, 1400e9, 233.33333333333334e9, "DRAM"},
      {"hager.clx9242.spmv_max", 1e6, 6e6, huge, 122e9, 20.333333333333332e9, "DRAM"},
      {"umea.ai.ax_dp on umea.skl", 1e6, 16e6, 200e9, 35e9, 35e9 / 16, "DRAM"},
      {"umea.ai.gemm_blocked on umea.skl", 32e6, 1e6, 200e9, 35e9, 200e9, "compute"},
      {"will.triad on hager", 2e6, 24e6, 768e9, 210e9, 17.5e9, "DRAM"},
      {"will.triad_wa on hager", 2e6, 32e6, 768e9, 210e9, 13.125e9, "DRAM"},
      {"will.stencil7 on hager", 7e6, 16e6, 768e9, 210e9, 91.875e9, "DRAM"},
  };
  const Microarchitecture pipes = skylake_x_pipes();
  for (const Attainable& entry : cases) {
    SCOPED_TRACE(entry.id);
    const auto prediction = predict_region(simple_region(entry.flops, entry.bytes),
                                           simple_machine(entry.peak, entry.bandwidth), &pipes);
    ASSERT_TRUE(prediction.code);
    EXPECT_NEAR(prediction.code->attainable / entry.expected, 1.0, 1e-6);
    EXPECT_EQ(resource_of(prediction.code->ceiling), entry.binds);
  }
}

struct Ridge {
  std::string id;
  double peak, bandwidth;
  double expected;  ///< flop/byte
};

TEST(Textbook, RidgePointsSeparateBandwidthFromCompute) {
  const std::vector<Ridge> cases{
      {"hager.balance", 768e9, 210e9, 3.657142857142857},
      {"umea.ridge.sp.skl", 400e9, 35e9, 11.428571428571429},
      {"umea.ridge.dp.xeon", 1200e9, 100e9, 12.0},
      {"umea.ridge.sp.xeon", 2400e9, 100e9, 24.0},
      {"umea.ridge.dp.v100", 7000e9, 900e9, 7.777777777777778},
      {"will.summitdev.ridge", 17904.6e9, 1929.7e9, 9.278437062755868},
      {"fau.balance.dp.A40", 0.59e12, 0.7e12, 0.8428571428571429},
  };
  const Microarchitecture pipes = skylake_x_pipes();
  for (const Ridge& entry : cases) {
    SCOPED_TRACE(entry.id);
    const Machine machine = simple_machine(entry.peak, entry.bandwidth);
    const auto binds = [&](double intensity) {
      const Region region = simple_region(intensity * kGiga, kGiga);
      return resource_of(predict_region(region, machine, &pipes).code->ceiling);
    };
    EXPECT_EQ(binds(0.999 * entry.expected), "DRAM");
    EXPECT_EQ(binds(1.001 * entry.expected), "compute");
  }
}

struct Fraction {
  std::string id;
  double flops, bytes, seconds, peak, bandwidth;
  double expected;
};

TEST(Textbook, FractionsOfTheRoof) {
  const double n_ax = 5e8;
  const double gemm = 2.0 * 5000 * 5000 * 5000;
  const std::vector<Fraction> cases{
      {"umea.ax.eff.skl", n_ax, 16 * n_ax, 0.291716, 200e9, 35e9, 0.7835409390346384},
      {"umea.ax.eff.xeon", n_ax, 16 * n_ax, 0.08779, 1200e9, 100e9, 0.9112655199908873},
      {"umea.gemm.eff.skl", gemm, 1e6, 1.422, 200e9, 35e9, 0.8790436005625879},
  };
  const Microarchitecture pipes = skylake_x_pipes();
  for (const Fraction& entry : cases) {
    SCOPED_TRACE(entry.id);
    Region region = simple_region(entry.flops, entry.bytes);
    took(region, entry.seconds);
    const auto prediction =
        predict_region(region, simple_machine(entry.peak, entry.bandwidth), &pipes);
    EXPECT_NEAR(prediction.code->fraction.value(), entry.expected, 1e-9);
  }
}

// gpp.v100.hier: BerkeleyGW GPP on V100, nw = 1 .. 6, against the ceilings ert.v100.nersc. The
// paper's reading: bound by HBM at nw = 1, turning to compute as nw grows.
TEST(Textbook, HierarchicalRooflineOfGpp) {
  struct Row {
    double hbm, l2, l1, gflops;
    std::string binds;
  };
  const std::vector<Row> rows{
      {2.584785579, 2.250285265, 0.865326481, 2085.756683, "HBM"},
      {4.738878073, 3.34359685, 1.556526957, 3593.593112, "HBM"},
      {6.892970567, 3.245471837, 2.222121895, 4381.739349, "HBM"},
      {9.047063062, 3.766406852, 2.863508257, 4625.535516, "compute"},
      {11.08619259, 4.356477696, 3.446245893, 4599.764097, "compute"},
      {13.21154434, 5.182021625, 4.034947498, 4692.209405, "compute"},
  };
  Machine machine;
  add_compute(machine, "fp64", Isa::avx512, Operation::fma, 1, 7068.86 * kGiga);
  add_bandwidth(machine, "L1", Pattern::load, Isa::avx512, 1, 14336 * kGiga);
  add_bandwidth(machine, "L2", Pattern::load, Isa::avx512, 1, 2996.77 * kGiga);
  add_bandwidth(machine, "HBM", Pattern::load, Isa::avx512, 1, 828.758 * kGiga);
  const Microarchitecture pipes = skylake_x_pipes();
  for (const Row& row : rows) {
    SCOPED_TRACE(row.gflops);
    constexpr double kFlops = 1e12;
    const auto bytes = [&](double intensity) {
      return static_cast<std::uint64_t>(kFlops / intensity);
    };
    Region region = region_named("gpp");
    region.flops.add(Precision::fp64, OperationKind::fma, 512, static_cast<std::uint64_t>(kFlops));
    region.bytes_loaded = bytes(row.l1);
    region.traffic["L2"] = {bytes(row.l2), 0};
    region.traffic["HBM"] = {bytes(row.hbm), 0};
    took(region, kFlops / (row.gflops * kGiga));
    const Bound bound = predict_region(region, machine, &pipes).code.value();
    EXPECT_EQ(resource_of(bound.ceiling), row.binds);
    const double roof = std::min({7068.86, row.hbm * 828.758, row.l2 * 2996.77, row.l1 * 14336});
    EXPECT_NEAR(bound.attainable / kGiga / roof, 1.0, 1e-9);
    EXPECT_NEAR(bound.fraction.value(), row.gflops / roof, 1e-9);
    EXPECT_LT(bound.fraction.value(), 1.0);
  }
}

// gpp.8steps: 58 % of the instructions are FMA, so the customised peak is 6717 (1 + 0.58) / 2.
TEST(Textbook, TheCustomisedPeakOfAMixOnSharedPipes) {
  Region region = region_named("gpp");
  region.flops.add(Precision::fp64, OperationKind::fma, 512, 116000000);
  region.flops.add(Precision::fp64, OperationKind::add, 512, 42000000);
  const Microarchitecture pipes = skylake_x_pipes();
  const auto prediction = predict_region(region, simple_machine(6717.44 * kGiga, 1.0), &pipes);
  EXPECT_NEAR(prediction.code->attainable / kGiga, 6717.44 * 1.58 / 2.0, 1e-6);
}

}  // namespace
}  // namespace ridge::predict
