// write_matrix SPEC DIGITS FILE.mtx: a generated matrix as Matrix Market.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "spmv/generate/generate.hpp"

int main(int count, char** words) {
  if (count != 4) {
    std::fprintf(stderr, "usage: write_matrix SPEC DIGITS FILE.mtx\n");
    return 2;
  }
  const auto matrix = ridge::spmv::generate(words[1]);
  if (!matrix) {
    std::fprintf(stderr, "%s\n", matrix.error().message.c_str());
    return 2;
  }
  std::FILE* file = std::fopen(words[3], "w");
  if (file == nullptr) {
    return 5;
  }
  std::fprintf(file, "%%%%MatrixMarket matrix coordinate real general\n%d %d %zu\n", matrix->rows,
               matrix->columns, matrix->entries());
  for (std::int32_t i = 0; i < matrix->rows; ++i) {
    for (std::int32_t k = matrix->row_begin.data()[i]; k < matrix->row_begin.data()[i + 1]; ++k) {
      std::fprintf(file, "%d %d %.*g\n", i + 1, matrix->column.data()[k] + 1, std::atoi(words[2]),
                   matrix->value.data()[k]);
    }
  }
  return std::fclose(file) == 0 ? 0 : 5;
}
