#include "serialize/machine.hpp"

#include <random>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "serialize/random_values.hpp"
#include "serialize/test_files.hpp"

namespace ridge::serialize {
namespace {

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
  EXPECT_EQ(machine->cpu.family, 26U);
  EXPECT_EQ(level_names(*machine), (std::vector<std::string>{"L1", "L2", "L3", "DRAM"}));
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
  EXPECT_EQ(machine->measured_roofs[1].level, "DRAM");
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
  machine.measured_roofs = {{.level = "DRAM",
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
  std::string from;
  std::string to;
  std::string message;  ///< without "machine.json:LINE: "; the line is that of `from`
};

class HostileMachine : public testing::TestWithParam<Hostile> {};

TEST_P(HostileMachine, IsRefusedWithLineAndKey) {
  const Hostile& example = GetParam();
  const std::string text = replaced(std::string(kSmall), example.from, example.to);
  const auto machine = parse_machine(text, "machine.json");
  ASSERT_FALSE(machine.has_value());
  EXPECT_EQ(machine.error().message,
            fmt::format("machine.json:{}: {}", line_of(kSmall, example.from), example.message));
  EXPECT_EQ(machine.error().code, ErrorCode::bad_input);
  EXPECT_NE(machine.error().hint, "");
}

INSTANTIATE_TEST_SUITE_P(
    Values, HostileMachine,
    testing::Values(
        Hostile{"\"ridge.machine/1\"", "\"ridge.profile/1\"",
                "schema is ridge.profile/1, expected ridge.machine/1"},
        Hostile{"\"ridge.machine/1\"", "\"ridge.machine/2\"",
                "schema is ridge.machine/2, expected ridge.machine/1"},
        Hostile{"\"ridge.machine/1\"", "7", "schema must be a string, is a number"},
        Hostile{
            "\"kind\": \"compute\",", "\"kind\": \"compute\", \"isa\": \"avx521\",",
            "ceilings[0].isa must be scalar, sse-legacy, sse, avx2, avx512, amx, neon or sve, is "
            "\"avx521\""},
        Hostile{"\"kind\": \"compute\",", "\"kind\": \"compute\", \"isa\": 512,",
                "ceilings[0].isa must be a string, is a number"},
        Hostile{"\"kind\": \"compute\",", "\"kind\": \"compute\", \"operation\": \"fam\",",
                "ceilings[0].operation must be add, mul, fma, div, sqrt, fma+add, mul+add, "
                "fma-chain, add-chain or dot, is \"fam\""},
        Hostile{"\"kind\": \"compute\",", "\"kind\": \"compute\", \"pattern\": \"laod\",",
                "ceilings[0].pattern must be load, store, copy, triad, update, 2load1store, "
                "nt-store, nt-copy, stride-2, stride-4, stride-8, stride-16, gather, "
                "gather-emulated, chase-huge or chase-4k, is \"laod\""},
        Hostile{"\"size_bytes\": 32768", "\"size_bytes\": -3",
                "caches[0].size_bytes must be positive, is -3"},
        Hostile{"\"size_bytes\": 32768", "\"size_bytes\": 0",
                "caches[0].size_bytes must be positive, is 0"},
        Hostile{"\"size_bytes\": 32768", "\"size_bytes\": 64",
                "caches[0].size_bytes must be at least ways * line_bytes = 512, is 64"},
        Hostile{"\"size_bytes\": 32768", "\"size_bytes\": 1.5",
                "caches[0].size_bytes must be a whole number of at most 18446744073709551615, is "
                "1.5"},
        Hostile{"\"size_bytes\": 32768", "\"size_bytes\": 18446744073709551616",
                "caches[0].size_bytes must be a whole number of at most 18446744073709551615, is "
                "1.8446744073709552e+19"},
        Hostile{"\"size_bytes\": 32768", "\"size_bytes\": \"32K\"",
                "caches[0].size_bytes must be a number, is a string"},
        Hostile{"\"ways\": 8", "\"ways\": 4294967296",
                "caches[0].ways must be 1 to 4294967295, is 4294967296"},
        Hostile{"\"non-inclusive\"", "\"exclusive\"",
                "caches[0].policy must be inclusive, non-inclusive or victim, is \"exclusive\""},
        Hostile{"\"level\": \"L1\"", "\"level\": \"\"", "caches[0].level must not be empty"},
        Hostile{"[{\"level\": \"DRAM\"}]", "[]", "memories must name at least one memory"},
        Hostile{"[{\"level\": \"DRAM\"}]", "{}", "memories must be an array, is an object"},
        Hostile{"[{\"level\": \"DRAM\"}]", "[7]", "memories[0] must be an object, is a number"},
        Hostile{"\"family\": 25, ", "", "cpu has no key \"family\""},
        Hostile{"\"cores\": 2", "\"cores\": null", "topology.cores is null"},
        Hostile{"\"cores\": 2", "\"cores\": 2, \"cores\": 2", "topology.cores stands twice"},
        Hostile{"\"kind\": \"compute\"", "\"kind\": \"speed\"",
                "ceilings[0].kind must be compute, bandwidth or latency, is \"speed\""},
        Hostile{"\"threads\": 1", "\"threads\": 0", "ceilings[0].threads must be positive, is 0"},
        Hostile{"\"median\": 59", "\"median\": -59",
                "ceilings[0].value.median must not be negative, is -59"},
        Hostile{"\"p90\": 59.5", "\"p90\": 0", "ceilings[0].value.p90 must be positive, is 0"},
        Hostile{"\"median\": 59", "\"median\": 60",
                "ceilings[0].value must have low <= median <= p90 <= high, has 58, 60, 59.5, 59.5"},
        Hostile{"\"high\": 59.5", "\"high\": 59",
                "ceilings[0].value must have low <= median <= p90 <= high, has 58, 59, 59.5, 59"},
        Hostile{"\"flop/s\"", "\"Gflop/s\"",
                "ceilings[0].value.unit must be flop/s for a compute ceiling, is \"Gflop/s\""},
        Hostile{"\"measured\"", "\"guessed\"",
                "ceilings[0].value.origin must be measured, counted, simulated, modelled, "
                "datasheet or assumed, is \"guessed\""},
        Hostile{"\"limit_fraction\": 0.991666", "\"limit_fraction\": 0.5",
                "ceilings[0].limit_fraction is 0.5, but p90 / limit is 0.9916666666666667"},
        Hostile{"\"limit\": 60", "\"limit\": 0", "ceilings[0].limit must be positive, is 0"}));

TEST(MachineFile, AnObjectsErrorNamesTheLineWhereItBegins) {
  const std::string no_fraction =
      replaced(std::string(kSmall), "\"limit_fraction\": 0.991666,", "");
  EXPECT_EQ(parse_machine(no_fraction, "machine.json").error().message,
            fmt::format("machine.json:{}: ceilings[0] has a limit but no limit_fraction (p90 / "
                        "limit)",
                        line_of(kSmall, "\"id\"")));
  EXPECT_EQ(
      parse_machine(replaced(std::string(kSmall), "\"schema\"", "\"scheme\""), "m").error().message,
      "m:1: the file has no key \"schema\"");
  EXPECT_EQ(parse_machine("[]", "m").error().message,
            "m:1: the file must be an object, is an array");
}

TEST(MachineFile, TheUnitFollowsTheKind) {
  for (const auto& [kind, unit] : {std::pair{"latency", "s"}, {"bandwidth", "byte/s"}}) {
    const std::string text =
        replaced(std::string(kSmall), "\"compute\"", fmt::format("\"{}\"", kind));
    const auto read = parse_machine(text, "m");
    ASSERT_FALSE(read.has_value()) << kind;
    EXPECT_EQ(read.error().message,
              fmt::format("m:{}: ceilings[0].value.unit must be {} for a {} ceiling, is \"flop/s\"",
                          line_of(kSmall, "\"flop/s\""), unit, kind));
    EXPECT_TRUE(parse_machine(replaced(text, "flop/s", unit), "m").has_value()) << kind;
  }
}

TEST(MachineFile, TwoCeilingsOfOneNameAreRefused) {
  auto machine = parse_machine(kSmall, "m").value();
  machine.ceilings.push_back(machine.ceilings[0]);
  const std::string text = write_machine(machine);
  const auto second = text.rfind("\"id\"");
  const auto read = parse_machine(text, "m");
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().message,
            fmt::format("m:{}: ceilings[1].id stands twice: \"compute.fp64.avx2.fma.t1\"",
                        line_of(text, std::string_view(text).substr(second))));
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
}  // namespace ridge::serialize
