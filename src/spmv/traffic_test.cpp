#include "spmv/traffic.hpp"

#include <algorithm>
#include <list>
#include <numeric>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spmv/generate.hpp"

namespace ridge::spmv {
namespace {

using Matrix = CsrMatrix<double, std::int32_t>;

Matrix made(std::string_view spec) {
  auto matrix = generate(spec, 1, std::uint64_t{1} << 40);
  EXPECT_TRUE(matrix) << spec;
  return std::move(*matrix);
}

Matrix matrix_of(std::int32_t rows, std::int32_t columns,
                 const std::vector<std::vector<std::int32_t>>& places) {
  Matrix matrix;
  matrix.rows = rows;
  matrix.columns = columns;
  std::size_t entries = 0;
  for (const auto& row : places) {
    entries += row.size();
  }
  matrix.row_begin = Array<std::int32_t>(static_cast<std::size_t>(rows) + 1, 0);
  matrix.column = Array<std::int32_t>(entries);
  matrix.value = Array<double>(entries, 1.0);
  std::size_t k = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (const std::int32_t j : places[i]) {
      matrix.column[k++] = j;
    }
    matrix.row_begin[i + 1] = static_cast<std::int32_t>(k);
  }
  return matrix;
}

double alpha_of(const Matrix& matrix, double cache, const TrafficOptions& options = {}) {
  return predict_x_traffic(pattern_of(matrix), std::span<const double>(&cache, 1), options)[0]
      .alpha;
}

/// The oracle: one list of all lines, most recent first, the stream's among them.
class ListedCache {
 public:
  explicit ListedCache(std::size_t lines) : lines_(lines) {}
  bool misses(std::int64_t line) {
    const auto found = std::find(recent_.begin(), recent_.end(), line);
    const bool missing = found == recent_.end();
    if (!missing) {
      recent_.erase(found);
    }
    recent_.push_front(line);
    if (recent_.size() > lines_) {
      recent_.pop_back();
    }
    return missing;
  }

 private:
  std::size_t lines_;
  std::list<std::int64_t> recent_;
};

/// Loads of lines of x: for each entry the lines of the stream up to the one it is in, then that of
/// x.
std::int64_t listed_loads(const Matrix& matrix, std::size_t lines, double per_entry,
                          double per_row) {
  ListedCache cache(lines);
  std::int64_t loads = 0;
  double stream = 0;
  std::int64_t reached = -1;
  for (std::size_t i = 0; i < static_cast<std::size_t>(matrix.rows); ++i) {
    for (auto k = matrix.row_begin[i]; k < matrix.row_begin[i + 1]; ++k) {
      const auto line = static_cast<std::int64_t>(stream / 64);
      for (reached = std::min(reached + 1, line); reached < line; ++reached) {
        cache.misses(-1 - reached);
      }
      cache.misses(-1 - reached);
      loads += cache.misses(matrix.column[static_cast<std::size_t>(k)] / 8) ? 1 : 0;
      stream += per_entry;
    }
    stream += per_row;
  }
  return loads;
}

Matrix random_matrix(std::mt19937_64& random) {
  const auto rows = static_cast<std::int32_t>(1 + random() % 200);
  const auto columns = static_cast<std::int32_t>(1 + random() % 400);
  std::vector<std::vector<std::int32_t>> places(static_cast<std::size_t>(rows));
  const std::uint64_t most = 1 + random() % 12;
  const std::uint64_t span = 1 + random() % 400;
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::uint64_t k = random() % most; k > 0; --k) {
      places[i].push_back(
          static_cast<std::int32_t>((i + random() % span) % static_cast<std::uint64_t>(columns)));
    }
    std::sort(places[i].begin(), places[i].end());
    places[i].erase(std::unique(places[i].begin(), places[i].end()), places[i].end());
  }
  return matrix_of(rows, columns, places);
}

TEST(Traffic, LikeTheListOfAllLines) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 400; ++round) {
    const Matrix matrix = random_matrix(random);
    const auto lines = static_cast<std::size_t>(2 + random() % 40);
    TrafficOptions options;
    options.stream_per_entry = static_cast<double>(random() % 17);
    options.stream_per_row = static_cast<double>(random() % 21);
    const double cache = 64.0 * static_cast<double>(lines);
    const XTraffic traffic = predict_x_traffic(pattern_of(matrix), {&cache, 1}, options)[0];
    EXPECT_EQ(traffic.x_bytes / 64,
              static_cast<double>(
                  listed_loads(matrix, lines, options.stream_per_entry, options.stream_per_row)))
        << "round " << round << ": " << matrix.rows << " x " << matrix.columns << ", " << lines
        << " lines";
  }
}

TEST(Traffic, DiagonalLoadsEachElementOnce) {
  std::vector<std::vector<std::int32_t>> places(800);
  for (std::int32_t i = 0; i < 800; ++i) {
    places[static_cast<std::size_t>(i)] = {i};
  }
  const Matrix diagonal = matrix_of(800, 800, places);
  for (const double cache : {1024.0, 1e5, 1e9}) {
    EXPECT_DOUBLE_EQ(alpha_of(diagonal, cache), 1);
  }
}

TEST(Traffic, BandThatFitsLoadsEachElementOnce) {
  const Matrix band = made("band:80000,100,201");
  const double least = 80000.0 / static_cast<double>(band.entries());
  // 201 elements of x and what streams by during a row and a line of rows: 8 * 201 * 12 byte.
  EXPECT_DOUBLE_EQ(alpha_of(band, 32 * 1024), least);
  EXPECT_GT(alpha_of(band, 2 * 1024), 10 * least);
}

TEST(Traffic, RowsThatDoNotFitLoadEveryLineAgain) {
  std::vector<std::vector<std::int32_t>> places(20, std::vector<std::int32_t>(8000));
  for (auto& row : places) {
    std::iota(row.begin(), row.end(), 0);
  }
  const Matrix dense = matrix_of(20, 8000, places);
  EXPECT_DOUBLE_EQ(alpha_of(dense, 32 * 1024), 1);
  EXPECT_DOUBLE_EQ(alpha_of(dense, 1e6), 1.0 / 20);
}

TEST(Traffic, PermutationThatDoesNotFitLoadsALineForEachEntry) {
  const std::int32_t n = 80000;
  std::vector<std::vector<std::int32_t>> places(static_cast<std::size_t>(n));
  for (std::int32_t i = 0; i < n; ++i) {
    // 30011 is prime to 80000; eight neighbours are far apart in time.
    places[static_cast<std::size_t>(i)] = {static_cast<std::int32_t>(std::int64_t{i} * 30011 % n)};
  }
  const Matrix permutation = matrix_of(n, n, places);
  EXPECT_DOUBLE_EQ(alpha_of(permutation, 1024), 8);
  EXPECT_DOUBLE_EQ(alpha_of(permutation, 1e8), 1);
}

TEST(Traffic, NothingToLoad) {
  EXPECT_EQ(alpha_of(Matrix{}, 1024), 0);
  EXPECT_EQ(alpha_of(matrix_of(3, 0, {{}, {}, {}}), 1024), 0);
  EXPECT_EQ(alpha_of(matrix_of(3, 5, {{}, {}, {}}), 1024), 0);
}

}  // namespace
}  // namespace ridge::spmv
