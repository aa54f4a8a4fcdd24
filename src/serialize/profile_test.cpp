#include "serialize/profile.hpp"

#include <random>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "serialize/random_values.hpp"
#include "serialize/test_files.hpp"

namespace ridge::serialize {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The regions of the smallest profile stand on lines 15 to 23 and 24 to 27.
std::string small_profile() {
  const std::string machine =
      R"({"schema": "ridge.machine/1", "ridge_version": "0.1.0", "name": "m",
    "date": "", "cpu": {"vendor": "", "name": "", "family": 0, "model": 0, "stepping": 0},
    "topology": {"sockets": 1, "numa_nodes": 1, "cores": 1, "threads": 1}, "caches": [],
    "memories": [{"level": "DRAM"}], "clock": {}, "ceilings": []})";
  return R"({
  "schema": "ridge.profile/2",
  "ridge_version": "0.1.0",
  "date": "2026-01-31T12:00:00Z",
  "program": {"argv": ["./a"], "exit_code": 0, "wall_seconds": 1.5},
  "machine": )" +
         machine + R"(,
  "processes": [{"pid": 7, "argv": ["./a"]}],
  "time": {"sampled_seconds": 1.4, "unattributed_fraction": 0.01},
  "origins": {"flops": "counted", "bytes": "counted", "traffic": "simulated", "time": "measured"},
  "regions": [
    {"id": 4, "process": 0, "kind": "loop", "name": "l", "function": "f",
     "parent": 9, "threads": 2, "entries": 1,
     "time_seconds": {"self": {"value": 1, "low": 0.9, "high": 1.1, "samples": 100}},
     "cpu_seconds": {},
     "flops": {"total": 12, "fp64": 12,
               "terms": [{"precision": "fp64", "kind": "fma", "width_bits": 256, "flops": 8},
                         {"precision": "fp64", "kind": "add", "width_bits": 64, "flops": 4}]},
     "calls": {"exp": 3}, "bytes": {"loaded": 64, "stored": 8},
     "traffic": {"L1": {"read": 64, "written": 8}}, "findings": [], "notes": []},
    {"id": 9, "process": 0, "kind": "function", "name": "f", "function": "f", "threads": 1,
     "entries": 1, "time_seconds": {}, "cpu_seconds": {}, "flops": {"total": 0, "terms": []},
     "calls": {}, "bytes": {"loaded": 0, "stored": 0}, "traffic": {}, "findings": [],
     "notes": []}
  ]
}
)";
}

TEST(ProfileFile, TheFixtureComesBackByteForByte) {
  const std::string text = read_fixture("profile-heat2d.json");
  const auto profile = parse_profile(text, "p");
  ASSERT_TRUE(profile.has_value()) << profile.error().message;
  EXPECT_EQ(write_profile(*profile, {}), text);
}

TEST(ProfileFile, TheFixtureOfVersion1IsTheSameProfile) {
  const auto old = parse_profile(read_fixture("profile-heat2d-v1.json"), "p");
  ASSERT_TRUE(old.has_value()) << old.error().message;
  EXPECT_EQ(write_profile(*old, {}), read_fixture("profile-heat2d.json"));
}

TEST(ProfileFile, ReadsWhatTheFixtureSays) {
  const auto profile = parse_profile(read_fixture("profile-heat2d.json"), "p");
  ASSERT_TRUE(profile.has_value()) << profile.error().message;
  EXPECT_EQ(profile->program.argv.back(), "two words");
  EXPECT_EQ(profile->machine.name, "AMD EPYC (Zen 4), virtual machine, 2 CPUs");
  const Region* program = program_region(*profile);
  ASSERT_NE(program, nullptr);
  EXPECT_EQ(program->calls.at("exp"), 400000U);
  const Region& sweep = profile->regions.at(3);
  EXPECT_EQ(sweep.parent, 1U);
  EXPECT_EQ(known_work(sweep).total(Precision::fp64), known_work(sweep).total());
  EXPECT_EQ(sweep.traffic_at_share.size(), 2U);
  EXPECT_FALSE(profile->regions.at(1).time_seconds.self.has_value());
  EXPECT_TRUE(profile->regions.at(8).partial);
}

TEST(ProfileFile, RandomProfilesRoundTripWithAnyPrediction) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 250; ++i) {
    const Profile profile = random_profile(random);
    const std::string text = write_profile(profile, random_prediction(random, profile));
    const auto read = parse_profile(text, "p.json");
    ASSERT_TRUE(read.has_value()) << read.error().message << "\n" << text;
    EXPECT_TRUE(*read == profile) << text;
  }
}

TEST(ProfileFile, DerivedValuesAreWrittenFromTheValues) {
  Profile profile = parse_profile(small_profile(), "p").value();
  Region& loop = profile.regions[0];
  loop.traffic = {{"L1", {16, 8}}, {"L2", {0, 0}}};
  const std::string text = write_profile(profile, {});
  EXPECT_THAT(text, HasSubstr("\"intensity\": {\"L1\": 0.5}"));  // 12 flop / 24 byte
  EXPECT_THAT(text, HasSubstr("\"unbounded\": [\"L2\"]"));
  EXPECT_THAT(text, HasSubstr("\"performance\": 12"));
  EXPECT_THAT(text, Not(HasSubstr("\"bound\"")));
}

// Readers of the file get the same mark as those of the table.
TEST(ProfileFile, DoubtfulTrafficIsNamed) {
  Profile profile = parse_profile(small_profile(), "p").value();
  Region& loop = profile.regions[0];
  loop.traffic = {{"L1", {16, 8}}, {"DRAM", {0, 0}}};
  EXPECT_THAT(write_profile(profile, {}), Not(HasSubstr("doubtful_traffic")));
  loop.traffic_mode = TrafficMode::sampled;
  EXPECT_THAT(write_profile(profile, {}), HasSubstr("\"doubtful_traffic\": [\"DRAM\"]"));
}

TEST(ProfileFile, BoundsStandBesideTheRegionTheyBelongTo) {
  const Profile profile = parse_profile(small_profile(), "p").value();
  Prediction prediction;
  prediction.summary = "L1 binds.";
  RegionPrediction entry;
  entry.region = 9;  // not in the order of the regions
  entry.code = Bound{"bandwidth.L1.load.avx2.t1", BoundUnit::bytes_per_second, 2.5e9, 0.5, "x", {}};
  entry.notes = {{"model_contradiction", "above its roof"}};
  prediction.regions = {entry};
  const std::string text = write_profile(profile, prediction);
  EXPECT_THAT(text, HasSubstr("\"ceiling\": \"bandwidth.L1.load.avx2.t1\""));
  EXPECT_GT(text.find("\"ceiling\""), text.find("\"id\": 9"));
  EXPECT_THAT(text, HasSubstr("\"summary\": \"L1 binds.\""));
  const auto read = parse_profile(text, "p");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_TRUE(*read == profile);  // notes of the prediction did not become notes of the region
}

TEST(ProfileFile, DerivedValuesOfAFileAreNotTrusted) {
  const std::string text =
      replaced(replaced(small_profile(), "\"calls\": {\"exp\": 3}",
                        "\"intensity\": {\"L1\": \"?\"}, \"bound\": 7, \"calls\": {\"exp\": 3}"),
               "\"findings\": []", "\"findings\": 7");
  const auto profile = parse_profile(text, "p");
  ASSERT_TRUE(profile.has_value()) << profile.error().message;
  EXPECT_TRUE(*profile == parse_profile(small_profile(), "p").value());
}

TEST(ProfileFile, ArgumentsThatAreNoUtf8AreWrittenAllTheSame) {
  Profile profile = parse_profile(small_profile(), "p").value();
  profile.program.argv = {"./a", "\xff\xfe", "\xC3\xA9"};
  profile.regions[0].calls = {{"f\xff", 1}, {"f\xfe", 2}};  // one key once both are replaced
  const auto read = parse_profile(write_profile(profile, {}), "p");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read->program.argv[1], "\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(read->program.argv[2], "\xC3\xA9");
  EXPECT_EQ(read->regions[0].calls.at("f\xEF\xBF\xBD"), 3U);
}

// What a source does not count is absent, not 0.
TEST(ProfileFile, UnknownCountsAreAbsent) {
  Profile profile = parse_profile(small_profile(), "p").value();
  profile.regions = {profile.regions[1]};
  profile.regions[0].entries.reset();
  profile.regions[0].flops.reset();
  profile.regions[0].bytes_loaded.reset();
  profile.regions[0].bytes_stored.reset();
  const std::string text = write_profile(profile, {});
  for (const char* key : {"\"entries\"", "\"terms\"", "\"bytes\": {", "\"intensity\": {\""}) {
    EXPECT_THAT(text, Not(HasSubstr(key)));
  }
  const auto read = parse_profile(text, "p");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_TRUE(*read == profile);
}

TEST(ProfileFile, Version1WroteZerosForLibraries) {
  std::string old = replaced(small_profile(), "ridge.profile/2", "ridge.profile/1");
  old = replaced(old, "\"kind\": \"function\"", "\"kind\": \"library\"");
  const auto read = parse_profile(old, "p");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_TRUE(read->regions[0].flops.has_value());
  EXPECT_FALSE(read->regions[1].flops.has_value());
  EXPECT_FALSE(bytes_accessed(read->regions[1]).has_value());
}

TEST(ProfileFile, TenThousandLoopsSimplyWork) {
  Profile profile = parse_profile(small_profile(), "p").value();
  const Region loop = profile.regions.at(0);
  profile.regions.resize(1);
  profile.regions[0].id = 0;
  profile.regions[0].parent.reset();
  for (std::uint32_t id = 1; id <= 10000; ++id) {
    profile.regions.push_back(loop);
    profile.regions.back().id = id;
    profile.regions.back().parent =
        id - 1;  // one chain: the check of parents must not be quadratic
  }
  Prediction prediction;
  for (const Region& region : profile.regions) {
    prediction.regions.push_back({.region = region.id});
  }
  const auto read = parse_profile(write_profile(profile, prediction), "p");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_TRUE(*read == profile);
}

struct Hostile {
  std::string from;
  std::string to;
  std::string message;  ///< without "p.json:LINE: "; the line is that of `from`
};

class HostileProfile : public testing::TestWithParam<Hostile> {};

TEST_P(HostileProfile, IsRefusedWithLineAndKey) {
  const Hostile& example = GetParam();
  const std::string original = small_profile();
  const auto profile = parse_profile(replaced(original, example.from, example.to), "p.json");
  ASSERT_FALSE(profile.has_value());
  EXPECT_EQ(profile.error().message,
            fmt::format("p.json:{}: {}", line_of(original, example.from), example.message));
  EXPECT_EQ(profile.error().code, ErrorCode::bad_input);
  EXPECT_NE(profile.error().hint, "");
}

INSTANTIATE_TEST_SUITE_P(
    Values, HostileProfile,
    testing::Values(
        Hostile{"\"ridge.profile/2\"", "\"ridge.machine/1\"",
                "schema is ridge.machine/1, expected ridge.profile/2"},
        Hostile{"\"ridge.profile/2\"", "\"\\u001b[31m\"",
                "schema is \\u001b[31m, expected ridge.profile/2"},
        Hostile{"\"ridge.machine/1\"", "\"ridge.machine/9\"",
                "machine.schema is ridge.machine/9, expected ridge.machine/1"},
        Hostile{"\"wall_seconds\": 1.5", "\"wall_seconds\": -1.5",
                "program.wall_seconds must not be negative, is -1.5"},
        Hostile{"\"exit_code\": 0", "\"exit_code\": 4294967296",
                "program.exit_code must be a whole number from -2147483648 to 2147483647, is "
                "4294967296"},
        Hostile{"\"exit_code\": 0", "\"signal\": 0",
                "program.signal must be a whole number from 1 to 1023, is 0"},
        Hostile{"\"argv\": [\"./a\"]", "\"argv\": [1]",
                "program.argv[0] must be a string, is a number"},
        Hostile{"\"pid\": 7", "\"pid\": -7",
                "processes[0].pid must be a whole number from 0 to 9223372036854775807, is -7"},
        Hostile{"\"unattributed_fraction\": 0.01", "\"unattributed_fraction\": 1.25",
                "time.unattributed_fraction must be at most 1, is 1.25"},
        Hostile{"\"simulated\"", "\"imagined\"",
                "origins.traffic must be measured, counted, simulated, modelled, datasheet or "
                "assumed, is \"imagined\""},
        Hostile{"\"process\": 0", "\"process\": 1",
                "regions[0].process is 1, but there are 1 processes"},
        Hostile{"\"kind\": \"loop\"", "\"kind\": \"lopp\"",
                "regions[0].kind must be program, function, loop, library, marker or kernel, is "
                "\"lopp\""},
        Hostile{"\"parent\": 9", "\"parent\": 5",
                "regions[0].parent is 5, but no region has this id"},
        Hostile{"\"parent\": 9", "\"parent\": 4",
                "regions[0].parent leads back to the region itself"},
        Hostile{"\"id\": 9", "\"id\": 4", "regions[1].id stands twice: 4"},
        Hostile{"\"id\": 4", "\"id\": -1", "regions[0].id must not be negative, is -1"},
        Hostile{"\"value\": 1,", "\"value\": -1,",
                "regions[0].time_seconds.self.value must not be negative, is -1"},
        Hostile{"{\"value\": 1, \"low\": 0.9", "{\"value\": 1, \"low\": 1.05",
                "regions[0].time_seconds.self must have low <= value <= high, has 1.05, 1, 1.1"},
        Hostile{"\"total\": 12", "\"total\": 13",
                "regions[0].flops.total is 13, but the terms add up to 12"},
        Hostile{"\"fp64\": 12", "\"fp64\": 11",
                "regions[0].flops.fp64 is 11, but the terms add up to 12"},
        Hostile{"\"fp64\": 12", "\"fp32\": 12",
                "regions[0].flops.fp32 is 12, but the terms add up to 0"},
        Hostile{"\"width_bits\": 256", "\"width_bits\": 96",
                "regions[0].flops.terms[0].width_bits must be a multiple of 64 for fp64, is 96"},
        Hostile{"\"kind\": \"add\", \"width_bits\": 64", "\"kind\": \"fma\", \"width_bits\": 256",
                "regions[0].flops.terms[1] repeats precision, kind and width of an earlier term"},
        Hostile{"\"flops\": 4}", "\"flops\": 18446744073709551615}",
                "regions[0].flops.terms[1] makes the sum of the terms exceed 2^64-1"},
        Hostile{"\"exp\": 3", "\"exp\\u0007\": -3",
                "regions[0].calls[\"exp\\u0007\"] must not be negative, is -3"},
        Hostile{"\"loaded\": 64", "\"loaded\": 0.5",
                "regions[0].bytes.loaded must be a whole number of at most 18446744073709551615, "
                "is 0.5"},
        Hostile{", \"written\": 8", "", "regions[0].traffic.L1 has no key \"written\""},
        Hostile{"\"findings\": []",
                "\"traffic_interval\": {\"L2\": {\"low\": 3, \"high\": 2}}, \"findings\": []",
                "regions[0].traffic_interval.L2 must have a low that is not above its high"},
        Hostile{"\"findings\": []",
                "\"page_faults\": {\"value\": 1, \"low\": 2, \"high\": 3, \"major\": 0, "
                "\"kernel_seconds\": 0}, \"findings\": []",
                "regions[0].page_faults needs low <= value <= high"},
        Hostile{"\"findings\": []", "\"traffic_origins\": {\"L2\": \"guessed\"}, \"findings\": []",
                "regions[0].traffic_origins.L2 must be measured, counted, simulated, modelled, "
                "datasheet or assumed, is \"guessed\""}));

TEST(ProfileFile, ParentsInARingAreRefused) {
  const std::string ring = replaced(small_profile(), "\"id\": 9,", "\"id\": 9, \"parent\": 4,");
  EXPECT_THAT(parse_profile(ring, "p").error().message,
              HasSubstr("regions[0].parent leads back to the region itself"));
}

TEST(ProfileFile, OneRegionIsTheProgram) {
  std::string two = replaced(small_profile(), "\"kind\": \"loop\"", "\"kind\": \"program\"");
  EXPECT_TRUE(parse_profile(two, "p").has_value());
  two = replaced(two, "\"kind\": \"function\"", "\"kind\": \"program\"");
  EXPECT_THAT(parse_profile(two, "p").error().message,
              HasSubstr("regions[1].kind is program a second time"));
}

TEST(ProfileFile, AnEmptyRunIsAProfile) {
  Profile profile = parse_profile(small_profile(), "p").value();
  profile.regions.clear();
  profile.program.wall_seconds = Seconds(0.0);
  profile.time = {};
  const auto read = parse_profile(write_profile(profile, {}), "p");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_TRUE(*read == profile);
}

TEST(Redact, DropsArgumentsHostAndPaths) {
  Profile profile = parse_profile(read_fixture("profile-heat2d.json"), "p").value();
  profile.program.compiler = "clang 19.1.7, -O3 -I/home/secret/include -DX=/secret/x";
  profile.regions[2].name = "in /home/secret/lib/libfoo.so";
  profile.regions[2].opaque = {{"/home/secret/lib/liba.so", 1}, {"/opt/secret/liba.so", 2}};
  profile.regions[2].notes = {{"x", "read ../secret/data and ~/secret/more at 3 flop/s"}};
  profile.notes = {{"x", "written to \"/home/secret/out\"."}};
  const Profile redacted = redact(profile);
  EXPECT_TRUE(redacted.program.argv.empty());
  EXPECT_TRUE(redacted.processes.at(0).argv.empty());
  EXPECT_FALSE(redacted.machine.host.has_value());
  EXPECT_EQ(redacted.regions.at(3).file, "heat2d.cpp");
  EXPECT_EQ(redacted.program.compiler, "clang 19.1.7, -O3 -Iinclude -DX=x");
  EXPECT_EQ(redacted.regions[2].name, "in libfoo.so");
  EXPECT_EQ(redacted.regions[2].opaque, (std::map<std::string, std::uint64_t>{{"liba.so", 3}}));
  EXPECT_EQ(redacted.regions[2].notes[0].text, "read data and more at 3 flop/s");
  EXPECT_EQ(redacted.notes[0].text, "written to \"out\".");
  const std::string text = write_profile(redacted, {});
  for (const char* hidden : {"secret", "two words", "builder-1", "examples/"}) {
    EXPECT_THAT(text, Not(HasSubstr(hidden)));
  }
  EXPECT_TRUE(parse_profile(text, "p").has_value());
}

}  // namespace
}  // namespace ridge::serialize
