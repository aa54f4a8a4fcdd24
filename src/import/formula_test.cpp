#include "import/formula.hpp"

#include <array>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "import/files_for_tests.hpp"

namespace ridge::imports {
namespace {

constexpr std::array kFormulas{
    Formula{.figure = Figure::seconds, .factor = 1e-9, .metrics = {"ns"}},
    Formula{.figure = Figure::flops, .kind = OperationKind::add, .metrics = {"add"}},
    Formula{.figure = Figure::flops, .kind = OperationKind::fma, .factor = 2.0, .metrics = {"fma"}},
    Formula{.figure = Figure::flops,
            .width_bits = 512,
            .factor = 8.0,
            .metrics = {"wide"},
            .may_lack = true},
    Formula{
        .figure = Figure::flops, .way = 1, .metrics = {"rate", "seconds"}, .kind_is_unknown = true},
    Formula{.figure = Figure::traffic_read, .level = Level::DRAM, .metrics = {"read"}},
    Formula{.figure = Figure::traffic_written, .level = Level::DRAM, .metrics = {"written"}},
    Formula{.figure = Figure::traffic, .level = Level::DRAM, .metrics = {"both"}},
};

using Values = std::vector<std::pair<std::string_view, double>>;

const FormulaTable& table() {
  static const FormulaTable kTable{kFormulas};
  return kTable;
}

MetricValues values_of(const Values& known) {
  MetricValues values(table().metric_count());
  for (const auto& [name, value] : known) {
    values[table().number_of(name).value()] = value;
  }
  return values;
}

Region region_of(const std::vector<Values>& launches) {
  FigureSums sums(table());
  for (const Values& launch : launches) {
    sums.add(values_of(launch));
  }
  Region region;
  EXPECT_EQ(sums.put_into(region), std::nullopt);
  return region;
}

TEST(Formulas, AFigureNeedsAllOfItsMetrics) {
  EXPECT_FALSE(region_of({{{"add", 5.0}}}).flops);
  const Region region = region_of({{{"add", 5.0}, {"fma", 10.0}}});
  EXPECT_EQ(region.flops->total(), 25U);
  EXPECT_FALSE(region.time_seconds.self);
  EXPECT_TRUE(region.traffic.empty());
}

TEST(Formulas, WhatAMachineMayLackAddsNothing) {
  const Region region = region_of({{{"add", 1.0}, {"fma", 1.0}, {"wide", 2.0}}});
  EXPECT_EQ(region.flops->total(), 1U + 2U + 16U);
}

TEST(Formulas, TheFirstWayThatIsThereGivesAll) {
  const Region other = region_of({{{"add", 1.0}, {"rate", 10.0}, {"seconds", 3.0}}});
  EXPECT_EQ(other.flops->total(), 30U);
  EXPECT_TRUE(has_note(other.notes, "kind-unknown"));
  const Region first = region_of({{{"add", 1.0}, {"fma", 0.0}, {"rate", 10.0}, {"seconds", 3.0}}});
  EXPECT_EQ(first.flops->total(), 1U);
  EXPECT_FALSE(has_note(first.notes, "kind-unknown"));
}

TEST(Formulas, LaunchesAddUpAndOneWithoutAMetricMakesItUnknown) {
  const Region both = region_of({{{"ns", 1e9}, {"add", 1.0}, {"fma", 0.0}}, {{"ns", 2e9}}});
  EXPECT_DOUBLE_EQ(both.time_seconds.self->value.value(), 3.0);
  EXPECT_EQ(both.time_seconds.self->samples, 0U) << "measured as a whole";
  EXPECT_FALSE(both.flops);
}

TEST(Formulas, TrafficWithoutDirectionStandsAsRead) {
  const Region told = region_of({{{"read", 3.0}, {"written", 4.0}, {"both", 9.0}}});
  EXPECT_EQ(told.traffic.at("DRAM"), (Traffic{3, 4}));
  EXPECT_FALSE(has_note(told.notes, "direction-unknown"));
  const Region untold = region_of({{{"read", 3.0}, {"both", 9.0}}});
  EXPECT_EQ(untold.traffic.at("DRAM"), (Traffic{9, 0}));
  EXPECT_TRUE(has_note(untold.notes, "direction-unknown"));
  EXPECT_TRUE(region_of({{{"read", 3.0}}}).traffic.empty());
}

TEST(Formulas, ZeroIsKnown) {
  const Region region = region_of({{{"add", 0.0}, {"fma", 0.0}, {"read", 0.0}, {"written", 0.0}}});
  ASSERT_TRUE(region.flops);
  EXPECT_EQ(region.flops->total(), 0U);
  EXPECT_EQ(region.traffic.at("DRAM"), Traffic{});
}

TEST(Formulas, WhatNoCountHoldsIsARefusal) {
  for (const Values& bad :
       {Values{{"add", -5.0}, {"fma", 0.0}}, Values{{"add", 1e300}, {"fma", 0.0}},
        Values{{"ns", -1.0}}, Values{{"both", 1e20}}}) {
    FigureSums sums(table());
    sums.add(values_of(bad));
    Region region;
    EXPECT_TRUE(sums.put_into(region)) << bad.front().first;
  }
}

TEST(Counts, AreRoundedAndBounded) {
  EXPECT_EQ(count_of(2.6), 3U);
  EXPECT_EQ(count_of(-1e-9), 0U);
  EXPECT_EQ(count_of(-1.0), std::nullopt);
  EXPECT_EQ(count_of(0x1p62), std::uint64_t{1} << 62U);
  EXPECT_EQ(count_of(0x1p63), std::nullopt);
  EXPECT_EQ(count_of(std::numeric_limits<double>::quiet_NaN()), std::nullopt);
}

}  // namespace
}  // namespace ridge::imports
