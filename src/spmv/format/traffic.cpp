#include "spmv/format/traffic.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

#include "spmv/format/recency.hpp"
#include "spmv/generate/generators.hpp"
#include "spmv/kernel/schedule.hpp"
#include "spmv/matrix/on_threads.hpp"

namespace ridge::spmv {
namespace {

FixedBytes fixed(double bytes) {
  return std::llround(bytes * 65536);
}

/// Columns that come and go together, as a power of two: those of a line.
int group_shift(const TrafficOptions& options) {
  const double in_line = std::max(1.0, std::floor(options.line_bytes / options.element_bytes));
  return std::bit_width(static_cast<std::uint64_t>(in_line)) - 1;
}

/// Entries in the order in which a format comes to them, in units of rows or chunks, and the stream
/// that goes along with them.
template <class Index, class Begin>
struct Sequence {
  const Index* column;
  const Begin* unit_begin;
  std::size_t first_unit;
  std::size_t last_unit;
  FixedBytes per_entry;
  FixedBytes per_unit;
  FixedBytes line;
  int shift;  ///< column >> shift is its group

  [[nodiscard]] std::size_t begin_of(std::size_t unit) const {
    return static_cast<std::size_t>(unit_begin[unit]);
  }
  [[nodiscard]] std::size_t begin() const { return begin_of(first_unit); }
  [[nodiscard]] std::size_t end() const { return begin_of(last_unit); }
  [[nodiscard]] std::size_t size() const { return end() - begin(); }
  [[nodiscard]] std::size_t group(std::size_t k) const {
    return static_cast<std::size_t>(column[k]) >> shift;
  }
  /// What the stream has passed at entry `k` of `unit`; the whole of it behind the last entry.
  [[nodiscard]] FixedBytes stream(std::size_t k, std::size_t unit) const {
    return per_entry * static_cast<FixedBytes>(k - begin()) +
           per_unit * static_cast<FixedBytes>(unit - first_unit);
  }
  [[nodiscard]] FixedBytes whole_stream() const { return stream(end(), last_unit); }
  [[nodiscard]] FixedBytes line_at(FixedBytes stream) const { return stream & ~(line - 1); }
  /// The unit of entry `k` or, behind the last one, the last; `unit` is not behind it.
  [[nodiscard]] std::size_t unit_of(std::size_t k, std::size_t unit) const {
    while (unit < last_unit && begin_of(unit + 1) <= k) {
      ++unit;
    }
    return unit;
  }
  /// The first line after the use of x at entry k: the same again if the next entry is in it too.
  [[nodiscard]] FixedBytes first_after(std::size_t k, std::size_t unit, FixedBytes before) const {
    const FixedBytes own = line_at(before + stream(k, unit));
    const FixedBytes next = line_at(before + stream(k + 1, unit_of(k + 1, unit)));
    return std::min(next, own + line);
  }
};

/// Calls use(entry, group, stream line) for all entries in their order.
template <class Index, class Begin, class Use>
void walk(const Sequence<Index, Begin>& sequence, FixedBytes before, const Use& use) {
  for (std::size_t unit = sequence.first_unit; unit < sequence.last_unit; ++unit) {
    const std::size_t last = sequence.begin_of(unit + 1);
    std::size_t k = sequence.begin_of(unit);
    FixedBytes stream = before + sequence.stream(k, unit);
    for (; k < last; ++k, stream += sequence.per_entry) {
      use(k, sequence.group(k), sequence.line_at(stream));
    }
  }
}

/// Every entry, of one product after the other.
template <class Index, class Begin>
class AllEntries {
 public:
  explicit AllEntries(const Sequence<Index, Begin>& sequence)
      : sequence_(sequence), unit_(sequence.first_unit) {}

  [[nodiscard]] std::size_t size() const { return sequence_.size(); }
  template <class Time>
  FixedBytes first_after(Time time) {
    while (time - 1 >= done_ + sequence_.size()) {
      done_ += sequence_.size();
      before_ += sequence_.whole_stream();
      unit_ = sequence_.first_unit;
    }
    const std::size_t k = sequence_.begin() + (static_cast<std::size_t>(time) - 1 - done_);
    unit_ = sequence_.unit_of(k, unit_);
    return sequence_.first_after(k, unit_, before_);
  }
  template <class Use>
  void product(FixedBytes before, const Use& use) const {
    walk(sequence_, before, [&](std::size_t k, std::size_t group, FixedBytes line) {
      use(k - sequence_.begin(), group, line);
    });
  }

 private:
  const Sequence<Index, Begin>& sequence_;
  std::size_t unit_;
  std::size_t done_ = 0;
  FixedBytes before_ = 0;
};

/// Those whose group is in a sample of the groups, chosen by nothing but their numbers.
class SampledEntries {
 public:
  template <class Index, class Begin>
  SampledEntries(const Sequence<Index, Begin>& sequence, std::size_t groups, double share)
      : whole_stream_(sequence.whole_stream()) {
    std::vector<std::uint8_t> state(groups);
    for (std::size_t g = 0; g < groups; ++g) {
      state[g] = static_cast<double>(mixed(g) >> 32) < share * 0x1p32 ? kSampled : 0;
    }
    std::size_t unit = sequence.first_unit;
    std::array<std::uint16_t, kBlock> kept{};
    for (std::size_t first = sequence.begin(); first < sequence.end(); first += kBlock) {
      const std::size_t size = std::min(kBlock, sequence.end() - first);
      std::size_t count = 0;
      for (std::size_t k = 0; k < size; ++k) {  // without branches: many are right by chance only
        std::uint8_t& of_group = state[sequence.group(first + k)];
        kept[count] = static_cast<std::uint16_t>(k);
        count += of_group & kSampled;
        of_group |= kUsed;
      }
      for (std::size_t at = 0; at < count; ++at) {
        const std::size_t k = first + kept[at];
        unit = sequence.unit_of(k, unit);
        entries_.push_back({sequence.group(k), sequence.line_at(sequence.stream(k, unit)),
                            sequence.first_after(k, unit, 0)});
      }
    }
    for (const std::uint8_t of_group : state) {
      used_ += (of_group & kUsed) / kUsed;
      sampled_ += of_group == (kUsed | kSampled) ? 1 : 0;
    }
  }

  /// Different groups that have entries: all of them, and those in the sample.
  [[nodiscard]] std::int64_t used() const { return used_; }
  [[nodiscard]] std::int64_t sampled() const { return sampled_; }

  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  template <class Time>
  FixedBytes first_after(Time time) const {
    const std::size_t at = static_cast<std::size_t>(time) - 1;
    const bool again = at >= size();  // the second of two products
    return again ? entries_[at - size()].first_after + whole_stream_ : entries_[at].first_after;
  }
  template <class Use>
  void product(FixedBytes before, const Use& use) const {
    for (std::size_t k = 0; k < entries_.size(); ++k) {
      use(k, entries_[k].group, before + entries_[k].line);
    }
  }

 private:
  static constexpr std::uint8_t kSampled = 1;
  static constexpr std::uint8_t kUsed = 2;
  static constexpr std::size_t kBlock = 4096;

  struct Entry {
    std::size_t group;
    FixedBytes line;
    FixedBytes first_after;
  };
  FixedBytes whole_stream_;
  std::vector<Entry> entries_;
  std::int64_t used_ = 0;
  std::int64_t sampled_ = 0;
};

/// Loads by the last of `products` products.
template <class Time, class Source>
std::int64_t loads_with(Source& source, const CacheModel& model, std::size_t groups,
                        FixedBytes whole_stream, int products) {
  const std::size_t size = source.size();
  RecencyList<Time, Source> list(source, model, groups,
                                 static_cast<std::size_t>(products) * size + 1);
  std::int64_t loads = 0;
  for (int p = 0; p < products; ++p) {
    loads = 0;
    const auto start = static_cast<Time>(static_cast<std::size_t>(p) * size + 1);
    source.product(p * whole_stream, [&](std::size_t k, std::size_t group, FixedBytes line) {
      loads += list.use(start + static_cast<Time>(k), group, line) ? 1 : 0;
    });
  }
  return loads;
}

template <class Source>
std::int64_t loads_of(Source& source, const CacheModel& model, std::size_t groups,
                      FixedBytes whole_stream, int products) {
  const std::size_t times = static_cast<std::size_t>(products) * source.size() + 1;
  return times < std::numeric_limits<std::uint32_t>::max()
             ? loads_with<std::uint32_t>(source, model, groups, whole_stream, products)
             : loads_with<std::uint64_t>(source, model, groups, whole_stream, products);
}

/// What one product loads through one cache: one range of units.
struct Loads {
  double groups = 0;
  double sample = 1;
};

double share_of(const TrafficOptions& options, std::size_t entries, std::size_t groups,
                double cache_bytes) {
  if (options.sample > 0) {
    return std::min(1.0, options.sample);
  }
  constexpr std::size_t kExact = std::size_t{1} << 26;
  // Many groups are followed, and many of those followed fit the cache.
  const double followed = 32768.0 / static_cast<double>(groups);
  const double fitting = 2048.0 * options.line_bytes / std::max(1.0, cache_bytes);
  const double share = std::max(followed, fitting);
  constexpr double kWorthwhile = 0.2;  // a larger share takes as long as all
  return entries <= kExact || share > kWorthwhile ? 1.0 : share;
}

template <class Index, class Begin>
Loads simulate(const Sequence<Index, Begin>& sequence, std::size_t columns, double cache_bytes,
               const TrafficOptions& options) {
  const std::size_t groups = (columns >> sequence.shift) + 1;
  const double share = share_of(options, sequence.size(), groups, cache_bytes);
  CacheModel model{};
  model.cache = fixed(cache_bytes);
  model.line = sequence.line;
  model.group = fixed(options.element_bytes * (1 << sequence.shift)) * options.vectors;
  const int products = options.warm ? 2 : 1;
  const auto run = [&](auto& source, double scale) {
    model.group_step = static_cast<FixedBytes>(static_cast<double>(model.group) * scale);
    return static_cast<double>(loads_of(source, model, groups, sequence.whole_stream(), products));
  };
  if (share < 1) {
    SampledEntries sampled(sequence, groups, share);
    const auto used = static_cast<double>(sampled.used());
    const auto of_them = static_cast<double>(sampled.sampled());
    if (of_them > 0) {
      const double loads = run(sampled, used / of_them);
      // Cold, the first load of each group is known; only further ones are estimated.
      const double known = options.warm ? 0 : 1;
      return {known * used + (loads - known * of_them) * used / of_them, share};
    }
  }
  AllEntries<Index, Begin> all(sequence);
  return {run(all, 1), 1};
}

/// `unit_rows`: rows that a unit stands for.
template <class Index, class Begin>
std::vector<XTraffic> predict(const Index* column, std::span<const Begin> unit_begin,
                              std::size_t columns, std::size_t entries, std::int32_t unit_rows,
                              std::span<const double> cache_bytes, const TrafficOptions& options) {
  std::vector<XTraffic> results(cache_bytes.size());
  for (std::size_t c = 0; c < results.size(); ++c) {
    results[c].cache_bytes = cache_bytes[c];
  }
  if (entries == 0) {
    return results;
  }
  const auto parts = static_cast<std::size_t>(std::max(1, options.parts));
  const Work work = Work::shared_out(
      static_cast<std::int64_t>(unit_begin.size()) - 1, static_cast<int>(parts),
      [&](std::int64_t unit) { return std::int64_t{unit_begin[static_cast<std::size_t>(unit)]}; });
  Sequence<Index, Begin> all{column,
                             unit_begin.data(),
                             0,
                             unit_begin.size() - 1,
                             fixed(options.stream_per_entry),
                             fixed(options.stream_per_row * unit_rows),
                             fixed(std::bit_ceil(static_cast<std::uint64_t>(options.line_bytes))),
                             group_shift(options)};
  std::vector<Loads> loads(results.size() * parts);
  std::atomic<std::size_t> next{0};
  const auto threads = static_cast<int>(
      std::min<std::size_t>(static_cast<std::size_t>(threads_for(entries)), loads.size()));
  on_threads(threads, [&](int) {
    for (std::size_t job = next++; job < loads.size(); job = next++) {
      Sequence<Index, Begin> part = all;
      part.first_unit = static_cast<std::size_t>(work.bounds[job % parts]);
      part.last_unit = static_cast<std::size_t>(work.bounds[job % parts + 1]);
      if (part.size() != 0) {
        loads[job] = simulate(part, columns, cache_bytes[job / parts], options);
      }
    }
  });
  for (std::size_t job = 0; job < loads.size(); ++job) {
    XTraffic& result = results[job / parts];
    result.x_bytes += loads[job].groups * options.element_bytes * (1 << all.shift);
    result.sample = std::min(result.sample, loads[job].sample);
  }
  for (XTraffic& result : results) {
    result.alpha = result.x_bytes / (options.element_bytes * static_cast<double>(entries));
  }
  return results;
}

/// Columns in the order of SELL without padding, and where each chunk begins.
template <class Index>
struct ChunkOrder {
  std::vector<std::int64_t> begin;
  Array<Index> column;
};

template <class Index>
ChunkOrder<Index> chunk_order(const PatternOf<Index>& matrix, std::size_t chunk_rows) {
  const auto rows = static_cast<std::size_t>(matrix.rows);
  ChunkOrder<Index> order{{0}, Array<Index>(matrix.entries())};
  std::size_t to = 0;
  for (std::size_t first = 0; first < rows; first += chunk_rows) {
    const std::size_t last = std::min(rows, first + chunk_rows);
    for (std::size_t k = 0; to < matrix.end(last - 1); ++k) {
      for (std::size_t i = first; i < last; ++i) {
        if (matrix.begin(i) + k < matrix.end(i)) {
          order.column[to++] = matrix.column[matrix.begin(i) + k];
        }
      }
    }
    order.begin.push_back(static_cast<std::int64_t>(to));
  }
  return order;
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
  const auto columns = static_cast<std::size_t>(matrix.columns);
  if (options.chunk_rows > 1) {
    const auto order = chunk_order(matrix, static_cast<std::size_t>(options.chunk_rows));
    return predict(order.column.data(), std::span<const std::int64_t>(order.begin), columns,
                   matrix.entries(), options.chunk_rows, cache_bytes, options);
  }
  return predict(matrix.column.data(), matrix.row_begin, columns, matrix.entries(), 1, cache_bytes,
                 options);
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
  std::vector<std::uint8_t> used(static_cast<std::size_t>(matrix.columns), 0);
  for (const Index j : matrix.column) {
    used[static_cast<std::size_t>(j)] = 1;
  }
  return std::count(used.begin(), used.end(), std::uint8_t{1});
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
