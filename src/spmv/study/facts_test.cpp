#include "spmv/study/facts.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spmv/format/pattern_sell.hpp"
#include "spmv/generate/generate.hpp"
#include "spmv/matrix/spy.hpp"

namespace ridge::spmv {
namespace {

using testing::Each;
using testing::ElementsAre;
using Matrix = CsrMatrix<double, std::int32_t>;

Matrix made(std::string_view spec) {
  auto matrix = generate(spec, 1, std::uint64_t{1} << 40);
  EXPECT_TRUE(matrix) << spec;
  return std::move(*matrix);
}

Matrix matrix_of(std::int32_t columns, const std::vector<std::vector<std::int32_t>>& rows) {
  Matrix matrix;
  matrix.rows = static_cast<std::int32_t>(rows.size());
  matrix.columns = columns;
  std::vector<std::int32_t> column;
  matrix.row_begin = Array<std::int32_t>(rows.size() + 1, 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    column.insert(column.end(), rows[i].begin(), rows[i].end());
    matrix.row_begin[i + 1] = static_cast<std::int32_t>(column.size());
  }
  matrix.column = Array<std::int32_t>(column.size());
  std::copy(column.begin(), column.end(), matrix.column.begin());
  matrix.value = Array<double>(column.size(), 1.0);
  return matrix;
}

TEST(Facts, OfASmallMatrixByHand) {
  Matrix matrix = matrix_of(6, {{0, 1, 5}, {}, {0}, {1, 2, 3, 4}, {4}});
  matrix.value[1] = 0;
  const SparsityFacts facts = facts_of(matrix, {.threads = {1, 2, 5, 7}});
  EXPECT_EQ(facts.rows, 5);
  EXPECT_EQ(facts.columns, 6);
  EXPECT_EQ(facts.entries, 9U);
  EXPECT_EQ(facts.explicit_zeros, 1U);
  EXPECT_EQ(facts.columns_used, 6);
  EXPECT_EQ(facts.row_lengths.least, 0);
  EXPECT_EQ(facts.row_lengths.most, 4);
  EXPECT_DOUBLE_EQ(facts.row_lengths.mean, 1.8);
  // Lengths 3 0 1 4 1: squares 27, variance 27 / 5 - 1.8^2.
  EXPECT_DOUBLE_EQ(facts.row_lengths.variation, std::sqrt(27 / 5.0 - 1.8 * 1.8) / 1.8);
  EXPECT_EQ(facts.row_lengths.empty, 1);
  EXPECT_THAT(facts.row_lengths.histogram, ElementsAre(1, 2, 1, 1));
  EXPECT_EQ(facts.bandwidth, 5);
  // Distances: 0 1 5, 2, 2 1 0 1, 0.
  EXPECT_DOUBLE_EQ(facts.mean_distance, 12 / 9.0);
  EXPECT_EQ(facts.profile, 0 + 0 + 2 + 2 + 0);
  EXPECT_DOUBLE_EQ(facts.within_line, 1);
  EXPECT_FALSE(facts.symmetric_pattern);
  EXPECT_FALSE(facts.symmetric_values);
  ASSERT_EQ(facts.imbalance.size(), 4U);
  EXPECT_EQ(facts.imbalance[0].by_rows, 1);
  EXPECT_EQ(facts.imbalance[0].by_entries, 1);
  EXPECT_DOUBLE_EQ(facts.imbalance[1].by_rows, 6 / 4.5);     // rows 0 1 | 2 3 4
  EXPECT_DOUBLE_EQ(facts.imbalance[1].by_entries, 8 / 4.5);  // rows 0 .. 3 | 4
  EXPECT_DOUBLE_EQ(facts.imbalance[2].by_rows, 4 / 1.8);
  EXPECT_EQ(facts.imbalance[3].threads, 7);
  EXPECT_DOUBLE_EQ(facts.imbalance[3].by_rows, 4 / (9 / 7.0));
}

TEST(Facts, Windows) {
  // Row 0 of 10000 columns: entries at distance 7, 8, 2047, 2048 and 9999.
  std::vector<std::vector<std::int32_t>> rows(1, {7, 8, 2047, 2048, 9999});
  const SparsityFacts facts =
      facts_of(matrix_of(10000, rows), {.l1_bytes = 32768, .l2_bytes = 160000});
  EXPECT_DOUBLE_EQ(facts.within_line, 1 / 5.0);  // a line holds 8
  EXPECT_DOUBLE_EQ(facts.within_l1, 3 / 5.0);    // half of 32 KiB: 2048
  EXPECT_DOUBLE_EQ(facts.within_l2, 5 / 5.0);    // half of 160000 byte: 10000
  EXPECT_EQ(facts.bandwidth, 9999);
}

TEST(Facts, OfKnownClasses) {
  const SparsityFacts grid = facts_of(made("poisson3d:20"));
  EXPECT_EQ(grid.bandwidth, 400);
  EXPECT_TRUE(grid.symmetric_pattern);
  EXPECT_TRUE(grid.symmetric_values);
  EXPECT_EQ(grid.block, 1);
  EXPECT_EQ(grid.row_lengths.least, 4);
  EXPECT_EQ(grid.row_lengths.most, 7);
  EXPECT_GT(grid.without_index, 0.9);

  const SparsityFacts blocks = facts_of(made("fem:8,3"));
  EXPECT_EQ(blocks.block, 3);
  EXPECT_DOUBLE_EQ(blocks.block_fill, 1);

  const SparsityFacts graph = facts_of(made("rmat:12,8"), {.threads = {4}});
  EXPECT_LT(graph.without_index, 0.05);
  EXPECT_GT(graph.row_lengths.variation, 1);
  EXPECT_GT(graph.imbalance[0].by_rows, 1.5);
  EXPECT_LT(graph.imbalance[0].by_entries, 1.1);

  const SparsityFacts uniform = facts_of(made("uniform:5000,9"));
  EXPECT_EQ(uniform.row_lengths.variation, 0);
  EXPECT_THAT(uniform.row_lengths.histogram, ElementsAre(0, 0, 0, 0, 5000));
}

TEST(Facts, WithoutIndexAsTheFormatHasIt) {
  for (const std::string_view spec :
       {"poisson2d:60", "mesh:4000", "kkt:3000", "fem:7,3", "hpcg:9"}) {
    const Matrix matrix = made(spec);
    const auto pattern = to_pattern_sell(matrix);
    // The format says how many stored values need none, padding included: take off the zeros.
    std::size_t useful = 0;
    for (const PatternChunk& chunk : pattern.chunk) {
      const auto values =
          static_cast<std::size_t>(pattern.shape[static_cast<std::size_t>(chunk.shape)].diagonals) *
          32;
      for (std::size_t k = 0; k < values; ++k) {
        useful += pattern.value[static_cast<std::size_t>(chunk.value) + k] != 0 ? 1 : 0;
      }
    }
    EXPECT_DOUBLE_EQ(facts_of(matrix).without_index,
                     static_cast<double>(useful) / static_cast<double>(matrix.entries()))
        << spec;
  }
}

TEST(Facts, UniqueShareOfBlocks) {
  // Each row uses the same three columns: three of them per block.
  const Matrix same = matrix_of(9, std::vector<std::vector<std::int32_t>>(100, {1, 4, 8}));
  EXPECT_DOUBLE_EQ(facts_of(same, {.block_rows = 10}).unique_share, 3 / 30.0);
  EXPECT_DOUBLE_EQ(facts_of(same, {.block_rows = 1}).unique_share, 1);
  EXPECT_DOUBLE_EQ(facts_of(same).unique_share, 3 / 300.0);
}

TEST(Facts, Empty) {
  for (const Matrix& matrix : {Matrix{}, matrix_of(0, {{}, {}}), matrix_of(5, {{}, {}})}) {
    const SparsityFacts facts = facts_of(matrix, {.threads = {1, 3}});
    EXPECT_EQ(facts.entries, 0U);
    EXPECT_EQ(facts.bandwidth, 0);
    EXPECT_EQ(facts.mean_distance, 0);
    EXPECT_EQ(facts.row_lengths.mean, 0);
    EXPECT_EQ(facts.row_lengths.empty, facts.rows);
    EXPECT_EQ(facts.without_index, 0);
    EXPECT_EQ(facts.unique_share, 0);
    EXPECT_EQ(facts.imbalance[1].by_rows, 1);
  }
}

TEST(Spy, CountsEntriesOfParts) {
  const Matrix matrix = matrix_of(4, {{0, 1}, {3}, {}, {2, 3}, {0}});
  const Spy picture = spy(pattern_of(matrix), 2, 2);
  // Rows 0 .. 2 and 3, 4; columns 0, 1 and 2, 3.
  EXPECT_THAT(picture.counts, ElementsAre(2, 1, 1, 2));
  EXPECT_EQ(picture.places(0, 0), 6);
  EXPECT_EQ(picture.places(1, 1), 4);
  const Spy fine = spy(pattern_of(matrix), 100, 100);
  EXPECT_EQ(fine.height, 5);
  EXPECT_EQ(fine.width, 4);
  EXPECT_EQ(fine.at(3, 2), 1);
  EXPECT_EQ(fine.at(2, 2), 0);
}

TEST(Spy, EveryEntryAndEveryPlaceOnce) {
  for (const std::int32_t size : {1, 3, 7, 16, 41}) {
    const Matrix matrix = made("kkt:1000");
    const Spy picture = spy(pattern_of(matrix), size, 2 * size + 1);
    std::int64_t entries = 0;
    double places = 0;
    for (std::int32_t y = 0; y < picture.height; ++y) {
      for (std::int32_t x = 0; x < picture.width; ++x) {
        entries += picture.at(y, x);
        places += picture.places(y, x);
      }
    }
    EXPECT_EQ(entries, static_cast<std::int64_t>(matrix.entries()));
    EXPECT_EQ(places, static_cast<double>(matrix.rows) * matrix.columns);
  }
}

TEST(Spy, DiagonalIsADiagonal) {
  std::vector<std::vector<std::int32_t>> rows(64);
  for (std::int32_t i = 0; i < 64; ++i) {
    rows[static_cast<std::size_t>(i)] = {i};
  }
  const Spy picture = spy(pattern_of(matrix_of(64, rows)), 8, 8);
  for (std::int32_t y = 0; y < 8; ++y) {
    for (std::int32_t x = 0; x < 8; ++x) {
      EXPECT_EQ(picture.at(y, x), x == y ? 8 : 0);
    }
  }
}

TEST(Spy, NothingToSee) {
  EXPECT_TRUE(spy(pattern_of(Matrix{}), 10, 10).counts.empty());
  EXPECT_TRUE(spy(pattern_of(matrix_of(0, {{}, {}})), 10, 10).counts.empty());
  EXPECT_TRUE(spy(pattern_of(matrix_of(2, {{0}})), 0, 10).counts.empty());
  EXPECT_THAT(spy(pattern_of(matrix_of(3, {{}, {}})), 10, 10).counts, Each(0));
}

}  // namespace
}  // namespace ridge::spmv
