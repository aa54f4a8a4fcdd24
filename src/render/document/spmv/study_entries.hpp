// What pictures and tables of a study show, in one order and with one number each.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/value/sparse_study.hpp"

namespace ridge::render {

/// A format with its schedule, or the best format of another order. Points into the study.
struct StudyEntry {
  unsigned number = 1;
  std::string name;  ///< "pattern", "csr, dynamic", "rcm: pattern"; clean
  bool reordered = false;
  std::vector<const SparseTiming*> timings;  ///< ascending threads; at least one
};

/// Formats in the order of the study, then other orders.
[[nodiscard]] std::vector<StudyEntry> entries_of(const SparseStudy& study);
std::vector<StudyEntry> entries_of(SparseStudy&&) = delete;  // they point into it

/// b_S beside all samples on so many threads: medians over the timings, of the medians and of both
/// ends of the intervals.
struct StudyBandwidth {
  unsigned threads = 1;
  double median = 0.0;  ///< byte/s
  double low = 0.0;
  double high = 0.0;
};
[[nodiscard]] std::vector<StudyBandwidth> bandwidths_of(const SparseStudy& study);

/// "22.0 GB/s (21.1 to 22.9)".
[[nodiscard]] std::string interval_words(const StudyBandwidth& bandwidth);

/// How x is gathered, and what else the tuning does: "emulated +s +x +y".
[[nodiscard]] std::string tuning_words(const SparseTiming& timing);

/// What a paired ratio says: "1.75x (1.70 to 1.80)", "no difference (0.98 to 1.05)", "too noisy
/// (0.80 to 9.0)"; without its ends if `brief`. `otherwise` where an older study has none.
[[nodiscard]] std::string ratio_words(const std::optional<MedianInterval>& ratio,
                                      std::optional<double> otherwise, bool brief = false);
[[nodiscard]] std::string speedup_words(const SparseTiming& timing, bool brief = false);

/// What the words mean, where the study has paired ratios; else empty.
[[nodiscard]] std::string ratio_legend(const SparseStudy& study);

/// Of CSR, flop/byte; nullopt when the study does not say.
[[nodiscard]] std::optional<double> csr_intensity(const SparseStudy& study);

/// 1 / B_C of the least code balance that the timing is held against, flop/byte: of its format, in
/// its order, without reading y where the stores of y bypass the caches. Both shares of a timing
/// are over the same bandwidths, so that they are to each other as this balance is to that of CSR.
[[nodiscard]] std::optional<double> intensity_of(const SparseStudy& study,
                                                 const SparseTiming& timing);

/// Whether the matrix fits the last cache, so that b_S is that of the cache.
[[nodiscard]] bool from_cache(const SparseStudy& study);

}  // namespace ridge::render
