#include "spmv/read/decimal.hpp"

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include <gtest/gtest.h>

namespace ridge::spmv {
namespace {

/// What strtod says, with e for d; the place behind the number as a length, 0 if there is none.
struct Read {
  double value = 0;
  std::size_t length = 0;
};

Read read(const std::string& text) {
  const std::string padded = text + "\n" + std::string(kNumberPadding, '\0');
  Read result;
  const char* end = parse_decimal(padded.data(), result.value);
  result.length = end == nullptr ? 0 : static_cast<std::size_t>(end - padded.data());
  return result;
}

void expect_as_strtod(const std::string& text) {
  char* end = nullptr;
  const double expected = std::strtod(text.c_str(), &end);
  const Read got = read(text);
  if (std::isinf(expected) && text.find_first_of("iI") == std::string::npos) {
    ASSERT_EQ(got.length, 0U) << text;
    return;
  }
  ASSERT_EQ(got.length, static_cast<std::size_t>(end - text.c_str())) << text;
  if (std::isnan(expected)) {
    ASSERT_TRUE(std::isnan(got.value)) << text;
  } else if (got.length != 0) {
    ASSERT_EQ(std::bit_cast<std::uint64_t>(got.value), std::bit_cast<std::uint64_t>(expected))
        << text;
  }
}

std::string printed(const char* format, double value) {
  char text[512];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

TEST(Decimal, OneMillionDoublesBackToTheSameBits) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 1000000; ++i) {
    const double value = std::bit_cast<double>(random());
    const std::string text = printed("%.17g", value);
    if (std::isfinite(value)) {
      ASSERT_EQ(std::bit_cast<std::uint64_t>(read(text).value), std::bit_cast<std::uint64_t>(value))
          << text;
    }
  }
}

TEST(Decimal, MillionsOfUsualNumbers) {
  std::mt19937_64 random(12);
  std::uniform_real_distribution<double> exponent(-14, 14);
  const char* formats[] = {"%.17g", "%.16e", "%.15g", "%.6g", "%f", "%.20e", "%.18e", "%.19f"};
  for (int i = 0; i < 1500000; ++i) {
    const double value =
        (static_cast<double>(random() >> 11) * 0x1p-52 - 1) * std::pow(10, exponent(random));
    ASSERT_NO_FATAL_FAILURE(expect_as_strtod(printed(formats[i % 8], value)));
  }
}

std::string digits(std::mt19937_64& random, std::size_t most) {
  std::string text;
  for (std::size_t i = random() % (most + 1); i > 0; --i) {
    text += static_cast<char>('0' + (random() % 3 == 0 ? 0 : random() % 10));
  }
  return text;
}

TEST(Decimal, RandomDecimals) {
  std::mt19937_64 random(13);
  for (int i = 0; i < 1000000; ++i) {
    std::string text = random() % 3 == 0 ? "-" : "";
    text += digits(random, random() % 8 == 0 ? 40 : 5);
    if (random() % 4 != 0) {
      text += "." + digits(random, random() % 8 == 0 ? 60 : 20);
    }
    if (random() % 2 == 0) {
      text += random() % 2 == 0 ? "e" : "E";
      text += random() % 2 == 0 ? "-" : random() % 2 == 0 ? "+" : "";
      text += digits(random, random() % 8 == 0 ? 8 : 2);
    }
    ASSERT_NO_FATAL_FAILURE(expect_as_strtod(text));
  }
}

TEST(Decimal, HalfwayBetweenTwoDoubles) {
  // Integers of 54 to 63 bit that are ties, and their neighbours, scaled by powers of ten.
  std::mt19937_64 random(14);
  for (int i = 0; i < 300000; ++i) {
    const int surplus = 1 + static_cast<int>(random() % 10);
    const std::uint64_t kept = (std::uint64_t{1} << 52) | (random() >> 12);
    const std::uint64_t tie = (kept << surplus) | (std::uint64_t{1} << (surplus - 1));
    const std::string text = std::to_string(tie + random() % 3 - 1);
    ASSERT_NO_FATAL_FAILURE(expect_as_strtod(text));
    ASSERT_NO_FATAL_FAILURE(expect_as_strtod(text + "e" + std::to_string(random() % 28)));
    ASSERT_NO_FATAL_FAILURE(expect_as_strtod(text + "e-" + std::to_string(random() % 28)));
  }
  // A tie with a fraction: 0.5 ulp of 1, written out in full and cut.
  const std::string exact = printed("%.60f", 1 + 0x1p-52);
  expect_as_strtod(exact);
  expect_as_strtod("1.00000000000000011102230246251565404");
  expect_as_strtod("1.000000000000000111");
  expect_as_strtod("1.00000000000000011102230246251565404236316680908203125");
  expect_as_strtod("1.00000000000000011102230246251565404236316680908203126");
  expect_as_strtod("1.00000000000000011102230246251565404236316680908203124");
}

TEST(Decimal, Edges) {
  for (const char* text : {"0",
                           "-0",
                           "0.",
                           ".0",
                           "00000000000000000000000000",
                           "0e-999999",
                           "-0e999999",
                           "1e22",
                           "1e23",
                           "9007199254740993",
                           "9007199254740992e22",
                           "18446744073709551615",
                           "18446744073709551616",
                           "9999999999999999999",
                           "99999999999999999999",
                           "1e27",
                           "1e28",
                           "1e-27",
                           "1e-28",
                           "1.7976931348623157e308",
                           "1.7976931348623158e308",
                           "1.7976931348623159e308",
                           "4.9e-324",
                           "2.4703282292062327e-324",
                           "2.4703282292062328e-324",
                           "2.2250738585072011e-308",
                           "1e-400",
                           "-1e-400",
                           "0.00000000000000000000000000000000000001e30",
                           "1e400",
                           "-1e400",
                           "100000000000000000000e300",
                           "1e99999999999999999999",
                           "1e-99999999999999999999",
                           "0.0001234567890123456789",
                           "0.00012345678901234567",
                           "inf",
                           "-inf",
                           "Infinity",
                           "NaN",
                           "-nan",
                           "INFINITY",
                           "1.",
                           "1.e5",
                           "-.5e-3",
                           "12345678.87654321",
                           "1.00000000",
                           "0.123456789012345678",
                           "1e+5",
                           "1E05",
                           "-",
                           "+",
                           ".",
                           "",
                           "e5",
                           ".e5",
                           "abc",
                           "--1"}) {
    ASSERT_NO_FATAL_FAILURE(expect_as_strtod(text)) << text;
  }
  EXPECT_EQ(read("+1.5").value, 1.5);
  EXPECT_EQ(read("+inf").length, 4U);
  EXPECT_EQ(read("+-1").length, 0U);
  EXPECT_EQ(read("-+1").length, 0U);
}

TEST(Decimal, FortranExponents) {
  EXPECT_EQ(read("1.5D+02").value, 150);
  EXPECT_EQ(read("-1.5d-2").value, -0.015);
  EXPECT_EQ(read("1.2345678901234567D-200").value, 1.2345678901234567e-200);
  EXPECT_EQ(read("1.5D+02").length, 7U);
}

TEST(Decimal, StopsAtWhatIsNoPart) {
  EXPECT_EQ(read("1.5 7").length, 3U);
  EXPECT_EQ(read("1.5x").length, 3U);
  EXPECT_EQ(read("1.5.5").length, 3U);
  EXPECT_EQ(read("0x10").length, 1U);
  EXPECT_EQ(read("1-2").length, 1U);
}

TEST(Decimal, Indices) {
  std::uint64_t number = 0;
  const char* text = "123456789012345678 1234567890123456789 x";
  EXPECT_EQ(parse_index(text, number), text + 18);
  EXPECT_EQ(number, 123456789012345678U);
  EXPECT_EQ(parse_index(text + 19, number), nullptr);
  EXPECT_EQ(parse_index(text + 18, number), nullptr);
}

}  // namespace
}  // namespace ridge::spmv
