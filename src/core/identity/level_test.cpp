#include "core/identity/level.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

namespace ridge {
namespace {

TEST(Level, IsOneByte) {
  static_assert(sizeof(Level) == 1);
  static_assert(std::is_trivially_copyable_v<Level>);
}

TEST(Level, EveryTextParsesBackAndNoneStandsTwice) {
  std::set<std::string_view> texts;
  for (const Level level : kLevels) {
    EXPECT_TRUE(parse_level(to_string(level)) == level) << to_string(level);
    EXPECT_TRUE(texts.insert(to_string(level)).second) << to_string(level);
  }
  EXPECT_EQ(texts.size(), LevelTable::rows.size());
}

TEST(Level, TextsAreThoseOfTheFiles) {
  EXPECT_EQ(to_string(Level::L1), "L1");
  EXPECT_EQ(to_string(Level::L2), "L2");
  EXPECT_EQ(to_string(Level::L3), "L3");
  EXPECT_EQ(to_string(Level::L4), "L4");
  EXPECT_EQ(to_string(Level::DRAM), "DRAM");
  EXPECT_EQ(to_string(Level::HBM), "HBM");
  EXPECT_EQ(to_string(Level::CXL), "CXL");
  EXPECT_EQ(to_string(Level::NVRAM), "NVRAM");
}

TEST(Level, OtherTextIsNone) {
  for (const char* text : {"", "L0", "L5", "l1", "dram", "DRAM ", "MCDRAM", "compute"}) {
    EXPECT_FALSE(parse_level(text)) << text;
  }
}

TEST(Level, ALiteralIsTheLevelThatItNames) {
  EXPECT_TRUE(Level("L3") == Level::L3);
  EXPECT_TRUE(Level("NVRAM") == Level::NVRAM);
  EXPECT_FALSE(Level("L3") == Level::L2);
}

TEST(Level, KeysStandInTheOrderOfTheirTexts) {
  std::vector<Level> levels(kLevels.begin(), kLevels.end());
  std::sort(levels.begin(), levels.end());
  std::vector<std::string_view> texts;
  for (const Level level : levels) {
    texts.push_back(to_string(level));
  }
  EXPECT_TRUE(std::is_sorted(texts.begin(), texts.end()));
  EXPECT_EQ(texts.front(), "CXL");
}

TEST(Level, TheHierarchyIsInnermostFirst) {
  std::vector<Level> levels{"DRAM", "HBM", "L2", "L1"};
  std::sort(levels.begin(), levels.end(), InnermostFirst{});
  EXPECT_TRUE((levels == std::vector<Level>{"L1", "L2", "DRAM", "HBM"}));
  EXPECT_TRUE(std::is_sorted(kLevels.begin(), kLevels.end(), InnermostFirst{}));
}

TEST(Level, CachesLieInsideOfMemories) {
  for (const Level level : kLevels) {
    EXPECT_EQ(is_memory_level(level), to_string(level).front() != 'L') << to_string(level);
    for (const Level other : kLevels) {
      if (is_memory_level(level) && !is_memory_level(other)) {
        EXPECT_TRUE(InnermostFirst{}(other, level)) << to_string(other) << to_string(level);
      }
    }
  }
}

TEST(Level, CachesAreNumberedFromTheCore) {
  EXPECT_TRUE(cache_level(1) == Level::L1);
  EXPECT_TRUE(cache_level(4) == Level::L4);
  EXPECT_FALSE(cache_level(0));
  EXPECT_FALSE(cache_level(5));
}

}  // namespace
}  // namespace ridge
