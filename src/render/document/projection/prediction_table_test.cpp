#include "render/document/projection/prediction_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "render/chart/text.hpp"

namespace ridge::render {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

ResourcePrediction some_prediction() {
  ResourcePrediction prediction;
  prediction.machine = "x100";
  prediction.machine_name = "X100";
  prediction.work = 2e8;
  ResourceTime compute;
  compute.resource = "compute";
  compute.unit = "flop";
  compute.amount = 2e8;
  compute.rate = 1e13;
  compute.seconds = 2e-5;
  compute.rate_name = "fp64 vector";
  compute.basis = Basis::theoretical;
  compute.source = "DS";
  compute.verified = false;
  compute.roof = 1e13;
  ResourceTime memory;
  memory.resource = "HBM";
  memory.unit = "byte";
  memory.amount = 2.4e9;
  memory.rate = 2e12;
  memory.seconds = 1.2e-3;
  memory.rate_name = "HBM load\x1b[31m";
  memory.basis = Basis::sustained;
  memory.origin = Origin::measured;
  memory.intensity = 1.0 / 12;
  memory.roof = 2e12 / 12;
  prediction.resources = {compute, memory};
  prediction.seconds = 1.2e-3;
  prediction.ecm_seconds = 1.2e-3;
  prediction.sum_seconds = 1.22e-3;
  prediction.binding = 1;
  prediction.next = 0;
  prediction.attainable = 2e8 / 1.2e-3;
  prediction.notes = {{"what-if", "what if HBM=2x"}};
  return prediction;
}

TEST(PredictionTable, SaysWhatBindsAndWhereEachRateComesFrom) {
  const std::string text = resource_report(some_prediction(), TextStyle{});
  EXPECT_THAT(text, HasSubstr("bound by HBM; next compute"));
  EXPECT_THAT(text,
              HasSubstr("compute rate: fp64 vector, theoretical, datasheet, unverified [DS]"));
  EXPECT_THAT(text, HasSubstr("HBM rate: HBM load"));
  EXPECT_THAT(text, HasSubstr("sustained, measured"));
  EXPECT_THAT(text, HasSubstr("what if HBM=2x"));
  EXPECT_THAT(text, ContainsRegex("full overlap +1.20 ms +167 GFlop/s"));
  EXPECT_THAT(text, ContainsRegex("no overlap +1.22 ms +164 GFlop/s"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST(PredictionTable, NoPredictionIsADashNeverZero) {
  ResourcePrediction missing = some_prediction();
  missing.resources.erase(missing.resources.begin());
  missing.missing = "no fp16 peak known";
  missing.seconds = missing.ecm_seconds = missing.sum_seconds = missing.attainable = std::nullopt;
  missing.binding = missing.next = std::nullopt;
  EXPECT_THAT(resource_report(missing, TextStyle{}),
              HasSubstr("no prediction: no fp16 peak known"));
  const std::string summary = machine_summary({some_prediction(), missing}, TextStyle{});
  EXPECT_THAT(summary, ContainsRegex("x100 +167 GFlop/s +1.20 ms +1.22 ms +HBM +compute"));
  EXPECT_THAT(summary, ContainsRegex("x100 +- +- +- +no fp16 peak known +-"));
}

TEST(PredictionTable, FitsTheTerminal) {
  KernelPrediction prediction;
  prediction.kernel.name = "triad";
  prediction.kernel.summary = "a = b + s c";
  prediction.parameters = {{"n", 1e8}};
  prediction.demand.precision = "fp64";
  prediction.demand.work.fma = 200000000;
  prediction.demand.least = {1600000000, 800000000, 800000000};
  prediction.by_cache = {{16384, {3, 1, 0}}, {1048576, {2, 1, 0}}};
  prediction.machines = {some_prediction(), some_prediction()};
  for (const int columns : {60, 80, 120}) {
    TextStyle style;
    style.columns = columns;
    const std::string text = kernel_prediction(prediction, style);
    EXPECT_THAT(text, HasSubstr("n=100000000, fp64"));
    EXPECT_THAT(text, HasSubstr("16 KiB 4.00 B, 1 MiB 3.00 B"));
    EXPECT_THAT(text, HasSubstr("0.0833 flop/byte; 0.0625 with write-allocate"));
    std::size_t start = 0;
    while (start < text.size()) {
      const std::size_t end = text.find('\n', start);
      EXPECT_LE(display_width(text.substr(start, end - start)), static_cast<std::size_t>(columns))
          << text.substr(start, end - start);
      start = end + 1;
    }
  }
}

TEST(PredictionTable, TheListNamesDefaults) {
  KernelText kernel;
  kernel.name = "gemv";
  kernel.summary = "y = y + A x";
  kernel.parameters = {{"m", "rows", std::nullopt}, {"n", "columns", "m"}};
  kernel.work = "2 m n";
  kernel.traffic = "e m n";
  kernel.source = "BLAS 2";
  const std::string text = kernel_list({kernel}, TextStyle{});
  EXPECT_THAT(text, HasSubstr("m rows; n=m columns"));
  EXPECT_THAT(text, Not(HasSubstr("by cache")));
}

}  // namespace
}  // namespace ridge::render
