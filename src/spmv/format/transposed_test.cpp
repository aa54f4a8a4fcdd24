#include "spmv/format/transposed.hpp"

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "spmv/generate/generate.hpp"
#include "spmv/matrix/matrices_for_tests.hpp"

namespace ridge::spmv {
namespace {

using Matrix = CsrMatrix<double, std::int32_t>;
using Random = std::mt19937_64;

/// Against the slow product of the transposed matrix.
template <class Vector, class Value, class Index>
void expect_right(const CsrMatrix<Value, Index>& matrix, Random& random) {
  const auto flipped = transpose(matrix);
  std::vector<Vector> x(static_cast<std::size_t>(matrix.rows));
  for (Vector& element : x) {
    element = static_cast<Vector>(number(random));
  }
  std::vector<Vector> before(static_cast<std::size_t>(matrix.columns));
  for (Vector& element : before) {
    element = static_cast<Vector>(number(random));
  }
  auto absolute = converted<Value, Index>(flipped);
  for (Value& value : absolute.value) {
    value = std::abs(value);
  }
  std::vector<Vector> size(before.size());
  const std::vector<Vector> far(x.size(), Vector{10});
  multiply_slowly(absolute, 3, far.data(), 0, size.data());
  for (const int threads : {0, 1, 2, 3, 7}) {
    const TransposedProduct<Vector, Value, Index> product(matrix, threads);
    for (const double beta : {0.0, 1.0, -0.5}) {
      SCOPED_TRACE(std::to_string(threads) + " threads, beta " + std::to_string(beta));
      const double alpha = beta == 0 ? 1 : 3;
      // One more element, which nobody may touch; the others are not read with beta = 0.
      std::vector<Vector> y(before.size() + 1, std::numeric_limits<Vector>::quiet_NaN());
      std::vector<Vector> expected = before;
      if (beta != 0) {
        std::copy(before.begin(), before.end(), y.begin());
      }
      y.back() = 77;
      multiply_slowly(flipped, alpha, x.data(), beta, expected.data());
      product.multiply(static_cast<Vector>(alpha), x.data(), static_cast<Vector>(beta), y.data());
      EXPECT_EQ(y.back(), 77);
      for (std::size_t j = 0; j < before.size(); ++j) {
        const double tolerance =
            8 * std::numeric_limits<Vector>::epsilon() * (10 + static_cast<double>(size[j]));
        ASSERT_NEAR(y[j], expected[j], tolerance) << "column " << j;
      }
    }
  }
}

TEST(Transposed, RandomMatrices) {
  Random random(21);
  for (int round = 0; round < 20; ++round) {
    SCOPED_TRACE(round);
    expect_right<double>(
        scattered(random, 1 + below(random, 200), 1 + below(random, 200), random() % 900), random);
  }
}

TEST(Transposed, OtherNumbers) {
  Random random(22);
  const Matrix matrix = scattered(random, 90, 140, 700);
  expect_right<double>(converted<double, std::int64_t>(matrix), random);
  expect_right<float>(converted<float, std::int32_t>(matrix), random);
  expect_right<float>(converted<float, std::int64_t>(matrix), random);
  expect_right<double>(converted<float, std::int32_t>(matrix), random);
  expect_right<double>(converted<float, std::int64_t>(matrix), random);
}

TEST(Transposed, EdgesOfMatrices) {
  Random random(23);
  expect_right<double>(matrix_of(0, 0, {}), random);
  expect_right<double>(matrix_of(0, 7, {}), random);
  expect_right<double>(matrix_of(7, 0, {}), random);
  expect_right<double>(matrix_of(40, 7, {}), random);  // y = beta y, also where there is no entry
  expect_right<double>(matrix_of(1, 1, {{0, 0, 2}}), random);
  expect_right<double>(matrix_of(1, 50, {{0, 0, 2}, {0, 49, 3}}), random);
  expect_right<double>(matrix_of(50, 1, {{0, 0, 2}, {49, 0, 3}}), random);
  expect_right<double>(matrix_of(64, 64, {{63, 63, 1}}), random);
  expect_right<double>(matrix_of(3, 3, {{1, 1, 0}, {2, 0, 0}}), random);
  expect_right<double>(scattered(random, 3, 5000, 4000), random);
}

TEST(Transposed, ClassesOfMatrices) {
  Random random(24);
  for (const char* spec : {"poisson2d:30", "kkt:200", "rmat:8,6", "band:400,20,9"}) {
    SCOPED_TRACE(spec);
    const auto matrix = generate(spec);
    ASSERT_TRUE(matrix) << matrix.error().message;
    expect_right<double>(*matrix, random);
  }
}

TEST(Transposed, WhatIsNotFiniteStaysInItsColumns) {
  const double infinite = std::numeric_limits<double>::infinity();
  const Matrix matrix = matrix_of(2, 3, {{0, 0, 1}, {1, 1, 0}, {1, 2, 2}});
  const double x[] = {3, infinite};
  for (const int threads : {1, 2}) {
    double y[] = {0, 0, 0};
    TransposedProduct<double, double, std::int32_t>(matrix, threads).multiply(1, x, 0, y);
    EXPECT_EQ(y[0], 3);
    EXPECT_TRUE(std::isnan(y[1]));  // a stored zero times infinity
    EXPECT_EQ(y[2], infinite);
  }
}

TEST(Transposed, RoomForTheColumnsThatAThreadSpans) {
  const auto matrix = generate("poisson2d:100");
  ASSERT_TRUE(matrix) << matrix.error().message;
  const TransposedProduct<double, double, std::int32_t> one(*matrix, 1);
  EXPECT_EQ(one.room_bytes(), 0U);
  // Two threads' rows overlap by one line of the grid above and below the cut.
  const TransposedProduct<double, double, std::int32_t> two(*matrix, 2);
  EXPECT_EQ(two.room_bytes(), (10000U + 200U) * sizeof(double));
}

TEST(Transposed, WholeInsideAParallelRegion) {
  const auto matrix = generate("poisson2d:30");
  ASSERT_TRUE(matrix) << matrix.error().message;
  const std::vector<double> x(static_cast<std::size_t>(matrix->rows), 1);
  std::vector<double> y(x.size(), std::nan(""));
  std::vector<double> expected(x.size());
  multiply_slowly(transpose(*matrix), 1, x.data(), 0, expected.data());
  const TransposedProduct<double, double, std::int32_t> product(*matrix, 3);
  const int levels = omp_get_max_active_levels();
  omp_set_max_active_levels(1);
#pragma omp parallel num_threads(2)
  {
#pragma omp single
    product.multiply(1, x.data(), 0, y.data());
  }
  omp_set_max_active_levels(levels);
  for (std::size_t i = 0; i < y.size(); ++i) {
    ASSERT_NEAR(y[i], expected[i], 1e-13);
  }
}

}  // namespace
}  // namespace ridge::spmv
