#include "bench/sweep.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/fixture_for_tests.hpp"

namespace ridge::bench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Load bandwidth of a machine with caches of these sizes.
auto stairs(std::uint64_t l1, std::uint64_t l2, std::uint64_t l3) {
  return [=](std::uint64_t bytes) -> Result<BytesPerSecond> {
    return BytesPerSecond{bytes <= l1 ? 200e9 : bytes <= l2 ? 100e9 : bytes <= l3 ? 60e9 : 30e9};
  };
}

constexpr std::uint64_t kKiB = 1024;
constexpr std::uint64_t kMiB = 1024 * kKiB;

TEST(Sweep, ConfirmsCachesOfTheSizeThatIsSaid) {
  const auto levels =
      unconfirmed_levels(testing_fixture::small().caches, stairs(32 * kKiB, kMiB, 32 * kMiB));
  ASSERT_TRUE(levels);
  EXPECT_THAT(*levels, IsEmpty());
}

TEST(Sweep, NamesTheCacheThatIsSmallerOrLargerThanSaid) {
  const auto caches = testing_fixture::small().caches;
  EXPECT_THAT(unconfirmed_levels(caches, stairs(32 * kKiB, kMiB, 16 * kMiB)).value(),
              ElementsAre(Level::L3));
  EXPECT_THAT(unconfirmed_levels(caches, stairs(32 * kKiB, kMiB, 128 * kMiB)).value(),
              ElementsAre(Level::L3));
  EXPECT_THAT(unconfirmed_levels(caches, stairs(128 * kKiB, kMiB / 2, 32 * kMiB)).value(),
              ElementsAre(Level::L1, Level::L2));
}

TEST(Sweep, OneDisturbedTryIsForgiven) {
  const auto quiet = stairs(32 * kKiB, kMiB, 32 * kMiB);
  int calls = 0;
  const auto levels = unconfirmed_levels(testing_fixture::small().caches, [&](std::uint64_t bytes) {
    return ++calls == 2 ? Result<BytesPerSecond>(BytesPerSecond{1e9}) : quiet(bytes);
  });
  EXPECT_THAT(levels.value(), IsEmpty());
  EXPECT_EQ(calls, 12);
}

TEST(Sweep, HandsErrorsOn) {
  const auto levels = unconfirmed_levels(
      testing_fixture::small().caches,
      [](std::uint64_t) -> Result<BytesPerSecond> { return fail(ErrorCode::unavailable, "no"); });
  ASSERT_FALSE(levels);
  EXPECT_EQ(levels.error().message, "no");
}

}  // namespace
}  // namespace ridge::bench
