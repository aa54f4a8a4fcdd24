// Fields of what ranks measure of each other.
#pragma once

#include <tuple>

#include "core/describe/enumerators.hpp"
#include "core/describe/field.hpp"
#include "core/value/interconnect.hpp"

namespace ridge::describe {

template <>
struct Enumerators<LinkPattern> {
  static constexpr std::array values =
      values_of(kLinkPatternTable, &std::pair<LinkPattern, std::string_view>::first);
};

template <>
struct Enumerators<LinkReach> {
  static constexpr std::array values =
      values_of(kLinkReachTable, &std::pair<LinkReach, std::string_view>::first);
};

template <>
struct Description<LinkPoint> {
  static constexpr std::string_view name = "LinkPoint";
  static constexpr std::string_view meaning = "one size of message";
  static constexpr auto fields = std::tuple{
      field("bytes", &LinkPoint::bytes, "byte",
            "of a message; of an all-reduce: of the vector of each rank", {.limits = kAtLeastOne}),
      field("value", &LinkPoint::value, "s", "one message one way; one all-reduce")};
};
static_assert(is_complete<LinkPoint>());

template <>
struct Description<Link> {
  static constexpr std::string_view name = "Link";
  static constexpr std::string_view meaning = "how fast ranks exchange messages in one way";
  static constexpr auto fields = std::tuple{
      field("pattern", &Link::pattern, "",
            "ping-pong: two ranks alone; exchange: all ranks at once in pairs; all-reduce: all "
            "ranks sum a vector of fp64"),
      field("reach", &Link::reach, "", "whether the ranks of a pair run on one node"),
      field("ranks", &Link::ranks, "", "that took part", {.limits = {.least = 2.0}}),
      field("latency", &Link::latency, "s", "of the least message; its ceiling is low"),
      field("bandwidth", &Link::bandwidth, "byte/s",
            "that one rank sends at the best size; its ceiling is p90"),
      field("points", &Link::points, "", "in ascending sizes", {.least_items = 1})};
};
static_assert(is_complete<Link>());

template <>
struct Description<Interconnect> {
  static constexpr std::string_view name = "Interconnect";
  static constexpr std::string_view meaning =
      "how fast ranks exchange messages, as ridge bench --mpi measures it";
  static constexpr auto fields = std::tuple{
      field("library", &Interconnect::library, "", "as the MPI library calls itself"),
      field("date", &Interconnect::date, "", "ISO 8601, UTC"),
      field("ranks", &Interconnect::ranks, "", "that measured", {.limits = {.least = 2.0}}),
      field("nodes", &Interconnect::nodes, "", "that they ran on", {.limits = kAtLeastOne}),
      field("links", &Interconnect::links, "", "distinct in pattern and reach")};
};
static_assert(is_complete<Interconnect>());

}  // namespace ridge::describe
