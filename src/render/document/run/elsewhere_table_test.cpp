#include "render/document/run/elsewhere_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "render/fixture_for_tests.hpp"
#include "render/sentences_for_tests.hpp"

namespace ridge::render {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

TextStyle wide() {
  TextStyle style;
  style.columns = 140;
  return style;
}

// The hottest loop, with traffic elsewhere.
Profile with_elsewhere() {
  Profile profile = fixture::profile();
  profile.caches_elsewhere = {{"spr", {}, "DRAM"}, {"a64fx", {}, "HBM"}};
  for (Region& region : profile.regions) {
    if (region.kind == RegionKind::loop) {
      region.traffic_elsewhere["spr"] = {{"L2", {300, 100}}, {"DRAM", {2'000'000'000, 0}}};
      region.traffic_elsewhere["a64fx"] = {{"L2", {500, 0}}, {"HBM", {0, 0}}};
    }
  }
  return profile;
}

TEST(ElsewhereTable, OneRowForEachSetOfCaches) {
  const Profile profile = with_elsewhere();
  const std::string text = elsewhere_table(profile, fixture::prediction(profile), wide());
  EXPECT_THAT(text, ContainsRegex("other caches.* simulated"));
  EXPECT_THAT(text, ContainsRegex(" here +"));
  EXPECT_THAT(text, ContainsRegex(" spr +400 B .* 2.00 GB"));
  // Nothing crosses: the intensity is unbounded, not infinite; a level that is not there is
  // unknown.
  EXPECT_THAT(text, ContainsRegex(" a64fx +500 B +- +0 B \\(HBM\\) +unb\\."));
}

TEST(ElsewhereTable, NothingWithoutOtherCaches) {
  const Profile profile = fixture::profile();
  EXPECT_EQ(elsewhere_table(profile, fixture::prediction(profile), wide()), "");
}

TEST(ElsewhereTable, NamesAreCleaned) {
  Profile profile = with_elsewhere();
  profile.caches_elsewhere[0].name = "s\x1b[31mpr";
  for (Region& region : profile.regions) {
    region.traffic_elsewhere["s\x1b[31mpr"] = {{"DRAM", {1, 0}}};
  }
  EXPECT_THAT(elsewhere_table(profile, fixture::prediction(profile), wide()),
              Not(HasSubstr("\x1b")));
}

}  // namespace

void elsewhere_sentences(tests::Sentences& sentences) {
  const Profile profile = with_elsewhere();
  sentences.add("traffic on other caches",
                elsewhere_table(profile, fixture::prediction(profile), wide()));
}

}  // namespace ridge::render
