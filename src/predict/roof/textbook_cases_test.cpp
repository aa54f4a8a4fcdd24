// Worked numbers of Roofline teaching material: every case of a collection of 83, each with the
// value that its formula gives, the value that its source prints, and whether the two agree. Ridge
// must give the former; the status says what to think of the latter.
//
// hager.*: G. Hager, Roofline Modeling and Performance Engineering, CSCS-USI Summer University,
// 2022 umea.*:  M. Myllykoski, Heterogeneous computing with performance modelling, Umea University,
// 2020 will.*:  S. Williams, T. Koskela, Using the Roofline Model and Intel Advisor, LBNL zh.*:
// Roofline performance model (course notes on SpMV, GEMM and the H100), in Chinese fau.*:
// Performance Models (GPU course notebook, NHR)
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "predict/catalogue/kernels.hpp"
#include "predict/catalogue/kernels_for_tests.hpp"
#include "predict/roof/bottleneck.hpp"
#include "predict/roof/figure_choice.hpp"
#include "predict/roof/resources.hpp"

namespace ridge::predict {
namespace {

using namespace testing;

/// What the collection says of the printed value.
enum class Status {
  ok,            ///< within the tolerance of the expected value
  derived,       ///< the source prints none
  mismatch,      ///< a slip of the source: outside the tolerance
  inconsistent,  ///< the source contradicts itself in words or units
  bound,         ///< the source states a bound only
  garbled,       ///< not readable
};

struct Case {
  const char* id;
  Status status;
  double expected;
  double printed;
  double tolerance;  ///< of the printed value, relative
  double (*ridge)();
};

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kGiga = 1e9;
constexpr double kHuge = 1e24;  ///< a resource that never binds

double seconds_on(double peak, double bandwidth, double flop, double byte) {
  return predict_demand(demand_of(flop, byte), target_with(peak, bandwidth)).seconds.value();
}
double reached(double peak, double bandwidth, double flop, double byte) {
  return predict_demand(demand_of(flop, byte), target_with(peak, bandwidth)).attainable.value();
}
double reached(double peak, double bandwidth, const SizedKernel& kernel) {
  return predict_demand(kernel.demand, target_with(peak, bandwidth)).attainable.value();
}
double balance(double peak, double bandwidth) {
  return ridge_point(target_with(peak, bandwidth).figures, "fp64", Pipes::vector,
                     Basis::theoretical)
      .value();
}

/// A square matrix in CSR; x is loaded once.
SizedKernel csr(double rows, double nonzeros) {
  return sized("spmv-csr", {{"m", rows}, {"nnz", nonzeros}});
}
double least_balance(double rows, double per_row) {
  return 1 / intensity(csr(rows, std::round(rows * per_row)));
}
double formula_balance(double per_row) {
  return (12 + 28 / per_row) / 2;
}
/// Which alpha explains the traffic.
double alpha_of(double traffic, double nonzeros, double per_row) {
  const auto without =
      sized("spmv-csr", {{"m", std::round(nonzeros / per_row)}, {"nnz", nonzeros}, {"alpha", 0}});
  return (traffic - bytes(without)) / (8 * nonzeros);
}
double default_alpha(double rows, double columns, double nonzeros) {
  const auto kernel = sized("spmv-csr", {{"m", rows}, {"n", columns}, {"nnz", nonzeros}});
  return static_cast<double>(kernel.parameters["alpha"]);
}
double length_of_y(double rows, double columns) {
  const auto kernel = sized("spmv-csr", {{"m", rows}, {"n", columns}, {"nnz", 20000}});
  return static_cast<double>(kernel.demand.least.written) / 8;
}
/// Half of the true intensity: one fma is 2 flop.
double fma_as_one() {
  const auto kernel = sized("spmv-csr", {{"m", 1}, {"n", 1e9}, {"nnz", 1e9}, {"alpha", 0}});
  return static_cast<double>(kernel.demand.work.fma) / 2 / bytes(kernel);
}

SizedKernel ax() {
  return sized("scal", {{"n", 5e8}});
}
double ax_rate(double seconds) {
  return flops(ax()) / seconds;
}
double ax_fraction(double bandwidth, double seconds) {
  return ax_rate(seconds) / reached(kHuge, bandwidth, ax());
}
SizedKernel gemm5000() {
  return sized("gemm", {{"n", 5000}});
}
double naive_intensity() {
  const auto kernel = sized("gemm-naive", {{"n", 5000}});
  return flops(kernel) / static_cast<double>(kernel.below(0).value().total(false));
}
/// Of the blocks of A and B alone, as in the source.
double blocked_intensity() {
  const auto kernel = sized("gemm-blocked", {{"n", 5120}, {"block", 256}});
  return flops(kernel) / static_cast<double>(kernel.demand.least.read);
}
SizedKernel stencil7(const char* precision = "fp64") {
  return sized("stencil7", {{"nx", 100}}, precision);
}
double other_per_byte(const SizedKernel& kernel) {
  return static_cast<double>(kernel.demand.work.other) / bytes(kernel);
}
double one_fma() {
  return flops(sized("axpy", {{"n", 1}}));
}
/// 8 GT/s on 16 lanes, 128 of 130 bits are data.
double pcie_one_way() {
  TargetMachine target = target_with(kHuge, kHuge);
  target.figures.links = {{"PCIe", true, 3U, {2 * 8e9 * 16 * 128 / 130 / 8}}};
  PredictionChoices choices;
  choices.transfer = Transfer{"PCIe", false, false};
  return predict_demand(ax().demand, target, choices).resources.back().rate;
}

const std::vector<Case> kCases{
    {"hager.tflops", Status::ok, 2.604166666666667e-05, 2.5999999999999998e-05, 0.002,
     [] { return seconds_on(768e9, kHuge, 20e6, 0); }},
    {"hager.tbw", Status::ok, 0.001142857142857143, 0.00114, 0.003,
     [] { return seconds_on(kHuge, 210e9, 20e6, 240e6); }},
    {"hager.p_roofline", Status::ok, 17.5, 17.5, 0.001,
     [] { return reached(768e9, 210e9, 20e6, 240e6) / kGiga; }},
    {"hager.intensity", Status::derived, 0.08333333333333333, kNone, 1e-09,
     [] { return 20e6 / static_cast<double>(demand_of(20e6, 240e6).least.total(true)); }},
    {"hager.balance", Status::derived, 3.657142857142857, kNone, 1e-09,
     [] { return balance(768e9, 210e9); }},
    {"hager.ivb.bc6", Status::ok, 7.766666666666667, 7.7999999999999998, 0.005,
     [] { return reached(kHuge, 46.6e9, 1e6, 6e6) / kGiga; }},
    {"hager.bcmin.DLR1", Status::ok, 6.097902097902098, 6.0999999999999996, 0.004,
     [] { return least_balance(278502, 143); }},
    {"hager.bcmin.scai1", Status::ok, 8.0, 8, 0.004, [] { return least_balance(3405035, 7); }},
    {"hager.popt.scai1", Status::ok, 5.825, 5.8300000000000001, 0.0012,
     [] { return 46.6 / least_balance(3405035, 7); }},
    {"hager.bcmin.kkt_power", Status::ok, 7.977401129943503, 8, 0.004,
     [] { return least_balance(2063494, 7.08); }},
    {"hager.popt.kkt_power", Status::mismatch, 5.841501416430595, 5.8300000000000001, 0.0012,
     [] { return 46.6 / least_balance(2063494, 7.08); }},
    {"hager.alpha.kkt", Status::ok, 0.3567914335327029, 0.35999999999999999, 0.01,
     [] { return alpha_of(258e6, 14600000, 7.1); }},
    {"hager.alpha_nnzr.kkt", Status::ok, 2.53321917808219, 2.5, 0.02,
     [] { return 7.1 * alpha_of(258e6, 14600000, 7.1); }},
    {"hager.bc.kkt", Status::ok, 8.835616438356164, 8.8000000000000007, 0.005,
     [] { return 258e6 / flops(csr(2056338, 14600000)); }},
    {"hager.excess.kkt", Status::ok, 1.108354712231957, 1.1100000000000001, 0.003,
     [] { return 258e6 / bytes(csr(2056338, 14600000)); }},
    {"hager.p_at_bc.scai1", Status::derived, 5.482352941176471, kNone, 1e-09,
     [] { return reached(kHuge, 46.6e9, 1e6, 8.5e6) / kGiga; }},
    {"hager.alpha_from_bc.kkt_power", Status::derived, 0.3468926553672318, kNone, 1e-09,
     [] { return alpha_of(8.8 * 2 * 708e6, 708e6, 7.08); }},
    {"hager.p_at_bc.kkt_power", Status::derived, 5.295454545454545, kNone, 1e-09,
     [] { return reached(kHuge, 46.6e9, 1e6, 8.8e6) / kGiga; }},
    {"hager.bc.alpha0", Status::derived, 7.0, kNone, 1e-12,
     [] { return 1 / intensity(sized("spmv-csr", {{"m", 1e8}, {"nnz", 1e9}, {"alpha", 0}})); }},
    {"hager.gpu.bc", Status::derived, 6.06993006993007, kNone, 1e-12,
     [] { return 1 / intensity(sized("spmv-csr", {{"m", 1e7}, {"nnz", 143e7}, {"y_read", 0}})); }},
    {"hager.a100.spmv_max", Status::derived, 233.33333333333334, kNone, 1e-12,
     [] { return reached(kHuge, 1400e9, 1e6, 6e6) / kGiga; }},
    {"hager.clx9242.spmv_max", Status::derived, 20.333333333333332, kNone, 1e-12,
     [] { return reached(kHuge, 122e9, 1e6, 6e6) / kGiga; }},
    {"hager.alpha_min_text", Status::inconsistent, 0.0, kNone, 0.0,
     [] { return default_alpha(1000, 5000, 20000) - 5000.0 / 20000; }},
    {"umea.v100_vs_xeon_half", Status::inconsistent, 93.33333333333333, 90, 0.05,
     [] { return reached(112e12, kHuge, 1e9, 1) / reached(1.2e12, kHuge, 1e9, 1); }},
    {"umea.ax.flops.skl", Status::ok, 1.7139958041382715, 2, 0.25,
     [] { return ax_rate(0.291716) / kGiga; }},
    {"umea.ax.bw.skl", Status::ok, 27.423932866212343, 27, 0.018518518518518517,
     [] { return bytes(ax()) / 0.291716 / kGiga; }},
    {"umea.ax.flops.xeon", Status::ok, 5.695409499943046, 6, 0.08333333333333333,
     [] { return ax_rate(0.08779) / kGiga; }},
    {"umea.ax.flops.v100", Status::ok, 47.25004725004726, 47, 0.010638297872340425,
     [] { return ax_rate(0.010582) / kGiga; }},
    {"umea.ax.bw.v100", Status::ok, 756.0007560007562, 756, 0.0006613756613756613,
     [] { return bytes(ax()) / 0.010582 / kGiga; }},
    {"umea.ax.eff.skl", Status::mismatch, 0.7835409390346384, 0.77000000000000002, 0.01,
     [] { return ax_fraction(35e9, 0.291716); }},
    {"umea.ax.eff.xeon", Status::ok, 0.9112655199908873, 0.91000000000000003, 0.01,
     [] { return ax_fraction(100e9, 0.08779); }},
    {"umea.ax.speedup", Status::ok, 8.296163296163297, 8, 0.04,
     [] { return ax_rate(0.010582) / ax_rate(0.08779); }},
    {"umea.ax.peakfrac.v100", Status::derived, 0.0067500067500067505, kNone, 1e-09,
     [] { return ax_rate(0.010582) / 7000e9; }},
    {"umea.ax.peakfrac.skl", Status::derived, 0.008569979020691358, kNone, 1e-09,
     [] { return ax_rate(0.291716) / 200e9; }},
    {"umea.ax.peakfrac.xeon", Status::derived, 0.0047461745832858716, kNone, 1e-09,
     [] { return ax_rate(0.08779) / 1200e9; }},
    {"umea.ncu.sol_fb", Status::ok, 0.8454984095430877, 0.8458, 0.002,
     [] { return ax_fraction(875.84e6 * 2 * 4096 / 8, 0.01055); }},
    {"umea.ncu.ax_cycles", Status::ok, 0.0105449096, 0.01055, 0.002,
     [] { return resource_seconds(13181137, 1.25e9); }},
    {"umea.ncu.gemm_cycles", Status::ok, 0.0411671408, 0.041059999999999999, 0.004,
     [] { return resource_seconds(51458926, 1.25e9); }},
    {"umea.gemm.skl", Status::ok, 175.8087201125176, 176, 0.004,
     [] { return flops(gemm5000()) / 1.422 / kGiga; }},
    {"umea.gemm.v100", Status::ok, 6097.560975609756, 6077, 0.012,
     [] { return flops(gemm5000()) / 0.041 / kGiga; }},
    {"umea.gemm.eff.xeon", Status::mismatch, 0.44420753375977257, 0.46000000000000002, 0.012,
     [] { return flops(gemm5000()) / 0.469 / reached(1200e9, 100e9, gemm5000()); }},
    {"umea.gemm.eff.skl", Status::ok, 0.8790436005625879, 0.88, 0.005,
     [] { return flops(gemm5000()) / 1.422 / reached(200e9, 35e9, gemm5000()); }},
    {"umea.gemm.eff.v100", Status::derived, 0.8681428571428571, kNone, 1e-09,
     [] { return 6077e9 / reached(7000e9, 900e9, gemm5000()); }},
    {"umea.ai.ax_dp", Status::ok, 0.0625, 0.0625, 0.0, [] { return intensity(ax()); }},
    {"umea.ai.ax_sp", Status::ok, 0.125, 0.125, 0.0,
     [] { return intensity(sized("scal", {{"n", 5e8}}, "fp32")); }},
    {"umea.ai.gemm_naive", Status::ok, 0.12498750124987501, 0.125, 0.001,
     [] { return naive_intensity(); }},
    {"umea.ai.gemm_blocked", Status::ok, 32.0, 32, 0.0, [] { return blocked_intensity(); }},
    {"umea.ridge.sp.skl", Status::ok, 11.428571428571429, 11.4, 0.006,
     [] { return balance(400e9, 35e9); }},
    {"umea.ridge.dp.xeon", Status::ok, 12.0, 12, 0.006, [] { return balance(1200e9, 100e9); }},
    {"umea.ridge.sp.xeon", Status::ok, 24.0, 24, 0.006, [] { return balance(2400e9, 100e9); }},
    {"umea.ridge.dp.v100", Status::mismatch, 7.777777777777778, 7.7000000000000002, 0.006,
     [] { return balance(7000e9, 900e9); }},
    {"umea.ridge.half.v100", Status::ok, 124.44444444444444, 124, 0.006,
     [] { return balance(112e12, 900e9); }},
    {"umea.pcie.bw", Status::ok, 4.840423343425615, 5, 0.05,
     [] { return bytes(ax()) / 1.652748 / kGiga; }},
    {"umea.pcie.flops", Status::ok, 0.30252645896410096, 0.29999999999999999, 0.02,
     [] { return ax_rate(1.652748) / kGiga; }},
    {"umea.pcie.peak", Status::inconsistent, 15.753846153846153, 32, 0.05,
     [] { return pcie_one_way() / kGiga; }},
    {"umea.dnn.linear1", Status::ok, 0.9987807851743478, 1, 0.002,
     [] { return intensity(sized("linear", {{"in", 1024}, {"out", 4096}}, "fp16")); }},
    {"umea.dnn.maxpool", Status::ok, 2.25, 2.25, 0.0,
     [] {
       return other_per_byte(sized(
           "pooling", {{"channels", 8}, {"height", 64}, {"kernel", 3}, {"stride", 1}, {"pad", 1}},
           "fp16"));
     }},
    {"umea.dnn.relu", Status::ok, 0.25, 0.25, 0.0,
     [] { return other_per_byte(sized("relu", {{"n", 1000}}, "fp16")); }},
    {"umea.dnn.layernorm", Status::bound, 10.0, kNone, 0.0,
     [] { return intensity(sized("layernorm", {{"rows", 4096}, {"width", 1024}}, "fp16")); }},
    {"will.triad", Status::mismatch, 0.08333333333333333, 0.16600000000000001, 0.01,
     [] { return intensity(sized("triad", {{"n", 1e6}})); }},
    {"will.triad_wa", Status::derived, 0.0625, kNone, 1e-12,
     [] { return intensity(sized("triad", {{"n", 1e6}}), true); }},
    {"will.stencil7", Status::ok, 0.4375, 0.42999999999999999, 0.02,
     [] { return intensity(stencil7()); }},
    {"will.stencil7_wa", Status::derived, 0.2916666666666667, kNone, 1e-12,
     [] { return intensity(stencil7(), true); }},
    {"will.stencil_vs_triad", Status::mismatch, 5.25, 3, 0.02,
     [] { return intensity(stencil7()) / intensity(sized("triad", {{"n", 1e6}})); }},
    {"will.balance_words", Status::ok, 40.0, 40, 0.0, [] { return 8 * balance(5e12, 1e12); }},
    {"will.avx512_fma", Status::ok, 16.0, 16, 0.0, [] { return 8 * one_fma(); }},
    {"will.summitdev.gpu_gflops", Status::derived, 4476.15, kNone, 1e-09,
     [] { return 17904.6 / 4; }},
    {"will.summitdev.ridge", Status::derived, 9.278437062755868, kNone, 1e-09,
     [] { return balance(17904.6e9, 1929.7e9); }},
    {"will.knl.flops", Status::garbled, 2450.0, 2450, 0.0,
     [] { return reached(2450e9, kHuge, 1e6, 1) / kGiga; }},
    {"zh.h100.ridge", Status::derived, 10.0, kNone, 1e-12, [] { return balance(30e12, 3e12); }},
    {"zh.gemm.ai", Status::inconsistent, 100.0, kNone, 1e-12,
     [] { return intensity(sized("gemm", {{"n", 1200}})); }},
    {"zh.csr.ai_fma", Status::ok, 0.08333333333333333, 0.083333333333333329, 1e-12,
     [] { return fma_as_one(); }},
    {"zh.csr.ai_kkt", Status::derived, 0.12535410651846007, kNone, 1e-09,
     [] { return intensity(csr(2063494, 14609538)); }},
    {"zh.csr.cross", Status::derived, 1.3689686806372947e-07, kNone, 0.0,
     [] {
       return bytes(csr(2063494, 14609538)) / flops(csr(2063494, 14609538)) -
              formula_balance(14609538.0 / 2063494);
     }},
    {"zh.vector_len", Status::inconsistent, 0.0, kNone, 0.0,
     [] { return length_of_y(1000, 5000) - 1000; }},
    {"fau.balance.dp.A40", Status::ok, 0.8428571428571429, 0.80000000000000004, 0.06,
     [] { return balance(0.59e12, 0.7e12); }},
    {"fau.balance.sp.A100", Status::mismatch, 9.5, 9, 0.02, [] { return balance(19e12, 2e12); }},
    {"fau.balance.dp.A100", Status::ok, 4.875, 5, 0.06, [] { return balance(9.75e12, 2e12); }},
    {"fau.balance.sp.H100_94GB", Status::ok, 27.916666666666668, 28, 0.02,
     [] { return balance(67e12, 2.4e12); }},
    {"fau.a100.sp2dp", Status::derived, 1.9487179487179487, kNone, 1e-09,
     [] { return balance(19e12, 2e12) / balance(9.75e12, 2e12); }},
    {"fau.stencil.sp", Status::ok, 0.875, 0.90000000000000002, 0.03,
     [] { return intensity(stencil7("fp32")); }},
    {"fau.stencil.dp", Status::ok, 0.4375, 0.40000000000000002, 0.1,
     [] { return intensity(stencil7()); }},
    {"fau.h100.bw", Status::derived, 2.4, kNone, 0.0, [] { return 67 / balance(67e12, 2.4e12); }},
};

TEST(TextbookCases, AreAllThere) {
  std::set<std::string> ids;
  std::map<Status, int> count;
  for (const Case& entry : kCases) {
    ids.insert(entry.id);
    ++count[entry.status];
  }
  EXPECT_EQ(ids.size(), 83U);
  EXPECT_EQ(kCases.size(), 83U);
  const std::map<Status, int> expected{{Status::ok, 47},      {Status::derived, 22},
                                       {Status::mismatch, 7}, {Status::inconsistent, 5},
                                       {Status::bound, 1},    {Status::garbled, 1}};
  EXPECT_EQ(count, expected);
}

TEST(TextbookCases, RidgeGivesTheValueOfTheFormula) {
  for (const Case& entry : kCases) {
    SCOPED_TRACE(entry.id);
    const double value = entry.ridge();
    if (entry.status == Status::bound) {
      EXPECT_LT(value, entry.expected);
      EXPECT_GT(value, 0.0);
    } else {
      // Whole numbers of rows and the last row pointer move the sparse cases by less than this.
      EXPECT_NEAR(value, entry.expected, 1e-6 * std::abs(entry.expected));
    }
  }
}

TEST(TextbookCases, TheStatusSaysWhetherTheSourceAgrees) {
  for (const Case& entry : kCases) {
    SCOPED_TRACE(entry.id);
    const double off = std::abs(entry.printed - entry.expected) / std::abs(entry.expected);
    constexpr double kRounding = 1e-12;
    switch (entry.status) {
      case Status::ok:
        EXPECT_LE(off, entry.tolerance + kRounding);
        break;
      case Status::mismatch:
        EXPECT_GT(off, entry.tolerance);
        break;
      case Status::derived:
      case Status::bound:
        EXPECT_TRUE(std::isnan(entry.printed));
        break;
      case Status::inconsistent:
      case Status::garbled:
        break;  // nothing follows from the printed value
    }
  }
}

}  // namespace
}  // namespace ridge::predict
