#include "render/format/html/packed.hpp"

#include <random>

#include <gtest/gtest.h>

#include "render/format/html/unpacked_for_tests.hpp"

namespace ridge::render {
namespace {

/// Made by Python: base64.b64encode(zlib.compress(b"ridge", 3)).
TEST(Packed, IsBase64OfAZlibStream) {
  EXPECT_EQ(packed("ridge").substr(0, 2), "eF");  // 0x78, 0x5e: deflate, 32 KiB, a quick level
  EXPECT_EQ(testing::unpacked("eF4rykxJTwUABkICDA=="), "ridge");
}

TEST(Packed, TextsOfAnyLengthComeBack) {
  std::mt19937_64 random(5);
  for (std::size_t length = 0; length < 200; ++length) {
    std::string text(length, '\0');
    for (char& c : text) {
      c = static_cast<char>(random());
    }
    const std::string once = packed(text);
    EXPECT_EQ(testing::unpacked(once), text);
    EXPECT_EQ(once.size() % 4, 0U);
    EXPECT_EQ(once.find_first_of("<>&\"\n"), std::string::npos);
  }
}

TEST(Packed, WhatRepeatsBecomesSmall) {
  std::string text;
  for (int i = 0; i < 1000; ++i) {
    text += R"(,{"name":"loop","line":10})";
  }
  EXPECT_LT(packed(text).size(), text.size() / 50);
}

}  // namespace
}  // namespace ridge::render
