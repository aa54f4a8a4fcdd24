// Lines and cells of a text, as views into it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace ridge::imports {

/// Line by line; a text need not end with a line end. "\r\n" ends a line too.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  /// Goes to the next line; false when there is none.
  bool next();
  [[nodiscard]] std::string_view line() const { return line_; }
  /// Counts from 1; 0 before the first.
  [[nodiscard]] std::size_t number() const { return number_; }

 private:
  std::string_view rest_;
  std::string_view line_;
  std::size_t number_ = 0;
};

/// The cells of one line. A cell in double quotes may hold separators; its quotes are taken off,
/// and doubled quotes within stay doubled: see unquoted(). False when a quote is not closed.
[[nodiscard]] bool split_cells(std::string_view line, char separator,
                               std::vector<std::string_view>& cells);

/// With each doubled quote as one.
[[nodiscard]] std::string unquoted(std::string_view cell);

[[nodiscard]] std::string_view trimmed(std::string_view text);

/// A finite number: "12", "1.5e9", "1,234,567.5" (commas between groups of three). nullopt
/// otherwise, and where blanks or letters follow.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

/// A whole number of at most 2^64 - 1, with nothing around it.
[[nodiscard]] std::optional<std::uint64_t> parse_whole(std::string_view text);

/// The column called `name`; nullopt when there is none.
[[nodiscard]] std::optional<std::size_t> find_column(const std::vector<std::string_view>& header,
                                                     std::string_view name);

/// "FILE:LINE: REASON", with `bad_input`. `line` 0: of the whole file.
[[nodiscard]] tl::unexpected<Error> refuse(std::string_view file, std::size_t line,
                                           std::string_view reason, std::string_view hint = {});

/// In double quotes, without control characters, cut to what fits a message.
[[nodiscard]] std::string quoted(std::string_view text);

}  // namespace ridge::imports
