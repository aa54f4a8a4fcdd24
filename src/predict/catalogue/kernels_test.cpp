#include "predict/catalogue/kernels.hpp"

#include <random>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/catalogue/kernels_for_tests.hpp"
#include "predict/projection/kernel_on_machine.hpp"

namespace ridge::predict {
namespace {

using testing::bytes;
using testing::flops;
using ::testing::HasSubstr;
using testing::intensity;
using testing::sized;
using testing::Sizes;

TEST(Kernels, EveryRowIsComplete) {
  std::set<std::string_view> names;
  for (const Kernel& kernel : kernels()) {
    EXPECT_TRUE(names.insert(kernel.name).second) << kernel.name;
    EXPECT_FALSE(kernel.summary.empty() || kernel.work_formula.empty() ||
                 kernel.traffic_formula.empty() || kernel.source.empty())
        << kernel.name;
    EXPECT_EQ(kernel.cache_formula.empty(), kernel.below == nullptr) << kernel.name;
    EXPECT_EQ(find_kernel(kernel.name), &kernel);
    std::set<std::string_view> parameters;
    for (const KernelParameter& parameter : kernel.parameters) {
      EXPECT_TRUE(parameters.insert(parameter.name).second) << kernel.name;
      EXPECT_FALSE(parameter.meaning.empty()) << kernel.name;
    }
  }
  EXPECT_EQ(names.size(), 28U);
  EXPECT_EQ(find_kernel("no-such"), nullptr);
}

struct Row {
  const char* kernel;
  Sizes sizes;
  double flop, read, written, allocate;
};

// Worked out by hand, fp64.
const std::vector<Row> kRows{
    {"scal", {{"n", 10}}, 10, 80, 80, 0},
    {"axpy", {{"n", 10}}, 20, 160, 80, 0},
    {"dot", {{"n", 10}}, 20, 160, 0, 0},
    {"reduction", {{"n", 10}}, 10, 80, 0, 0},
    {"triad", {{"n", 10}}, 20, 160, 80, 80},
    {"gemv", {{"m", 3}, {"n", 5}}, 30, 8 * 23, 24, 0},
    {"gemm", {{"m", 2}, {"n", 3}, {"k", 4}}, 48, 8 * 20, 48, 48},
    {"gemm-naive", {{"m", 2}, {"n", 3}, {"k", 4}}, 48, 8 * 20, 48, 48},
    {"gemm-blocked", {{"n", 8}, {"block", 4}}, 1024, 8 * 256, 512, 512},
    {"nbody", {{"n", 10}}, 2000, 320, 240, 240},
    {"stencil5", {{"nx", 10}, {"ny", 4}}, 200, 320, 320, 320},
    {"stencil9", {{"nx", 10}, {"ny", 4}}, 360, 320, 320, 320},
    {"stencil7", {{"nx", 2}, {"ny", 3}, {"nz", 4}, {"coefficients", 2}}, 192, 192, 192, 192},
    {"stencil27", {{"nx", 2}}, 216, 64, 64, 64},
    {"lbm-d3q19", {{"n", 10}}, 2000, 1520, 1520, 1520},
    {"fft", {{"n", 1024}}, 51200, 16384, 16384, 16384},
    {"spmv-csr", {{"m", 10}, {"nnz", 50}}, 100, 50 * 12 + 44 + 80 + 80, 80, 0},
    {"spmv-csr",
     {{"m", 10}, {"nnz", 50}, {"alpha", 1}, {"bv", 4}, {"bi", 8}, {"y_read", 0}},
     100,
     50 * 12 + 88 + 200,
     40,
     40},
    {"spmv-sell", {{"m", 64}, {"nnz", 320}, {"beta", 0.5}}, 640, 640 * 12 + 16 + 512 + 512, 512, 0},
    {"histogram", {{"n", 1000}}, 0, 8000 + 1024, 1024, 0},
    {"linear", {{"in", 3}, {"out", 5}, {"batch", 2}, {"bias", 1}}, 70, 8 * 26, 80, 80},
    {"conv2d",
     {{"channels", 3}, {"height", 8}, {"filters", 4}, {"pad", 1}},
     2 * 64 * 4 * 27,
     8 * (192 + 108),
     8 * 256,
     8 * 256},
    {"conv2d",
     {{"channels", 4},
      {"height", 9},
      {"width", 7},
      {"filters", 4},
      {"stride", 2},
      {"groups", 4},
      {"batch", 2}},
     2 * 2 * 12 * 4 * 9,
     8 * (2 * 4 * 63 + 36),
     8 * 2 * 12 * 4,
     8 * 2 * 12 * 4},
    {"pooling", {{"channels", 2}, {"height", 8}}, 0, 8 * 128, 8 * 32, 8 * 32},
    {"relu", {{"n", 10}}, 0, 80, 80, 80},
    {"layernorm", {{"rows", 10}, {"width", 4}}, 8 * 40 + 50, 8 * 48, 320, 320},
    {"softmax", {{"rows", 10}, {"width", 4}}, 130, 320, 320, 320},
    {"attention-prefill",
     {{"length", 4}, {"heads", 2}, {"width", 8}},
     35 * 20 + 9 * 8,
     8 * 4 * 8 * 6,
     8 * 4 * 8 * 2,
     8 * 4 * 8 * 2},
    {"attention-prefill",
     {{"length", 4}, {"heads", 2}, {"kv_heads", 1}, {"width", 8}, {"causal", 0}, {"fused", 0}},
     35 * 32 + 9 * 8,
     8 * (4 * 8 * 4 + 64),
     8 * (4 * 8 * 2 + 64),
     8 * (4 * 8 * 2 + 64)},
    {"attention-decode",
     {{"context", 16}, {"heads", 4}, {"kv_heads", 2}, {"width", 8}},
     35 * 64 + 9 * 4,
     8 * 8 * (4 + 64),
     8 * 32,
     8 * 32},
    {"embedding", {{"tokens", 5}, {"width", 8}, {"vocabulary", 3}}, 0, 8 * 24 + 20, 320, 320},
};

TEST(Kernels, WorkAndTrafficByHand) {
  std::set<std::string> seen;
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.kernel);
    const auto kernel = sized(row.kernel, row.sizes);
    EXPECT_EQ(flops(kernel), row.flop);
    EXPECT_EQ(static_cast<double>(kernel.demand.least.read), row.read);
    EXPECT_EQ(static_cast<double>(kernel.demand.least.written), row.written);
    EXPECT_EQ(static_cast<double>(kernel.demand.least.allocate), row.allocate);
    seen.insert(row.kernel);
  }
  EXPECT_EQ(seen.size(), kernels().size());
}

TEST(Kernels, OperationsThatAreNoFlopsStandApart) {
  EXPECT_EQ(sized("pooling", {{"channels", 2}, {"height", 8}}).demand.work.other, 4U * 32);
  EXPECT_EQ(sized("relu", {{"n", 10}}).demand.work.other, 10U);
  EXPECT_EQ(sized("softmax", {{"rows", 10}, {"width", 4}}).demand.work.other, 80U);
  EXPECT_EQ(sized("histogram", {{"n", 10}}).demand.work.intops, 10U);
}

TEST(Kernels, PrecisionScalesTheTrafficOfElementsAlone) {
  const Sizes sizes{{"m", 10}, {"nnz", 50}};
  EXPECT_EQ(bytes(sized("spmv-csr", sizes, "fp32")), 50 * 8 + 44 + 40 + 40 + 40);
  EXPECT_EQ(bytes(sized("triad", {{"n", 10}}, "bf16")), 60);
  EXPECT_EQ(flops(sized("triad", {{"n", 10}}, "bf16")), 20);
}

// Formulas of the literature that the rows must reproduce.
TEST(Kernels, CodeBalancesOfSparseMatrices) {
  const double per_row = 20;
  const Sizes csr{{"m", 1e8}, {"nnz", 2e9}, {"alpha", 0.3}};
  EXPECT_NEAR(1 / intensity(sized("spmv-csr", csr)), 6 + 4 * 0.3 + 10 / per_row, 1e-8);
  Sizes gpu = csr;
  gpu.emplace_back("y_read", 0);
  EXPECT_NEAR(1 / intensity(sized("spmv-csr", gpu)), 6 + 4 * 0.3 + 6 / per_row, 1e-8);
  EXPECT_NEAR(1 / intensity(sized("spmv-csr", gpu), true), 6 + 4 * 0.3 + 10 / per_row, 1e-8);
  // Kreutzer et al. 2014: 6 / beta + 4 alpha + 8 / N_nzr, and what they leave out: the chunks.
  Sizes sell = csr;
  sell.emplace_back("beta", 0.8);
  EXPECT_NEAR(1 / intensity(sized("spmv-sell", sell)),
              6 / 0.8 + 4 * 0.3 + 8 / per_row + 8.0 / 32 / (2 * per_row), 1e-8);
}

TEST(Kernels, TrafficShrinksWithTheCacheDownToTheLeast) {
  const std::vector<std::pair<const char*, Sizes>> cases{
      {"triad", {{"n", 1000}}},       {"gemm", {{"n", 300}}},      {"gemm-naive", {{"n", 300}}},
      {"gemm-blocked", {{"n", 320}}}, {"nbody", {{"n", 100000}}},  {"stencil5", {{"nx", 1000}}},
      {"stencil9", {{"nx", 1000}}},   {"stencil7", {{"nx", 100}}}, {"stencil27", {{"nx", 100}}},
      {"lbm-d3q19", {{"n", 1000}}},   {"fft", {{"n", 1 << 20}}}};
  for (const auto& [name, sizes] : cases) {
    SCOPED_TRACE(name);
    const auto kernel = sized(name, sizes);
    EXPECT_GE(kernel.below(0).value().total(false), kernel.demand.least.total(false));
    std::uint64_t before = kernel.below(64).value().total(false);
    for (double cache = 64; cache < 1e12; cache *= 1.5) {
      const std::uint64_t now = kernel.below(cache).value().total(false);
      EXPECT_LE(now, before) << cache;
      EXPECT_GE(now, kernel.demand.least.total(false)) << cache;
      before = now;
    }
    EXPECT_EQ(kernel.below(1e15).value(), kernel.demand.least);
  }
  EXPECT_FALSE(sized("gemv", {{"m", 10}}).below(1e6));
}

TEST(Kernels, LayerConditionsOfStencils) {
  const double points = 400.0 * 400 * 400 * 8;
  const auto kernel = sized("stencil7", {{"nx", 400}});
  const auto reads = [&](double cache) {
    return static_cast<double>(kernel.below(cache).value().read) / points;
  };
  const double row = 400 * 8;
  EXPECT_EQ(reads(0), 7);
  EXPECT_EQ(reads(2 * 5 * row - 1), 5);
  EXPECT_EQ(reads(2 * 5 * row), 3);
  EXPECT_EQ(reads(2 * 3 * 400 * row - 1), 3);
  EXPECT_EQ(reads(2 * 3 * 400 * row), 1);
}

TEST(Kernels, TheTableByCacheHoldsTheSizesThatMatter) {
  const auto stencil = traffic_by_cache(sized("stencil7", {{"nx", 400}}));
  ASSERT_EQ(stencil.size(), 3U);
  EXPECT_EQ(stencil[0].cache_bytes, 16384);  // not even 5 rows of 3200 byte in its half
  EXPECT_EQ(stencil[1].cache_bytes, 65536);
  EXPECT_EQ(stencil[2].cache_bytes, 16777216);  // 3 planes of 1.28 MB in half of it
  EXPECT_EQ(stencil[2].traffic, sized("stencil7", {{"nx", 400}}).demand.least);
  EXPECT_EQ(traffic_by_cache(sized("triad", {{"n", 1000}})).size(), 1U);
  EXPECT_TRUE(traffic_by_cache(sized("gemv", {{"m", 1000}})).empty());
}

TEST(Kernels, FftPasses) {
  const auto kernel = sized("fft", {{"n", 1 << 20}});
  const auto passes = [&](double points) {
    return static_cast<double>(kernel.below(16 * points).value().read) / bytes(kernel) * 2;
  };
  EXPECT_EQ(passes(1 << 20), 1);
  EXPECT_EQ(passes((1 << 20) - 1), 2);
  EXPECT_EQ(passes(1 << 10), 2);
  EXPECT_EQ(passes(1 << 5), 4);
  EXPECT_EQ(passes(0), 20);
}

Error refused(std::string_view kernel, const std::vector<Assignment>& given,
              std::string_view precision = "fp64") {
  const auto sized_or_not = size_kernel(*find_kernel(kernel), given, precision);
  EXPECT_FALSE(sized_or_not);
  return sized_or_not ? Error{} : sized_or_not.error();
}

TEST(Kernels, BadSizesAreRefusedByName) {
  for (const char* value : {"0", "-1", "1.5", "", "x", "1e300", "1e400", "nan", "inf", "-inf",
                            "9007199254740993", "10 ", "0x10", "1e", "1kk"}) {
    const Error error = refused("triad", {{"n", value}});
    EXPECT_EQ(error.code, ErrorCode::bad_input) << value;
    EXPECT_THAT(error.message, HasSubstr("parameter n ")) << value;
  }
  EXPECT_THAT(refused("triad", {}).message, HasSubstr("needs n"));
  EXPECT_THAT(refused("triad", {{"n", "3"}, {"k", "3"}}).message, HasSubstr("no parameter `k`"));
  EXPECT_THAT(refused("triad", {{"n", "3"}, {"n", "3"}}).message, HasSubstr("twice"));
  EXPECT_THAT(refused("triad", {{"n", "3"}}, "fp61").message, HasSubstr("fp61"));
  EXPECT_THAT(refused("spmv-sell", {{"m", "3"}, {"nnz", "3"}, {"beta", "1.1"}}).message,
              HasSubstr("beta"));
  EXPECT_THAT(refused("spmv-csr", {{"m", "3"}, {"nnz", "10"}}).message, HasSubstr("exceeds m n"));
  EXPECT_THAT(refused("gemm-blocked", {{"n", "10"}}).message, HasSubstr("block"));
  EXPECT_THAT(refused("stencil5", {{"nx", "9"}, {"coefficients", "6"}}).message,
              HasSubstr("coefficients"));
  EXPECT_THAT(refused("conv2d", {{"channels", "3"}, {"height", "2"}, {"filters", "1"}}).message,
              HasSubstr("exceeds the padded input"));
  EXPECT_THAT(
      refused("conv2d", {{"channels", "3"}, {"height", "9"}, {"filters", "4"}, {"groups", "2"}})
          .message,
      HasSubstr("groups"));
  EXPECT_THAT(
      refused("attention-decode", {{"context", "9"}, {"heads", "3"}, {"kv_heads", "2"}}).message,
      HasSubstr("kv_heads"));
}

TEST(Kernels, CountsAbove2To53AreRefused) {
  EXPECT_THAT(refused("gemm", {{"n", "1e6"}}).message, HasSubstr("2^53"));
  EXPECT_THAT(refused("triad", {{"n", "9007199254740992"}}).message, HasSubstr("2^53"));
  // The largest that fits: 24 n + 8 n <= 2^53.
  EXPECT_TRUE(size_kernel(*find_kernel("triad"), {{"n", "281474976710656"}}, "fp64"));
  EXPECT_FALSE(size_kernel(*find_kernel("triad"), {{"n", "281474976710657"}}, "fp64"));
}

TEST(Kernels, NumbersMayHaveSuffixes) {
  EXPECT_EQ(parse_amount("4k"), 4000.0L);
  EXPECT_EQ(parse_amount("1.5M"), 1500000.0L);
  EXPECT_EQ(parse_amount("2Gi"), 2147483648.0L);
  EXPECT_EQ(parse_amount("1e6"), 1000000.0L);
  EXPECT_EQ(parse_amount("9007199254740993"), 9007199254740993.0L);
  for (const char* text : {"", "k", "1 k", "+1", "1m", "0x1", "1e6e", "--1"}) {
    EXPECT_FALSE(parse_amount(text)) << text;
  }
  EXPECT_EQ(parse_assignment("n=4")->name, "n");
  for (const char* text : {"", "n", "=4", "n="}) {
    EXPECT_FALSE(parse_assignment(text)) << text;
  }
}

TEST(Kernels, AnyValuesAreAnswered) {
  std::mt19937_64 random(4);
  const std::vector<std::string> values{"0",   "1",   "2",    "3",   "7",  "100",
                                        "1e6", "1e9", "1e15", "0.5", "-1", "9007199254740992",
                                        "x",   "0.1", "1024"};
  for (int i = 0; i < 20000; ++i) {
    const Kernel& kernel = kernels()[random() % kernels().size()];
    std::vector<Assignment> given;
    for (const KernelParameter& parameter : kernel.parameters) {
      if (random() % 4 != 0) {
        given.push_back({std::string(parameter.name), values[random() % values.size()]});
      }
    }
    const auto result = size_kernel(kernel, given, "fp32");
    if (!result) {
      EXPECT_EQ(result.error().code, ErrorCode::bad_input);
      continue;
    }
    const StreamTraffic& least = result->demand.least;
    EXPECT_GT(least.total(false), 0U) << kernel.name;
    EXPECT_LE(least.total(true), 1ULL << 53);
    EXPECT_LE(result->demand.work.flops(), 1ULL << 53);
    const auto below = result->below(static_cast<double>(random() % 1000000));
    EXPECT_TRUE(!below || below->total(false) >= least.total(false)) << kernel.name;
  }
}

TEST(ParseAmount, WholeNumbersWithAPrefixAreWhole) {
  EXPECT_EQ(parse_amount("14.6M").value(), 14600000);
  EXPECT_EQ(parse_amount("0.3k").value(), 300);
  EXPECT_EQ(parse_amount("1.5").value(), 1.5L);
  EXPECT_EQ(parse_amount("0.001").value(), Amount{0.001});
}

}  // namespace
}  // namespace ridge::predict
