#include "render/document/chart/machines_chart.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "render/chart/chart_geometry.hpp"
#include "render/document/chart/roofline_csv.hpp"
#include "render/document/chart/roofline_table.hpp"
#include "render/format/svg/layout_for_tests.hpp"
#include "render/format/svg/roofline_svg.hpp"
#include "render/format/svg/svg_layout.hpp"

namespace ridge::render {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

RooflineLine bandwidth(Level level, double rate, RooflineKind kind = RooflineKind::roof) {
  RooflineLine line;
  line.kind = kind;
  line.level = level;
  line.words = to_string(level);
  line.rate = rate;
  return line;
}

RooflineLine peak(const char* words, double rate, RooflineKind kind = RooflineKind::roof) {
  RooflineLine line;
  line.kind = kind;
  line.precision = "fp64";
  line.pipes = Pipes::vector;
  line.words = words;
  line.rate = rate;
  return line;
}

RooflineMachine machine(const std::string& key, double rate, double memory) {
  return {key, "the " + key, {bandwidth(Level::DRAM, memory), peak("fp64", rate)}, {}};
}

RooflineDot dot(const std::string& name, const std::string& machine, double intensity, double rate,
                bool measured = false) {
  RooflineDot made;
  made.name = name;
  made.machine = machine;
  made.level = to_string(Level::DRAM);
  made.intensity = intensity;
  made.performance = rate;
  made.measured = measured;
  return made;
}

/// 3 of a lecture: 35, 100 and 900 GB/s; 200, 1200 and 7000 GFlop/s.
RooflineChart three() {
  RooflineChart chart;
  chart.title = "three machines";
  chart.machines = {machine("skl", 200e9, 35e9), machine("xeon", 1200e9, 100e9),
                    machine("v100", 7e12, 900e9)};
  return chart;
}

void expect_no_overlap(const SvgLayout& layout) {
  const auto texts = texts_of(layout);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    for (std::size_t j = i + 1; j < texts.size(); ++j) {
      EXPECT_FALSE(overlap(box_of(texts[i]), box_of(texts[j])))
          << texts[i].text << " / " << texts[j].text;
    }
  }
}

TEST(MachinesChart, RoofsRiseWithTheBandwidthAndBendAtTheRidgePoint) {
  const Chart chart = machines_chart(three());
  ASSERT_THAT(chart.roofs, SizeIs(3));
  const double knees[] = {200.0 / 35.0, 12.0, 7000.0 / 900.0};
  const double peaks[] = {200e9, 1200e9, 7e12};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto slope = segment_of(chart, chart.roofs[i]);
    ASSERT_TRUE(slope);
    EXPECT_NEAR(slope->x2, knees[i], 1e-9);
    EXPECT_DOUBLE_EQ(slope->y2, peaks[i]);
    EXPECT_NEAR(slope->y1, slope->x1 * chart.roofs[i].bytes_per_second, 1e-3);
  }
  for (const ComputeCeiling& ceiling : chart.lower_ceilings) {
    const Segment flat = segment_of(chart, ceiling);
    EXPECT_NEAR(flat.x1, flat.y1 / chart.roofs[*ceiling.at].bytes_per_second, 1e-9);
    EXPECT_FALSE(ceiling.lower);
  }
}

TEST(MachinesChart, DotsStandWhereTheirNumbersSay) {
  RooflineChart data = three();
  data.dots = {dot("AX", "v100", 1.0 / 16.0, 47.25e9, true), dot("AX", "v100", 1.0 / 16.0, 56.25e9),
               dot("AX", "skl", 1.0 / 16.0, 2.1875e9)};
  const Chart chart = machines_chart(data);
  ASSERT_THAT(chart.regions, SizeIs(2));
  const ChartRegion& on_v100 =
      chart.regions[0].dots.size() == 2 ? chart.regions[0] : chart.regions[1];
  ASSERT_THAT(on_v100.dots, SizeIs(2));
  EXPECT_TRUE(on_v100.dots.front().hollow);
  EXPECT_FALSE(on_v100.dots.back().hollow);
  EXPECT_EQ(on_v100.label, "AX");
  const SvgLayout layout = layout_svg(chart);
  const double x = layout.left + chart.x.position(1.0 / 16.0) * (layout.right - layout.left);
  for (const PlacedRegion& region : layout.regions) {
    for (const PlacedMark& mark : region.marks) {
      EXPECT_NEAR(mark.x, x, 1e-9);
    }
  }
  EXPECT_THAT(chart_svg(chart), HasSubstr("filled: measured; hollow: attainable"));
  EXPECT_THAT(chart_svg(chart, paper_look()), HasSubstr("filled: measured; hollow: attainable"));
}

TEST(MachinesChart, ADotOfNoneOfSeveralMachinesHasALookOfItsOwn) {
  RooflineChart data = three();
  data.dots = {dot("loop", "elsewhere", 1.0, 1e9, true)};
  const Chart chart = machines_chart(data);
  ASSERT_THAT(chart.legend, SizeIs(4));
  EXPECT_EQ(chart.regions[0].dots[0].level, 3U);
}

TEST(MachinesChart, LinesBelowTheRoofsAreDashedAndEqualOnesAreOne) {
  RooflineChart data;
  data.machines = {machine("cpu", 1536e9, 128e9)};
  auto& lines = data.machines[0].lines;
  lines.insert(lines.begin() + 1, bandwidth(Level::DRAM, 13e9, RooflineKind::one_core));
  lines.push_back(peak("fp64 no FMA", 768e9, RooflineKind::no_fma));
  lines.push_back(peak("fp64 AVX2", 768e9, RooflineKind::isa));
  lines.push_back(peak("fp64 one core", 118e9, RooflineKind::one_core));
  const Chart one = machines_chart(data);
  ASSERT_THAT(one.lower_ceilings, SizeIs(2));
  EXPECT_THAT(one.lower_ceilings[0].label, HasSubstr("no FMA, AVX2 768 GFlop/s"));
  ASSERT_THAT(one.roofs, SizeIs(2));
  EXPECT_TRUE(one.roofs[1].lower);
  EXPECT_DOUBLE_EQ(segment_of(one, one.roofs[1])->y2, 118e9) << "ends at the peak of one core";
  data.machines.push_back(machine("gpu", 7e12, 900e9));
  const Chart two = machines_chart(data);
  for (const ComputeCeiling& ceiling : two.lower_ceilings) {
    EXPECT_EQ(ceiling.lower, ceiling.flops_per_second < 1e12) << ceiling.label;
  }
  EXPECT_THAT(chart_svg(two), HasSubstr("stroke0 lower bandwidth"));
  EXPECT_THAT(chart_svg(machines_chart(three())), Not(HasSubstr(".lower{")));
}

TEST(MachinesChart, TextTouchesNoTextWhateverIsDrawn) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    RooflineChart data;
    data.title = "crowded";
    const unsigned machines = 1 + seed % 6;
    for (unsigned i = 0; i < machines; ++i) {
      const double rate = 1e11 * std::pow(1.0 + 0.07 * seed, i);
      data.machines.push_back(machine("machine-" + std::to_string(i), rate * 12.0, rate));
      data.machines[i].lines.push_back(peak("fp64 no FMA", rate * 6.0, RooflineKind::no_fma));
      for (unsigned k = 0; k < 1 + seed % 20; ++k) {
        const double intensity = 0.05 * std::pow(1.4, k);
        const double roof = std::min(intensity, 12.0) * rate;
        const std::string name = "kernel " + std::to_string(k);
        data.dots.push_back(dot(name, data.machines[i].key, intensity, roof));
        data.dots.push_back(dot(name, data.machines[i].key, intensity, roof * 0.8, true));
      }
    }
    for (const SvgLook& look : {screen_look(), paper_look()}) {
      expect_no_overlap(layout_svg(machines_chart(data), look));
    }
  }
}

TEST(MachinesChart, FewShortNamesStandBesideTheirDotsOthersHaveNumbers) {
  RooflineChart data = three();
  data.dots = {dot("AX", "skl", 0.0625, 2e9), dot("GEMM", "skl", 32, 2e11)};
  EXPECT_EQ(machines_chart(data).regions[1].label, "GEMM");
  data.dots.push_back(dot("a kernel whose name is rather long", "skl", 1, 2e10));
  const Chart chart = machines_chart(data);
  EXPECT_THAT(chart.regions[1].label, IsEmpty());
  EXPECT_EQ(chart.regions[1].rank, 2U);
  EXPECT_EQ(chart.regions[1].name, "GEMM");
}

TEST(MachinesChart, WhereNotAllDotsCanHaveANumberWhatWasMeasuredHas) {
  RooflineChart data = three();
  for (unsigned k = 0; k < 20; ++k) {
    const std::string name = "a name that is longer than its place " + std::to_string(k);
    data.dots.push_back(dot(name, "nowhere", 1.0 + k, 1e9, true));
    for (const RooflineMachine& each : data.machines) {
      data.dots.push_back(dot(name, each.key, 1.0 + k, 2e10));
    }
  }
  unsigned numbered = 0;
  for (const ChartRegion& region : machines_chart(data).regions) {
    numbered += region.rank > 0 ? 1U : 0U;
    EXPECT_EQ(region.rank > 0, !region.dots.back().hollow) << region.title;
    EXPECT_EQ(region.rank > 0, !region.name.empty()) << region.title;
  }
  EXPECT_EQ(numbered, 20U);
}

TEST(MachinesChart, TheLegendSaysPeakAndMemory) {
  EXPECT_EQ(machines_chart(three()).legend[2].text, "v100: 7.00 TFlop/s, 900 GB/s");
}

TEST(MachinesChart, ExtremesAndHostileNamesStayData) {
  RooflineChart data = three();
  data.machines[0].key = "<script>alert(1)</script>&\"";
  data.machines[1].lines.clear();
  data.machines[2].lines = {bandwidth(Level::HBM, 1e300), peak("fp64", 1e-300)};
  data.dots = {dot("</svg>", data.machines[0].key, 1e-200, 1e9),
               dot("]]>", data.machines[0].key, 1e25, 1e29, true),
               dot("nan", "skl", std::numeric_limits<double>::quiet_NaN(), 1e9)};
  data.spectrum = {{"a<b", "gemm", "n > 1", 1e-9, 1e12}};
  for (const bool log2 : {false, true}) {
    const std::string drawn = chart_svg(machines_chart(data, log2));
    EXPECT_THAT(drawn, Not(HasSubstr("<script>")));
    EXPECT_THAT(drawn, Not(HasSubstr("nan\"")));
    EXPECT_THAT(drawn, HasSubstr("&lt;script&gt;"));
  }
  EXPECT_THAT(roofline_text(data, {}), HasSubstr("attainable"));
}

TEST(MachinesChart, NothingButARoofIsAChart) {
  RooflineChart data;
  data.machines = {{"memory", "memory alone", {bandwidth(Level::DRAM, 1e11)}, {}}};
  const Chart chart = machines_chart(data);
  EXPECT_FALSE(chart.roof);
  ASSERT_TRUE(segment_of(chart, chart.roofs[0]));
  EXPECT_THAT(chart_svg(chart), HasSubstr("DRAM 100 GB/s"));
  EXPECT_THAT(chart_svg(machines_chart({})), HasSubstr("<svg"));
}

TEST(MachinesChart, AxesOfPowersOfTwo) {
  const Chart chart = machines_chart(three(), true);
  EXPECT_DOUBLE_EQ(std::log2(chart.x.low), std::round(std::log2(chart.x.low)));
  const auto ticks = ticks_of_two({0.125, 8.0}, 1.0);
  ASSERT_THAT(ticks, SizeIs(7));
  EXPECT_EQ(ticks[0].label, "1/8");
  EXPECT_EQ(ticks[3].label, "1");
  EXPECT_EQ(ticks[6].label, "8");
  const auto giga = ticks_of_two({1e9, 4e9}, 1e9);
  ASSERT_THAT(giga, SizeIs(3));
  EXPECT_DOUBLE_EQ(giga[1].value, 2e9);
  EXPECT_EQ(giga[1].label, "2");
}

TEST(MachinesChart, TheSpectrumStandsBelowAtItsIntensities) {
  RooflineChart data = three();
  data.spectrum = {{"SpMV", "spmv-csr", "sizes", 0.1, 0.16}, {"GEMM", "gemm", "sizes", 4, 340}};
  const Chart chart = machines_chart(data);
  const SvgLayout layout = layout_svg(chart);
  ASSERT_THAT(layout.spectrum, SizeIs(2));
  const double span = layout.right - layout.left;
  EXPECT_NEAR(layout.spectrum[0].x, layout.left + chart.x.position(0.1) * span, 1e-9);
  EXPECT_NEAR(layout.spectrum[0].width, (chart.x.position(0.16) - chart.x.position(0.1)) * span,
              1e-9);
  EXPECT_GT(layout.spectrum[0].y, layout.bottom);
  EXPECT_LE(layout.spectrum[1].x + layout.spectrum[1].width, layout.right + 1e-9);
  for (const SvgLook& look : {screen_look(), paper_look()}) {
    expect_no_overlap(layout_svg(chart, look));
  }
}

TEST(RooflineCsv, HoldsDotsAndLinesInBaseUnits) {
  RooflineChart data = three();
  data.dots = {dot("AX, \"quoted\"", "skl", 0.0625, 1.7e9, true)};
  const std::string csv = roofline_csv(data);
  EXPECT_THAT(csv, HasSubstr("measured,\"AX, \"\"quoted\"\"\",skl,DRAM,0.0625,1700000000,,,,\n"));
  EXPECT_THAT(csv, HasSubstr("roof,DRAM,v100,DRAM,,,900000000000,theoretical,datasheet,\n"));
  EXPECT_THAT(csv, HasSubstr("roof,fp64,xeon,,,1200000000000,,theoretical,datasheet,\n"));
}

}  // namespace
}  // namespace ridge::render
