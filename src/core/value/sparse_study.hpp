// What a study of the sparse matrix-vector product (SpMV) found for one matrix on one machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/identity/level.hpp"
#include "core/quantity/estimate.hpp"
#include "core/quantity/median_interval.hpp"
#include "core/quantity/units.hpp"
#include "core/value/note.hpp"

namespace ridge {

/// The matrix, as the product sees it.
struct SparseMatrixFacts {
  std::string name;    ///< file or generator
  std::string origin;  ///< "Matrix Market coordinate real general", "generated", ...
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint64_t entries = 0;
  std::uint64_t used_columns = 0;  ///< columns with an entry
  std::uint64_t empty_rows = 0;
  std::uint64_t least_in_row = 0;
  std::uint64_t most_in_row = 0;
  double mean_in_row = 0;
  double row_variation = 0;     ///< standard deviation of the row lengths over their mean
  std::uint64_t bandwidth = 0;  ///< the largest |row - column|
  bool square = false;
  bool symmetric = false;
  bool symmetric_pattern = false;
  unsigned block = 1;  ///< of dense blocks
  unsigned index_bits = 32;
  double rows_imbalance =
      1;  ///< entries of the thread with most rows' share over the mean, static rows
};

/// How often x comes from memory, predicted for a cache: alpha of the code balance.
struct PredictedAlpha {
  Level level = Level::L1;
  Bytes capacity{};
  double alpha = 0;  ///< elements of x read from beyond the cache per entry
  bool sampled = false;
};

/// One format, as converted.
struct SparseFormatFacts {
  std::string format;
  double stored_per_entry = 1;  ///< 1 / beta
  double value_bytes_per_entry = 0;
  double index_bytes_per_entry = 0;
  double pointer_bytes_per_entry = 0;
  double vector_bytes_per_entry = 0;  ///< x once, y written (and read before, for the allocation)
  double without_index = 0;           ///< share of the stored values that need none
  double least_code_balance =
      0;                 ///< [byte/flop]: each array once, x as often as its columns are used
  Seconds conversion{};  ///< from CSR; once, with one sample
};

/// A format timed on so many threads. Ratios are medians over samples, each from the bandwidth read
/// just before and after that sample.
struct SparseTiming {
  std::string format;
  unsigned threads = 1;
  std::string schedule;
  std::string gather;
  int stream_ahead = 0;                  ///< [entries]
  int x_ahead = 0;                       ///< [entries]
  bool streamed_y = false;               ///< y bypasses the caches: own roof without its reading
  Estimate<Seconds> time;                ///< of one product
  Estimate<FlopsPerSecond> performance;  ///< useful flops: 2 for each entry
  Estimate<BytesPerSecond> bandwidth;    ///< b_S: load-only, interleaved
  Estimate<Number> of_own_roof;
  Estimate<Number> of_csr_roof;
  /// Over CSR with the first schedule on as many threads, round by round: how the ratios spread.
  std::optional<Estimate<Number>> speedup;
  /// The median of the same ratios with its confidence interval: what formats are ranked by.
  std::optional<MedianInterval> paired_speedup;
  /// The same over the fastest format on as many threads; at most about 1.
  std::optional<MedianInterval> against_fastest;
  std::optional<MedianInterval> own_roof_interval;  ///< of the median of `of_own_roof`
  std::optional<double> conversion_products;        ///< conversion over the time of a CSR product
  /// Products from which the conversion pays; absent: never, or not beyond the noise.
  std::optional<double> break_even;
  /// Upper bound of the code balance, b_S time / flops: what it would be if memory were the limit.
  double code_balance_bound = 0;  ///< [byte/flop]
};

/// The matrix in another order.
struct SparseReordering {
  std::string method;  ///< "rcm", "hubs"
  std::uint64_t bandwidth = 0;
  Seconds time{};  ///< ordering and permuting
  SparseTiming best;
  double gain = 1;                            ///< over the best of the given order
  std::optional<MedianInterval> paired_gain;  ///< the same, round by round
  std::optional<double> break_even;  ///< products from which it pays, if faster beyond the noise
};

/// Several vectors at once, or several powers.
struct SparseMultiple {
  std::string kind;  ///< "vectors", "powers"
  unsigned count = 1;
  unsigned threads = 1;
  Estimate<Seconds> time;  ///< of all together
  Estimate<FlopsPerSecond> performance;
  double gain = 1;  ///< over `count` products of the best format, one after the other
  std::optional<MedianInterval> paired_gain;  ///< the same, round by round
};

struct SparseFinding {
  std::string code;
  std::string text;
  std::optional<double> gain;  ///< factor in the time of a product
};

/// Entries per place of the matrix, on a grid over it; for the eye, stored as shades.
struct SparsePicture {
  std::size_t width = 0;
  std::size_t height = 0;
  std::vector<double> densities;  ///< by rows from the top

  friend bool operator==(const SparsePicture&, const SparsePicture&) = default;
};

/// The scale of shades, by the logarithm of the density; both 0 where no density is above 0.
struct DensityScale {
  double least = 0;  ///< above 0
  double most = 0;

  /// Of a density above 0: from 0 (the least) to 1 (the most). One density alone has 1.
  [[nodiscard]] double share(double density) const;
};
[[nodiscard]] DensityScale density_scale(std::span<const double> densities);

/// The nearest shade, from 0 (the least above 0) to `levels` - 1 (the most), so that both ends are
/// themselves; -1 where there is no entry.
[[nodiscard]] std::vector<int> shades_of(std::span<const double> densities, int levels);

/// '0' to '9' in a picture of shades.
inline constexpr int kPictureShades = 10;

/// A picture as files hold it: '.' for no entry, else a digit, the ends of the scale in full.
struct ShadedPicture {
  double least = 0;  ///< above 0: what '0' stands for
  double most = 0;   ///< what '9' stands for
  std::vector<std::string> rows;
};

/// nullopt where no density is above 0.
[[nodiscard]] std::optional<ShadedPicture> shaded(const SparsePicture& picture);
/// Each density is that of its digit; at both ends of the scale exactly, so that what is read is
/// written alike. Rows of equal length.
[[nodiscard]] SparsePicture unshaded(const ShadedPicture& picture);

struct SparseStudy {
  SparseMatrixFacts matrix;
  std::vector<PredictedAlpha> alphas;
  std::optional<double> measured_alpha;  ///< from traffic that was given
  std::optional<Bytes> given_traffic;
  std::vector<SparseFormatFacts> formats;
  std::vector<Note> left_out;  ///< formats that the matrix cannot have: name and reason
  std::vector<SparseTiming> timings;
  std::vector<SparseReordering> reorderings;
  std::vector<SparseMultiple> multiples;
  std::vector<SparseFinding> findings;
  std::vector<Note> notes;
  Bytes last_level_cache{};
  SparsePicture picture;
  std::string instruction_set;
  std::string date;
  std::string host;
  std::string cpu;
};

}  // namespace ridge
