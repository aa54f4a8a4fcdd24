#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "core/describe/sparse_study.hpp"
#include "serialize/described/by_hand.hpp"
#include "serialize/described/random_value.hpp"
#include "serialize/random_estimate.hpp"
#include "serialize/random_values.hpp"

namespace ridge::serialize {

template <>
struct Mend<SparseMatrixFacts> {
  static void mend(Random& random, SparseMatrixFacts& matrix) {
    matrix.index_bits = chance(random, 2) ? 32 : 64;
  }
};

template <>
struct Mend<MedianInterval> {
  static void mend(Random& /*random*/, MedianInterval& interval) {
    std::array values{interval.low, interval.median, interval.high};
    std::sort(values.begin(), values.end());
    interval.low = values[0];
    interval.median = values[1];
    interval.high = values[2];
  }
};

template <>
struct Mend<describe::PairedRatio> {
  static void mend(Random& random, describe::PairedRatio& ratio) {
    Mend<MedianInterval>::mend(random, ratio);
  }
};

/// Whatever is timed has a sample.
template <>
struct Mend<SparseTiming> {
  static void mend(Random& /*random*/, SparseTiming& timing) {
    timing.time.samples |= 1U;
    timing.performance.samples |= 1U;
    timing.bandwidth.samples |= 1U;
    timing.of_own_roof.samples |= 1U;
    timing.of_csr_roof.samples |= 1U;
    if (timing.speedup) {
      timing.speedup->samples |= 1U;
    }
  }
};

template <>
struct Mend<SparseMultiple> {
  static void mend(Random& /*random*/, SparseMultiple& multiple) {
    multiple.time.samples |= 1U;
    multiple.performance.samples |= 1U;
  }
};

template <>
struct Mend<ShadedPicture> {
  /// Densities whose ratio a double holds.
  static void mend(Random& random, ShadedPicture& picture) {
    constexpr std::string_view kShades = ".0123456789";
    picture.least = plain_double(random);
    picture.most = picture.least * (1.0 + plain_double(random));
    const std::size_t width = 1 + random() % 4;
    for (std::string& row : picture.rows) {
      row.clear();
      while (row.size() < width) {
        row += kShades[random() % kShades.size()];
      }
    }
  }
};

template <>
struct Mend<SparseStudy> {
  static void mend(Random& random, SparseStudy& study) {
    if (study.measured_alpha) {
      study.given_traffic = Bytes(any_size(random));
    }
    for (Note& note : study.left_out) {
      note.code = "bcsr";
    }
    for (Note& note : study.notes) {
      note.code = "a-note";
    }
  }
};

SparseStudy random_sparse_study(Random& random) {
  return random_object<SparseStudy>(random);
}

}  // namespace ridge::serialize
