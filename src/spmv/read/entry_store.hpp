// Entries as they come from a file, in blocks, without knowing beforehand how many there will be.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "spmv/matrix/array.hpp"

namespace ridge::spmv {

template <class Index>
struct RealEntry {
  Index row;
  Index column;
  double value;
};

template <class Index>
struct ComplexEntry {
  Index row;
  Index column;
  double real;
  double imaginary;
};

/// Takes entries one by one; the first block is small, so that small files stay cheap.
template <class Entry>
class EntryStore {
 public:
  void add(const Entry& entry) {
    if (next_ == end_) [[unlikely]] {
      grow();
    }
    *next_++ = entry;
  }

  [[nodiscard]] std::size_t size() const {
    return complete_ +
           (blocks_.empty() ? 0 : static_cast<std::size_t>(next_ - blocks_.back().data()));
  }

  /// The blocks in order, each with what was written to it. Call once all is added.
  [[nodiscard]] std::vector<Array<Entry>> take() {
    if (!blocks_.empty()) {
      blocks_.back().shorten(static_cast<std::size_t>(next_ - blocks_.back().data()));
    }
    next_ = end_ = nullptr;
    return std::move(blocks_);
  }

 private:
  void grow() {
    constexpr std::size_t kFirst = 1024;
    constexpr std::size_t kLargest = (std::size_t{4} << 20) / 16;  // from 4 MiB on: huge pages
    const std::size_t size =
        blocks_.empty() ? kFirst : std::min(16 * blocks_.back().size(), kLargest);
    complete_ += blocks_.empty() ? 0 : blocks_.back().size();
    blocks_.emplace_back(size);
    next_ = blocks_.back().data();
    end_ = next_ + size;
  }

  std::vector<Array<Entry>> blocks_;
  std::size_t complete_ = 0;  ///< entries in all blocks but the last
  Entry* next_ = nullptr;
  Entry* end_ = nullptr;
};

}  // namespace ridge::spmv
