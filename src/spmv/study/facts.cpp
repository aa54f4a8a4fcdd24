#include "spmv/study/facts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "spmv/format/bcsr.hpp"
#include "spmv/format/pattern_sell.hpp"
#include "spmv/format/symmetric.hpp"
#include "spmv/format/traffic.hpp"
#include "spmv/kernel/schedule.hpp"
#include "spmv/study/reorder.hpp"

namespace ridge::spmv {
namespace {

template <class Index>
RowLengths row_lengths(const PatternOf<Index>& matrix) {
  RowLengths lengths;
  const auto rows = static_cast<std::size_t>(matrix.rows);
  if (rows == 0) {
    return lengths;
  }
  lengths.least = static_cast<std::int64_t>(matrix.end(0) - matrix.begin(0));
  lengths.mean = static_cast<double>(matrix.entries()) / static_cast<double>(rows);
  double squares = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t length = matrix.end(i) - matrix.begin(i);
    const auto signed_length = static_cast<std::int64_t>(length);
    lengths.least = std::min(lengths.least, signed_length);
    lengths.most = std::max(lengths.most, signed_length);
    lengths.empty += length == 0 ? 1 : 0;
    const double off = static_cast<double>(length) - lengths.mean;
    squares += off * off;
    const auto bin = static_cast<std::size_t>(std::bit_width(length));
    if (bin >= lengths.histogram.size()) {
      lengths.histogram.resize(bin + 1, 0);
    }
    ++lengths.histogram[bin];
  }
  if (lengths.mean > 0) {
    lengths.variation = std::sqrt(squares / static_cast<double>(rows)) / lengths.mean;
  }
  return lengths;
}

template <class Index>
void add_distances(const PatternOf<Index>& matrix, const FactOptions& options,
                   SparsityFacts& facts) {
  if (matrix.entries() == 0) {
    return;
  }
  const auto elements = [&](double bytes) {
    return static_cast<std::int64_t>(std::ceil(bytes / options.element_bytes));
  };
  const std::int64_t line = elements(options.line_bytes);
  const std::int64_t l1 = elements(options.l1_bytes / 2);
  const std::int64_t l2 = elements(options.l2_bytes / 2);
  std::int64_t in_line = 0;
  std::int64_t in_l1 = 0;
  std::int64_t in_l2 = 0;
  double sum = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(matrix.rows); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    std::int64_t row_sum = 0;
    for (const Index j : matrix.row(i)) {
      const std::int64_t distance = std::abs(std::int64_t{j} - at);
      row_sum += distance;
      in_line += distance < line ? 1 : 0;
      in_l1 += distance < l1 ? 1 : 0;
      in_l2 += distance < l2 ? 1 : 0;
    }
    sum += static_cast<double>(row_sum);
    if (matrix.begin(i) != matrix.end(i)) {
      facts.profile += std::max<std::int64_t>(0, at - std::int64_t{matrix.row(i).front()});
    }
  }
  const auto entries = static_cast<double>(matrix.entries());
  facts.mean_distance = sum / entries;
  facts.within_line = static_cast<double>(in_line) / entries;
  facts.within_l1 = static_cast<double>(in_l1) / entries;
  facts.within_l2 = static_cast<double>(in_l2) / entries;
}

/// At most `most` of the numbers 0 .. all - 1, evenly spread.
template <class Visit>
void spread_out(std::size_t all, std::size_t most, const Visit& visit) {
  const std::size_t count = std::min(all, most);
  for (std::size_t s = 0; s < count; ++s) {
    visit(all / count * s + all % count * s / count);
  }
}

template <class Index>
double without_index(const PatternOf<Index>& matrix) {
  constexpr std::size_t kChunkRows = 32;
  const auto rows = static_cast<std::size_t>(matrix.rows);
  std::vector<std::int64_t> distances;
  std::size_t entries = 0;
  std::size_t diagonal = 0;
  spread_out((rows + kChunkRows - 1) / kChunkRows, 4096, [&](std::size_t chunk) {
    distances.clear();
    for (std::size_t i = chunk * kChunkRows; i < std::min(rows, (chunk + 1) * kChunkRows); ++i) {
      for (const Index j : matrix.row(i)) {
        distances.push_back(std::int64_t{j} - static_cast<std::int64_t>(i));
      }
    }
    std::sort(distances.begin(), distances.end());
    entries += distances.size();
    for (auto first = distances.begin(); first != distances.end();) {
      const auto last = std::upper_bound(first, distances.end(), *first);
      diagonal += last - first >= kLeastOfDiagonal ? static_cast<std::size_t>(last - first) : 0;
      first = last;
    }
  });
  return entries == 0 ? 0 : static_cast<double>(diagonal) / static_cast<double>(entries);
}

template <class Index>
double unique_share(const PatternOf<Index>& matrix, std::int64_t block_rows) {
  const auto rows = static_cast<std::size_t>(matrix.rows);
  const auto step = static_cast<std::size_t>(std::max<std::int64_t>(1, block_rows));
  std::vector<std::uint8_t> seen_in(static_cast<std::size_t>(matrix.columns), 0);
  std::size_t entries = 0;
  std::size_t unique = 0;
  std::uint8_t stamp = 0;
  spread_out((rows + step - 1) / step, 64, [&](std::size_t block) {
    ++stamp;
    for (std::size_t i = block * step; i < std::min(rows, (block + 1) * step); ++i) {
      for (const Index j : matrix.row(i)) {
        unique += seen_in[static_cast<std::size_t>(j)] != stamp ? 1 : 0;
        seen_in[static_cast<std::size_t>(j)] = stamp;
      }
      entries += matrix.end(i) - matrix.begin(i);
    }
  });
  return entries == 0 ? 0 : static_cast<double>(unique) / static_cast<double>(entries);
}

template <class Index>
Imbalance imbalance(const PatternOf<Index>& matrix, std::int32_t threads) {
  Imbalance result;
  result.threads = std::max(1, threads);
  if (matrix.entries() == 0) {
    return result;
  }
  const auto before = [&](std::int64_t i) {
    return std::int64_t{matrix.row_begin[static_cast<std::size_t>(i)]};
  };
  const std::int64_t rows = matrix.rows;
  const Work work = Work::shared_out(rows, result.threads, before);
  std::int64_t most_by_rows = 0;
  std::int64_t most_by_entries = 0;
  for (std::int32_t t = 0; t < result.threads; ++t) {
    const auto at = static_cast<std::size_t>(t);
    most_by_rows = std::max(
        most_by_rows, before(rows * (t + 1) / result.threads) - before(rows * t / result.threads));
    most_by_entries =
        std::max(most_by_entries, before(work.bounds[at + 1]) - before(work.bounds[at]));
  }
  const double mean = static_cast<double>(matrix.entries()) / result.threads;
  result.by_rows = static_cast<double>(most_by_rows) / mean;
  result.by_entries = static_cast<double>(most_by_entries) / mean;
  return result;
}

}  // namespace

template <class Value, class Index>
SparsityFacts facts_of(const CsrMatrix<Value, Index>& matrix, const FactOptions& options) {
  const PatternOf<Index> pattern = pattern_of(matrix);
  SparsityFacts facts;
  facts.rows = matrix.rows;
  facts.columns = matrix.columns;
  facts.entries = matrix.entries();
  facts.explicit_zeros =
      static_cast<std::size_t>(std::count(matrix.value.begin(), matrix.value.end(), Value{0}));
  facts.columns_used = columns_used(pattern);
  facts.row_lengths = row_lengths(pattern);
  facts.bandwidth = bandwidth(pattern);
  add_distances(pattern, options, facts);
  facts.symmetric_pattern = has_symmetric_pattern(matrix);
  facts.symmetric_values = facts.symmetric_pattern && is_symmetric(matrix);
  facts.block = find_block(matrix);
  facts.block_fill = facts.block > 1 ? block_fill(matrix, facts.block) : 1;
  facts.without_index = without_index(pattern);
  facts.unique_share = unique_share(pattern, options.block_rows);
  for (const std::int32_t threads : options.threads) {
    facts.imbalance.push_back(imbalance(pattern, threads));
  }
  return facts;
}

template SparsityFacts facts_of(const CsrMatrix<double, std::int32_t>&, const FactOptions&);
template SparsityFacts facts_of(const CsrMatrix<double, std::int64_t>&, const FactOptions&);
template SparsityFacts facts_of(const CsrMatrix<float, std::int32_t>&, const FactOptions&);
template SparsityFacts facts_of(const CsrMatrix<float, std::int64_t>&, const FactOptions&);

}  // namespace ridge::spmv
