#include "serialize/microarchitecture.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "serialize/test_files.hpp"

namespace ridge::serialize {
namespace {

using testing::UnorderedElementsAre;

const Microarchitecture* find(std::string_view vendor, unsigned family, unsigned model) {
  return find_microarchitecture(known_microarchitectures(),
                                {std::string(vendor), "", family, model, 0});
}

const Microarchitecture::IsaLimits* limits(const Microarchitecture& entry, std::string_view isa) {
  for (const auto& candidate : entry.isas) {
    if (candidate.isa == isa) {
      return &candidate;
    }
  }
  return nullptr;
}

TEST(Microarchitectures, TheTableIsTheFileOfTheRepository) {
  const auto parsed =
      parse_microarchitectures(read_fixture("../../machines/microarchitectures.json"), "m.json");
  ASSERT_TRUE(parsed.has_value()) << parsed.error().message;
  EXPECT_EQ(parsed->size(), known_microarchitectures().size());
  EXPECT_EQ(parsed->size(), 8U);
}

TEST(Microarchitectures, CpusAreFoundByFamilyAndModel) {
  struct Known {
    const char* vendor;
    unsigned family;
    unsigned model;
    const char* name;
  };
  for (const Known& cpu :
       std::vector<Known>{{"AuthenticAMD", 0x17, 0x31, "Zen 2"},                      // EPYC 7002
                          {"AuthenticAMD", 0x19, 0x01, "Zen 3"},                      // EPYC 7003
                          {"AuthenticAMD", 0x19, 0x21, "Zen 3"},                      // Ryzen 5000
                          {"AuthenticAMD", 25, 17, "Zen 4"},                          // EPYC 9004
                          {"AuthenticAMD", 0x19, 0x61, "Zen 4"},                      // Ryzen 7000
                          {"AuthenticAMD", 0x19, 0xA0, "Zen 4"},                      // EPYC 97x4
                          {"AuthenticAMD", 0x1A, 0x02, "Zen 5 (512-bit data path)"},  // EPYC 9005
                          {"AuthenticAMD", 0x1A, 0x44, "Zen 5 (512-bit data path)"},  // Ryzen 9000
                          {"GenuineIntel", 6, 0x3F, "Haswell / Broadwell"},
                          {"GenuineIntel", 6, 0x4F, "Haswell / Broadwell"},
                          {"GenuineIntel", 6, 85, "Skylake-X / Cascade Lake"},
                          {"GenuineIntel", 6, 106, "Ice Lake server"},
                          {"GenuineIntel", 6, 143, "Sapphire Rapids / Emerald Rapids"},
                          {"GenuineIntel", 6, 207, "Sapphire Rapids / Emerald Rapids"}}) {
    const auto* entry = find(cpu.vendor, cpu.family, cpu.model);
    ASSERT_NE(entry, nullptr) << cpu.name;
    EXPECT_EQ(entry->name, cpu.name);
  }
  EXPECT_EQ(find("AuthenticAMD", 0x17, 0x01), nullptr);  // Zen 1: not in the table
  EXPECT_EQ(find("AuthenticAMD", 0x1A, 0x24), nullptr);  // Zen 5 with the narrow data path
  EXPECT_EQ(find("GenuineIntel", 25, 17), nullptr);
}

TEST(Microarchitectures, EveryEntryIsCompleteAndPlausible) {
  for (const auto& entry : known_microarchitectures()) {
    SCOPED_TRACE(entry.name);
    std::set<std::string> operations;
    for (const auto& group : entry.pipe_groups) {
      operations.insert(group.begin(), group.end());
    }
    EXPECT_THAT(operations, UnorderedElementsAre("add", "mul", "fma", "div", "sqrt"));
    EXPECT_GE(entry.sources.size(), 3U);
    EXPECT_EQ(entry.policies.size(), 3U);
    std::set<std::string> isas;
    for (const auto& isa : entry.isas) {
      SCOPED_TRACE(isa.isa);
      EXPECT_TRUE(isas.insert(isa.isa).second);
      const double width = isa.isa == "scalar" ? 8
                           : isa.isa == "sse"  ? 16
                           : isa.isa == "avx2" ? 32
                                               : 64;
      EXPECT_GE(isa.load_bytes_per_cycle.value(), width);
      EXPECT_LE(isa.load_bytes_per_cycle.value(), 3 * width);
      EXPECT_GE(isa.store_bytes_per_cycle.value(), width / 2);
      EXPECT_LE(isa.store_bytes_per_cycle.value(), isa.load_bytes_per_cycle.value());
      if (isa.copy_bytes_per_cycle) {  // as many bytes stored as loaded
        EXPECT_LE(*isa.copy_bytes_per_cycle, 2 * *isa.store_bytes_per_cycle);
        EXPECT_LE(*isa.copy_bytes_per_cycle, 2 * *isa.load_bytes_per_cycle);
      }
      EXPECT_GE(isa.fma_units.value(), 1.0);
      EXPECT_LE(isa.fma_units.value(), 2.0);
      if (isa.fma_add_units) {
        EXPECT_LE(*isa.fma_add_units, *isa.fma_units + *isa.add_units);
        EXPECT_GE(*isa.fma_add_units, *isa.fma_units);
      }
    }
    EXPECT_THAT(isas, testing::IsSupersetOf({"scalar", "sse", "avx2"}));
  }
}

TEST(Microarchitectures, NumbersThatWereMeasuredHere) {
  const auto* zen4 = find("AuthenticAMD", 25, 17);
  ASSERT_NE(zen4, nullptr);
  EXPECT_EQ(limits(*zen4, "avx512")->fma_units, 1.0);
  EXPECT_EQ(limits(*zen4, "avx512")->load_bytes_per_cycle, 64.0);
  EXPECT_EQ(limits(*zen4, "avx512")->store_bytes_per_cycle, 32.0);
  const auto* zen5 = find("AuthenticAMD", 26, 2);
  ASSERT_NE(zen5, nullptr);
  const auto* wide = limits(*zen5, "avx512");
  // FMA and add 1:1, 8 lanes of fp64: half of the instructions carry 2 flop, half 1.
  EXPECT_DOUBLE_EQ(wide->fma_add_units.value() / 2 * 8 * (2 + 1), 38.0);
  EXPECT_EQ(wide->load_bytes_per_cycle, 128.0);
  EXPECT_EQ(zen5->levels.at(0).read_bytes_per_cycle, 64.0);
}

constexpr std::string_view kOne = R"({
  "schema": "ridge.microarchitectures/1",
  "microarchitectures": [
    {"name": "A",
     "matches": [{"vendor": "V", "family": 1, "models": [1, 2]}],
     "pipe_groups": [["mul", "fma"], ["add"]],
     "isas": [{"isa": "scalar", "fma_units": 2}],
     "levels": [{"level": "L2"}],
     "policies": [{"level": "L3", "policy": "victim", "write_allocate": "always"}],
     "sources": ["s"]}
  ]
})";

TEST(MicroarchitectureFile, HostileValuesAreRefused) {
  struct Hostile {
    const char* from;
    const char* to;
    const char* message;
  };
  for (const Hostile& example : std::vector<Hostile>{
           {"\"add\"", "\"sub\"",
            "m:6: microarchitectures[0].pipe_groups[1][0] must be add, mul, fma, div or sqrt, is "
            "\"sub\""},
           {"\"add\"", "\"fma\"",
            "m:6: microarchitectures[0].pipe_groups[1][0] fma stands in two pipe groups"},
           {"[\"add\"]", "[]",
            "m:6: microarchitectures[0].pipe_groups[1] must name at least one operation"},
           {"[1, 2]", "[1, 1]",
            "m:5: microarchitectures[0].matches repeats \"V\" family 1 model 1, which \"A\" has"},
           {"[1, 2]", "[]",
            "m:5: microarchitectures[0].matches[0].models must name at least one model"},
           {"\"fma_units\": 2", "\"fma_units\": 0",
            "m:7: microarchitectures[0].isas[0].fma_units must be positive, is 0"},
           {"[\"s\"]", "[]", "m:10: microarchitectures[0].sources must name at least one source"},
           {"victim", "hidden",
            "m:9: microarchitectures[0].policies[0].policy must be inclusive, non-inclusive or "
            "victim, is \"hidden\""}}) {
    const auto parsed =
        parse_microarchitectures(replaced(std::string(kOne), example.from, example.to), "m");
    ASSERT_FALSE(parsed.has_value()) << example.message;
    EXPECT_EQ(parsed.error().message, example.message);
  }
}

TEST(MicroarchitectureFile, WhatNoSourceStatesIsAbsent) {
  const auto parsed = parse_microarchitectures(kOne, "m");
  ASSERT_TRUE(parsed.has_value()) << parsed.error().message;
  const auto& entry = parsed->at(0);
  EXPECT_EQ(entry.isas.at(0).fma_units, 2.0);
  EXPECT_FALSE(entry.isas.at(0).add_units.has_value());
  EXPECT_FALSE(entry.levels.at(0).read_bytes_per_cycle.has_value());
  EXPECT_TRUE(entry.notes.empty());
}

}  // namespace
}  // namespace ridge::serialize
