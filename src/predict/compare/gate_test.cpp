#include "predict/compare/gate.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/compare/compare.hpp"
#include "predict/compare/figures.hpp"
#include "predict/compare/profiles_for_tests.hpp"
#include "predict/sentences_for_tests.hpp"

namespace ridge::predict {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::ProfileBuilder;

ProfileBuilder program(double seconds, std::uint64_t flops, std::uint64_t dram = 1000) {
  ProfileBuilder builder;
  const auto loop = builder.loop(builder.function("jacobi", 10), "jacobi", 12, flops);
  builder[loop].traffic["DRAM"] = {dram, 0};
  builder.took(loop, seconds, 0.01);
  builder[0].flops = builder[loop].flops;
  builder[0].traffic = builder[loop].traffic;
  builder.took(seconds);
  return builder;
}

std::vector<GateFailure> failures(const Profile& a, const Profile& b,
                                  const std::vector<std::string>& texts,
                                  const std::vector<std::string>& allowed = {}) {
  static Comparison comparison;  // failures point into it
  comparison = compare({{"a", &a, nullptr}, {"b", &b, nullptr}});
  std::vector<GateRule> rules;
  for (const std::string& text : texts) {
    rules.push_back(*parse_gate_rule(text));
  }
  return judge(comparison, rules, allowed);
}

TEST(Gate, PassesWhatIsEqual) {
  const Profile profile = program(1.0, 5000).profile;
  EXPECT_TRUE(failures(profile, profile,
                       {"time>5%", "flops>0", "traffic.DRAM>2%", "performance<-5%", "flops<0"})
                  .empty());
}

TEST(Gate, OneMoreFlopBreaksARuleOfZero) {
  const auto found = failures(program(1.0, 5000).profile, program(1.0, 5002).profile, {"flops>0"});
  ASSERT_EQ(found.size(), 2U);  // the program and the loop
  EXPECT_EQ(found[0].loop->kind, RegionKind::program);
  EXPECT_EQ(found[1].before->count, 5000U);
  EXPECT_EQ(found[1].after->count, 5002U);
  EXPECT_TRUE(
      failures(program(1.0, 5002).profile, program(1.0, 5000).profile, {"flops>0"}).empty());
}

TEST(Gate, ExactlyTheLimitPasses) {
  const auto gate = [](std::uint64_t after) {
    return failures(program(1.0, 5000, 1000).profile, program(1.0, 5000, after).profile,
                    {"traffic.DRAM@jacobi>2%+0B"})
        .size();
  };
  EXPECT_EQ(gate(1020), 0U);
  EXPECT_EQ(gate(1021), 1U);
}

TEST(Gate, FallsCanBeForbiddenToo) {
  const auto found =
      failures(program(1.0, 5000).profile, program(1.2, 5000).profile, {"performance@jacobi<-5%"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(*found[0].change, 1.0 / 1.2 - 1.0, 1e-12);
}

TEST(Gate, ATimeWithinItsSpreadPasses) {
  ProfileBuilder a = program(1.0, 5000);
  ProfileBuilder b = program(1.1, 5000);
  a.took(2, 1.0, 0.2);
  b.took(2, 1.1, 0.2);
  EXPECT_TRUE(failures(a.profile, b.profile, {"time@jacobi>5%"}).empty());
  EXPECT_EQ(failures(a.profile, b.profile, {"time@program>5%"}).size(), 1U);  // one run each
}

TEST(Gate, AnImprovementThatIsAskedForMustBeProven) {
  const Profile profile = program(1.0, 5000).profile;
  EXPECT_FALSE(failures(profile, profile, {"time>-10%"}).empty());
  EXPECT_TRUE(failures(profile, program(0.8, 5000).profile, {"time>-10%"}).empty());
  EXPECT_FALSE(failures(profile, profile, {"performance@jacobi<10%"}).empty());
}

ProfileBuilder without_traffic() {
  ProfileBuilder builder = program(1.0, 5000);
  builder[0].traffic.erase("DRAM");
  builder[2].traffic.erase("DRAM");
  return builder;
}

TEST(Gate, WhatOneResultDoesNotKnowFails) {
  const ProfileBuilder b = without_traffic();
  for (const auto& [first, second] :
       {std::pair(program(1.0, 5000), b), std::pair(b, program(1.0, 5000))}) {
    const auto found = failures(first.profile, second.profile, {"traffic.DRAM>2%"});
    ASSERT_EQ(found.size(), 2U);
    EXPECT_THAT(found[0].reason, HasSubstr("one result"));
  }
  const auto neither = failures(b.profile, b.profile, {"traffic.DRAM>2%"});
  ASSERT_EQ(neither.size(), 1U);
  EXPECT_EQ(neither[0].loop, nullptr);
  EXPECT_THAT(neither[0].reason, HasSubstr("any result"));
}

TEST(Gate, ALoopThatIsNotThereFails) {
  const Profile profile = program(1.0, 5000).profile;
  const auto found = failures(profile, profile, {"time@nowhere>5%"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].reason, HasSubstr("nowhere"));
}

TEST(Gate, OtherMachinesCannotBeJudgedByTime) {
  ProfileBuilder b = program(0.5, 5000);
  b.profile.machine = testing::skylake_x();
  EXPECT_FALSE(failures(program(1.0, 5000).profile, b.profile, {"time>5%"}).empty());
  EXPECT_TRUE(failures(program(1.0, 5000).profile, b.profile, {"flops>0"}).empty());
}

TEST(Gate, NewWorkShowsInTheProgram) {
  ProfileBuilder b = program(1.0, 5000);
  const auto added = b.loop(b.function("added", 50), "added", 51, 700);
  work_of(b[0]) += known_work(b[added]);
  const auto found = failures(program(1.0, 5000).profile, b.profile, {"flops>0"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].loop->kind, RegionKind::program);
}

TEST(Gate, FromNothingIsBeyondEveryLimit) {
  EXPECT_EQ(failures(program(1.0, 5000, 0).profile, program(1.0, 5000, 64).profile,
                     {"traffic.DRAM@jacobi>1000%+0B"})
                .size(),
            1U);
}

TEST(Gate, AFilterHoldsForNamesFunctionsAndBriefNames) {
  ProfileBuilder a;
  const auto loop = a.loop(a.function("ns::run<int>", 10), "ns::run<int>", 12, 5000);
  a.took(loop, 1.0);
  ProfileBuilder b = a;
  work_of(b[loop]).terms[0].flops += 1;
  for (const char* rule : {"flops@ns::run<int>>0", "flops@ns::run>0"}) {
    EXPECT_EQ(failures(a.profile, b.profile, {rule}).size(), 1U) << rule;
  }
}

constexpr std::uint64_t kCache = 1024 * 1024;  ///< second level of the machine of these profiles

TEST(Gate, TheLinesOfOneCacheAreNoChange) {
  const auto gate = [](std::uint64_t before, std::uint64_t after, const char* rule) {
    return failures(program(1.0, 5000, before).profile, program(1.0, 5000, after).profile, {rule})
        .size();
  };
  ASSERT_EQ(program(1.0, 5000).profile.machine.caches.at(1).size_bytes, kCache);
  for (const char* rule : {"traffic.DRAM@jacobi>2%", "traffic.DRAM@jacobi>0"}) {
    EXPECT_EQ(gate(256, 384, rule), 0U) << rule;
    EXPECT_EQ(gate(78'848, 87'104, rule), 0U) << rule;
    EXPECT_EQ(gate(0, kCache, rule), 0U) << rule;
    EXPECT_EQ(gate(0, kCache + 1, rule), 1U) << rule;
  }
  EXPECT_EQ(gate(10'000'000, 10'200'000 + kCache, "traffic.DRAM@jacobi>2%"), 0U);
  EXPECT_EQ(gate(10'000'000, 10'200'001 + kCache, "traffic.DRAM@jacobi>2%"), 1U);
  EXPECT_EQ(gate(10'000'000, 9'800'000 - kCache, "traffic.DRAM@jacobi<-2%"), 0U);
  EXPECT_EQ(gate(10'000'000, 9'799'999 - kCache, "traffic.DRAM@jacobi<-2%"), 1U);
  EXPECT_EQ(gate(256, 384, "traffic.L1@jacobi>2%"),
            0U);  // what the program asks for did not change
}

TEST(Gate, TheCacheIsTheOneInsideTheBoundaryAndNeverTheLast) {
  const Machine machine = program(1.0, 5000).profile.machine;
  const auto floors = traffic_floors_of(machine);
  EXPECT_EQ(floors.at("L2"), machine.caches.at(0).size_bytes);
  EXPECT_EQ(floors.at("L3"), machine.caches.at(1).size_bytes);
  EXPECT_EQ(floors.at("DRAM"), machine.caches.at(1).size_bytes);
  EXPECT_FALSE(floors.contains("L1"));
  Machine small = machine;
  small.caches.resize(1);
  EXPECT_EQ(traffic_floors_of(small).at("DRAM"), machine.caches.at(0).size_bytes);
  small.caches.clear();
  EXPECT_TRUE(traffic_floors_of(small).empty());
}

TEST(Gate, AFloorThatIsNamedHolds) {
  const auto gate = [](std::uint64_t after, const char* rule) {
    return failures(program(1.0, 5000, 10'000).profile, program(1.0, 5000, after).profile, {rule})
        .size();
  };
  EXPECT_EQ(gate(10'001, "traffic.DRAM@jacobi>0+0B"), 1U);
  EXPECT_EQ(gate(10'264, "traffic.DRAM@jacobi>2%+64B"), 0U);
  EXPECT_EQ(gate(10'265, "traffic.DRAM@jacobi>2%+64B"), 1U);
  EXPECT_EQ(gate(75'536, "traffic.DRAM@jacobi>64KiB"), 0U);
  EXPECT_EQ(gate(75'537, "traffic.DRAM@jacobi>64KiB"), 1U);
}

TEST(Gate, AnImprovementOfTrafficIsAskedForInFull) {
  EXPECT_EQ(failures(program(1.0, 5000, 100'000).profile, program(1.0, 5000, 90'001).profile,
                     {"traffic.DRAM@jacobi>-10%"})
                .size(),
            1U);
}

TEST(Gate, AnIntensityMovesWithItsTrafficAtMost) {
  const auto gate = [](std::uint64_t before, std::uint64_t after, std::uint64_t flops,
                       const char* rule) {
    ProfileBuilder a = program(1.0, 5000, before);
    ProfileBuilder b = program(1.0, flops, after);
    return failures(a.profile, b.profile, {rule}).size();
  };
  EXPECT_EQ(gate(256, 384, 5000, "intensity.DRAM@jacobi<-2%"), 0U);
  EXPECT_EQ(gate(256, 0, 5000, "intensity.DRAM@jacobi<-2%"), 0U);
  EXPECT_EQ(gate(256, 384, 5000, "bandwidth.DRAM@jacobi>2%"), 0U);
  EXPECT_EQ(gate(256, 384, 2500, "intensity.DRAM@jacobi<-2%"), 1U);  // half of the work
  EXPECT_EQ(gate(1'000'000, 2'000'000, 5000, "intensity.DRAM@jacobi<-2%"), 0U);
  EXPECT_EQ(gate(10'000'000, 20'000'000, 5000, "intensity.DRAM@jacobi<-2%"), 1U);
  EXPECT_EQ(gate(256, 384, 5000, "intensity.DRAM@jacobi<-2%+0flop/byte"), 1U);
}

TEST(Gate, IntervalsOfTrafficFailWhereTheyAreApartBeyondTheLimit) {
  const auto gate = [](std::uint64_t after, const char* rule) {
    ProfileBuilder a = program(1.0, 5000, 100'000'000);
    ProfileBuilder b = program(1.0, 5000, after);
    a[2].traffic_mode = TrafficMode::sampled;  // 2 % each
    b[2].traffic_mode = TrafficMode::sampled;
    return failures(a.profile, b.profile, {rule}).size();
  };
  // 102 MB and 5 % are 107.1: the lowest of 109.2 +- 2 % is 107.02, of 109.4 107.21.
  EXPECT_EQ(gate(109'200'000, "traffic.DRAM@jacobi>5%+0B"), 0U);
  EXPECT_EQ(gate(109'400'000, "traffic.DRAM@jacobi>5%+0B"), 1U);
  EXPECT_EQ(gate(103'000'000, "traffic.DRAM@jacobi>0"), 0U);
  EXPECT_EQ(gate(103'000'000, "traffic.DRAM@jacobi>0+0B"), 0U);
  // An improvement by 5 %: the highest of the new one is below 98 MB less 5 %, 93.1.
  EXPECT_EQ(gate(91'300'000, "traffic.DRAM@jacobi>-5%"), 1U);  // 93.13
  EXPECT_EQ(gate(91'200'000, "traffic.DRAM@jacobi>-5%"), 0U);  // 93.02
}

TEST(Gate, IntervalsOfTheOrderOfThreadsCount) {
  const auto gate = [](std::uint64_t after, std::uint64_t low, std::uint64_t high) {
    ProfileBuilder a = program(1.0, 5000, 100'000'000);
    ProfileBuilder b = program(1.0, 5000, after);
    a[2].traffic_interval["DRAM"] = {95'000'000, 110'000'000};
    b[2].traffic_interval["DRAM"] = {low, high};
    return failures(a.profile, b.profile, {"traffic.DRAM@jacobi>10%+0B"}).size();
  };
  EXPECT_EQ(gate(130'000'000, 109'000'000, 140'000'000), 0U);  // they overlap
  EXPECT_EQ(gate(130'000'000, 121'000'000, 140'000'000), 0U);  // apart, by 10 % at least
  EXPECT_EQ(gate(130'000'000, 121'000'001, 140'000'000), 1U);
}

TEST(Gate, AnotherEndFails) {
  ProfileBuilder a = program(2.3, 5000);
  ProfileBuilder b = program(1.0, 5000);
  a.profile.program.exit_code = 0;
  b.profile.program.signal = 6;
  const auto found = failures(a.profile, b.profile, {"time>5%"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_FALSE(found[0].rule);
  EXPECT_EQ(found[0].allowance, "exit");
  EXPECT_THAT(found[0].reason,
              AllOf(HasSubstr("exit code 0 before"), HasSubstr("signal 6 (SIGABRT)")));
  EXPECT_TRUE(failures(a.profile, b.profile, {"time>5%"}, {"exit"}).empty());
  EXPECT_TRUE(failures(b.profile, b.profile, {"time>5%"}).empty());
  EXPECT_TRUE(failures(a.profile, b.profile, {}).empty()) << "no rule is no gate";
}

TEST(Gate, PartialRegionsFail) {
  ProfileBuilder b = program(1.0, 5000);
  b[2].partial = true;
  for (const bool first : {true, false}) {
    const Profile whole = program(1.0, 5000).profile;
    const auto found =
        first ? failures(b.profile, whole, {"flops>0"}) : failures(whole, b.profile, {"flops>0"});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].allowance, "partial");
    EXPECT_THAT(found[0].reason, HasSubstr("jacobi"));
  }
  EXPECT_TRUE(failures(b.profile, b.profile, {"flops>0"}, {"exit", "partial"}).empty());
}

TEST(Gate, AnotherProgramFails) {
  ProfileBuilder b;
  b.profile.program.argv = {"/opt/lulesh2.0", "100"};
  b.took(b.loop(b.function("CalcForce", 3), "CalcForce", 4, 5000), 0.4);
  const auto found = failures(program(1.0, 5000).profile, b.profile, {"time@program>5%"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].allowance, "program");
  EXPECT_THAT(found[0].reason, HasSubstr("a against lulesh2.0"));
  EXPECT_TRUE(
      failures(program(1.0, 5000).profile, b.profile, {"time@program>5%"}, {"program"}).empty());
}

TEST(Gate, WordsOfTheAllowanceAreKnown) {
  EXPECT_EQ(*parse_gate_allowance({"program", "exit", "exit"}),
            (std::vector<std::string>{"exit", "program"}));
  const auto wrong = parse_gate_allowance({"exit", "eve\x1brything"});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::usage);
  EXPECT_THAT(wrong.error().hint, HasSubstr("exit, partial, program"));
  EXPECT_THAT(wrong.error().message, ::testing::Not(HasSubstr("\x1b")));
}

TEST(Gate, RegionsOfOneNameAreToldApart) {
  ProfileBuilder a;
  const auto f = a.function("sweep", 10);
  for (const unsigned line : {12U, 20U, 20U}) {
    a.took(a.loop(f, "sweep", line, 5000, line), 1.0);
  }
  ProfileBuilder b = a;
  for (std::uint32_t id = 2; id < 5; ++id) {
    work_of(b[id]).terms[0].flops += id;
  }
  EXPECT_EQ(failures(a.profile, b.profile, {"flops@sweep>0"}).size(), 3U);
  EXPECT_EQ(failures(a.profile, b.profile, {"flops@sweep:20>0"}).size(), 2U);
  const auto found = failures(a.profile, b.profile, {"flops@sweep:12>0"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].after->count, 5002U);
  EXPECT_EQ(found[0].loop->label, "sweep:12");
  const auto second = failures(a.profile, b.profile, {"flops@sweep:20#2>0"});
  ASSERT_EQ(second.size(), 1U);
  EXPECT_EQ(second[0].after->count, 5004U);
  EXPECT_EQ(second[0].loop->label, "sweep:20#2");
}

TEST(GateRule, LevelsThatNoResultHasAreUsageErrors) {
  const Profile profile = program(1.0, 5000).profile;
  const Comparison comparison = compare({{"a", &profile, nullptr}, {"b", &profile, nullptr}});
  const auto wrong = check_gate_rule(*parse_gate_rule("traffic.DRM>2%"), comparison);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::usage);
  EXPECT_THAT(wrong.error().hint, HasSubstr("DRAM"));
  EXPECT_TRUE(check_gate_rule(*parse_gate_rule("traffic.L2>2%"), comparison));
  EXPECT_TRUE(check_gate_rule(*parse_gate_rule("time>2%"), comparison));
}

}  // namespace

void gate_sentences(tests::Sentences& sentences) {
  const auto add = [&](const std::string& what, const Profile& a, const Profile& b,
                       const std::string& rule) {
    sentences.add("gate: " + what, failures(a, b, {rule}).at(0).reason);
  };
  const Profile whole = program(1.0, 5000).profile;
  const Profile unknown = without_traffic().profile;
  add("known in one result", whole, unknown, "traffic.DRAM>2%");
  add("known in no result", unknown, unknown, "traffic.DRAM>2%");
  add("no such loop", whole, whole, "time@nowhere>5%");
  ProfileBuilder done = program(2.3, 5000);
  ProfileBuilder aborted = program(1.0, 5000);
  done.profile.program.exit_code = 0;
  aborted.profile.program.signal = 6;
  add("another end", done.profile, aborted.profile, "time>5%");
}

}  // namespace ridge::predict
