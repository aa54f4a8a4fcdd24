#include "render/chart/balance.hpp"

#include <gtest/gtest.h>

namespace ridge::render {
namespace {

ThreadWork worker(std::uint64_t flops, std::uint64_t samples) {
  const Seconds seconds(1e-3 * static_cast<double>(samples));
  return {0, flops, 0, 0, SampledTime{seconds, seconds, seconds, samples}};
}

TEST(Balance, SaysWorkAndTime) {
  Region region;
  region.thread_work = {worker(300, 500), worker(100, 300)};
  EXPECT_EQ(balance_words(region, false),
            "busiest of 2 threads: 1.50x the mean flops, 1.25x the mean CPU time");
  EXPECT_TRUE(is_uneven(region));
}

TEST(Balance, SaysWhatIsKnown) {
  Region region;
  EXPECT_EQ(balance_words(region), "");
  EXPECT_FALSE(is_uneven(region));
  region.thread_work = {worker(105, 0), worker(95, 0)};
  EXPECT_EQ(balance_words(region), "busiest of 2 threads: 1.05\u00D7 the mean flops");
  EXPECT_FALSE(is_uneven(region)) << "hardly";
}

}  // namespace
}  // namespace ridge::render
