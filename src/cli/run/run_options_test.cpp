#include "cli/run/run_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

RunOptions parsed(const std::vector<std::string>& arguments) {
  const auto options = parse_run_options(arguments);
  if (!options || !*options) {
    ADD_FAILURE() << "not parsed";
    return {};
  }
  return **options;
}

Error refused(const std::vector<std::string>& arguments) {
  const auto options = parse_run_options(arguments);
  if (options) {
    ADD_FAILURE() << "parsed";
    return {};
  }
  return options.error();
}

TEST(RunOptions, WhatStandsBehindTheDashesIsTheProgramsOwn) {
  const auto options = parsed({"--no-traffic", "--", "./a b", "--help", "--", "-o", "", "x y"});
  EXPECT_THAT(options.program, ElementsAre("./a b", "--help", "--", "-o", "", "x y"));
  EXPECT_EQ(options.traffic, measure::TrafficRequest::off);
  EXPECT_FALSE(options.output);
}

TEST(RunOptions, AllOptions) {
  const auto options = parsed({"-o", "out", "--machine", "m.json", "--force", "--launcher",
                               "--json", "--ascii", "--redact", "--", "p"});
  EXPECT_EQ(options.output, "out");
  EXPECT_EQ(options.machine, "m.json");
  EXPECT_TRUE(options.force && options.launcher && options.json && options.ascii && options.redact);
  EXPECT_FALSE(options.mpi || options.libraries) << "nothing is loaded that nobody asked for";
  EXPECT_TRUE(parsed({"--mpi", "--", "p"}).mpi);
  EXPECT_TRUE(parsed({"--libraries", "--", "p"}).libraries);
}

TEST(RunOptions, ExplainIsForPeopleJsonForPrograms) {
  EXPECT_EQ(parsed({"--explain", "sweep", "--", "p"}).explain, "sweep");
  EXPECT_FALSE(parsed({"--", "p"}).explain);
  const Error error = refused({"--explain", "1", "--json", "--", "p"});
  EXPECT_EQ(error.code, ErrorCode::usage);
  EXPECT_THAT(error.hint, HasSubstr("profile.json"));
}

TEST(RunOptions, CachesAreCheckedBeforeAMachineIsMeasured) {
  EXPECT_EQ(parsed({"--cache", "L1=48K/12,L2=1M/16", "--", "p"}).cache, "L1=48K/12,L2=1M/16");
  const Error error = refused({"--cache", "L1=48K/13", "--", "p"});
  EXPECT_EQ(error.code, ErrorCode::usage);
  EXPECT_THAT(error.message, HasSubstr("13 lines"));
}

TEST(RunOptions, CachesAndNoTrafficExcludeEachOther) {
  const Error error = refused({"--cache", "L1=48K/12", "--no-traffic", "--", "p"});
  EXPECT_EQ(error.code, ErrorCode::usage);
  EXPECT_THAT(error.message, HasSubstr("--no-traffic"));
}

TEST(RunOptions, AlsoNamesCachesOfOtherMachines) {
  const RunOptions options =
      parsed({"--also", "zen4,spr-8480p", "--also=my=L1=4K/8,L2=64K/8,shared-by-2", "--", "p"});
  ASSERT_EQ(options.also.size(), 3U);
  EXPECT_EQ(options.also[1], (AlsoItem{"spr-8480p", std::nullopt}));
  EXPECT_EQ(options.also[2], (AlsoItem{"my", "L1=4K/8,L2=64K/8,shared-by-2"}));
  const Error unknown = refused({"--also", "zen6", "--", "p"});
  EXPECT_EQ(unknown.code, ErrorCode::bad_input);
  EXPECT_THAT(unknown.hint, HasSubstr("zen4"));
  EXPECT_EQ(refused({"--also", "my=L1=4K/9", "--", "p"}).code, ErrorCode::usage);
  for (const char* traffic : {"--traffic=auto", "--traffic=sampled", "--no-traffic"}) {
    EXPECT_THAT(refused({"--also", "zen4", traffic, "--", "p"}).message, HasSubstr("exact"));
  }
}

TEST(RunOptions, KindsOfTraffic) {
  using measure::TrafficRequest;
  EXPECT_EQ(parsed({"--", "p"}).traffic, TrafficRequest::automatic);
  EXPECT_EQ(parsed({"--traffic=auto", "--", "p"}).traffic, TrafficRequest::automatic);
  EXPECT_EQ(parsed({"--traffic=exact", "--", "p"}).traffic, TrafficRequest::exact);
  EXPECT_EQ(parsed({"--traffic", "sampled", "--", "p"}).traffic, TrafficRequest::sampled);
  EXPECT_EQ(parsed({"--traffic=off", "--no-traffic", "--", "p"}).traffic, TrafficRequest::off);
  EXPECT_THAT(refused({"--traffic=some", "--", "p"}).hint, HasSubstr("sampled"));
  EXPECT_EQ(refused({"--traffic=exact", "--no-traffic", "--", "p"}).code, ErrorCode::usage);
}

TEST(RunOptions, ASourceIsNamedAndTheListNeedsNoProgram) {
  EXPECT_EQ(parsed({"--source", "instrumented", "--", "p"}).source, "instrumented");
  EXPECT_FALSE(parsed({"--", "p"}).source);
  EXPECT_FALSE(parsed({"--", "p"}).list_sources);
  EXPECT_TRUE(parsed({"--source", "list"}).list_sources);
  EXPECT_TRUE(parsed({"--source=list", "--", "p"}).list_sources);
  EXPECT_EQ(refused({"--source", "instrumented"}).code, ErrorCode::usage);
  EXPECT_EQ(refused({"--source"}).code, ErrorCode::usage);
}

TEST(RunOptions, ABudgetIsATime) {
  EXPECT_FALSE(parsed({"--", "p"}).budget);
  EXPECT_EQ(parsed({"--budget", "60s", "--", "p"}).budget, Seconds(60.0));
  EXPECT_EQ(parsed({"--budget=5min", "--", "p"}).budget, Seconds(300.0));
  EXPECT_EQ(parsed({"--budget=90", "--", "p"}).budget, Seconds(90.0));
  for (const char* wrong : {"soon", "0s", "60 GB"}) {
    const Error error = refused({"--budget", wrong, "--", "p"});
    EXPECT_EQ(error.code, ErrorCode::usage) << wrong;
    EXPECT_THAT(error.message, HasSubstr("--budget")) << wrong;
  }
}

TEST(RunOptions, ABudgetChoosesWhatIsSimulated) {
  for (const char* chosen :
       {"--traffic=exact", "--traffic=sampled", "--no-traffic", "--also=zen4"}) {
    const Error error = refused({"--budget=60s", chosen, "--", "p"});
    EXPECT_EQ(error.code, ErrorCode::usage) << chosen;
    EXPECT_THAT(error.message, HasSubstr("--traffic=auto")) << chosen;
  }
  EXPECT_EQ(parsed({"--budget=60s", "--traffic=auto", "--", "p"}).budget, Seconds(60.0));
}

TEST(RunOptions, ExactBelow) {
  EXPECT_EQ(parsed({"--", "p"}).exact_below, Seconds(10.0));
  EXPECT_EQ(parsed({"--exact-below=0", "--", "p"}).exact_below, Seconds(0.0));
  EXPECT_EQ(parsed({"--exact-below", "2min", "--", "p"}).exact_below, Seconds(120.0));
  EXPECT_THAT(refused({"--exact-below=soon", "--", "p"}).message, HasSubstr("--exact-below"));
  EXPECT_EQ(refused({"--exact-below=0", "--traffic=exact", "--", "p"}).code, ErrorCode::usage);
}

TEST(RunOptions, Quiet) {
  EXPECT_FALSE(parsed({"--", "p"}).quiet);
  EXPECT_TRUE(parsed({"-q", "--", "p"}).quiet);
  EXPECT_TRUE(parsed({"--quiet", "--", "p"}).quiet);
}

TEST(RunOptions, WhichRanksAreMeasured) {
  EXPECT_THAT(parsed({"--ranks", "8-10,1,9", "--", "p"}).ranks.ranks, ElementsAre(1, 8, 9, 10));
  EXPECT_EQ(parsed({"--every", "16", "--", "p"}).ranks.every, 16U);
  for (const char* text : {"", "x", "3-1", "-1", "1,,2", "1-"}) {
    EXPECT_EQ(refused({"--ranks", text, "--", "p"}).code, ErrorCode::usage) << text;
  }
  EXPECT_EQ(refused({"--every", "0", "--", "p"}).code, ErrorCode::usage);
  EXPECT_EQ(refused({"--every", "2", "--ranks", "1", "--", "p"}).code, ErrorCode::usage);
}

TEST(RunOptions, WhichRunsAreWanted) {
  using measure::RunsWanted;
  EXPECT_EQ(parsed({"--", "p"}).runs, RunsWanted::all);
  EXPECT_EQ(parsed({"--one-run", "--", "p"}).runs, RunsWanted::one);
  EXPECT_EQ(parsed({"--into", "r", "--only-traffic", "--", "p"}).runs, RunsWanted::traffic);
  EXPECT_EQ(parsed({"--into", "r", "--only-counts", "--", "p"}).runs, RunsWanted::counts);
  EXPECT_EQ(refused({"--only-counts", "--only-traffic", "--", "p"}).code, ErrorCode::usage);
}

TEST(RunOptions, WithoutAProgramIsAUsageError) {
  for (const auto& arguments : std::vector<std::vector<std::string>>{{}, {"--"}, {"--json"}}) {
    const Error error = refused(arguments);
    EXPECT_EQ(error.code, ErrorCode::usage);
    EXPECT_THAT(error.hint, HasSubstr("-- PROGRAM"));
  }
}

TEST(RunOptions, ForgottenDashesAreNamed) {
  const Error error = refused({"./program", "x"});
  EXPECT_EQ(error.code, ErrorCode::usage);
  EXPECT_THAT(error.hint, HasSubstr("-- PROGRAM"));
}

TEST(RunOptions, UnknownOptionsAreUsageErrors) {
  EXPECT_EQ(refused({"--no-such-option", "--", "p"}).code, ErrorCode::usage);
  EXPECT_EQ(refused({"-o"}).code, ErrorCode::usage);
}

TEST(RunOptions, HelpGivesNoOptions) {
  ::testing::internal::CaptureStdout();
  const auto options = parse_run_options({"--help"});
  EXPECT_THAT(::testing::internal::GetCapturedStdout(), HasSubstr("ridge run"));
  ASSERT_TRUE(options);
  EXPECT_FALSE(options->has_value());
}

TEST(RunOptions, DescendantsAndDetaching) {
  EXPECT_EQ(parsed({"--", "p"}).wait_descendants, 60U);
  EXPECT_FALSE(parsed({"--", "p"}).detach);
  EXPECT_EQ(parsed({"--wait-descendants", "0", "--", "p"}).wait_descendants, 0U);
  EXPECT_TRUE(parsed({"--detach", "--", "p"}).detach);
  EXPECT_EQ(refused({"--wait-descendants", "soon", "--", "p"}).code, ErrorCode::usage);
}

}  // namespace
}  // namespace ridge::cli
