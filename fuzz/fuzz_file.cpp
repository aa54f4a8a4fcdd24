#include "fuzz/fuzz_file.hpp"

#include <cstdlib>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

#include "spmv/read/assemble.hpp"

namespace ridge::spmv {
namespace {

void require(bool promise) {
  if (!promise) {
    std::abort();
  }
}

void check(const CsrMatrix<double, std::int32_t>& matrix) {
  require(matrix.row_begin.size() == static_cast<std::size_t>(matrix.rows) + 1);
  require(matrix.row_begin[0] == 0 && matrix.column.size() == matrix.value.size());
  require(matrix.row_begin[matrix.row_begin.size() - 1] ==
          static_cast<std::int32_t>(matrix.entries()));
  for (std::int32_t i = 0; i < matrix.rows; ++i) {
    require(matrix.row_begin.data()[i] <= matrix.row_begin.data()[i + 1]);
    for (std::int32_t k = matrix.row_begin.data()[i]; k < matrix.row_begin.data()[i + 1]; ++k) {
      const std::int32_t column = matrix.column.data()[k];
      require(column >= 0 && column < matrix.columns);
      require(k == matrix.row_begin.data()[i] || matrix.column.data()[k - 1] < column);
    }
  }
}

}  // namespace

int fuzz_reader(const std::uint8_t* data, std::size_t size, FuzzedPeek peek, FuzzedReader read) {
  static const int descriptor = memfd_create("fuzzed", 0);
  static const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
  if (size == 0 || ftruncate(descriptor, 0) != 0 ||
      pwrite(descriptor, data, size, 0) != static_cast<ssize_t>(size)) {
    return 0;
  }
  const auto file = InputFile::open(path);
  require(file.has_value());
  const bool gzip = size >= 2 && data[0] == 0x1f && data[1] == 0x8b;
  const auto declared = peek(*file, gzip);
  if (!declared || !check_index<std::int32_t>(*declared, path)) {
    return 0;
  }
  const auto matrix = read(*file, gzip, 1 + static_cast<int>(size % 3));
  if (matrix) {
    check(matrix->matrix);
    require(matrix->matrix.entries() <= declared->most_entries());
  } else {
    require(!matrix.error().message.empty() && !matrix.error().hint.empty());
  }
  return 0;
}

}  // namespace ridge::spmv
