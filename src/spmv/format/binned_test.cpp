#include "spmv/format/binned.hpp"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "spmv/matrix/matrices_for_tests.hpp"

namespace ridge::spmv {
namespace {

using Random = std::mt19937_64;

template <class Vector, class Value, class I>
void expect_binned_right(const CsrMatrix<Value, I>& matrix, const BinSizes& sizes, Isa isa) {
  const auto binned = to_binned(matrix, sizes);
  ASSERT_EQ(binned.bins, (matrix.rows + (I{1} << sizes.bin_bits) - 1) >> sizes.bin_bits);
  EXPECT_EQ(binned.bin_begin[static_cast<std::size_t>(binned.bins)],
            static_cast<std::int64_t>(binned.stored()));
  EXPECT_EQ(binned.stored() % 8, 0U);
  EXPECT_LE(binned.stored(), matrix.entries() + static_cast<std::size_t>(binned.pieces()) * 7);
  std::vector<Vector> x(static_cast<std::size_t>(matrix.columns));
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<Vector>(static_cast<double>(i % 13) - 6);
  }
  Array<Vector> products(binned.stored(), std::numeric_limits<Vector>::quiet_NaN());
  Array<Vector> y(static_cast<std::size_t>(matrix.rows), Vector{2});
  std::vector<Vector> expected(y.begin(), y.end());
  multiply_slowly(matrix, 3, x.data(), -1, expected.data());
  const auto& table = kernels<Value, Vector, I>(isa);
  const Operands<Vector> operands{x.data(), y.data(), 3, -1};
  // In pieces, in another order.
  const std::int64_t middle = binned.pieces() / 3;
  table.multiply_strips(binned.view(), operands, products.data(), middle, binned.pieces());
  table.multiply_strips(binned.view(), operands, products.data(), 0, middle);
  table.sum_bins(binned.view(), operands, products.data(), binned.bins / 2, binned.bins);
  table.sum_bins(binned.view(), operands, products.data(), 0, binned.bins / 2);
  for (std::size_t i = 0; i < y.size(); ++i) {
    ASSERT_NEAR(y[i], expected[i], 1e-3) << "row " << i;
  }
}

TEST(Binned, ManyStripsAndBins) {
  Random random(15);
  for (int round = 0; round < 12; ++round) {
    const std::int32_t rows = 1 + below(random, 700);
    const std::int32_t columns = 1 + below(random, 700);
    const auto matrix = scattered(random, rows, columns, random() % 5000);
    const BinSizes sizes{3 + below(random, 7), 3 + below(random, 7)};
    for (int isa = 0; isa <= static_cast<int>(widest_isa()); ++isa) {
      SCOPED_TRACE(round);
      expect_binned_right<double>(matrix, sizes, static_cast<Isa>(isa));
      expect_binned_right<float>(converted<float, std::int64_t>(matrix), sizes,
                                 static_cast<Isa>(isa));
    }
  }
}

TEST(Binned, SizesFitTheMatrix) {
  for (const std::int64_t rows : {1, 1000, 70'000, 3'400'000, 2'000'000'000}) {
    for (const std::int64_t columns : {1, 1000, 3'400'000, 2'000'000'000}) {
      const auto entries = static_cast<std::size_t>(rows * 7);
      const BinSizes sizes = bin_sizes(rows, columns, entries);
      EXPECT_GE(sizes.strip_bits, 3);
      EXPECT_LE(sizes.strip_bits, 16);
      EXPECT_GE(sizes.bin_bits, 3);
      EXPECT_LE(sizes.bin_bits, 16);
    }
  }
  EXPECT_EQ(bin_sizes(3'400'000, 3'400'000, 23'800'000).bin_bits, 13);
  EXPECT_EQ(bin_sizes(1 << 17, 1 << 17, 2'000'000).bin_bits, 11) << "64 bins to share out";
  EXPECT_EQ(bin_sizes(1 << 30, 1 << 30, std::size_t{7} << 30).strip_bits, 16)
      << "few entries in a piece";
}

}  // namespace
}  // namespace ridge::spmv
