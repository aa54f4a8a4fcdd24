#include "cli/modelling/index_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(IndexFiles, NumbersWithAnythingBetween) {
  const auto indices = parse_indices(" 3 1\n4,1\r\n-5\t9 ", "i.txt");
  ASSERT_TRUE(indices) << indices.error().message;
  EXPECT_THAT(*indices, ElementsAre(3, 1, 4, 1, -5, 9));
}

TEST(IndexFiles, WhatIsNoNumberIsNamedWithItsLine) {
  for (const char* text : {"1\n2 x\n", "1\n2.5", "1\n99999999999999999999"}) {
    const auto indices = parse_indices(text, "i.txt");
    ASSERT_FALSE(indices) << text;
    EXPECT_THAT(indices.error().message, HasSubstr("i.txt:2: "));
  }
  EXPECT_FALSE(parse_indices(" \n", "i.txt"));
}

TEST(IndexFiles, AFileThatIsNotThereIsSaid) {
  const auto contents = read_index_files({{"col", "/no/such/file"}});
  ASSERT_FALSE(contents);
  EXPECT_THAT(contents.error().message, HasSubstr("/no/such/file"));
}

}  // namespace
}  // namespace ridge::cli
