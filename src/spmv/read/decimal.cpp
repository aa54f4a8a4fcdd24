#include "spmv/read/decimal.hpp"

#include <algorithm>
#include <charconv>
#include <string>

namespace ridge::spmv::detail {
namespace {

/// Whether the number is at least 1, so that what does not fit is too large, not too small.
/// `text` has digits, perhaps a point, perhaps an exponent.
bool is_large(const std::string& text) {
  const std::size_t letter = std::min(text.find_first_of("eE"), text.size());
  const std::size_t point = std::min(text.find('.'), letter);
  std::size_t first = text.find_first_of("123456789");
  if (first >= letter) {
    return false;  // zero
  }
  double exponent = 0;
  if (letter < text.size()) {
    const char* digits = text.data() + letter + 1;
    digits += static_cast<int>(*digits == '+');
    // Even where it does not fit, the sign is what counts.
    if (std::from_chars(digits, text.data() + text.size(), exponent).ec != std::errc()) {
      exponent = *digits == '-' ? -1e300 : 1e300;
    }
  }
  const double place =
      first < point ? static_cast<double>(point - first) : -static_cast<double>(first - point - 1);
  return place + exponent > 0;
}

bool is_part(char c) {
  return is_digit(c) || c == '.' || c == '+' || c == '-' || c == '(' || c == ')' || c == '_' ||
         static_cast<unsigned char>((c | 0x20) - 'a') < 26;
}

}  // namespace

const char* parse_decimal_slowly(const char* text, double& value) {
  const char* begin = text + static_cast<int>(*text == '+');
  if (*text == '+' && *begin == '-') {
    return nullptr;
  }
  const char* end = begin;
  while (is_part(*end)) {
    ++end;
  }
  std::string copy(begin, end);
  const char first = copy.empty() ? ' ' : copy[copy[0] == '-' && copy.size() > 1 ? 1 : 0];
  if (is_digit(first) || first == '.') {  // not "nan" or "infinity": here d is an exponent
    std::ranges::replace(copy, 'd', 'e');
    std::ranges::replace(copy, 'D', 'e');
  }
  double number = 0;
  const auto [stop, error] = std::from_chars(copy.data(), copy.data() + copy.size(), number);
  if (error == std::errc::invalid_argument) {
    return nullptr;
  }
  if (error == std::errc::result_out_of_range) {
    if (is_large(copy.substr(0, static_cast<std::size_t>(stop - copy.data())))) {
      return nullptr;
    }
    number = copy[0] == '-' ? -0.0 : 0.0;
  }
  value = number;
  return begin + (stop - copy.data());
}

}  // namespace ridge::spmv::detail
