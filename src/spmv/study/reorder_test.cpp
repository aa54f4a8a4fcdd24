#include "spmv/study/reorder.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spmv/format/symmetric.hpp"
#include "spmv/generate/generate.hpp"

namespace ridge::spmv {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Matrix = CsrMatrix<double, std::int32_t>;
using Order = std::vector<std::int32_t>;

Matrix made(std::string_view spec) {
  auto matrix = generate(spec, 1, std::uint64_t{1} << 40);
  EXPECT_TRUE(matrix) << spec;
  return std::move(*matrix);
}

struct Edge {
  std::int32_t row;
  std::int32_t column;
};

Matrix matrix_of(std::int32_t rows, std::int32_t columns, const std::vector<Edge>& edges) {
  CooMatrix<double, std::int32_t> entries;
  entries.rows = rows;
  entries.columns = columns;
  entries.row = Array<std::int32_t>(edges.size());
  entries.column = Array<std::int32_t>(edges.size());
  entries.value = Array<double>(edges.size());
  for (std::size_t k = 0; k < edges.size(); ++k) {
    entries.row[k] = edges[k].row;
    entries.column[k] = edges[k].column;
    entries.value[k] = 1 + static_cast<double>(k);
  }
  auto matrix = from_coordinates(entries);
  EXPECT_TRUE(matrix);
  return std::move(*matrix);
}

Order shuffled(std::int32_t size, std::uint64_t seed) {
  Order order(static_cast<std::size_t>(size));
  std::iota(order.begin(), order.end(), 0);
  std::mt19937_64 random(seed);
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[random() % i]);
  }
  return order;
}

Matrix in_order(const Matrix& matrix, const Order& order) {
  auto result = permuted(matrix, std::span<const std::int32_t>(order));
  EXPECT_TRUE(result);
  return std::move(*result);
}

Order rcm(const Matrix& matrix) {
  const auto order = reverse_cuthill_mckee(pattern_of(matrix));
  EXPECT_TRUE(order);
  EXPECT_TRUE(is_permutation_of(std::span<const std::int32_t>(*order), matrix.rows));
  return *order;
}

TEST(Reorder, ShuffledGridComesBackToItsBandwidth) {
  for (const std::int32_t n : {2, 7, 30, 100}) {
    const Matrix grid = made("poisson2d:" + std::to_string(n));
    EXPECT_EQ(bandwidth(pattern_of(grid)), n);
    const Matrix mixed_up = in_order(grid, shuffled(grid.rows, 3));
    const Matrix again = in_order(mixed_up, rcm(mixed_up));
    // A grid from a corner has levels of at most n vertices; a row reaches into the next level.
    EXPECT_LE(bandwidth(pattern_of(again)), n + 1) << n;
    EXPECT_EQ(again.entries(), grid.entries());
  }
}

TEST(Reorder, PathAndBandBecomeNarrow) {
  std::vector<Edge> edges;
  const Order names = shuffled(1000, 9);
  for (std::size_t i = 0; i + 1 < names.size(); ++i) {
    edges.push_back({names[i], names[i + 1]});
    edges.push_back({names[i + 1], names[i]});
  }
  const Matrix path = matrix_of(1000, 1000, edges);
  EXPECT_EQ(bandwidth(pattern_of(in_order(path, rcm(path)))), 1);
  const Matrix band = made("band:2000,6,13");
  const Matrix mixed_up = in_order(band, shuffled(band.rows, 5));
  EXPECT_LE(bandwidth(pattern_of(in_order(mixed_up, rcm(mixed_up)))), 12);
}

TEST(Reorder, ComponentsStayTogether) {
  // Two paths that alternate, and vertices alone.
  std::vector<Edge> edges;
  for (std::int32_t i = 0; i + 2 < 40; ++i) {
    edges.push_back({i, i + 2});
    edges.push_back({i + 2, i});
  }
  const Matrix matrix = matrix_of(45, 45, edges);
  const Order order = rcm(matrix);
  EXPECT_EQ(bandwidth(pattern_of(in_order(matrix, order))), 1);
  int changes = 0;
  for (std::size_t i = 1; i < order.size(); ++i) {
    const auto kind = [&](std::size_t at) { return order[at] >= 40 ? order[at] : order[at] % 2; };
    changes += kind(i) != kind(i - 1) ? 1 : 0;
  }
  EXPECT_EQ(changes, 6);
}

TEST(Reorder, UnsymmetricPatternsAreTakenWithTheirTranspose) {
  // The upper half alone says the same of who belongs together.
  const Matrix grid = made("poisson2d:25");
  const Matrix mixed_up = in_order(grid, shuffled(grid.rows, 4));
  const Matrix upper = upper_triangle(mixed_up);
  ASSERT_FALSE(has_symmetric_pattern(upper));
  EXPECT_LE(bandwidth(pattern_of(in_order(upper, rcm(upper)))), 26);
}

TEST(Reorder, ProductOfThePermutedIsThePermutedProduct) {
  std::mt19937_64 random(11);
  for (const std::string_view spec : {"rmat:9,8", "kkt:700", "mesh:500", "uniform:600,5"}) {
    const Matrix matrix = made(spec);
    const auto size = static_cast<std::size_t>(matrix.rows);
    std::vector<double> x(size);
    for (double& value : x) {
      value = static_cast<double>(random() % 1000) - 500;
    }
    std::vector<double> y(size);
    multiply_slowly(matrix, 1, x.data(), 0, y.data());
    const auto check = [&](const Order& order) {
      const Matrix other = in_order(matrix, order);
      for (std::size_t i = 0; i < size; ++i) {
        const auto row = pattern_of(other).row(i);
        ASSERT_TRUE(std::is_sorted(row.begin(), row.end(), std::less_equal<>()));
      }
      std::vector<double> other_x(size);
      std::vector<double> other_y(size);
      std::vector<double> back(size);
      permute(std::span<const std::int32_t>(order), x.data(), other_x.data());
      multiply_slowly(other, 1, other_x.data(), 0, other_y.data());
      permute_back(std::span<const std::int32_t>(order), other_y.data(), back.data());
      for (std::size_t i = 0; i < size; ++i) {
        ASSERT_NEAR(back[i], y[i], 1e-9) << spec << " row " << i;
      }
    };
    check(rcm(matrix));
    check(shuffled(matrix.rows, 2));
    check(*hub_order(pattern_of(matrix), Hubs::sorted));
    check(*hub_order(pattern_of(matrix), Hubs::grouped));
  }
}

TEST(Reorder, SpectrumStays) {
  // trace(A^p) is the sum of the p-th powers of the eigenvalues.
  const Matrix matrix = made("mesh:60");
  const auto traces = [](const Matrix& a) {
    const auto size = static_cast<std::size_t>(a.rows);
    std::vector<double> sums(6, 0);
    for (std::size_t i = 0; i < size; ++i) {
      std::vector<double> v(size, 0);
      std::vector<double> next(size);
      v[i] = 1;
      for (double& sum : sums) {
        multiply_slowly(a, 1, v.data(), 0, next.data());
        v.swap(next);
        sum += v[i];
      }
    }
    return sums;
  };
  const auto before = traces(matrix);
  const auto after = traces(in_order(matrix, rcm(matrix)));
  for (std::size_t p = 0; p < before.size(); ++p) {
    EXPECT_NEAR(after[p], before[p], 1e-9 * (1 + std::abs(before[p]))) << p;
  }
}

TEST(Reorder, HubsByHowOftenTheirColumnIsUsed) {
  // Columns 0 .. 4 are used 1, 3, 0, 3, 2 times.
  const Matrix matrix =
      matrix_of(5, 5, {{0, 1}, {0, 3}, {1, 1}, {1, 3}, {2, 1}, {2, 3}, {3, 4}, {4, 4}, {4, 0}});
  EXPECT_THAT(*hub_order(pattern_of(matrix), Hubs::sorted), ElementsAre(1, 3, 4, 0, 2));
  // The mean is 1.8.
  EXPECT_THAT(*hub_order(pattern_of(matrix), Hubs::grouped), ElementsAre(1, 3, 4, 0, 2));
  const Matrix other = matrix_of(4, 4, {{0, 3}, {1, 3}, {0, 1}, {1, 1}, {2, 1}, {2, 0}});
  EXPECT_THAT(*hub_order(pattern_of(other), Hubs::sorted), ElementsAre(1, 3, 0, 2));
  EXPECT_THAT(*hub_order(pattern_of(other), Hubs::grouped), ElementsAre(1, 3, 0, 2));
  const Matrix third = matrix_of(4, 4, {{0, 1}, {1, 1}, {0, 3}, {1, 3}, {2, 3}, {2, 0}});
  EXPECT_THAT(*hub_order(pattern_of(third), Hubs::sorted), ElementsAre(3, 1, 0, 2));
  EXPECT_THAT(*hub_order(pattern_of(third), Hubs::grouped), ElementsAre(1, 3, 0, 2));
}

TEST(Reorder, EmptyAndWrongShapes) {
  const Matrix none = matrix_of(0, 0, {});
  EXPECT_TRUE(rcm(none).empty());
  EXPECT_EQ(in_order(none, {}).rows, 0);
  EXPECT_TRUE(hub_order(pattern_of(none), Hubs::sorted)->empty());
  EXPECT_EQ(bandwidth(pattern_of(none)), 0);
  const Matrix empty = matrix_of(4, 4, {});
  EXPECT_EQ(rcm(empty).size(), 4U);
  EXPECT_EQ(rcm(matrix_of(1, 1, {{0, 0}})).size(), 1U);

  const Matrix wide = matrix_of(2, 3, {{0, 2}});
  const auto refused = reverse_cuthill_mckee(pattern_of(wide));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::bad_input);
  EXPECT_THAT(refused.error().message, HasSubstr("2 x 3"));
  EXPECT_FALSE(hub_order(pattern_of(wide), Hubs::grouped));
  const Order two = {0, 1};
  EXPECT_FALSE(permuted(wide, std::span<const std::int32_t>(two)));
  for (const Order& order :
       {Order{0, 1, 2}, Order{0, 1, 1, 2}, Order{0, 1, 2, 4}, Order{-1, 0, 1, 2}}) {
    EXPECT_FALSE(permuted(empty, std::span<const std::int32_t>(order)));
  }
}

TEST(Reorder, LongIndices) {
  const auto grid = converted<float, std::int64_t>(made("poisson2d:9"));
  const auto order = reverse_cuthill_mckee(pattern_of(grid));
  ASSERT_TRUE(order);
  const auto again = permuted(grid, std::span<const std::int64_t>(*order));
  ASSERT_TRUE(again);
  EXPECT_LE(bandwidth(pattern_of(*again)), 10);
}

}  // namespace
}  // namespace ridge::spmv
