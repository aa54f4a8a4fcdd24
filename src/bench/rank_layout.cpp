#include "bench/rank_layout.hpp"

#include <algorithm>
#include <map>

namespace ridge::bench {
namespace {

using Pairs = std::vector<std::pair<unsigned, unsigned>>;

/// The ranks of each host, hosts in the order of their first rank.
std::vector<std::vector<unsigned>> by_host(const std::vector<std::string>& hosts) {
  std::vector<std::vector<unsigned>> ranks;
  std::map<std::string, std::size_t> place;
  for (unsigned rank = 0; rank < hosts.size(); ++rank) {
    const auto [at, is_new] = place.emplace(hosts[rank], ranks.size());
    if (is_new) {
      ranks.emplace_back();
    }
    ranks[at->second].push_back(rank);
  }
  return ranks;
}

Pairs pairs_within(const std::vector<std::vector<unsigned>>& hosts) {
  Pairs pairs;
  for (const auto& ranks : hosts) {
    for (std::size_t i = 0; i + 1 < ranks.size(); i += 2) {
      pairs.emplace_back(ranks[i], ranks[i + 1]);
    }
  }
  return pairs;
}

Pairs pairs_between(const std::vector<std::vector<unsigned>>& hosts) {
  Pairs pairs;
  for (std::size_t host = 0; host + 1 < hosts.size(); host += 2) {
    const auto& one = hosts[host];
    const auto& other = hosts[host + 1];
    for (std::size_t i = 0; i < std::min(one.size(), other.size()); ++i) {
      pairs.emplace_back(one[i], other[i]);
    }
  }
  return pairs;
}

void add_pairs(std::vector<LinkPlan>& plans, LinkReach reach, const Pairs& pairs) {
  if (!pairs.empty()) {
    plans.push_back({LinkPattern::ping_pong, reach, {pairs.front()}});
    plans.push_back({LinkPattern::exchange, reach, pairs});
  }
}

}  // namespace

std::vector<LinkPlan> link_plans(const std::vector<std::string>& hosts) {
  const auto ranks = by_host(hosts);
  std::vector<LinkPlan> plans;
  add_pairs(plans, LinkReach::intra_node, pairs_within(ranks));
  add_pairs(plans, LinkReach::inter_node, pairs_between(ranks));
  if (hosts.size() > 1) {
    const LinkReach reach = ranks.size() > 1 ? LinkReach::inter_node : LinkReach::intra_node;
    plans.push_back({LinkPattern::all_reduce, reach, {}});
  }
  return plans;
}

unsigned count_nodes(const std::vector<std::string>& hosts) {
  return static_cast<unsigned>(by_host(hosts).size());
}

std::optional<unsigned> partner_of(const LinkPlan& plan, unsigned rank) {
  for (const auto& [one, other] : plan.pairs) {
    if (rank == one || rank == other) {
      return rank == one ? other : one;
    }
  }
  return std::nullopt;
}

}  // namespace ridge::bench
