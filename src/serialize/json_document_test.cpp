#include "serialize/json_document.hpp"

#include <gtest/gtest.h>

namespace ridge::serialize {
namespace {

std::string error_of(std::string_view text) {
  const auto document = parse_document(text, "f.json");
  return document ? "" : document.error().message;
}

TEST(Document, RemembersTheLineOfEveryValue) {
  const auto document =
      parse_document("{\n\"a\": [1,\n 2\n,\n\"x\"],\n\n\"b\":\n{\"c\": true}}", "f");
  ASSERT_TRUE(document.has_value());
  const auto line = [&](Document::Index index) { return document->node(index).line; };
  const auto a = document->member(0, "a");
  EXPECT_EQ(line(a), 2U);
  const auto one = document->node(a).first_child;
  const auto two = document->node(one).next_sibling;
  EXPECT_EQ(line(one), 2U);
  EXPECT_EQ(line(two), 3U);  // the line break behind a number is not counted yet
  EXPECT_EQ(line(document->node(a).last_child), 5U);
  const auto b = document->member(0, "b");
  EXPECT_EQ(line(b), 8U);
  EXPECT_EQ(document->path(document->member(b, "c")), "b.c");
  EXPECT_EQ(document->path(two), "a[1]");
  EXPECT_EQ(document->path(0), "");
  EXPECT_EQ(document->member(0, "c"), Document::kNone);
}

TEST(Document, PathsQuoteOddKeysSafelyForATerminal) {
  const auto document = parse_document(R"({"calls": {"a\u001b[2J b\"": 1}})", "f");
  ASSERT_TRUE(document.has_value());
  const auto odd = document->node(document->member(0, "calls")).first_child;
  EXPECT_EQ(document->path(odd), R"(calls["a\u001b[2J b\""])");
}

TEST(Document, KeepsNumbersExactly) {
  const auto document =
      parse_document("[18446744073709551615, -9223372036854775808, 0.1, -0]", "f");
  ASSERT_TRUE(document.has_value());
  EXPECT_EQ(document->node(1).natural, 18446744073709551615U);
  EXPECT_EQ(document->node(2).negative_integer, INT64_MIN);
  EXPECT_EQ(document->node(3).real, 0.1);
  EXPECT_EQ(document->node(4).kind, JsonKind::natural);
}

struct SyntaxCase {
  std::string text;
  std::string message;
};

TEST(Document, SyntaxErrorsNameLineAndColumn) {
  const std::vector<SyntaxCase> cases{
      {"", "f.json:1:1: the file is empty"},
      {" \n\t", "f.json:1:1: the file is empty"},
      {"{\n\"a\": 1,\n", "f.json:3:1: the file ends in the middle: it is cut off"},
      {"{\"a\": \"b", "f.json:1:9: the file ends in the middle: it is cut off"},
      {"{\"a\"", "f.json:1:5: the file ends in the middle: it is cut off"},
      {"[1, 2", "f.json:1:6: the file ends in the middle: it is cut off"},
      {"{\n  \"a\": NaN}", "f.json:2:8: NaN is no number"},
      {"{\"a\": nan}", "f.json:1:7: nan is no number"},
      {"{\"a\": -Infinity}", "f.json:1:7: -Infinity is no number"},
      {"{\"a\": Inf}", "f.json:1:7: Inf is no number"},
      {"{\"a\": 1e999}", "f.json:1:12: number overflow parsing '1e999'"},
      {"{\"a\": tru}", "f.json:1:10: invalid literal"},
      {"{\"a\" 1}", "f.json:1:7: unexpected number literal; expected ':'"},
      {"{} {}", "f.json:1:4: unexpected '{'; expected end of input"},
      {"{'a': 1}", "f.json:1:2: invalid literal"},
      {"[1,]", "f.json:1:4: unexpected ']'; expected '[', '{', or a literal"},
      {"[01]", "f.json:1:4: unexpected number literal; expected ']'"},
      {"[\"a\nb\"]",
       "f.json:1:4: invalid string: control character U+000A (LF) must be escaped to \\u000A or "
       "\\n"},
      {"{\"a\": \"\xff\"}", "f.json:1:8: invalid string: ill-formed UTF-8 byte"},
      {"{\"a\": \"\xC0\xAF\"}", "f.json:1:8: invalid string: ill-formed UTF-8 byte"},
      {"{\"a\": \"\\ud800\"}",
       "f.json:1:14: invalid string: surrogate U+D800..U+DBFF must be followed by U+DC00..U+DFFF"},
      {std::string("{}\0{\"a\": 1}", 11), "f.json:1:3: a NUL byte is no JSON"},
  };
  for (const SyntaxCase& example : cases) {
    EXPECT_EQ(error_of(example.text), example.message) << example.text;
  }
}

TEST(Document, RefusesNullDuplicateKeysAndDeepNesting) {
  EXPECT_EQ(error_of("{\n\"host\":\nnull}"), "f.json:3: host is null");
  EXPECT_EQ(error_of("null"), "f.json:1: the file is null");
  EXPECT_EQ(error_of("{\"b\": {\"x\": 1,\n\"y\": 2,\n\"x\": 1}}"), "f.json:3: b.x stands twice");
  EXPECT_EQ(error_of("{\"\\u0061\": 1, \"a\": 1}"), "f.json:1: a stands twice");
  EXPECT_EQ(error_of(std::string(1000000, '[')), "f.json:1: nested more than 64 levels deep");
  std::string objects;
  for (int i = 0; i < 100000; ++i) {
    objects += "{\"a\":\n";
  }
  EXPECT_EQ(error_of(objects), "f.json:65: nested more than 64 levels deep");
  EXPECT_EQ(error_of(std::string(64, '[') + std::string(64, ']')), "");
}

TEST(Document, ManyKeysTakeLinearithmicTime) {
  std::string text = "{";
  for (int i = 0; i < 30000; ++i) {
    text += "\"k" + std::to_string(i) + "\": 1,\n";
  }
  EXPECT_EQ(error_of(text + "\"k7\": 2}"), "f.json:30001: k7 stands twice");
}

TEST(Document, QuotedTextIsShortAndPrintable) {
  EXPECT_EQ(quote_for_message("a\x1b\xff"), "\"a\\u001b\xEF\xBF\xBD\"");
  EXPECT_EQ(quote_for_message(std::string(100, 'x')), "\"" + std::string(60, 'x') + "...\"");
}

}  // namespace
}  // namespace ridge::serialize
