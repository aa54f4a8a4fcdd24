// Several vectors at a time, and powers of the matrix.
#pragma once

#include <vector>

#include "core/quantity/units.hpp"
#include "core/value/note.hpp"
#include "core/value/sparse_study.hpp"
#include "spmv/matrix/csr.hpp"
#include "spmv/study/study.hpp"
#include "spmv/study/timed_formats.hpp"

namespace ridge::spmv {

struct Multiples {
  std::vector<SparseMultiple> timed;
  std::vector<Note> notes;
};

/// Those of the options, on the last number of threads, in turn with the fastest of `formats`, one
/// of its products after the other. Takes about `budget`; nothing where none is asked for.
template <class Index>
[[nodiscard]] Multiples time_multiples(const CsrMatrix<double, Index>& matrix,
                                       const StudyOptions& options, const TimedFormats& formats,
                                       Seconds budget);

}  // namespace ridge::spmv
