#include "serialize/machine.hpp"

#include <random>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "serialize/random_values.hpp"
#include "serialize/sentences_for_tests.hpp"
#include "serialize/test_files.hpp"

namespace ridge::serialize {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr std::string_view kSmall = R"({
  "schema": "ridge.machine/1",
  "ridge_version": "0.1.0",
  "name": "test",
  "date": "2026-01-31T12:00:00Z",
  "cpu": {"vendor": "AuthenticAMD", "name": "x", "family": 25, "model": 17, "stepping": 1},
  "topology": {"sockets": 1, "numa_nodes": 1, "cores": 2, "threads": 2},
  "caches": [
    {"level": "L1", "size_bytes": 32768, "ways": 8, "line_bytes": 64, "shared_by_threads": 1,
     "policy": "non-inclusive", "write_allocate": "always"}
  ],
  "memories": [{"level": "DRAM"}],
  "clock": {},
  "ceilings": [
    {"id": "compute.fp64.avx2.fma.t1", "kind": "compute", "threads": 1,
     "value": {"median": 59, "p90": 59.5, "low": 58, "high": 59.5, "samples": 64,
               "unit": "flop/s", "origin": "measured"},
     "limit": 60, "limit_fraction": 0.991666,
     "flags": []}
  ]
}
)";

TEST(MachineFile, FixturesComeBackByteForByte) {
  for (const char* name : {"machine-zen4.json", "machine-zen5.json", "machine-full.json"}) {
    const std::string text = read_fixture(name);
    const auto machine = parse_machine(text, name);
    ASSERT_TRUE(machine.has_value()) << machine.error().message;
    EXPECT_EQ(write_machine(*machine), text) << name;
  }
}

CeilingKey key_of(const Ceiling& ceiling) {
  switch (ceiling.kind) {
    case CeilingKind::compute:
      return {ComputeKey{ceiling.precision.value(), ceiling.isa, ceiling.operation.value(),
                         ceiling.threads}};
    case CeilingKind::bandwidth:
      return {BandwidthKey{ceiling.level.value(), ceiling.pattern.value(), ceiling.isa,
                           ceiling.threads}};
    case CeilingKind::latency:
      break;
  }
  return {LatencyKey{ceiling.level.value(), ceiling.pattern.value(), ceiling.threads}};
}

TEST(MachineFile, IdsOfMeasuredCeilingsAreTheTextsOfTheirKeys) {
  for (const char* name : {"machine-zen4.json", "machine-zen5.json", "machine-full.json"}) {
    const Machine machine = parse_machine(read_fixture(name), name).value();
    EXPECT_FALSE(machine.ceilings.empty()) << name;
    for (const Ceiling& ceiling : machine.ceilings) {
      EXPECT_EQ(ceiling.id, to_string(key_of(ceiling))) << name;
    }
  }
}

TEST(MachineFile, ReadsWhatTheFixtureSays) {
  const auto machine = parse_machine(read_fixture("machine-zen5.json"), "m");
  ASSERT_TRUE(machine.has_value()) << machine.error().message;
  EXPECT_EQ(machine->cpu->family, 26U);
  EXPECT_EQ(levels_of(*machine), (std::vector<Level>{"L1", "L2", "L3", "DRAM"}));
  EXPECT_EQ(machine->caches[2].policy, CachePolicy::victim);
  EXPECT_EQ(machine->memories[0].size_bytes, 8589934592U);
  const Ceiling* load = find_ceiling(*machine, "bandwidth.L2.load.avx512.t2");
  ASSERT_NE(load, nullptr);
  EXPECT_EQ(unit_of(load->value), "byte/s");
  EXPECT_GT(load->limit_fraction.value(), 1.0);
  EXPECT_EQ(load->flags, std::vector<std::string>{"above-limit"});
  const Ceiling* latency = find_ceiling(*machine, "latency.DRAM.load.t1");
  ASSERT_NE(latency, nullptr);
  EXPECT_EQ(unit_of(latency->value), "s");
  EXPECT_FALSE(latency->limit.has_value());
}

TEST(MachineFile, ReadsAFullCharacterisation) {
  const auto machine = parse_machine(read_fixture("machine-full.json"), "m");
  ASSERT_TRUE(machine.has_value()) << machine.error().message;
  EXPECT_EQ(machine->effort, "full");
  EXPECT_FALSE(machine->incomplete);
  ASSERT_EQ(machine->measured_roofs.size(), 4U);
  EXPECT_EQ(machine->measured_roofs[1].level, Level::DRAM);
  EXPECT_GE(machine->measured_roofs[1].points.size(), 12U);
  ASSERT_EQ(machine->sustained.size(), 2U);
  EXPECT_GE(machine->sustained[0].duration, Seconds{5.0});
  EXPECT_NE(find_ceiling(*machine, machine->sustained[0].ceiling), nullptr);
  ASSERT_EQ(machine->numa.size(), 1U);
  EXPECT_TRUE(machine->numa[0].load && machine->numa[0].latency);
  EXPECT_TRUE(machine->ceilings[0].clock);
}

TEST(MachineFile, RandomMachinesRoundTrip) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 400; ++i) {
    const Machine machine = random_machine(random);
    const std::string text = write_machine(machine);
    const auto read = parse_machine(text, "m.json");
    ASSERT_TRUE(read.has_value()) << read.error().message << "\n" << text;
    EXPECT_TRUE(*read == machine) << text;
    EXPECT_EQ(write_machine(*read), text);
  }
}

TEST(MachineFile, DerivedValuesAreWrittenAndComputedAgain) {
  std::mt19937_64 random(2);
  Machine machine = parse_machine(read_fixture("machine-zen5.json"), "m").value();
  EXPECT_EQ(write_machine(machine).find("saturation"), std::string::npos) << "an older file";
  machine.effort = "standard";
  machine.measured_roofs = {{.level = Level::DRAM,
                             .precision = "fp64",
                             .isa = Isa::avx512,
                             .threads = 1,
                             .compute = "c",
                             .bandwidth = "b",
                             .points = {{FlopsPerByte{2.0},
                                         {FlopsPerSecond{7.0}, FlopsPerSecond{8.0},
                                          FlopsPerSecond{6.0}, FlopsPerSecond{8.0}, 9},
                                         0.8}}}};
  const std::string text = write_machine(machine);
  EXPECT_NE(text.find("\"greatest_shortfall\": {\"intensity\": 2, \"fraction\": 0.8}"),
            std::string::npos);
  EXPECT_NE(text.find("\"saturation\": ["), std::string::npos);
  EXPECT_TRUE(parse_machine(replaced(text, "\"fraction\": 0.8}\n", "\"fraction\": 0.1}\n"), "m") ==
              machine);
}

/// The small machine, its ceiling with one member more.
Machine with_member(std::string_view key, std::string_view text) {
  const std::string member = fmt::format("\"{}\": \"{}\"", key, text);
  const auto machine = parse_machine(
      replaced(std::string(kSmall), "\"threads\": 1,\n", "\"threads\": 1, " + member + ",\n"), "m");
  EXPECT_TRUE(machine.has_value()) << member;
  EXPECT_NE(write_machine(machine.value()).find(member), std::string::npos) << member;
  return machine.value();
}

TEST(MachineFile, EveryIdentityIsReadAndWrittenAsItIsSpelt) {
  for (const IsaProperties& properties : kIsaTable) {
    EXPECT_EQ(with_member("isa", properties.text).ceilings[0].isa, properties.isa);
  }
  for (const auto& [operation, text] : kOperationTable) {
    EXPECT_EQ(with_member("operation", text).ceilings[0].operation, operation);
  }
  for (const auto& [pattern, text] : kPatternTable) {
    EXPECT_EQ(with_member("pattern", text).ceilings[0].pattern, pattern);
  }
}

TEST(MachineFile, UnknownKeysAreIgnored) {
  const auto machine = parse_machine(
      replaced(std::string(kSmall), "\"clock\": {}", "\"clock\": {\"x\": [1]}, \"gpu\": {}"), "m");
  EXPECT_TRUE(machine.has_value()) << machine.error().message;
}

TEST(MachineFile, NumbersThatAreNotFiniteAreLeftOut) {
  auto machine = parse_machine(kSmall, "m").value();
  machine.clock.tsc_hertz = std::numeric_limits<double>::quiet_NaN();
  const std::string text = write_machine(machine);
  EXPECT_EQ(text.find("tsc_hertz"), std::string::npos);
  EXPECT_TRUE(parse_machine(text, "m").has_value());
}

struct Hostile {
  const char* from;
  const char* to;
  const char* key;        ///< on the line of `from`
  const char* word;       ///< of the message, tells what is wrong with it
  const char* also = "";  ///< the same
};

constexpr Hostile kHostile[] = {
    {"\"ridge.machine/1\"", "\"ridge.profile/1\"", "schema", "ridge.profile/1", "ridge.machine/1"},
    {"\"ridge.machine/1\"", "\"ridge.machine/2\"", "schema", "ridge.machine/2", "ridge.machine/1"},
    {"\"ridge.machine/1\"", "7", "schema", "a string", "is a number"},
    {"\"kind\": \"compute\",", "\"kind\": \"compute\", \"isa\": \"avx521\",", "ceilings[0].isa",
     "sve", "is \"avx521\""},
    {"\"kind\": \"compute\",", "\"kind\": \"compute\", \"isa\": 512,", "ceilings[0].isa",
     "a string", "is a number"},
    {"\"kind\": \"compute\",", "\"kind\": \"compute\", \"operation\": \"fam\",",
     "ceilings[0].operation", "dot", "is \"fam\""},
    {"\"kind\": \"compute\",", "\"kind\": \"compute\", \"pattern\": \"laod\",",
     "ceilings[0].pattern", "chase-4k", "is \"laod\""},
    {"\"size_bytes\": 32768", "\"size_bytes\": -3", "caches[0].size_bytes", "positive", "is -3"},
    {"\"size_bytes\": 32768", "\"size_bytes\": 0", "caches[0].size_bytes", "positive", "is 0"},
    {"\"size_bytes\": 32768", "\"size_bytes\": 64", "caches[0].size_bytes", "512", "is 64"},
    {"\"size_bytes\": 32768", "\"size_bytes\": 1.5", "caches[0].size_bytes",
     "whole number of at most 18446744073709551615", "is 1.5"},
    {"\"size_bytes\": 32768", "\"size_bytes\": 18446744073709551616", "caches[0].size_bytes",
     "whole number of at most 18446744073709551615", "is 1.8446744073709552e+19"},
    {"\"size_bytes\": 32768", "\"size_bytes\": \"32K\"", "caches[0].size_bytes", "a number",
     "is a string"},
    {"\"ways\": 8", "\"ways\": 4294967296", "caches[0].ways", "1 to 4294967295", "is 4294967296"},
    {"\"non-inclusive\"", "\"exclusive\"", "caches[0].policy", "victim", "is \"exclusive\""},
    {"\"level\": \"L1\"", "\"level\": \"\"", "caches[0].level", "NVRAM", "is \"\""},
    {"\"level\": \"L1\"", "\"level\": \"L5\"", "caches[0].level", "NVRAM", "is \"L5\""},
    {"[{\"level\": \"DRAM\"}]", "[{\"level\": \"dram\"}]", "memories[0].level", "NVRAM",
     "is \"dram\""},
    {"\"kind\": \"compute\",", "\"kind\": \"compute\", \"level\": \"MCDRAM\",", "ceilings[0].level",
     "NVRAM", "is \"MCDRAM\""},
    {"[{\"level\": \"DRAM\"}]", "[]", "memories", "at least one"},
    {"[{\"level\": \"DRAM\"}]", "{}", "memories", "an array", "is an object"},
    {"[{\"level\": \"DRAM\"}]", "[7]", "memories[0]", "an object", "is a number"},
    {"\"family\": 25,", "", "cpu", "no key", "\"family\""},
    {"\"cores\": 2", "\"cores\": null", "topology.cores", "null"},
    {"\"cores\": 2", "\"cores\": 2, \"cores\": 2", "topology.cores", "twice"},
    {"\"kind\": \"compute\"", "\"kind\": \"speed\"", "ceilings[0].kind", "latency", "is \"speed\""},
    {"\"threads\": 1", "\"threads\": 0", "ceilings[0].threads", "positive", "is 0"},
    {"\"median\": 59", "\"median\": -59", "ceilings[0].value.median", "negative", "is -59"},
    {"\"p90\": 59.5", "\"p90\": 0", "ceilings[0].value.p90", "positive", "is 0"},
    {"\"median\": 59", "\"median\": 60", "ceilings[0].value", "low <=", "58, 60, 59.5, 59.5"},
    {"\"high\": 59.5", "\"high\": 59", "ceilings[0].value", "low <=", "58, 59, 59.5, 59"},
    {"\"flop/s\"", "\"Gflop/s\"", "ceilings[0].value.unit", "flop/s for a compute",
     "is \"Gflop/s\""},
    {"\"measured\"", "\"guessed\"", "ceilings[0].value.origin", "assumed", "is \"guessed\""},
    {"\"limit_fraction\": 0.991666", "\"limit_fraction\": 0.5", "ceilings[0].limit_fraction",
     "is 0.5", "is 0.9916666666666667"},
    {"\"limit\": 60", "\"limit\": 0", "ceilings[0].limit", "positive", "is 0"},
};

class HostileMachine : public testing::TestWithParam<Hostile> {};

TEST_P(HostileMachine, IsRefusedWithLineAndKey) {
  const Hostile& example = GetParam();
  const std::string text = replaced(std::string(kSmall), example.from, example.to);
  const auto machine = parse_machine(text, "machine.json");
  ASSERT_FALSE(machine.has_value());
  EXPECT_THAT(
      machine.error().message,
      StartsWith(fmt::format("machine.json:{}: {} ", line_of(kSmall, example.from), example.key)));
  EXPECT_THAT(machine.error().message, HasSubstr(example.word));
  EXPECT_THAT(machine.error().message, HasSubstr(example.also));
  EXPECT_EQ(machine.error().code, ErrorCode::bad_input);
  EXPECT_NE(machine.error().hint, "");
}

INSTANTIATE_TEST_SUITE_P(Values, HostileMachine, testing::ValuesIn(kHostile));

std::string without_fraction() {
  return replaced(std::string(kSmall), "\"limit_fraction\": 0.991666,", "");
}

std::string without_schema() {
  return replaced(std::string(kSmall), "\"schema\"", "\"scheme\"");
}

TEST(MachineFile, AnObjectsErrorNamesTheLineWhereItBegins) {
  const std::string no_fraction = parse_machine(without_fraction(), "m").error().message;
  EXPECT_THAT(no_fraction,
              StartsWith(fmt::format("m:{}: ceilings[0] ", line_of(kSmall, "\"id\""))));
  EXPECT_THAT(no_fraction, HasSubstr("no limit_fraction"));
  const std::string no_schema = parse_machine(without_schema(), "m").error().message;
  EXPECT_THAT(no_schema, StartsWith("m:1: the file "));
  EXPECT_THAT(no_schema, HasSubstr("\"schema\""));
  const std::string no_object = parse_machine("[]", "m").error().message;
  EXPECT_THAT(no_object, StartsWith("m:1: the file "));
  EXPECT_THAT(no_object, HasSubstr("an object, is an array"));
}

constexpr std::pair<const char*, const char*> kUnits[] = {{"latency", "s"},
                                                          {"bandwidth", "byte/s"}};

std::string of_kind(const char* kind) {
  return replaced(std::string(kSmall), "\"compute\"", fmt::format("\"{}\"", kind));
}

TEST(MachineFile, TheUnitFollowsTheKind) {
  for (const auto& [kind, unit] : kUnits) {
    const auto read = parse_machine(of_kind(kind), "m");
    ASSERT_FALSE(read.has_value()) << kind;
    EXPECT_THAT(read.error().message, StartsWith(fmt::format("m:{}: ceilings[0].value.unit ",
                                                             line_of(kSmall, "\"flop/s\""))));
    EXPECT_THAT(read.error().message, HasSubstr(fmt::format("be {} for a {} ", unit, kind)));
    EXPECT_THAT(read.error().message, HasSubstr("is \"flop/s\""));
    EXPECT_TRUE(parse_machine(replaced(of_kind(kind), "flop/s", unit), "m").has_value()) << kind;
  }
}

std::string with_one_ceiling_twice() {
  auto machine = parse_machine(kSmall, "m").value();
  machine.ceilings.push_back(machine.ceilings[0]);
  return write_machine(machine);
}

TEST(MachineFile, TwoCeilingsOfOneNameAreRefused) {
  const std::string text = with_one_ceiling_twice();
  const auto second = text.rfind("\"id\"");
  const auto read = parse_machine(text, "m");
  ASSERT_FALSE(read.has_value());
  EXPECT_THAT(read.error().message,
              StartsWith(fmt::format("m:{}: ceilings[1].id ",
                                     line_of(text, std::string_view(text).substr(second)))));
  EXPECT_THAT(read.error().message, HasSubstr("twice: \"compute.fp64.avx2.fma.t1\""));
}

TEST(MachineFile, EveryTruncationIsRefused) {
  const std::string text(kSmall);
  for (std::size_t length = 0; length + 2 < text.size(); ++length) {
    const auto machine = parse_machine(text.substr(0, length), "m");
    ASSERT_FALSE(machine.has_value()) << length;
    EXPECT_NE(machine.error().hint, "");
  }
}

}  // namespace

void machine_sentences(tests::Sentences& sentences) {
  const auto refused = [&](std::string_view name, std::string_view text) {
    sentences.add(fmt::format("machine, {}", name), parse_machine(text, "m"));
  };
  for (const Hostile& example : kHostile) {
    refused(change(example.from, example.to),
            replaced(std::string(kSmall), example.from, example.to));
  }
  refused("no limit_fraction", without_fraction());
  refused("no schema", without_schema());
  refused("an array", "[]");
  for (const auto& [kind, unit] : kUnits) {
    refused(fmt::format("{} in flop/s", kind), of_kind(kind));
  }
  refused("one ceiling twice", with_one_ceiling_twice());
}

}  // namespace ridge::serialize
