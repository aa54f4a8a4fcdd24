#include "bench/plan.hpp"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/fixture_for_tests.hpp"

namespace ridge::bench {
namespace {

using testing::ElementsAre;
using testing_fixture::server;
using testing_fixture::small;

constexpr platform::SimdSupport kAll{.avx = true, .fma = true, .avx2 = true, .avx512 = true};

const PlannedKernel* find(const std::vector<PlannedKernel>& planned, std::string_view id) {
  const auto found = std::find_if(planned.begin(), planned.end(),
                                  [&](const PlannedKernel& kernel) { return kernel.id == id; });
  return found == planned.end() ? nullptr : &*found;
}

TEST(Plan, HasEveryCeilingOfTheContractOnce) {
  const auto planned = plan(small(), {.simd = kAll}).kernels;
  std::set<std::string> ids;
  for (const PlannedKernel& kernel : planned) {
    EXPECT_TRUE(ids.insert(kernel.id).second) << kernel.id;
  }
  for (const char* threads : {".t1", ".t2"}) {
    for (const char* isa : {"scalar", "sse", "avx2", "avx512"}) {
      for (const char* operation : {"fma", "add", "mul", "fma+add"}) {
        for (const char* precision : {"fp64", "fp32"}) {
          EXPECT_EQ(ids.count(std::string("compute.") + precision + "." + isa + "." + operation +
                              threads),
                    1U);
        }
      }
      for (const char* pattern : {"load", "store", "copy", "triad"}) {
        EXPECT_EQ(ids.count(std::string("bandwidth.L1.") + pattern + "." + isa + threads), 1U);
      }
    }
    for (const Level level : {Level::L2, Level::L3, Level::DRAM}) {
      for (const char* pattern : {"load", "store", "copy", "triad"}) {
        EXPECT_EQ(ids.count("bandwidth." + std::string(to_string(level)) + "." + pattern +
                            ".avx512" + threads),
                  1U);
      }
    }
  }
}

TEST(Plan, LeavesOutWhatTheCpuCannotDo) {
  platform::SimdSupport simd{.avx = true, .fma = false, .avx2 = false, .avx512 = false};
  const auto planned = plan(small(), {.simd = simd}).kernels;
  EXPECT_NE(find(planned, "compute.fp64.sse.add.t1"), nullptr);
  EXPECT_NE(find(planned, "bandwidth.L3.load.sse.t1"), nullptr);
  for (const PlannedKernel& kernel : planned) {
    EXPECT_FALSE(kernel.kernel->needs_fma()) << kernel.id;
    EXPECT_TRUE(kernel.isa == Isa::scalar || kernel.isa == Isa::sse) << kernel.id;
  }
  EXPECT_TRUE(plan(small(), {.simd = {}}).kernels.empty());
}

TEST(Plan, ThreadCountsAreOneAndAllOrWhatWasAskedFor) {
  EXPECT_THAT(thread_counts(server(), {}), ElementsAre(1, 32));
  EXPECT_THAT(thread_counts(server(), {.thread_counts = {8, 2, 8}}), ElementsAre(2, 8));
  Machine single = server();
  single.topology->threads = 1;
  EXPECT_THAT(thread_counts(single, {}), ElementsAre(1));
}

TEST(Plan, WorkingSetsFitTheirLevelAndOverflowTheOneBefore) {
  for (const Machine& machine : {small(), server()}) {
    for (const unsigned threads : {1U, machine.topology->threads}) {
      std::uint64_t inner = 0;
      for (const Cache& cache : machine.caches) {
        const std::uint64_t set = working_set(machine, cache.level, threads, 1);
        const std::uint64_t sharers = std::min(threads, cache.shared_by_threads);
        EXPECT_LE(set * sharers, cache.size_bytes * 3 / 4)
            << to_string(cache.level) << " t" << threads;
        EXPECT_GT(set, inner) << to_string(cache.level) << " t" << threads;
        inner = cache.size_bytes / sharers;
      }
    }
  }
}

TEST(Plan, MemorySetsAreFourTimesAllLastLevelCachesOverAllThreads) {
  const std::uint64_t all = 4 * 4 * (std::uint64_t{32} << 20U);
  EXPECT_EQ(working_set(server(), "DRAM", 1, 4), all);
  EXPECT_EQ(working_set(server(), "DRAM", 32, 4) * 32, all);
}

TEST(Plan, AMachineWithoutCachesStillHasMemoryCeilings) {
  Machine machine = small();
  machine.caches.clear();
  const auto planned = plan(machine, {.simd = kAll}).kernels;
  const auto* load = find(planned, "bandwidth.DRAM.load.avx512.t1");
  ASSERT_NE(load, nullptr);
  EXPECT_GE(load->set_bytes, 32U << 20U);
}

TEST(Plan, LevelsWhoseSetDoesNotFitTheMemoryAreLeftOutAndNamed) {
  const Plan made = plan(small(), {.simd = kAll, .memory_bytes = 20U << 20U});
  for (const PlannedKernel& kernel : made.kernels) {
    EXPECT_NE(kernel.level, Level::DRAM) << "a smaller set would stay in the caches: " << kernel.id;
  }
  EXPECT_NE(find(made.kernels, "bandwidth.L3.load.avx512.t2"), nullptr);
  ASSERT_EQ(made.too_large.size(), 2U);
  EXPECT_EQ(made.too_large[0].level, Level::DRAM);
  EXPECT_EQ(made.too_large[0].bytes, 128U << 20U);
  EXPECT_TRUE(plan(small(), {.simd = kAll}).too_large.empty()) << "memory is not known";
}

TEST(Plan, BetweenOneThreadAndAllThereIsTheCourseOfIt) {
  const PlanOptions standard{.effort = Effort::standard, .simd = kAll};
  Machine machine = server();
  EXPECT_THAT(thread_counts(machine, standard), ElementsAre(1, 2, 4, 8, 16, 32));
  machine.topology->cores = 24;
  machine.topology->threads = 48;
  EXPECT_THAT(thread_counts(machine, standard), ElementsAre(1, 2, 4, 8, 16, 24, 32, 48));
  const auto planned = plan(server(), standard).kernels;
  EXPECT_NE(find(planned, "bandwidth.DRAM.load.avx512.t4"), nullptr);
  EXPECT_NE(find(planned, "compute.fp64.avx512.fma.t8"), nullptr);
  EXPECT_EQ(find(planned, "compute.fp32.avx512.fma.t8"), nullptr);
  EXPECT_NE(find(planned, "compute.int64.avx512.add.t8"), nullptr);
  EXPECT_EQ(find(planned, "compute.int32.avx512.mul.t8"), nullptr);
  EXPECT_EQ(find(planned, "bandwidth.DRAM.store.avx512.t4"), nullptr);
  EXPECT_NE(find(planned, "bandwidth.DRAM.store.avx512.t32"), nullptr);
  const auto asked =
      plan(server(), {.effort = Effort::standard, .thread_counts = {4}, .simd = kAll});
  EXPECT_NE(find(asked.kernels, "bandwidth.DRAM.store.avx512.t4"), nullptr) << "asked for by name";
}

TEST(Plan, EachEffortContainsTheOnesBefore) {
  std::set<std::string> before;
  for (const Effort effort : {Effort::quick, Effort::standard, Effort::full}) {
    std::set<std::string> ids;
    for (const PlannedKernel& kernel : plan(server(), {.effort = effort, .simd = kAll}).kernels) {
      ids.insert(kernel.id);
    }
    EXPECT_TRUE(std::includes(ids.begin(), ids.end(), before.begin(), before.end()));
    EXPECT_GT(ids.size(), before.size()) << to_string(effort);
    before = std::move(ids);
  }
  EXPECT_LT(limits_of(Effort::quick).wall, Seconds{15.0});
  EXPECT_LT(limits_of(Effort::standard).wall, Seconds{60.0});
  EXPECT_LT(limits_of(Effort::full).wall, Seconds{300.0});
}

TEST(Plan, LatencyIsMeasuredOnOneThreadAtEveryLevel) {
  const auto planned = plan(small(), {.effort = Effort::standard, .simd = kAll}).kernels;
  for (const Level level : {Level::L1, Level::L2, Level::L3, Level::DRAM}) {
    for (const Pattern pattern : {Pattern::chase_huge, Pattern::chase_4k}) {
      const auto* chase = find(planned, to_string(LatencyKey{level, pattern, 1}));
      ASSERT_NE(chase, nullptr) << to_string(level);
      EXPECT_EQ(chase->level, level);
      EXPECT_EQ(chase->warm_up_bytes > chase->set_bytes, level != Level::DRAM);
      EXPECT_EQ(find(planned, to_string(LatencyKey{level, pattern, 2})), nullptr);
    }
    EXPECT_NE(find(planned, to_string(BandwidthKey{level, Pattern::stride_4, Isa::scalar, 2})),
              nullptr);
    EXPECT_NE(find(planned, to_string(BandwidthKey{level, Pattern::gather, Isa::avx512, 1})),
              nullptr);
  }
}

TEST(Plan, APointerChaseTakesLittleMoreThanTheCacheBefore) {
  const auto planned = plan(small(), {.effort = Effort::standard, .simd = kAll}).kernels;
  const auto set = [&](Level level) {
    return find(planned, to_string(LatencyKey{level, Pattern::chase_huge, 1}))->set_bytes;
  };
  EXPECT_EQ(set("L1"), 24U << 10U);
  EXPECT_EQ(set("L2"), 96U << 10U);
  EXPECT_EQ(set("L3"), 3U << 20U);
  EXPECT_EQ(set("DRAM"), 128U << 20U);
}

TEST(Plan, VisitsAreLongerThanTheirWarmUp) {
  for (const Machine& machine : {small(), server()}) {
    for (const PlannedKernel& kernel : plan(machine, {.simd = kAll}).kernels) {
      EXPECT_GT(kernel.tolerance, 0.0) << kernel.id;
      const double warm_up_seconds = static_cast<double>(kernel.warm_up_bytes) / 10e9;
      EXPECT_GE(kernel.visit_time.value() - warm_up_seconds, 4 * kernel.sample_time.value())
          << kernel.id;
      if (kernel.level == Level::DRAM) {
        // What another kernel left in the caches is driven out; the walk is not all warm-up.
        EXPECT_GE(kernel.warm_up_bytes * kernel.threads, 32U << 20U) << kernel.id;
        EXPECT_LT(kernel.warm_up_bytes, kernel.set_bytes) << kernel.id;
      } else {
        EXPECT_EQ(kernel.warm_up_bytes, 2 * kernel.set_bytes) << kernel.id;
      }
    }
  }
}

TEST(Plan, SamplesAreShortAndTheBudgetIsKept) {
  for (const double seconds : {0.1, 1.0, 10.0}) {
    double total = 0.0;
    auto planned = plan(server(), {.simd = kAll}).kernels;
    share_budget(planned, Seconds{seconds}, Seconds{0.05});
    for (const PlannedKernel& kernel : planned) {
      EXPECT_GE(kernel.sample_time.value(), 20e-6) << kernel.id;
      EXPECT_LE(kernel.sample_time.value(), kernel.level == Level::DRAM ? 200e-6 : 100e-6)
          << kernel.id;
      EXPECT_LE(kernel.budget.value(), 0.05 * kernel.weight * 1.0001) << kernel.id;
      total += kernel.budget.value();
    }
    EXPECT_LE(total, seconds * 1.0001);
    EXPECT_GT(total, 0.0);
  }
}

}  // namespace
}  // namespace ridge::bench
