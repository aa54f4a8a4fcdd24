#include "serve/token.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace ridge::serve {
namespace {

TEST(Token, Has256BitsAndNeverTheSame) {
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) {
    const auto token = random_token();
    ASSERT_TRUE(token);
    EXPECT_EQ(token->size(), 64U);
    EXPECT_EQ(token->find_first_not_of("0123456789abcdef"), std::string::npos);
    EXPECT_TRUE(seen.insert(*token).second);
  }
}

TEST(Token, EqualsItselfAlone) {
  EXPECT_TRUE(equal_in_constant_time("abc", "abc"));
  for (const char* other : {"", "ab", "abcd", "abd", "Abc", "xbc"}) {
    EXPECT_FALSE(equal_in_constant_time(other, "abc")) << other;
  }
  EXPECT_FALSE(equal_in_constant_time(std::string("abc\0", 4), "abc"));
  EXPECT_FALSE(equal_in_constant_time(std::string("ab\0", 3), "ab"));
}

}  // namespace
}  // namespace ridge::serve
