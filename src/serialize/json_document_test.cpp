#include "serialize/json_document.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "serialize/sentences_for_tests.hpp"

namespace ridge::serialize {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

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
  EXPECT_EQ(line(document->node(two).next_sibling), 5U);
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

struct Broken {
  std::string_view text;
  const char* place;  ///< line, and of errors of syntax column
  const char* word;   ///< of the message, tells what is wrong there
};

constexpr Broken kBroken[] = {
    {"", "1:1", "empty"},
    {" \n\t", "1:1", "empty"},
    {"{\n\"a\": 1,\n", "3:1", "cut off"},
    {"{\"a\": \"b", "1:9", "cut off"},
    {"{\"a\"", "1:5", "cut off"},
    {"[1, 2", "1:6", "cut off"},
    {"{\n  \"a\": NaN}", "2:8", "NaN is no number"},
    {"{\"a\": nan}", "1:7", "nan is no number"},
    {"{\"a\": -Infinity}", "1:7", "-Infinity is no number"},
    {"{\"a\": Inf}", "1:7", "Inf is no number"},
    {"{\"a\": 1e999}", "1:12", "overflow parsing '1e999'"},
    {"{\"a\": tru}", "1:10", "invalid literal"},
    {"{\"a\" 1}", "1:7", "expected ':'"},
    {"{} {}", "1:4", "unexpected '{'"},
    {"{'a': 1}", "1:2", "invalid literal"},
    {"[1,]", "1:4", "unexpected ']'"},
    {"[01]", "1:4", "expected ']'"},
    {"[\"a\nb\"]", "1:4", "U+000A"},
    {"{\"a\": \"\xff\"}", "1:8", "UTF-8"},
    {"{\"a\": \"\xC0\xAF\"}", "1:8", "UTF-8"},
    {"{\"a\": \"\\ud800\"}", "1:14", "surrogate"},
    {{"{}\0{\"a\": 1}", 11}, "1:3", "NUL"},
    {"{\n\"host\":\nnull}", "3", "host is null"},
    {"null", "1", "null"},
    {"{\"b\": {\"x\": 1,\n\"y\": 2,\n\"x\": 1}}", "3", "b.x stands twice"},
    {"{\"\\u0061\": 1, \"a\": 1}", "1", "a stands twice"},
};

TEST(Document, ErrorsNameTheirPlace) {
  for (const Broken& broken : kBroken) {
    const std::string message = error_of(broken.text);
    EXPECT_THAT(message, StartsWith(std::string("f.json:") + broken.place + ": ")) << broken.text;
    EXPECT_THAT(message, HasSubstr(broken.word)) << broken.text;
  }
}

std::string objects_in_objects() {
  std::string objects;
  for (int i = 0; i < 100000; ++i) {
    objects += "{\"a\":\n";
  }
  return objects;
}

TEST(Document, RefusesDeepNesting) {
  EXPECT_THAT(error_of(std::string(1000000, '[')), StartsWith("f.json:1: nested more than 64 "));
  EXPECT_THAT(error_of(objects_in_objects()), StartsWith("f.json:65: nested more than 64 "));
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

void json_document_sentences(tests::Sentences& sentences) {
  for (const Broken& broken : kBroken) {
    sentences.add(fmt::format("JSON '{}'", broken.text), parse_document(broken.text, "f.json"));
  }
  sentences.add("JSON of 100000 objects in one another",
                parse_document(objects_in_objects(), "f.json"));
}

}  // namespace ridge::serialize
