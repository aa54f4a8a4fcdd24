// Small matrices from lists of entries, and random ones, for the tests of formats and products.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "spmv/matrix/csr.hpp"

namespace ridge::spmv {

struct TestEntry {
  std::int32_t row;
  std::int32_t column;
  double value;
};

[[nodiscard]] inline CooMatrix<double, std::int32_t> coordinates_of(
    std::int32_t rows, std::int32_t columns, const std::vector<TestEntry>& entries) {
  CooMatrix<double, std::int32_t> coordinates;
  coordinates.rows = rows;
  coordinates.columns = columns;
  coordinates.row = Array<std::int32_t>(entries.size());
  coordinates.column = Array<std::int32_t>(entries.size());
  coordinates.value = Array<double>(entries.size());
  for (std::size_t k = 0; k < entries.size(); ++k) {
    coordinates.row[k] = entries[k].row;
    coordinates.column[k] = entries[k].column;
    coordinates.value[k] = entries[k].value;
  }
  return coordinates;
}

/// The entries have to be inside; those of the same place are added up.
[[nodiscard]] inline CsrMatrix<double, std::int32_t> matrix_of(
    std::int32_t rows, std::int32_t columns, const std::vector<TestEntry>& entries) {
  return std::move(*from_coordinates(coordinates_of(rows, columns, entries)));
}

[[nodiscard]] inline std::int32_t below(std::mt19937_64& random, std::int32_t limit) {
  return static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(limit));
}

/// From -10 to 10, in hundredths.
[[nodiscard]] inline double number(std::mt19937_64& random) {
  return static_cast<double>(random() % 2001) / 100 - 10;
}

/// `count` entries anywhere; where places coincide, fewer.
[[nodiscard]] inline CsrMatrix<double, std::int32_t> scattered(std::mt19937_64& random,
                                                               std::int32_t rows,
                                                               std::int32_t columns,
                                                               std::size_t count) {
  std::vector<TestEntry> entries;
  for (std::size_t k = 0; k < count; ++k) {
    entries.push_back({below(random, rows), below(random, columns), number(random)});
  }
  return matrix_of(rows, columns, entries);
}

}  // namespace ridge::spmv
