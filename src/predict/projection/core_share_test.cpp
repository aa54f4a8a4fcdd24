#include "predict/projection/core_share.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/catalogue/kernels_for_tests.hpp"
#include "predict/projection/derived_machine.hpp"
#include "predict/projection/kernel_on_machine.hpp"
#include "predict/projection/what_if.hpp"
#include "predict/roof/machines_for_tests.hpp"

namespace ridge::predict {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::sized;

/// 16 cores, 512 Gflop/s, 200 GB/s together, 20 GB/s alone.
TargetMachine socket() {
  TargetMachine target =
      derive_machine(
          "cores=16 clock=2G simd=256 fma=2 L2=32B/cycle L2.size=1MiB L3=400GB/s "
          "L3.size=16MiB DRAM=200GB/s")
          .value()
          .target;
  PublishedBandwidth one{Level::DRAM, Basis::sustained, {}, {20e9}};
  one.cores = 1U;
  target.figures.bandwidths.push_back(one);
  return target;
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

std::string note_of(const ResourcePrediction& prediction, std::string_view code) {
  for (const Note& note : prediction.notes) {
    if (note.code == code) {
      return note.text;
    }
  }
  return {};
}

ResourcePrediction triad_on(unsigned cores, TargetMachine target = socket()) {
  EXPECT_TRUE(run_on_cores(target, cores));
  return predict_kernel(sized("triad", {{"n", 1e8}}), target);
}

// b(n) = min(n b(1), b)
TEST(CoreShare, CoresAddUpUntilTheMemoryIsSaturated) {
  EXPECT_DOUBLE_EQ(resource_of(triad_on(1), "DRAM").rate, 20e9);
  EXPECT_DOUBLE_EQ(resource_of(triad_on(4), "DRAM").rate, 80e9);
  EXPECT_DOUBLE_EQ(resource_of(triad_on(12), "DRAM").rate, 200e9);
  EXPECT_DOUBLE_EQ(resource_of(triad_on(16), "DRAM").rate, 200e9);
  EXPECT_THAT(note_of(triad_on(4), "core-bandwidth"), HasSubstr("10 cores"));
  EXPECT_EQ(resource_of(triad_on(4), "DRAM").basis, Basis::sustained);
  EXPECT_EQ(resource_of(triad_on(12), "DRAM").basis, Basis::theoretical);
}

TEST(CoreShare, WhatIsACoresOwnGoesWithTheCores) {
  const auto one = triad_on(1);
  EXPECT_DOUBLE_EQ(resource_of(one, "compute").rate, 32e9);
  EXPECT_DOUBLE_EQ(resource_of(one, "L2").rate, 64e9);
  EXPECT_DOUBLE_EQ(resource_of(one, "L3").rate, 400e9);  // shared, and of one core nothing is known
  EXPECT_THAT(note_of(one, "core-bandwidth-unknown"),
              AllOf(HasSubstr("L3"), HasSubstr("400 GB/s")));
  TargetMachine boosted = socket();
  boosted.figures.boost_clock = Figure{3e9};
  EXPECT_DOUBLE_EQ(resource_of(triad_on(1, boosted), "compute").rate, 48e9);
}

TEST(CoreShare, AQuestionWithFewerCoresLowersTheMemoryToo) {
  TargetMachine target = socket();
  ASSERT_TRUE(apply_what_if(target, "cores=1"));
  const auto prediction = predict_kernel(sized("triad", {{"n", 1e8}}), target);
  EXPECT_DOUBLE_EQ(resource_of(prediction, "DRAM").rate, 20e9);
  TargetMachine more = socket();
  ASSERT_TRUE(apply_what_if(more, "cores=32"));
  EXPECT_DOUBLE_EQ(resource_of(predict_kernel(sized("triad", {{"n", 1e8}}), more), "DRAM").rate,
                   200e9);
}

// 90 ns x 200 GB/s = 18000 byte = 281.25 lines
TEST(CoreShare, ALatencySaysHowManyLinesThatWouldTake) {
  TargetMachine target = socket();
  std::erase_if(target.figures.bandwidths,
                [](const PublishedBandwidth& each) { return each.cores.has_value(); });
  target.figures.latencies = {{Level::DRAM, {90e-9}}};
  const auto prediction = triad_on(2, target);
  EXPECT_DOUBLE_EQ(resource_of(prediction, "DRAM").rate, 200e9);
  bool told = false;
  for (const Note& note : prediction.notes) {
    told = told || note.text.find("282 lines") != std::string::npos;
  }
  EXPECT_TRUE(told);
}

TEST(CoreShare, AGroupsCacheHasItsPartOfTheBandwidth) {
  TargetMachine target = socket();
  target.figures.caches = {{Level::L2, false, {8388608}, 4U}};  // four groups, 1024 GB/s together
  EXPECT_DOUBLE_EQ(resource_of(triad_on(1, target), "L2").rate, 256e9);
  EXPECT_DOUBLE_EQ(resource_of(triad_on(4, target), "L2").rate, 1024e9);
}

TEST(CoreShare, NumbersThatCannotBe) {
  TargetMachine target = socket();
  ASSERT_TRUE(run_on_cores(target, 99));
  EXPECT_EQ(target.figures.cores->value, 16);
  EXPECT_THAT(target.changes, ::testing::Contains(HasSubstr("99")));
  target.figures.cores.reset();
  EXPECT_EQ(run_on_cores(target, 1).error().code, ErrorCode::bad_input);
}

TEST(CoreShare, OfAMeasuredMachineTheCeilingsOfThoseThreadsSpeak) {
  const Microarchitecture pipes = testing::zen4_pipes();
  TargetMachine all = target_from(testing::zen4(), &pipes);
  TargetMachine one = all;
  ASSERT_GT(all.figures.cores->value, 1.0);
  ASSERT_TRUE(run_on_cores(one, 1));
  EXPECT_EQ(one.threads, 1U);
  const auto kernel = sized("triad", {{"n", 1e8}});
  const auto rate = [&](const TargetMachine& target, const char* name) {
    return resource_of(predict_kernel(kernel, target), name).rate;
  };
  EXPECT_LE(rate(one, "compute"), rate(all, "compute"));
  EXPECT_LE(rate(one, "DRAM"), rate(all, "DRAM"));
}

TEST(CoreShare, GpusHaveMultiprocessors) {
  TargetMachine gpu = derive_machine("sms=80 lanes=64 clock=1.5G HBM=900GB/s").value().target;
  ASSERT_TRUE(run_on_cores(gpu, 10));
  EXPECT_EQ(gpu.changes.back(), "10 of 80 multiprocessors work");
}

}  // namespace
}  // namespace ridge::predict
