#include "spmv/format/traffic.hpp"

#include <algorithm>
#include <list>
#include <numeric>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spmv/generate/generate.hpp"
#include "spmv/kernel/schedule.hpp"

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

/// Columns in the order of accesses, by rows or chunks.
using Units = std::vector<std::vector<std::int32_t>>;

Units rows_of(const Matrix& matrix, std::size_t first, std::size_t last) {
  Units units;
  for (std::size_t i = first; i < last; ++i) {
    const auto row = pattern_of(matrix).row(i);
    units.emplace_back(row.begin(), row.end());
  }
  return units;
}
Units rows_of(const Matrix& matrix) {
  return rows_of(matrix, 0, static_cast<std::size_t>(matrix.rows));
}

Units chunks_of(const Matrix& matrix, std::size_t chunk_rows) {
  const Units rows = rows_of(matrix);
  Units chunks((rows.size() + chunk_rows - 1) / chunk_rows);
  for (std::size_t k = 0; k < static_cast<std::size_t>(matrix.columns); ++k) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (k < rows[i].size()) {
        chunks[i / chunk_rows].push_back(rows[i][k]);
      }
    }
  }
  return chunks;
}

struct Listed {
  std::size_t lines = 0;
  double per_entry = 0;
  double per_unit = 0;
  int vectors = 1;
  int products = 1;
};

/// Loads of lines of x by the last product: for each entry the lines of the stream up to the one it
/// is in, then that of x and of the vectors beside it.
std::int64_t listed_loads(const Units& units, const Listed& how) {
  ListedCache cache(how.lines);
  std::int64_t loads = 0;
  double stream = 0;
  std::int64_t reached = -1;
  for (int product = 0; product < how.products; ++product) {
    loads = 0;
    for (const auto& unit : units) {
      for (const std::int32_t column : unit) {
        const auto line = static_cast<std::int64_t>(stream / 64);
        for (reached = std::min(reached + 1, line); reached < line; ++reached) {
          cache.misses(-1 - reached);
        }
        cache.misses(-1 - reached);
        loads += cache.misses(column / 8) ? 1 : 0;
        for (int v = 1; v < how.vectors; ++v) {
          cache.misses(v * 1000000 + column / 8);
        }
        stream += how.per_entry;
      }
      stream += how.per_unit;
    }
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
  for (int round = 0; round < 600; ++round) {
    const Matrix matrix = random_matrix(random);
    TrafficOptions options;
    options.stream_per_entry = static_cast<double>(random() % 17);
    options.stream_per_row = static_cast<double>(random() % 21);
    options.warm = random() % 2 == 0;
    options.vectors = 1 + static_cast<std::int32_t>(random() % 2);
    options.chunk_rows = static_cast<std::int32_t>(random() % 3) * 8;
    const Listed how{2 * (1 + random() % 30), options.stream_per_entry,
                     options.stream_per_row * std::max(1, options.chunk_rows), options.vectors,
                     options.warm ? 2 : 1};
    const Units units = options.chunk_rows == 0
                            ? rows_of(matrix)
                            : chunks_of(matrix, static_cast<std::size_t>(options.chunk_rows));
    const double cache = 64.0 * static_cast<double>(how.lines);
    const XTraffic traffic = predict_x_traffic(pattern_of(matrix), {&cache, 1}, options)[0];
    EXPECT_EQ(traffic.x_bytes / 64, static_cast<double>(listed_loads(units, how)))
        << "round " << round << ": " << matrix.rows << " x " << matrix.columns << ", " << how.lines
        << " lines, warm " << options.warm << ", chunks of " << options.chunk_rows;
    EXPECT_EQ(traffic.sample, 1);
  }
}

TEST(Traffic, PartsHaveCachesOfTheirOwn) {
  std::mt19937_64 random(8);
  for (int round = 0; round < 50; ++round) {
    const Matrix matrix = random_matrix(random);
    TrafficOptions options;
    options.parts = 1 + static_cast<std::int32_t>(random() % 5);
    const Listed how{8 + random() % 30, options.stream_per_entry, options.stream_per_row};
    const Work work = Work::shared_out(matrix.rows, options.parts, [&](std::int64_t i) {
      return std::int64_t{matrix.row_begin[static_cast<std::size_t>(i)]};
    });
    std::int64_t loads = 0;
    for (std::size_t part = 0; part < static_cast<std::size_t>(options.parts); ++part) {
      loads += listed_loads(rows_of(matrix, static_cast<std::size_t>(work.bounds[part]),
                                    static_cast<std::size_t>(work.bounds[part + 1])),
                            how);
    }
    const double cache = 64.0 * static_cast<double>(how.lines);
    EXPECT_EQ(predict_x_traffic(pattern_of(matrix), {&cache, 1}, options)[0].x_bytes / 64,
              static_cast<double>(loads));
  }
}

TEST(Traffic, OneStreamStandsForFour) {
  // Values, columns, row ends and y as streams of their own differ by a few lines of a cache.
  for (const std::string_view spec : {"poisson3d:20", "mesh:5000", "kkt:4000", "uniform:5000,9"}) {
    const Matrix matrix = made(spec);
    constexpr std::size_t kLines = 128;
    ListedCache cache(kLines);
    std::int64_t loads = 0;
    for (std::int64_t i = 0; i < matrix.rows; ++i) {
      cache.misses(-1 - (i + 1) / 16 * 4);
      const auto row = static_cast<std::size_t>(i);
      for (std::int64_t k = matrix.row_begin[row]; k < matrix.row_begin[row + 1]; ++k) {
        cache.misses(-2 - k / 8 * 4);
        cache.misses(-3 - k / 16 * 4);
        loads += cache.misses(matrix.column[static_cast<std::size_t>(k)] / 8) ? 1 : 0;
      }
      cache.misses(-4 - i / 8 * 4);
    }
    const double listed = 8.0 * static_cast<double>(loads) / static_cast<double>(matrix.entries());
    EXPECT_NEAR(alpha_of(matrix, 64.0 * kLines), listed, 0.03 * listed) << spec;
  }
}

TEST(Traffic, SellAsItLies) {
  // Chunks of equal rows have no padding: SELL's own arrays are the chunk order of CSR.
  const Matrix band = made("uniform:3200,6");
  TrafficOptions options;
  options.chunk_rows = 32;
  for (const double cache : {4096.0, 20000.0}) {
    const auto sell = predict_x_traffic(to_sell(band, 32, 1), std::span(&cache, 1), options);
    EXPECT_DOUBLE_EQ(sell[0].alpha, alpha_of(band, cache, options));
  }
  // Padding repeats a column of its row: no further loads where that is still there.
  const Matrix uneven = made("mesh:20000");
  const double cache = 1e5;
  const auto sell = predict_x_traffic(to_sell(uneven, 8, 1), std::span(&cache, 1), {});
  options.chunk_rows = 8;
  EXPECT_NEAR(sell[0].alpha, alpha_of(uneven, cache, options), 0.05 * sell[0].alpha);
}

TEST(Traffic, SampleIsNearTheExactResult) {
  struct Case {
    std::string_view spec;
    double cache;
    double share;
    double tolerance;  // of alpha
  };
  for (const Case& c :
       {Case{"poisson3d:60", 256 * 1024.0, 0.125, 0.02}, Case{"poisson3d:60", 2e6, 0.125, 0.02},
        Case{"mesh:200000", 256 * 1024.0, 0.125, 0.02},
        Case{"kkt:100000", 256 * 1024.0, 0.125, 0.03}, Case{"uniform:200000,8", 1e6, 0.125, 0.01},
        Case{"uniform:200000,8", 256 * 1024.0, 0.25, 0.01},
        Case{"rmat:16,16", 128 * 1024.0, 0.25, 0.10}}) {
    const Matrix matrix = made(c.spec);
    TrafficOptions options;
    const double exact = alpha_of(matrix, c.cache, options);
    options.sample = c.share;
    const auto sampled = predict_x_traffic(pattern_of(matrix), std::span(&c.cache, 1), options)[0];
    EXPECT_EQ(sampled.sample, c.share);
    EXPECT_NEAR(sampled.alpha, exact, c.tolerance * exact) << c.spec << " at " << c.cache;
    options.warm = true;
    EXPECT_NEAR(alpha_of(matrix, c.cache, options), exact, 2 * c.tolerance * exact) << c.spec;
  }
}

TEST(Traffic, WarmCostsNothingWhereAllFits) {
  const Matrix matrix = made("poisson3d:20");
  TrafficOptions options;
  options.warm = true;
  EXPECT_EQ(alpha_of(matrix, 4e6, options), 0);
  EXPECT_GT(alpha_of(matrix, 64e3, options), 0.9 / 7);
}

TEST(Traffic, LayerConditionOfAStencil) {
  // x in three planes; an element is used again one plane later. The example of docs/spmv.md.
  const Matrix matrix = made("poisson3d:100");
  const double per_row = static_cast<double>(matrix.entries()) / matrix.rows;
  EXPECT_NEAR(1e4 * (12 * per_row + 12) + 3 * 8e4, 1.19e6, 0.005e6);
  EXPECT_NEAR(alpha_of(matrix, 1.20e6), 1 / 6.94, 1e-4);
  EXPECT_NEAR(alpha_of(matrix, 1.18e6), 3 / 6.94, 0.01);
}

TEST(Traffic, WideElementsComeAlone) {
  // 8 right-hand sides: an element is a line, so a permutation loads each once: alpha 1.
  std::vector<std::vector<std::int32_t>> places(1000);
  for (std::int32_t i = 0; i < 1000; ++i) {
    places[static_cast<std::size_t>(i)] = {static_cast<std::int32_t>(i * 371 % 1000)};
  }
  const Matrix permutation = matrix_of(1000, 1000, places);
  TrafficOptions options;
  options.element_bytes = 64;
  EXPECT_DOUBLE_EQ(alpha_of(permutation, 1024, options), 1);
  options.element_bytes = 16;
  EXPECT_DOUBLE_EQ(alpha_of(permutation, 1024, options), 4);
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

TEST(Traffic, MoreCacheNeverLoadsMore) {
  const Matrix matrix = made("rmat:12,8");
  std::vector<double> caches;
  for (double cache = 512; cache < 1e6; cache *= 1.3) {
    caches.push_back(cache);
  }
  const auto traffic = predict_x_traffic(pattern_of(matrix), caches);
  for (std::size_t c = 1; c < traffic.size(); ++c) {
    EXPECT_LE(traffic[c].alpha, traffic[c - 1].alpha);
    EXPECT_EQ(traffic[c].cache_bytes, caches[c]);
  }
  const double lines = 64.0 / 8 * static_cast<double>(columns_used(pattern_of(matrix)));
  EXPECT_LE(traffic.back().alpha, lines / static_cast<double>(matrix.entries()));
}

TEST(Traffic, NothingToLoad) {
  EXPECT_TRUE(predict_x_traffic(pattern_of(made("mesh:9")), {}).empty());
  EXPECT_EQ(predict_x_traffic(PatternOf<std::int32_t>{}, std::vector<double>{1e3})[0].alpha, 0);
  EXPECT_EQ(
      predict_x_traffic(SellMatrix<double, std::int32_t>{}, std::vector<double>{1e3})[0].alpha, 0);
  EXPECT_EQ(columns_used(PatternOf<std::int32_t>{}), 0);
  EXPECT_EQ(alpha_of(Matrix{}, 1024), 0);
  EXPECT_EQ(alpha_of(matrix_of(3, 0, {{}, {}, {}}), 1024), 0);
  EXPECT_EQ(alpha_of(matrix_of(3, 5, {{}, {}, {}}), 1024), 0);
}

}  // namespace
}  // namespace ridge::spmv
