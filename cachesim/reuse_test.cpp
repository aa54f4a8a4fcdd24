// Stack distances against closed forms and against a list.

#include <algorithm>
#include <cstdint>
#include <list>
#include <memory>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "cachesim/simulation.hpp"

extern "C" {
#include "cachesim/reuse.h"
}

namespace ridge::cachesim_reference {
namespace {

constexpr std::uint64_t kMiB = 1 << 20;

class Reuse {
 public:
  explicit Reuse(std::uint32_t sample_shift, std::uint64_t most_bytes = 64 * kMiB)
      : shift_(sample_shift),
        memory_{Heap::allocate, Heap::release, &heap_},
        reuse_(cachesim_reuse_create(most_bytes, 64, sample_shift, &memory_)) {}
  ~Reuse() { cachesim_reuse_destroy(reuse_); }
  Reuse(const Reuse&) = delete;
  Reuse& operator=(const Reuse&) = delete;

  void use(std::uint64_t line) {
    if (cachesim_is_sampled(line, shift_) != 0) {
      ++counts_[cachesim_reuse_note(reuse_, line)];
    }
  }
  [[nodiscard]] std::uint64_t at(std::uint32_t point) const { return counts_[point]; }
  [[nodiscard]] std::uint64_t total() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t count : counts_) {
      sum += count;
    }
    return sum;
  }
  /// Uses that a cache of this capacity would not have held.
  [[nodiscard]] std::uint64_t misses_with(std::uint64_t bytes) const {
    std::uint64_t sum = counts_[CACHESIM_BEYOND];
    for (std::uint32_t point = 0; point < CACHESIM_BEYOND; ++point) {
      sum += ridge_curve_capacity(point) > bytes ? counts_[point] : 0;
    }
    return sum;
  }

 private:
  std::uint32_t shift_;
  Heap heap_;
  cachesim_memory memory_;
  cachesim_reuse* reuse_;
  std::vector<std::uint64_t> counts_ = std::vector<std::uint64_t>(CACHESIM_BEYOND + 1, 0);
};

TEST(Reuse, PointsOfTheCurveAreFourPerOctave) {
  EXPECT_EQ(ridge_curve_capacity(0), 16U << 10U);
  for (std::uint32_t point = 4; point < RIDGE_CURVE_POINTS; ++point) {
    EXPECT_EQ(ridge_curve_capacity(point), 2 * ridge_curve_capacity(point - 4));
    EXPECT_GT(ridge_curve_capacity(point), ridge_curve_capacity(point - 1));
  }
}

TEST(Reuse, ACyclicWalkNeedsWhatItWalksOver) {
  for (const std::uint64_t bytes : {64 * 1024UL, kMiB, 3 * kMiB, 24 * kMiB}) {
    Reuse reuse(0);
    for (int round = 0; round < 3; ++round) {
      for (std::uint64_t line = 0; line < bytes / 64; ++line) {
        reuse.use(line + 12345);
      }
    }
    std::uint32_t point = 0;
    while (ridge_curve_capacity(point) < bytes) {
      ++point;
    }
    EXPECT_EQ(reuse.misses_with(ridge_curve_capacity(point)), bytes / 64) << "the first round";
    EXPECT_EQ(reuse.misses_with(bytes - 1), 3 * bytes / 64);
  }
}

TEST(Reuse, ASampleSaysTheSameWithinAPointOfTheCurve) {
  for (const std::uint64_t bytes : {kMiB, 3 * kMiB, 24 * kMiB, 50 * kMiB}) {
    Reuse reuse(6, 64 * kMiB);
    for (int round = 0; round < 3; ++round) {
      for (std::uint64_t line = 0; line < bytes / 64; ++line) {
        reuse.use(line + 98765);
      }
    }
    EXPECT_NEAR(static_cast<double>(reuse.total()), 3.0 * static_cast<double>(bytes) / 64 / 64,
                6.0);
    EXPECT_EQ(reuse.misses_with(bytes * 6 / 5), reuse.at(CACHESIM_BEYOND));
    EXPECT_EQ(reuse.misses_with(bytes * 5 / 6), reuse.total());
    EXPECT_NEAR(static_cast<double>(reuse.at(CACHESIM_BEYOND)),
                static_cast<double>(reuse.total()) / 3.0, 1.0);
  }
}

TEST(Reuse, WhatIsFartherThanAnyCapacityInQuestionIsForgotten) {
  Reuse reuse(0, kMiB);
  for (int round = 0; round < 3; ++round) {
    for (std::uint64_t line = 0; line < 2 * kMiB / 64; ++line) {
      reuse.use(line);
    }
  }
  EXPECT_EQ(reuse.at(CACHESIM_BEYOND), reuse.total());
}

TEST(Reuse, EqualsAListOfLines) {
  Reuse reuse(0, 2 * kMiB);
  std::list<std::uint64_t> recent;
  std::vector<std::uint64_t> expected(CACHESIM_BEYOND + 1, 0);
  std::mt19937_64 random(7);
  for (int i = 0; i < 60'000; ++i) {
    // Some lines often, some rarely, so that every distance occurs and times are renumbered.
    const std::uint64_t line = random() % (std::uint64_t{1} << (4 + random() % 9));
    const auto found = std::find(recent.begin(), recent.end(), line);
    std::uint32_t point = CACHESIM_BEYOND;
    if (found != recent.end()) {
      const auto needed = 64 * static_cast<std::uint64_t>(std::distance(recent.begin(), found) + 1);
      point = 0;
      while (ridge_curve_capacity(point) < needed) {
        ++point;
      }
      recent.erase(found);
    }
    recent.push_front(line);
    ++expected[point];
    reuse.use(line);
  }
  for (std::uint32_t point = 0; point <= CACHESIM_BEYOND; ++point) {
    EXPECT_EQ(reuse.at(point), expected[point]) << point;
  }
}

TEST(Reuse, ForgettingKeepsTheOtherLines) {
  // Four times as many lines as are remembered, at random: entries are removed all the time.
  Reuse reuse(0, 64 * 64);
  std::list<std::uint64_t> recent;
  std::mt19937_64 random(3);
  std::uint64_t beyond = 0;
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t line = random() % 256 * 1'000'003;
    const auto found = std::find(recent.begin(), recent.end(), line);
    if (found != recent.end()) {
      recent.erase(found);
    } else {
      ++beyond;
    }
    recent.push_front(line);
    if (recent.size() > 64) {
      recent.pop_back();
    }
    reuse.use(line);
  }
  EXPECT_EQ(reuse.at(CACHESIM_BEYOND), beyond);
}

TEST(Reuse, WithoutMemoryThereIsNone) {
  Heap heap;
  heap.left = 1000;
  const cachesim_memory memory{Heap::allocate, Heap::release, &heap};
  EXPECT_EQ(cachesim_reuse_create(kMiB, 64, 0, &memory), nullptr);
  EXPECT_EQ(heap.in_use, 0U);
}

}  // namespace
}  // namespace ridge::cachesim_reference
