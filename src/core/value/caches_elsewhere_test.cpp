#include "core/value/caches_elsewhere.hpp"

#include <random>
#include <string>

#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/sentences_for_tests.hpp"

namespace ridge {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::uint64_t kKibi = 1024;
constexpr std::uint64_t kMebi = 1024 * kKibi;

Cache cache(Level level, std::uint64_t bytes, unsigned ways, unsigned shared) {
  return {std::move(level),     bytes, ways, 64, shared, CachePolicy::non_inclusive,
          WriteAllocate::always};
}

// Two hardware threads per core, eight cores behind the L3.
Machine machine() {
  Machine made;
  made.caches = {cache("L1", 32 * kKibi, 8, 2), cache("L2", kMebi, 8, 2),
                 cache("L3", 32 * kMebi, 16, 16)};
  made.memories = {{"HBM", std::nullopt}};
  return made;
}

std::vector<AlsoItem> split(const std::vector<std::string>& texts) {
  const auto items = split_also(texts);
  EXPECT_TRUE(items.has_value()) << (items ? "" : items.error().message);
  return items.value_or(std::vector<AlsoItem>{});
}

TEST(Also, NamesAndGeometriesInAnyOrder) {
  EXPECT_THAT(split({"zen4,spr-8480p"}),
              ElementsAre(AlsoItem{"zen4", std::nullopt}, AlsoItem{"spr-8480p", std::nullopt}));
  EXPECT_THAT(split({"big=L1=48K/12,L2=4M/16,victim,shared-by-2,zen4", "a.b_c=L1=4K/8"}),
              ElementsAre(AlsoItem{"big", "L1=48K/12,L2=4M/16,victim,shared-by-2"},
                          AlsoItem{"zen4", std::nullopt}, AlsoItem{"a.b_c", "L1=4K/8"}));
  EXPECT_TRUE(split({}).empty());
}

TEST(Also, ANameAfterAGeometryIsANameAgain) {
  // "victim" goes on with a geometry, but not with a name.
  EXPECT_THAT(split({"zen4,victim"}),
              ElementsAre(AlsoItem{"zen4", std::nullopt}, AlsoItem{"victim", std::nullopt}));
  EXPECT_THAT(split({"m=L1=4K/8,victimized"}),
              ElementsAre(AlsoItem{"m", "L1=4K/8"}, AlsoItem{"victimized", std::nullopt}));
}

struct Slip {
  std::vector<std::string> texts;
  const char* word;  // in the message
};

std::vector<Slip> slips() {
  return {{{"L1=48K/12"}, "need a name"},
          {{"zen4,,spr"}, "1 to 40"},
          {{""}, "1 to 40"},
          {{"a b"}, "1 to 40"},
          {{std::string(41, 'x')}, "1 to 40"},
          {{"zen4", "zen4"}, "zen4 stands twice"},
          {{"zen4,zen4=L1=4K/8"}, "zen4 stands twice"},
          {{"a,b,c,d,e,f,g,h,i"}, "at most 8"}};
}

TEST(Also, SlipsAreSaid) {
  for (const Slip& slip : slips()) {
    const auto items = split_also(slip.texts);
    ASSERT_FALSE(items) << slip.texts[0];
    EXPECT_EQ(items.error().code, ErrorCode::usage);
    EXPECT_THAT(items.error().message, HasSubstr(slip.word));
  }
  EXPECT_EQ(split({"a,b,c,d,e,f,g,h"}).size(), 8U);
}

TEST(Also, GivenCachesCountCores) {
  const auto caches =
      parse_caches_elsewhere({"big", "L1=48K/12,L2=2M/16,L3=4M/16,shared-by-4"}, machine());
  ASSERT_TRUE(caches.has_value());
  EXPECT_EQ(caches->name, "big");
  EXPECT_EQ(caches->memory, Level::HBM);
  ASSERT_EQ(caches->caches.size(), 3U);
  EXPECT_EQ(caches->caches[0].shared_by_threads, 1U);
  EXPECT_EQ(caches->caches[2].shared_by_threads, 4U);
  // What is not said is as on the machine.
  const auto quiet = parse_caches_elsewhere({"q", "L1=48K/12,L2=2M/16,L3=4M/16"}, machine());
  ASSERT_TRUE(quiet.has_value());
  EXPECT_EQ(quiet->caches[2].shared_by_threads, 8U);
}

TEST(Also, AGeometryThatIsWrongNamesItsOwner) {
  const auto caches = parse_caches_elsewhere({"big", "L1=48K/13"}, machine());
  ASSERT_FALSE(caches.has_value());
  EXPECT_THAT(caches.error().message, HasSubstr("--also big: L1"));
  EXPECT_EQ(caches.error().code, ErrorCode::usage);
}

TEST(Also, HostileText) {
  std::mt19937 random(107);
  const std::string alphabet = "L123=/,KMzen4victimsharedby-x \x01\xff";
  for (int i = 0; i < 3000; ++i) {
    std::string text;
    for (std::size_t n = random() % 40; n > 0; --n) {
      text += alphabet[random() % alphabet.size()];
    }
    const auto items = split_also({text});
    for (const AlsoItem& item : items.value_or(std::vector<AlsoItem>{})) {
      EXPECT_LE(item.name.size(), 40U);
      if (item.geometry) {
        (void)parse_caches_elsewhere(item, machine());
      }
    }
  }
}

KnownCaches row(bool last_level_of_chip) {
  KnownCaches made;
  made.elsewhere = {"skx",
                    {cache("L1", 32 * kKibi, 8, 1), cache("L2", kMebi, 16, 1),
                     cache("L3", 20 * 1408 * kKibi, 11, 20)},
                    "DRAM"};
  made.last_level_of_chip = last_level_of_chip;
  made.machines = {"skx-8160"};
  return made;
}

Specification part(double cores, double l3) {
  Specification made;
  made.key = "skx-8160";
  made.cores = Figure{cores, Origin::datasheet, {}, true};
  made.caches = {{"L1", true, {32.0 * kKibi, Origin::datasheet, {}, true}},
                 {"L3", false, {l3, Origin::datasheet, {}, true}}};
  return made;
}

TEST(CachesOf, TheLastLevelOfAChipFollowsThePart) {
  const auto caches = caches_of(row(true), part(24, 24.0 * 1408 * kKibi));
  ASSERT_TRUE(caches.has_value());
  EXPECT_EQ(caches->name, "skx-8160");
  EXPECT_EQ(caches->caches[2].size_bytes, 24 * 1408 * kKibi);
  EXPECT_EQ(caches->caches[2].shared_by_threads, 24U);
  EXPECT_EQ(caches->caches[1], row(true).elsewhere.caches[1]);
}

TEST(CachesOf, APartOfTwoDiesHasALastLevelInEach) {
  Specification two_dies = part(48, 24.0 * 1408 * kKibi);
  two_dies.caches[1].shared_by_cores = 24;
  const auto caches = caches_of(row(true), two_dies);
  ASSERT_TRUE(caches.has_value());
  EXPECT_EQ(caches->caches[2].size_bytes, 24 * 1408 * kKibi);
  EXPECT_EQ(caches->caches[2].shared_by_threads, 24U);
}

TEST(CachesOf, ContradictionsAreNoCaches) {
  EXPECT_FALSE(caches_of(row(true), part(24, 24.0 * 1408 * kKibi + 64)).has_value());
  EXPECT_FALSE(caches_of(row(false), part(24, 24.0 * 1408 * kKibi)).has_value());
  // A group's cache, given for the group or for the whole chip.
  EXPECT_TRUE(caches_of(row(false), part(20, 20.0 * 1408 * kKibi)).has_value());
  EXPECT_TRUE(caches_of(row(false), part(40, 40.0 * 1408 * kKibi)).has_value());
}

TEST(FindCaches, ByNameOrMachine) {
  const std::vector<KnownCaches> known{row(true)};
  EXPECT_EQ(find_caches(known, "skx"), known.data());
  EXPECT_EQ(find_caches(known, "skx-8160"), known.data());
  EXPECT_EQ(find_caches(known, "skx-816"), nullptr);
  EXPECT_EQ(find_caches(known, ""), nullptr);
}

TEST(SameCaches, WhatTheSimulationTellsApart) {
  const auto here = shared_by_cores(machine().caches);
  EXPECT_EQ(here[2].shared_by_threads, 8U);
  EXPECT_TRUE(same_caches(here, here));
  auto other = here;
  other[0].policy = CachePolicy::inclusive;  // there is nothing above L1
  EXPECT_TRUE(same_caches(here, other));
  other[1].write_allocate = WriteAllocate::when_unsaturated;
  EXPECT_TRUE(same_caches(here, other));
  for (const auto change : std::vector<void (*)(Cache&)>{
           [](Cache& c) { c.size_bytes *= 2; }, [](Cache& c) { c.ways *= 2; },
           [](Cache& c) { c.line_bytes *= 2; }, [](Cache& c) { c.shared_by_threads *= 2; },
           [](Cache& c) { c.policy = CachePolicy::victim; },
           [](Cache& c) { c.write_allocate = WriteAllocate::never; }}) {
    auto changed = here;
    change(changed[2]);
    EXPECT_FALSE(same_caches(here, changed));
    EXPECT_FALSE(same_caches(changed, here));
  }
  other = here;
  other.pop_back();
  EXPECT_FALSE(same_caches(here, other));
  EXPECT_FALSE(same_caches(other, here));
}

}  // namespace

void caches_elsewhere_sentences(tests::Sentences& sentences) {
  for (const Slip& slip : slips()) {
    sentences.add(fmt::format("--also '{}'", fmt::join(slip.texts, "' --also '")),
                  split_also(slip.texts));
  }
  sentences.add("--also 'big=L1=48K/13'", parse_caches_elsewhere({"big", "L1=48K/13"}, machine()));
}

}  // namespace ridge
