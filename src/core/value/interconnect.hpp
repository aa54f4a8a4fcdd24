// How fast ranks of a parallel program exchange messages on a machine, as `ridge bench --mpi`
// measures it. Meaning: docs/contracts.md, section 5.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/quantity/estimate.hpp"
#include "core/quantity/units.hpp"

namespace ridge {

/// What the ranks of a link do.
enum class LinkPattern {
  ping_pong,   ///< two ranks, one message to and fro, nobody else
  exchange,    ///< all ranks at once in pairs, each sends and receives
  all_reduce,  ///< all ranks sum a vector of fp64
};

inline constexpr std::array<std::pair<LinkPattern, std::string_view>, 3> kLinkPatternTable{
    {{LinkPattern::ping_pong, "ping-pong"},
     {LinkPattern::exchange, "exchange"},
     {LinkPattern::all_reduce, "all-reduce"}}};

/// Where the ranks of a link run.
enum class LinkReach { intra_node, inter_node };

inline constexpr std::array<std::pair<LinkReach, std::string_view>, 2> kLinkReachTable{
    {{LinkReach::intra_node, "intra-node"}, {LinkReach::inter_node, "inter-node"}}};

[[nodiscard]] std::string_view to_string(LinkPattern pattern);
[[nodiscard]] std::string_view to_string(LinkReach reach);

/// One size of message.
struct LinkPoint {
  std::uint64_t bytes = 0;  ///< of a message; of an all-reduce: of each rank's vector
  Estimate<Seconds> value;  ///< one way of one message; one all-reduce

  friend bool operator==(const LinkPoint&, const LinkPoint&) = default;
};

struct Link {
  LinkPattern pattern = LinkPattern::ping_pong;
  LinkReach reach = LinkReach::intra_node;
  unsigned ranks = 2;
  /// Of the least message; its ceiling is `low`.
  Estimate<Seconds> latency;
  /// That one rank sends (and in an exchange also receives) at the best size; its ceiling is `p90`.
  Estimate<BytesPerSecond> bandwidth;
  std::vector<LinkPoint> points;  ///< in ascending sizes

  friend bool operator==(const Link&, const Link&) = default;
};

struct Interconnect {
  std::string library;  ///< "Open MPI v4.1.4", as the library calls itself
  std::string date;     ///< ISO 8601, UTC
  unsigned ranks = 2;
  unsigned nodes = 1;
  std::vector<Link> links;  ///< no two with the same pattern and reach

  friend bool operator==(const Interconnect&, const Interconnect&) = default;
};

/// nullptr where it was not measured.
[[nodiscard]] const Link* find_link(const Interconnect& interconnect, LinkPattern pattern,
                                    LinkReach reach);

}  // namespace ridge
