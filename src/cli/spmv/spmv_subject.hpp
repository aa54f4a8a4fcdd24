// The matrix of `ridge spmv`: from a file or made.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/spmv/spmv_options.hpp"
#include "core/result.hpp"
#include "spmv/matrix/csr.hpp"

namespace ridge::cli {

template <class Index>
struct SpmvSubject {
  spmv::CsrMatrix<double, Index> matrix;
  std::string name;
  std::string origin;
  std::vector<std::string> notes;
};

/// As asked for, or if the file's head says that 32 bit may not count its entries.
[[nodiscard]] Result<bool> needs_wide_indices(const SpmvOptions& options);

template <class Index>
[[nodiscard]] Result<SpmvSubject<Index>> read_subject(const SpmvOptions& options);

}  // namespace ridge::cli
