#include "spmv/format/gather_blocked.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace ridge::spmv {
namespace {

constexpr std::size_t kMostLocal = std::size_t{1} << 16;

/// Collects the columns of a block chunk by chunk.
template <class Value, class Index>
class BlockBuilder {
 public:
  BlockBuilder(const SellMatrix<Value, Index>& sell, Array<std::uint16_t>& local)
      : sell_(sell),
        local_(local),
        seen_(static_cast<std::size_t>(sell.columns), 0),
        place_(static_cast<std::size_t>(sell.columns)) {}

  /// How many columns the chunk has that the block does not have yet. Once per chunk and block.
  std::size_t missing(std::int64_t chunk) {
    missing_.clear();
    for (auto k = begin(chunk); k < begin(chunk + 1); ++k) {
      std::int64_t& seen = seen_[static_cast<std::size_t>(sell_.column[k])];
      if (seen != block_) {
        seen = block_;
        missing_.push_back(sell_.column[k]);
      }
    }
    return missing_.size();
  }
  void take() { columns_.insert(columns_.end(), missing_.begin(), missing_.end()); }
  [[nodiscard]] std::size_t size() const { return columns_.size(); }

  /// Ends the block of the chunks first to last - 1: local indices, and the columns it needs.
  void close(std::int64_t first, std::int64_t last, std::vector<Index>& needed) {
    std::sort(columns_.begin(), columns_.end());
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      place_[static_cast<std::size_t>(columns_[i])] = static_cast<std::uint16_t>(i);
    }
    for (auto k = begin(first); k < begin(last); ++k) {
      local_[k] = place_[static_cast<std::size_t>(sell_.column[k])];
    }
    needed.insert(needed.end(), columns_.begin(), columns_.end());
    while (needed.size() % 8 != 0) {
      needed.push_back(needed.back());
    }
    reset();
  }
  void reset() {
    columns_.clear();
    ++block_;
  }

 private:
  [[nodiscard]] std::size_t begin(std::int64_t chunk) const {
    return static_cast<std::size_t>(sell_.chunk_begin[static_cast<std::size_t>(chunk)]);
  }
  const SellMatrix<Value, Index>& sell_;
  Array<std::uint16_t>& local_;
  std::vector<std::int64_t> seen_;
  std::vector<std::uint16_t> place_;
  std::vector<Index> columns_;
  std::vector<Index> missing_;
  std::int64_t block_ = 1;
};

template <class T>
Array<T> array_of(const std::vector<T>& elements, std::size_t more = 0) {
  Array<T> array(elements.size() + more);
  std::copy(elements.begin(), elements.end(), array.begin());
  std::fill(array.begin() + elements.size(), array.end(), T{0});
  return array;
}

}  // namespace

template <class Value, class Index>
GatherBlockedMatrix<Value, Index> to_gather_blocked(SellMatrix<Value, Index> sell,
                                                    std::size_t most_needed,
                                                    std::int64_t most_rows) {
  most_needed = std::min(most_needed, kMostLocal);
  GatherBlockedMatrix<Value, Index> result;
  result.local = Array<std::uint16_t>(sell.column.size(), 0);
  BlockBuilder<Value, Index> builder(sell, result.local);
  std::vector<std::int64_t> block_begin = {0};
  std::vector<std::int64_t> needed_begin = {0};
  std::vector<Index> needed;
  const auto end_block = [&](std::int64_t chunk, bool copied) {
    if (copied) {
      builder.close(block_begin.back(), chunk, needed);
    } else {
      builder.reset();
    }
    block_begin.push_back(chunk);
    needed_begin.push_back(static_cast<std::int64_t>(needed.size()));
    result.widest = std::max(
        result.widest, static_cast<std::size_t>(needed_begin.back() - needed_begin.end()[-2]));
  };
  for (std::int64_t c = 0; c < sell.chunks(); ++c) {
    const bool begun = c > block_begin.back();
    std::size_t more = builder.missing(c);
    if (begun && (builder.size() + more > most_needed ||
                  (c - block_begin.back()) * sell.chunk_rows >= most_rows)) {
      end_block(c, true);
      more = builder.missing(c);
    }
    if (more > most_needed) {
      end_block(c + 1, false);
      continue;
    }
    builder.take();
  }
  if (block_begin.back() < sell.chunks()) {
    end_block(sell.chunks(), true);
  }
  result.sell = std::move(sell);
  result.block_begin = array_of(block_begin);
  result.needed_begin = array_of(needed_begin);
  result.needed = array_of(needed, kMaxAhead);
  return result;
}

template GatherBlockedMatrix<double, std::int32_t> to_gather_blocked(
    SellMatrix<double, std::int32_t>, std::size_t, std::int64_t);
template GatherBlockedMatrix<double, std::int64_t> to_gather_blocked(
    SellMatrix<double, std::int64_t>, std::size_t, std::int64_t);
template GatherBlockedMatrix<float, std::int32_t> to_gather_blocked(SellMatrix<float, std::int32_t>,
                                                                    std::size_t, std::int64_t);
template GatherBlockedMatrix<float, std::int64_t> to_gather_blocked(SellMatrix<float, std::int64_t>,
                                                                    std::size_t, std::int64_t);

}  // namespace ridge::spmv
