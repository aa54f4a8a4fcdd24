#include "bench/siblings.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "bench/fixture_for_tests.hpp"
#include "platform/affinity.hpp"
#include "platform/cpu.hpp"

namespace ridge::bench {
namespace {

TEST(Siblings, AreComparedInCoreAndInL1) {
  const auto planned =
      plan(testing_fixture::small(), {.simd = {.avx = true, .fma = true, .avx2 = true}}).kernels;
  std::vector<std::string> ids;
  for (const PlannedKernel& kernel : planned) {
    if (is_of_siblings(kernel, Isa::avx2)) {
      ids.push_back(kernel.id);
    }
  }
  EXPECT_EQ(ids,
            (std::vector<std::string>{"compute.fp64.avx2.fma.t1", "bandwidth.L1.load.avx2.t1"}));
}

TEST(Siblings, ShareTheSetOfOneThread) {
  if (!platform::simd_support().avx) {
    GTEST_SKIP() << "needs AVX";
  }
  const auto planned = plan(testing_fixture::small(), {.simd = platform::simd_support()}).kernels;
  const auto load = std::find_if(planned.begin(), planned.end(), [](const auto& kernel) {
    return kernel.level == Level::L1 && kernel.kernel->name() == "load" && kernel.threads == 1;
  });
  ASSERT_NE(load, planned.end());
  const auto siblings =
      measure_siblings(*load, platform::allowed_cpus(),
                       platform::ClockProbe(platform::calibrate_tsc()), Seconds{0.005});
  ASSERT_TRUE(siblings) << siblings.error().message;
  EXPECT_EQ((*siblings)->ceiling, load->id);
  EXPECT_EQ((*siblings)->threads, platform::allowed_cpus().size());
  EXPECT_EQ(unit_of((*siblings)->value), "byte/s");
  EXPECT_GT(p90_of((*siblings)->value), 0.0);
}

}  // namespace
}  // namespace ridge::bench
