#include "predict/catalogue/solve.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/catalogue/kernels_for_tests.hpp"

namespace ridge::predict {
namespace {

using Quantity = KernelGoal::Quantity;
using testing::bytes;
using testing::flops;
using ::testing::HasSubstr;
using testing::sized;

Result<double> solve(const char* kernel, const std::vector<Assignment>& given, const char* unknown,
                     Quantity quantity, double value) {
  return solve_parameter(*find_kernel(kernel), given, "fp64", unknown, {quantity, value});
}

TEST(SolveParameter, AlphaOfMeasuredTraffic) {
  // (V / (2 N_nz) - 6 - 10 / N_nzr) / 4, Hager 2022
  const double expected = (258e6 / (2 * 14.6e6) - 6 - 10 / 7.1) / 4;
  const auto alpha =
      solve("spmv-csr", {{"m", "2056338"}, {"nnz", "14600000"}}, "alpha", Quantity::traffic, 258e6);
  EXPECT_NEAR(alpha.value(), expected, 1e-6);
}

TEST(SolveParameter, AlphaOfAMeasuredBalance) {
  const auto alpha =
      solve("spmv-csr", {{"m", "1e8"}, {"nnz", "7.08e8"}}, "alpha", Quantity::balance, 8.8);
  EXPECT_NEAR(alpha.value(), (8.8 - 6 - 10 / 7.08) / 4, 1e-7);
}

TEST(SolveParameter, IsTheInverseOfTheKernel) {
  for (const double n : {1.0, 100.0, 4096.0, 1e5}) {
    const auto kernel = sized("gemm", {{"n", n}});
    EXPECT_NEAR(solve("gemm", {}, "n", Quantity::work, flops(kernel)).value(), n, 1e-9 * n);
    EXPECT_NEAR(solve("gemm", {}, "n", Quantity::traffic, bytes(kernel)).value(), n, 1e-9 * n);
    EXPECT_NEAR(solve("gemm", {}, "n", Quantity::intensity, flops(kernel) / bytes(kernel)).value(),
                n, 1e-9 * n);
  }
}

TEST(SolveParameter, WhatCannotBeSolvedIsSaid) {
  const auto message = [](const Result<double>& result) {
    return result ? std::string("fine") : result.error().message + "|" + result.error().hint;
  };
  EXPECT_THAT(message(solve("gemm", {}, "z", Quantity::work, 1)), HasSubstr("no parameter `z`"));
  EXPECT_THAT(message(solve("dot", {{"n", "10"}}, "n", Quantity::work, 1)), HasSubstr("-D n"));
  EXPECT_THAT(message(solve("dot", {}, "n", Quantity::intensity, 1)), HasSubstr("depend on n"));
  EXPECT_THAT(
      message(solve("spmv-csr", {{"m", "1000"}, {"nnz", "10000"}}, "alpha", Quantity::traffic, 10)),
      HasSubstr("in reach"));
  EXPECT_THAT(message(solve("spmv-csr", {{"m", "1000"}}, "alpha", Quantity::traffic, 1e9)),
              HasSubstr("needs nnz"));
}

}  // namespace
}  // namespace ridge::predict
