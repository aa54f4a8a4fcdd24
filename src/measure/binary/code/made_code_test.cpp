#include "measure/binary/code/made_code.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::measure::binary {
namespace {

using testing::ElementsAre;

TEST(PerfMap, NamesMayHoldBlanks) {
  const auto functions = parse_perf_map("1000 20 LazyCompile:~f x.js:1\n0x2000 0x10 g\n");
  EXPECT_THAT(functions, ElementsAre(MadeFunction{{0x1000, 0x1020}, "LazyCompile:~f x.js:1"},
                                     MadeFunction{{0x2000, 0x2010}, "g"}));
  EXPECT_EQ(made_name(functions, 0x101F), "LazyCompile:~f x.js:1");
  EXPECT_EQ(made_name(functions, 0x1020), "");
  EXPECT_EQ(made_name(functions, 0xFFF), "");
  EXPECT_EQ(made_name(functions, 0x2000), "g");
}

TEST(PerfMap, LaterLinesHoldWhereMemoryWasUsedAgain) {
  const auto functions = parse_perf_map("1000 100 old\n1200 10 other\n1080 200 new\n");
  EXPECT_THAT(functions, ElementsAre(MadeFunction{{0x1080, 0x1280}, "new"}));
}

TEST(PerfMap, WhatIsNoLineIsLeftOut) {
  EXPECT_THAT(parse_perf_map("\n\nnonsense\n1000\n1000 10\n1000 0 empty\n1000 zz bad\n"
                             "ffffffffffffffff 10 wraps\n3000 10 last without an end"),
              ElementsAre(MadeFunction{{0x3000, 0x3010}, "last without an end"}));
  EXPECT_TRUE(parse_perf_map("").empty());
}

}  // namespace
}  // namespace ridge::measure::binary
