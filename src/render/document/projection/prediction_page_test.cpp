#include "render/document/projection/prediction_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "render/document/chart/roofline_page.hpp"

namespace ridge::render {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kHostile = "<script>alert(1)</script>&\"'\x1b[31m";

KernelPrediction hostile() {
  KernelPrediction prediction;
  prediction.kernel.name = kHostile;
  prediction.demand.work.fma = 1000;
  ResourceTime compute;
  compute.resource = "compute";
  compute.unit = "flop";
  compute.overlap = Overlap::compute;
  compute.rate = 1e12;
  compute.rate_name = kHostile;
  ResourceTime memory;
  memory.resource = "DRAM";
  memory.unit = "byte";
  memory.amount = 8000;
  memory.rate = 1e11;
  memory.intensity = 0.125;
  memory.roof = 1.25e10;
  memory.source = kHostile;
  ResourcePrediction machine;
  machine.machine = kHostile;
  machine.machine_name = "</title>";
  machine.resources = {compute, memory};
  machine.binding = 1;
  machine.seconds = 8e-8;
  machine.attainable = 1.25e10;
  machine.notes = {{"code", kHostile}};
  prediction.machines = {machine};
  return prediction;
}

const auto kStaysText =
    AllOf(Not(HasSubstr("<script")), Not(HasSubstr("</title></h1>")), Not(HasSubstr("\x1b")),
          HasSubstr("&lt;script&gt;"), HasSubstr("default-src 'none'"), HasSubstr("</html>\n"));

TEST(PredictionPage, HoldsPictureRowsAndNotesAndNoMarkupOfNames) {
  const std::string page = prediction_page({hostile()}, {hostile()});
  EXPECT_THAT(page, kStaysText);
  EXPECT_THAT(page, HasSubstr("<svg"));
  EXPECT_THAT(page, HasSubstr(">12.5 GFlop/s</td>"));
  EXPECT_THAT(page, HasSubstr(">100 GB/s</td>"));
  EXPECT_THAT(page, HasSubstr(">0.125 flop/byte</td>"));
  EXPECT_THAT(page, HasSubstr("prefers-color-scheme:dark"));
  EXPECT_THAT(page, HasSubstr("<h2>Notes</h2>"));
}

TEST(PredictionPage, WithoutAPictureTheTablesStand) {
  KernelPrediction copy = hostile();
  copy.demand.work.fma = 0;
  copy.machines[0].resources[1].intensity.reset();
  const std::string page = prediction_page({copy}, {copy});
  EXPECT_THAT(page, Not(HasSubstr("<svg")));
  EXPECT_THAT(page, HasSubstr(">100 GB/s</td>"));
}

TEST(RooflinePage, HoldsARowForEachDotAndLine) {
  RooflineChart chart;
  chart.title = kHostile;
  RooflineLine peak{.precision = "fp64", .words = "fp64", .rate = 1e12};
  RooflineLine memory{.level = Level::DRAM, .words = kHostile, .rate = 1e11, .source = kHostile};
  chart.machines = {{kHostile, "</title>", {memory, peak}, {{"code", "one note"}}}};
  chart.dots = {{kHostile, kHostile, "DRAM", 0.125, 1.25e10, false, std::nullopt, kHostile},
                {"b", std::nullopt, "DRAM", 0.25, 2e10, true, std::nullopt, "file"}};
  const std::string page = roofline_page(chart);
  EXPECT_THAT(page, kStaysText);
  for (const char* cell : {">12.5 GFlop/s</td>", ">20.0 GFlop/s</td>", ">0.125 flop/byte</td>",
                           ">100 GB/s</td>", ">1.00 TFlop/s</td>", ">measured</td>"}) {
    EXPECT_THAT(page, HasSubstr(cell));
  }
  EXPECT_THAT(page, HasSubstr("<li>one note</li>"));
}

}  // namespace
}  // namespace ridge::render
