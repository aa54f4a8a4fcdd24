#include "core/identity/pattern.hpp"

#include <set>
#include <string_view>

#include <gtest/gtest.h>

namespace ridge {
namespace {

TEST(Pattern, EveryTextParsesBackAndNoneStandsTwice) {
  std::set<std::string_view> texts;
  for (std::size_t i = 0; i < kPatternTable.size(); ++i) {
    const Pattern pattern = kPatternTable.at(i).first;
    EXPECT_EQ(static_cast<std::size_t>(pattern), i) << "the table follows the enumerators";
    EXPECT_EQ(parse_pattern(to_string(pattern)), pattern);
    EXPECT_TRUE(texts.insert(to_string(pattern)).second) << to_string(pattern);
  }
}

TEST(Pattern, TextsAreThoseOfTheFiles) {
  EXPECT_EQ(to_string(Pattern::load), "load");
  EXPECT_EQ(to_string(Pattern::store), "store");
  EXPECT_EQ(to_string(Pattern::copy), "copy");
  EXPECT_EQ(to_string(Pattern::triad), "triad");
  EXPECT_EQ(to_string(Pattern::update), "update");
  EXPECT_EQ(to_string(Pattern::two_load_one_store), "2load1store");
  EXPECT_EQ(to_string(Pattern::nt_store), "nt-store");
  EXPECT_EQ(to_string(Pattern::nt_copy), "nt-copy");
  EXPECT_EQ(to_string(Pattern::stride_2), "stride-2");
  EXPECT_EQ(to_string(Pattern::stride_16), "stride-16");
  EXPECT_EQ(to_string(Pattern::gather), "gather");
  EXPECT_EQ(to_string(Pattern::gather_emulated), "gather-emulated");
  EXPECT_EQ(to_string(Pattern::chase_huge), "chase-huge");
  EXPECT_EQ(to_string(Pattern::chase_4k), "chase-4k");
}

TEST(Pattern, OtherTextIsNone) {
  for (const char* text : {"", "Load", "nt_store", "stride-3", "roof", "fma"}) {
    EXPECT_FALSE(parse_pattern(text)) << text;
  }
}

}  // namespace
}  // namespace ridge
