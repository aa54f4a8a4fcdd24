// What every fuzzer of a reader does: bytes become a file, the answer a valid matrix or an error.
#pragma once

#include <cstddef>
#include <cstdint>

#include "spmv/read/input_file.hpp"
#include "spmv/read/matrix_file.hpp"

namespace ridge::spmv {

using FuzzedReader = Result<MatrixFile<std::int32_t>> (*)(const InputFile&, bool gzip, int threads);
using FuzzedPeek = Result<DeclaredMatrix> (*)(const InputFile&, bool gzip);

/// As read_matrix() does, but with this reader whatever the bytes look like. Aborts when what
/// comes back breaks a promise of read_matrix().
int fuzz_reader(const std::uint8_t* data, std::size_t size, FuzzedPeek peek, FuzzedReader read);

}  // namespace ridge::spmv
