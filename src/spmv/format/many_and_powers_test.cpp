#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spmv/format/many.hpp"
#include "spmv/format/powers.hpp"
#include "spmv/generate/generate.hpp"

namespace ridge::spmv {
namespace {

using testing::HasSubstr;

CsrMatrix<double, std::int32_t> matrix_of(const std::string& spec) {
  auto matrix = generate(spec);
  EXPECT_TRUE(matrix) << matrix.error().message;
  return std::move(*matrix);
}

TEST(Many, EqualsOneVectorAfterTheOther) {
  const auto matrix = matrix_of("kkt:500");
  const auto rows = static_cast<std::size_t>(matrix.rows);
  for (const int width : {1, 2, 3, 4, 7, 8, 13, 16, 31}) {
    for (const int threads : {1, 2}) {
      const auto wide = static_cast<std::size_t>(width);
      std::vector<double> x(rows * wide);
      for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = std::sin(static_cast<double>(i));
      }
      std::vector<double> y(x.size(), 2);
      Execution execution;
      execution.threads = threads;
      multiply_many(matrix, execution, width, 3.0, x.data(), -1.0, y.data());
      for (std::size_t j = 0; j < wide; ++j) {
        std::vector<double> one(rows);
        std::vector<double> expected(rows, 2);
        for (std::size_t i = 0; i < rows; ++i) {
          one[i] = x[i * wide + j];
        }
        multiply_slowly(matrix, 3, one.data(), -1, expected.data());
        for (std::size_t i = 0; i < rows; ++i) {
          ASSERT_NEAR(y[i * wide + j], expected[i], 1e-11) << width << " vector " << j;
        }
      }
    }
  }
}

TEST(Powers, EqualRepeatedProducts) {
  for (const char* spec : {"poisson2d:40", "poisson3d:9", "kkt:400", "uniform:300,4"}) {
    const auto matrix = matrix_of(spec);
    const auto rows = static_cast<std::size_t>(matrix.rows);
    const auto sell = to_sell(matrix, 32, 1);
    for (const std::int64_t group : {1, 300, 2000, 1000000}) {
      const auto plan = plan_powers(sell, group);
      ASSERT_TRUE(plan);
      EXPECT_EQ(plan->group_begin.back(), sell.chunks());
      for (const int threads : {1, 2}) {
        std::vector<double> x(rows, 1);
        std::vector<std::vector<double>> powers(5, std::vector<double>(rows, std::nan("")));
        std::vector<double*> places;
        for (auto& power : powers) {
          places.push_back(power.data());
        }
        Execution execution;
        execution.threads = threads;
        multiply_powers(sell, *plan, execution, x.data(), places);
        std::vector<double> before = x;
        for (const auto& power : powers) {
          std::vector<double> expected(rows);
          multiply_slowly(matrix, 1, before.data(), 0, expected.data());
          for (std::size_t i = 0; i < rows; ++i) {
            ASSERT_NEAR(power[i], expected[i], 1e-9 * (1 + std::abs(expected[i]))) << spec;
          }
          before = power;
        }
      }
    }
  }
}

TEST(Powers, AStencilNeedsLittleAtOnce) {
  const auto sell = to_sell(matrix_of("poisson2d:100"), 32, 1);
  const auto plan = plan_powers(sell, 2000);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->reach, 1);
  EXPECT_LT(plan->entries_at_once(sell.stored(), 4), 0.25 * static_cast<double>(sell.stored()));
  const auto everywhere = plan_powers(to_sell(matrix_of("uniform:3000,5"), 32, 1), 1000);
  ASSERT_TRUE(everywhere);
  EXPECT_EQ(everywhere->reach, everywhere->groups() - 1);
}

TEST(Powers, WhatHasNoneIsSaid) {
  const auto matrix = matrix_of("poisson2d:10");
  EXPECT_THAT(plan_powers(to_sell(matrix, 32, 64)).error().message, HasSubstr("in order"));
  CsrMatrix<double, std::int32_t> oblong;
  oblong.columns = 3;
  EXPECT_THAT(plan_powers(to_sell(oblong, 32, 1)).error().message, HasSubstr("0 x 3"));
}

}  // namespace
}  // namespace ridge::spmv
