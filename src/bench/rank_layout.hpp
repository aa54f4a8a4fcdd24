// Which ranks exchange messages with which, to measure the links of a machine. Pure.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/value/interconnect.hpp"

namespace ridge::bench {

struct LinkPlan {
  LinkPattern pattern = LinkPattern::ping_pong;
  LinkReach reach = LinkReach::intra_node;
  /// Each rank at most once; of an all-reduce none, since all ranks take part.
  std::vector<std::pair<unsigned, unsigned>> pairs;

  friend bool operator==(const LinkPlan&, const LinkPlan&) = default;
};

/// `hosts`: that of each rank. A ping-pong and an exchange within nodes where two ranks share one,
/// both between nodes where there are several, and an all-reduce. In exchanges between nodes the
/// nodes are taken in pairs, and of an odd number the last one rests.
[[nodiscard]] std::vector<LinkPlan> link_plans(const std::vector<std::string>& hosts);

/// How many different ones.
[[nodiscard]] unsigned count_nodes(const std::vector<std::string>& hosts);

/// The other rank of the pair of `rank`; nullopt: it rests.
[[nodiscard]] std::optional<unsigned> partner_of(const LinkPlan& plan, unsigned rank);

}  // namespace ridge::bench
