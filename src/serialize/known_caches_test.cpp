#include "serialize/known_caches.hpp"

#include <algorithm>
#include <random>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "serialize/microarchitecture.hpp"
#include "serialize/random_values.hpp"
#include "serialize/sentences_for_tests.hpp"
#include "serialize/specification.hpp"
#include "serialize/test_files.hpp"

namespace ridge::serialize {
namespace {

using testing::HasSubstr;

TEST(KnownCaches, TheTableIsTheFileOfTheRepository) {
  const auto parsed = parse_known_caches(read_fixture("../../machines/caches.json"), "c.json");
  ASSERT_TRUE(parsed.has_value()) << parsed.error().message;
  EXPECT_EQ(parsed->size(), known_caches().size());
  EXPECT_EQ(parsed->size(), 15U);
}

// Two tables that were written apart say the same of the same part.
TEST(KnownCaches, AgreeWithPublishedMachines) {
  int checked = 0;
  for (const KnownCaches& row : known_caches()) {
    for (const std::string& key : row.machines) {
      SCOPED_TRACE(key);
      const auto& machines = known_specifications();
      const auto machine = std::find_if(machines.begin(), machines.end(),
                                        [&](const Specification& m) { return m.key == key; });
      ASSERT_NE(machine, machines.end());
      const auto caches = caches_of(row, *machine);
      ASSERT_TRUE(caches.has_value());
      EXPECT_EQ(caches->name, key);
      for (std::size_t i = 0; i + 1 < caches->caches.size(); ++i) {
        EXPECT_EQ(caches->caches[i], row.elsewhere.caches[i]);
      }
      for (const PublishedCache& published : machine->caches) {
        const auto cache = std::find_if(
            caches->caches.begin(), caches->caches.end(),
            [&](const Cache& candidate) { return candidate.level == published.level; });
        ASSERT_NE(cache, caches->caches.end());
        EXPECT_EQ(published.shared_by_cores, cache->shared_by_threads);
        EXPECT_EQ(published.size.value, static_cast<double>(cache->size_bytes));
      }
      ++checked;
    }
  }
  EXPECT_GE(checked, 20);
}

TEST(KnownCaches, PoliciesAreThoseOfTheMicroarchitecture) {
  std::size_t checked = 0;
  for (const KnownCaches& row : known_caches()) {
    if (!row.microarchitecture) {
      continue;
    }
    SCOPED_TRACE(row.elsewhere.name);
    const auto& all = known_microarchitectures();
    const auto entry = std::find_if(all.begin(), all.end(), [&](const Microarchitecture& m) {
      return m.name == *row.microarchitecture;
    });
    ASSERT_NE(entry, all.end());
    ++checked;
    for (const Cache& cache : row.elsewhere.caches) {
      const auto policy =
          std::find_if(entry->policies.begin(), entry->policies.end(),
                       [&](const auto& candidate) { return candidate.level == cache.level; });
      ASSERT_NE(policy, entry->policies.end());
      EXPECT_EQ(cache.policy, policy->policy) << to_string(cache.level);
      EXPECT_EQ(cache.write_allocate, policy->write_allocate) << to_string(cache.level);
    }
  }
  EXPECT_EQ(checked, 11U);
}

std::string table(const std::string& caches, const std::string& sources = "[\"a\"]",
                  const std::string& more = "") {
  return R"({"schema": "ridge.caches/1", "caches": [{"name": "x", "processor": "X", "caches": [)" +
         caches +
         R"(], "last_level_of_chip": false, "memory": "DRAM", "machines": [], "sources": )" +
         sources + "}" + more + "]}";
}

std::string level(const std::string& name, unsigned bytes, unsigned ways, unsigned line,
                  unsigned cores) {
  return "{\"level\": \"" + name + "\", \"size_bytes\": " + std::to_string(bytes) +
         ", \"ways\": " + std::to_string(ways) + ", \"line_bytes\": " + std::to_string(line) +
         ", \"shared_by_cores\": " + std::to_string(cores) +
         R"(, "policy": "non-inclusive", "write_allocate": "always"})";
}

TEST(KnownCaches, RandomTablesComeBack) {
  std::mt19937_64 random(17);
  for (int i = 0; i < 200; ++i) {
    const std::string text = write_known_caches(random_known_caches(random));
    const auto parsed = parse_known_caches(text, "c.json");
    ASSERT_TRUE(parsed) << parsed.error().message << text;
    EXPECT_EQ(write_known_caches(*parsed), text);
  }
}

struct Contradiction {
  std::string text;  ///< of the whole file
  const char* name;
  const char* word;  ///< of the message, tells what is wrong
};

std::vector<Contradiction> contradictions() {
  const std::string l1 = level("L1", 4096, 8, 64, 1);
  const std::string again = table(l1).substr(table(l1).find("[{") + 1);
  return {{table(""), "no levels", "at least one"},
          {table(level("L2", 4096, 8, 64, 1)), "an L2 first", "L1"},
          {table(level("DRAM", 4096, 8, 64, 1)), "a memory", "L4, is \"DRAM\""},
          {table(level("L1", 4000, 8, 64, 1)), "62.5 lines", "sets"},
          {table(l1 + "," + level("L2", 32768, 8, 128, 1)), "lines of two sizes", "level above"},
          {table(level("L1", 4096, 8, 64, 2) + "," + level("L2", 32768, 8, 64, 3)),
           "an L2 of 1.5 L1", "multiple"},
          {table(l1, "[]"), "no source", "source"},
          {table(l1, "[\"a\"]", "," + again.substr(0, again.size() - 2)), "a name twice", "twice"}};
}

TEST(KnownCaches, ContradictionsAreRefused) {
  const std::string l1 = level("L1", 4096, 8, 64, 1);
  EXPECT_TRUE(parse_known_caches(table(l1), "c.json"));
  EXPECT_TRUE(parse_known_caches(table(l1 + "," + level("L2", 32768, 8, 64, 2)), "c.json"));
  for (const Contradiction& wrong : contradictions()) {
    const auto parsed = parse_known_caches(wrong.text, "c.json");
    ASSERT_FALSE(parsed) << wrong.name;
    EXPECT_THAT(parsed.error().message, HasSubstr(wrong.word));
  }
}

}  // namespace

void known_caches_sentences(tests::Sentences& sentences) {
  for (const Contradiction& wrong : contradictions()) {
    sentences.add(std::string("known caches, ") + wrong.name,
                  parse_known_caches(wrong.text, "c.json"));
  }
}

}  // namespace ridge::serialize
