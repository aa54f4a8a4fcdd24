#include "measure/ranks/rank_values.hpp"

#include <numeric>

#include <gtest/gtest.h>

namespace ridge::measure {
namespace {

TEST(RankValues, ASpreadNamesTheFirstOfEqualRanks) {
  const auto spread = spread_of({{5, 2.0}, {1, 1.0}, {3, 2.0}, {2, 1.0}}, false);
  EXPECT_EQ(spread, (RankSpread{4, 1.0, 1, 1.5, 2.0, 3, 1.5, {}}));
  EXPECT_FALSE(spread_of({}, false));
}

TEST(RankValues, BinsHoldEveryRankOnce) {
  std::vector<NumberOfRank> numbers;
  for (unsigned rank = 0; rank < 1000; ++rank) {
    numbers.push_back({rank, static_cast<double>(rank % 100)});
  }
  const auto spread = spread_of(numbers, true);
  EXPECT_EQ(std::accumulate(spread->bins.begin(), spread->bins.end(), 0U), 1000U);
  EXPECT_EQ(spread_of({{0, 3.0}, {1, 3.0}}, true)->bins, std::vector<unsigned>{2});
}

TEST(RankValues, ManyRanksAreNotListed) {
  std::vector<RankValue> values;
  for (unsigned rank = 0; rank <= kRanksListed; ++rank) {
    values.push_back({.rank = rank, .time_seconds = 1.0 + rank});
  }
  const RegionRanks ranks = region_ranks(values, {});
  EXPECT_TRUE(ranks.by_rank.empty());
  EXPECT_FALSE(ranks.time_seconds->bins.empty());
  EXPECT_FALSE(ranks.flops) << "nobody counted";
}

}  // namespace
}  // namespace ridge::measure
