#include "render/document/bench/interconnect_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::render {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

Estimate<Seconds> seconds(double median) {
  return {Seconds(median), Seconds(1.1 * median), Seconds(0.9 * median), Seconds(1.1 * median), 40};
}

/// 1 us and 10 GB/s.
Interconnect one_node() {
  Link link{.pattern = LinkPattern::ping_pong, .reach = LinkReach::intra_node};
  for (const std::uint64_t bytes : {8U, 16384U, 4194304U}) {
    link.points.push_back({bytes, seconds(1e-6 + static_cast<double>(bytes) / 10e9)});
  }
  link.latency = seconds(1e-6);
  link.bandwidth.median = link.bandwidth.low = BytesPerSecond(9e9);
  link.bandwidth.p90 = link.bandwidth.high = BytesPerSecond(9.9e9);
  return {"Open MPI v4.1.4", "2026-01-02T03:04:05Z", 2, 1, {link}};
}

TextStyle wide() {
  TextStyle style;
  style.columns = 120;
  return style;
}

TEST(InterconnectTable, OneRowForEachLink) {
  const std::string text = interconnect_table(one_node(), wide());
  EXPECT_THAT(text, HasSubstr("Interconnect: Open MPI v4.1.4, 2 ranks on 1 node"));
  EXPECT_THAT(text, ContainsRegex("ping-pong, intra-node +2 +900 ns +20.0 % +9.90 GB/s +10.0 % "
                                  "+16 KiB"));
}

TEST(InterconnectTable, ScatteredTimesAreSaid) {
  Interconnect scattered = one_node();
  EXPECT_THAT(interconnect_table(scattered, wide()), testing::Not(HasSubstr("disturbed")));
  scattered.links.front().latency.high = Seconds(5e-6);
  EXPECT_THAT(interconnect_table(scattered, wide()), HasSubstr("disturbed"));
}

TEST(InterconnectTable, OneRowForEachSize) {
  const std::string text = interconnect_sizes(one_node(), wide());
  EXPECT_THAT(text, ContainsRegex("8 B +1.00 us"));
  EXPECT_THAT(text, ContainsRegex("4 MiB +420 us"));
}

TEST(InterconnectTable, FitsNarrowTerminals) {
  TextStyle narrow;
  narrow.columns = 60;
  EXPECT_THAT(interconnect_table(one_node(), narrow), HasSubstr("900 ns"));
}

}  // namespace
}  // namespace ridge::render
