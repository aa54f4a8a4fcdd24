// The engine over lists of fields, on values made for it: each kind of field and of absence.
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/describe/enumerators.hpp"
#include "serialize/described/random_value.hpp"
#include "serialize/described/read.hpp"
#include "serialize/described/write.hpp"

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

namespace describe {

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

}  // namespace describe

namespace serialize {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

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

TEST(Described, EachLimitHasItsMessage) {
  const auto with = [](const std::string& members) {
    return read_back(R"({"counts": {}, "renamed": "", )" + members + "}").error;
  };
  const std::string rest = R"(, "text": "t", "origin": "counted", "time": 0)";
  EXPECT_EQ(with(R"("count": 0)" + rest), "f:1: count must be positive, is 0");
  EXPECT_EQ(with(R"("count": 1, "text": "", "origin": "counted", "time": 0)"),
            "f:1: text must not be empty");
  EXPECT_EQ(with(R"("count": 1, "list": [{"share": 1.5}])" + rest),
            "f:1: list[0].share must be at most 1, is 1.5");
  EXPECT_EQ(with(R"("count": 1, "text": "t", "origin": "counted", "time": -1)"),
            "f:1: time must not be negative, is -1");
  EXPECT_EQ(with(R"("count": 1, "text": "t", "time": 0)"), "f:1: the file has no key \"origin\"");
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
}  // namespace serialize
}  // namespace ridge
