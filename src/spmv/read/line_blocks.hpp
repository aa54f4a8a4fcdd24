// Text by blocks of whole lines, from a file or from what gzip makes of one.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "core/result.hpp"
#include "spmv/matrix/array.hpp"
#include "spmv/read/input_file.hpp"

namespace ridge::spmv {

/// Fills at most so many bytes with what comes next; 0 at the end.
using Fetch = std::function<Result<std::size_t>(char* to, std::size_t bytes)>;

/// Bytes `begin` to `end` - 1 of the file.
[[nodiscard]] Fetch fetch_range(const InputFile& file, std::uint64_t begin, std::uint64_t end);

/// What gunzip would print, from byte `begin` of it on; several members follow each other.
[[nodiscard]] Fetch fetch_gunzipped(const InputFile& file, std::uint64_t begin);

/// Either, by the first bytes of the file.
[[nodiscard]] Fetch fetch_text(const InputFile& file, bool gzip, std::uint64_t begin);

/// Hands out a text in blocks that end at line ends. Lines are at most 1 MiB long.
class LineBlocks {
 public:
  explicit LineBlocks(Fetch fetch);

  /// The next block: whole lines, the last character is '\n' (added where the text ends without
  /// one), and at least kNumberPadding bytes behind it may be read. Empty at the end of the text.
  /// Error: a line that is too long is reported through `too_long()`.
  [[nodiscard]] Result<std::string_view> next();
  [[nodiscard]] bool too_long() const { return too_long_; }

 private:
  Fetch fetch_;
  Array<char> room_;
  std::size_t filled_ = 0;    ///< bytes of text in `room_`
  std::size_t consumed_ = 0;  ///< of which were handed out
  bool ended_ = false;
  bool too_long_ = false;
};

}  // namespace ridge::spmv
