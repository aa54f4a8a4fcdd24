#include "spmv/format/to_csr.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spmv/format/symmetric.hpp"
#include "spmv/generate/generate.hpp"
#include "spmv/matrix/matrices_for_tests.hpp"

namespace ridge::spmv {
namespace {

using testing::HasSubstr;
using Matrix = CsrMatrix<double, std::int32_t>;
using Random = std::mt19937_64;
using Entry = TestEntry;

/// Bit for bit, so that -0 is not +0 and a NaN is itself.
template <class Value, class Index>
::testing::AssertionResult same(const CsrMatrix<Value, Index>& a,
                                const CsrMatrix<Value, Index>& b) {
  const auto equal = [](const auto& p, const auto& q) {
    return p.size() == q.size() &&
           (p.empty() || std::memcmp(p.data(), q.data(), p.size() * sizeof(p[0])) == 0);
  };
  if (a.rows != b.rows || a.columns != b.columns) {
    return ::testing::AssertionFailure() << a.rows << " x " << a.columns;
  }
  if (!equal(a.row_begin, b.row_begin)) {
    return ::testing::AssertionFailure() << "rows of other sizes, " << a.entries() << " entries";
  }
  if (!equal(a.column, b.column)) {
    return ::testing::AssertionFailure() << "other columns";
  }
  return equal(a.value, b.value) ? ::testing::AssertionSuccess()
                                 : ::testing::AssertionFailure() << "other values";
}

template <class Value, class Index>
void expect_back_from_padded(const CsrMatrix<Value, Index>& matrix) {
  for (const std::int32_t chunk_rows : {8, 16, 32}) {
    for (const std::int64_t sigma : {std::int64_t{1}, std::int64_t{64}, std::int64_t{1} << 40}) {
      SCOPED_TRACE(std::to_string(chunk_rows) + "-" + std::to_string(sigma));
      auto sell = to_sell(matrix, chunk_rows, sigma);
      EXPECT_TRUE(same(to_csr(sell), matrix));
      add_short_indices(sell);
      // Where there are 16-bit indices, the others are not looked at.
      for (std::int64_t c = 0; c < sell.chunks(); ++c) {
        const auto at = static_cast<std::size_t>(c);
        if (sell.base[at] >= 0) {
          std::fill(sell.column.begin() + sell.chunk_begin[at],
                    sell.column.begin() + sell.chunk_begin[at + 1], Index{-7});
        }
      }
      EXPECT_TRUE(same(to_csr(sell), matrix)) << "16-bit indices";
    }
  }
  for (const std::size_t most : {65536, 40, 9}) {
    auto blocked = to_gather_blocked(to_sell(matrix, 32, 1), most, 64);
    for (std::int64_t b = 0; b < blocked.blocks(); ++b) {
      const auto at = static_cast<std::size_t>(b);
      if (blocked.needed_begin[at] != blocked.needed_begin[at + 1]) {
        const auto begin = static_cast<std::size_t>(blocked.block_begin[at]);
        const auto end = static_cast<std::size_t>(blocked.block_begin[at + 1]);
        std::fill(blocked.sell.column.begin() + blocked.sell.chunk_begin[begin],
                  blocked.sell.column.begin() + blocked.sell.chunk_begin[end], Index{-7});
      }
    }
    EXPECT_TRUE(same(to_csr(blocked), matrix)) << "gather-blocked " << most;
  }
  for (const BinSizes& sizes : {BinSizes{3, 4}, BinSizes{5, 3}, BinSizes{16, 16}}) {
    EXPECT_TRUE(same(to_csr(to_binned(matrix, sizes)), matrix)) << "binned " << sizes.bin_bits;
  }
  for (const std::int32_t least : {1, kLeastOfDiagonal, 33}) {
    EXPECT_TRUE(same(to_csr(to_pattern_sell(matrix, least)), matrix)) << "pattern " << least;
  }
}

template <class Value, class Index>
void expect_back_from_blocks(const CsrMatrix<Value, Index>& matrix) {
  for (std::int32_t block = 2; block <= kLargestBlock; ++block) {
    if (matrix.rows % block == 0 && matrix.columns % block == 0) {
      const auto blocks = to_bcsr(matrix, block);
      EXPECT_TRUE(same(to_csr(blocks), matrix)) << block;
      for (const std::int32_t least : {1, kLeastOfBlockDiagonal, 17}) {
        EXPECT_TRUE(same(to_csr(to_pattern_sell(blocks, least)), matrix))
            << "pattern " << block << " " << least;
      }
    }
  }
}

template <class Value, class Index>
void expect_back(const CsrMatrix<Value, Index>& matrix) {
  expect_back_from_padded(matrix);
  expect_back_from_blocks(matrix);
  if (is_symmetric(matrix)) {
    const auto back = from_upper_triangle(upper_triangle(matrix));
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_TRUE(same(*back, matrix)) << "symmetric";
  }
}

void expect_back_with_all_numbers(const Matrix& matrix) {
  expect_back(matrix);
  expect_back(converted<double, std::int64_t>(matrix));
  expect_back(converted<float, std::int32_t>(matrix));
  expect_back(converted<float, std::int64_t>(matrix));
}

TEST(ToCsr, EveryClassOfMatrix) {
  for (const char* spec :
       {"poisson2d:14", "poisson3d:7", "hpcg:6", "band:200,20,9", "uniform:200,5", "rmat:7,6",
        "fem:4", "mesh:100", "kkt:150", "anderson:6"}) {
    SCOPED_TRACE(spec);
    const auto matrix = generate(spec);
    ASSERT_TRUE(matrix) << matrix.error().message << " " << matrix.error().hint;
    expect_back_with_all_numbers(*matrix);
  }
}

TEST(ToCsr, RandomMatrices) {
  Random random(11);
  for (int round = 0; round < 12; ++round) {
    SCOPED_TRACE(round);
    const std::int32_t rows = 1 + below(random, 100);
    const std::int32_t columns = 1 + below(random, 100);
    std::vector<Entry> entries;
    for (std::uint64_t k = random() % 600; k > 0; --k) {
      entries.push_back({below(random, rows), below(random, columns), 1.0 + below(random, 9)});
    }
    expect_back_with_all_numbers(matrix_of(rows, columns, entries));
  }
}

TEST(ToCsr, EdgesOfMatrices) {
  expect_back_with_all_numbers(matrix_of(0, 0, {}));
  expect_back_with_all_numbers(matrix_of(0, 12, {}));
  expect_back_with_all_numbers(matrix_of(12, 0, {}));
  expect_back_with_all_numbers(matrix_of(60, 12, {}));
  expect_back_with_all_numbers(matrix_of(1, 1, {{0, 0, 2}}));
  expect_back_with_all_numbers(matrix_of(1, 1, {{0, 0, 0}}));
  expect_back_with_all_numbers(matrix_of(1, 60, {{0, 0, 2}, {0, 59, 3}}));
  expect_back_with_all_numbers(matrix_of(60, 1, {{0, 0, 2}, {59, 0, 3}}));
  expect_back_with_all_numbers(matrix_of(64, 64, {{63, 63, 1}}));
  // Further apart than 16-bit indices reach.
  expect_back_with_all_numbers(matrix_of(40, 70000, {{3, 0, 1}, {3, 69999, 2}, {38, 5, 3}}));
}

TEST(ToCsr, ValuesThatAreNotOrdinary) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  expect_back_with_all_numbers(matrix_of(
      6, 6, {{0, 0, nan}, {0, 1, -0.0}, {1, 0, -0.0}, {3, 5, -infinite}, {5, 0, nan}, {5, 5, 1}}));
}

TEST(ToCsr, StoredZerosStayWherePaddingCannotBeMistakenForThem) {
  Random random(12);
  for (int round = 0; round < 12; ++round) {
    SCOPED_TRACE(round);
    const std::int32_t rows = 1 + below(random, 90);
    const std::int32_t columns = 2 + below(random, 90);
    std::vector<Entry> entries;
    for (std::int32_t k = 0; k < 4 * rows; ++k) {
      const std::int32_t row = below(random, rows);
      const double value = k % 3 == 0 ? 0.0 : k % 3 == 1 ? -0.0 : 2.0;
      entries.push_back({row, 1 + below(random, columns - 1), value});  // none alone in column 0
    }
    expect_back_from_padded(matrix_of(rows, columns, entries));
  }
  // Whole blocks of stored zeros among full ones.
  std::vector<Entry> entries;
  for (std::int32_t at = 0; at < 40; ++at) {
    for (std::int32_t k = 0; k < 9; ++k) {
      entries.push_back({3 * at + k / 3, 3 + 3 * (at % 7) + k % 3, at % 4 == 0 ? 0.0 : 1.0});
    }
  }
  const Matrix full = matrix_of(120, 120, entries);
  EXPECT_TRUE(same(to_csr(to_bcsr(full, 3)), full));
  EXPECT_TRUE(same(to_csr(to_pattern_sell(to_bcsr(full, 3))), full));
}

TEST(ToCsr, ZerosAloneInColumnZeroStayIfNoOtherRowIsEmpty) {
  std::vector<Entry> entries;
  for (std::int32_t i = 0; i < 50; ++i) {
    entries.push_back({i, 0, 0.0});
    if (i % 5 == 0) {
      entries.push_back({i, 1 + i % 3, 4.0});
    }
  }
  expect_back_from_padded(matrix_of(50, 8, entries));
}

// The exceptions of to_csr.hpp, and no more than these.
TEST(ToCsr, WhatIsLostIsWhatIsSaid) {
  const Matrix mixed =
      matrix_of(4, 4, {{0, 0, 0.0}, {2, 0, 0.0}, {2, 3, 0.0}, {3, 1, 5}});  // row 1 is empty
  const Matrix left = matrix_of(4, 4, {{2, 0, 0.0}, {2, 3, 0.0}, {3, 1, 5}});
  const auto sell = to_sell(mixed, 8, 1);
  EXPECT_EQ(sell.useful, 4U);
  EXPECT_TRUE(same(to_csr(sell), left));
  EXPECT_TRUE(same(to_csr(to_gather_blocked(to_sell(mixed, 32, 1))), left));
  EXPECT_TRUE(same(to_csr(to_pattern_sell(mixed)), left));

  const Matrix block = matrix_of(2, 2, {{0, 0, 0.0}, {0, 1, -0.0}, {1, 1, 3}});
  const Matrix rest = matrix_of(2, 2, {{0, 1, -0.0}, {1, 1, 3}});
  EXPECT_TRUE(same(to_csr(to_bcsr(block, 2)), rest));
  EXPECT_TRUE(same(to_csr(to_pattern_sell(to_bcsr(block, 2))), rest));
}

TEST(ToCsr, FromATriangle) {
  const Matrix upper = matrix_of(3, 3, {{0, 0, 0.0}, {0, 2, 4}, {1, 2, 0.0}, {2, 2, 6}});
  const auto matrix = from_upper_triangle(upper);
  ASSERT_TRUE(matrix) << matrix.error().message;
  EXPECT_TRUE(same(
      *matrix,
      matrix_of(3, 3, {{0, 0, 0.0}, {0, 2, 4}, {1, 2, 0.0}, {2, 0, 4}, {2, 1, 0.0}, {2, 2, 6}})));
  EXPECT_THAT(from_upper_triangle(matrix_of(2, 3, {})).error().message, HasSubstr("2 x 3"));
  EXPECT_THAT(from_upper_triangle(*matrix).error().message, HasSubstr("(2, 0)"));
}

}  // namespace
}  // namespace ridge::spmv
