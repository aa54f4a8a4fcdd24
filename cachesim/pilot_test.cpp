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

class Pilot {
 public:
  Pilot() : regions_(8) {
    const ridge_cache_level level{kSets * kWays * 64, kWays, 64, 1, RIDGE_NON_INCLUSIVE, 1, 0};
    pilot_ = cachesim_pilot_create(&level, regions_.data(), 8, &kMemory);
    pilot_->region_count = 8;
    cachesim_pilot_begin(pilot_);
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
  void count() { cachesim_pilot_count(pilot_); }
  const ridge_region_pilot& end(std::uint32_t region = 1) {
    cachesim_pilot_end(pilot_, kMask);
    return regions_[region];
  }
  cachesim_pilot* operator->() { return pilot_; }

 private:
  std::vector<ridge_region_pilot> regions_;
  cachesim_pilot* pilot_ = nullptr;
};

ridge_region_pilot judged(const std::vector<std::uint32_t>& misses) {
  ridge_region_pilot region{};
  for (std::size_t i = 0; i < RIDGE_LINE_CLASSES; ++i) region.misses[i] = misses[i];
  cachesim_pilot_judge(&region, kMask);
  return region;
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
  EXPECT_EQ(pilot->misses, 0U) << "the first lines of a set may have been there before";
  EXPECT_EQ(pilot->full_sets, kSets);
  for (std::uint64_t line = 0; line < 3; ++line) pilot.access(64 * (kSets * kWays + line));
  EXPECT_EQ(pilot->misses, 3U);
  const auto& region = pilot.end();
  EXPECT_EQ(region.misses[0] + region.misses[1] + region.misses[2], 3U);
  EXPECT_EQ(region.verdict, static_cast<unsigned>(RIDGE_PILOT_UNPROVEN));
}

TEST(Pilot, LeastRecentlyUsedGoes) {
  Pilot pilot;
  const auto line = [](std::uint64_t number) { return number * kSets * 64; };
  for (std::uint64_t i = 0; i < kWays; ++i) pilot.access(line(i));
  pilot.count();
  pilot.access(line(0));  // hit: line 1 is the oldest now
  pilot.access(line(kWays));
  EXPECT_EQ(pilot->misses, 1U);
  pilot.access(line(0));
  EXPECT_EQ(pilot->misses, 1U);
  pilot.access(line(1));
  EXPECT_EQ(pilot->misses, 2U);
}

TEST(Pilot, AStreamIsEven) {
  Pilot pilot;
  pilot.count();
  for (std::uint64_t address = 0; address < 64 * 64 * 100; address += 8) pilot.access(address);
  const auto& region = pilot.end();
  EXPECT_EQ(region.verdict, static_cast<unsigned>(RIDGE_PILOT_EVEN));
  EXPECT_LT(region.variation, 0.01);
}

TEST(Pilot, APowerOfTwoColumnIsNot) {
  Pilot pilot;
  pilot.count();
  for (std::uint64_t row = 0; row < 10000; ++row) pilot.access(4096 * row);
  const auto& region = pilot.end();
  EXPECT_EQ(region.verdict, static_cast<unsigned>(RIDGE_PILOT_UNEVEN));
  EXPECT_NEAR(region.hottest, 64.0, 1e-4);
}

TEST(Pilot, NonTemporalStoresAndAccessesAcrossLines) {
  Pilot pilot;
  for (std::uint64_t line = 0; line < kSets * kWays; ++line) pilot.access(64 * line);
  pilot.count();
  constexpr std::uint64_t kFresh = 1 << 24;
  pilot.access(kFresh, 64, 2, RIDGE_TRACE_WRITE | RIDGE_TRACE_NON_TEMPORAL);
  pilot.access(kFresh, 64, 2, RIDGE_TRACE_WRITE | RIDGE_TRACE_NON_TEMPORAL);
  EXPECT_EQ(pilot->misses, 2U) << "they go past the cache each time";
  pilot.access(2 * kFresh + 60, 8, 3);
  EXPECT_EQ(pilot->misses, 4U) << "two lines";
}

TEST(Pilot, WindowsAddUp) {
  Pilot pilot;
  for (int window = 0; window < 3; ++window) {
    cachesim_pilot_begin(pilot.operator->());
    pilot.count();
    for (std::uint64_t line = 0; line < 2 * kSets * kWays; ++line) pilot.access(64 * line);
    pilot.end();
  }
  EXPECT_EQ(pilot.end().misses[5], 3 * kWays);
}

TEST(Verdict, ChanceIsNotVariation) {
  std::mt19937 random(7);
  std::poisson_distribution<std::uint32_t> misses(5000);
  auto classes = all_classes(0);
  for (auto& one : classes) one = misses(random);
  const auto region = judged(classes);
  EXPECT_EQ(region.verdict, static_cast<unsigned>(RIDGE_PILOT_EVEN));
  EXPECT_LT(region.variation, 0.01F);
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
    const auto region = judged(classes);
    EXPECT_EQ(region.verdict, static_cast<unsigned>(RIDGE_PILOT_UNEVEN)) << hot;
    EXPECT_NEAR(region.variation, 0.119, 0.001);
    EXPECT_NEAR(region.sample_error, hot == 6 ? 0.108 : -0.0154, 0.001);
  }
}

TEST(Verdict, ASampleThatIsOffIsNotTrusted) {
  // 4 % of variation, all of it in the sampled classes.
  auto classes = all_classes(1000);
  for (unsigned i = 0; i < RIDGE_LINE_CLASSES; ++i) classes[i] += (kMask >> i & 1) != 0 ? 100 : 0;
  const auto region = judged(classes);
  EXPECT_LT(region.variation, 0.05F);
  EXPECT_NE(region.verdict, static_cast<unsigned>(RIDGE_PILOT_EVEN));
}

}  // namespace
