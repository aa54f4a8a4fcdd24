#include "spmv/read/assemble.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "spmv/matrix/on_threads.hpp"
#include "spmv/read/input_file.hpp"

namespace ridge::spmv {
namespace {

/// Calls put(row, column, value) for each real entry that one of the file stands for.
template <MatrixSymmetry kSymmetry, class Index, class Put>
void expand(const RealEntry<Index>& entry, const Put& put) {
  put(entry.row, entry.column, entry.value);
  if constexpr (kSymmetry != MatrixSymmetry::general) {
    if (entry.row != entry.column) {
      put(entry.column, entry.row,
          kSymmetry == MatrixSymmetry::skew_symmetric ? -entry.value : entry.value);
    }
  }
}

template <class Index, class Put>
void put_block(Index row, Index column, double real, double imaginary, const Put& put) {
  put(2 * row, 2 * column, real);
  put(2 * row, 2 * column + 1, -imaginary);
  put(2 * row + 1, 2 * column, imaginary);
  put(2 * row + 1, 2 * column + 1, real);
}

template <MatrixSymmetry kSymmetry, class Index, class Put>
void expand(const ComplexEntry<Index>& entry, const Put& put) {
  put_block(entry.row, entry.column, entry.real, entry.imaginary, put);
  if constexpr (kSymmetry != MatrixSymmetry::general) {
    if (entry.row != entry.column) {
      constexpr bool kMinusReal = kSymmetry == MatrixSymmetry::skew_symmetric;
      constexpr bool kMinusImaginary = kSymmetry != MatrixSymmetry::symmetric;
      put_block(entry.column, entry.row, kMinusReal ? -entry.real : entry.real,
                kMinusImaginary ? -entry.imaginary : entry.imaginary, put);
    }
  }
}

/// Calls work with the symmetry as a constant.
template <class Work>
auto with_symmetry(MatrixSymmetry symmetry, const Work& work) {
  using enum MatrixSymmetry;
  switch (symmetry) {
    case symmetric:
      return work(std::integral_constant<MatrixSymmetry, symmetric>());
    case skew_symmetric:
      return work(std::integral_constant<MatrixSymmetry, skew_symmetric>());
    case hermitian:
      return work(std::integral_constant<MatrixSymmetry, hermitian>());
    case general:
      break;
  }
  return work(std::integral_constant<MatrixSymmetry, general>());
}

template <class Entry>
std::size_t entries_of(const EntryBlocks<Entry>& blocks) {
  return std::accumulate(blocks.begin(), blocks.end(), std::size_t{0},
                         [](std::size_t sum, const auto& block) { return sum + block.size(); });
}

/// Real entries that the blocks stand for.
template <class Entry>
std::uint64_t expanded_size(const EntryBlocks<Entry>& blocks, const DeclaredMatrix& declared) {
  std::uint64_t mirrored = 0;
  if (declared.symmetry != MatrixSymmetry::general) {
    for (const Array<Entry>& block : blocks) {
      mirrored += static_cast<std::uint64_t>(std::count_if(
          block.begin(), block.end(), [](const Entry& e) { return e.row != e.column; }));
    }
  }
  const std::uint64_t form = declared.real_form() * declared.real_form();
  return form * (entries_of(blocks) + mirrored);
}

/// Sorts by counting on several threads: each has the next free place of every row for its own
/// share of the blocks, so that the order of entries does not depend on the threads.
template <MatrixSymmetry kSymmetry, class Index, class Entry>
class CountingSort {
 public:
  CountingSort(const EntryBlocks<Entry>& blocks, std::size_t rows, int threads)
      : blocks_(&blocks), rows_(rows), threads_(threads) {}

  void run(CsrMatrix<double, Index>& matrix) {
    next_.resize(static_cast<std::size_t>(threads_));
    on_threads(threads_, [&](int t) {
      auto& next = next_[static_cast<std::size_t>(t)] = Array<Index>(rows_, Index{0});
      each_block(t, [count = next.data()](const Entry& entry) {
        expand<kSymmetry>(entry, [&](Index row, Index, double) { ++count[row]; });
      });
    });
    sum_up(matrix.row_begin.data());
    matrix.column = Array<Index>(static_cast<std::size_t>(matrix.row_begin[rows_]));
    matrix.value = Array<double>(static_cast<std::size_t>(matrix.row_begin[rows_]));
    on_threads(threads_, [&](int t) {
      Index* next = next_[static_cast<std::size_t>(t)].data();
      Index* columns = matrix.column.data();
      double* values = matrix.value.data();
      each_block(t, [=](const Entry& entry) {
        expand<kSymmetry>(entry, [&](Index row, Index column, double value) {
          const Index place = next[row]++;
          columns[place] = column;
          values[place] = value;
        });
      });
    });
  }

 private:
  template <class Work>
  void each_block(int t, const Work& work) const {
    const std::size_t last = part_begin(blocks_->size(), threads_, t + 1);
    for (std::size_t b = part_begin(blocks_->size(), threads_, t); b < last; ++b) {
      for (const Entry& entry : (*blocks_)[b]) {
        work(entry);
      }
    }
  }

  /// Counts become places.
  void sum_up(Index* row_begin) {
    Index place = 0;
    for (std::size_t i = 0; i < rows_; ++i) {
      row_begin[i] = place;
      for (Array<Index>& next : next_) {
        place += std::exchange(next.data()[i], place);
      }
    }
    row_begin[rows_] = place;
  }

  const EntryBlocks<Entry>* blocks_;
  std::size_t rows_;
  int threads_;
  std::vector<Array<Index>> next_;
};

template <class Index>
bool ascends(const Index* first, const Index* last) {
  return std::adjacent_find(first, last, std::greater_equal<>()) == last;
}

template <class Index>
using Room = std::vector<std::pair<Index, double>>;

/// By columns, equal ones in their order.
template <class Index>
void sort_row(Index* column, double* value, std::size_t size, Room<Index>& room) {
  room.clear();
  for (std::size_t k = 0; k < size; ++k) {
    room.emplace_back(column[k], value[k]);
  }
  std::stable_sort(room.begin(), room.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t k = 0; k < size; ++k) {
    std::tie(column[k], value[k]) = room[k];
  }
}

/// Sorts all rows; returns how many entries have a neighbour of the same place before them.
template <class Index>
std::uint64_t sort_rows(CsrMatrix<double, Index>& matrix, int threads) {
  const auto rows = static_cast<std::size_t>(matrix.rows);
  std::vector<std::uint64_t> duplicates(static_cast<std::size_t>(threads), 0);
  on_threads(threads, [&](int t) {
    Room<Index> room;
    std::uint64_t found = 0;
    for (std::size_t i = part_begin(rows, threads, t); i < part_begin(rows, threads, t + 1); ++i) {
      Index* column = matrix.column.data() + matrix.row_begin.data()[i];
      Index* end = matrix.column.data() + matrix.row_begin.data()[i + 1];
      if (ascends(column, end)) {
        continue;
      }
      sort_row(column, matrix.value.data() + matrix.row_begin.data()[i],
               static_cast<std::size_t>(end - column), room);
      for (const Index* k = column + 1; k < end; ++k) {
        found += static_cast<std::uint64_t>(k[0] == k[-1]);
      }
    }
    duplicates[static_cast<std::size_t>(t)] = found;
  });
  return std::accumulate(duplicates.begin(), duplicates.end(), std::uint64_t{0});
}

/// Adds up equal neighbours of sorted rows.
template <class Index>
void merge_duplicates(CsrMatrix<double, Index>& matrix) {
  std::size_t end = 0;
  std::size_t k = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(matrix.rows); ++i) {
    const std::size_t begin = end;
    const auto next = static_cast<std::size_t>(matrix.row_begin[i + 1]);
    for (; k < next; ++k) {
      if (end > begin && matrix.column[end - 1] == matrix.column[k]) {
        matrix.value[end - 1] += matrix.value[k];
      } else {
        matrix.column[end] = matrix.column[k];
        matrix.value[end] = matrix.value[k];
        ++end;
      }
    }
    matrix.row_begin[i + 1] = static_cast<Index>(end);
  }
  matrix.column.shorten(end);
  matrix.value.shorten(end);
}

struct Kinds {
  std::uint64_t zeros = 0;
  std::uint64_t infinities = 0;
  std::uint64_t nans = 0;
};

Kinds kinds_of(const Array<double>& values, int threads) {
  std::vector<Kinds> kinds(static_cast<std::size_t>(threads));
  on_threads(threads, [&](int t) {
    Kinds found;
    std::uint64_t odd = 0;
    const double* last = values.data() + part_begin(values.size(), threads, t + 1);
    for (const double* v = values.data() + part_begin(values.size(), threads, t); v < last; ++v) {
      found.zeros += static_cast<std::uint64_t>(*v == 0);
      odd += static_cast<std::uint64_t>(!(std::abs(*v) <= std::numeric_limits<double>::max()));
      found.nans += static_cast<std::uint64_t>(*v != *v);
    }
    found.infinities = odd - found.nans;
    kinds[static_cast<std::size_t>(t)] = found;
  });
  Kinds sum;
  for (const Kinds& k : kinds) {
    sum.zeros += k.zeros;
    sum.infinities += k.infinities;
    sum.nans += k.nans;
  }
  return sum;
}

void add_notes(MatrixFileFacts& facts) {
  if (facts.declared.field == MatrixField::complex) {
    facts.notes.emplace_back(
        "complex: read as the real matrix of twice the size, [a -b; b a] for each a + bi");
  }
  if (facts.nan_values + facts.infinite_values > 0) {
    facts.notes.push_back(
        fmt::format("{} values are NaN, {} infinite", facts.nan_values, facts.infinite_values));
  }
  if (facts.duplicates > 0) {
    facts.notes.push_back(
        fmt::format("{} entries were added to others of the same place", facts.duplicates));
  }
}

/// Threads for `work` elements: below a few ten thousand, starting one costs more than it gains.
int worth(int threads, std::uint64_t work) {
  return static_cast<int>(
      std::clamp<std::uint64_t>(work >> 15, 1, static_cast<std::uint64_t>(std::max(threads, 1))));
}

}  // namespace

template <class Index>
MatrixFile<Index> tidied(CsrMatrix<double, Index> matrix, const DeclaredMatrix& declared,
                         std::uint64_t file_bytes, int threads, std::uint64_t known_duplicates) {
  threads = worth(threads, matrix.entries());
  MatrixFile<Index> file;
  file.facts.declared = declared;
  file.facts.bytes = file_bytes;
  file.facts.duplicates = sort_rows(matrix, threads);
  if (file.facts.duplicates > 0) {
    merge_duplicates(matrix);
  }
  file.facts.duplicates += known_duplicates;
  const Kinds kinds = kinds_of(matrix.value, threads);
  file.facts.nan_values = kinds.nans;
  file.facts.infinite_values = kinds.infinities;
  file.facts.explicit_zeros = kinds.zeros;
  add_notes(file.facts);
  file.matrix = std::move(matrix);
  return file;
}

template <class Index, class Entry>
Result<MatrixFile<Index>> assemble(EntryBlocks<Entry> blocks, const DeclaredMatrix& declared,
                                   std::uint64_t file_bytes, int threads) {
  const std::uint64_t size = expanded_size(blocks, declared);
  if (size > static_cast<std::uint64_t>(std::numeric_limits<Index>::max())) {
    return fail(
        ErrorCode::bad_input,
        fmt::format("{} entries are more than an index of {} bit counts", size, 8 * sizeof(Index)),
        "Use indices of 64 bit.");
  }
  const std::uint64_t rows = declared.rows * declared.real_form();
  threads = worth(threads, entries_of(blocks));
  // A thread needs a place for each row: no more of that than of entries.
  threads = std::min(threads, worth(threads, (entries_of(blocks) << 15) / (rows + 1)));
  const std::uint64_t bytes = size * (sizeof(Index) + sizeof(double)) +
                              rows * sizeof(Index) * (1 + static_cast<std::uint64_t>(threads));
  if (auto checked = check_memory(bytes, "the matrix"); !checked) {
    return tl::make_unexpected(checked.error());
  }
  CsrMatrix<double, Index> matrix;
  matrix.rows = static_cast<Index>(rows);
  matrix.columns = static_cast<Index>(declared.columns * declared.real_form());
  matrix.row_begin = Array<Index>(static_cast<std::size_t>(rows) + 1);
  with_symmetry(declared.symmetry, [&](auto symmetry) {
    CountingSort<decltype(symmetry)::value, Index, Entry>(blocks, static_cast<std::size_t>(rows),
                                                          threads)
        .run(matrix);
  });
  blocks.clear();
  return tidied(std::move(matrix), declared, file_bytes, threads);
}

template <class Index>
Result<void> check_index(const DeclaredMatrix& declared, std::string_view name) {
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<Index>::max());
  // One less, since a loop may count one beyond.
  if (declared.rows >= kMost / declared.real_form() ||
      declared.columns >= kMost / declared.real_form() || declared.entries > kMost) {
    return fail(
        ErrorCode::bad_input,
        fmt::format("{}: {} x {} with {} entries is more than an index of {} bit counts", name,
                    declared.rows, declared.columns, declared.entries, 8 * sizeof(Index)),
        sizeof(Index) < 8 ? "Use indices of 64 bit." : "The file is damaged.");
  }
  return {};
}

std::string implausible_size(const DeclaredMatrix& declared, std::uint64_t text_bytes) {
  constexpr std::uint64_t kAlways = std::uint64_t{1} << 20;
  constexpr std::uint64_t kPerByte = 64;
  const std::uint64_t larger = std::max(declared.rows, declared.columns);
  if (larger > kAlways && (larger - kAlways) / kPerByte > text_bytes) {
    return fmt::format("{} x {} in a file of {} byte is no size that is believed", declared.rows,
                       declared.columns, text_bytes);
  }
  return {};
}

template MatrixFile<std::int32_t> tidied(CsrMatrix<double, std::int32_t>, const DeclaredMatrix&,
                                         std::uint64_t, int, std::uint64_t);
template MatrixFile<std::int64_t> tidied(CsrMatrix<double, std::int64_t>, const DeclaredMatrix&,
                                         std::uint64_t, int, std::uint64_t);
template Result<void> check_index<std::int32_t>(const DeclaredMatrix&, std::string_view);
template Result<void> check_index<std::int64_t>(const DeclaredMatrix&, std::string_view);
template Result<MatrixFile<std::int32_t>> assemble(EntryBlocks<RealEntry<std::int32_t>>,
                                                   const DeclaredMatrix&, std::uint64_t, int);
template Result<MatrixFile<std::int64_t>> assemble(EntryBlocks<RealEntry<std::int64_t>>,
                                                   const DeclaredMatrix&, std::uint64_t, int);
template Result<MatrixFile<std::int32_t>> assemble(EntryBlocks<ComplexEntry<std::int32_t>>,
                                                   const DeclaredMatrix&, std::uint64_t, int);
template Result<MatrixFile<std::int64_t>> assemble(EntryBlocks<ComplexEntry<std::int64_t>>,
                                                   const DeclaredMatrix&, std::uint64_t, int);

}  // namespace ridge::spmv
