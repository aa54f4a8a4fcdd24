// Checks and conversions that the binary formats share.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/result.hpp"
#include "spmv/matrix/csr.hpp"
#include "spmv/read/input_file.hpp"

namespace ridge::spmv {

/// A number from its bytes; std::byteswap is C++23.
template <class Number>
[[nodiscard]] Number number_from(const char* bytes, std::endian order) {
  char own[sizeof(Number)];
  std::memcpy(own, bytes, sizeof own);
  if (order != std::endian::native) {
    std::reverse(own, own + sizeof own);
  }
  return std::bit_cast<Number>(own);
}

/// Calls take(k, number) for `count` numbers from byte `offset` on; take returns false to stop.
/// The result is how many were taken.
template <class Number, class Take>
[[nodiscard]] Result<std::uint64_t> each_number(const InputFile& file, std::uint64_t offset,
                                                std::uint64_t count, std::endian order,
                                                const Take& take) {
  constexpr std::uint64_t kAtOnce = 32768;
  std::vector<char> room(kAtOnce * sizeof(Number));
  for (std::uint64_t begin = 0; begin < count; begin += kAtOnce) {
    const std::uint64_t size = std::min(kAtOnce, count - begin);
    if (auto got = file.read(offset + begin * sizeof(Number), room.data(), size * sizeof(Number));
        !got) {
      return tl::make_unexpected(got.error());
    }
    for (std::uint64_t k = 0; k < size; ++k) {
      if (!take(begin + k, number_from<Number>(room.data() + k * sizeof(Number), order))) {
        return begin + k;
      }
    }
  }
  return count;
}

/// Why these are no compressed rows of `minor` columns; empty if they are (columns in any order).
template <class Index>
[[nodiscard]] std::string explain_compressed(const Array<Index>& begin, const Array<Index>& index,
                                             std::uint64_t minor) {
  if (begin.empty() || begin[0] != 0) {
    return "the first pointer is not 0";
  }
  for (std::size_t i = 0; i + 1 < begin.size(); ++i) {
    if (begin[i + 1] < begin[i]) {
      return fmt::format("pointer {} is less than the one before", i + 1);
    }
  }
  if (static_cast<std::uint64_t>(begin[begin.size() - 1]) != index.size()) {
    return fmt::format("the last pointer is {}, there are {} entries", begin[begin.size() - 1],
                       index.size());
  }
  for (std::size_t k = 0; k < index.size(); ++k) {
    if (index[k] < 0 || static_cast<std::uint64_t>(index[k]) >= minor) {
      return fmt::format("index {} of entry {}, both from 0, is outside 0 to {}", index[k], k,
                         static_cast<std::int64_t>(minor) - 1);
    }
  }
  return {};
}

}  // namespace ridge::spmv
