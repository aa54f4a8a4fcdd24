// The engine over lists of fields, on values made for it: each kind of field and of absence.
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/describe/enumerators.hpp"
#include "serialize/described/random_value.hpp"
#include "serialize/described/read.hpp"
#include "serialize/described/write.hpp"
#include "serialize/sentences_for_tests.hpp"

namespace ridge {

struct Inner {
  double share = 0.0;
  friend bool operator==(const Inner&, const Inner&) = default;
};

struct Base {
  unsigned count = 1;
  friend bool operator==(const Base&, const Base&) = default;
};

struct Sample : Base {
  std::string text;
  bool flag = false;
  std::optional<std::uint64_t> known;
  std::optional<std::int64_t> low;
  std::optional<std::int64_t> high;
  std::vector<Inner> list;
  std::map<std::string, std::uint64_t> counts;
  Origin origin = Origin::measured;
  Seconds time{};
  int hidden = 0;
  int later = 7;
  int only_of_text = 3;
  std::string renamed;
  friend bool operator==(const Sample&, const Sample&) = default;
};

/// A number with its unit, as a part of others.
struct Amount {
  double value = 0.0;
  friend bool operator==(const Amount&, const Amount&) = default;
};

struct Amounts {
  std::string kind;
  Amount inlined;
  std::optional<Amount> apart;
  bool both = false;
  double usual = 1.0;
  std::string word = "a-word";
  std::string chosen = "left";
  Origin origin = Origin::counted;
  std::vector<std::vector<Origin>> groups;
  friend bool operator==(const Amounts&, const Amounts&) = default;
};

enum class Sides { one, both };
std::string_view to_string(Sides sides) {
  return sides == Sides::one ? "one" : "both";
}

/// With what the values have that Ridge only writes.
struct Output {
  double latency = 0.0;
  bool verified = true;
  Inner inner;
  std::optional<double> first;
  std::optional<double> second;
  std::optional<double> only;
  std::uint64_t count = 0;
  friend bool operator==(const Output&, const Output&) = default;
};

namespace describe {

template <>
struct Enumerators<Sides> {
  static constexpr std::array values{Sides::one, Sides::both};
};

inline constexpr std::array<std::string_view, 2> kChoices{"left", "right"};
inline constexpr std::array<std::string_view, 2> kOrigins{"counted", "assumed"};
inline constexpr std::array<std::string_view, 2> kUnits{"m", "s"};

template <>
struct Description<Amount> {
  static constexpr std::string_view name = "Amount";
  static constexpr std::string_view meaning = "";
  static constexpr auto fields = std::tuple{
      field("value", &Amount::value, "in unit", "", {.limits = kPositive}), stated_unit("unit")};
};
static_assert(states_unit<Amount>());

template <>
struct Description<Amounts> {
  static constexpr std::string_view name = "Amounts";
  static constexpr std::string_view meaning = "";
  static std::string_view unit_of(const Amounts& all) { return all.kind == "time" ? "s" : "m"; }
  static std::optional<Sides> sides(const bool& both) {
    return both ? std::optional(Sides::both) : std::nullopt;
  }
  static bool is_both(const Sides& sides) { return sides == Sides::both; }
  static constexpr auto fields = std::tuple{
      field("kind", &Amounts::kind, "", ""),
      inlined(&Amounts::inlined, &unit_of, kUnits),
      field("apart", &Amounts::apart, "kg", ""),
      stored_as("sides", &Amounts::both, &sides, &is_both, "", ""),
      field("usual", &Amounts::usual, "", "", {.limits = kPositive, .absence = Absence::usual}),
      field("word", &Amounts::word, "", "", {.word = true}),
      field("chosen", &Amounts::chosen, "", "", {.only = kChoices}),
      field("origin", &Amounts::origin, "", "", {.only = kOrigins}),
      field("groups", &Amounts::groups, "", "", {.absence = Absence::empty, .only = kOrigins})};
};
static_assert(is_complete<Amounts>());
static_assert(!states_unit<Amounts>());

template <>
struct Description<Inner> {
  static constexpr std::string_view name = "Inner";
  static constexpr std::string_view meaning = "";
  static constexpr auto fields =
      std::tuple{field("share", &Inner::share, "", "", {.limits = kShare})};
};

template <>
struct Description<Base> {
  static constexpr std::string_view name = "Base";
  static constexpr std::string_view meaning = "";
  static constexpr auto fields =
      std::tuple{field("count", &Base::count, "", "", {.limits = kAtLeastOne})};
};

template <>
struct Description<Sample> {
  static constexpr std::string_view name = "Sample";
  static constexpr std::string_view meaning = "";
  static std::size_t length(const Sample& sample) { return sample.text.size(); }
  static constexpr auto fields = std::tuple{
      part<Base>(),
      field("text", &Sample::text, "", "", {.non_empty = true}),
      field("flag", &Sample::flag, "", "", {.absence = Absence::empty}),
      field("known", &Sample::known, "", ""),
      group("ends", "", field("low", &Sample::low, "", ""), field("high", &Sample::high, "", "")),
      field("list", &Sample::list, "", "", {.absence = Absence::empty}),
      field("counts", &Sample::counts, "", ""),
      field("origin", &Sample::origin, "", ""),
      field("time", &Sample::time, "s", "", {.limits = kNotNegative}),
      implied(&Sample::hidden),
      field("later", &Sample::later, "", "", {.absence = Absence::not_in_past}),
      field("only_of_text", &Sample::only_of_text, "", "", {.absence = Absence::not_in_past},
            [](const Sample& sample) { return sample.text == "text"; }),
      field("renamed", &Sample::renamed, "", "", {.formerly = "before"}),
      derived("length", &length, "", ""),
      beside<std::optional<std::string>>("aside", "", "")};
};
static_assert(is_complete<Sample>());
static_assert(arity<Sample>() == 14);

template <>
struct Description<Output> {
  static constexpr std::string_view name = "Output";
  static constexpr std::string_view meaning = "";
  static ExactOrReal amount(const Output& output) {
    return output.count > 0 ? ExactOrReal(output.count) : ExactOrReal(0.5);
  }
  static std::vector<std::pair<std::string, double>> in_order(const Output& /*output*/) {
    return {{"z", 1.0}, {"a", 2.0}};
  }
  static constexpr auto fields = std::tuple{
      field("latency", &Output::latency, "s", "", {.limits = kPositive, .absence = Absence::usual}),
      field("verified", &Output::verified, "", "", {.absence = Absence::usual}),
      inlined(&Output::inner),
      group("together", "", Presence::all_or_none, field("first", &Output::first, "", ""),
            field("second", &Output::second, "", "")),
      group("always", "", Presence::always, field("only", &Output::only, "", ""),
            derived("in_order", &in_order, "", "")),
      implied(&Output::count),
      derived("amount", &amount, "", "")};
};
static_assert(is_complete<Output>());

}  // namespace describe

namespace serialize {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

struct Aside {
  void write(Writer& writer, std::string_view key, const Sample& /*sample*/) const {
    writer.member(key, "by hand");
  }
  template <class Other>
  void write(Writer& /*writer*/, std::string_view /*key*/, const Other& /*other*/) const {}
};

std::string written(const Sample& sample) {
  Writer writer;
  write_members(writer, sample, Aside{});
  return writer.finish();
}

struct ReadBack {
  Sample sample;
  std::string error;
};

ReadBack read_back(const std::string& text) {
  Diagnostics diagnostics{"f", "", std::nullopt};
  const auto document = parse_document(text, "f");
  const Reader root(*document, diagnostics, 0);
  const auto sample = read_object<Sample>(root);
  return {sample, diagnostics.first ? diagnostics.first->message : ""};
}

Sample plain() {
  Sample sample;
  sample.text = "text";
  return sample;
}

TEST(Described, WhatIsNotKnownOrEmptyIsLeftOut) {
  const std::string text = written(plain());
  for (const char* key : {"flag", "known", "ends", "low", "list", "hidden"}) {
    EXPECT_THAT(text, Not(HasSubstr(std::string("\"") + key + "\""))) << key;
  }
  for (const char* part : {"\"count\": 1", "\"text\": \"text\"", "\"counts\": {}", "\"later\": 7",
                           "\"only_of_text\": 3", "\"length\": 4", "\"aside\": \"by hand\""}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
}

TEST(Described, AGroupStandsWhereOneOfItIsKnown) {
  Sample sample = plain();
  sample.high = 3;
  EXPECT_THAT(written(sample), HasSubstr("\"ends\": {\"high\": 3}"));
  EXPECT_EQ(read_back(written(sample)).sample, sample);
}

TEST(Described, WhatDoesNotApplyIsLeftOutAndBeginsAnew) {
  Sample sample = plain();
  sample.text = "other";
  sample.only_of_text = 9;
  EXPECT_THAT(written(sample), Not(HasSubstr("only_of_text")));
  EXPECT_EQ(read_back(written(sample)).sample.only_of_text, 3);
}

TEST(Described, FilesOfThePastAreRead) {
  const ReadBack old = read_back(
      R"({"count": 1, "text": "t", "counts": {}, "origin": "counted", "time": 0, "before": "x"})");
  EXPECT_EQ(old.error, "");
  EXPECT_EQ(old.sample.later, 7);
  EXPECT_EQ(old.sample.renamed, "x");
}

struct Limit {
  const char* members;
  const char* key;
  const char* word;  ///< of the message, tells which limit it is
  const char* value = "";
};

constexpr Limit kLimits[] = {
    {R"("count": 0, "text": "t", "origin": "counted", "time": 0)", "count", "positive", "is 0"},
    {R"("count": 1, "text": "", "origin": "counted", "time": 0)", "text", "empty"},
    {R"("count": 1, "list": [{"share": 1.5}], "text": "t", "origin": "counted", "time": 0)",
     "list[0].share", "at most 1,", "is 1.5"},
    {R"("count": 1, "text": "t", "origin": "counted", "time": -1)", "time", "negative", "is -1"},
    {R"("count": 1, "text": "t", "time": 0)", "the file", "no key", "\"origin\""},
};

std::string error_of(const Limit& limit) {
  return read_back(std::string(R"({"counts": {}, "renamed": "", )") + limit.members + "}").error;
}

TEST(Described, EachLimitHasItsMessage) {
  for (const Limit& limit : kLimits) {
    EXPECT_THAT(error_of(limit), StartsWith(std::string("f:1: ") + limit.key + " "));
    EXPECT_THAT(error_of(limit), HasSubstr(limit.word));
    EXPECT_THAT(error_of(limit), HasSubstr(limit.value));
  }
}

/// Without blanks and line breaks.
std::string written_tightly(const Output& output) {
  Writer writer;
  write_members(writer, output);
  std::string text = writer.finish();
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
  return text;
}

TEST(Described, WhatIsUsualIsLeftOutAndAGroupMayAlwaysStand) {
  EXPECT_EQ(written_tightly({}), R"({"share":0,"always":{"in_order":{"z":1,"a":2}},"amount":0.5})");
}

TEST(Described, WhatIsNotUsualStandsAndCountsAreExact) {
  constexpr std::uint64_t kOdd = 9007199254740993ULL;
  EXPECT_EQ(written_tightly({2.0, false, {0.25}, 1.0, 3.0, 4.0, kOdd}),
            R"({"latency":2,"verified":false,"share":0.25,"together":{"first":1,"second":3},)"
            R"("always":{"only":4,"in_order":{"z":1,"a":2}},"amount":9007199254740993})");
}

TEST(Described, RandomMembersAreKnownTogether) {
  Random random(3);
  int known = 0;
  int usual = 0;
  for (int i = 0; i < 200; ++i) {
    const auto output = random_object<Output>(random);
    ASSERT_EQ(output.first.has_value(), output.second.has_value());
    known += output.first ? 1 : 0;
    usual += output.verified ? 1 : 0;
  }
  EXPECT_GT(known, 0);
  EXPECT_LT(known, 200);
  EXPECT_GT(usual, 0);
  EXPECT_LT(usual, 200);
}

TEST(Described, MembersThatStandInlineAreRead) {
  Diagnostics diagnostics{"f", "", std::nullopt};
  const auto document = parse_document(R"({"share": 0.25, "always": {"only": 4}})", "f");
  const auto output = read_object<Output>(Reader(*document, diagnostics, 0));
  EXPECT_FALSE(diagnostics.first);
  EXPECT_EQ(output.inner.share, 0.25);
  EXPECT_EQ(output.only, 4.0);
}

std::string written(const Amounts& amounts) {
  Writer writer;
  write_members(writer, amounts);
  return writer.finish();
}

std::string refusal_of(const std::string& text) {
  Diagnostics diagnostics{"f", "", std::nullopt};
  const auto document = parse_document(text, "f");
  (void)read_object<Amounts>(Reader(*document, diagnostics, 0));
  return diagnostics.first ? diagnostics.first->message : "";
}

TEST(Described, UnitsAreThoseOfTheFieldThatHoldsAValue) {
  const std::string text = written({.kind = "time", .inlined = {2.0}, .apart = Amount{3.0}});
  EXPECT_THAT(text, HasSubstr("\"value\": 2,\n  \"unit\": \"s\""));
  EXPECT_THAT(text, HasSubstr("\"apart\": {\"value\": 3, \"unit\": \"kg\"}"));
  EXPECT_THAT(written({.kind = "way", .inlined = {2.0}}), HasSubstr("\"unit\": \"m\""));
  const std::string rest = R"(, "word": "w", "chosen": "left", "origin": "counted"})";
  EXPECT_EQ(refusal_of(R"({"kind": "way", "value": 1, "unit": "m")" + rest), "");
  EXPECT_EQ(refusal_of(R"({"kind": "time", "value": 1, "unit": "m")" + rest),
            "f:1: unit must be s, is \"m\"");
  EXPECT_EQ(
      refusal_of(R"({"kind": "", "value": 1, "unit": "m", "apart": {"value": 1, "unit": "g"})" +
                 rest),
      "f:1: apart.unit must be kg, is \"g\"");
}

TEST(Described, WhatIsUsualAndFormsWithoutValueAreLeftOut) {
  EXPECT_THAT(written({.inlined = {1.0}}), Not(HasSubstr("usual")));
  EXPECT_THAT(written({.inlined = {1.0}}), Not(HasSubstr("sides")));
  EXPECT_THAT(written({.inlined = {1.0}, .both = true, .usual = 2.0}),
              HasSubstr("\"sides\": \"both\",\n  \"usual\": 2"));
}

TEST(Described, WordsAndChoicesHaveTheirMessages) {
  const auto with = [](const std::string& members) {
    return refusal_of(R"({"kind": "", "value": 1, "unit": "m", )" + members + "}");
  };
  EXPECT_EQ(with(R"("word": "a b", "chosen": "left", "origin": "counted")"),
            "f:1: word must be a word of letters, digits and dashes");
  EXPECT_EQ(with(R"("word": "", "chosen": "left", "origin": "counted")"),
            "f:1: word must be a word of letters, digits and dashes");
  EXPECT_EQ(with(R"("word": "a", "chosen": "up", "origin": "counted")"),
            "f:1: chosen must be one of left, right, is up");
  EXPECT_EQ(with(R"("word": "a", "chosen": "left", "origin": "measured")"),
            "f:1: origin must be counted or assumed, is \"measured\"");
  EXPECT_EQ(with(R"("word": "a", "chosen": "left", "origin": "counted", "groups": [["modelled"]])"),
            "f:1: groups[0][0] must be counted or assumed, is \"modelled\"");
}

TEST(Described, RandomAmountsComeBack) {
  Random random(6);
  for (int i = 0; i < 500; ++i) {
    const auto amounts = random_object<Amounts>(random);
    Diagnostics diagnostics{"f", "", std::nullopt};
    const std::string text = written(amounts);
    const auto document = parse_document(text, "f");
    const auto back = read_object<Amounts>(Reader(*document, diagnostics, 0));
    ASSERT_FALSE(diagnostics.first) << text << diagnostics.first->message;
    ASSERT_TRUE(back == amounts) << text;
  }
}

TEST(Described, RandomValuesComeBack) {
  Random random(5);
  for (int i = 0; i < 500; ++i) {
    auto sample = random_object<Sample>(random);
    sample.hidden = 0;
    const ReadBack back = read_back(written(sample));
    ASSERT_EQ(back.error, "") << written(sample);
    ASSERT_TRUE(back.sample == sample) << written(sample);
  }
}

}  // namespace

void described_sentences(tests::Sentences& sentences) {
  for (const Limit& limit : kLimits) {
    sentences.add(std::string("described, ") + limit.members, error_of(limit));
  }
}

}  // namespace serialize
}  // namespace ridge
