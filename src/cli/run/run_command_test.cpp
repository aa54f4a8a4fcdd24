// `ridge run` over sources that run nothing: everything around a measurement.
#include "cli/run/run_command.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/common/result_file.hpp"
#include "measure/fake_sources_for_tests.hpp"
#include "tests/temporary_folder.hpp"

namespace ridge::cli {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;
namespace fs = std::filesystem;

constexpr const char* kMachineFile = "../../tests/end_to_end/testdata/machine_small.json";

SampledTime sampled(double seconds) {
  return {Seconds(seconds), Seconds(seconds), Seconds(seconds), 500};
}

/// A program with one hot loop.
Profile some_profile() {
  Region program;
  program.kind = RegionKind::program;
  program.name = "p";
  program.function = "p";
  program.entries = 1;
  program.time_seconds = {sampled(0.5), sampled(0.5)};
  work_of(program).add(Precision::fp64, OperationKind::fma, 256, 1'000'000);
  program.bytes_loaded = 8'000'000;
  program.traffic["L1"] = {8'000'000, 0};
  Region loop = program;
  loop.id = 1;
  loop.kind = RegionKind::loop;
  loop.name = "sweep";
  loop.function = "sweep";
  loop.file = "/src/heat.cpp";
  loop.line = 12;
  Profile profile;
  profile.ridge_version = "0.1.0";
  profile.date = "2026-01-02T03:04:05Z";
  profile.program = {{"./p", "secret"}, 0, {}, Seconds(0.5), {}};
  profile.processes = {{.pid = 10, .argv = {"./p", "secret"}, .exit_code = 0}};
  profile.time = {Seconds(0.5), 0.0};
  profile.regions = {program, loop};
  profile.notes = {{"of-the-source", "a remark"}};
  return profile;
}

class RunOverFakes : public ::testing::Test {
 protected:
  struct Outcome {
    Result<int> code;
    std::string output;  ///< standard output
  };

  RunOverFakes() {
    measure::reset_fake_sources();
    whole_.measure_answer = some_profile();
    sampling_.measure_answer = some_profile();
  }

  /// With the machine of the tests and these options before `-- ./p x`.
  static Outcome run(std::vector<std::string> options) {
    options.insert(options.end(), {"--machine", kMachineFile, "--", "./p", "x"});
    ::testing::internal::CaptureStdout();
    Result<int> code = run_run(options, measure::fake_sources());
    return {std::move(code), ::testing::internal::GetCapturedStdout()};
  }

  static Error refused(const std::vector<std::string>& options) {
    const Outcome outcome = run(options);
    if (outcome.code) {
      ADD_FAILURE() << "accepted";
      return {};
    }
    EXPECT_THAT(outcome.output, IsEmpty());
    return outcome.code.error();
  }

  Profile stored() const {
    auto profile = read_profile(out_);
    if (!profile) {
      ADD_FAILURE() << profile.error().message;
      return {};
    }
    return std::move(*profile);
  }

  const tests::TemporaryFolder temporary_;
  const std::string out_ = temporary_.path("out");
  measure::FakeSource& whole_ = measure::fake_source<0>();
  measure::FakeSource& sampling_ = measure::fake_source<1>();
};

TEST_F(RunOverFakes, TheFirstSourceThatCanMeasuresIntoTheFolder) {
  const Outcome outcome = run({"-o", out_});
  EXPECT_EQ(outcome.code.value(), 0);
  ASSERT_THAT(whole_.measured, SizeIs(1));
  EXPECT_THAT(whole_.measured[0].arguments, ElementsAre("./p", "x"));
  EXPECT_THAT(sampling_.measured, IsEmpty());
  const Profile profile = stored();
  ASSERT_THAT(profile.regions, SizeIs(2));
  EXPECT_EQ(known_work(profile.regions[1]).total(), 1'000'000U);
  EXPECT_THAT(profile.notes, Contains(Field(&Note::code, "of-the-source")));
  EXPECT_FALSE(profile.machine.ceilings.empty()) << "the machine of --machine";
  for (const char* name : {"roofline.svg", "report.html"}) {
    EXPECT_GT(fs::file_size(fs::path(out_) / name), 1000U) << name;
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(out_), {}), 3) << "nothing else";
  EXPECT_THAT(outcome.output, HasSubstr("sweep"));
  EXPECT_THAT(outcome.output, HasSubstr("Results: " + out_));
}

TEST_F(RunOverFakes, TheNextSourceMeasuresWhatTheFirstCannot) {
  whole_.check_answer = fail(ErrorCode::bad_input, "./p is not instrumented", "Build it.");
  EXPECT_TRUE(run({"-o", out_}).code);
  EXPECT_THAT(whole_.measured, IsEmpty());
  EXPECT_THAT(sampling_.measured, SizeIs(1));
}

TEST_F(RunOverFakes, ANamedSourceMeasuresAndNoOtherIsAsked) {
  EXPECT_TRUE(run({"--source", "sampling", "-o", out_}).code);
  EXPECT_THAT(whole_.checked, IsEmpty());
  EXPECT_THAT(sampling_.measured, SizeIs(1));
  sampling_.check_answer = fail(ErrorCode::unavailable, "no counters here", "Allow them.");
  const Error error = refused({"--source=sampling", "--force", "-o", out_});
  EXPECT_EQ(error.code, ErrorCode::unavailable);
  EXPECT_EQ(error.hint, "Allow them.");
  EXPECT_THAT(whole_.checked, IsEmpty()) << "another would be another measurement";
}

TEST_F(RunOverFakes, AnUnknownSourceIsAUsageErrorThatNamesTheNearest) {
  const Error slip = refused({"--source", "smpling", "-o", out_});
  EXPECT_EQ(slip.code, ErrorCode::usage);
  EXPECT_THAT(slip.message, HasSubstr("`smpling`"));
  EXPECT_THAT(slip.hint, HasSubstr("sampling?"));
  EXPECT_THAT(slip.hint, HasSubstr("whole, sampling"));
  const Error other = refused({"--source", "xyz", "-o", out_});
  EXPECT_THAT(other.hint, Not(HasSubstr("?")));
  EXPECT_THAT(other.hint, HasSubstr("whole, sampling"));
  EXPECT_THAT(whole_.checked, IsEmpty());
  EXPECT_FALSE(fs::exists(out_));
}

TEST_F(RunOverFakes, TheListSaysWhatEachCanAndNeeds) {
  ::testing::internal::CaptureStdout();
  const auto code = run_run({"--source", "list"}, measure::fake_sources());
  const std::string text = ::testing::internal::GetCapturedStdout();
  EXPECT_EQ(code.value(), 0);
  const auto second = text.find("\n  sampling\n");
  ASSERT_NE(second, std::string::npos);
  for (const char* part : {"\n  whole\n", "everything", "work, time, simulated", "suits it"}) {
    EXPECT_THAT(text.substr(0, second), HasSubstr(part));
  }
  for (const char* part : {"time alone", ": time\n", "any program"}) {
    EXPECT_THAT(text.substr(second), HasSubstr(part));
  }
  EXPECT_THAT(whole_.checked, IsEmpty());
}

TEST_F(RunOverFakes, TheExitCodeIsTheProgramsOr128AndItsSignal) {
  whole_.measure_answer->program.exit_code = 3;
  EXPECT_EQ(run({"-o", out_}).code.value(), 3);
  EXPECT_EQ(stored().program.exit_code, 3);
  whole_.measure_answer->program.exit_code.reset();
  whole_.measure_answer->program.signal = SIGSEGV;
  EXPECT_EQ(run({"-o", out_, "--force"}).code.value(), 128 + SIGSEGV);
  EXPECT_EQ(stored().program.signal, SIGSEGV);
}

// The machine file does not exist: it is not even looked for.
TEST_F(RunOverFakes, WhatNoSourceCanMeasureIsRefusedFirst) {
  whole_.check_answer = fail(ErrorCode::bad_input, "./p is not instrumented", "Build it.");
  sampling_.check_answer = fail(ErrorCode::bad_input, "./p is a script");
  const auto code =
      run_run({"-o", out_, "--machine", "/no/such/file", "--", "./p"}, measure::fake_sources());
  ASSERT_FALSE(code);
  EXPECT_EQ(code.error().code, ErrorCode::bad_input);
  EXPECT_EQ(code.error().message, "./p is not instrumented");
  EXPECT_THAT(code.error().hint, StartsWith("Build it. "));
  EXPECT_THAT(code.error().hint, HasSubstr("sampling: ./p is a script"));
  EXPECT_FALSE(fs::exists(out_));
}

TEST_F(RunOverFakes, ASourceThatFailsBeforeTheStartLeavesNothing) {
  whole_.measure_answer = fail(ErrorCode::unavailable, "no memory to share", "Raise the limit.");
  const Error error = refused({"-o", out_});
  EXPECT_EQ(error.code, ErrorCode::unavailable);
  EXPECT_EQ(error.message, "no memory to share");
  EXPECT_FALSE(fs::exists(out_));
}

TEST_F(RunOverFakes, ASourceThatFailsLaterLeavesTheLastSnapshot) {
  Profile first = some_profile();
  first.notes = {{"snapshot", "the first"}};
  Profile second = some_profile();
  second.notes = {{"snapshot", "the second"}};
  whole_.snapshots = {first, second};
  whole_.measure_answer = fail(ErrorCode::unavailable, "the counters broke");
  EXPECT_EQ(refused({"-o", out_}).message, "the counters broke");
  EXPECT_THAT(stored().notes, Contains(Note{"snapshot", "the second"}));
  EXPECT_FALSE(fs::exists(fs::path(out_) / "report.html"));
}

TEST_F(RunOverFakes, TheResultTakesThePlaceOfSnapshots) {
  whole_.snapshots = {some_profile()};
  whole_.snapshots[0].notes = {{"snapshot", "early"}};
  EXPECT_TRUE(run({"-o", out_}).code);
  EXPECT_THAT(stored().notes, Not(Contains(Field(&Note::code, "snapshot"))));
  EXPECT_TRUE(fs::exists(fs::path(out_) / "report.html"));
}

TEST_F(RunOverFakes, JsonAloneGivesJsonAndNoFolder) {
  whole_.snapshots = {some_profile()};
  const fs::path before = fs::current_path();
  fs::current_path(temporary_.path());
  const fs::path machine = before / kMachineFile;
  ::testing::internal::CaptureStdout();
  const auto code =
      run_run({"--json", "--machine", machine.string(), "--", "./p"}, measure::fake_sources());
  const std::string text = ::testing::internal::GetCapturedStdout();
  fs::current_path(before);
  EXPECT_EQ(code.value(), 0);
  const auto parsed = parse_stored(text, "standard output", "");
  ASSERT_TRUE(parsed) << "nothing but JSON: " << parsed.error().message;
  EXPECT_THAT(std::get<StoredResult>(*parsed).profile.regions, SizeIs(2));
  EXPECT_TRUE(whole_.measured[0].output_to_error);
  EXPECT_FALSE(whole_.measured[0].snapshots.store);
  EXPECT_TRUE(fs::is_empty(temporary_.path()));
}

TEST_F(RunOverFakes, JsonWithAFolderGivesBothAlike) {
  const Outcome outcome = run({"--json", "-o", out_});
  std::ifstream file(fs::path(out_) / "profile.json");
  EXPECT_EQ(outcome.output, std::string(std::istreambuf_iterator<char>(file), {}));
}

TEST_F(RunOverFakes, RedactedArgumentsStandNowhere) {
  whole_.snapshots = {some_profile()};
  whole_.measure_answer = fail(ErrorCode::unavailable, "broke");
  (void)refused({"--redact", "-o", out_});
  EXPECT_THAT(stored().program.argv, IsEmpty()) << "of the snapshot";
  whole_.snapshots.clear();
  whole_.measure_answer = some_profile();
  const Outcome outcome = run({"--redact", "--force", "-o", out_});
  EXPECT_THAT(outcome.output, Not(HasSubstr("secret")));
  EXPECT_THAT(stored().program.argv, IsEmpty());
  EXPECT_EQ(stored().regions[1].file, "heat.cpp");
}

TEST_F(RunOverFakes, AFolderThatHoldsAResultIsRefusedBeforeAnythingRuns) {
  EXPECT_TRUE(run({"-o", out_}).code);
  EXPECT_EQ(refused({"-o", out_}).code, ErrorCode::usage);
  EXPECT_THAT(whole_.measured, SizeIs(1));
}

TEST_F(RunOverFakes, WhatTheOptionsSayReachesTheSource) {
  EXPECT_TRUE(
      run({"-o", out_, "--traffic=sampled", "--launcher", "--detach", "--wait-descendants", "7"})
          .code);
  const measure::Request& request = whole_.measured.at(0);
  EXPECT_EQ(request.traffic, measure::TrafficRequest::sampled);
  EXPECT_TRUE(request.launcher && request.detach);
  EXPECT_EQ(request.wait_for_descendants, std::chrono::seconds(7));
  EXPECT_FALSE(request.output_to_error);
  EXPECT_EQ(whole_.checked.at(0).launcher, true);
}

TEST_F(RunOverFakes, TimesReachTheSource) {
  EXPECT_TRUE(run({"--json", "--budget", "90s"}).code);
  ASSERT_THAT(whole_.measured, SizeIs(1));
  EXPECT_EQ(whole_.measured[0].budget, Seconds(90.0));
  EXPECT_EQ(whole_.measured[0].exact_below, Seconds(10.0));
  EXPECT_TRUE(run({"--json", "--exact-below", "0"}).code);
  EXPECT_FALSE(whole_.measured.at(1).budget);
  EXPECT_EQ(whole_.measured.at(1).exact_below, Seconds(0.0));
}

TEST_F(RunOverFakes, WhoWantsQuietGetsNoProgress) {
  EXPECT_TRUE(run({"--json"}).code);
  EXPECT_TRUE(whole_.measured.at(0).progress);
  EXPECT_TRUE(whole_.measured.at(0).tell);
  EXPECT_TRUE(run({"--json", "--quiet"}).code);
  EXPECT_FALSE(whole_.measured.at(1).progress);
  EXPECT_FALSE(whole_.measured.at(1).tell);
}

TEST_F(RunOverFakes, CachesAreNotGivenToASourceThatSimulatesNone) {
  for (const char* option :
       {"--traffic=exact", "--traffic=sampled", "--also=zen4", "--cache=L1=48K/12"}) {
    const Error error = refused({"--source", "sampling", option, "-o", out_});
    EXPECT_EQ(error.code, ErrorCode::usage) << option;
    EXPECT_THAT(error.message, HasSubstr("simulate")) << option;
  }
  EXPECT_THAT(sampling_.measured, IsEmpty());
  EXPECT_TRUE(run({"--source", "sampling", "-o", out_}).code) << "traffic as it can be had";
  EXPECT_TRUE(run({"--source", "sampling", "--no-traffic", "--force", "-o", out_}).code);
}

TEST_F(RunOverFakes, GivenCachesAreAMachineWithANote) {
  EXPECT_TRUE(run({"-o", out_, "--cache", "L1=48K/12,L2=1M/16"}).code);
  EXPECT_THAT(stored().notes, Contains(Field(&Note::code, "caches-given")));
  EXPECT_EQ(stored().machine.caches.at(0).size_bytes, 48U * 1024U);
}

TEST_F(RunOverFakes, CachesOfOtherMachinesReachTheSource) {
  EXPECT_TRUE(run({"-o", out_, "--also", "zen4"}).code);
  ASSERT_THAT(whole_.measured.at(0).also, SizeIs(1));
  EXPECT_EQ(whole_.measured[0].also[0].name, "zen4");
}

}  // namespace
}  // namespace ridge::cli
