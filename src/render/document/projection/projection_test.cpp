// The chart and the table of a program on other machines.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "render/document/projection/projection_svg.hpp"
#include "render/document/projection/projection_table.hpp"
#include "render/fixture_for_tests.hpp"
#include "render/format/svg/svg_layout.hpp"
#include "render/golden_for_tests.hpp"
#include "render/sentences_for_tests.hpp"

namespace ridge::render {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

Projection projection(const Profile& profile, std::size_t machines = 2) {
  Projection made;
  made.seconds_here = profile.program.wall_seconds.value();
  made.precision = "fp64";
  made.assumptions = {"the same instructions as compiled here"};
  for (std::size_t i = 0; i < machines; ++i) {
    MachineProjection machine;
    machine.machine = "m" + std::to_string(i);
    machine.name = "Machine " + std::to_string(i);
    machine.seconds = made.seconds_here / (4.0 - static_cast<double>(i));
    machine.ideal_seconds = *machine.seconds / 2.0;
    machine.projected_share = 0.9;
    machine.simulated = i == 0;
    machine.memory = Level::DRAM;
    machine.flops_per_second = 1e12 * static_cast<double>(i + 1);
    machine.bytes_per_second = 4e11 * static_cast<double>(i + 1);
    for (const Region& region : profile.regions) {
      if (region.kind != RegionKind::program && region.time_seconds.self) {
        ProjectedRegion projected;
        projected.region = region.id;
        projected.cores = 8;
        if (known_work(region).total() > 0) {
          projected.seconds = region.time_seconds.self->value.value() / 3.0;
          projected.ideal_seconds = *projected.seconds / 2.0;
          projected.fraction = 0.5;
          projected.intensity = 0.2;
          projected.bound = Bound{"bandwidth.DRAM.load.any.t8", {}, 1e9, {}, {}, {}};
        } else {
          projected.missing = "no-rate";
        }
        machine.regions.push_back(projected);
      }
    }
    made.machines.push_back(machine);
  }
  made.machines.back().notes = {{"x", "the traffic is \x1b[31mold"}};
  return made;
}

TextStyle wide() {
  TextStyle style;
  style.columns = 140;
  return style;
}

TEST(ProjectionTable, MachinesLoopsNotesAssumptions) {
  const Profile profile = fixture::profile();
  const std::string text = projection_table(profile, projection(profile), wide());
  EXPECT_THAT(text, ContainsRegex("m0 +Machine 0 .* 4\\.00.* 8\\.00.* 90 % +simulated"));
  EXPECT_THAT(text, ContainsRegex("m1 +Machine 1 .* 3\\.00.* 6\\.00.* 90 % +as here"));
  EXPECT_THAT(text, HasSubstr("no-rate"));
  EXPECT_THAT(text, HasSubstr("Assumed"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST(ProjectionTable, AMachineWithoutTimesHasDashes) {
  const Profile profile = fixture::profile();
  Projection unknown = projection(profile, 1);
  unknown.machines[0].seconds.reset();
  unknown.machines[0].ideal_seconds.reset();
  unknown.machines[0].projected_share = 0.0;
  EXPECT_THAT(projection_table(profile, unknown, wide()), ContainsRegex("m0 .* - +- +- +- +0 %"));
}

TEST(ProjectionChart, OneRoofAndOneDotPerMachine) {
  const Profile profile = fixture::profile();
  const Chart chart = projection_chart(profile, projection(profile));
  ASSERT_EQ(chart.roofs.size(), 3U);
  EXPECT_THAT(chart.roofs[0].label, HasSubstr("here"));
  EXPECT_EQ(chart.roofs[1].peak, 1e12);
  EXPECT_EQ(chart.lower_ceilings.front().flops_per_second, 2e12) << "descending";
  ASSERT_FALSE(chart.regions.empty());
  for (const ChartRegion& region : chart.regions) {
    EXPECT_EQ(region.dots.size(), 3U);
    EXPECT_EQ(region.dots.back().level, 0U);
    EXPECT_DOUBLE_EQ(*region.dots.front().flops_per_second, 3.0 * region.flops_per_second);
  }
}

TEST(ProjectionChart, RoofsSayForHowManyCores) {
  const Profile profile = fixture::profile();
  Projection made = projection(profile, 3);
  made.machines[0].cores = 2;
  made.machines[1].machine = made.machines[0].machine;
  made.machines[1].cores = 96;
  made.machines[1].cores_are = CoresThere::whole;
  const Chart chart = projection_chart(profile, made);
  ASSERT_EQ(chart.roofs.size(), 4U);
  EXPECT_EQ(chart.roofs[0].label, "here, 2 threads, 38.4 GB/s");
  EXPECT_EQ(chart.roofs[1].label, "m0, 2 of 96 cores, 400 GB/s");
  EXPECT_EQ(chart.roofs[2].label, "m0, 96 cores, 800 GB/s");
  EXPECT_EQ(chart.roofs[3].label, "m2, 1 core, 1.20 TB/s");
}

TEST(ProjectionChart, TheKeyNamesItsNumbers) {
  const Profile profile = fixture::profile();
  const std::string svg = projection_svg(profile, projection(profile));
  EXPECT_THAT(svg, HasSubstr("1  jacobi_sweep heat2d.cpp:48"));
}

TEST(ProjectionChart, LoopsWithLittleWorkDoNotStretchIt) {
  Profile profile = fixture::profile();
  const std::size_t before = projection_chart(profile, projection(profile)).regions.size();
  for (Region& region : profile.regions) {
    region.bytes_loaded = 1001 * known_work(region).total();
  }
  EXPECT_GT(before, 0U);
  EXPECT_EQ(projection_chart(profile, projection(profile)).regions.size(), 0U);
}

TEST(ProjectionChart, NoMoreMachinesThanThereAreStyles) {
  const Profile profile = fixture::profile();
  const Chart chart = projection_chart(profile, projection(profile, 20));
  EXPECT_EQ(chart.levels.size(), kLevelStyles);
  EXPECT_EQ(chart.roofs.size(), kLevelStyles);
}

TEST(ProjectionChart, EverythingLiesInsideThePlot) {
  const Profile profile = fixture::profile();
  const SvgLayout layout = layout_svg(projection_chart(profile, projection(profile, 4)));
  for (const PlacedRegion& region : layout.regions) {
    for (const PlacedMark& mark : region.marks) {
      EXPECT_GE(mark.x, layout.left);
      EXPECT_LE(mark.x, layout.right);
      EXPECT_GE(mark.y, layout.top);
      EXPECT_LE(mark.y, layout.bottom);
    }
  }
  for (const PlacedLine& line : layout.roofs) {
    EXPECT_GE(std::min(line.y1, line.y2), layout.top - 1e-6);
    EXPECT_LE(std::max(line.x1, line.x2), layout.right + 1e-6);
  }
}

TEST(ProjectionSvg, Golden) {
  const Profile profile = fixture::profile();
  expect_golden("projection.svg", projection_svg(profile, projection(profile)));
}

TEST(ProjectionSvg, WithoutAnythingItIsStillAFile) {
  const std::string svg = projection_svg(Profile{}, Projection{});
  EXPECT_THAT(svg, HasSubstr("<svg"));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

}  // namespace

void projection_table_sentences(tests::Sentences& sentences) {
  const Profile profile = fixture::profile();
  sentences.add("a projection", projection_table(profile, projection(profile), wide()));
}

}  // namespace ridge::render
