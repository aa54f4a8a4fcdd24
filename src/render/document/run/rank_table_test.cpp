#include "render/document/run/rank_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::render {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

TextStyle wide() {
  TextStyle style;
  style.columns = 120;
  return style;
}

Profile four_ranks() {
  Profile profile;
  profile.parallel = ParallelRun{4, 4, {}, {{"node-0", 4, 4}}, false};
  Region loop;
  loop.id = 0;
  loop.kind = RegionKind::loop;
  loop.name = loop.function = "sweep";
  loop.file = "solve.cpp";
  loop.line = 12;
  loop.time_seconds.self = SampledTime{Seconds(4.0), Seconds(3.9), Seconds(4.1), 4000};
  loop.ranks = RegionRanks{};
  loop.ranks->time_seconds = RankSpread{4, 1.0, 2, 1.5, 4.0, 3, 2.0, {}};
  loop.ranks->flops = RankSpread{4, 10, 0, 10, 10, 0, 10, {}};
  profile.regions = {loop};
  return profile;
}

TEST(RankTable, SaysHowFarTheSlowestIsAboveTheMean) {
  const std::string text = rank_table(four_ranks(), {}, wide());
  EXPECT_THAT(text, HasSubstr("4 ranks"));
  EXPECT_THAT(text,
              ContainsRegex("sweep.*1\\.00 s \\(2\\) +1\\.50 s +4\\.00 s \\(3\\) +2\\.00 +1\\.00"));
}

TEST(RegionRanksText, EachRankHasItsRate) {
  Region loop = four_ranks().regions.front();
  loop.ranks->by_rank = {{0, Seconds(1.0), {}, 2'000'000'000, {}}, {1, Seconds(4.0), {}, {}, {}}};
  const std::string text = region_ranks_text(loop, wide());
  EXPECT_THAT(text, ContainsRegex("time +1\\.00 s \\(2\\) +1\\.50 s +4\\.00 s \\(3\\) +2\\.00"));
  EXPECT_THAT(text,
              ContainsRegex("1 +4\\.00 s +- +-\n +0 +1\\.00 s +2\\.00 GFlop +2\\.00 GFlop/s"));
  EXPECT_EQ(region_ranks_text(Region(), wide()), "");
}

TEST(RankTable, OfOneProcessThereIsNone) {
  Profile profile = four_ranks();
  profile.parallel.reset();
  EXPECT_EQ(rank_table(profile, {}, wide()), "");
}

TEST(RanksLine, NamesWhatIsMissing) {
  EXPECT_EQ(ranks_line({4, 4, {}, {{"a", 2, 0}, {"b", 2, 0}}, false}), "4 ranks on 2 machines");
  EXPECT_EQ(ranks_line({4, 3, {2}, {{"a", 3, 0}}, false}), "3 of 4 ranks (lost: 2)");
}

}  // namespace
}  // namespace ridge::render
