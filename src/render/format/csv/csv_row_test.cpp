#include "render/format/csv/csv_row.hpp"

#include <gtest/gtest.h>

namespace ridge::render {
namespace {

TEST(CsvText, QuotesAndFormulas) {
  EXPECT_EQ(csv_text("plain name"), "plain name");
  EXPECT_EQ(csv_text("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_text("say \"x\""), "\"say \"\"x\"\"\"");
  EXPECT_EQ(csv_text("=HYPERLINK(1)"), "'=HYPERLINK(1)");
  EXPECT_EQ(csv_text("+1"), "'+1");
  EXPECT_EQ(csv_text("-cmd"), "'-cmd");
  EXPECT_EQ(csv_text("@x,y"), "\"'@x,y\"");
  EXPECT_EQ(csv_text(" =1"), "' =1");
  EXPECT_EQ(csv_text("operator-"), "operator-");
  EXPECT_EQ(csv_text("line\r\nend"), csv_text("line  end"));
  EXPECT_EQ(csv_text(""), "");
}

}  // namespace
}  // namespace ridge::render
