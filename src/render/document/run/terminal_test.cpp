#include <cctype>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "render/chart/selection.hpp"
#include "render/chart/text.hpp"
#include "render/document/bench/machine_table.hpp"
#include "render/document/run/loop_table.hpp"
#include "render/document/run/run_summary.hpp"
#include "render/fixture_for_tests.hpp"
#include "render/format/text/roofline_chart.hpp"
#include "render/golden_for_tests.hpp"
#include "render/sentences_for_tests.hpp"

namespace ridge::render {
namespace {

std::string without_colour(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      i = text.find('m', i);
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string summary(const TextStyle& style) {
  const Profile profile = fixture::profile();
  return run_summary(profile, fixture::prediction(profile), style);
}

Profile hostile_profile() {
  Profile profile = fixture::profile();
  profile.machine.name = kHostile;
  profile.machine.cpu = CpuIdentity{.name = kHostile};
  profile.machine.ceilings.front().flags = {kHostile};
  profile.machine.memories.push_back({Level::CXL, std::nullopt});
  profile.program.argv = {kHostile, kHostile};
  profile.program.compiler = kHostile;
  profile.notes.push_back({"x", kHostile});
  for (Region& region : profile.regions) {
    region.name = kHostile;
    region.file = kHostile;
    region.notes.push_back({kHostile, kHostile});
    region.traffic[Level::CXL] = {1000, 1000};
  }
  return profile;
}

struct Variant {
  int columns;
  bool unicode;
  bool colour;
  const char* name;
};

class Golden : public testing::TestWithParam<Variant> {};

TEST_P(Golden, RunSummary) {
  const Variant& variant = GetParam();
  expect_golden(fmt::format("run_summary_{}_{}.txt", variant.columns, variant.name),
                summary({variant.columns, variant.unicode, variant.colour}));
}

TEST_P(Golden, MachineTable) {
  const Variant& variant = GetParam();
  expect_golden(fmt::format("machine_table_{}_{}.txt", variant.columns, variant.name),
                machine_table(fixture::zen4(), {variant.columns, variant.unicode, variant.colour}));
}

INSTANTIATE_TEST_SUITE_P(
    Styles, Golden,
    testing::Values(Variant{80, true, false, "unicode"}, Variant{120, true, false, "unicode"},
                    Variant{200, true, false, "unicode"}, Variant{80, false, false, "ascii"},
                    Variant{120, false, false, "ascii"}, Variant{200, false, false, "ascii"},
                    Variant{80, true, true, "colour"}, Variant{120, true, true, "colour"},
                    Variant{200, true, true, "colour"}, Variant{120, false, true, "ascii_colour"}),
    [](const testing::TestParamInfo<Variant>& variant) {
      return fmt::format("{}_{}", variant.param.columns, variant.param.name);
    });

TEST(Terminal, NoLineIsWiderThanTheTerminal) {
  for (int columns = 60; columns <= 200; columns += 7) {
    for (const bool unicode : {true, false}) {
      for (const std::string& line : lines_of(summary({columns, unicode, false}))) {
        ASSERT_LE(display_width(line), static_cast<std::size_t>(columns)) << line;
      }
      for (const std::string& line : lines_of(machine_table(fixture::zen4(), {columns, unicode}))) {
        ASSERT_LE(display_width(line), static_cast<std::size_t>(std::max(columns, 72))) << line;
      }
    }
  }
}

TEST(Terminal, ColourChangesNothingButColour) {
  const auto trimmed = [](const std::string& text) {
    std::string out;
    for (std::string line : lines_of(text)) {
      if (line.starts_with("  time:   ")) {
        continue;  // the key to the colours
      }
      line.erase(line.find_last_not_of(' ') + 1);
      out += line + "\n";
    }
    return out;
  };
  for (const bool unicode : {true, false}) {
    const std::string coloured = summary({100, unicode, true});
    EXPECT_NE(coloured.find("\x1b["), std::string::npos);
    EXPECT_EQ(trimmed(without_colour(coloured)), trimmed(summary({100, unicode, false})));
  }
  EXPECT_EQ(summary({100, true, false}).find('\x1b'), std::string::npos);
}

TEST(Terminal, AsciiMeansAscii) {
  const Profile hostile = hostile_profile();
  for (const std::string& text :
       {summary({100, false, false}), machine_table(hostile.machine, {100, false}),
        run_summary(hostile, fixture::prediction(fixture::profile()), {100, false})}) {
    for (const char c : text) {
      ASSERT_TRUE(c == '\n' || (c >= 0x20 && c < 0x7f)) << static_cast<int>(c);
    }
  }
}

TEST(Terminal, HostileTextIsHarmless) {
  const Profile hostile = hostile_profile();
  const std::string text = run_summary(hostile, {}, {100, true, false}) +
                           machine_table(hostile.machine, {100, true, false});
  for (const std::string& line : lines_of(text)) {
    ASSERT_EQ(clean(line), line);
  }
}

TEST(Terminal, EmptyProfileSaysSo) {
  const std::string text = run_summary({}, {}, {});
  EXPECT_NE(text.find("no chart"), std::string::npos);
  EXPECT_NE(text.find("no loops or functions"), std::string::npos);
  EXPECT_NE(machine_table({}, {}).find("no ceilings"), std::string::npos);
}

TEST(Terminal, ZeroFlopRegionsAloneAreListedWithBandwidth) {
  Profile profile = fixture::profile();
  for (Region& region : profile.regions) {
    region.flops = {};
  }
  const std::string table = loop_table(profile, {}, {120});
  EXPECT_EQ(table.find("intensity"), std::string::npos);
  EXPECT_NE(table.find("byte/s"), std::string::npos);
  EXPECT_NE(table.find("28.0 GB/s"), std::string::npos) << table;  // 146 GB in 5.21 s
  EXPECT_NE(roofline_chart(profile, {}, {120}).find("AVX-512"), std::string::npos);
}

Profile without_traffic() {
  Profile profile = fixture::profile();
  for (Region& region : profile.regions) {
    region.traffic.clear();
    region.bytes_loaded = region.bytes_stored = 0;
  }
  return profile;
}

TEST(Terminal, WithoutTrafficIntensitiesAreUnknown) {
  const std::string text = run_summary(without_traffic(), {}, {140});
  EXPECT_NE(text.find("traffic unknown"), std::string::npos);
  EXPECT_NE(text.find(": 1, 2, 3, 5, 7"), std::string::npos);
  EXPECT_EQ(text.find("cache model"), std::string::npos);  // nothing was simulated
  EXPECT_EQ(text.find("unb."), std::string::npos);
}

TEST(Terminal, FiguresOfSampledLinesCarryTheirDoubt) {
  Profile profile = fixture::profile();
  EXPECT_NE(loop_table(profile, {}, {140}).find("unb. "), std::string::npos);
  EXPECT_EQ(loop_table(profile, {}, {140}).find("? "), std::string::npos);
  for (Region& region : profile.regions) {
    region.traffic_mode = TrafficMode::sampled;
  }
  const std::string table = loop_table(profile, {}, {140});
  EXPECT_NE(table.find("unb.?"), std::string::npos) << table;
  EXPECT_NE(table.find("? from sampled lines"), std::string::npos) << table;
}

Profile with_an_uncertain_region() {
  Profile profile = fixture::profile();
  profile.regions.at(1).partial = true;
  profile.regions.at(1).notes.push_back({"uncertain-share", "short"});
  return profile;
}

TEST(Terminal, MarksPartialAndUncertain) {
  const Profile profile = with_an_uncertain_region();
  const std::string table = loop_table(profile, {}, {140});
  EXPECT_NE(table.find("1*  ~42.0%"), std::string::npos) << table;
  EXPECT_NE(table.find("cut midway"), std::string::npos);
  EXPECT_NE(table.find("uncertain"), std::string::npos);
}

/// The hottest loop sleeps, the next one works in the kernel.
Prediction with_time_elsewhere(const Profile& profile) {
  Prediction prediction = fixture::prediction(profile);
  VerdictKind kind = VerdictKind::asleep;
  for (const ShownRegion& shown : select_regions(profile, prediction, 2).shown) {
    RegionPrediction& own =
        prediction.regions[static_cast<std::size_t>(shown.region - profile.regions.data())];
    own.code.reset();
    own.machine.reset();
    own.gain.reset();
    own.verdict = RegionVerdict{kind, {}, "elsewhere", false};
    kind = VerdictKind::kernel;
  }
  return prediction;
}

TEST(Terminal, SleepAndKernelStandInPlaceOfARoof) {
  const Profile profile = fixture::profile();
  const Prediction prediction = with_time_elsewhere(profile);
  const std::string table = loop_table(profile, prediction, {140});
  EXPECT_NE(table.find("asleep"), std::string::npos) << table;
  EXPECT_NE(table.find("in the kernel"), std::string::npos) << table;
  const Selection selection = select_regions(profile, prediction, 2);
  for (const ShownRegion& shown : selection.shown) {
    EXPECT_FALSE(shown.flops_per_second);
    EXPECT_FALSE(shown.levels.front().bytes_per_second);
    EXPECT_TRUE(shown.levels.front().bytes);
  }
  EXPECT_NE(loop_table(profile, prediction, {60}).find(" kernel"), std::string::npos);
}

TEST(Terminal, FooterCountsWhatIsLeftOut) {
  const Profile profile = fixture::many_loops(1000);
  const std::string table = loop_table(profile, {}, {});
  EXPECT_NE(table.find("960 more regions, 96.0 %"), std::string::npos) << table;
}

// Whatever has to go, the level that binds stays, and what went is named.
TEST(Terminal, OneTableByRankWithTheLevelThatBinds) {
  const Profile profile = fixture::profile();
  const Prediction prediction = fixture::prediction(profile);
  for (int columns = 60; columns <= 200; columns += 20) {
    const std::string table = loop_table(profile, prediction, {columns, true, false});
    int rank = 0;
    for (const std::string& line : lines_of(table)) {
      const auto first = line.find_first_not_of(' ');
      if (first != std::string::npos &&
          std::isdigit(static_cast<unsigned char>(line[first])) != 0 &&
          line.find("more region") == std::string::npos &&
          line.find("region never") == std::string::npos) {
        EXPECT_EQ(std::stoi(line.substr(first)), ++rank) << table;
      }
    }
    EXPECT_EQ(rank, 7) << table;
    EXPECT_NE(table.find("0.288 DRAM"), std::string::npos) << table;
    EXPECT_TRUE(table.find("wait max_diff") != std::string::npos ||
                table.find("waits in max_diff") != std::string::npos)
        << table;
    EXPECT_NE(table.find("imbalance"), std::string::npos) << table;
    const bool all =
        table.find("machine ") != std::string::npos && table.find("   L1") != std::string::npos;
    EXPECT_EQ(table.find("left out for want of columns") == std::string::npos, all) << table;
  }
}

TEST(Terminal, SharesThatOverlapAreNotSummed) {
  Profile profile = fixture::many_loops(100);
  EXPECT_NE(loop_table(profile, {}, {}).find("60.0 % of the time"), std::string::npos);
  profile.program.wall_seconds = profile.program.wall_seconds * 0.5;
  EXPECT_EQ(loop_table(profile, {}, {}).find("% of the time"), std::string::npos);
}

TEST(Terminal, NumbersStandInTheChartOnce) {
  const Profile profile = fixture::many_loops(25);
  const std::string chart = roofline_chart(profile, {}, {120, true, true});
  const Selection table = select_regions(profile, {}, kMostTableRows);
  ASSERT_GT(table.shown.size(), 20U);
  EXPECT_EQ(chart.find("\x1b[1m25\x1b[0m"), std::string::npos) << "no row of the table";
  for (unsigned rank = 1; rank <= table.shown.size(); ++rank) {
    // Numbers alone are bold here; a neighbour that touched would stand in the same run.
    const std::string number = fmt::format("\x1b[1m{}\x1b[0m", rank);
    const auto first = chart.find(number);
    EXPECT_NE(first, std::string::npos) << rank;
    EXPECT_EQ(chart.find(number, first + 1), std::string::npos) << rank;
  }
}

TEST(Terminal, TenThousandRegions) {
  const Profile profile = fixture::many_loops(10'000);
  const std::string text = run_summary(profile, fixture::prediction(profile), {});
  EXPECT_LT(lines_of(text).size(), 200U);
}

}  // namespace

void terminal_sentences(tests::Sentences& sentences) {
  sentences.add("a run without traffic", run_summary(without_traffic(), {}, {140}));
  sentences.add("loops, one of them uncertain", loop_table(with_an_uncertain_region(), {}, {140}));
  sentences.add("loops that sleep and work in the kernel",
                loop_table(fixture::profile(), with_time_elsewhere(fixture::profile()), {140}));
  sentences.add("many loops", loop_table(fixture::many_loops(1000), {}, {}));
}

}  // namespace ridge::render
