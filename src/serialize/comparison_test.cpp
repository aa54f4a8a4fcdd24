#include "serialize/comparison.hpp"

#include <cstdint>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "serialize/comparison_for_tests.hpp"
#include "serialize/json_document.hpp"
#include "serialize/random_values.hpp"

namespace ridge::serialize {
namespace {

TEST(WriteComparison, WhatItWritesIsRefusedByNobody) {
  const auto document = parse_document(write_comparison(comparison_for_tests()), "c.json");
  ASSERT_TRUE(document) << document.error().message;
  EXPECT_EQ(document->text(document->member(0, "schema")), "ridge.comparison/1");
}

TEST(WriteComparison, CountsBeyondTheRangeOfDoublesAreWrittenInFull) {
  const std::string text = write_comparison(comparison_for_tests());
  EXPECT_NE(text.find("9007199254740993"), std::string::npos);  // 2^53 + 1
}

TEST(WriteComparison, WhatIsUnknownIsAbsent) {
  Comparison comparison = comparison_for_tests();
  Change& change = comparison.loops[0].steps[0].changes[0];
  comparison.program.reset();
  change.before.reset();
  change.ratio.reset();
  change.verdict = Verdict::unknown;
  const std::string text = write_comparison(comparison);
  EXPECT_EQ(text.find("null"), std::string::npos);
  EXPECT_EQ(text.find("\"before\": {"), std::string::npos) << text;
}

TEST(WriteComparison, EveryVerdictAndMatchHasAWord) {
  EXPECT_EQ(to_string(Verdict::not_comparable), "not-comparable");
  EXPECT_EQ(to_string(Verdict::same), "same");
  EXPECT_EQ(to_string(MatchedBy::first), "first");
  EXPECT_EQ(to_string(MatchedBy::renamed), "renamed");
}

TEST(WriteMachineComparison, ARatioComesWithItsVerdict) {
  const std::string text = write_machine_comparison(machine_comparison_for_tests());
  ASSERT_TRUE(parse_document(text, "m.json"));
  EXPECT_NE(text.find("\"ratio\": 1.5"), std::string::npos) << text;
  EXPECT_NE(text.find("\"verdict\": \"changed\""), std::string::npos);
}

TEST(WriteComparison, RandomOnesAreDocuments) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 200; ++i) {
    const std::string text = write_comparison(random_comparison(random));
    ASSERT_TRUE(parse_document(text, "c.json")) << text;
    const std::string machines = write_machine_comparison(random_machine_comparison(random));
    ASSERT_TRUE(parse_document(machines, "m.json")) << machines;
  }
}

}  // namespace
}  // namespace ridge::serialize
