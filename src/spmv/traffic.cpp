#include "spmv/traffic.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>
#include <limits>

#include "spmv/generators.hpp"
#include "spmv/on_threads.hpp"

namespace ridge::spmv {
namespace {

/// Entries in the order in which a format comes to them. Units are rows or chunks.
template <class Index, class Begin>
struct Sequence {
  const Index* column;
  const Begin* unit_begin;
  std::size_t first_unit;
  std::size_t last_unit;
  std::size_t columns;

  [[nodiscard]] std::size_t begin() const {
    return static_cast<std::size_t>(unit_begin[first_unit]);
  }
  [[nodiscard]] std::size_t end() const { return static_cast<std::size_t>(unit_begin[last_unit]); }
};

/// Bytes that the stream has moved on by, in 2^-16 byte so that sums are exact.
constexpr int kFraction = 16;
std::int64_t fixed(double bytes) {
  return std::llround(bytes * static_cast<double>(1 << kFraction));
}

struct Model {
  std::int64_t per_entry;  ///< of the stream, fixed point
  std::int64_t per_unit;
  std::int64_t line;          ///< of the stream, fixed point
  std::int64_t group;         ///< what `group_columns` columns of x take, all vectors, fixed point
  std::int64_t cache;         ///< fixed point
  std::size_t group_columns;  ///< columns that come and go together
};

/// Walks along a sequence and knows how far the stream has come.
template <class Index, class Begin>
class Walk {
 public:
  Walk(const Sequence<Index, Begin>& sequence, const Model& model)
      : sequence_(sequence), model_(model), entry_(sequence.begin()), unit_(sequence.first_unit) {
    enter_unit();
  }
  [[nodiscard]] std::size_t entry() const { return entry_; }
  [[nodiscard]] std::int64_t stream() const { return stream_; }
  void next() {
    ++entry_;
    stream_ += model_.per_entry;
    if (entry_ == unit_end_) {
      ++unit_;
      stream_ += model_.per_unit;
      enter_unit();
    }
  }

 private:
  void enter_unit() {
    while (unit_ < sequence_.last_unit) {
      unit_end_ = static_cast<std::size_t>(sequence_.unit_begin[unit_ + 1]);
      if (unit_end_ > entry_) {
        return;
      }
      ++unit_;
      stream_ += model_.per_unit;
    }
  }
  const Sequence<Index, Begin>& sequence_;
  const Model& model_;
  std::size_t entry_;
  std::size_t unit_;
  std::size_t unit_end_ = 0;
  std::int64_t stream_ = 0;
};

/// Loads of groups of columns. The recency list of the cache is the sequence itself from `tail` on:
/// a group is in the cache if its last use is not before `tail`.
template <class Index, class Begin>
std::int64_t simulate(const Sequence<Index, Begin>& sequence, const Model& model) {
  const std::size_t groups = sequence.columns / model.group_columns + 1;
  std::vector<std::int64_t> last(groups, -1);
  std::int64_t loads = 0;
  std::int64_t present = 0;
  Walk<Index, Begin> tail(sequence, model);
  for (Walk<Index, Begin> head(sequence, model); head.entry() < sequence.end(); head.next()) {
    const std::int64_t stream = head.stream() / model.line;
    while (tail.entry() < head.entry()) {
      const auto at = static_cast<std::int64_t>(tail.entry());
      const std::size_t oldest =
          static_cast<std::size_t>(sequence.column[tail.entry()]) / model.group_columns;
      if (last[oldest] == at) {
        Walk<Index, Begin> after = tail;
        after.next();
        // Its own line of the stream again, if the next entry is in it too.
        const std::int64_t first =
            std::min(after.stream() / model.line, tail.stream() / model.line + 1);
        const std::int64_t passed = stream - first + 1;
        if (present * model.group + passed * model.line <= model.cache) {
          break;
        }
        --present;
      }
      tail.next();
    }
    const auto now = static_cast<std::int64_t>(head.entry());
    const std::size_t group =
        static_cast<std::size_t>(sequence.column[head.entry()]) / model.group_columns;
    if (last[group] < static_cast<std::int64_t>(tail.entry())) {
      ++loads;
      ++present;
    }
    last[group] = now;
  }
  return loads;
}

Model model_of(const TrafficOptions& options, double cache_bytes, std::int32_t unit_rows) {
  Model model{};
  model.per_entry = fixed(options.stream_per_entry);
  model.per_unit = fixed(options.stream_per_row * unit_rows);
  model.line = fixed(options.line_bytes);
  model.group_columns = static_cast<std::size_t>(
      std::max(1.0, std::floor(options.line_bytes / options.element_bytes)));
  model.group =
      fixed(std::max(options.element_bytes * static_cast<double>(model.group_columns), 1.0) *
            options.vectors);
  model.cache = fixed(cache_bytes);
  return model;
}

template <class Index, class Begin>
std::vector<XTraffic> predict(const Index* column, std::span<const Begin> unit_begin,
                              std::size_t columns, std::size_t entries, std::int32_t unit_rows,
                              std::span<const double> cache_bytes, const TrafficOptions& options) {
  std::vector<XTraffic> results(cache_bytes.size());
  const std::size_t units = unit_begin.size() - 1;
  for (std::size_t c = 0; c < cache_bytes.size(); ++c) {
    XTraffic& result = results[c];
    result.cache_bytes = cache_bytes[c];
    const Model model = model_of(options, cache_bytes[c], unit_rows);
    const Sequence<Index, Begin> all{column, unit_begin.data(), 0, units, columns};
    const auto loads = static_cast<double>(entries == 0 ? 0 : simulate(all, model));
    result.x_bytes = loads * options.element_bytes * static_cast<double>(model.group_columns);
    result.alpha =
        entries == 0 ? 0 : result.x_bytes / (options.element_bytes * static_cast<double>(entries));
  }
  return results;
}

}  // namespace

TrafficOptions streams_of(const Footprint& matrix, std::int64_t rows, double vector_bytes,
                          bool stored) {
  TrafficOptions options;
  options.element_bytes = vector_bytes;
  const std::size_t entries = stored ? matrix.stored : matrix.useful;
  options.stream_per_entry = entries == 0
                                 ? 0
                                 : (matrix.value_bytes + matrix.index_bytes + matrix.copied_bytes) /
                                       static_cast<double>(entries);
  options.stream_per_row =
      rows == 0 ? 0 : matrix.pointer_bytes / static_cast<double>(rows) + vector_bytes;
  options.vectors = matrix.sums_into_y ? 2 : 1;
  return options;
}

template <class Index>
std::vector<XTraffic> predict_x_traffic(const PatternOf<Index>& matrix,
                                        std::span<const double> cache_bytes,
                                        const TrafficOptions& options) {
  return predict(matrix.column.data(), matrix.row_begin, static_cast<std::size_t>(matrix.columns),
                 matrix.entries(), 1, cache_bytes, options);
}

template <class Value, class Index>
std::vector<XTraffic> predict_x_traffic(const SellMatrix<Value, Index>& matrix,
                                        std::span<const double> cache_bytes,
                                        const TrafficOptions& options) {
  return predict(matrix.column.data(), matrix.chunk_begin.span(),
                 static_cast<std::size_t>(matrix.columns), matrix.useful, matrix.chunk_rows,
                 cache_bytes, options);
}

template <class Index>
std::int64_t columns_used(const PatternOf<Index>& matrix) {
  std::vector<bool> used(static_cast<std::size_t>(matrix.columns), false);
  for (const Index j : matrix.column) {
    used[static_cast<std::size_t>(j)] = true;
  }
  return std::count(used.begin(), used.end(), true);
}

template std::vector<XTraffic> predict_x_traffic(const PatternOf<std::int32_t>&,
                                                 std::span<const double>, const TrafficOptions&);
template std::vector<XTraffic> predict_x_traffic(const PatternOf<std::int64_t>&,
                                                 std::span<const double>, const TrafficOptions&);
template std::vector<XTraffic> predict_x_traffic(const SellMatrix<double, std::int32_t>&,
                                                 std::span<const double>, const TrafficOptions&);
template std::vector<XTraffic> predict_x_traffic(const SellMatrix<double, std::int64_t>&,
                                                 std::span<const double>, const TrafficOptions&);
template std::vector<XTraffic> predict_x_traffic(const SellMatrix<float, std::int32_t>&,
                                                 std::span<const double>, const TrafficOptions&);
template std::vector<XTraffic> predict_x_traffic(const SellMatrix<float, std::int64_t>&,
                                                 std::span<const double>, const TrafficOptions&);
template std::int64_t columns_used(const PatternOf<std::int32_t>&);
template std::int64_t columns_used(const PatternOf<std::int64_t>&);

}  // namespace ridge::spmv
