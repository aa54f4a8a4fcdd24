#include "core/value/cache_geometry.hpp"

#include <random>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/sentences_for_tests.hpp"

namespace ridge {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Cache cache_of(Level level, unsigned shared_by_threads) {
  Cache cache;
  cache.level = std::move(level);
  cache.shared_by_threads = shared_by_threads;
  return cache;
}

// Two hardware threads per core, eight cores behind the L3.
Machine machine() {
  Machine made;
  made.caches = {cache_of("L1", 2), cache_of("L2", 2), cache_of("L3", 16)};
  return made;
}

std::vector<Cache> parsed(std::string_view text) {
  const auto caches = parse_cache_geometry(text, machine());
  if (!caches) {
    ADD_FAILURE() << text << ": " << caches.error().message;
    return {};
  }
  return *caches;
}

TEST(CacheGeometry, LevelsAndWords) {
  const auto caches = parsed("L1=48K/12,L2=1M/16,inclusive,L3=32M/16,victim,no-allocate");
  ASSERT_EQ(caches.size(), 3U);
  EXPECT_EQ(caches[0], (Cache{"L1", 49152, 12, 64, 2}));
  EXPECT_EQ(caches[1], (Cache{"L2", 1 << 20, 16, 64, 2, CachePolicy::inclusive}));
  EXPECT_EQ(caches[2],
            (Cache{"L3", 32 << 20, 16, 64, 16, CachePolicy::victim, WriteAllocate::never}));
}

TEST(CacheGeometry, SizesInByteAndInPowersOf1024) {
  EXPECT_EQ(parsed("L1=32768/8")[0].size_bytes, 32768U);
  EXPECT_EQ(parsed("L1=32K/8,L2=1G/16")[1].size_bytes, 1U << 30U);
  EXPECT_EQ(parsed("L1=32K/8,L2=1024G/16")[1].size_bytes, std::uint64_t{1} << 40U);
}

TEST(CacheGeometry, WhatIsNotSaidOfTheMachineIsThatOfTheMachine) {
  Machine narrow = machine();
  narrow.caches.front().line_bytes = 128;
  const auto caches = parse_cache_geometry("L1=32K/8,L2=1M/8,L3=8M/16,L4=64M/16", narrow);
  ASSERT_TRUE(caches);
  EXPECT_EQ((*caches)[0].line_bytes, 128U);
  EXPECT_EQ((*caches)[2].policy, CachePolicy::non_inclusive);
  EXPECT_EQ((*caches)[3].shared_by_threads, 16U);
  EXPECT_EQ(parse_cache_geometry("L1=32K/8,L2=1M/8", Machine())->back().shared_by_threads, 1U);
}

TEST(CacheGeometry, SharingCountsCores) {
  const auto caches = parsed("L1=32K/8,L2=2M/16,shared-by-4,L3=8M/16,shared-by-8");
  EXPECT_EQ(caches[1].shared_by_threads, 8U);
  EXPECT_EQ(caches[2].shared_by_threads, 16U);
}

struct Hostile {
  const char* text;
  const char* level;  // in the message
  const char* part;   // the part that is wrong, in the message
  const char* word;   // tells what is wrong with it
};

constexpr Hostile kHostile[] = {
    {"", "L1", "''", "first"},
    {"victim", "L1", "'victim'", "first"},
    {"L2=1M/16", "L1", "'L2=1M/16'", "come where"},
    {"L1=32K/8,L3=32M/16", "L2", "'L3=32M/16'", "come where"},
    {"L1=32K/8,L1=32K/8", "L2", "'L1=32K/8'", "come where"},
    {"l1=32K/8", "L1", "'l1=32K/8'", "come where"},
    {"L1=32K/8,,L2=1M/8", "L1", "''", "none of victim,"},
    {"L1=32K/8,", "L1", "''", "none of victim,"},
    {"L1=/8", "L1", "''", "no size"},
    {"L1=K/8", "L1", "'K'", "no size"},
    {"L1=0/8", "L1", "'0'", "no size"},
    {"L1=-32K/8", "L1", "'-32K'", "no size"},
    {"L1= 32K/8", "L1", "' 32K'", "no size"},
    {"L1=32k/8", "L1", "'32k'", "no size"},
    {"L1=32KiB/8", "L1", "'32KiB'", "no size"},
    {"L1=2G/8", "L1", "'2G'", "1 byte to 1 GiB"},
    {"L1=32K/8,L2=1025G/8", "L2", "'1025G'", "1 byte to 1024 GiB"},
    {"L1=99999999999999999999/8", "L1", "'99999999999999999999'", "no size"},
    {"L1=32K", "L1", "'32K'", "1 to 4096 ways"},
    {"L1=32K/", "L1", "'32K/'", "1 to 4096 ways"},
    {"L1=32K/0", "L1", "'32K/0'", "1 to 4096 ways"},
    {"L1=32K/4097", "L1", "'32K/4097'", "1 to 4096 ways"},
    {"L1=32K/8/8", "L1", "'32K/8/8'", "1 to 4096 ways"},
    {"L1=32K/7", "L1", "'32K'", "sets of 7 lines of 64 byte"},
    {"L1=32K/8,exclusive", "L1", "'exclusive'", "none of victim,"},
    {"L1=32K/8,victim", "L1", "'victim'", "above"},
    {"L1=32K/8,shared-by-0", "L1", "'shared-by-0'", "none of victim,"},
    {"L1=32K/8,shared-by-", "L1", "'shared-by-'", "none of victim,"},
    {"L1=32K/8,shared-by-99999999", "L1", "'shared-by-99999999'", "none of victim,"},
    {"L1=32K/8,shared-by-2,L2=1M/8", "L2", "L1", "shared"},
    {"L1=4K/8,L2=8K/8,L3=16K/8,shared-by-1,L4=32K/8,L5=64K/8", "L5", "'L5=64K/8'", "at most 4"},
};

TEST(CacheGeometry, MessagesNameThePartThatIsWrong) {
  for (const Hostile& hostile : kHostile) {
    const auto caches = parse_cache_geometry(hostile.text, machine());
    ASSERT_FALSE(caches) << hostile.text;
    EXPECT_EQ(caches.error().code, ErrorCode::usage);
    for (const char* named : {hostile.level, hostile.part, hostile.word}) {
      EXPECT_THAT(caches.error().message, HasSubstr(named)) << hostile.text;
    }
    EXPECT_THAT(caches.error().hint, HasSubstr("L1=48K/12"));
  }
}

TEST(CacheGeometry, MessagesAreShortAndHaveNoControlCharacters) {
  const auto caches = parse_cache_geometry("L1=\x1b[2J" + std::string(5000, 'x'), machine());
  ASSERT_FALSE(caches);
  EXPECT_LT(caches.error().message.size(), 200U);
  EXPECT_THAT(caches.error().message, Not(HasSubstr("\x1b")));
}

// Whatever the text, there is an answer, and what is accepted can be simulated.
TEST(CacheGeometry, MutatedTextIsParsedOrRefused) {
  const std::string seed = "L1=48K/12,L2=1M/16,inclusive,L3=32M/16,victim,shared-by-8,no-allocate";
  const std::string letters = "L=/,KMG0123456789-victmnoluse\n\xff";
  std::mt19937 random(5);
  int accepted = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text = seed.substr(0, random() % (seed.size() + 1));
    for (unsigned changes = random() % 4; changes > 0 && !text.empty(); --changes) {
      text[random() % text.size()] = letters[random() % letters.size()];
    }
    const auto caches = parse_cache_geometry(text, machine());
    if (!caches) {
      EXPECT_FALSE(caches.error().message.empty());
      continue;
    }
    ++accepted;
    for (const Cache& cache : *caches) {
      EXPECT_GT(cache.shared_by_threads, 0U) << text;
      EXPECT_EQ(cache.size_bytes % (cache.ways * std::uint64_t{cache.line_bytes}), 0U) << text;
    }
  }
  EXPECT_GT(accepted, 500);
}

}  // namespace

void cache_geometry_sentences(tests::Sentences& sentences) {
  for (const Hostile& hostile : kHostile) {
    sentences.add(fmt::format("--cache '{}'", hostile.text),
                  parse_cache_geometry(hostile.text, machine()));
  }
}

}  // namespace ridge
