// Which lines that come from memory are noted (cachesim_sample_memory).
#include <array>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "cachesim/simulation.hpp"

namespace ridge::cachesim_reference {
namespace {

// Every line, then one of ten: what the traffic says, whichever way it took.
TEST(MemorySample, IsOfWhatTheTrafficSays) {
  for (const std::uint32_t policy : {RIDGE_NON_INCLUSIVE, RIDGE_INCLUSIVE, RIDGE_VICTIM}) {
    for (const std::uint32_t every : {1U, 10U}) {
      const ridge_cache_config config =
          config_of(4, {level_of(8, 2), level_of(16, 4), level_of(16, 8, policy, 2)});
      Simulation sim(config);
      std::vector<cachesim_memory_sample> samples(100000);
      cachesim_sample_memory(sim.get(), samples.data(), 100000, every);
      std::mt19937_64 random(7);
      for (int i = 0; i < 50000; ++i) {
        const std::uint32_t region = 1 + random() % 2;
        const std::uint64_t line = random() % (region == 1 ? 100 : 2000);
        cachesim_access(sim.get(), random() % 8 == 0 ? 3 : 0, line * 64, 1 + random() % 100,
                        random() % 2, region);
      }
      std::array<std::uint64_t, 3> seen{};
      for (std::uint32_t i = 0; i < sim.get()->memory_sample_count; ++i) {
        ASSERT_LT(samples[i].line, samples[i].region == 1 ? 102U : 2002U);
        ++seen.at(samples[i].region);
      }
      for (const std::uint32_t region : {1U, 2U}) {
        const double lines = static_cast<double>(sim.region(region).crossed[2].read) / 64;
        EXPECT_GT(lines, 1000);
        EXPECT_NEAR(static_cast<double>(seen.at(region)) * every, lines,
                    every == 1 ? 0 : 0.15 * lines);
      }
    }
  }
}

TEST(MemorySample, LeavesOutWhatDoesNotFit) {
  const ridge_cache_config config = config_of(1, {level_of(4, 2), level_of(8, 2)});
  Simulation sim(config);
  for (std::uint64_t i = 0; i < 100; ++i) {
    sim.load(i * 64);  // before: nobody asked
  }
  std::vector<cachesim_memory_sample> samples(6, cachesim_memory_sample{77, 77});
  cachesim_sample_memory(sim.get(), samples.data(), 5, 1);
  for (std::uint64_t i = 1000; i < 1100; ++i) {
    sim.load(i * 64);
  }
  EXPECT_EQ(sim.get()->memory_sample_count, 5u);
  EXPECT_EQ(samples[4].line, 1004u);
  EXPECT_EQ(samples[5].line, 77u);
}

}  // namespace
}  // namespace ridge::cachesim_reference
