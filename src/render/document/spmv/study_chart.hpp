// A study as a roofline: one memory roof for each number of threads, a dot for each format on it.
#pragma once

#include <cstddef>
#include <span>

#include "core/value/sparse_study.hpp"
#include "render/chart/chart.hpp"
#include "render/document/spmv/study_entries.hpp"

namespace ridge::render {

/// More numbered dots than this cannot be told apart; the tables go on.
inline constexpr std::size_t kMostStudyEntries = 24;

/// Dots stand at 1 / B_C of the least code balance: what is below its roof has more traffic than
/// that or waits for something else; what is above was read from a cache. Hollow: other orders. The
/// vertical line is CSR. Ends of whiskers and bands: 80 % intervals.
[[nodiscard]] Chart chart_of(const SparseStudy& study);

/// The mark of a number of threads, the same in all parts of the picture: an index into the table
/// of level styles. Numbers of threads beyond that table share its last mark.
[[nodiscard]] std::size_t style_of_threads(std::span<const StudyBandwidth> bandwidths,
                                           unsigned threads);

/// "1 thread", "2 threads".
[[nodiscard]] std::string thread_words(unsigned threads);

}  // namespace ridge::render
