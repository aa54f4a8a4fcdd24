// What the generators share: random numbers that depend on places only, and rows built in parallel.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <thread>

#include "spmv/matrix/csr.hpp"
#include "spmv/matrix/on_threads.hpp"

namespace ridge::spmv {

using GeneratedMatrix = CsrMatrix<double, std::int32_t>;

/// The finaliser of splitmix64: every bit of the result depends on every bit of `x`.
[[nodiscard]] constexpr std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31);
}

/// splitmix64, begun anew for each row or edge so that threads do not matter.
class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t place) : state_(mixed(seed) ^ mixed(place + kStep)) {}

  std::uint64_t next() { return mixed(state_ += kStep); }
  /// 0 .. bound - 1; the bias of at most bound / 2^64 does not matter here.
  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32);
  }

 private:
  static constexpr std::uint64_t kStep = 0x9E3779B97F4A7C15U;
  std::uint64_t state_;
};

/// Between -1 and 1 with 53 random bits, never 0; the same for (i, j) and (j, i).
[[nodiscard]] inline double symmetric_value(std::uint64_t seed, std::int32_t i, std::int32_t j) {
  const auto low = static_cast<std::uint64_t>(std::min(i, j));
  const auto high = static_cast<std::uint64_t>(std::max(i, j));
  const std::uint64_t bits = mixed(((low << 32) | high) + seed * 0x9E3779B97F4A7C15U);
  const double size = static_cast<double>((bits >> 11) + 1) * 0x1p-53;
  return (bits & 1) != 0 ? -size : size;
}

[[nodiscard]] inline int threads_for(std::size_t work) {
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  return static_cast<int>(std::clamp<std::size_t>(work >> 16, 1, std::min<std::size_t>(cores, 16)));
}

/// Calls work(first, last) for ranges of rows, on several threads where that pays.
template <class Work>
void over_rows(std::int32_t rows, const Work& work) {
  const auto size = static_cast<std::size_t>(rows);
  const int threads = threads_for(size);
  on_threads(threads, [&](int t) {
    work(static_cast<std::int32_t>(part_begin(size, threads, t)),
         static_cast<std::int32_t>(part_begin(size, threads, t + 1)));
  });
}

/// size(i) says how many entries row i has, columns(i, to) writes them in ascending order,
/// value(i, j) gives the number.
template <class Size, class Columns, class Value>
GeneratedMatrix build_rows(std::int32_t rows, const Size& size, const Columns& columns,
                           const Value& value) {
  GeneratedMatrix matrix;
  matrix.rows = matrix.columns = rows;
  matrix.row_begin = Array<std::int32_t>(static_cast<std::size_t>(rows) + 1);
  std::int32_t* begin = matrix.row_begin.data();
  begin[0] = 0;
  over_rows(rows, [&](std::int32_t first, std::int32_t last) {
    for (std::int32_t i = first; i < last; ++i) {
      begin[i + 1] = static_cast<std::int32_t>(size(i));
    }
  });
  std::partial_sum(begin, begin + rows + 1, begin);
  matrix.column = Array<std::int32_t>(static_cast<std::size_t>(begin[rows]));
  matrix.value = Array<double>(static_cast<std::size_t>(begin[rows]));
  std::int32_t* column = matrix.column.data();
  double* values = matrix.value.data();
  over_rows(rows, [&](std::int32_t first, std::int32_t last) {
    for (std::int32_t i = first; i < last; ++i) {
      columns(i, column + begin[i]);
      for (std::int32_t k = begin[i]; k < begin[i + 1]; ++k) {
        values[k] = value(i, column[k]);
      }
    }
  });
  return matrix;
}

// The classes; sizes are checked by generate().
[[nodiscard]] GeneratedMatrix poisson2d(std::int32_t side, std::uint64_t seed);
[[nodiscard]] GeneratedMatrix poisson3d(std::int32_t side, std::uint64_t seed);
/// All 26 neighbours in a cube of `side`^3 nodes with `block` unknowns each.
[[nodiscard]] GeneratedMatrix stencil27(std::int32_t side, std::int32_t block, std::uint64_t seed);
/// Periodic cube, -1 to each of the six neighbours, diagonal uniform within +-16.5 / 2: disorder at
/// the transition from metal to insulator.
[[nodiscard]] GeneratedMatrix anderson(std::int32_t side, std::uint64_t seed);
/// The first `rows` nodes of a cube, numbered anew: each moves by at most a layer forward or far.
[[nodiscard]] GeneratedMatrix unordered_mesh(std::int32_t rows, std::uint64_t seed);
[[nodiscard]] GeneratedMatrix band(std::int32_t rows, std::int32_t half_width, std::int32_t per_row,
                                   std::uint64_t seed);
[[nodiscard]] GeneratedMatrix uniform(std::int32_t rows, std::int32_t per_row, std::uint64_t seed);
/// Kronecker graph with the probabilities of Graph500, 0.57, 0.19, 0.19, 0.05; edges that fall on
/// one place count once.
[[nodiscard]] GeneratedMatrix rmat(std::int32_t scale, std::int32_t edges_per_vertex,
                                   std::uint64_t seed);
/// [H A'; A 0] with 60 % of the rows in H, both mostly local with far couplings.
[[nodiscard]] GeneratedMatrix kkt(std::int32_t rows, std::uint64_t seed);

/// The least s with s^power >= n.
[[nodiscard]] std::int32_t root_up(std::int32_t n, int power);

}  // namespace ridge::spmv
