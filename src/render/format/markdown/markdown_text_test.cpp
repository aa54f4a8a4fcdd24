#include "render/format/markdown/markdown_text.hpp"

#include <gtest/gtest.h>

namespace ridge::render {
namespace {

TEST(MarkdownText, IsShownLetterByLetter) {
  EXPECT_EQ(markdown_text("plain (1), 2.5 GB/s"), "plain (1), 2.5 GB/s");
  EXPECT_EQ(markdown_text("a|b"), "a&#124;b");
  EXPECT_EQ(markdown_text("<img>"), "&#60;img&#62;");
  EXPECT_EQ(markdown_text("*x* _y_ `z`"), "&#42;x&#42; &#95;y&#95; &#96;z&#96;");
  EXPECT_EQ(markdown_text("@someone"), "&#64;someone");
  EXPECT_EQ(markdown_text("- item"), "&#45; item");
  EXPECT_EQ(markdown_text("&lt;"), "&#38;lt;");
}

TEST(MarkdownText, NamesAreCode) {
  EXPECT_EQ(markdown_code("heat_step"), "`heat_step`");
  EXPECT_EQ(markdown_code("a|b"), "<code>a&#124;b</code>");
  EXPECT_EQ(markdown_code("`x`"), "<code>&#96;x&#96;</code>");
  EXPECT_EQ(markdown_code("</code>"), "`</code>`");
  EXPECT_EQ(markdown_code(""), "<code></code>");
}

}  // namespace
}  // namespace ridge::render
