#include "spmv/format/product.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spmv/format/bcsr.hpp"
#include "spmv/format/pattern_sell.hpp"
#include "spmv/format/sell_c_sigma.hpp"
#include "spmv/format/symmetric.hpp"
#include "spmv/matrix/matrices_for_tests.hpp"
#include "spmv/sentences_for_tests.hpp"
#include "spmv/study/tune.hpp"

namespace ridge::spmv {
namespace {

using testing::HasSubstr;
using Index = std::int32_t;
using Matrix = CsrMatrix<double, Index>;
using Entry = TestEntry;
using Random = std::mt19937_64;

// Diagonals with gaps, and some entries elsewhere.
Matrix banded(Random& random, Index rows, Index columns) {
  std::vector<Entry> entries;
  for (int d = 0; d < 6; ++d) {
    const Index offset = below(random, 80) - 40;
    const std::uint64_t gaps = random() % 4;
    for (Index i = 0; i < rows; ++i) {
      if (i + offset >= 0 && i + offset < columns && (gaps == 0 || random() % 4 >= gaps)) {
        entries.push_back({i, i + offset, number(random)});
      }
    }
  }
  for (Index k = 0; k < rows / 4; ++k) {
    entries.push_back({below(random, rows), below(random, columns), number(random)});
  }
  return matrix_of(rows, columns, entries);
}

// Dense blocks at the places of another matrix.
Matrix blocked(Random& random, Index block, const Matrix& places) {
  std::vector<Entry> entries;
  const auto coordinates = to_coordinates(places);
  for (std::size_t k = 0; k < coordinates.entries(); ++k) {
    for (Index s = 0; s < block; ++s) {
      for (Index t = 0; t < block; ++t) {
        entries.push_back(
            {coordinates.row[k] * block + s, coordinates.column[k] * block + t, number(random)});
      }
    }
  }
  return matrix_of(places.rows * block, places.columns * block, entries);
}

Matrix symmetric(Random& random, Index rows, std::size_t count) {
  std::vector<Entry> entries;
  for (std::size_t k = 0; k < count; ++k) {
    const Entry entry{below(random, rows), below(random, rows), number(random)};
    entries.push_back(entry);
    if (entry.row != entry.column) {
      entries.push_back({entry.column, entry.row, entry.value});
    }
  }
  // Sums of duplicates in another order differ: integers do not.
  for (Entry& entry : entries) {
    entry.value = std::round(entry.value);
  }
  return matrix_of(rows, rows, entries);
}

const std::vector<std::string>& all_formats() {
  static const std::vector<std::string> names = {
      "csr",         "sell-8-1",    "sell-16-4",   "sell-32-1",      "sell-32-64",  "sell-16-N",
      "sell16-32-1", "sell16-8-16", "pattern",     "gather-blocked", "pattern-2x2", "pattern-3x3",
      "pattern-4x4", "pattern-5x5", "pattern-6x6", "bcsr-2x2",       "bcsr-3x3",    "bcsr-4x4",
      "bcsr-5x5",    "bcsr-6x6",    "binned",      "symmetric"};
  return names;
}

std::vector<Execution> all_executions() {
  std::vector<Execution> result;
  for (int isa = 0; isa <= static_cast<int>(widest_isa()); ++isa) {
    for (const Gather gather : {Gather::scalar, Gather::emulated, Gather::hardware}) {
      Execution execution;
      execution.isa = static_cast<Isa>(isa);
      execution.tuning = {gather, gather == Gather::emulated ? 64 : 0,
                          gather == Gather::scalar ? 0 : 48};
      execution.tuning.stream_y = gather == Gather::emulated;
      result.push_back(execution);
    }
  }
  for (const Schedule schedule :
       {Schedule::rows, Schedule::entries, Schedule::block_cyclic, Schedule::dynamic}) {
    for (const int threads : {2, 3}) {
      Execution execution;
      execution.threads = threads;
      execution.schedule = schedule;
      result.push_back(execution);
    }
  }
  return result;
}

// Holds a product of every format, by every kernel, against the slow one.
template <class Vector, class Value, class I>
void expect_right(const CsrMatrix<Value, I>& matrix, Random& random) {
  const auto rows = static_cast<std::size_t>(matrix.rows);
  std::vector<Vector> x(static_cast<std::size_t>(matrix.columns));
  for (Vector& element : x) {
    element = static_cast<Vector>(number(random));
  }
  std::vector<Vector> before(rows);
  for (Vector& element : before) {
    element = static_cast<Vector>(number(random));
  }
  std::vector<Vector> size(rows);
  CsrMatrix<Value, I> absolute = converted<Value, I>(matrix);
  for (Value& value : absolute.value) {
    value = std::abs(value);
  }
  std::vector<Vector> far(x.size(), Vector{10});
  multiply_slowly(absolute, 3, far.data(), 0, size.data());
  for (const std::string& name : all_formats()) {
    const auto format = parse_format(name);
    ASSERT_TRUE(format) << name;
    auto product = make_product<Vector>(matrix, *format, {}, 1e9);
    if (!product) {
      EXPECT_TRUE(name == "symmetric" || name.find('x') != std::string::npos)
          << name << ": " << product.error().message;
      continue;
    }
    EXPECT_EQ((*product)->footprint().useful, matrix.entries()) << name;
    for (const Execution& execution : all_executions()) {
      SCOPED_TRACE(name + ", isa " + std::to_string(static_cast<int>(execution.isa)) + ", gather " +
                   std::to_string(static_cast<int>(execution.tuning.gather)) + ", threads " +
                   std::to_string(execution.threads) + " " +
                   std::string(name_of(execution.schedule)));
      (*product)->set(execution);
      for (const double beta : {0.0, -0.5}) {
        const double alpha = beta == 0 ? 1 : 3;
        // One more element, which nobody may touch; the others are not read with beta = 0.
        // Begins at a line, as stores past the caches want it.
        Array<Vector> y(rows + 1, std::numeric_limits<Vector>::quiet_NaN());
        std::vector<Vector> expected = before;
        if (beta != 0) {
          std::copy(before.begin(), before.end(), y.begin());
        }
        y[rows] = 77;
        multiply_slowly(matrix, alpha, x.data(), beta, expected.data());
        (*product)->multiply(static_cast<Vector>(alpha), x.data(), static_cast<Vector>(beta),
                             y.data());
        EXPECT_EQ(y[rows], 77);
        for (std::size_t i = 0; i < rows; ++i) {
          const double tolerance =
              8 * std::numeric_limits<Vector>::epsilon() * (10 + static_cast<double>(size[i]));
          ASSERT_NEAR(y[i], expected[i], tolerance) << "row " << i;
        }
      }
    }
  }
}

TEST(Product, EveryFormatOnRandomMatrices) {
  Random random(1);
  for (int round = 0; round < 6; ++round) {
    const Index rows = 1 + below(random, 150);
    const Index columns = 1 + below(random, 150);
    SCOPED_TRACE(round);
    expect_right<double>(scattered(random, rows, columns, random() % 800), random);
    expect_right<double>(banded(random, 20 + rows, 20 + columns), random);
  }
}

TEST(Product, EveryFormatOnBlocks) {
  Random random(2);
  for (const Index block : {2, 3, 4, 5, 6}) {
    const Index rows = 20 + below(random, 40);
    SCOPED_TRACE(block);
    expect_right<double>(blocked(random, block, banded(random, rows, rows)), random);
  }
}

TEST(Product, EveryFormatOnSymmetricMatrices) {
  Random random(3);
  for (int round = 0; round < 4; ++round) {
    const Matrix matrix = symmetric(random, 1 + below(random, 100), random() % 500);
    ASSERT_TRUE(is_symmetric(matrix));
    expect_right<double>(matrix, random);
  }
}

TEST(Product, OtherNumbers) {
  Random random(4);
  const Matrix matrix = banded(random, 130, 117);
  const Matrix blocks = blocked(random, 3, banded(random, 40, 40));
  expect_right<double>(converted<double, std::int64_t>(matrix), random);
  expect_right<float>(converted<float, std::int32_t>(matrix), random);
  expect_right<float>(converted<float, std::int64_t>(matrix), random);
  expect_right<double>(converted<float, std::int32_t>(matrix), random);
  expect_right<float>(converted<float, std::int32_t>(blocks), random);
  expect_right<double>(converted<float, std::int64_t>(blocks), random);
}

TEST(Product, EdgesOfMatrices) {
  Random random(5);
  expect_right<double>(matrix_of(1, 1, {{0, 0, 2}}), random);
  expect_right<double>(matrix_of(1, 50, {{0, 0, 2}, {0, 49, 3}}), random);
  expect_right<double>(matrix_of(50, 1, {{0, 0, 2}, {49, 0, 3}}), random);
  expect_right<double>(matrix_of(64, 64, {{63, 63, 1}}), random);
  expect_right<double>(matrix_of(40, 7, {}), random);
  expect_right<double>(matrix_of(0, 7, {}), random);
  expect_right<double>(matrix_of(7, 0, {}), random);
  expect_right<double>(matrix_of(3, 3, {{1, 1, 0}, {2, 0, 0}}), random);  // explicit zeros
  std::vector<Entry> one_row;
  for (Index j = 0; j < 300; ++j) {
    one_row.push_back({5, j, 1.0 + j});
  }
  expect_right<double>(matrix_of(70, 300, one_row), random);
}

TEST(Product, NeverReadsYWithBetaZeroNorKeepsNaN) {
  Random random(6);
  const Matrix matrix = scattered(random, 33, 33, 60);
  for (const std::string& name : all_formats()) {
    const auto product = make_product<double>(matrix, *parse_format(name), {}, 1e9);
    if (!product) continue;
    std::vector<double> x(33, 1);
    std::vector<double> y(33, std::numeric_limits<double>::quiet_NaN());
    (*product)->multiply(1, x.data(), 0, y.data());
    for (const double element : y) {
      EXPECT_FALSE(std::isnan(element)) << name;
    }
  }
}

TEST(Product, NamesGoBothWays) {
  for (const std::string& name : all_formats()) {
    const auto format = parse_format(name);
    ASSERT_TRUE(format) << name;
    EXPECT_EQ(name_of(*format), name);
  }
  EXPECT_EQ(name_of(*parse_format("sell")), "sell-32-1");
  EXPECT_EQ(parse_format("bcsr")->block, 0);
  EXPECT_EQ(name_of(*parse_format("pattern-blocked")), "pattern-blocked");
  for (const char* wrong : {"", "cs", "csrx", "sell-7", "sell-32-", "sell-32-0", "sell-32-5x",
                            "sell-", "bcsr-3", "bcsr-3x2", "bcsr-7x7", "pattern-1x1", "pattern-",
                            "sell-99999999999999999999", "symmetric-2"}) {
    const auto format = parse_format(wrong);
    ASSERT_FALSE(format) << wrong;
    EXPECT_EQ(format.error().code, ErrorCode::usage);
    EXPECT_THAT(format.error().hint, HasSubstr("pattern"));
  }
}

Matrix one_full_row() {
  std::vector<Entry> entries;
  for (Index j = 0; j < 3000; ++j) {
    entries.push_back({5, j, 1});
  }
  return matrix_of(70, 3000, entries);
}

/// Why the matrix cannot be stored so.
Error refusal(const Matrix& matrix, const char* format) {
  const auto refused = make_product<double>(matrix, *parse_format(format), {}, 3);
  EXPECT_FALSE(refused) << format;
  return refused ? Error{} : refused.error();
}

TEST(Product, WhatAMatrixCannotHaveIsSaid) {
  Random random(7);
  const Matrix matrix = scattered(random, 31, 33, 100);
  EXPECT_THAT(refusal(matrix, "bcsr-2x2").message, HasSubstr("31 x 33"));
  EXPECT_THAT(refusal(matrix, "symmetric").message, HasSubstr("not symmetric"));
  EXPECT_THAT(refusal(matrix, "bcsr").message, HasSubstr("no dense blocks"));
  EXPECT_THAT(refusal(one_full_row(), "sell-32-1").message, HasSubstr("32 values"));
}

TEST(Bcsr, FindsTheBlocks) {
  Random random(8);
  for (const Index block : {2, 3, 4, 5, 6}) {
    const Matrix matrix = blocked(random, block, scattered(random, 30, 30, 60));
    EXPECT_EQ(find_block(matrix), block);
    EXPECT_DOUBLE_EQ(block_fill(matrix, block), 1);
  }
  EXPECT_EQ(find_block(scattered(random, 60, 60, 300)), 1);
  EXPECT_EQ(find_block(matrix_of(6, 6, {})), 1);
}

TEST(PatternSell, StencilsNeedNearlyNoIndex) {
  std::vector<Entry> entries;
  constexpr Index kSide = 64;
  for (Index i = 0; i < kSide * kSide; ++i) {
    const Index at = i % kSide;
    entries.push_back({i, i, 4});
    if (at > 0) entries.push_back({i, i - 1, -1});
    if (at + 1 < kSide) entries.push_back({i, i + 1, -1});
    if (i >= kSide) entries.push_back({i, i - kSide, -1});
    if (i + kSide < kSide * kSide) entries.push_back({i, i + kSide, -1});
  }
  const Matrix matrix = matrix_of(kSide * kSide, kSide * kSide, entries);
  const auto pattern = to_pattern_sell(matrix);
  EXPECT_EQ(pattern.without_index, pattern.stored());
  EXPECT_LT(static_cast<double>(pattern.stored()), 1.01 * static_cast<double>(matrix.entries()));
  // No further than asked for: without any diagonal everything is gathered.
  EXPECT_EQ(
      to_pattern_sell(matrix, 33).without_index, std::size_t{0} + 32 * [&] {
        std::size_t full = 0;
        const auto none = to_pattern_sell(matrix, 33);
        for (const PatternChunk& chunk : none.chunk) {
          full +=
              static_cast<std::size_t>(none.shape[static_cast<std::size_t>(chunk.shape)].diagonals);
        }
        return full;
      }());
}

TEST(Product, StreamsOnlyToWholeLines) {
  Random random(16);
  const Matrix matrix = banded(random, 200, 200);
  const std::vector<double> x(200, 1.5);
  std::vector<double> expected(200);
  multiply_slowly(matrix, 1, x.data(), 0, expected.data());
  for (const char* name : {"pattern", "sell-32-1", "sell-8-1", "sell16-32-1", "gather-blocked"}) {
    auto product = make_product<double>(matrix, *parse_format(name), {});
    (*product)->set({.tuning = {.stream_y = true}});
    Array<double> room(208, -1);
    for (std::size_t shift = 0; shift < 8; ++shift) {
      (*product)->multiply(1, x.data(), 0, room.data() + shift);
      for (std::size_t i = 0; i < 200; ++i) {
        ASSERT_NEAR(room[shift + i], expected[i], 1e-9) << name << " " << shift;
      }
    }
  }
}

TEST(Tune, StreamsYOnlyWhereWholeVectorsOfItAreWritten) {
  const auto offers_it = [](const std::string& name, Isa isa) {
    const std::vector<Tuning> tunings = tunings_for(*parse_format(name), isa);
    return std::any_of(tunings.begin(), tunings.end(),
                       [](const Tuning& tuning) { return tuning.stream_y; });
  };
  const std::vector<std::string> whole = {"pattern", "sell-8-1", "sell-32-1", "sell16-32-1",
                                          "gather-blocked"};
  for (const std::string& name : all_formats()) {
    const bool writes_whole = std::find(whole.begin(), whole.end(), name) != whole.end();
    EXPECT_EQ(offers_it(name, Isa::avx512), writes_whole) << name;
    EXPECT_EQ(offers_it(name, Isa::avx2), writes_whole) << name;
    EXPECT_FALSE(offers_it(name, Isa::portable)) << name;
  }
}

Matrix one_row_of_no_pattern() {
  std::vector<Entry> entries;
  for (Index j = 0; j < 320; ++j) {
    entries.push_back({3, j * 7 % 320, 1});
  }
  return matrix_of(32, 320, entries);
}

TEST(PatternSell, PaddingIsKnownBeforehand) {
  Random random(21);
  for (int round = 0; round < 8; ++round) {
    const Matrix matrix = round % 2 == 0 ? banded(random, 90 + round, 90)
                                         : scattered(random, 100, 80, 10 + random() % 900);
    EXPECT_DOUBLE_EQ(pattern_padding(matrix) * static_cast<double>(matrix.entries()),
                     static_cast<double>(to_pattern_sell(matrix).stored()));
  }
  EXPECT_EQ(pattern_padding(matrix_of(4, 4, {})), 1);
  EXPECT_THAT(refusal(one_row_of_no_pattern(), "pattern").message, HasSubstr("32 values"));
}

TEST(PatternSell, ARowThatIsFullCostsNoMoreThanItHas) {
  // One row of 200 000 among rows of one: quadratic conversions do not end.
  std::vector<Entry> entries;
  const Index size = 200'000;
  for (Index j = 0; j < size; ++j) {
    entries.push_back({7, j, 1});
    if (j != 7) {
      entries.push_back({j, (j * 7919) % size, 1});
    }
  }
  const Matrix matrix = matrix_of(size, size, entries);
  const auto pattern = to_pattern_sell(matrix);
  EXPECT_EQ(pattern.useful, matrix.entries());
}

TEST(PatternSell, ChunksOfTheSameShapeShareIt) {
  std::vector<Entry> entries;
  for (Index i = 0; i < 32'000; ++i) {
    entries.push_back({i, i, 2});
    if (i >= 100) entries.push_back({i, i - 100, -1});
  }
  const auto pattern = to_pattern_sell(matrix_of(32'000, 32'000, entries));
  EXPECT_EQ(pattern.chunks(), 1000);
  EXPECT_LE(pattern.shape.size(), 3U * 64) << "for each thread: without, with gaps, full";
}

TEST(SellCSigma, PaddingInClosedForm) {
  std::vector<Entry> entries;  // row i has i + 1 entries
  for (Index i = 0; i < 32; ++i) {
    for (Index j = 0; j <= i; ++j) {
      entries.push_back({i, j, 1});
    }
  }
  const Matrix matrix = matrix_of(32, 32, entries);
  EXPECT_DOUBLE_EQ(sell_padding(matrix, 32, 1), 32.0 * 32 / 528);
  EXPECT_DOUBLE_EQ(sell_padding(matrix, 8, 1), 8.0 * (8 + 16 + 24 + 32) / 528);
  EXPECT_DOUBLE_EQ(static_cast<double>(to_sell(matrix, 8, 1).stored()), 8.0 * (8 + 16 + 24 + 32));
}

TEST(Schedule, SharesOutByEntries) {
  const std::vector<std::int64_t> begin = {0, 100, 101, 102, 103, 200};
  const auto work =
      Work::shared_out(5, 2, [&](std::int64_t i) { return begin[static_cast<std::size_t>(i)]; });
  EXPECT_THAT(work.bounds, testing::ElementsAre(0, 1, 5));
  const auto many =
      Work::shared_out(2, 5, [&](std::int64_t i) { return begin[static_cast<std::size_t>(i)]; });
  EXPECT_EQ(many.bounds.front(), 0);
  EXPECT_EQ(many.bounds.back(), 2);
  EXPECT_TRUE(std::is_sorted(many.bounds.begin(), many.bounds.end()));
}

}  // namespace

void product_sentences(tests::Sentences& sentences) {
  Random random(7);
  const Matrix matrix = scattered(random, 31, 33, 100);
  for (const char* format : {"bcsr-2x2", "symmetric", "bcsr"}) {
    sentences.add(std::string("product: ") + format, refusal(matrix, format).message);
  }
  sentences.add("product: sell-32-1 of one full row", refusal(one_full_row(), "sell-32-1").message);
  sentences.add("product: pattern of one row", refusal(one_row_of_no_pattern(), "pattern").message);
}

}  // namespace ridge::spmv
