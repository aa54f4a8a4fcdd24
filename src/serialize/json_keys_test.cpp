#include "serialize/json_keys.hpp"

#include <gtest/gtest.h>

namespace ridge::serialize {
namespace {

TEST(JsonKeys, NumberTextsInTheOrderInWhichTheyCome) {
  JsonKeys keys;
  EXPECT_EQ(keys.find("a"), JsonKeys::kNone);
  EXPECT_EQ(keys.id_of("a"), 0U);
  EXPECT_EQ(keys.id_of(""), 1U);
  EXPECT_EQ(keys.id_of("a"), 0U);
  EXPECT_EQ(keys.find("a"), 0U);
  EXPECT_EQ(keys.find(""), 1U);
  EXPECT_EQ(keys.find("b"), JsonKeys::kNone);
  EXPECT_EQ(keys.text(0), "a");
  EXPECT_EQ(keys.text(1), "");
  EXPECT_EQ(keys.size(), 2U);
}

TEST(JsonKeys, KeepTheirNumbersAsTheTableGrows) {
  JsonKeys keys;
  constexpr JsonKeys::Id kMany = 5000;
  for (JsonKeys::Id i = 0; i < kMany; ++i) {
    ASSERT_EQ(keys.id_of("key " + std::to_string(i)), i);
  }
  for (JsonKeys::Id i = 0; i < kMany; ++i) {
    ASSERT_EQ(keys.find("key " + std::to_string(i)), i);
    ASSERT_EQ(keys.text(i), "key " + std::to_string(i));
  }
  EXPECT_EQ(keys.find("key 5000"), JsonKeys::kNone);
}

}  // namespace
}  // namespace ridge::serialize
