// Decimal numbers from text, rounded correctly, fast where files of matrices need it.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace ridge::spmv {

/// After the text of a number there must be this many bytes that may be read, the first of them no
/// part of a number.
inline constexpr std::size_t kNumberPadding = 64;

[[nodiscard]] constexpr bool is_digit(char c) {
  return static_cast<unsigned char>(c - '0') < 10;
}

namespace detail {

__extension__ using Wide = unsigned __int128;

/// For numbers beyond the fast ways, infinities and NaN; nullptr if there is no number or it is
/// beyond the largest double.
const char* parse_decimal_slowly(const char* text, double& value);

inline std::uint64_t load8(const char* text) {
  static_assert(std::endian::native == std::endian::little);
  std::uint64_t word = 0;
  std::memcpy(&word, text, sizeof word);
  return word;
}

/// How many of the eight characters are digits before the first that is none, the first in the
/// lowest byte. Adding 6 lifts what is above '9' out of 0x30 .. 0x3f; below '0' the upper halves
/// differ anyway; a carry goes to later characters only.
[[nodiscard]] inline int leading_digits(std::uint64_t word) {
  constexpr std::uint64_t kUpper = 0xF0F0F0F0F0F0F0F0U;
  constexpr std::uint64_t kThrees = 0x3030303030303030U;
  const std::uint64_t others =
      ((word & kUpper) ^ kThrees) | (((word + 0x0606060606060606U) & kUpper) ^ kThrees);
  return std::countr_zero(others) / 8;
}

/// Eight digits, the first in the lowest byte: to pairs, to fours, to eight.
[[nodiscard]] inline std::uint64_t eight_digits(std::uint64_t word) {
  word = (word & 0x0F0F0F0F0F0F0F0FU) * 2561 >> 8;
  word = (word & 0x00FF00FF00FF00FFU) * 6553601 >> 16;
  return (word & 0x0000FFFF0000FFFFU) * 42949672960001 >> 32;
}

/// The number of the first `count` digits, 0 to 7: zeros come before them.
[[nodiscard]] inline std::uint64_t few_digits(std::uint64_t word, int count) {
  return eight_digits(word << (56 - 8 * count) << 8);
}

inline constexpr std::uint64_t kSmallPowersOf10[] = {1,     10,     100,     1000,
                                                     10000, 100000, 1000000, 10000000};

inline constexpr double kPowersOf10[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                         1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                         1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

inline constexpr int kMostPowerOf5 = 27;  // the largest below 2^63

/// 5^k, shifted so that the highest bit is set, and about 2^127 divided by that.
struct PowerOf5 {
  std::uint64_t normal;
  std::uint64_t reciprocal;  ///< floor((2^127 - 1) / normal)
  int shift;
};
struct PowersOf5 {
  PowerOf5 power[kMostPowerOf5 + 1];
};
inline constexpr PowersOf5 kPowersOf5 = [] {
  PowersOf5 table{};
  std::uint64_t power = 1;
  for (PowerOf5& entry : table.power) {
    entry.shift = std::countl_zero(power);
    entry.normal = power << entry.shift;
    entry.reciprocal =
        static_cast<std::uint64_t>(((static_cast<Wide>(1) << 127) - 1) / entry.normal);
    power *= 5;
  }
  return table;
}();

/// significant * 2^exponent to the nearest double, ties to even; `inexact` says that the true
/// number is a little larger. `significant` has its highest bit at 62 or 63, the result is normal.
[[nodiscard]] inline double rounded(std::uint64_t significant, int exponent, bool inexact) {
  const int surplus = 11 - std::countl_zero(significant);
  const std::uint64_t half = std::uint64_t{1} << (surplus - 1);
  const std::uint64_t rest = significant & (2 * half - 1);
  std::uint64_t kept = significant >> surplus;
  if (rest > half || (rest == half && (inexact || (kept & 1) != 0))) {
    ++kept;
  }
  const auto scale = static_cast<std::uint64_t>(exponent + surplus + 1023) << 52;
  return static_cast<double>(kept) * std::bit_cast<double>(scale);
}

/// significant * 10^exponent, |exponent| <= kMostPowerOf5, significant not 0: as 10^e = 5^e 2^e,
/// one exact product or quotient with a power of 5 decides the rounding.
[[nodiscard]] inline double scaled(std::uint64_t significant, int exponent) {
  const int shift = std::countl_zero(significant);
  const std::uint64_t normal = significant << shift;
  const PowerOf5& five = kPowersOf5.power[exponent < 0 ? -exponent : exponent];
  if (exponent < 0) {
    // Both between 2^63 and 2^64: the quotient of 2^63 times the one lies between 2^62 and 2^64.
    // The product with the reciprocal is at most two below it.
    const Wide dividend = static_cast<Wide>(normal) << 63;
    auto quotient = static_cast<std::uint64_t>((static_cast<Wide>(normal) * five.reciprocal) >> 64);
    Wide rest = dividend - static_cast<Wide>(quotient) * five.normal;
    for (int i = 0; i < 2; ++i) {
      const bool more = rest >= five.normal;
      quotient += static_cast<std::uint64_t>(more);
      rest -= more ? five.normal : 0;
    }
    return rounded(quotient, five.shift - shift - 63 + exponent, rest != 0);
  }
  const Wide product = static_cast<Wide>(normal) * five.normal;
  return rounded(static_cast<std::uint64_t>(product >> 64), 64 - shift - five.shift + exponent,
                 static_cast<std::uint64_t>(product) != 0);
}

/// The exponent behind 'e', 'E', 'd' or 'D', added to `exponent`; nullptr where the slow way has to
/// judge.
[[nodiscard]] inline const char* parse_exponent(const char* text, std::int64_t& exponent) {
  const bool negative = *text == '-';
  text += static_cast<int>(*text == '-' || *text == '+');
  const char* digits = text;
  std::int64_t number = 0;
  for (; is_digit(*text) && text - digits < 6; ++text) {
    number = number * 10 + (*text - '0');
  }
  exponent += negative ? -number : number;
  return text == digits || is_digit(*text) ? nullptr : text;
}

}  // namespace detail

/// Reads the decimal number that begins at `text`: an optional sign, digits with at most one point,
/// an exponent with e, E, d or D; or inf, infinity, nan in any case. The value is the nearest
/// double (ties to even), as of strtod; what is too small becomes 0 or denormal. Returns the place
/// behind it; nullptr if there is none, or it is beyond the largest double. See kNumberPadding.
[[nodiscard, gnu::always_inline]] inline const char* parse_decimal(const char* text,
                                                                   double& value) {
  using namespace detail;
  constexpr std::ptrdiff_t kMostDigits = 19;  // 10^19 < 2^64
  const char* at = text;
  const bool negative = *at == '-';
  at += static_cast<int>(*at == '-' || *at == '+');
  std::uint64_t significant = 0;
  const char* begin = at;
  for (; is_digit(*at); ++at) {
    significant = significant * 10 + static_cast<std::uint64_t>(*at - '0');
  }
  std::ptrdiff_t digits = at - begin;
  std::int64_t exponent = 0;
  if (*at == '.') {
    const char* fraction = ++at;
    std::uint64_t word = load8(at);
    int count = leading_digits(word);
    for (; count == 8; count = leading_digits(word)) {
      significant = significant * 100000000 + eight_digits(word);
      at += 8;
      word = load8(at);
    }
    // No loop: how many are left is what a branch would guess wrongly.
    significant = significant * kSmallPowersOf10[count] + few_digits(word, count);
    at += count;
    exponent = fraction - at;
    digits += at - fraction;
  }
  if (const char letter = static_cast<char>(*at | 0x20); letter == 'e' || letter == 'd') {
    at = parse_exponent(at + 1, exponent);
  }
  if (digits > kMostDigits && at != nullptr) [[unlikely]] {
    for (const char* zero = begin; *zero == '0' || *zero == '.'; ++zero) {
      digits -= static_cast<int>(*zero == '0');
    }
  }
  if (digits > kMostDigits || digits <= 0 || at == nullptr || exponent > kMostPowerOf5 ||
      exponent < -kMostPowerOf5) [[unlikely]] {
    return parse_decimal_slowly(text, value);
  }
  const int power = static_cast<int>(exponent);
  double size = 0;
  if (significant >> 53 == 0 && power >= -22 && power <= 22) {
    // Clinger: both are exact doubles, so one operation rounds once.
    size = static_cast<double>(significant);
    size = power < 0 ? size / kPowersOf10[-power] : size * kPowersOf10[power];
  } else if (significant != 0) {
    size = scaled(significant, power);
  }
  value = negative ? -size : size;
  return at;
}

/// Reads digits, at most 18, as a number; nullptr if there are none or more.
[[nodiscard, gnu::always_inline]] inline const char* parse_index(const char* text,
                                                                 std::uint64_t& number) {
  const std::uint64_t word = detail::load8(text);
  const int count = detail::leading_digits(word);
  if (count < 8) [[likely]] {
    number = detail::few_digits(word, count);
    return count == 0 ? nullptr : text + count;
  }
  std::uint64_t sum = detail::eight_digits(word);
  const char* at = text + 8;
  for (; is_digit(*at); ++at) {
    sum = sum * 10 + static_cast<std::uint64_t>(*at - '0');
  }
  number = sum;
  return at - text > 18 ? nullptr : at;
}

}  // namespace ridge::spmv
