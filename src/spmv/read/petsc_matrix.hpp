// PETSc's binary matrices, as MatView and PetscBinaryIO write them.
#pragma once

#include <string_view>

#include "core/result.hpp"
#include "spmv/read/input_file.hpp"
#include "spmv/read/matrix_file.hpp"

namespace ridge::spmv {

[[nodiscard]] bool is_petsc(std::string_view head);
[[nodiscard]] Result<DeclaredMatrix> peek_petsc(const InputFile& file, bool gzip);
template <class Index>
[[nodiscard]] Result<MatrixFile<Index>> read_petsc(const InputFile& file, bool gzip, int threads);

}  // namespace ridge::spmv
