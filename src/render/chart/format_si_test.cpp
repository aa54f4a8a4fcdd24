#include "render/chart/format_si.hpp"

#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "render/golden_for_tests.hpp"

namespace ridge::render {
namespace {

TEST(Si, ThreeDigitsAndPowersOfThousand) {
  const std::vector<std::pair<double, std::string>> cases = {
      {0.0, "0 B/s"},          {1.0, "1.00 B/s"},
      {12.34, "12.3 B/s"},     {999.4, "999 B/s"},
      {999.6, "1.00 kB/s"},    {1000.0, "1.00 kB/s"},
      {9.996e9, "10.0 GB/s"},  {99.96e9, "100 GB/s"},
      {12.3e9, "12.3 GB/s"},   {1.2e12, "1.20 TB/s"},
      {1e15, "1.00 PB/s"},     {1e18, "1.00 EB/s"},
      {1e21, "1.00 ZB/s"},     {1e24, "1.00 YB/s"},
      {1e30, "1.00e30 B/s"},   {-1234.0, "-1.23 kB/s"},
      {0.0123, "12.3 mB/s"},   {9.9996e-4, "1.00 mB/s"},
      {3e-9, "3.00 nB/s"},     {4.2e-24, "4.20 yB/s"},
      {1e-30, "1.00e-30 B/s"}, {999.6e-30, "1.00e-27 B/s"}};
  for (const auto& [value, wanted] : cases) {
    EXPECT_EQ(si(value, "B/s"), wanted) << value;
  }
}

/// Found by fuzz_tables: rounded to three digits the greatest double is infinite.
TEST(Si, BothEndsOfTheDoubles) {
  EXPECT_EQ(si(std::numeric_limits<double>::max(), "B"), "1.80e308 B");
  EXPECT_EQ(si(-std::numeric_limits<double>::max(), "B"), "-1.80e308 B");
  EXPECT_EQ(si(std::numeric_limits<double>::min(), "B"), "2.23e-308 B");
  EXPECT_EQ(si(std::numeric_limits<double>::denorm_min(), "B"), "4.94e-324 B");
}

TEST(Si, WithoutUnit) {
  EXPECT_EQ(si(999.6, ""), "1.00 k");
  EXPECT_EQ(si(12.0, ""), "12.0");
  EXPECT_EQ(si(0.0, ""), "0");
}

TEST(Si, UnknownIsNeverZero) {
  EXPECT_EQ(si(std::nan(""), "B"), "-");
  EXPECT_EQ(si(std::numeric_limits<double>::infinity(), "B"), "-");
  EXPECT_EQ(si(std::optional<double>(), "B"), "-");
  EXPECT_EQ(number(std::nullopt), "-");
  EXPECT_EQ(percent(std::nullopt), "-");
  EXPECT_EQ(percent(std::nan("")), "-");
}

/// Reads back what was printed: within half a unit of the third digit, for every magnitude.
TEST(Si, PrintsWhatItWasGiven) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> exponent(-23.9, 26.9);
  for (int i = 0; i < 20000; ++i) {
    const double value = std::pow(10.0, exponent(random));
    const std::string text = si(value, "");
    std::size_t end = 0;
    double read = std::stod(text, &end);
    if (end < text.size()) {
      const std::string prefixes = "yzafpnum kMGTPEZY";
      read *= std::pow(1000.0, static_cast<double>(prefixes.find(text.back())) - 8.0);
    }
    EXPECT_NEAR(read / value, 1.0, 0.005001) << value << " printed as " << text;
    EXPECT_LE(end, 4U) << text;
  }
}

TEST(Number, ThreeDigits) {
  const std::vector<std::pair<double, std::string>> cases = {
      {0.0, "0"},         {0.08333, "0.0833"},  {0.9996, "1.00"},   {1.5, "1.50"},
      {99.96, "100"},     {1234.0, "1230"},     {9999.0, "1.00e4"}, {123456.0, "1.23e5"},
      {0.001, "0.00100"}, {1.23e-5, "1.23e-5"}, {-0.25, "-0.250"}};
  for (const auto& [value, wanted] : cases) {
    EXPECT_EQ(number(value), wanted) << value;
  }
}

TEST(Percent, Decimals) {
  EXPECT_EQ(percent(0.4213, 1), "42.1 %");
  EXPECT_EQ(percent(1.124), "112 %");
  EXPECT_EQ(percent(0.0), "0 %");
}

TEST(Grouped, ThreeDigitsEach) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1 000");
  EXPECT_EQ(grouped(8380418000), "8 380 418 000");
}

TEST(BinarySize, PowersOf1024) {
  EXPECT_EQ(binary_size(32768), "32 KiB");
  EXPECT_EQ(binary_size(1.5 * 1048576), "1.5 MiB");
  EXPECT_EQ(binary_size(512), "512 B");
}

TEST(SiPrefix, NotAboveTheValue) {
  EXPECT_EQ(si_prefix(1e9).symbol, "G");
  EXPECT_EQ(si_prefix(999e6).symbol, "M");
  EXPECT_EQ(si_prefix(0.0).symbol, "");
  EXPECT_DOUBLE_EQ(si_prefix(5e12).factor, 1e12);
}

/// The page of web/ writes numbers by itself; its tests hold it to this file.
TEST(Si, FiguresThatThePageMustWriteAlike) {
  std::string figures;
  for (int exponent = -27; exponent <= 27; ++exponent) {
    for (const double mantissa : {1.0, 1.2345, 2.5, 7.77777, 9.994, 9.996, 9.9996}) {
      const double value = mantissa * std::pow(10.0, exponent);
      figures += fmt::format("{:.17g}\t{}\t{}\n", value, si(value, "B/s"), number(value));
    }
  }
  expect_golden("figures.tsv", figures);
}

}  // namespace
}  // namespace ridge::render
