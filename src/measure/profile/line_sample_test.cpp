#include "measure/profile/line_sample.hpp"

#include <bit>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/instrumented/arena_builder.hpp"
#include "measure/instrumented/traffic.hpp"
#include "measure/sentences_for_tests.hpp"

namespace ridge::measure {
namespace {

ridge_cache_config with_sets(std::initializer_list<std::uint64_t> set_counts) {
  constexpr std::uint32_t kWays = 8;
  ridge_cache_config config{};
  for (const std::uint64_t sets : set_counts) {
    config.levels[config.level_count++] = {sets * kWays * 64,   kWays, 64, 1,
                                           RIDGE_NON_INCLUSIVE, 1,     0};
  }
  config.core_count = 1;
  return config;
}

ridge_region_traffic lines(std::uint64_t l2, std::uint64_t memory) {
  ridge_region_traffic traffic{};
  traffic.crossed[0] = {64 * l2, 0};
  traffic.crossed[1] = {0, 64 * memory};
  traffic.least = {64 * memory, 64};
  return traffic;
}

/// The same verdict at each boundary.
ridge_region_pilot pilot_of(ridge_pilot_verdict verdict) {
  ridge_region_pilot pilot{};
  for (ridge_pilot_level& level : pilot.levels) {
    level.verdict = verdict;
    level.variation = 0.5;
    level.hottest = 3.0;
  }
  return pilot;
}

/// Even at the first boundary, and this at memory's.
ridge_region_pilot even_and(ridge_pilot_verdict at_memory) {
  ridge_region_pilot pilot = pilot_of(RIDGE_PILOT_EVEN);
  pilot.levels[1].verdict = at_memory;
  pilot.levels[1].hottest = 64.0;
  return pilot;
}

/// One process of three regions: none, and two that were sampled.
RawProcess sampled_process(const ridge_region_traffic& first, const ridge_region_pilot& first_pilot,
                           const ridge_region_traffic& second,
                           const ridge_region_pilot& second_pilot) {
  RawProcess process;
  process.traffic = {{}, lines(1000, 100), lines(10, 0)};
  process.sampled = {{}, first, second};
  process.pilot = {{}, first_pilot, second_pilot};
  process.sample_weight = 8;
  process.memory_boundary = 1;
  return process;
}

TEST(SampleMask, OneOfEachEightNeighboursAndOfEachResidue) {
  const auto mask = sample_mask(with_sets({64, 1024, 32768}));
  ASSERT_TRUE(mask);
  std::uint64_t residues = 0;
  for (unsigned group = 0; group < 8; ++group) {
    const std::uint64_t bits = *mask >> (8 * group) & 0xff;
    EXPECT_EQ(std::popcount(bits), 1) << group;
    residues |= bits;
  }
  EXPECT_EQ(residues, 0xffU);
}

TEST(SampleMask, FewerSetsRepeatTheChoice) {
  const auto mask = sample_mask(with_sets({32, 1024}));
  ASSERT_TRUE(mask);
  EXPECT_EQ(*mask >> 32U, *mask & 0xffffffffU);
  EXPECT_EQ(std::popcount(*mask), 8);
  // 48 and 1024 have 16 in common.
  const auto odd = sample_mask(with_sets({48, 1024}));
  ASSERT_TRUE(odd);
  EXPECT_EQ(*odd, std::rotl(*odd, 16));
}

TEST(SampleMask, NotWhereClassesMeetInSets) {
  EXPECT_FALSE(sample_mask(with_sets({8, 64})));
  EXPECT_FALSE(sample_mask(with_sets({64, 1000})));
  EXPECT_FALSE(sample_mask(with_sets({})));
  auto wide = with_sets({64});
  wide.levels[0].line_bytes = 128;
  EXPECT_FALSE(sample_mask(wide));
}

TEST(AllLines, SampledLinesStandForEight) {
  const auto process = sampled_process(lines(50, 5), pilot_of(RIDGE_PILOT_EVEN), {}, {});
  const auto traffic = all_lines(process, 1);
  EXPECT_EQ(traffic.crossed[0].read, 64U * (1000 + 8 * 50));
  EXPECT_EQ(traffic.crossed[1].written, 64U * (100 + 8 * 5));
  EXPECT_EQ(traffic.least.read, 64U * (100 + 8 * 5));
  EXPECT_EQ(traffic.least.written, 64U * (1 + 8));
  EXPECT_TRUE(is_sampled(process, 1));
  EXPECT_FALSE(is_sampled(process, 2));
  EXPECT_EQ(all_lines(process, 2).crossed[0].read, 640U);
}

TEST(Distrust, VerdictAndChance) {
  const auto many = lines(100'000, 100'000);
  const auto few = lines(100, 100);
  EXPECT_FALSE(distrust(sampled_process(many, pilot_of(RIDGE_PILOT_EVEN), {}, {}), 1));
  EXPECT_EQ(distrust(sampled_process(many, pilot_of(RIDGE_PILOT_UNEVEN), {}, {}), 1)->code,
            "sampled-uneven");
  EXPECT_EQ(distrust(sampled_process(many, pilot_of(RIDGE_PILOT_UNPROVEN), {}, {}), 1)->code,
            "sampled-unproven");
  EXPECT_EQ(distrust(sampled_process(few, pilot_of(RIDGE_PILOT_EVEN), {}, {}), 1)->code,
            "sampled-unproven")
      << "some hundred lines: 4 % by chance";
  EXPECT_FALSE(distrust(sampled_process({}, pilot_of(RIDGE_PILOT_UNEVEN), {}, {}), 1))
      << "nothing was sampled";
}

// Even misses of the first level say nothing of the sets below it.
TEST(Distrust, EachBoundaryHasAVerdictOfItsOwn) {
  const auto many = lines(100'000, 100'000);
  const auto note = distrust(sampled_process(many, even_and(RIDGE_PILOT_UNEVEN), {}, {}), 1);
  ASSERT_TRUE(note);
  EXPECT_EQ(note->code, "sampled-uneven");
  EXPECT_THAT(note->text, testing::HasSubstr("64 times"));
  EXPECT_THAT(note->text, testing::HasSubstr("level 2"));
  const auto unproven = distrust(sampled_process(many, even_and(RIDGE_PILOT_UNPROVEN), {}, {}), 1);
  ASSERT_TRUE(unproven);
  EXPECT_EQ(unproven->code, "sampled-unproven");
  EXPECT_THAT(unproven->text, testing::HasSubstr("level 2"));
  const auto all = distrust(sampled_process(many, pilot_of(RIDGE_PILOT_UNEVEN), {}, {}), 1);
  ASSERT_TRUE(all);
  EXPECT_THAT(all->text, testing::HasSubstr("levels 1 and 2"));
}

// What went to memory before sampling began is exact.
TEST(Distrust, ABoundaryThatNextToNothingCrossesIsNotInDoubt) {
  const auto few = lines(100'000, 0);
  EXPECT_FALSE(distrust(sampled_process(few, even_and(RIDGE_PILOT_UNPROVEN), {}, {}), 1));
  EXPECT_FALSE(distrust(sampled_process(few, even_and(RIDGE_PILOT_UNEVEN), {}, {}), 1));
}

// ... unless the pilot saw that all of it falls into classes that are not sampled.
TEST(Distrust, WhatOnlyThePilotSawAtABoundary) {
  auto hidden = even_and(RIDGE_PILOT_UNEVEN);
  hidden.levels[1].lines[3] = 1000;
  hidden.levels[1].piloted_accesses = 10'000;
  hidden.sampled_accesses = 1'000'000;
  auto process = sampled_process(lines(100'000, 0), hidden, {}, {});
  ASSERT_TRUE(distrust(process, 1));
  EXPECT_EQ(distrust(process, 1)->code, "sampled-uneven");
  DecodedArena arena;
  arena.processes = {process};
  const auto share = untrusted_share(simulated_traffic(arena));
  EXPECT_EQ(share.boundary, 1U);
  EXPECT_NEAR(share.share, 1.0, 1e-9) << "the 100 lines that were told are among those";
}

TEST(UntrustedShare, LargestOfAllBoundaries) {
  const auto even = pilot_of(RIDGE_PILOT_EVEN);
  const auto uneven = pilot_of(RIDGE_PILOT_UNEVEN);
  DecodedArena arena;
  arena.processes = {sampled_process(lines(100'000, 100'000), even, lines(100, 20'000), uneven)};
  const auto share = untrusted_share(simulated_traffic(arena));
  EXPECT_EQ(share.boundary, 1U);
  EXPECT_NEAR(share.share, 160'000.0 / (800'000 + 160'000 + 100), 1e-9);
  arena.processes = {sampled_process(lines(100'000, 100'000), even, {}, uneven)};
  EXPECT_EQ(untrusted_share(simulated_traffic(arena)).share, 0.0);
}

TEST(UntrustedShare, WhatOnlyThePilotSawCounts) {
  // All misses in a class that is not sampled: 1000 in a window of a hundredth of the accesses.
  auto hidden = pilot_of(RIDGE_PILOT_UNEVEN);
  hidden.levels[0].lines[3] = 1000;
  hidden.levels[0].piloted_accesses = 10'000;
  hidden.sampled_accesses = 1'000'000;
  DecodedArena arena;
  arena.processes = {
      sampled_process(lines(100'000, 100'000), pilot_of(RIDGE_PILOT_EVEN), {}, hidden)};
  EXPECT_TRUE(is_sampled(arena.processes[0], 2));
  EXPECT_EQ(distrust(arena.processes[0], 2)->code, "sampled-uneven");
  const auto share = untrusted_share(simulated_traffic(arena));
  EXPECT_EQ(share.boundary, 0U);
  EXPECT_NEAR(share.share, 100'000.0 / (801'000 + 100'000), 1e-9);
}

TEST(UntrustedShare, ChanceCounts) {
  DecodedArena arena;
  arena.processes = {sampled_process(lines(100'000, 100), pilot_of(RIDGE_PILOT_EVEN), {}, {})};
  EXPECT_EQ(untrusted_share(simulated_traffic(arena)).boundary, 1U)
      << "100 lines to memory: too few";
  EXPECT_GT(untrusted_share(simulated_traffic(arena)).share, kUntrustedMost);
}

TEST(UntrustedShare, AtTheEdgeOfTheLastLevelCounts) {
  const auto even = pilot_of(RIDGE_PILOT_EVEN);
  auto traffic = lines(100'000, 100'000);
  DecodedArena arena;
  for (const double factor : {1.0, 1.19, 1.21}) {
    const bool edge = factor > 1.2;
    traffic.memory_at_half = {0, static_cast<std::uint64_t>(64 * 100'000 * factor)};
    arena.processes = {sampled_process(traffic, even, {}, {})};
    EXPECT_EQ(untrusted_share(simulated_traffic(arena)).share > kUntrustedMost, edge) << factor;
    const auto note = distrust(arena.processes[0], 1);
    ASSERT_EQ(note.has_value(), edge) << factor;
    if (edge) {
      EXPECT_EQ(note->code, "sampled-edge");
    }
  }
}

// What reaches memory from data of that size may come from a few sets, and those from any class:
// nothing says how much it is, least of all that it is little (daxpy on 32 MB before a cache of
// 32 MiB: sampled 0.10 MB, exactly 0.79 MB).
TEST(Distrust, AtAnEdgeLittleMemoryTrafficMayBeMore) {
  const auto even = pilot_of(RIDGE_PILOT_EVEN);
  for (const std::uint64_t at_half : {900U, 1100U}) {
    auto traffic = lines(100'000, 10);
    traffic.memory_at_half = {64 * at_half, 0};
    const auto note = distrust(sampled_process(traffic, even, {}, {}), 1);
    ASSERT_EQ(note.has_value(), at_half > 1000) << at_half;
    if (note) {
      EXPECT_EQ(note->code, "sampled-edge");
    }
  }
}

TEST(Distrust, AnEdgeDoesNotHideThatTheCachesAreInDoubtToo) {
  auto traffic = lines(500, 10);  // too few for 1 % at L2
  traffic.memory_at_half = {64 * 400, 0};
  const auto note = distrust(sampled_process(traffic, pilot_of(RIDGE_PILOT_EVEN), {}, {}), 1);
  ASSERT_TRUE(note);
  EXPECT_EQ(note->code, "sampled-unproven");
}

/// One process with one region, a part of whose traffic was sampled.
ArenaBuilder sampled_arena(ridge_pilot_verdict verdict) {
  ArenaBuilder arena(RIDGE_MODE_TRAFFIC);
  const auto process = arena.process(1);
  DescriptorBuilder unit;
  unit.region(RIDGE_REGION_FUNCTION, "f", RIDGE_NO_PARENT);
  arena.module(process, unit);
  arena.traffic(process, {{}, lines(1000, 100)});
  arena.sampled(process, {{}, lines(50, 5)}, {{}, pilot_of(verdict)});
  return arena;
}

TEST(Decoded, TheBoundaryOfMemoryIsTheLastOne) {
  for (const auto& [levels, boundary] : {std::pair(3U, 2U), {1U, 0U}, {0U, 0U}, {99U, 3U}}) {
    ArenaBuilder arena = sampled_arena(RIDGE_PILOT_EVEN);
    arena.header().caches.level_count = levels;
    const auto decoded = decode(arena.bytes());
    ASSERT_TRUE(decoded);
    EXPECT_EQ(decoded->processes[0].memory_boundary, boundary) << levels;
  }
}

TEST(Decoded, SampledTablesOfTheArena) {
  const ArenaBuilder arena = sampled_arena(RIDGE_PILOT_UNEVEN);
  const auto decoded = *decode(arena.bytes());
  const SecondRun run(decoded.processes[0]);
  EXPECT_TRUE(run.sampled());
  EXPECT_EQ(run.total().crossed[0].read, 64U * (1000 + 8 * 50));
  const auto table = merge_regions(decoded.processes[0]);
  const auto* entry = run.find(table.regions[0].identity);
  ASSERT_NE(entry, nullptr);
  EXPECT_TRUE(entry->sampled);
  ASSERT_EQ(entry->notes.size(), 1U);
  EXPECT_EQ(entry->notes[0].code, "sampled-uneven");
  EXPECT_EQ(sampling_note(simulated_traffic(decoded))->code, "traffic-sampled");
  EXPECT_FALSE(sampling_note({}));
}

TEST(Decoded, ADamagedTableMeansNoTraffic) {
  ArenaBuilder arena(RIDGE_MODE_TRAFFIC);
  const auto process = arena.process(1);
  arena.traffic(process, {{}});
  arena.sampled(process, {{}}, {{}});
  arena.record(process).pilot = UINT64_MAX - 8;
  const auto decoded = *decode(arena.bytes());
  EXPECT_TRUE(decoded.processes[0].traffic.empty());
  EXPECT_TRUE(decoded.processes[0].sampled.empty());
}

}  // namespace

void sampling_sentences(tests::Sentences& sentences) {
  const auto add = [&](std::string_view name, const ridge_region_pilot& pilot) {
    const auto note =
        distrust(sampled_process(lines(100'000, 100'000), pilot, {}, {}), 1).value_or(Note());
    sentences.add(fmt::format("sampled, {}, {}", name, note.code), note.text);
  };
  add("below the second level", even_and(RIDGE_PILOT_UNEVEN));
  add("below the second level", even_and(RIDGE_PILOT_UNPROVEN));
  add("everywhere", pilot_of(RIDGE_PILOT_UNEVEN));
}

}  // namespace ridge::measure
