#include "bench/selection.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/fixture_for_tests.hpp"

namespace ridge::bench {
namespace {

using testing::HasSubstr;

const std::vector<PlannedKernel>& everything() {
  static const auto planned =
      plan(testing_fixture::small(),
           {.effort = Effort::full,
            .simd = {.avx = true, .fma = true, .avx2 = true, .avx512 = true, .avx512_dq = true}})
          .kernels;
  return planned;
}

std::set<std::string> chosen(const std::vector<std::string>& words) {
  const auto selection = Selection::parse(words, everything());
  EXPECT_TRUE(selection) << selection.error().message;
  std::set<std::string> ids;
  for (const PlannedKernel& planned : everything()) {
    if (selection && selection->wants(planned)) {
      ids.insert(planned.id);
    }
  }
  return ids;
}

bool all_contain(const std::set<std::string>& ids, const std::vector<std::string>& any_of) {
  for (const std::string& id : ids) {
    bool found = false;
    for (const std::string& part : any_of) {
      found = found || id.find(part) != std::string::npos;
    }
    if (!found) {
      return false;
    }
  }
  return !ids.empty();
}

TEST(Selection, WithoutWordsEverythingIsWanted) {
  EXPECT_EQ(chosen({}).size(), everything().size());
  EXPECT_TRUE(Selection{}.everything());
}

TEST(Selection, APrecisionAndALevelAreTwoKindsOfCeilings) {
  const auto ids = chosen({"fp64", "L1"});
  EXPECT_TRUE(all_contain(ids, {"compute.fp64.", "bandwidth.L1.", "latency.L1."}));
  EXPECT_EQ(ids.count("compute.fp64.scalar.add.t2"), 1U);
  EXPECT_EQ(ids.count("bandwidth.L1.copy.avx2.t1"), 1U);
}

TEST(Selection, WordsOfOneGroupAreAlternativesOthersRestrict) {
  EXPECT_TRUE(all_contain(chosen({"L1", "L2"}), {".L1.", ".L2."}));
  const std::set<std::string> expected{"bandwidth.L2.load.avx512.t1",
                                       "bandwidth.L2.load.avx512.t2"};
  EXPECT_EQ(chosen({"L2", "load", "avx512"}), expected);
  EXPECT_TRUE(all_contain(chosen({"avx512"}), {".avx512."}));
  EXPECT_TRUE(all_contain(chosen({"fp32", "avx512"}), {"compute.fp32.avx512."}));
  EXPECT_TRUE(all_contain(chosen({"compute", "L3"}), {"compute.", ".L3."}));
  EXPECT_TRUE(all_contain(chosen({"bandwidth"}), {"bandwidth."}));
}

TEST(Selection, IntIsTheIntegersOfBothWidths) {
  const auto ids = chosen({"int"});
  EXPECT_TRUE(all_contain(ids, {"compute.int32.", "compute.int64."}));
  EXPECT_EQ(ids.count("compute.int64.scalar.mul.t1"), 1U);
  EXPECT_EQ(ids.count("compute.int32.avx2.add.t2"), 1U);
  EXPECT_EQ(ids.count("compute.int64.avx2.mul.t1"), 0U) << "no such instruction";
  const std::set<std::string> expected{"compute.int32.avx512.mul.t1", "compute.int32.avx512.mul.t2",
                                       "compute.int64.avx512.mul.t1",
                                       "compute.int64.avx512.mul.t2"};
  EXPECT_EQ(chosen({"int", "avx512", "mul"}), expected);
  EXPECT_TRUE(all_contain(chosen({"int64"}), {"compute.int64."}));
}

TEST(Selection, WhoNamesIntegersWantsThemOfEveryInstructionSet) {
  EXPECT_EQ(integers_of({"int"}), IntegerWidths::all);
  EXPECT_EQ(integers_of({"L1", "int64"}), IntegerWidths::all);
  EXPECT_EQ(integers_of({"fp64", "avx2"}), IntegerWidths::widest);
  EXPECT_EQ(integers_of({}), IntegerWidths::widest);
}

TEST(Selection, PartsNameNoCeilings) {
  EXPECT_TRUE(chosen({"roof"}).empty());
  const auto selection = Selection::parse({"roof", "L2"}, everything());
  ASSERT_TRUE(selection);
  EXPECT_TRUE(selection->names(Part::roof));
  EXPECT_FALSE(selection->names(Part::sustained));
  EXPECT_TRUE(selection->wants_level("L2"));
  EXPECT_FALSE(selection->wants_level("L1"));
}

TEST(Selection, UnknownWordsAreRefusedWithTheKnownOnes) {
  const auto selection = Selection::parse({"fp64", "L9"}, everything());
  ASSERT_FALSE(selection);
  EXPECT_EQ(selection.error().code, ErrorCode::usage);
  EXPECT_THAT(selection.error().message, HasSubstr("L9"));
  for (const char* word : {"fp64", "avx512", "fma", "L1", "copy", "roof"}) {
    EXPECT_THAT(selection.error().hint, HasSubstr(word));
  }
}

}  // namespace
}  // namespace ridge::bench
