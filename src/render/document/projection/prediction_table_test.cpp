#include "render/document/projection/prediction_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "render/chart/text.hpp"
#include "render/sentences_for_tests.hpp"

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
  EXPECT_THAT(text, ContainsRegex("bound by HBM.* compute"));
  EXPECT_THAT(text, ContainsRegex("fp64 vector, theoretical, datasheet, unverified .DS."));
  EXPECT_THAT(text, HasSubstr("HBM rate: HBM load"));
  EXPECT_THAT(text, HasSubstr("sustained, measured"));
  EXPECT_THAT(text, HasSubstr("what if HBM=2x"));
  EXPECT_THAT(text, ContainsRegex("full overlap +1.20 ms +167 GFlop/s"));
  EXPECT_THAT(text, ContainsRegex("no overlap +1.22 ms +164 GFlop/s"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

ResourcePrediction without_compute() {
  ResourcePrediction missing = some_prediction();
  missing.resources.erase(missing.resources.begin());
  missing.missing = "no-peak";
  missing.seconds = missing.ecm_seconds = missing.sum_seconds = missing.attainable = std::nullopt;
  missing.binding = missing.next = std::nullopt;
  return missing;
}

TEST(PredictionTable, NoPredictionIsADashNeverZero) {
  const ResourcePrediction missing = without_compute();
  EXPECT_THAT(resource_report(missing, TextStyle{}), HasSubstr("no prediction: no-peak"));
  const std::string summary = machine_summary({some_prediction(), missing}, TextStyle{});
  EXPECT_THAT(summary, ContainsRegex("x100 +167 GFlop/s +1.20 ms +1.22 ms +HBM +compute"));
  EXPECT_THAT(summary, ContainsRegex("x100 +- +- +- +no-peak +-"));
}

KernelPrediction triad_prediction() {
  KernelPrediction prediction;
  prediction.kernel.name = "triad";
  prediction.kernel.summary = "a = b + s c";
  prediction.parameters = {{"n", 1e8}};
  prediction.demand.precision = "fp64";
  prediction.demand.work.fma = 200000000;
  prediction.demand.least = {1600000000, 800000000, 800000000};
  prediction.by_cache = {{16384, {3, 1, 0}}, {1048576, {2, 1, 0}}};
  prediction.machines = {some_prediction(), some_prediction()};
  return prediction;
}

TEST(PredictionTable, FitsTheTerminal) {
  const KernelPrediction prediction = triad_prediction();
  for (const int columns : {60, 80, 120}) {
    TextStyle style;
    style.columns = columns;
    const std::string text = kernel_prediction(prediction, style);
    EXPECT_THAT(text, HasSubstr("n=100000000, fp64"));
    EXPECT_THAT(text, HasSubstr("16 KiB 4.00 B, 1 MiB 3.00 B"));
    EXPECT_THAT(text, ContainsRegex("0.0833 flop/byte.* 0.0625 "));
    std::size_t start = 0;
    while (start < text.size()) {
      const std::size_t end = text.find('\n', start);
      EXPECT_LE(display_width(text.substr(start, end - start)), static_cast<std::size_t>(columns))
          << text.substr(start, end - start);
      start = end + 1;
    }
  }
}

/// The second is the faster one by what both bound.
KernelPrediction ranked_prediction() {
  KernelPrediction prediction = triad_prediction();
  ResourcePrediction& slower = prediction.machines[0];
  slower.machine = "slower";
  slower.unbounded = {"L1", "L2"};
  slower.common_seconds = 1.2e-3;
  slower.rank = 2;
  ResourcePrediction& faster = prediction.machines[1];
  faster.machine = "faster";
  faster.common_seconds = 1.1e-3;
  faster.rank = 1;
  return prediction;
}

TEST(PredictionTable, RanksAndWhatHasNoRateStandThere) {
  const std::string text = kernel_prediction(ranked_prediction(), TextStyle{});
  EXPECT_LT(text.find("faster "), text.find("slower "));
  EXPECT_THAT(text, ContainsRegex("slower .* 2 +L1, L2"));
  EXPECT_THAT(text, HasSubstr("rate unknown"));
  EXPECT_THAT(text, HasSubstr("without L1, L2"));
  EXPECT_THAT(text, HasSubstr("not bounded: L1, L2"));
  const std::string plain = kernel_prediction(triad_prediction(), TextStyle{});
  EXPECT_THAT(plain, Not(HasSubstr("rank")));
  EXPECT_THAT(plain, Not(HasSubstr("not bounded")));
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

void prediction_table_sentences(tests::Sentences& sentences) {
  sentences.add("a prediction", resource_report(some_prediction(), TextStyle{}));
  sentences.add("no prediction", resource_report(without_compute(), TextStyle{}));
  sentences.add("a kernel on machines", kernel_prediction(triad_prediction(), TextStyle{}));
  sentences.add("machines by rank", kernel_prediction(ranked_prediction(), TextStyle{}));
}

}  // namespace ridge::render
