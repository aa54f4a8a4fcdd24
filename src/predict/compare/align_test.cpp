#include "predict/compare/align.hpp"

#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::predict {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

Alignment align_texts(const std::string& a, const std::string& b) {
  return align(a.size(), b.size(),
               [&](std::size_t i, std::size_t j) { return a[i] == b[j] ? 2 : 0; });
}

TEST(Align, EqualTextsPairInOrder) {
  const Alignment alignment = align_texts("abc", "abc");
  EXPECT_THAT(alignment.pairs, ElementsAre(Pair(0, 0), Pair(1, 1), Pair(2, 2)));
  EXPECT_THAT(alignment.undecided_a, IsEmpty());
}

TEST(Align, WhatWasTakenOutStaysAlone) {
  EXPECT_THAT(align_texts("abc", "ac").pairs, ElementsAre(Pair(0, 0), Pair(2, 1)));
}

TEST(Align, TwoEquallyGoodPartnersAreUndecided) {
  const Alignment alignment = align_texts("a", "aa");
  EXPECT_THAT(alignment.pairs, IsEmpty());
  EXPECT_THAT(alignment.undecided_a, ElementsAre(0));
  EXPECT_THAT(alignment.undecided_b, ElementsAre(0, 1));
}

TEST(Align, WhatIsDecidedBesideTheUndecidedIsKept) {
  const Alignment alignment = align_texts("xay", "xaay");
  EXPECT_THAT(alignment.pairs, ElementsAre(Pair(0, 0), Pair(2, 3)));
  EXPECT_THAT(alignment.undecided_a, ElementsAre(1));
}

TEST(Align, OrderIsKeptEvenIfCrossingWouldScoreMore) {
  const Alignment alignment = align_texts("ab", "ba");
  EXPECT_THAT(alignment.pairs, IsEmpty());  // a with a or b with b: as good
  EXPECT_EQ(alignment.undecided_a.size(), 2U);
}

TEST(Align, NothingPairsWithNothing) {
  EXPECT_THAT(align(0, 3, [](std::size_t, std::size_t) { return 1; }).pairs, IsEmpty());
  EXPECT_THAT(align_texts("abc", "xyz").pairs, IsEmpty());
  EXPECT_THAT(align_texts("abc", "xyz").undecided_a, IsEmpty());
}

/// All alignments of the two lists with their sums, the slow way.
void enumerate(const std::vector<std::vector<int>>& score, std::size_t i, std::size_t j, int sum,
               std::map<std::size_t, std::size_t>& now,
               std::multimap<int, std::map<std::size_t, std::size_t>>& all) {
  if (i == score.size()) {
    all.emplace(sum, now);
    return;
  }
  enumerate(score, i + 1, j, sum, now, all);
  for (std::size_t k = j; k < score[i].size(); ++k) {
    if (score[i][k] > 0) {
      now[i] = k;
      enumerate(score, i + 1, k + 1, sum + score[i][k], now, all);
      now.erase(i);
    }
  }
}

TEST(Align, EqualsTheSearchThroughAllAlignments) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    const std::size_t a = 1 + random() % 4;
    const std::size_t b = 1 + random() % 4;
    std::vector<std::vector<int>> score(a, std::vector<int>(b));
    for (auto& row : score) {
      for (int& value : row) {
        value = static_cast<int>(random() % 4);
      }
    }
    std::multimap<int, std::map<std::size_t, std::size_t>> all;
    std::map<std::size_t, std::size_t> now;
    enumerate(score, 0, 0, 0, now, all);
    const auto best = all.equal_range(all.rbegin()->first);
    std::vector<std::pair<std::size_t, std::size_t>> in_all;
    for (std::size_t i = 0; i < a; ++i) {
      for (std::size_t j = 0; j < b; ++j) {
        bool always = true;
        for (auto at = best.first; at != best.second; ++at) {
          const auto found = at->second.find(i);
          always = always && found != at->second.end() && found->second == j;
        }
        if (always) {
          in_all.emplace_back(i, j);
        }
      }
    }
    const Alignment alignment =
        align(a, b, [&](std::size_t i, std::size_t j) { return score[i][j]; });
    EXPECT_EQ(alignment.pairs, in_all) << "round " << round;
  }
}

TEST(Align, LongListsOfOneLengthPairInOrder) {
  const auto one = [](std::size_t, std::size_t) { return 1; };
  EXPECT_EQ(align(3000, 3000, one).pairs.size(), 3000U);
  EXPECT_THAT(align(3000, 3001, one).pairs, IsEmpty());
  EXPECT_EQ(align(3000, 3001, one).undecided_b.size(), 3001U);
}

}  // namespace
}  // namespace ridge::predict
