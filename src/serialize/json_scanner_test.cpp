#include "serialize/json_scanner.hpp"

#include <bit>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "serialize/json_parser.hpp"
#include "serialize/profile.hpp"
#include "serialize/random_values.hpp"
#include "serialize/test_files.hpp"

namespace ridge::serialize {
namespace {

std::string value_of(const Document& document, Document::Index index) {
  const Document::Node& node = document.node(index);
  switch (node.kind) {
    case JsonKind::string:
      return fmt::format("'{}'", document.text(index));
    case JsonKind::boolean:
      return node.boolean ? "true" : "false";
    case JsonKind::natural:
      return fmt::format("{}", node.natural);
    case JsonKind::negative_integer:
      return fmt::format("{}", node.negative_integer);
    case JsonKind::real:
      return fmt::format("{:x}", std::bit_cast<std::uint64_t>(node.real));
    default:
      return "";
  }
}

/// Everything that a reader can learn of a document.
std::string facts_of(const Document& document) {
  std::string facts;
  for (Document::Index i = 0; i < document.size(); ++i) {
    const Document::Node& node = document.node(i);
    facts +=
        fmt::format("{} {} {} {} {} {} {}\n", static_cast<int>(node.kind), node.line, node.parent,
                    node.first_child, node.next_sibling,
                    node.key == JsonKeys::kNone ? "-" : document.key(i), value_of(document, i));
  }
  return facts;
}

/// Whether the scanner takes the text: then it is what the complete parser makes of it.
bool agrees(std::string_view text, JsonNull null) {
  const auto scanned = scan_document(text, null);
  const auto parsed = parse_with_reasons(text, "f", null);
  if (scanned) {
    EXPECT_TRUE(parsed.has_value()) << text;
    EXPECT_EQ(facts_of(*scanned), parsed ? facts_of(*parsed) : "") << text;
  }
  return scanned.has_value();
}

TEST(Scanner, TakesWhatTheParserTakes) {
  for (const std::string_view text : {"{}",
                                      "[]",
                                      " [ ] ",
                                      "\"\"",
                                      "0",
                                      "-0",
                                      "-0.0",
                                      "0.5",
                                      "1e5",
                                      "1E+5",
                                      "1.25e-3",
                                      "-7",
                                      "18446744073709551615",
                                      "18446744073709551616",
                                      "-9223372036854775808",
                                      "-9223372036854775809",
                                      "123456789012345678901234567890",
                                      "5e-324",
                                      "1.7976931348623157e308",
                                      "true",
                                      "false",
                                      "{\"a\":{\"a\":{\"a\":1},\"b\":2},\"b\":3}",
                                      "[[1,2],[3],[]]",
                                      "{\n\"a\" :\t1 ,\r\n\"b\":\n[\n1\n,\n2\n]\n}\n\n",
                                      "\"a\x7F\xC3\xA9\xE2\x82\xAC\xF0\x9F\x8F\x94\"",
                                      R"("\"\\\/\b\f\n\r\t")",
                                      R"("\u0041\u00e9\u20AC\ud83c\udfd4\u0000z")",
                                      R"({"\u0061b":"c\n"})",
                                      "{\"\":1,\"a\":2}"}) {
    EXPECT_TRUE(agrees(text, JsonNull::refused)) << text;
  }
  EXPECT_TRUE(agrees("[null,{\"a\":null}]", JsonNull::kept));
}

/// Each with what is wrong alone.
TEST(Scanner, LeavesTheRestToTheParser) {
  for (const std::string_view text : {"",
                                      " ",
                                      "{",
                                      "[",
                                      "\"",
                                      "\"\\",
                                      "\"\\u12",
                                      "-",
                                      "1.",
                                      "1e",
                                      "1e+",
                                      ".5",
                                      "+1",
                                      "01",
                                      "-01",
                                      "1.e5",
                                      "tru",
                                      "truex",
                                      "nan",
                                      "[1,]",
                                      "[1 2]",
                                      "[,1]",
                                      "{,}",
                                      "{\"a\"}",
                                      "{\"a\":}",
                                      "{\"a\":1,}",
                                      "{a:1}",
                                      "{\"a\":1 \"b\":2}",
                                      "{} {}",
                                      "[1}",
                                      "{\"a\":1]",
                                      "1e999",
                                      "1e-999",
                                      "\"a\nb\"",
                                      "\"\x01\"",
                                      "\"\xFF\"",
                                      "\"\xC0\xAF\"",
                                      "\"\xED\xA0\x80\"",
                                      R"("\x")",
                                      R"("\ud800")",
                                      R"("\ud800\u0041")",
                                      R"("\udc00")",
                                      R"("\u12g4")",
                                      R"("\u+123")",
                                      "null",
                                      "[null]",
                                      "\xEF\xBB\xBF{}",
                                      "{\"a\":1,\"a\":2}",
                                      "{\"a\":1,\"b\":{\"a\":3},\"a\":2}",
                                      "'a'",
                                      "// x\n1"}) {
    EXPECT_FALSE(agrees(text, JsonNull::refused)) << text;
  }
  EXPECT_FALSE(agrees(std::string_view("{}\0", 3), JsonNull::kept));
  EXPECT_TRUE(agrees(std::string(64, '[') + std::string(64, ']'), JsonNull::refused));
  EXPECT_FALSE(agrees(std::string(65, '[') + std::string(65, ']'), JsonNull::refused));
}

TEST(Scanner, TakesEveryFixture) {
  for (const char* file :
       {"profile-heat2d.json", "profile-heat2d-v1.json", "machine-zen4.json", "machine-full.json",
        "spmv-mesh.json", "../../machines/microarchitectures.json", "../../machines/caches.json"}) {
    EXPECT_TRUE(agrees(read_fixture(file), JsonNull::refused)) << file;
  }
}

TEST(Scanner, AgreesOnTextsThatAreBrokenAnywhere) {
  std::mt19937_64 random(29);
  constexpr std::string_view kBytes = "{}[]\",:\\0123456789.eE+-tfnu \n\x80\xC3\xA9";
  int taken = 0;
  constexpr int kRounds = 60;
  for (int round = 0; round < kRounds; ++round) {
    const Profile profile = random_profile(random);
    const std::string whole = write_profile(profile, {});
    // A few members: what breaks is reached, and a round is short.
    const std::string text =
        "{\"a\": " + whole.substr(whole.find('{', random() % whole.size() / 2), 200);
    for (int i = 0; i < 40; ++i) {
      std::string broken = text.substr(0, text.size() - random() % 100);
      for (std::size_t changes = random() % 3; changes > 0; --changes) {
        broken[random() % broken.size()] = kBytes[random() % kBytes.size()];
      }
      broken.append(random() % 4, '}');
      taken += agrees(broken, random() % 2 == 0 ? JsonNull::kept : JsonNull::refused) ? 1 : 0;
    }
    taken += agrees(whole, JsonNull::refused) ? 1 : 0;
  }
  EXPECT_GE(taken, kRounds);
}

}  // namespace
}  // namespace ridge::serialize
