#include "spmv/read/fortran_format.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "spmv/read/decimal.hpp"
#include "spmv/read/input_file.hpp"

namespace ridge::spmv {
namespace {

constexpr std::size_t kMostWidth = 200;
constexpr std::size_t kMostRepeat = 10000;

/// Reads the format from left to right.
class Reader {
 public:
  explicit Reader(std::string_view text) {
    for (const char c : text) {
      if (c != ' ' && c != '\t' && c != '\r') {
        text_ += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
      }
    }
  }

  bool take(char c) {
    const bool there = at_ < text_.size() && text_[at_] == c;
    at_ += static_cast<std::size_t>(there);
    return there;
  }

  std::optional<std::size_t> take_number() {
    std::size_t number = 0;
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), number);
    if (error != std::errc() || number > kMostRepeat) {
      return std::nullopt;
    }
    at_ += static_cast<std::size_t>(end - begin);
    return number;
  }

  char take_letter() {
    for (const char letter : {'I', 'E', 'D', 'F', 'G'}) {
      if (take(letter)) {
        return letter;
      }
    }
    return '\0';
  }

  [[nodiscard]] bool done() const { return at_ == text_.size(); }

 private:
  std::string text_;
  std::size_t at_ = 0;
};

/// kP with what may follow it; the number that stands before the letter otherwise.
bool read_repeat(Reader& reader, FortranFormat& format) {
  const bool negative = reader.take('-');
  auto number = reader.take_number();
  if (number && reader.take('P')) {
    format.scale = negative ? -static_cast<int>(*number) : static_cast<int>(*number);
    reader.take(',');
    number = reader.take_number();
  } else if (negative) {
    return false;
  }
  format.repeat = number.value_or(1);
  return format.repeat > 0;
}

bool read_descriptor(Reader& reader, FortranFormat& format) {
  format.letter = reader.take_letter();
  const auto width = reader.take_number();
  if (format.letter == '\0' || !width || *width == 0 || *width > kMostWidth) {
    return false;
  }
  format.width = *width;
  if (reader.take('.')) {
    const auto decimals = reader.take_number();
    if (!decimals || *decimals > kMostWidth) {
      return false;
    }
    format.decimals = static_cast<int>(*decimals);
    if (format.letter != 'I' && reader.take('E') && !reader.take_number()) {
      return false;
    }
  }
  if (format.letter == 'I') {
    format.decimals = 0;  // there it is the least number of digits
  }
  return true;
}

}  // namespace

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) {
    return {};
  }
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

Result<FortranFormat> parse_fortran_format(std::string_view text) {
  Reader reader(text);
  FortranFormat format;
  if (!reader.take('(') || !read_repeat(reader, format) || !read_descriptor(reader, format) ||
      !reader.take(')') || !reader.done()) {
    return fail(ErrorCode::bad_input,
                fmt::format("'{}' is no format that is read, such as (16I5) or (1P,4D20.13)",
                            shown_text(without_blanks(text))));
  }
  return format;
}

bool is_one_narrower(std::string_view line, const FortranFormat& format, std::size_t right,
                     std::size_t count) {
  const std::size_t width = format.width - 1;
  bool same = format.width > 1 && count > 0 && right <= count &&
              line.find_last_not_of(" \t\r\n") + 1 == count * width;
  for (std::size_t i = 0; same && i < right; ++i) {
    same = without_blanks(line.substr(i * width, width)) ==
           without_blanks(line.substr(std::min(line.size(), i * format.width), format.width));
  }
  return same;
}

bool parse_fortran_real(std::string_view field, const FortranFormat& format, double& value) {
  field = without_blanks(field);
  if (field.empty() || field.size() > kMostWidth) {
    return false;
  }
  // Mantissa and exponent, whose letter may be missing: 1.5+102.
  std::size_t cut = field.find_first_of("eEdD");
  std::size_t exponent_begin = cut + 1;
  if (cut == std::string_view::npos) {
    cut = field.find_first_of("+-", 1);
    exponent_begin = cut;
  }
  std::string text(field.substr(0, cut));
  const bool has_exponent = cut != std::string_view::npos;
  int exponent = 0;
  if (has_exponent) {
    std::string_view digits = field.substr(exponent_begin);
    const bool plus = !digits.empty() && digits[0] == '+';
    digits.remove_prefix(plus ? 1 : 0);
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
    if (error != std::errc() || end != digits.data() + digits.size() || exponent > 99999 ||
        exponent < -99999 || (plus && digits[0] == '-')) {
      return false;
    }
  } else if (text.find_first_of("nN") != std::string::npos) {
    text.append("\n").append(kNumberPadding, '\0');  // NaN or infinity
    const char* end = parse_decimal(text.data(), value);
    return end != nullptr && *end == '\n';
  }
  if (text.find_first_not_of("0123456789.", text[0] == '-' || text[0] == '+' ? 1 : 0) !=
      std::string::npos) {
    return false;
  }
  exponent -= text.find('.') == std::string::npos ? format.decimals : 0;
  exponent -= has_exponent ? 0 : format.scale;
  if (exponent != 0) {
    text += fmt::format("e{}", exponent);
  }
  text.append("\n").append(kNumberPadding, '\0');
  const char* end = parse_decimal(text.data(), value);
  return end != nullptr && *end == '\n';
}

}  // namespace ridge::spmv
