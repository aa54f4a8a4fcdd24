#include "core/quantity/quantity_text.hpp"

#include <gtest/gtest.h>

namespace ridge {
namespace {

TEST(QuantityText, NumbersWithPrefixAndUnit) {
  EXPECT_DOUBLE_EQ(parse_bytes("240MB").value(), 240e6);
  EXPECT_DOUBLE_EQ(parse_bytes("2.4e8").value(), 2.4e8);
  EXPECT_DOUBLE_EQ(parse_bytes("32 KiB").value(), 32768);
  EXPECT_DOUBLE_EQ(parse_bytes("2Mi").value(), 0x1p21);
  EXPECT_DOUBLE_EQ(parse_byte_rate("12.5GB/s").value(), 12.5e9);
  EXPECT_DOUBLE_EQ(parse_byte_rate("3T").value(), 3e12);
  EXPECT_DOUBLE_EQ(parse_quantity("2.45GHz", {"Hz"}).value(), 2.45e9);
  EXPECT_DOUBLE_EQ(parse_quantity("20Mflop", {"flop", "Flop"}).value(), 20e6);
}

TEST(QuantityText, Times) {
  EXPECT_DOUBLE_EQ(parse_seconds("1.2ms").value(), 1.2e-3);
  EXPECT_DOUBLE_EQ(parse_seconds("10us").value(), 10e-6);
  EXPECT_DOUBLE_EQ(parse_seconds("90 ns").value(), 90e-9);
  EXPECT_DOUBLE_EQ(parse_seconds("3").value(), 3.0);
  EXPECT_DOUBLE_EQ(parse_seconds("2min").value(), 120.0);
}

TEST(QuantityText, WhatIsNoQuantityIsRefused) {
  for (const char* text :
       {"", "x", "-1", "nan", "inf", "1e999", "1e308E", "5GBs", "5 G B", "5B/s", "1k k"}) {
    EXPECT_FALSE(parse_bytes(text)) << text;
  }
  EXPECT_FALSE(parse_byte_rate("5B"));
  EXPECT_FALSE(parse_seconds("1h"));
  EXPECT_FALSE(parse_seconds("-1s"));
}

TEST(QuantityText, ARateIsToldFromAnAmount) {
  EXPECT_TRUE(is_rate("400GB/s"));
  EXPECT_FALSE(is_rate("2MB"));
}

}  // namespace
}  // namespace ridge
