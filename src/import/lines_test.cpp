#include "import/lines.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::imports {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> all;
  Lines lines(text);
  while (lines.next()) {
    EXPECT_EQ(lines.number(), all.size() + 1);
    all.emplace_back(lines.line());
  }
  return all;
}

TEST(Lines, EndWithEitherLineEndOrTheText) {
  EXPECT_THAT(lines_of("a\nb\r\n\nc"), ElementsAre("a", "b", "", "c"));
  EXPECT_THAT(lines_of("a\n"), ElementsAre("a"));
  EXPECT_THAT(lines_of(""), ElementsAre());
}

TEST(Cells, QuotesHoldSeparators) {
  std::vector<std::string_view> cells;
  ASSERT_TRUE(split_cells(R"(a,"b,c",,"d ""e""")", ',', cells));
  EXPECT_THAT(cells, ElementsAre("a", "b,c", "", R"(d ""e"")"));
  EXPECT_EQ(unquoted(cells[3]), R"(d "e")");
  ASSERT_TRUE(split_cells("", ',', cells));
  EXPECT_THAT(cells, ElementsAre(""));
  ASSERT_TRUE(split_cells("a,", ',', cells));
  EXPECT_THAT(cells, ElementsAre("a", ""));
}

TEST(Cells, AQuoteThatIsNotClosedIsAnError) {
  std::vector<std::string_view> cells;
  EXPECT_FALSE(split_cells(R"(a,"b)", ',', cells));
  EXPECT_FALSE(split_cells(R"("a"b,c)", ',', cells));
  EXPECT_FALSE(split_cells(R"("a"")", ',', cells));
}

TEST(Numbers, AreWholeCellsAndFinite) {
  EXPECT_EQ(parse_number("12"), 12.0);
  EXPECT_EQ(parse_number("-1.5e3"), -1500.0);
  EXPECT_EQ(parse_number("1,234,567.25"), 1234567.25);
  for (const std::string_view text :
       {"", " ", "1 ", "x", "1x", "nan", "inf", "1e999", "1,23", "12,34,567", ",123", "1,,234",
        "1.5,000", "0x10", "1,234,5"}) {
    EXPECT_FALSE(parse_number(text)) << text;
  }
}

TEST(Refusals, NameFileAndLine) {
  const Result<int> of_line = refuse("a.csv", 7, "has no columns", "look");
  EXPECT_EQ(of_line.error().message, "a.csv:7: has no columns");
  EXPECT_EQ(of_line.error().hint, "look");
  EXPECT_EQ(of_line.error().code, ErrorCode::bad_input);
  const Result<int> of_file = refuse("a.csv", 0, "is empty");
  EXPECT_EQ(of_file.error().message, "a.csv: is empty");
}

}  // namespace
}  // namespace ridge::imports
