#include "serialize/specification.hpp"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "serialize/embedded_specifications.hpp"
#include "serialize/test_files.hpp"

namespace ridge::serialize {
namespace {

using testing::HasSubstr;

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

std::string with(std::string_view from, std::string_view to) {
  return error_of(replaced(std::string(kFull), from, to));
}

TEST(Specification, EnergyAndPipesAreReadAndWritten) {
  const std::string text = replaced(std::string(kLeast), "\n}", R"(,
  "fma_shares_pipe": false,
  "energy": {"per_flop": [{"precision": "fp64", "value": 2e-11, "unit": "J/flop"}],
             "per_byte": [{"level": "DRAM", "value": 1e-10, "unit": "J/byte"}],
             "constant_power": {"value": 120, "unit": "W"}}
})");
  const auto machine = parse_specification(text, "node.json", "node");
  ASSERT_TRUE(machine) << machine.error().message;
  EXPECT_EQ(machine->fma_shares_pipe, false);
  EXPECT_EQ(machine->energy.per_flop.at("fp64").value, 2e-11);
  EXPECT_EQ(machine->energy.per_byte.at("DRAM").value, 1e-10);
  EXPECT_EQ(machine->energy.constant_power->value, 120.0);
  const auto again = parse_specification(write_specification(*machine), "again.json", "node");
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, *machine);
  EXPECT_THAT(error_of(replaced(text, "J/byte", "pJ/byte")), HasSubstr("energy.per_byte[0].unit"));
  EXPECT_THAT(error_of(replaced(text, "1e-10", "-1")), HasSubstr("energy.per_byte[0].value"));
  EXPECT_THAT(error_of(replaced(text, "unit\": \"J/flop\"}",
                                "unit\": \"J/flop\"}, {\"precision\": "
                                "\"fp64\", \"value\": 1, \"unit\": \"J/flop\"}")),
              HasSubstr("energy.per_flop[1].precision stands there twice"));
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

TEST(Specification, EveryKnownMachineReadsAndWritesBackTheSame) {
  std::set<std::string> keys;
  for (const EmbeddedSpecification& file : embedded_specifications()) {
    const auto machine = parse_specification(file.text, file.key, file.key);
    ASSERT_TRUE(machine) << machine.error().message;
    EXPECT_TRUE(keys.insert(machine->key).second);
    const auto again = parse_specification(write_specification(*machine), "again", machine->key);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(*again, *machine) << machine->key;
    EXPECT_FALSE(main_memory(*machine).empty()) << machine->key;
    for (const PublishedPeak& peak : machine->peaks) {
      ASSERT_TRUE(peak.figure.source) << machine->key;
      EXPECT_EQ(machine->sources.count(*peak.figure.source), 1U) << machine->key;
    }
  }
  EXPECT_EQ(keys.size(), known_specifications().size());
  EXPECT_EQ(keys.size(), 54U);
  // Two 94 GB parts of one name differ in memory and peak: the key tells them apart.
  EXPECT_EQ(keys.count("h100-94-sxm5") + keys.count("h100-94-nvl"), 2U);
}

TEST(Specification, QuotedFromMemoryIsMarked) {
  for (const Specification& machine : known_specifications()) {
    for (const PublishedPeak& peak : machine.peaks) {
      EXPECT_EQ(peak.figure.verified, *peak.figure.source != "DS") << machine.key;
    }
  }
}

TEST(Specification, WrongUnitsAreNamedWithTheirLine) {
  EXPECT_EQ(with("2e11, \"unit\": \"byte/s\"", "200, \"unit\": \"GB/s\""),
            "node.json:14: bandwidths[0].unit must be \"byte/s\": 200 GB/s is 2e+11 byte/s");
  EXPECT_THAT(with("\"DRAM\", \"value\": 2e11", "\"DRAM\", \"value\": 200"),
              HasSubstr("node.json:14: bandwidths[0].value is 200 byte/s: too little for any "
                        "machine; was it given in Gbyte/s?"));
  EXPECT_THAT(with("3.2e11, \"unit\": \"flop/s\"", "320, \"unit\": \"GFLOP/s\""),
              HasSubstr("peaks[0].unit must be \"flop/s\": 320 GFLOP/s is 3.2e+11 flop/s"));
  EXPECT_THAT(with("2e11, \"unit\": \"byte/s\"", "2e11, \"unit\": \"bananas\""),
              HasSubstr("must be \"byte/s\""));
}

TEST(Specification, ContradictionsAreRefused) {
  EXPECT_THAT(with("3.2e11", "3.6e11"),
              HasSubstr("node.json:9: peaks[0].value is 3.6e+11, but 10 cores x 16 flop/cycle x "
                        "2e+09 Hz is 3.2e+11"));
  EXPECT_EQ(with("3.2e11", "3.25e11"), "accepted");  // rounded
  EXPECT_THAT(with("\"value\": 3e11", "\"value\": 3.4e11"),
              HasSubstr("peaks[2].value is 3.4e+11 sustained, above the theoretical 3.2e+11"));
  EXPECT_THAT(with("1.8e11", "2.8e11"), HasSubstr("bandwidths[1].value"));
  EXPECT_THAT(with("6.4e11", "1.6e11"), HasSubstr("peaks has fp32 at 1.6e+11, below fp64"));
  EXPECT_THAT(with("\"source\": \"X\"", "\"source\": \"Y\""),
              HasSubstr("is not listed under \"sources\""));
}

TEST(Specification, WhatIsMissingIsNamed) {
  EXPECT_THAT(error_of(replaced(std::string(kLeast), "\"peaks\"", "\"peeks\"")),
              HasSubstr("peaks"));
  EXPECT_THAT(error_of(replaced(std::string(kLeast), "\"DRAM\"", "\"L3\"")),
              HasSubstr("bandwidth of a memory"));
  EXPECT_THAT(error_of(replaced(std::string(kLeast), "3.2e12", "-1")), HasSubstr("peaks[0].value"));
  EXPECT_THAT(error_of(replaced(std::string(kLeast), "3.2e12", "0")), HasSubstr("peaks[0].value"));
  EXPECT_THAT(error_of(replaced(std::string(kLeast), "specification/1", "specification/2")),
              HasSubstr("schema"));
}

TEST(Specification, TheListCarriesKeysAndRidgePoints) {
  const std::string list = write_specifications(known_specifications());
  EXPECT_THAT(list, HasSubstr(R"("schema": "ridge.machines/1")"));
  EXPECT_THAT(list, HasSubstr(R"("key": "h100-80-sxm5")"));
  EXPECT_THAT(list, HasSubstr(R"("ridge_points")"));
  EXPECT_THAT(list, HasSubstr(R"("unit": "op/byte")"));
}

}  // namespace
}  // namespace ridge::serialize
