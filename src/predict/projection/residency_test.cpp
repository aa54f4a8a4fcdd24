#include "predict/projection/residency.hpp"

#include <cmath>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/catalogue/kernels_for_tests.hpp"
#include "predict/projection/derived_machine.hpp"
#include "predict/projection/kernel_on_machine.hpp"
#include "predict/roof/computation.hpp"

namespace ridge::predict {
namespace {

using ::testing::AllOf;
using testing::demand_of;
using ::testing::HasSubstr;
using testing::sized;

/// 128 Gflop/s; L1 512 GB/s, L2 256 GB/s, L3 100 GB/s, DRAM 40 GB/s; 4 x 32 KiB, 4 x 1 MiB, 16 MiB.
TargetMachine node(const std::string& more = "") {
  return derive_machine(
             "cores=4 clock=2G simd=256 fma=2 L1=64B/cycle L1.size=32KiB L2=32B/cycle "
             "L2.size=1MiB L3=100GB/s L3.size=16MiB DRAM=40GB/s " +
             more)
      .value()
      .target;
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

std::string binding(const ResourcePrediction& prediction) {
  return prediction.binding ? prediction.resources[*prediction.binding].resource : "nothing";
}

ResourcePrediction triad(double n, const TargetMachine& target,
                         const PredictionChoices& choices = {}) {
  return predict_kernel(sized("triad", {{"n", n}}), target, choices);
}

// 24 n byte of data; 24 n byte between registers and L1, 32 n beyond (write-allocate).
TEST(Residency, ATriadIsBoundByTheLevelThatHoldsIt) {
  const auto in_l1 = triad(1000, node());
  EXPECT_EQ(binding(in_l1), "L1");
  EXPECT_DOUBLE_EQ(in_l1.seconds.value(), 24e3 / 512e9);
  const auto in_l2 = triad(10000, node());
  EXPECT_EQ(binding(in_l2), "L2");
  EXPECT_DOUBLE_EQ(in_l2.seconds.value(), 320e3 / 256e9);
  const auto in_l3 = triad(500000, node());
  EXPECT_EQ(binding(in_l3), "L3");
  EXPECT_DOUBLE_EQ(in_l3.seconds.value(), 16e6 / 100e9);
  const auto in_memory = triad(1e6, node());
  EXPECT_EQ(binding(in_memory), "DRAM");
  EXPECT_DOUBLE_EQ(in_memory.seconds.value(), 32e6 / 40e9);
  EXPECT_EQ(note_of(in_memory, "resident"), "");
}

TEST(Residency, NothingCrossesBeyondTheLevelThatHoldsTheData) {
  const auto prediction = triad(10000, node());
  for (const char* beyond : {"L3", "DRAM"}) {
    const ResourceTime& resource = resource_of(prediction, beyond);
    EXPECT_EQ(resource.amount, 0.0);
    EXPECT_EQ(resource.seconds, 0.0);
    EXPECT_FALSE(resource.roof);
    EXPECT_FALSE(resource.intensity);
  }
  EXPECT_THAT(note_of(prediction, "resident"),
              AllOf(HasSubstr("240 kB"), HasSubstr("L2"), HasSubstr("4 of 1 MiB")));
  PredictionChoices cold;
  cold.cold = true;
  const auto once = triad(10000, node(), cold);
  EXPECT_EQ(binding(once), "DRAM");
  EXPECT_DOUBLE_EQ(once.seconds.value(), 320e3 / 40e9);
}

TEST(Residency, ACapacityIsReachedToTheByte) {
  const TargetMachine target = node();
  EXPECT_EQ(resident_level(target, 4 * 32768, false), Level::L1);
  EXPECT_EQ(resident_level(target, 4 * 32768 + 1, false), Level::L2);
  EXPECT_EQ(resident_level(target, 32768 + 1, true), Level::L2);  // each core holds all of it
  EXPECT_EQ(resident_level(target, 16 * 1048576, true), Level::L3);
  EXPECT_FALSE(resident_level(target, 16 * 1048576 + 1, false));
}

TEST(Residency, ALevelWithoutABandwidthIsSaid) {
  TargetMachine target = node();
  std::erase_if(target.figures.bandwidths,
                [](const PublishedBandwidth& each) { return each.level == Level::L1; });
  const auto prediction = triad(1000, target);
  EXPECT_EQ(binding(prediction), "compute");
  EXPECT_THAT(note_of(prediction, "no-bound-of-level"),
              AllOf(HasSubstr("L1"), HasSubstr("compute")));
  EXPECT_THAT(prediction.unbounded, ::testing::ElementsAre("L1"));
  const auto relu = predict_kernel(sized("relu", {{"n", 1000}}), target);
  EXPECT_FALSE(relu.seconds);
  EXPECT_THAT(relu.missing.value_or(""), HasSubstr("L1"));
}

TEST(Residency, StoresPastTheCachesReachTheMemory) {
  PredictionChoices choices;
  choices.stores = Stores::nontemporal;
  const auto streamed = triad(2e6, node(), choices);
  EXPECT_DOUBLE_EQ(resource_of(streamed, "DRAM").amount, 48e6);
  EXPECT_DOUBLE_EQ(resource_of(streamed, "L3").amount, 32e6);  // the stores go past it
  EXPECT_DOUBLE_EQ(resource_of(streamed, "L1").amount, 48e6);
  // Without a, b and c fit into L3: a alone reaches the memory.
  EXPECT_DOUBLE_EQ(resource_of(triad(1e6, node(), choices), "DRAM").amount, 8e6);
  const auto resident = triad(1000, node(), choices);
  EXPECT_DOUBLE_EQ(resource_of(resident, "DRAM").amount, 8e3);
  EXPECT_DOUBLE_EQ(resource_of(resident, "L2").amount, 0.0);
  EXPECT_EQ(binding(resident), "DRAM");
  choices.stores = Stores::write_allocate;
  TargetMachine gpu = node();
  gpu.write_allocate = WriteAllocate::never;
  EXPECT_DOUBLE_EQ(resource_of(triad(1e6, gpu), "DRAM").amount, 24e6);
  EXPECT_DOUBLE_EQ(resource_of(triad(1e6, gpu, choices), "DRAM").amount, 32e6);
}

TEST(Residency, DataAreCountedOnce) {
  EXPECT_EQ(sized("axpy", {{"n", 1000}}).working_set(), 16000);   // y is read and written
  EXPECT_EQ(sized("triad", {{"n", 1000}}).working_set(), 24000);  // a is written alone
  EXPECT_EQ(sized("gemm-blocked", {{"n", 100}, {"block", 10}}).working_set(), 240000);
  // x is read 10 times (alpha = 1) and stored once: values, indices, pointers, x, y.
  EXPECT_EQ(sized("spmv-csr", {{"m", 100}, {"nnz", 1000}, {"alpha", 1}}).working_set(),
            12000 + 404 + 800 + 800);
  // Scores of 64 x 64 before and after softmax; Q, K, V and the result.
  EXPECT_EQ(sized("attention-prefill",
                  {{"length", 64}, {"heads", 1}, {"width", 8}, {"causal", 0}, {"fused", 0}})
                .working_set(),
            8.0 * (2 * 64 * 64 + 4 * 64 * 8));
}

TEST(Residency, AComputationKnowsItsWorkingSetWhereItIsGiven) {
  const Demand demand = demand_of(1e9, 1e10);  // many sweeps
  EXPECT_EQ(binding(predict_figures(demand, node(), {}, {})), "DRAM");
  PredictionChoices choices;
  choices.working_set = 24e3;
  const auto prediction = predict_figures(demand, node(), choices, {});
  EXPECT_EQ(binding(prediction), "L1");
  EXPECT_DOUBLE_EQ(prediction.seconds.value(), 1e10 / 512e9);
  // Bytes that were given for a level crossed it.
  const auto given = predict_figures(demand, node(), choices, {{Level::DRAM, {1000000, 0, 0}}});
  EXPECT_DOUBLE_EQ(resource_of(given, "DRAM").amount, 1e6);
  EXPECT_DOUBLE_EQ(resource_of(given, "L3").amount, 1e10);
}

TEST(Residency, TheL1OfAGpuIsEmptyWhenAKernelStarts) {
  TargetMachine gpu = node();
  gpu.figures.kind = MachineKind::gpu;
  gpu.figures.caches = {{Level::L1, true, {32768}}, {Level::L2, false, {4e6}}};
  EXPECT_EQ(resident_level(gpu, 1000, false), Level::L2);
}

// 8 MiB of L2 for 12 of 48 cores.
TEST(CacheGeometry, AGroupOfCoresSharesItsCache) {
  TargetMachine target = node();
  target.figures.cores = Figure{48};
  target.figures.caches = {{Level::L2, false, {8388608}, 12U}};
  EXPECT_DOUBLE_EQ(cache_room(target, Level::L2, true).value(), 8388608.0 / 12);
  EXPECT_DOUBLE_EQ(cache_capacity(target, Level::L2, false).value(), 4 * 8388608.0);
  EXPECT_DOUBLE_EQ(cache_capacity(target, Level::L2, true).value(), 8388608.0);
  target.part_cores = 48;
  target.figures.cores = Figure{1};
  EXPECT_DOUBLE_EQ(cache_room(target, Level::L2, true).value(), 8388608.0);
  EXPECT_DOUBLE_EQ(cache_capacity(target, Level::L2, false).value(), 8388608.0);
  target.figures.cores = Figure{6};  // over four groups: two on one of them
  EXPECT_DOUBLE_EQ(cache_room(target, Level::L2, true).value(), 8388608.0 / 2);
}

/// 100 multiprocessors; figures of no real part.
TargetMachine gpu() {
  TargetMachine target = derive_machine(
                             "sms=100 clock=1.5G fp64_lanes=32 L1=128B/cycle L2=5TB/s "
                             "HBM=2TB/s L1.size=128KiB L2.size=40MiB")
                             .value()
                             .target;
  return target;
}

// 2 m n k / sqrt(S) elements; what the threads of a multiprocessor can share at most.
TEST(Gpu, RegistersSharedMemoryAndL1AreLevelsOfTiling) {
  const double n = 8192;
  const auto gemm = sized("gemm", {{"n", n}});
  TargetMachine target = gpu();
  const double cubes = 8.0 * 2 * n * n * n;
  const auto read = [&](const SizedKernel& kernel, const char* level) {
    return resource_of(predict_kernel(kernel, target), level).amount - 8.0 * n * n;  // C
  };
  EXPECT_NEAR(read(gemm, "L2"), cubes / std::sqrt(131072 / 8.0), 1e3);
  target.figures.registers = Figure{262144};
  target.figures.shared_memory = Figure{65536};  // smaller than L1: the same memory
  EXPECT_NEAR(read(gemm, "L2"), cubes / std::sqrt((262144 + 131072) / 8.0), 1e3);
  EXPECT_NEAR(read(gemm, "L1"), cubes / std::sqrt(262144 / 8.0), 1e3);
  EXPECT_NEAR(read(gemm, "HBM"), cubes / std::sqrt(41943040 / 8.0), 1e3);
}

TEST(Gpu, ANaiveGemmIsNoWorseThanCoalescingGives) {
  const double n = 8192;
  const TargetMachine target = gpu();
  const auto prediction = predict_kernel(sized("gemm-naive", {{"n", n}}), target);
  const double products = n * n * n;
  const double c = 8 * n * n;
  EXPECT_NEAR(resource_of(prediction, "L1").amount, 8 * products * (1 + 1.0 / 64) + c, 1e3);
  EXPECT_NEAR(resource_of(prediction, "L2").amount, 8 * 2 * products / std::sqrt(2560.0) + c, 1e3);
  // A warp reads 32 elements of B and one of A at a time: no level asks for more.
  for (const char* level : {"L1", "L2", "HBM"}) {
    EXPECT_LE(resource_of(prediction, level).amount, 8 * products * (1 + 1.0 / 32) + c) << level;
  }
  // And no schedule does with less than the best one.
  const auto best = predict_kernel(sized("gemm", {{"n", n}}), target);
  for (const char* level : {"L2", "HBM"}) {
    EXPECT_GE(resource_of(prediction, level).amount, resource_of(best, level).amount) << level;
  }
}

TEST(Gpu, WithoutTheSizeOfL2TheMemoryHasTheLeastTraffic) {
  TargetMachine target = gpu();
  std::erase_if(target.figures.caches,
                [](const PublishedCache& cache) { return cache.level == Level::L2; });
  const auto stencil = sized("stencil7", {{"nx", 400}});
  const auto prediction = predict_kernel(stencil, target);
  EXPECT_DOUBLE_EQ(resource_of(prediction, "HBM").amount, 2 * 8.0 * 400 * 400 * 400);
  EXPECT_THAT(note_of(prediction, "cache-unknown"), HasSubstr("L2"));
  EXPECT_EQ(note_of(predict_kernel(stencil, gpu()), "cache-unknown"), "");
}

TEST(Gpu, ALaunchIsWaitedFor) {
  TargetMachine target = gpu();
  const auto kernel = sized("triad", {{"n", 1e7}});
  const double alone = predict_kernel(kernel, target).seconds.value();
  target.figures.launch_latency = Figure{5e-6};
  const auto launched = predict_kernel(kernel, target);
  EXPECT_NEAR(launched.seconds.value(), alone + 5e-6, 1e-15);
  EXPECT_DOUBLE_EQ(resource_of(launched, "launch").seconds, 5e-6);
  EXPECT_EQ(resource_of(launched, "launch").unit, "launch");
  PredictionChoices choices;
  choices.launches = 0;
  EXPECT_DOUBLE_EQ(predict_kernel(kernel, target, choices).seconds.value(), alone);
  choices.launches = 10;
  EXPECT_NEAR(predict_kernel(kernel, target, choices).seconds.value(), alone + 5e-5, 1e-15);
  EXPECT_EQ(binding(predict_kernel(sized("triad", {{"n", 1000}}), target)), "launch");
  target.figures.kind = MachineKind::cpu;
  EXPECT_NEAR(predict_kernel(kernel, target).seconds.value(), alone, alone);  // no launch there
  for (const ResourceTime& resource : predict_kernel(kernel, target).resources) {
    EXPECT_NE(resource.resource, "launch");
  }
}

// 3 block^2 elements in 32 KiB: sqrt(4096 / 3) = 36.9.
TEST(Tiling, SquareBlocksFitWhereThreeOfThemDo) {
  const TargetMachine target = node();
  const auto amount = [&](double block) {
    PredictionChoices cold;
    cold.cold = true;
    return resource_of(
               predict_kernel(sized("gemm-blocked", {{"n", 720}, {"block", block}}), target, cold),
               "L2")
        .amount;
  };
  const double cubes = 2.0 * 720 * 720 * 720;
  EXPECT_NEAR(amount(36), 8 * cubes / 36 + 16.0 * 720 * 720, 1.0);
  EXPECT_GT(amount(37), 2 * amount(36));
}

TEST(Tiling, RegistersBlockWhatTheyHold) {
  TargetMachine target = node();
  const auto l1 = [&] {
    return resource_of(predict_kernel(sized("gemm", {{"n", 1000}}), target), "L1").amount;
  };
  EXPECT_DOUBLE_EQ(l1(), 24e6);  // their size is not known: the least
  target.figures.registers = Figure{2048};
  EXPECT_DOUBLE_EQ(l1(), 8 * 2e9 / 16 + 8e6);  // sqrt(256 elements)
}

// ---- nodes of the memory ----

TargetMachine two_memories() {
  return node("HBM=400GB/s");
}

TEST(Memory, OneNodeIsChosenOrTheTrafficIsSplit) {
  const auto kernel = sized("triad", {{"n", 1e7}});  // 320 MB
  PredictionChoices choices;
  EXPECT_EQ(binding(predict_kernel(kernel, two_memories(), choices)), "L3");
  choices.memory = {{Level::DRAM, 1.0}};
  const auto dram = predict_kernel(kernel, two_memories(), choices);
  EXPECT_EQ(binding(dram), "DRAM");
  EXPECT_DOUBLE_EQ(dram.seconds.value(), 320e6 / 40e9);
  choices.memory = {{Level::HBM, 0.8}, {Level::DRAM, 0.2}};
  const auto split = predict_kernel(kernel, two_memories(), choices);
  EXPECT_DOUBLE_EQ(resource_of(split, "HBM").seconds, 0.8 * 320e6 / 400e9);
  EXPECT_DOUBLE_EQ(resource_of(split, "DRAM").seconds, 0.2 * 320e6 / 40e9);
  choices.memory = {{Level::CXL, 1.0}};
  EXPECT_THAT(predict_kernel(kernel, two_memories(), choices).missing.value(),
              AllOf(HasSubstr("CXL"), HasSubstr("DRAM and HBM")));
}

// 1 GB of HBM beside 100 MB of DRAM: neither stands for the other where both are there.
TEST(Memory, BytesOfTwoNodesStayWithThem) {
  Computation computation;
  computation.demand = demand_of(1e9, 1e9);
  computation.traffic = {{Level::HBM, {1000000000, 0, 0}}, {Level::DRAM, {100000000, 0, 0}}};
  const auto both = predict_figures(computation.demand, two_memories(), {},
                                    traffic_on(computation, two_memories()));
  EXPECT_DOUBLE_EQ(resource_of(both, "HBM").amount, 1e9);
  EXPECT_DOUBLE_EQ(resource_of(both, "DRAM").amount, 1e8);
  const auto one = predict_figures(computation.demand, node(), {}, traffic_on(computation, node()));
  EXPECT_DOUBLE_EQ(resource_of(one, "DRAM").amount, 1.1e9);
  PredictionChoices choices;
  choices.memory = {{Level::DRAM, 1.0}};
  const auto chosen = predict_figures(computation.demand, two_memories(), choices,
                                      traffic_on(computation, two_memories(), true));
  EXPECT_DOUBLE_EQ(resource_of(chosen, "DRAM").amount, 1.1e9);
}

TEST(Residency, ACacheOfUnknownSizeIsSaid) {
  const auto with = [](const char* caches) {
    return derive_machine(std::string("cores=4 clock=2G simd=256 fma=2 DRAM=40GB/s ") + caches)
        .value()
        .target;
  };
  const TargetMachine unsized = with("L3=100GB/s");
  EXPECT_THAT(note_of(triad(1e6, unsized), "cache-unknown"),
              AllOf(HasSubstr("the size of L3"), HasSubstr("24 MB")));
  PredictionChoices cold;
  cold.cold = true;
  EXPECT_EQ(note_of(triad(1e6, unsized, cold), "cache-unknown"), "");
  EXPECT_EQ(note_of(triad(1e9, unsized), "cache-unknown"), "") << "no cache holds so much";
  EXPECT_EQ(note_of(triad(1e6, with("")), "cache-unknown"), "") << "the user spoke of no cache";
  EXPECT_EQ(note_of(triad(1e6, node()), "cache-unknown"), "");
  TargetMachine published = with("");
  published.figures.sources.clear();
  EXPECT_THAT(note_of(triad(1e6, published), "cache-unknown"), HasSubstr("its caches"));
}

}  // namespace
}  // namespace ridge::predict
