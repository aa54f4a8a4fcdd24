#include "bench/characterise.hpp"

#include <atomic>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "bench/fixture_for_tests.hpp"
#include "platform/cpu.hpp"
#include "platform/topology.hpp"

namespace ridge::bench {
namespace {

TEST(Characterise, RefusesWhatItCannotDoWithAHint) {
  const Machine machine = testing_fixture::small();
  for (const unsigned threads : {0U, 3U}) {
    const auto many = characterise(machine, nullptr, {.thread_counts = {threads}}, {});
    ASSERT_FALSE(many);
    EXPECT_EQ(many.error().code, ErrorCode::usage);
    EXPECT_FALSE(many.error().hint.empty());
  }
  if (platform::simd_support().avx) {
    for (const char* level : {"L9", "L3"}) {
      const auto nothing = characterise(machine, nullptr, {.only = {"scalar", level}}, {});
      ASSERT_FALSE(nothing) << level;
      EXPECT_EQ(nothing.error().code, ErrorCode::usage);
      EXPECT_FALSE(nothing.error().hint.empty());
    }
  }
}

TEST(Characterise, RefusesBeforeItWaitsForAQuietMachine) {
  if (!platform::simd_support().avx) {
    GTEST_SKIP() << "needs AVX";
  }
  std::atomic<bool> done = false;
  std::thread busy([&] {
    while (!done) {
    }
  });
  bool waited = false;
  const Options options{
      .only = {"nonsense"}, .quiet_limit = Seconds{30.0}, .stop = [&] { return waited = true; }};
  const auto refused = characterise(testing_fixture::small(), nullptr, options, {});
  done = true;
  busy.join();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::usage);
  EXPECT_FALSE(waited);
}

TEST(Characterise, FillsClocksAndCeilingsAndReportsProgress) {
  if (!platform::simd_support().avx) {
    GTEST_SKIP() << "needs AVX";
  }
  auto machine = platform::describe_machine("0.0.0");
  ASSERT_TRUE(machine) << machine.error().message;
  // Small caches keep the memory sets, and so this test, small.
  machine->caches = {
      {.level = Level::L1, .size_bytes = 32U << 10U, .ways = 8, .shared_by_threads = 1},
      {.level = Level::L2, .size_bytes = 256U << 10U, .ways = 8, .shared_by_threads = 1}};
  Microarchitecture theory = testing_fixture::theory();
  theory.policies = {{"L2", CachePolicy::victim, WriteAllocate::when_unsaturated}};
  std::size_t last = 0;
  std::size_t raw = 0;
  std::size_t announced = 0;
  const Options options{.thread_counts = {1},
                        .budget = Seconds{0.3},
                        .on_outline = [&](const Outline& outline) { announced = outline.ceilings; },
                        .on_samples =
                            [&](const RawSamples& samples) {
                              ++raw;
                              EXPECT_EQ(samples.all.rates.size(), samples.all.clocks.size());
                              EXPECT_EQ(samples.all.rates.size(), samples.quiet.size());
                              EXPECT_LE(samples.kept.rates.size(), samples.all.rates.size());
                            }};
  const auto measured = characterise(*machine, &theory, options, [&](const Progress& progress) {
    EXPECT_GE(progress.done, last);
    EXPECT_LT(progress.done, progress.total);
    last = progress.done;
  });
  ASSERT_TRUE(measured) << measured.error().message;
  EXPECT_GT(last, 0U);
  EXPECT_EQ(raw, measured->ceilings.size());
  EXPECT_EQ(announced, measured->ceilings.size());
  EXPECT_EQ(measured->caches[1].policy, CachePolicy::victim);
  EXPECT_EQ(measured->caches[1].write_allocate, WriteAllocate::when_unsaturated);
  EXPECT_TRUE(measured->clock.core);
  EXPECT_TRUE(measured->clock.tsc_hertz);
  EXPECT_EQ(measured->effort, "quick");
  EXPECT_FALSE(measured->incomplete);
  std::set<std::string> ids;
  for (const Ceiling& ceiling : measured->ceilings) {
    EXPECT_TRUE(ids.insert(ceiling.id).second) << ceiling.id;
    EXPECT_GT(p90_of(ceiling.value), 0.0) << ceiling.id;
    EXPECT_EQ(ceiling.limit.has_value(), ceiling.limit_fraction.has_value()) << ceiling.id;
    EXPECT_EQ(ceiling.traffic_value.has_value(), ceiling.kind == CeilingKind::bandwidth)
        << ceiling.id;
  }
}

TEST(Characterise, StoppedEarlyItKeepsWhatIsDone) {
  if (!platform::simd_support().avx) {
    GTEST_SKIP() << "needs AVX";
  }
  auto machine = platform::describe_machine("0.0.0");
  ASSERT_TRUE(machine) << machine.error().message;
  machine->caches = {
      {.level = Level::L1, .size_bytes = 32U << 10U, .ways = 8, .shared_by_threads = 1}};
  int left = 12;  // asked at every point of the sweep too; sets of memory would ask once more each
  const auto some =
      characterise(*machine, nullptr,
                   {.thread_counts = {1}, .only = {"L1"}, .stop = [&] { return left-- <= 0; }}, {});
  ASSERT_TRUE(some) << some.error().message;
  EXPECT_GE(some->ceilings.size(), 1U);
  EXPECT_LE(some->ceilings.size(), 12U);
  EXPECT_TRUE(some->incomplete);

  const auto none =
      characterise(*machine, nullptr, {.thread_counts = {1}, .stop = [] { return true; }}, {});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::unavailable);
  EXPECT_FALSE(none.error().hint.empty());
}

TEST(Characterise, MeasuresTheRoofOfTheLevelsAskedFor) {
  const auto simd = platform::simd_support();
  if (!simd.avx || !simd.fma) {
    GTEST_SKIP() << "needs AVX and FMA";
  }
  auto machine = platform::describe_machine("0.0.0");
  ASSERT_TRUE(machine) << machine.error().message;
  machine->caches = {
      {.level = Level::L1, .size_bytes = 32U << 10U, .ways = 8, .shared_by_threads = 1}};
  Outline outline;
  const auto measured =
      characterise(*machine, nullptr,
                   {.thread_counts = {1},
                    .only = {"roof", "L1"},
                    .budget = Seconds{0.5},
                    .on_outline = [&](const Outline& planned) { outline = planned; }},
                   {});
  ASSERT_TRUE(measured) << measured.error().message;
  EXPECT_EQ(outline.roofs, 1U);
  EXPECT_EQ(outline.ceilings, measured->ceilings.size());
  ASSERT_EQ(measured->measured_roofs.size(), 1U);
  const MeasuredRoof& roof = measured->measured_roofs.front();
  EXPECT_EQ(roof.level, Level::L1);
  EXPECT_NE(find_ceiling(*measured, roof.compute), nullptr);
  EXPECT_NE(find_ceiling(*measured, roof.bandwidth), nullptr);
  ASSERT_GE(roof.points.size(), 8U);
  for (std::size_t i = 1; i < roof.points.size(); ++i) {
    EXPECT_LT(roof.points[i - 1].intensity, roof.points[i].intensity);
    EXPECT_GT(roof.points[i].fraction, 0.0);
  }
}

}  // namespace
}  // namespace ridge::bench
