#include <cstdlib>
#include <random>
#include <vector>

#include <gtest/gtest.h>

extern "C" {
#include "cachesim/line_class.h"
#include "cachesim/pilot.h"
}

namespace {

constexpr std::uint64_t kMask = 0x0220100180048040;  // one of each eight; any will do
constexpr std::uint64_t kAll = ~std::uint64_t{0};
constexpr std::uint64_t kSets = 64;
constexpr std::uint64_t kWays = 12;

void* allocate(void*, std::uint64_t bytes) {
  return std::calloc(1, bytes);
}
void release(void*, void* memory, std::uint64_t) {
  std::free(memory);
}
const cachesim_memory kMemory{allocate, release, nullptr};

ridge_cache_level level_of(std::uint64_t sets, std::uint32_t ways, std::uint32_t cores = 1) {
  return {sets * ways * 64, ways, 64, cores, RIDGE_NON_INCLUSIVE, 1, 0};
}

class Pilot {
 public:
  explicit Pilot(const std::vector<ridge_cache_level>& levels = {level_of(kSets, kWays)},
                 std::uint32_t cores = 1)
      : regions_(8) {
    ridge_cache_config caches{};
    for (const auto& level : levels) caches.levels[caches.level_count++] = level;
    pilot_ = cachesim_pilot_create(&caches, regions_.data(), 8, &kMemory);
    pilot_->region_count = 8;
    cachesim_pilot_begin(pilot_, cores);
  }
  ~Pilot() { cachesim_pilot_destroy(pilot_); }
  Pilot(const Pilot&) = delete;
  Pilot& operator=(const Pilot&) = delete;

  void access(std::uint64_t address, std::uint64_t bytes = 8, std::uint64_t region = 1,
              std::uint64_t flags = 0) {
    const ridge_trace_entry entry{
        address, region << RIDGE_TRACE_REGION_SHIFT | flags << RIDGE_TRACE_FLAGS_SHIFT | bytes};
    cachesim_pilot_run(pilot_, &entry, 1);
  }
  void write(std::uint64_t address, std::uint64_t region = 1) {
    access(address, 8, region, RIDGE_TRACE_WRITE);
  }
  void count() {
    for (auto& level : pilot_->levels) level.counts = 1;
  }
  bool look() { return cachesim_pilot_look(pilot_) != 0; }
  std::uint64_t counted(std::size_t level = 0) const { return pilot_->levels[level].counted; }
  const ridge_pilot_level& end(std::size_t level = 0, std::uint32_t region = 1) {
    cachesim_pilot_end(pilot_, kMask);
    return regions_[region].levels[level];
  }
  cachesim_pilot* operator->() { return pilot_; }
  cachesim_pilot* get() { return pilot_; }

 private:
  std::vector<ridge_region_pilot> regions_;
  cachesim_pilot* pilot_ = nullptr;
};

ridge_pilot_level judged(const std::vector<std::uint32_t>& lines) {
  ridge_pilot_level level{};
  for (std::size_t i = 0; i < RIDGE_LINE_CLASSES; ++i) level.lines[i] = lines[i];
  cachesim_pilot_judge(&level, kMask);
  return level;
}

std::vector<std::uint32_t> all_classes(std::uint32_t misses) {
  return std::vector<std::uint32_t>(RIDGE_LINE_CLASSES, misses);
}

TEST(LineClass, NextSelectedWalksExactlyTheSelectedBytes) {
  std::minstd_rand random(1);
  for (int round = 0; round < 2000; ++round) {
    const std::uint64_t mask = round % 2 == 0 ? kMask : random() | (std::uint64_t{random()} << 32);
    const std::uint64_t start = random() % 10000;
    const std::uint64_t end = start + random() % 20000;
    std::uint64_t address = start;
    std::uint64_t expected = start;
    std::uint64_t piece = 0;
    while ((piece = cachesim_next_selected(mask, &address, end)) != 0) {
      for (; expected < address; ++expected) {
        ASSERT_EQ(mask >> (expected / 64 % 64) & 1, 0U) << expected;
      }
      for (; expected < address + piece; ++expected) {
        ASSERT_EQ(mask >> (expected / 64 % 64) & 1, 1U) << expected;
      }
      address += piece;
    }
    for (; expected < end; ++expected) ASSERT_EQ(mask >> (expected / 64 % 64) & 1, 0U);
  }
  std::uint64_t address = 5;
  EXPECT_EQ(cachesim_next_selected(kAll, &address, 1'000'005), 1'000'000U);
  EXPECT_EQ(cachesim_next_selected(0, &address, 1'000'005), 0U);
  address = ~std::uint64_t{0} - 100;
  EXPECT_EQ(cachesim_next_selected(1, &address, ~std::uint64_t{0}), 0U) << "none before the end";
}

TEST(Pilot, OnlyFullSetsCount) {
  Pilot pilot;
  pilot.count();
  for (std::uint64_t line = 0; line < kSets * kWays; ++line) pilot.access(64 * line);
  EXPECT_EQ(pilot.counted(), 0U) << "the first lines of a set may have been there before";
  EXPECT_EQ(pilot->levels[0].unknown, kSets * kWays);
  for (std::uint64_t line = 0; line < 3; ++line) pilot.access(64 * (kSets * kWays + line));
  EXPECT_EQ(pilot.counted(), 3U);
  const auto& level = pilot.end();
  EXPECT_EQ(level.lines[0] + level.lines[1] + level.lines[2], 3U);
  EXPECT_EQ(level.verdict, static_cast<unsigned>(RIDGE_PILOT_UNPROVEN));
}

TEST(Pilot, LeastRecentlyUsedGoes) {
  Pilot pilot;
  const auto line = [](std::uint64_t number) { return number * kSets * 64; };
  for (std::uint64_t i = 0; i < kWays; ++i) pilot.access(line(i));
  pilot.count();
  pilot.access(line(0));  // hit: line 1 is the oldest now
  pilot.access(line(kWays));
  EXPECT_EQ(pilot.counted(), 1U);
  pilot.access(line(0));
  EXPECT_EQ(pilot.counted(), 1U);
  pilot.access(line(1));
  EXPECT_EQ(pilot.counted(), 2U);
}

TEST(Pilot, AStreamIsEven) {
  Pilot pilot;
  pilot.count();
  for (std::uint64_t address = 0; address < 64 * 64 * 100; address += 8) pilot.access(address);
  const auto& level = pilot.end();
  EXPECT_EQ(level.verdict, static_cast<unsigned>(RIDGE_PILOT_EVEN));
  EXPECT_LT(level.variation, 0.01);
}

TEST(Pilot, APowerOfTwoColumnIsNot) {
  Pilot pilot;
  pilot.count();
  for (std::uint64_t row = 0; row < 10000; ++row) pilot.access(4096 * row);
  const auto& level = pilot.end();
  EXPECT_EQ(level.verdict, static_cast<unsigned>(RIDGE_PILOT_UNEVEN));
  EXPECT_NEAR(level.hottest, 64.0, 1e-4);
}

// Twenty lines in each set of a first level of twelve ways: all of them miss. Those of column 9 lie
// in one set of the second level, the others in four, where they stay.
TEST(Pilot, EvenAboveAndUnevenBelow) {
  Pilot pilot({level_of(64, 12), level_of(256, 8)});
  pilot.count();
  for (int round = 0; round < 200; ++round) {
    for (std::uint64_t row = 0; row < 20; ++row) {
      for (std::uint64_t column = 0; column < 64; ++column) {
        pilot.access(64 * (row * (column == 9 ? 256 : 64) + column));
      }
    }
  }
  EXPECT_EQ(pilot.end(0).verdict, static_cast<unsigned>(RIDGE_PILOT_EVEN));
  const auto& below = pilot.end(1);
  EXPECT_EQ(below.verdict, static_cast<unsigned>(RIDGE_PILOT_UNEVEN));
  EXPECT_NEAR(below.hottest, 64.0, 1e-4);
  EXPECT_EQ(below.lines[9], 200U * 20 - 8) << "all but what filled the set";
}

// All lines are read, those of column 3 are written too.
TEST(Pilot, WhatIsWrittenBackCountsWhereItCrosses) {
  Pilot pilot({level_of(64, 2), level_of(1024, 8)});
  pilot.count();
  for (int round = 0; round < 100; ++round) {
    for (std::uint64_t line = 0; line < 64 * 4; ++line) {
      if (line % 64 == 3) {
        pilot.write(64 * line, 2);
      } else {
        pilot.access(64 * line);
      }
    }
  }
  EXPECT_EQ(pilot.end(0, 1).lines[2], 100U * 4 - 2);
  EXPECT_EQ(pilot.end(0, 2).lines[3], 2 * (100U * 4 - 2)) << "in, and out again";
  EXPECT_EQ(pilot.counted(1), 0U) << "the second level keeps all of them";
}

TEST(Pilot, DirtyLinesGoDownThroughAllLevels) {
  Pilot pilot({level_of(64, 2), level_of(64, 4)});
  pilot.count();
  for (std::uint64_t line = 0; line < 100; ++line) pilot.write(64 * 64 * line);
  EXPECT_EQ(pilot.end(0).lines[0], 2 * 98U);
  // What comes down from the first level finds itself here, or takes the place of another one.
  EXPECT_NEAR(pilot.end(1).lines[0], 2 * 96U, 4);
}

TEST(Pilot, ASharedCacheIsDividedAmongCoresInUse) {
  for (const auto& [cores, ways] : {std::pair(1U, 12U), {2U, 6U}, {3U, 4U}, {40U, 3U}}) {
    Pilot pilot({level_of(kSets, kWays, 4)}, cores);
    EXPECT_EQ(pilot->levels[0].ways, ways) << cores;
  }
  EXPECT_EQ(Pilot({level_of(kSets, kWays, 1)}, 5)->levels[0].ways, kWays);
}

TEST(Pilot, NonTemporalStoresAndAccessesAcrossLines) {
  Pilot pilot;
  for (std::uint64_t line = 0; line < kSets * kWays; ++line) pilot.access(64 * line);
  pilot.count();
  constexpr std::uint64_t kFresh = 1 << 24;
  pilot.access(kFresh, 64, 2, RIDGE_TRACE_WRITE | RIDGE_TRACE_NON_TEMPORAL);
  pilot.access(kFresh, 64, 2, RIDGE_TRACE_WRITE | RIDGE_TRACE_NON_TEMPORAL);
  EXPECT_EQ(pilot.counted(), 2U) << "they go past the cache each time";
  pilot.access(2 * kFresh + 60, 8, 3);
  EXPECT_EQ(pilot.counted(), 4U) << "two lines";
}

TEST(Pilot, WindowsAddUpAndForget) {
  Pilot pilot;
  for (int window = 0; window < 3; ++window) {
    cachesim_pilot_begin(pilot.get(), 1);
    pilot.count();
    for (std::uint64_t line = 0; line < 2 * kSets * kWays; ++line) pilot.access(64 * line);
    pilot.end();
  }
  EXPECT_EQ(pilot.end().lines[5], 3 * kWays);
}

// A level counts once it is known, which a large one is later.
TEST(Pilot, EachLevelCountsOnceItIsKnown) {
  Pilot pilot({level_of(64, 8), level_of(1024, 8)});
  std::uint64_t line = 0;
  const auto stream = [&](std::uint64_t lines) {
    for (const std::uint64_t end = line + lines; line < end; ++line) pilot.access(64 * line);
    return pilot.look();
  };
  EXPECT_FALSE(stream(2048));
  EXPECT_FALSE(pilot->levels[0].counts) << "a quarter of these were unknown";
  EXPECT_FALSE(stream(2048));
  EXPECT_TRUE(pilot->levels[0].counts);
  EXPECT_FALSE(pilot->levels[1].counts);
  EXPECT_FALSE(stream(4096)) << "the second level is full now";
  EXPECT_FALSE(stream(2048));
  EXPECT_TRUE(pilot->levels[1].counts);
  EXPECT_EQ(pilot.counted(1), 0U) << "from now on";
  EXPECT_FALSE(stream(1 << 13));
  EXPECT_TRUE(stream(1 << 13)) << "enough of both";
}

// Data that the second level holds never fill it: that next to nothing crosses is an answer, too.
TEST(Pilot, QuietLevelsDoNotHoldUpTheWindow) {
  Pilot pilot({level_of(64, 8), level_of(4096, 8), level_of(65536, 16)});
  bool enough = false;
  int rounds = 0;
  for (; !enough && rounds < 200; ++rounds) {
    for (std::uint64_t line = 0; line < 2048; ++line) pilot.access(64 * line);
    enough = pilot.look();
  }
  EXPECT_TRUE(enough) << rounds;
  EXPECT_TRUE(pilot->levels[1].counts);
  EXPECT_EQ(pilot.counted(1), 0U);
}

TEST(Verdict, ChanceIsNotVariation) {
  std::mt19937 random(7);
  std::poisson_distribution<std::uint32_t> misses(5000);
  auto classes = all_classes(0);
  for (auto& one : classes) one = misses(random);
  const auto level = judged(classes);
  EXPECT_EQ(level.verdict, static_cast<unsigned>(RIDGE_PILOT_EVEN));
  EXPECT_LT(level.variation, 0.01F);
}

TEST(Verdict, FewRandomMissesProveNothing) {
  std::mt19937 random(7);
  std::poisson_distribution<std::uint32_t> misses(40);
  auto classes = all_classes(0);
  for (auto& one : classes) one = misses(random);
  EXPECT_EQ(judged(classes).verdict, static_cast<unsigned>(RIDGE_PILOT_UNPROVEN));
  EXPECT_EQ(judged(all_classes(40)).verdict, static_cast<unsigned>(RIDGE_PILOT_EVEN))
      << "without any variation they do";
  EXPECT_EQ(judged(all_classes(3)).verdict, static_cast<unsigned>(RIDGE_PILOT_UNPROVEN));
}

TEST(Verdict, AHotClassIsUnevenWhetherOrNotItIsSampled) {
  for (const unsigned hot : {6U, 7U}) {  // 6 is in the mask
    auto classes = all_classes(1000);
    classes[hot] = 2000;
    const auto level = judged(classes);
    EXPECT_EQ(level.verdict, static_cast<unsigned>(RIDGE_PILOT_UNEVEN)) << hot;
    EXPECT_NEAR(level.variation, 0.119, 0.001);
    EXPECT_NEAR(level.sample_error, hot == 6 ? 0.108 : -0.0154, 0.001);
  }
}

TEST(Verdict, ASampleThatIsOffIsNotTrusted) {
  // 4 % of variation, all of it in the sampled classes.
  auto classes = all_classes(1000);
  for (unsigned i = 0; i < RIDGE_LINE_CLASSES; ++i) classes[i] += (kMask >> i & 1) != 0 ? 100 : 0;
  const auto level = judged(classes);
  EXPECT_LT(level.variation, 0.05F);
  EXPECT_NE(level.verdict, static_cast<unsigned>(RIDGE_PILOT_EVEN));
}

}  // namespace
