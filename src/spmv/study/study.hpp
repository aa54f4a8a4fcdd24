// Times the formats of a matrix beside the bandwidth that memory has at that moment.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "core/value/sparse_study.hpp"
#include "spmv/format/product.hpp"
#include "spmv/matrix/csr.hpp"
#include "spmv/study/effort.hpp"

namespace ridge::spmv {

/// Orders that may be worth their time.
struct OrdersToTry {
  bool rcm = false;   ///< reverse Cuthill-McKee
  bool hubs = false;  ///< columns that are used most first
};

struct StudyOptions {
  std::vector<Format> formats;  ///< empty: those that suit the matrix
  std::vector<int> threads = {1};
  std::vector<Schedule> schedules = {Schedule::entries};
  Effort effort;
  Bytes last_level_cache{};  ///< of this machine
  Bytes second_level_cache{};
  bool reorder = true;       ///< also time RCM and hub sorting where they may help
  OrdersToTry orders;        ///< of a square matrix
  std::vector<int> vectors;  ///< several right-hand sides: how many
  std::vector<int> powers;   ///< matrix powers: up to which
  /// Told of each step, for people who wait.
  std::function<void(const std::string&)> progress = [](const std::string&) {};
};

/// Formats, timings, reorderings, multiples and notes of the study; what is known of the matrix
/// alone (facts, alpha, findings) is left to others. Memory: the matrix in each format at a time,
/// two vectors, and a buffer for b_S. Errors: a format that was asked for and cannot be.
template <class Index>
[[nodiscard]] Result<SparseStudy> time_formats(const CsrMatrix<double, Index>& matrix,
                                               const StudyOptions& options);

}  // namespace ridge::spmv
