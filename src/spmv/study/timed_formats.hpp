// A matrix in several formats, all of them timed in turn.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/quantity/units.hpp"
#include "core/result.hpp"
#include "core/value/sparse_study.hpp"
#include "spmv/format/product.hpp"
#include "spmv/matrix/csr.hpp"
#include "spmv/study/contender.hpp"
#include "spmv/study/study.hpp"
#include "spmv/study/turns.hpp"

namespace ridge::spmv {

struct Converted {
  std::unique_ptr<Product<double>> product;
  SparseFormatFacts facts;
};

/// What stands behind a timing of the study.
struct Timed {
  Product<double>* product = nullptr;
  Execution execution;  ///< tuned
  Samples samples;
  SparseTiming timing;
};

struct TimedFormats {
  std::vector<Converted> converted;  ///< the others are compared with the first
  std::vector<Note> left_out;        ///< name and reason
  std::vector<Timed> timed;          ///< by threads, schedule and format; point into `converted`
  Samples rival;                     ///< on the last number of threads; empty without one
};

/// The formats, threads and schedules of the options. `budget`: for each number of threads and
/// schedule. `rival`: timed in turn with all formats. Error: a format that was asked for and cannot
/// be.
template <class Index>
[[nodiscard]] Result<TimedFormats> time_each_format(const CsrMatrix<double, Index>& matrix,
                                                    const StudyOptions& options, Seconds budget,
                                                    const std::optional<Contender>& rival = {});

/// As fastest() has it. Needs a timing on so many threads.
[[nodiscard]] const Timed& fastest_timed(const std::vector<Timed>& timed, unsigned threads);

/// `vectors` outlive it.
[[nodiscard]] Contender contender_of(const Timed& timed, Vectors& vectors);

/// Of the buffer for b_S: from memory if a matrix of so many bytes does not fit the last cache,
/// else from a cache of its size.
[[nodiscard]] std::uint64_t buffer_bytes(double matrix_bytes, Bytes last_level_cache);

}  // namespace ridge::spmv
