#include "spmv/format/binned.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace ridge::spmv {
namespace {

constexpr std::int64_t kAtOnce = 8;  // elements of a vector: what pieces are padded to
constexpr std::int32_t kMostBits = 16;

std::int64_t padded(std::int64_t size) {
  return (size + kAtOnce - 1) / kAtOnce * kAtOnce;
}
std::int64_t parts(std::int64_t size, std::int32_t bits) {
  return (size + (std::int64_t{1} << bits) - 1) >> bits;
}

/// Calls visit(row, column, entry) for the entries of a bin, row by row.
template <class Value, class Index, class Visit>
void each_entry(const CsrMatrix<Value, Index>& matrix, std::int32_t bin_bits, std::int64_t bin,
                const Visit& visit) {
  const std::int64_t last =
      std::min<std::int64_t>((bin + 1) << bin_bits, std::int64_t{matrix.rows});
  for (std::int64_t i = bin << bin_bits; i < last; ++i) {
    const auto end = static_cast<std::size_t>(matrix.row_begin[static_cast<std::size_t>(i) + 1]);
    for (auto k = static_cast<std::size_t>(matrix.row_begin[static_cast<std::size_t>(i)]); k < end;
         ++k) {
      visit(i, std::int64_t{matrix.column[k]}, k);
    }
  }
}

/// Entries of each piece at [piece + 1].
template <class Value, class Index>
void count(const CsrMatrix<Value, Index>& matrix, BinnedMatrix<Value, Index>& to) {
  to.piece_begin = Array<std::int64_t>(static_cast<std::size_t>(to.pieces()) + 1, 0);
#pragma omp parallel
  {
    // Bins of other threads are neighbours in piece_begin: written once for each piece only.
    std::vector<std::int64_t> in_strip(static_cast<std::size_t>(to.strips));
#pragma omp for schedule(dynamic, 1)
    for (std::int64_t bin = 0; bin < to.bins; ++bin) {
      std::fill(in_strip.begin(), in_strip.end(), 0);
      each_entry(matrix, to.bin_bits, bin, [&](std::int64_t, std::int64_t column, std::size_t) {
        ++in_strip[static_cast<std::size_t>(column >> to.strip_bits)];
      });
      for (std::int64_t strip = 0; strip < to.strips; ++strip) {
        to.piece_begin[static_cast<std::size_t>(strip * to.bins + bin) + 1] =
            in_strip[static_cast<std::size_t>(strip)];
      }
    }
  }
}

/// From the counts to the places of all pieces.
template <class Value, class Index>
void lay_out(BinnedMatrix<Value, Index>& to) {
  to.product_begin = Array<std::int64_t>(static_cast<std::size_t>(to.pieces()));
  to.bin_begin = Array<std::int64_t>(static_cast<std::size_t>(to.bins) + 1);
  std::int64_t at = 0;
  for (std::int64_t bin = 0; bin < to.bins; ++bin) {
    to.bin_begin[static_cast<std::size_t>(bin)] = at;
    for (std::int64_t strip = 0; strip < to.strips; ++strip) {
      const auto piece = static_cast<std::size_t>(strip * to.bins + bin);
      to.product_begin[piece] = at;
      at += padded(to.piece_begin[piece + 1]);
    }
  }
  to.bin_begin[static_cast<std::size_t>(to.bins)] = at;
  for (std::size_t piece = 0; piece < static_cast<std::size_t>(to.pieces()); ++piece) {
    to.piece_begin[piece + 1] = to.piece_begin[piece] + padded(to.piece_begin[piece + 1]);
  }
  const auto stored = static_cast<std::size_t>(at);
  to.column = Array<std::uint16_t>(stored);
  to.row = Array<std::uint16_t>(stored);
  to.value = Array<Value>(stored);
}

/// Fills the pieces of one bin after the other. One for each thread.
template <class Value, class Index>
class BinFiller {
 public:
  BinFiller(const CsrMatrix<Value, Index>& matrix, BinnedMatrix<Value, Index>& to)
      : matrix_(matrix),
        to_(to),
        begin_(static_cast<std::size_t>(to.strips) + 1),
        line_begin_((std::size_t{1} << to.strip_bits) / kAtOnce + 1) {}

  void fill(std::int64_t bin) {
    sort_by_strip(bin);
    for (std::int64_t strip = 0; strip < to_.strips; ++strip) {
      const auto end = static_cast<std::ptrdiff_t>(begin_[static_cast<std::size_t>(strip)]);
      const auto begin =
          strip == 0 ? 0 : static_cast<std::ptrdiff_t>(begin_[static_cast<std::size_t>(strip) - 1]);
      if (begin < end) {
        sort_by_line(begin, end);
        write(static_cast<std::size_t>(strip * to_.bins + bin));
      }
    }
  }

 private:
  struct Moved {
    std::uint16_t column;  ///< in the strip
    std::uint16_t row;     ///< in the bin
    Value value;
  };

  /// Afterwards begin_[strip] is where the strip ends.
  void sort_by_strip(std::int64_t bin) {
    std::fill(begin_.begin(), begin_.end(), 0);
    each_entry(matrix_, to_.bin_bits, bin, [&](std::int64_t, std::int64_t column, std::size_t) {
      ++begin_[static_cast<std::size_t>(column >> to_.strip_bits) + 1];
    });
    for (std::size_t s = 0; s + 1 < begin_.size(); ++s) {
      begin_[s + 1] += begin_[s];
    }
    by_strip_.resize(begin_.back());
    const std::int64_t in_strip = (std::int64_t{1} << to_.strip_bits) - 1;
    const std::int64_t in_bin = (std::int64_t{1} << to_.bin_bits) - 1;
    each_entry(matrix_, to_.bin_bits, bin,
               [&](std::int64_t row, std::int64_t column, std::size_t entry) {
                 by_strip_[begin_[static_cast<std::size_t>(column >> to_.strip_bits)]++] = {
                     static_cast<std::uint16_t>(column & in_strip),
                     static_cast<std::uint16_t>(row & in_bin), matrix_.value[entry]};
               });
  }

  /// By lines of x, so that a line is loaded once for a piece; within a line by rows, so that sums
  /// of the same row do not wait for one another.
  void sort_by_line(std::ptrdiff_t begin, std::ptrdiff_t end) {
    const auto first = by_strip_.begin() + begin;
    const auto last = by_strip_.begin() + end;
    by_line_.assign(first, last);
    if (by_line_.size() < line_begin_.size() / 8) {
      std::stable_sort(by_line_.begin(), by_line_.end(), [](const Moved& a, const Moved& b) {
        return a.column / kAtOnce < b.column / kAtOnce;
      });
      return;
    }
    std::fill(line_begin_.begin(), line_begin_.end(), 0);
    for (auto moved = first; moved != last; ++moved) {
      ++line_begin_[static_cast<std::size_t>(moved->column / kAtOnce) + 1];
    }
    for (std::size_t i = 0; i + 1 < line_begin_.size(); ++i) {
      line_begin_[i + 1] += line_begin_[i];
    }
    for (auto moved = first; moved != last; ++moved) {
      by_line_[line_begin_[static_cast<std::size_t>(moved->column / kAtOnce)]++] = *moved;
    }
  }

  void write(std::size_t piece) {
    const auto to = static_cast<std::size_t>(to_.piece_begin[piece]);
    const auto products = static_cast<std::size_t>(to_.product_begin[piece]);
    const auto size = static_cast<std::size_t>(to_.piece_begin[piece + 1]) - to;
    for (std::size_t k = 0; k < size; ++k) {
      // Padding: 0 times an element that the last row uses anyway.
      const bool real = k < by_line_.size();
      const Moved& moved = real ? by_line_[k] : by_line_.back();
      to_.column[to + k] = moved.column;
      to_.row[products + k] = moved.row;
      to_.value[to + k] = real ? moved.value : Value{0};
    }
  }

  const CsrMatrix<Value, Index>& matrix_;
  BinnedMatrix<Value, Index>& to_;
  std::vector<std::size_t> begin_;
  std::vector<std::size_t> line_begin_;
  std::vector<Moved> by_strip_;
  std::vector<Moved> by_line_;
};

}  // namespace

BinSizes bin_sizes(std::int64_t rows, std::int64_t columns, std::size_t entries) {
  constexpr std::int64_t kLeastBins = 64;
  constexpr std::int64_t kLeastInPiece = 64;
  BinSizes sizes{13, 13};
  while (sizes.bin_bits > 10 && parts(rows, sizes.bin_bits) < kLeastBins) {
    --sizes.bin_bits;
  }
  const auto in_piece = [&] {
    return static_cast<std::int64_t>(entries) /
           std::max<std::int64_t>(1,
                                  parts(rows, sizes.bin_bits) * parts(columns, sizes.strip_bits));
  };
  while (in_piece() < kLeastInPiece &&
         (sizes.strip_bits < kMostBits || sizes.bin_bits < kMostBits)) {
    sizes.strip_bits = std::min(sizes.strip_bits + 1, kMostBits);
    if (in_piece() < kLeastInPiece) {
      sizes.bin_bits = std::min(sizes.bin_bits + 1, kMostBits);
    }
  }
  return sizes;
}

template <class Value, class Index>
BinnedMatrix<Value, Index> to_binned(const CsrMatrix<Value, Index>& matrix, const BinSizes& sizes) {
  BinnedMatrix<Value, Index> to;
  to.rows = matrix.rows;
  to.columns = matrix.columns;
  to.useful = matrix.entries();
  to.strip_bits = sizes.strip_bits;
  to.bin_bits = sizes.bin_bits;
  to.strips = parts(std::int64_t{matrix.columns}, sizes.strip_bits);
  to.bins = parts(std::int64_t{matrix.rows}, sizes.bin_bits);
  count(matrix, to);
  lay_out(to);
#pragma omp parallel
  {
    BinFiller<Value, Index> filler(matrix, to);
#pragma omp for schedule(dynamic, 1)
    for (std::int64_t bin = 0; bin < to.bins; ++bin) {
      filler.fill(bin);
    }
  }
  return to;
}

template BinnedMatrix<double, std::int32_t> to_binned(const CsrMatrix<double, std::int32_t>&,
                                                      const BinSizes&);
template BinnedMatrix<double, std::int64_t> to_binned(const CsrMatrix<double, std::int64_t>&,
                                                      const BinSizes&);
template BinnedMatrix<float, std::int32_t> to_binned(const CsrMatrix<float, std::int32_t>&,
                                                     const BinSizes&);
template BinnedMatrix<float, std::int64_t> to_binned(const CsrMatrix<float, std::int64_t>&,
                                                     const BinSizes&);

}  // namespace ridge::spmv
