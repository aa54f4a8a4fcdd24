#include "serialize/profile.hpp"

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
using testing::Not;
using testing::StartsWith;

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
  const char* from;
  const char* to;
  const char* key;        ///< on the line of `from`
  const char* word;       ///< of the message, tells what is wrong with it
  const char* also = "";  ///< the same
};

constexpr Hostile kHostile[] = {
    {"\"ridge.profile/2\"", "\"ridge.machine/1\"", "schema", "ridge.machine/1", "ridge.profile/2"},
    {"\"ridge.profile/2\"", "\"\\u001b[31m\"", "schema", "\\u001b[31m", "ridge.profile/2"},
    {"\"ridge.machine/1\"", "\"ridge.machine/9\"", "machine.schema", "ridge.machine/9",
     "ridge.machine/1"},
    {"\"wall_seconds\": 1.5", "\"wall_seconds\": -1.5", "program.wall_seconds", "negative",
     "is -1.5"},
    {"\"exit_code\": 0", "\"exit_code\": 4294967296", "program.exit_code",
     "-2147483648 to 2147483647", "is 4294967296"},
    {"\"exit_code\": 0", "\"signal\": 0", "program.signal", "1 to 1023", "is 0"},
    {"\"argv\": [\"./a\"]", "\"argv\": [1]", "program.argv[0]", "a string", "is a number"},
    {"\"pid\": 7", "\"pid\": -7", "processes[0].pid", "0 to 9223372036854775807", "is -7"},
    {"\"unattributed_fraction\": 0.01", "\"unattributed_fraction\": 1.25",
     "time.unattributed_fraction", "at most 1,", "1.25"},
    {"\"simulated\"", "\"imagined\"", "origins.traffic", "assumed", "is \"imagined\""},
    {"\"process\": 0", "\"process\": 1", "regions[0].process", "is 1", "1 processes"},
    {"\"kind\": \"loop\"", "\"kind\": \"lopp\"", "regions[0].kind", "kernel", "is \"lopp\""},
    {"\"parent\": 9", "\"parent\": 5", "regions[0].parent", "is 5", "no region"},
    {"\"parent\": 9", "\"parent\": 4", "regions[0].parent", "itself"},
    {"\"id\": 9", "\"id\": 4", "regions[1].id", "twice: 4"},
    {"\"id\": 4", "\"id\": -1", "regions[0].id", "negative", "is -1"},
    {"\"value\": 1,", "\"value\": -1,", "regions[0].time_seconds.self.value", "negative", "is -1"},
    {"{\"value\": 1, \"low\": 0.9", "{\"value\": 1, \"low\": 1.05", "regions[0].time_seconds.self",
     "low <=", "1.05, 1, 1.1"},
    {"\"total\": 12", "\"total\": 13", "regions[0].flops.total", "is 13", "add up to 12"},
    {"\"fp64\": 12", "\"fp64\": 11", "regions[0].flops.fp64", "is 11", "add up to 12"},
    {"\"fp64\": 12", "\"fp32\": 12", "regions[0].flops.fp32", "is 12", "add up to 0"},
    {"\"width_bits\": 256", "\"width_bits\": 96", "regions[0].flops.terms[0].width_bits",
     "64 for fp64", "is 96"},
    {"\"kind\": \"add\", \"width_bits\": 64", "\"kind\": \"fma\", \"width_bits\": 256",
     "regions[0].flops.terms[1]", "repeats"},
    {"\"flops\": 4}", "\"flops\": 18446744073709551615}", "regions[0].flops.terms[1]", "2^64-1"},
    {"\"exp\": 3", "\"exp\\u0007\": -3", "regions[0].calls[\"exp\\u0007\"]", "negative", "is -3"},
    {"\"loaded\": 64", "\"loaded\": 0.5", "regions[0].bytes.loaded",
     "whole number of at most 18446744073709551615", "is 0.5"},
    {", \"written\": 8", "", "regions[0].traffic.L1", "no key", "\"written\""},
    {"\"findings\": []",
     "\"traffic_interval\": {\"L2\": {\"low\": 3, \"high\": 2}}, \"findings\": []",
     "regions[0].traffic_interval.L2", "not above"},
    {"\"findings\": []",
     "\"page_faults\": {\"value\": 1, \"low\": 2, \"high\": 3, \"major\": 0, \"kernel_seconds\": "
     "0}, \"findings\": []",
     "regions[0].page_faults", "low <= value"},
    {"\"findings\": []",
     "\"traffic_interval\": {\"L9\": {\"low\": 2, \"high\": 3}}, \"findings\": []",
     "regions[0].traffic_interval.L9", "NVRAM", "no known key"},
    {"\"findings\": []", "\"traffic_origins\": {\"L2\": \"guessed\"}, \"findings\": []",
     "regions[0].traffic_origins.L2", "assumed", "is \"guessed\""},
};

class HostileProfile : public testing::TestWithParam<Hostile> {};

TEST_P(HostileProfile, IsRefusedWithLineAndKey) {
  const Hostile& example = GetParam();
  const std::string original = small_profile();
  const auto profile = parse_profile(replaced(original, example.from, example.to), "p.json");
  ASSERT_FALSE(profile.has_value());
  EXPECT_THAT(
      profile.error().message,
      StartsWith(fmt::format("p.json:{}: {} ", line_of(original, example.from), example.key)));
  EXPECT_THAT(profile.error().message, HasSubstr(example.word));
  EXPECT_THAT(profile.error().message, HasSubstr(example.also));
  EXPECT_EQ(profile.error().code, ErrorCode::bad_input);
  EXPECT_NE(profile.error().hint, "");
}

INSTANTIATE_TEST_SUITE_P(Values, HostileProfile, testing::ValuesIn(kHostile));

std::string with_parents_in_a_ring() {
  return replaced(small_profile(), "\"id\": 9,", "\"id\": 9, \"parent\": 4,");
}

TEST(ProfileFile, ParentsInARingAreRefused) {
  const std::string message = parse_profile(with_parents_in_a_ring(), "p").error().message;
  EXPECT_THAT(message, StartsWith(fmt::format("p:{}: regions[0].parent ",
                                              line_of(small_profile(), "\"parent\": 9"))));
  EXPECT_THAT(message, HasSubstr("itself"));
}

std::string with_a_program() {
  return replaced(small_profile(), "\"kind\": \"loop\"", "\"kind\": \"program\"");
}

std::string with_two_programs() {
  return replaced(with_a_program(), "\"kind\": \"function\"", "\"kind\": \"program\"");
}

TEST(ProfileFile, OneRegionIsTheProgram) {
  EXPECT_TRUE(parse_profile(with_a_program(), "p").has_value());
  const std::string message = parse_profile(with_two_programs(), "p").error().message;
  EXPECT_THAT(message, StartsWith(fmt::format("p:{}: regions[1].kind ",
                                              line_of(small_profile(), "\"kind\": \"function\""))));
  EXPECT_THAT(message, HasSubstr("second"));
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
  profile.imports = {{"LIKWID", std::nullopt, "/home/secret/x.csv"}};
  profile.notes = {{"x", "written to \"/home/secret/out\"."}};
  profile.regions[3].lines = {{std::nullopt, 36}, {"/home/secret/include/vec.h", 7}};
  const Profile redacted = redact(profile);
  EXPECT_EQ(redacted.regions[3].lines, (std::vector<LineWork>{{std::nullopt, 36}, {"vec.h", 7}}));
  EXPECT_TRUE(redacted.program.argv.empty());
  EXPECT_TRUE(redacted.processes.at(0).argv.empty());
  EXPECT_FALSE(redacted.machine.host.has_value());
  EXPECT_EQ(redacted.regions.at(3).file, "heat2d.cpp");
  EXPECT_EQ(redacted.program.compiler, "clang 19.1.7, -O3 -Iinclude -DX=x");
  EXPECT_EQ(redacted.regions[2].name, "in libfoo.so");
  EXPECT_EQ(redacted.regions[2].opaque, (std::map<std::string, std::uint64_t>{{"liba.so", 3}}));
  EXPECT_EQ(redacted.regions[2].notes[0].text, "read data and more at 3 flop/s");
  EXPECT_EQ(redacted.imports[0].file, "x.csv");
  EXPECT_EQ(redacted.notes[0].text, "written to \"out\".");
  const std::string text = write_profile(redacted, {});
  for (const char* hidden : {"secret", "two words", "builder-1", "examples/"}) {
    EXPECT_THAT(text, Not(HasSubstr(hidden)));
  }
  EXPECT_TRUE(parse_profile(text, "p").has_value());
}

}  // namespace

void profile_sentences(tests::Sentences& sentences) {
  const auto refused = [&](std::string_view name, std::string_view text) {
    sentences.add(fmt::format("profile, {}", name), parse_profile(text, "p"));
  };
  for (const Hostile& example : kHostile) {
    refused(change(example.from, example.to), replaced(small_profile(), example.from, example.to));
  }
  refused("parents in a ring", with_parents_in_a_ring());
  refused("two programs", with_two_programs());
}

}  // namespace ridge::serialize
