#include "predict/roof/resources.hpp"

#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/catalogue/kernels_for_tests.hpp"
#include "predict/findings/predict.hpp"
#include "predict/projection/kernel_on_machine.hpp"
#include "predict/roof/ceilings.hpp"
#include "predict/roof/figure_choice.hpp"
#include "predict/roof/machines_for_tests.hpp"
#include "predict/sentences_for_tests.hpp"

namespace ridge::predict {
namespace {

using ::testing::AllOf;
using testing::demand_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::sized;
using testing::target_with;
using testing::zen4;
using testing::zen4_pipes;

TargetMachine gpu() {
  TargetMachine target = target_with(10e12, 1e12, "fp64", "HBM");
  target.figures.kind = MachineKind::gpu;
  target.figures.peaks.push_back({"fp16", Pipes::matrix, Basis::theoretical, {}, {100e12}});
  target.figures.peaks.push_back({"fp64", Pipes::matrix, Basis::theoretical, {}, {20e12}});
  target.figures.memories = {{"HBM", {80e9}}};
  target.figures.links = {{"PCIe", true, 4U, {64e9}}, {"NVLink", true, {}, {600e9}}};
  return target_from(target.figures);
}

const ResourceTime& resource_of(const ResourcePrediction& prediction, std::string_view name) {
  for (const ResourceTime& resource : prediction.resources) {
    if (resource.resource == name) {
      return resource;
    }
  }
  ADD_FAILURE() << "no resource " << name;
  return prediction.resources.front();
}

bool has_note(const ResourcePrediction& prediction, std::string_view code) {
  return std::any_of(prediction.notes.begin(), prediction.notes.end(),
                     [&](const Note& note) { return note.code == code; });
}

TEST(Resources, TheNaiveRooflineByHand) {
  const auto prediction = predict_demand(demand_of(20e6, 240e6), target_with(768e9, 210e9));
  EXPECT_DOUBLE_EQ(prediction.attainable.value(), 17.5e9);
  EXPECT_DOUBLE_EQ(prediction.seconds.value(), 240e6 / 210e9);
  EXPECT_DOUBLE_EQ(prediction.sum_seconds.value(), 240e6 / 210e9 + 20e6 / 768e9);
  EXPECT_EQ(prediction.resources[*prediction.binding].resource, "DRAM");
  EXPECT_EQ(prediction.resources[*prediction.next].resource, "compute");
  EXPECT_DOUBLE_EQ(resource_of(prediction, "DRAM").intensity.value(), 1.0 / 12);
  EXPECT_DOUBLE_EQ(resource_of(prediction, "DRAM").roof.value(), 17.5e9);
}

TEST(Resources, MatrixPipesServeProductsOfMatricesAlone) {
  const auto gemm = sized("gemm", {{"n", 8000}});
  EXPECT_DOUBLE_EQ(predict_kernel(gemm, gpu()).attainable.value(), 20e12);
  PredictionChoices vector;
  vector.pipes = Pipes::vector;
  EXPECT_DOUBLE_EQ(predict_kernel(gemm, gpu(), vector).attainable.value(), 10e12);
  const auto nbody = sized("nbody", {{"n", 100000}});
  EXPECT_LT(predict_kernel(nbody, gpu()).attainable.value(), 10e12);
}

TEST(Resources, AnUnknownPeakIsSaidNeverZero) {
  const auto missing = [](const char* kernel, const char* precision) {
    const auto prediction = predict_kernel(sized(kernel, {{"n", 1000}}, precision), gpu());
    EXPECT_FALSE(prediction.seconds);
    EXPECT_FALSE(prediction.attainable);
    EXPECT_FALSE(prediction.binding);
    EXPECT_EQ(resource_of(prediction, "HBM").resource, "HBM");  // what is known stands there
    return prediction.missing.value_or("");
  };
  EXPECT_THAT(missing("gemm", "bf16"), AllOf(HasSubstr("bf16"), Not(HasSubstr("vector"))));
  EXPECT_THAT(missing("triad", "fp32"), AllOf(HasSubstr("fp32"), Not(HasSubstr("vector"))));
  EXPECT_THAT(missing("triad", "fp16"), AllOf(HasSubstr("fp16"), HasSubstr("vector pipes")));
}

TEST(Resources, OnASharedPipeTheMixOfInstructionsCounts) {
  Demand demand = demand_of(0, 8);
  demand.work.fma = 116;  // 58 fma
  demand.work.add = 42;
  EXPECT_DOUBLE_EQ(fma_share(demand.work).value(), 0.58);
  TargetMachine target = target_with(6717.44e9, 1e20);
  EXPECT_DOUBLE_EQ(predict_demand(demand, target).attainable.value(), 6717.44e9);  // own pipes
  target.fma_shares_pipe = true;
  EXPECT_NEAR(predict_demand(demand, target).attainable.value(), 6717.44e9 * 1.58 / 2, 1e3);
  target.fma_shares_pipe.reset();  // unknown: the rule does not apply, and that is said
  const auto unknown = predict_demand(demand, target);
  EXPECT_DOUBLE_EQ(unknown.attainable.value(), 6717.44e9);
  EXPECT_TRUE(has_note(unknown, "pipes-unknown"));
  demand.work.add = 0;
  EXPECT_FALSE(has_note(predict_demand(demand, target), "pipes-unknown"));
}

TEST(Resources, WriteAllocateCrossesWhereTheMachineHasIt) {
  const auto triad = sized("triad", {{"n", 1000}});
  TargetMachine target = target_with(1e12, 1e11);
  EXPECT_DOUBLE_EQ(resource_of(predict_kernel(triad, target), "DRAM").amount, 24000);
  target.write_allocate = WriteAllocate::always;
  EXPECT_DOUBLE_EQ(resource_of(predict_kernel(triad, target), "DRAM").amount, 32000);
}

TEST(Resources, AStandInOfTheOtherBasisIsSaid) {
  TargetMachine target = target_with(1e12, 1e11);
  PredictionChoices choices;
  choices.basis = Basis::sustained;
  const auto prediction = predict_demand(demand_of(1e6, 1e6), target, choices);
  EXPECT_DOUBLE_EQ(resource_of(prediction, "DRAM").rate, 1e11);
  EXPECT_EQ(resource_of(prediction, "DRAM").basis, Basis::theoretical);
  EXPECT_TRUE(has_note(prediction, "other-basis"));
  EXPECT_FALSE(has_note(predict_demand(demand_of(1e6, 1e6), target), "other-basis"));
}

TEST(Resources, SustainedBandwidthsAreThoseOfTheNearestMix) {
  TargetMachine target = target_with(1e12, 1e11);
  target.figures.bandwidths = {{"DRAM", Basis::sustained, "load", {90e9}},
                               {"DRAM", Basis::sustained, "update", {80e9}},
                               {"DRAM", Basis::sustained, "copy", {85e9}},
                               {"DRAM", Basis::sustained, "ert", {99e9}}};
  const auto chosen = [&](double share) {
    return choose_bandwidth(target, "DRAM", Basis::sustained, share)->pattern.value();
  };
  EXPECT_EQ(chosen(0.0), "load");
  EXPECT_EQ(chosen(0.45), "copy");  // of equal mixes the faster one
  target.write_allocate = WriteAllocate::always;
  EXPECT_EQ(chosen(0.45), "update");  // copy moves more than it counts here
  EXPECT_EQ(choose_bandwidth(target, "L2", Basis::sustained, 0.0), nullptr);
}

TEST(Resources, TransfersByDirectionAndOverlap) {
  const auto triad = sized("triad", {{"n", 1000000}});  // 16 MB in, 8 MB out
  const auto seconds = [&](Transfer transfer) {
    PredictionChoices choices;
    choices.transfer = transfer;
    return predict_kernel(triad, gpu(), choices).seconds.value();
  };
  const double compute = 24e6 / 1e12;
  EXPECT_NEAR(seconds({"PCIe", false, false}), 24e6 / 32e9 + compute, 1e-12);
  EXPECT_NEAR(seconds({"PCIe", true, false}), 16e6 / 32e9 + compute, 1e-12);
  EXPECT_NEAR(seconds({"PCIe", false, true}), 24e6 / 32e9, 1e-12);
  EXPECT_NEAR(seconds({"NVLink", true, true}), 16e6 / 300e9, 1e-12);
  PredictionChoices choices;
  choices.transfer = Transfer{"CXL", false, false};
  EXPECT_THAT(predict_kernel(triad, gpu(), choices).missing.value(), HasSubstr("no CXL bandwidth"));
  choices.transfer = Transfer{"PCIe", false, false};
  choices.latencies["PCIe"] = 1e-5;
  EXPECT_FALSE(has_note(predict_kernel(triad, gpu(), choices), "unused-latency"));
  choices.latencies["DRAM"] = 1.0;  // this machine has HBM
  EXPECT_TRUE(has_note(predict_kernel(triad, gpu(), choices), "unused-latency"));
  EXPECT_NEAR(predict_kernel(triad, gpu(), choices).seconds.value(), 24e6 / 32e9 + compute + 1e-5,
              1e-12);
}

TEST(Resources, EnergyWhereJoulesAreKnown) {
  TargetMachine target = target_with(1e12, 1e11);
  const Demand demand = demand_of(1e9, 1e9);
  EXPECT_FALSE(predict_demand(demand, target).energy);
  target.figures.energy.constant_power = Figure{100};
  EXPECT_FALSE(predict_demand(demand, target).energy);  // the joules of a flop are not known
  target.figures.energy.per_flop["fp64"] = Figure{20e-12};
  target.figures.energy.per_byte["DRAM"] = Figure{100e-12};
  const auto energy = predict_demand(demand, target).energy.value();
  EXPECT_DOUBLE_EQ(energy.dynamic_joules, 0.02 + 0.1);
  EXPECT_DOUBLE_EQ(energy.joules, 0.12 + 100 * 0.01);
  EXPECT_DOUBLE_EQ(energy.watts, 1.12 / 0.01);
  EXPECT_DOUBLE_EQ(energy.flops_per_joule.value(), 1e9 / 1.12);
}

TEST(Resources, TheCacheAwareModelHasOneIntensity) {
  TargetMachine target = target_with(1e12, 1e11);
  target.figures.bandwidths.push_back({"L1", Basis::theoretical, {}, {8e12}});
  PredictionChoices choices;
  choices.cache_aware = true;
  const auto stencil = sized("stencil7", {{"nx", 100}});  // 7 loads and a store for 7 flop
  const auto prediction = predict_kernel(stencil, target, choices);
  EXPECT_DOUBLE_EQ(resource_of(prediction, "L1").cache_aware_roof.value(), 7.0 / 64 * 8e12);
  EXPECT_DOUBLE_EQ(resource_of(prediction, "DRAM").cache_aware_roof.value(), 7.0 / 64 * 1e11);
  EXPECT_FALSE(resource_of(prediction, "compute").cache_aware_roof);
  EXPECT_FALSE(resource_of(predict_kernel(stencil, target), "L1").cache_aware_roof);
}

TEST(Resources, WithoutWorkTheUnitIsByte) {
  const auto prediction = predict_kernel(sized("relu", {{"n", 1000}}), gpu());
  EXPECT_EQ(prediction.unit, "byte");
  EXPECT_DOUBLE_EQ(prediction.attainable.value(), 1e12);
  EXPECT_FALSE(prediction.resources[0].intensity);
}

TEST(Resources, DataThatDoNotFitAreSaid) {
  EXPECT_TRUE(has_note(predict_demand(demand_of(1e9, 81e9), gpu()), "exceeds-memory"));
  EXPECT_FALSE(has_note(predict_demand(demand_of(1e9, 79e9), gpu()), "exceeds-memory"));
}

// A profile of the same work and traffic on the same machine has the same roof.
TEST(Resources, TheMeasuredMachineGivesItsMeasuredRoof) {
  const Microarchitecture pipes = zen4_pipes();
  const TargetMachine target = target_from(zen4(), &pipes);
  std::mt19937 random(5);
  for (int i = 0; i < 300; ++i) {
    const auto amount = [&] { return 1000000 + random() % 1000000000; };
    Demand demand = demand_of(0, 0);
    demand.work = {.add = amount(), .mul = amount(), .fma = 2 * amount()};
    LevelTraffic traffic;
    Region region = testing::region_named("the same");
    region.threads = 2;
    work_of(region).add(Precision::fp64, OperationKind::add, 512, demand.work.add);
    work_of(region).add(Precision::fp64, OperationKind::mul, 512, demand.work.mul);
    work_of(region).add(Precision::fp64, OperationKind::fma, 512, demand.work.fma);
    for (const Level level : {Level::L1, Level::L2, Level::L3, Level::DRAM}) {
      traffic[level] = {amount(), amount(), 0};
      region.traffic[level] = {traffic[level].read, traffic[level].written};
    }
    region.bytes_loaded = traffic["L1"].read;
    region.bytes_stored = traffic["L1"].written;
    const auto projected = predict_demand(demand, target, {}, traffic);
    const Bound roof = predict_region(region, zen4(), &pipes).code.value();
    EXPECT_NEAR(projected.attainable.value() / roof.attainable, 1.0, 1e-12);
    EXPECT_EQ(projected.resources[*projected.binding].resource, predict::resource_of(roof.ceiling));
  }
}

TEST(Resources, MoreWorkOrTrafficNeverShortensTheTime) {
  const Microarchitecture pipes = zen4_pipes();
  std::mt19937 random(6);
  for (const TargetMachine& target :
       {gpu(), target_with(1e12, 1e11), target_from(zen4(), &pipes)}) {
    for (int i = 0; i < 500; ++i) {
      const auto amount = [&] { return random() % 1000000000; };
      Demand demand = demand_of(0, 0);
      demand.work = {.add = amount(), .mul = amount(), .fma = 2 * amount()};
      demand.least = {1 + amount(), amount(), amount()};
      Demand more = demand;
      std::uint64_t* const parts[] = {&more.work.add,   &more.work.mul,      &more.work.fma,
                                      &more.least.read, &more.least.written, &more.least.allocate,
                                      &more.work.any};
      *parts[random() % std::size(parts)] += 2 * amount();
      const auto before = predict_demand(demand, target);
      const auto after = predict_demand(more, target);
      EXPECT_GE(after.seconds.value(), before.seconds.value() * (1 - 1e-12));
      EXPECT_GE(after.sum_seconds.value(), before.sum_seconds.value() * (1 - 1e-12));
      EXPECT_GE(before.sum_seconds.value(), before.ecm_seconds.value());
      EXPECT_GE(before.ecm_seconds.value(), before.seconds.value());
    }
  }
}

TEST(Resources, LevelsRunFromTheInnermostToTheMainMemory) {
  TargetMachine target = target_with(1e12, 1e11);
  target.figures.bandwidths.push_back({"HBM", Basis::theoretical, {}, {1e12}});
  target.figures.bandwidths.push_back({"L3", Basis::theoretical, {}, {2e12}});
  target.figures.bandwidths.push_back({"L1", Basis::theoretical, {}, {9e12}});
  EXPECT_THAT(bandwidth_levels(target), ElementsAre(Level::L1, Level::L3, Level::HBM));
}

TEST(Resources, ACacheIsSharedByTheCoresOfACpu) {
  TargetMachine target = target_with(1e12, 1e11);
  target.figures.cores = Figure{16};
  target.figures.caches = {{"L1", true, {32768}}, {"L2", false, {1048576}}, {"L3", false, {32e6}}};
  EXPECT_EQ(cache_room(target, "L3", true), 2e6);
  EXPECT_EQ(cache_room(target, "L3", false), 32e6);
  EXPECT_EQ(cache_room(target, "L2", true), 1048576);
  EXPECT_FALSE(cache_room(target, "L4", true));
  target.figures.kind = MachineKind::gpu;
  EXPECT_EQ(cache_room(target, "L3", true), 32e6);
}

TEST(RidgePoint, IsThePeakOverTheBandwidth) {
  const auto prediction = predict_demand(demand_of(1e9, 1e9), target_with(768e9, 210e9));
  EXPECT_FALSE(prediction.resources.front().ridge_point);
  EXPECT_DOUBLE_EQ(prediction.resources.back().ridge_point.value(), 768.0 / 210.0);
}

}  // namespace

void resource_sentences(tests::Sentences& sentences) {
  const auto add = [&](const char* kernel, const char* precision) {
    const auto prediction = predict_kernel(sized(kernel, {{"n", 1000}}, precision), gpu());
    sentences.add(fmt::format("no prediction of {} with {}", kernel, precision),
                  prediction.missing.value());
  };
  add("gemm", "bf16");
  add("triad", "fp32");
  add("triad", "fp16");
}

}  // namespace ridge::predict
