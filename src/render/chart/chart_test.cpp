#include "render/chart/chart.hpp"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "render/chart/ceilings.hpp"
#include "render/fixture_for_tests.hpp"
#include "render/sentences_for_tests.hpp"

namespace ridge::render {
namespace {

Chart fixture_chart() {
  const Profile profile = fixture::profile();
  return chart_of(profile, fixture::prediction(profile));
}

TEST(LogScale, IsLinearInTheLogarithm) {
  const LogScale scale{0.01, 100.0};
  EXPECT_DOUBLE_EQ(scale.position(0.01), 0.0);
  EXPECT_DOUBLE_EQ(scale.position(1.0), 0.5);
  EXPECT_DOUBLE_EQ(scale.position(100.0), 1.0);
  EXPECT_NEAR(scale.value_at(scale.position(3.7)), 3.7, 1e-12);
}

TEST(LogScale, CoversAndStartsOnTheGrid) {
  const LogScale scale = scale_around(0.037, 812.0);
  EXPECT_DOUBLE_EQ(scale.low, 0.02);
  EXPECT_DOUBLE_EQ(scale.high, 812.0);
  const LogScale narrow = scale_around(5.0, 5.0);
  EXPECT_DOUBLE_EQ(narrow.low, 5.0);
  EXPECT_GE(narrow.high / narrow.low, 99.0);
}

TEST(Ticks, OneTwoFiveAreLabelled) {
  std::vector<std::string> labels;
  for (const Tick& tick : ticks({1e9, 30e9}, 1e9, 4.0)) {
    if (!tick.label.empty()) {
      labels.push_back(tick.label);
    }
  }
  EXPECT_EQ(labels, (std::vector<std::string>{"1", "2", "5", "10", "20"}));
}

TEST(Ticks, LongAxesLabelDecadesOrFewer) {
  const auto decades = ticks({1e-3, 1e4}, 1.0, 4.0);
  for (const Tick& tick : decades) {
    EXPECT_TRUE(tick.label.empty() || tick.decade);
  }
  const auto extreme = ticks({1e-30, 1e30}, 1.0, 4.0);
  EXPECT_LE(extreme.size(), 61U);
  EXPECT_LE(std::count_if(extreme.begin(), extreme.end(),
                          [](const Tick& tick) { return !tick.label.empty(); }),
            13);
}

Machine with_memory_patterns(double load, double copy) {
  Machine machine;
  machine.memories = {{.level = Level::DRAM, .size_bytes = {}}};
  for (const auto& [pattern, rate] :
       {std::pair(Pattern::load, load), std::pair(Pattern::nt_copy, copy)}) {
    Ceiling ceiling = ceiling_of({BandwidthKey{"DRAM", pattern, Isa::avx2, 1}});
    ceiling.value = Estimate<BytesPerSecond>{.p90 = BytesPerSecond{rate}};
    machine.ceilings.push_back(ceiling);
  }
  return machine;
}

TEST(Ceilings, ARoofOfMemoryThatAnotherPatternBeatsIsSaid) {
  const Machine beaten = with_memory_patterns(34e9, 49e9);
  const auto choice = choose_ceilings(beaten, "fp64", {"DRAM"}, 1);
  ASSERT_EQ(choice.higher_patterns.size(), 1U);
  EXPECT_EQ(choice.higher_patterns[0].higher->pattern, Pattern::nt_copy);
  EXPECT_EQ(choice.higher_patterns[0].roof->pattern, Pattern::load);
  const Chart chart = chart_of(beaten);
  ASSERT_EQ(chart.above_roofs.size(), 1U);
  EXPECT_THAT(chart.above_roofs[0],
              testing::AllOf(testing::HasSubstr("DRAM"), testing::HasSubstr("load, 34.0 GB/s"),
                             testing::HasSubstr("nt-copy moves 49.0 GB/s")));
  EXPECT_TRUE(chart_of(with_memory_patterns(34e9, 35e9)).above_roofs.empty());
  // Not of a cache: there the patterns are different limits of one core.
  Machine cache = beaten;
  cache.caches = {{.level = Level::L2, .size_bytes = 1U << 20U, .ways = 8}};
  for (Ceiling& ceiling : cache.ceilings) {
    ceiling.level = Level::L2;
  }
  EXPECT_TRUE(choose_ceilings(cache, "fp64", {"L2"}, 1).higher_patterns.empty());
}

// The reader of the page chooses the threads.
TEST(Ceilings, PatternsAboveRoofsAreKnownForEachNumberOfThreads) {
  Machine machine = with_memory_patterns(34e9, 49e9);
  machine.topology = Topology{};  // one thread
  for (Ceiling ceiling : with_memory_patterns(60e9, 61e9).ceilings) {
    ceiling.threads = 2;
    machine.ceilings.push_back(ceiling);
  }
  auto found = patterns_above_roofs(machine);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].threads, 1U);
  EXPECT_EQ(found[0].level, Level::DRAM);
  EXPECT_EQ(found[0].sentence, chart_of(machine).above_roofs.at(0));
  machine.ceilings.back().value = Estimate<BytesPerSecond>{.p90 = BytesPerSecond{70e9}};
  found = patterns_above_roofs(machine);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[1].threads, 2U);
  EXPECT_TRUE(patterns_above_roofs(Machine{}).empty());
}

TEST(Ceilings, AtTheThreadsOfTheProgram) {
  Profile profile = fixture::profile();
  EXPECT_EQ(choose_ceilings(profile).threads, 2U);
  profile.regions.front().threads = 1;
  EXPECT_EQ(choose_ceilings(profile).threads, 1U);
  profile.regions.front().threads = 64;
  EXPECT_EQ(choose_ceilings(profile).threads, 2U);
}

TEST(Ceilings, RoofIsTheHighestAndOthersStandApart) {
  const Profile profile = fixture::profile();
  const CeilingChoice choice = choose_ceilings(profile);
  ASSERT_GE(choice.compute.size(), 3U);
  EXPECT_EQ(choice.compute.front()->id, "compute.fp64.avx512.fma+add.t2");
  for (std::size_t i = 1; i < choice.compute.size(); ++i) {
    EXPECT_GE(p90_of(choice.compute[i - 1]->value) / p90_of(choice.compute[i]->value), 1.0999);
  }
}

TEST(Ceilings, PrecisionWithTheMostWork) {
  Profile profile = fixture::profile();
  EXPECT_EQ(choose_ceilings(profile).precision, "fp64");
  work_of(profile.regions.front()).add(Precision::fp32, OperationKind::fma, 512, 1'000'000'000'000);
  EXPECT_EQ(choose_ceilings(profile).precision, "fp32");
}

TEST(Ceilings, LoadBandwidthOrWhatThereIs) {
  Profile profile = fixture::profile();
  auto& ceilings = profile.machine.ceilings;
  EXPECT_EQ(choose_ceilings(profile).bandwidths.back().second->id, "bandwidth.DRAM.load.avx512.t2");
  ceilings.erase(std::remove_if(ceilings.begin(), ceilings.end(),
                                [](const Ceiling& c) { return c.pattern == Pattern::load; }),
                 ceilings.end());
  const auto* dram = choose_ceilings(profile).bandwidths.back().second;
  EXPECT_EQ(dram->id, "bandwidth.DRAM.copy.avx512.t2");
  EXPECT_NEAR(traffic_rate(*dram), 24.3e9 * 1.5, 1.0);
}

TEST(Chart, RoofsReachPastEveryDot) {
  const Chart chart = fixture_chart();
  ASSERT_EQ(chart.roofs.size(), 4U);
  ASSERT_EQ(chart.regions.size(), 5U);
  for (const ChartRegion& region : chart.regions) {
    EXPECT_GT(chart.y.position(region.flops_per_second), 0.0);
    EXPECT_LT(chart.y.position(region.flops_per_second), 1.0);
    for (const ChartDot& dot : region.dots) {
      if (dot.intensity) {
        EXPECT_GT(chart.x.position(*dot.intensity), 0.02);
        EXPECT_LT(chart.x.position(*dot.intensity), 0.98);
      }
    }
  }
  for (const BandwidthRoof& roof : chart.roofs) {
    const double ridge = chart.roof->flops_per_second / roof.bytes_per_second;
    EXPECT_GT(chart.x.position(ridge), 0.0);
    EXPECT_LT(chart.x.position(ridge), 0.9);
    EXPECT_DOUBLE_EQ(chart.roof_at(roof, ridge * 100.0), chart.roof->flops_per_second);
    EXPECT_DOUBLE_EQ(chart.roof_at(roof, ridge / 2.0), chart.roof->flops_per_second / 2.0);
  }
}

const ChartRegion& ranked(const Chart& chart, unsigned rank) {
  const auto found = std::find_if(chart.regions.begin(), chart.regions.end(),
                                  [&](const ChartRegion& region) { return region.rank == rank; });
  EXPECT_NE(found, chart.regions.end());
  return *found;
}

TEST(Chart, UnboundedLevelsAreKept) {
  const Chart chart = fixture_chart();
  EXPECT_FALSE(ranked(chart, 5).dots.back().intensity.has_value());
}

// docs/decisions/0213: page, table and chart place a loop at the same level.
TEST(Chart, TheNumberStandsAtTheLevelThatBinds) {
  const Chart chart = fixture_chart();
  const auto level = [&](unsigned rank) {
    return chart.levels[ranked(chart, rank).main_dot().level];
  };
  EXPECT_EQ(level(1), "DRAM");
  EXPECT_EQ(level(2), "DRAM");
  // Arithmetic binds these two: at the level whose traffic takes longest at its roof.
  EXPECT_EQ(level(5), "L1");
  EXPECT_EQ(level(7), "L1");
}

TEST(Chart, AllLevelsAreThoseOfTheThreeHottest) {
  const Chart chart = fixture_chart();
  for (const ChartRegion& region : chart.regions) {
    EXPECT_EQ(region.expanded, region.rank <= 3) << region.rank;
  }
}

// One loop in a cache moves almost nothing beyond it: 710 flop/byte at DRAM, where the last ridge
// point is at 4.6.
TEST(Chart, AFarLevelThatDoesNotBindDoesNotStretchTheAxis) {
  const Chart chart = fixture_chart();
  EXPECT_LT(chart.x.high, 20.0);
  for (const ChartDot& dot : ranked(chart, 7).dots) {
    const bool is_near = chart.levels[dot.level] == "L1" || chart.levels[dot.level] == "L2";
    EXPECT_EQ(dot.intensity.has_value(), is_near) << "else an arrow";
  }
  EXPECT_TRUE(chart.outside.empty());
  EXPECT_THAT(chart.marks_mean, ::testing::HasSubstr("arrow: little or no traffic"));
}

TEST(Chart, ALoopFarBelowTheOthersIsToldNotDrawn) {
  Profile profile = fixture::profile();
  for (Region& region : profile.regions) {
    if (region.name == "max_difference") {
      region.flops = Work{};
      work_of(region).add(Precision::fp64, OperationKind::add, 64, 400);
      region.bytes_loaded = region.bytes_stored = 100;
    }
  }
  const Chart chart = chart_of(profile, {});
  EXPECT_EQ(chart.outside, std::vector<unsigned>{3});
  EXPECT_GT(chart.y.low, 1e8);
  for (const ChartRegion& region : chart.regions) {
    EXPECT_NE(region.rank, 3U);
  }
}

TEST(Chart, RegionsWithLittleTimeAreSpecksButTheTenHottest) {
  const Profile equal = fixture::many_loops(200);  // 0.5 % each
  const Chart small = chart_of(equal, fixture::prediction(equal));
  EXPECT_EQ(small.regions.size(), 10U);
  EXPECT_EQ(small.specks.size(), 190U);
  const Profile hot = fixture::many_loops(60);  // 1.7 % each
  EXPECT_EQ(chart_of(hot, fixture::prediction(hot)).regions.size(), 50U);
  EXPECT_EQ(chart_of(equal, fixture::prediction(equal), {190, 191}).regions.size(), 2U);
}

TEST(Chart, ASlideHasTheVerdictAndFiveLoops) {
  const Profile profile = fixture::many_loops(30);
  Chart chart = chart_of(profile, fixture::prediction(profile));
  const std::string usual = chart.title;
  const Chart slide = for_slide(chart, 5);
  EXPECT_EQ(slide.title, fixture::prediction(profile).verdict);
  EXPECT_EQ(slide.regions.size(), 5U);
  EXPECT_FALSE(slide.regions.front().expanded);
  chart.verdict.clear();
  EXPECT_EQ(for_slide(chart, 5).title, usual);
}

TEST(Chart, WithoutTrafficNamesTheRanks) {
  Profile profile = fixture::profile();
  for (Region& region : profile.regions) {
    region.traffic.clear();
    region.bytes_loaded = region.bytes_stored = 0;
  }
  const Chart chart = chart_of(profile, {});
  EXPECT_TRUE(chart.regions.empty());
  EXPECT_EQ(chart.without_traffic, (std::vector<unsigned>{1, 2, 3, 5, 7}));
}

TEST(Chart, ExtremeValuesStayFinite) {
  Profile profile = fixture::profile();
  profile.regions.at(1).traffic["DRAM"] = {UINT64_MAX / 2, UINT64_MAX / 2};
  profile.regions.at(2).time_seconds.self->value = Seconds(1e-300);
  const Chart chart = chart_of(profile, {});
  for (const double value : {chart.x.low, chart.x.high, chart.y.low, chart.y.high}) {
    EXPECT_TRUE(std::isfinite(value) && value > 0.0);
  }
  EXPECT_LT(ticks(chart.y, chart.y_prefix.factor, 4.0).size(), 700U);
}

}  // namespace

void chart_sentences(tests::Sentences& sentences) {
  sentences.add("a roof of memory that another pattern beats",
                chart_of(with_memory_patterns(34e9, 49e9)).above_roofs.at(0));
}

}  // namespace ridge::render
