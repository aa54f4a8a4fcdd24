#include "bench/rank_layout.hpp"

#include <gtest/gtest.h>

namespace ridge::bench {
namespace {

using enum LinkPattern;
using enum LinkReach;
using Pairs = std::vector<std::pair<unsigned, unsigned>>;

TEST(RankLayout, TwoRanksOfOneNode) {
  EXPECT_EQ(link_plans({"a", "a"}), (std::vector<LinkPlan>{{ping_pong, intra_node, {{0, 1}}},
                                                           {exchange, intra_node, {{0, 1}}},
                                                           {all_reduce, intra_node, {}}}));
}

TEST(RankLayout, NodesInTurn) {
  const auto plans = link_plans({"a", "b", "a", "b"});
  EXPECT_EQ(plans, (std::vector<LinkPlan>{{ping_pong, intra_node, {{0, 2}}},
                                          {exchange, intra_node, {{0, 2}, {1, 3}}},
                                          {ping_pong, inter_node, {{0, 1}}},
                                          {exchange, inter_node, {{0, 1}, {2, 3}}},
                                          {all_reduce, inter_node, {}}}));
}

TEST(RankLayout, OneRankOnEachNodeHasNoLinkWithin) {
  const auto plans = link_plans({"a", "b", "c"});
  ASSERT_EQ(plans.size(), 3U);
  EXPECT_EQ(plans[0].reach, inter_node);
  EXPECT_EQ(plans[1].pairs, (Pairs{{0, 1}}));  // c rests
  EXPECT_EQ(count_nodes({"a", "b", "c"}), 3U);
}

TEST(RankLayout, UnevenNodesPairAsManyAsBothHave) {
  const auto plans = link_plans({"a", "a", "a", "b"});
  EXPECT_EQ(plans[1].pairs, (Pairs{{0, 1}}));  // rank 2 has no partner on its node
  EXPECT_EQ(plans[3].pairs, (Pairs{{0, 3}}));
  EXPECT_EQ(partner_of(plans[3], 3), 0U);
  EXPECT_EQ(partner_of(plans[3], 1), std::nullopt);
}

TEST(RankLayout, NoRankIsInTwoPairs) {
  std::vector<std::string> hosts;
  for (unsigned rank = 0; rank < 61; ++rank) {
    hosts.push_back(std::string(1, static_cast<char>('a' + rank * rank % 7)));
  }
  for (const LinkPlan& plan : link_plans(hosts)) {
    std::vector<unsigned> seen(hosts.size());
    for (const auto& [one, other] : plan.pairs) {
      EXPECT_EQ(++seen[one], 1U);
      EXPECT_EQ(++seen[other], 1U);
      EXPECT_EQ(hosts[one] == hosts[other], plan.reach == intra_node);
    }
  }
}

TEST(RankLayout, OneRankHasNoLinks) {
  EXPECT_TRUE(link_plans({"a"}).empty());
}

}  // namespace
}  // namespace ridge::bench
