#include "serialize/specification.hpp"

#include <algorithm>
#include <filesystem>
#include <random>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/describe/specification.hpp"
#include "serialize/embedded_specifications.hpp"
#include "serialize/known_caches.hpp"
#include "serialize/microarchitecture.hpp"
#include "serialize/random_values.hpp"
#include "serialize/sentences_for_tests.hpp"
#include "serialize/test_files.hpp"

namespace ridge::serialize {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr std::string_view kLeast = R"({
  "schema": "ridge.specification/1",
  "name": "our node",
  "peaks": [{"precision": "fp64", "value": 3.2e12, "unit": "flop/s"}],
  "bandwidths": [{"level": "DRAM", "value": 2e11, "unit": "byte/s"}]
})";

constexpr std::string_view kFull = R"({
  "schema": "ridge.specification/1",
  "name": "a part",
  "kind": "cpu",
  "cores": {"value": 10, "unit": "core"},
  "clock": {"value": 2e9, "unit": "Hz"},
  "fp64_flops_per_cycle_and_core": {"value": 16, "unit": "flop/cycle"},
  "peaks": [
    {"precision": "fp64", "value": 3.2e11, "unit": "flop/s", "source": "X"},
    {"precision": "fp32", "value": 6.4e11, "unit": "flop/s"},
    {"precision": "fp64", "basis": "sustained", "operation": "fma", "value": 3e11, "unit": "flop/s"}
  ],
  "bandwidths": [
    {"level": "DRAM", "value": 2e11, "unit": "byte/s"},
    {"level": "DRAM", "basis": "sustained", "pattern": "triad", "value": 1.8e11, "unit": "byte/s"}
  ],
  "sources": {"X": "a data sheet"}
})";

std::string error_of(const std::string& text) {
  const auto parsed = parse_specification(text, "node.json", "node");
  return parsed ? "accepted" : parsed.error().message;
}

std::string with_energy() {
  return replaced(std::string(kLeast), "\n}", R"(,
  "fma_shares_pipe": false,
  "energy": {"per_flop": [{"precision": "fp64", "value": 2e-11, "unit": "J/flop"}],
             "per_byte": [{"level": "DRAM", "value": 1e-10, "unit": "J/byte"}],
             "constant_power": {"value": 120, "unit": "W"}}
})");
}

TEST(Specification, EnergyAndPipesAreReadAndWritten) {
  const auto machine = parse_specification(with_energy(), "node.json", "node");
  ASSERT_TRUE(machine) << machine.error().message;
  EXPECT_EQ(machine->fma_shares_pipe, false);
  EXPECT_EQ(machine->energy.per_flop.at("fp64").value, 2e-11);
  EXPECT_EQ(machine->energy.per_byte.at("DRAM").value, 1e-10);
  EXPECT_EQ(machine->energy.constant_power->value, 120.0);
  const auto again = parse_specification(write_specification(*machine), "again.json", "node");
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, *machine);
}

TEST(Specification, PeakAndBandwidthAreEnough) {
  const auto machine = parse_specification(kLeast, "node.json", "node");
  ASSERT_TRUE(machine) << machine.error().message;
  EXPECT_EQ(machine->key, "node");
  EXPECT_EQ(machine->kind, MachineKind::cpu);
  EXPECT_EQ(machine->peaks.front().figure.origin, Origin::assumed);
  EXPECT_DOUBLE_EQ(*ridge_point(*machine, "fp64", Pipes::vector, Basis::theoretical), 16.0);
  EXPECT_EQ(error_of(std::string(kFull)), "accepted");
}

std::set<std::string> files_of_the_repository() {
  std::set<std::string> keys;
  for (const auto& file : std::filesystem::directory_iterator("../../machines")) {
    keys.insert(file.path().stem().string());
  }
  keys.erase("caches");
  keys.erase("microarchitectures");
  return keys;
}

TEST(Specification, EveryKnownMachineReadsAndWritesBackTheSame) {
  std::set<std::string> keys;
  for (const EmbeddedSpecification& file : embedded_specifications()) {
    const auto machine = parse_specification(file.text, file.key, file.key);
    ASSERT_TRUE(machine) << machine.error().message;
    EXPECT_TRUE(keys.insert(machine->key).second);
    const auto again = parse_specification(write_specification(*machine), "again", machine->key);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(*again, *machine) << machine->key;
    EXPECT_TRUE(main_memory(*machine)) << machine->key;
    for (const PublishedPeak& peak : machine->peaks) {
      ASSERT_TRUE(peak.figure.source) << machine->key;
      EXPECT_EQ(machine->sources.count(*peak.figure.source), 1U) << machine->key;
    }
  }
  EXPECT_EQ(keys.size(), known_specifications().size());
  EXPECT_EQ(keys, files_of_the_repository());
  // Two 94 GB parts of one name differ in memory and peak: the key tells them apart.
  EXPECT_EQ(keys.count("h100-94-sxm5") + keys.count("h100-94-nvl"), 2U);
}

/// From memory, or from a text that nobody can find again: the source says so, and names no place.
TEST(Specification, WhatNobodyCanLookUpIsMarked) {
  for (const Specification& machine : known_specifications()) {
    describe::for_each_figure(machine, [&](const Figure& figure) {
      ASSERT_TRUE(figure.source) << machine.key;
      const std::string& source = machine.sources.at(*figure.source);
      EXPECT_EQ(figure.verified, !source.ends_with(": not verified")) << machine.key << source;
      EXPECT_EQ(source.find("public notes"), std::string::npos) << machine.key;
    });
  }
}

TEST(Specification, FewFiguresAreQuotedFromMemory) {
  constexpr double kMost = 0.15;
  FigureCount all;
  for (const Specification& machine : known_specifications()) {
    const FigureCount count = describe::count_figures(machine);
    all.all += count.all;
    all.unverified += count.unverified;
  }
  EXPECT_GT(all.all, 1000U);
  EXPECT_LT(static_cast<double>(all.unverified), kMost * static_cast<double>(all.all));
}

TEST(Specification, EveryNamedMicroarchitectureIsKnown) {
  std::set<std::string> names;
  for (const Microarchitecture& known : known_microarchitectures()) {
    names.insert(known.name);
  }
  std::size_t named = 0;
  for (const Specification& machine : known_specifications()) {
    if (machine.microarchitecture) {
      ++named;
      EXPECT_EQ(names.count(*machine.microarchitecture), 1U)
          << machine.key << ": " << *machine.microarchitecture;
    }
  }
  EXPECT_GE(named, 20U);
}

/// What as many cores as the figure is of would draw, each as much as one alone. 0: not known.
double of_single_cores(const Specification& machine, const PublishedBandwidth& together) {
  for (const PublishedBandwidth& alone : machine.bandwidths) {
    if (alone.cores == 1U && alone.level == together.level && alone.pattern == together.pattern) {
      return alone.figure.value * (together.cores ? *together.cores : machine.cores->value);
    }
  }
  return 0.0;
}

// Else the data of many cores lay in a nearer cache than those of one.
TEST(Specification, ManyCoresDrawNoMoreThanAsManySingleOnes) {
  constexpr double kRounding = 1.1;
  int compared = 0;
  for (const Specification& machine : known_specifications()) {
    for (const PublishedBandwidth& together : machine.bandwidths) {
      const double most = of_single_cores(machine, together);
      if (together.basis == Basis::sustained && together.cores != 1U && most > 0.0) {
        ++compared;
        EXPECT_LE(together.figure.value, kRounding * most)
            << machine.key << " " << to_string(together.level);
      }
    }
  }
  EXPECT_GE(compared, 80);
}

/// Units x lanes of the core that a part names give the flop per cycle that stands in the part.
TEST(Specification, TheFlopsOfACycleAreThoseOfTheCore) {
  std::size_t compared = 0;
  for (const Specification& machine : known_specifications()) {
    for (const Microarchitecture& core : known_microarchitectures()) {
      if (core.name != machine.microarchitecture || !machine.fp64_flops_per_cycle_and_core) {
        continue;
      }
      double most = 0.0;
      for (const auto& isa : core.isas) {
        most = std::max(most, 2.0 * isa.fma_units.value_or(0.0) * lanes_of(isa, 64).value_or(0));
      }
      EXPECT_EQ(most, machine.fp64_flops_per_cycle_and_core->value) << machine.key;
      ++compared;
    }
  }
  EXPECT_GE(compared, 25U);
}

// Two files that were written apart say the same of the same part.
TEST(Specification, TheMicroarchitectureIsThatOfTheTableOfCaches) {
  for (const Specification& machine : known_specifications()) {
    const KnownCaches* row = find_caches(known_caches(), machine.key);
    if (row != nullptr) {
      EXPECT_EQ(machine.microarchitecture, row->microarchitecture) << machine.key;
      ASSERT_TRUE(machine.line_size) << machine.key;
      EXPECT_EQ(machine.line_size->value, row->elsewhere.caches.front().line_bytes) << machine.key;
    }
  }
}

struct Slip {
  std::string text;  ///< of the whole file
  const char* name;
  const char* place;
  const char* word;       ///< of the message, tells what is wrong there
  const char* also = "";  ///< the same
};

std::string full_with(std::string_view from, std::string_view to) {
  return replaced(std::string(kFull), from, to);
}

std::string least_with(std::string_view from, std::string_view to) {
  return replaced(std::string(kLeast), from, to);
}

std::vector<Slip> wrong_units() {
  return {{full_with("2e11, \"unit\": \"byte/s\"", "200, \"unit\": \"GB/s\""), "GB/s",
           "14: bandwidths[0].unit ", "be \"byte/s\"", "200 GB/s is 2e+11 byte/s"},
          {full_with("\"DRAM\", \"value\": 2e11", "\"DRAM\", \"value\": 200"), "200 byte/s",
           "14: bandwidths[0].value ", "is 200 byte/s", "Gbyte/s"},
          {full_with("\"bandwidths\"",
                     "\"latencies\": [{\"level\": \"L1\", \"value\": 4, \"unit\": \"s\"}],\n"
                     "  \"bandwidths\""),
           "a latency of 4 s", "latencies[0].value ", "is 4 s", "ns"},
          {full_with("3.2e11, \"unit\": \"flop/s\"", "320, \"unit\": \"GFLOP/s\""), "GFLOP/s",
           "9: peaks[0].unit ", "be \"flop/s\"", "320 GFLOP/s is 3.2e+11 flop/s"},
          {full_with("2e11, \"unit\": \"byte/s\"", "2e11, \"unit\": \"bananas\""), "bananas",
           "14: bandwidths[0].unit ", "be \"byte/s\""},
          {replaced(with_energy(), "J/byte", "pJ/byte"), "pJ/byte", "energy.per_byte[0].unit ",
           "J/byte"},
          {replaced(with_energy(), "1e-10", "-1"), "-1 J/byte", "energy.per_byte[0].value ", "-1"}};
}

std::vector<Slip> contradictions() {
  return {{full_with("3.2e11", "3.6e11"), "a peak that is not its product", "9: peaks[0].value ",
           "10 cores x 16 flop/cycle x 2e+09 Hz is 3.2e+11", "is 3.6e+11"},
          {full_with("\"value\": 3e11", "\"value\": 3.4e11"), "a sustained peak above",
           "peaks[2].value ", "is 3.4e+11 sustained", "theoretical 3.2e+11"},
          {full_with("1.8e11", "2.8e11"), "a sustained bandwidth above", "bandwidths[1].value ",
           "is 2.8e+11 sustained", "theoretical 2e+11"},
          {full_with("6.4e11", "1.6e11"), "fp32 below fp64", "peaks ", "fp32 at 1.6e+11", "fp64"},
          {full_with("\"clock\": {",
                     "\"caches\": [{\"level\": \"L3\", \"value\": 1e6, \"unit\": \"byte\", "
                     "\"shared_by_cores\": 12}],\n  \"clock\": {"),
           "a cache that more cores share than there are", "caches[0].shared_by_cores ", "is 12",
           "10 cores"},
          {full_with("\"value\": 1.8e11", "\"cores\": 11, \"value\": 1.8e11"),
           "a bandwidth of more cores than there are", "bandwidths[1].cores ", "is 11", "10 cores"},
          {full_with("\"source\": \"X\"", "\"source\": \"Y\""), "an unknown source",
           "peaks[0].source ", "\"sources\""},
          {replaced(with_energy(), "unit\": \"J/flop\"}",
                    "unit\": \"J/flop\"}, {\"precision\": \"fp64\", \"value\": 1, \"unit\": "
                    "\"J/flop\"}"),
           "an energy twice", "energy.per_flop[1].precision ", "twice"}};
}

std::vector<Slip> lacking() {
  return {{full_with("\"DRAM\", \"value\": 2e11", "\"GDDR\", \"value\": 2e11"), "no level",
           "14: bandwidths[0].level ", "L1, L2, L3, L4, DRAM, HBM, CXL or NVRAM", "is \"GDDR\""},
          {least_with("\"peaks\"", "\"peeks\""), "no peaks", "", "\"peaks\""},
          {least_with("\"DRAM\"", "\"L3\""), "no memory", "bandwidths ", "memory"},
          {least_with("3.2e12", "-1"), "a negative peak", "peaks[0].value ", "-1"},
          {least_with("3.2e12", "0"), "no peak", "peaks[0].value ", "0"},
          {least_with("specification/1", "specification/2"), "version 2", "2: schema ",
           "specification/2"}};
}

void expect_refused(const std::vector<Slip>& slips) {
  for (const Slip& slip : slips) {
    EXPECT_THAT(error_of(slip.text), StartsWith("node.json:")) << slip.name;
    for (const char* part : {slip.place, slip.word, slip.also}) {
      EXPECT_THAT(error_of(slip.text), HasSubstr(part)) << slip.name;
    }
  }
}

TEST(Specification, WrongUnitsAreNamedWithTheirLine) {
  expect_refused(wrong_units());
}

TEST(Specification, ContradictionsAreRefused) {
  expect_refused(contradictions());
  EXPECT_EQ(error_of(full_with("3.2e11", "3.25e11")), "accepted");  // rounded
}

TEST(Specification, WhatIsMissingIsNamed) {
  expect_refused(lacking());
}

TEST(Specification, EveryFigureNamesAListedSource) {
  EXPECT_THAT(
      error_of(full_with("\"cores\": {\"value\": 10, \"unit\": \"core\"}",
                         "\"cores\": {\"value\": 10, \"unit\": \"core\", \"source\": \"Y\"}")),
      HasSubstr("node.json:5: cores.source is not listed under \"sources\""));
}

TEST(Specification, RandomOnesComeBack) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 300; ++i) {
    Specification machine = random_specification(random);
    machine.key = "m";
    const std::string text = write_specification(machine);
    const auto again = parse_specification(text, "m.json", "m");
    ASSERT_TRUE(again) << again.error().message << text;
    EXPECT_TRUE(*again == machine) << text;
    EXPECT_EQ(write_specification(*again), text);
  }
}

TEST(Specification, TheListCarriesKeysAndRidgePoints) {
  const std::string list = write_specifications(known_specifications());
  EXPECT_THAT(list, HasSubstr(R"("schema": "ridge.machines/1")"));
  EXPECT_THAT(list, HasSubstr(R"("key": "h100-80-sxm5")"));
  EXPECT_THAT(list, HasSubstr(R"("ridge_points")"));
  EXPECT_THAT(list, HasSubstr(R"("unit": "op/byte")"));
}

}  // namespace

void specification_sentences(tests::Sentences& sentences) {
  for (const auto& slips : {wrong_units(), contradictions(), lacking()}) {
    for (const Slip& slip : slips) {
      sentences.add(fmt::format("specification, {}", slip.name),
                    parse_specification(slip.text, "node.json", "node"));
    }
  }
}

}  // namespace ridge::serialize
