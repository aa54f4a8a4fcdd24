#include "import/lines.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "serialize/json_document.hpp"

namespace ridge::imports {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Whether commas stand between groups of three digits, and nowhere else.
bool has_grouped_digits(std::string_view text) {
  const std::size_t end = std::min(text.find_first_of(".eE"), text.size());
  std::size_t run = 0;
  bool is_first = true;
  for (const char c : text.substr(0, end)) {
    if (c != ',') {
      run += is_digit(c) ? 1 : 0;
      continue;
    }
    if (is_first ? run == 0 || run > 3 : run != 3) {
      return false;
    }
    is_first = false;
    run = 0;
  }
  return run == 3 && text.find(',', end) == std::string_view::npos;
}

std::optional<double> parse_plain(std::string_view text) {
  double value = 0.0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  const bool is_whole = error == std::errc() && at == end;
  return is_whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

}  // namespace

bool Lines::next() {
  if (rest_.empty()) {
    return false;
  }
  const std::size_t end = rest_.find('\n');
  line_ = rest_.substr(0, end);
  rest_ = end == std::string_view::npos ? std::string_view{} : rest_.substr(end + 1);
  if (line_.ends_with('\r')) {
    line_.remove_suffix(1);
  }
  ++number_;
  return true;
}

bool split_cells(std::string_view line, char separator, std::vector<std::string_view>& cells) {
  cells.clear();
  std::size_t at = 0;
  while (true) {
    if (at < line.size() && line[at] == '"') {
      std::size_t end = line.find('"', at + 1);
      while (end != std::string_view::npos && end + 1 < line.size() && line[end + 1] == '"') {
        end = line.find('"', end + 2);
      }
      if (end == std::string_view::npos || (end + 1 < line.size() && line[end + 1] != separator)) {
        return false;
      }
      cells.push_back(line.substr(at + 1, end - at - 1));
      at = end + 1;
    } else {
      const std::size_t end = std::min(line.find(separator, at), line.size());
      cells.push_back(line.substr(at, end - at));
      at = end;
    }
    if (at >= line.size()) {
      return true;
    }
    ++at;
  }
}

std::string unquoted(std::string_view cell) {
  std::string text;
  for (std::size_t i = 0; i < cell.size(); ++i) {
    text += cell[i];
    i += cell.substr(i, 2) == "\"\"" ? 1 : 0;
  }
  return text;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  return begin == std::string_view::npos
             ? std::string_view{}
             : text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::optional<double> parse_number(std::string_view text) {
  if (text.find(',') == std::string_view::npos) {
    return parse_plain(text);
  }
  std::array<char, 64> digits{};
  if (text.size() > digits.size() || !has_grouped_digits(text)) {
    return std::nullopt;
  }
  const auto end = std::remove_copy(text.begin(), text.end(), digits.begin(), ',');
  return parse_plain({digits.data(), static_cast<std::size_t>(end - digits.begin())});
}

std::optional<std::uint64_t> parse_whole(std::string_view text) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && at == end ? std::optional(value) : std::nullopt;
}

std::optional<std::size_t> find_column(const std::vector<std::string_view>& header,
                                       std::string_view name) {
  const auto found = std::find(header.begin(), header.end(), name);
  return found == header.end() ? std::nullopt
                               : std::optional(static_cast<std::size_t>(found - header.begin()));
}

tl::unexpected<Error> refuse(std::string_view file, std::size_t line, std::string_view reason,
                             std::string_view hint) {
  return fail(ErrorCode::bad_input,
              line == 0 ? fmt::format("{}: {}", file, reason)
                        : fmt::format("{}:{}: {}", file, line, reason),
              std::string(hint));
}

std::string quoted(std::string_view text) {
  return serialize::quote_for_message(text);
}

}  // namespace ridge::imports
