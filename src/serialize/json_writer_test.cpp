#include "serialize/json_writer.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "serialize/json_document.hpp"
#include "serialize/utf8.hpp"

namespace ridge::serialize {
namespace {

TEST(Writer, PutsShortValuesOnOneLineAndLongOnesOnSeveral) {
  Writer writer;
  writer.member("name", "x");
  writer.object("short", [&] { writer.member("a", 1U); });
  writer.strings("none", {});
  writer.object("empty", [] {});
  writer.strings("long", {std::string(60, 'a'), std::string(60, 'b')});
  writer.objects("items", std::vector<int>{1, 2}, [&](int i) { writer.member("i", i); });
  EXPECT_EQ(writer.finish(),
            "{\n"
            "  \"name\": \"x\",\n"
            "  \"short\": {\"a\": 1},\n"
            "  \"none\": [],\n"
            "  \"empty\": {},\n"
            "  \"long\": [\n"
            "    \"" +
                std::string(60, 'a') +
                "\",\n"
                "    \"" +
                std::string(60, 'b') +
                "\"\n"
                "  ],\n"
                "  \"items\": [{\"i\": 1}, {\"i\": 2}]\n"
                "}\n");
}

TEST(Writer, CompactHasNoBlanksAndNoLineBreaks) {
  Writer writer(JsonLayout::compact);
  writer.member("name", "a \"b\"\n");
  writer.object("inner", [&] {
    writer.member("a", 1U);
    writer.member("nan", std::nan(""));
    writer.member("b", 0.5);
  });
  writer.object("empty", [] {});
  writer.objects("items", std::vector<int>{1, -2}, [&](int i) { writer.member("i", i); });
  writer.strings("words", {"x", "y z"});
  writer.string_lists("lists", {{"p", "q"}, {}});
  writer.numbers("numbers", std::vector<unsigned>{1, 2});
  writer.raw("raw", "true");
  EXPECT_EQ(writer.finish(),
            R"({"name":"a \"b\"\n","inner":{"a":1,"b":0.5},"empty":{},"items":[{"i":1},{"i":-2}],)"
            R"("words":["x","y z"],"lists":[["p","q"],[]],"numbers":[1,2],"raw":true})"
            "\n");
  EXPECT_EQ(writer.finish(), "{}\n");
}

TEST(Writer, NoLineOfNestedValuesExceedsAHundredColumns) {
  Writer writer;
  writer.object("outer", [&] {
    for (unsigned size = 0; size < 120; ++size) {
      writer.strings(fmt::format("k{}", size), {std::string(size, 'x'), "y"});
    }
  });
  const std::string text = writer.finish();
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
    if (text.find("\"y\"", begin) < end && text.find('[', begin) < end) {
      EXPECT_LE(end - begin, 100U);
    }
    begin = end + 1;
  }
}

TEST(Writer, WhatJsonCannotHoldIsLeftOut) {
  Writer writer;
  writer.member("nan", std::nan(""));
  writer.member("infinite", std::numeric_limits<double>::infinity());
  writer.member("absent", std::optional<double>());
  writer.member("absent_text", std::optional<std::string>());
  writer.member("zero", 0.0);
  EXPECT_EQ(writer.finish(), "{\n  \"zero\": 0\n}\n");
}

TEST(Writer, EveryDoubleReadsBackExactly) {
  std::mt19937_64 random(7);
  std::vector<double> values{0.1,
                             1.0 / 3.0,
                             std::numeric_limits<double>::max(),
                             std::numeric_limits<double>::min(),
                             std::numeric_limits<double>::denorm_min(),
                             9007199254740993.0,
                             1e15,
                             1e16,
                             1e22,
                             3.72e9,
                             18446744073709551615.0};
  for (int i = 0; i < 20000; ++i) {
    const double value = std::bit_cast<double>(random());
    if (std::isfinite(value) && value > 0.0) {
      values.push_back(value);
    }
  }
  Writer writer;
  for (std::size_t i = 0; i < values.size(); ++i) {
    writer.member(fmt::format("{}", i), values[i]);
  }
  const auto document = parse_document(writer.finish(), "f");
  ASSERT_TRUE(document.has_value());
  ASSERT_EQ(document->size(), values.size() + 1);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto& node = document->node(static_cast<Document::Index>(i + 1));
    const double read =
        node.kind == JsonKind::natural ? static_cast<double>(node.natural) : node.real;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(read), std::bit_cast<std::uint64_t>(values[i]));
  }
}

TEST(Writer, AnyBytesBecomeValidJson) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 2000; ++i) {
    std::string bytes(random() % 40, '\0');
    for (char& c : bytes) {
      c = static_cast<char>(random());
    }
    Writer writer;
    writer.member("x", bytes);
    const auto document = parse_document(writer.finish(), "f");
    ASSERT_TRUE(document.has_value()) << document.error().message;
    EXPECT_EQ(document->text(1), replace_invalid_utf8(bytes));
  }
}

TEST(Utf8, ReplacesExactlyWhatIsInvalid) {
  const std::string mark = "\xEF\xBF\xBD";
  EXPECT_EQ(replace_invalid_utf8("h\xC3\xA9, \xE2\x82\xAC, \xF0\x9F\x8F\x94"),
            "h\xC3\xA9, \xE2\x82\xAC, \xF0\x9F\x8F\x94");
  EXPECT_EQ(replace_invalid_utf8("a\xFFz"), "a" + mark + "z");
  EXPECT_EQ(replace_invalid_utf8("\xC3"), mark);                                   // cut off
  EXPECT_EQ(replace_invalid_utf8("\xC0\xAF"), mark + mark);                        // overlong
  EXPECT_EQ(replace_invalid_utf8("\xED\xA0\x80"), mark + mark + mark);             // surrogate
  EXPECT_EQ(replace_invalid_utf8("\xF4\x90\x80\x80"), mark + mark + mark + mark);  // > U+10FFFF
  EXPECT_EQ(replace_invalid_utf8("\xF4\x8F\xBF\xBF"), "\xF4\x8F\xBF\xBF");
}

}  // namespace
}  // namespace ridge::serialize
