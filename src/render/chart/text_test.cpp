#include "render/chart/text.hpp"

#include <random>

#include <gtest/gtest.h>

#include "render/golden_for_tests.hpp"

namespace ridge::render {
namespace {

constexpr const char* kReplacement = "\uFFFD";

TEST(Clean, KeepsOrdinaryText) {
  EXPECT_EQ(clean("caf\u00E9 \u6F22\u5B57 <a>"), "caf\u00E9 \u6F22\u5B57 <a>");
  EXPECT_EQ(clean("a\tb\nc"), "a b c");
}

TEST(Clean, ReplacesWhatCouldHarm) {
  const std::string r = kReplacement;
  EXPECT_EQ(clean("a\x01"
                  "b"),
            "a" + r + "b");
  EXPECT_EQ(clean("\x1b[31m"), r + "[31m");
  EXPECT_EQ(clean("\x7f"), r);
  EXPECT_EQ(clean("\u0085"), r);        // a control character of two bytes
  EXPECT_EQ(clean("\u202E"), r);        // reorders text
  EXPECT_EQ(clean("\xef\xbf\xbe"), r);  // U+FFFE
  EXPECT_EQ(clean(std::string("a\0b", 3)), "a" + r + "b");
}

TEST(Clean, ReplacesBrokenUtf8ByteByByte) {
  const std::string r = kReplacement;
  EXPECT_EQ(clean("\xff"), r);
  EXPECT_EQ(clean("\xc3("), r + "(");
  EXPECT_EQ(clean("\xc0\x80"), r + r);                  // overlong
  EXPECT_EQ(clean("\xed\xa0\x80"), r + r + r);          // surrogate
  EXPECT_EQ(clean("\xf4\x90\x80\x80"), r + r + r + r);  // above U+10FFFF
  EXPECT_EQ(clean("\xe2\x82"), r + r);                  // cut
}

TEST(Clean, AsciiOnly) {
  EXPECT_EQ(clean("caf\u00E9\x01\u6F22", false), "caf???");
}

TEST(Clean, IsIdempotentOnRandomBytes) {
  std::mt19937 random(11);
  std::uniform_int_distribution<int> byte(0, 255);
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (int i = 0; i < 24; ++i) {
      text += static_cast<char>(byte(random));
    }
    const std::string once = clean(text);
    ASSERT_EQ(clean(once), once);
    for (const char c : clean(text, false)) {
      ASSERT_TRUE(c >= 0x20 && c < 0x7f);
    }
    ASSERT_LE(display_width(shorten_middle(once, 10)), 10U);
    ASSERT_EQ(clean(shorten_middle(once, 10)), shorten_middle(once, 10));
    for (const std::string& line : wrap(once, 7)) {
      ASSERT_LE(display_width(line), 7U);
    }
  }
}

TEST(EscapeMarkup, LeavesNoMarkup) {
  EXPECT_EQ(escape_markup("<a href=\"x\">&'"), "&lt;a href=&quot;x&quot;&gt;&amp;&#39;");
  EXPECT_EQ(escape_markup(kHostile).find_first_of("<>\"'"), std::string::npos);
}

TEST(DisplayWidth, WideAndCombining) {
  EXPECT_EQ(display_width("abc"), 3U);
  EXPECT_EQ(display_width("\u6F22\u5B57"), 4U);
  EXPECT_EQ(display_width("e\u0301"), 1U);
}

TEST(ShortenMiddle, KeepsBothEnds) {
  EXPECT_EQ(shorten_middle("short", 5), "short");
  EXPECT_EQ(shorten_middle("abcdefghij", 5), "ab\u2026ij");
  EXPECT_EQ(shorten_middle("abcdefghij", 7, false), "ab...ij");
  EXPECT_EQ(shorten_middle("abcdefghij", 1), "a");
  EXPECT_EQ(shorten_middle("abcdefghij", 0), "");
}

TEST(Wrap, BreaksAtBlanks) {
  EXPECT_EQ(wrap("one two three", 7), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrap("", 7), (std::vector<std::string>{""}));
  EXPECT_EQ(wrap("abcdefghij", 4), (std::vector<std::string>{"abcd", "efgh", "ij"}));
}

TEST(Pad, FillsToWidth) {
  EXPECT_EQ(pad_left("a", 3), "  a");
  EXPECT_EQ(pad_right("\u6F22", 3), "\u6F22 ");
  EXPECT_EQ(pad_left("abcd", 3), "abcd");
}

TEST(CleanLines, KeepsLineEndsAndColoursWhereTheyAreShown) {
  const std::string text = "\x1b[1;31mred\x1b[0m\n\x1b[2Jx\x1b";
  EXPECT_EQ(clean_lines(text, true), "\x1b[1;31mred\x1b[0m\n\uFFFD[2Jx\uFFFD");
  EXPECT_EQ(clean_lines(text, false), "\uFFFD[1;31mred\uFFFD[0m\n\uFFFD[2Jx\uFFFD");
  EXPECT_EQ(clean_lines("a\r\nb\a\xc2\x9b"
                        "c\xff\n",
                        true),
            "a \nb\uFFFD\uFFFDc\uFFFD\n");
  EXPECT_EQ(clean_lines("", true), "");
  EXPECT_EQ(clean_lines("\x1b[", true), "\uFFFD[");
}

}  // namespace
}  // namespace ridge::render
