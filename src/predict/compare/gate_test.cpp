#include "predict/compare/gate.hpp"

#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/compare/compare.hpp"
#include "predict/compare/profiles_for_tests.hpp"

namespace ridge::predict {
namespace {

using ::testing::HasSubstr;
using testing::ProfileBuilder;

TEST(GateRule, ReadsQuantityRegionAndLimit) {
  const auto rule = parse_gate_rule("traffic.DRAM@jacobi>2%");
  ASSERT_TRUE(rule);
  EXPECT_EQ(rule->quantity, "traffic.DRAM");
  EXPECT_EQ(rule->region, "jacobi");
  EXPECT_FALSE(rule->below);
  EXPECT_DOUBLE_EQ(rule->limit, 0.02);
}

TEST(GateRule, PercentFactorAndFractionAreTheSame) {
  EXPECT_DOUBLE_EQ(parse_gate_rule("time>5%")->limit, 0.05);
  EXPECT_DOUBLE_EQ(parse_gate_rule("time>0.05")->limit, 0.05);
  EXPECT_NEAR(parse_gate_rule("time>1.05x")->limit, 0.05, 1e-15);
  EXPECT_DOUBLE_EQ(parse_gate_rule("flops>0")->limit, 0.0);
  EXPECT_DOUBLE_EQ(parse_gate_rule("performance<-5%")->limit, -0.05);
  EXPECT_DOUBLE_EQ(parse_gate_rule("performance<+5%")->limit, 0.05);
}

TEST(GateRule, NamesOfTemplatesMayHoldSigns) {
  const auto rule = parse_gate_rule("time@run<a, (b > 2)>::operator<>1%");
  ASSERT_TRUE(rule);
  EXPECT_EQ(rule->region, "run<a, (b > 2)>::operator<");
}

TEST(GateRule, WrongOnesAreRefusedWithTheQuantities) {
  const std::vector<std::string> wrong{"",
                                       "time",
                                       "time>",
                                       ">5%",
                                       "time>5%%",
                                       "time>%",
                                       "time>x",
                                       "time>5 %",
                                       "time>abc",
                                       "time>1e3",
                                       "time>inf",
                                       "time>nan",
                                       "time>0x10",
                                       "time>5,0%",
                                       "time>--5%",
                                       "time>+-5%",
                                       "tim>5%",
                                       "Time>5%",
                                       "traffic>5%",
                                       "traffic.>5%",
                                       "time.DRAM>5%",
                                       "flops.fp65>5%",
                                       "flops.>5%",
                                       "time@>5%",
                                       " time>5%",
                                       "time <5%",
                                       "time<-101%",
                                       "time<-0.1x",
                                       "time>1.2.3",
                                       "time>=5%",
                                       "LEVEL>1",
                                       "traffic.DRAM@",
                                       "flops.PRECISION>0",
                                       std::string("time>5%\0", 8),
                                       "time>" + std::string(100, '9'),
                                       std::string(5000, 'a') + ">1"};
  for (const std::string& text : wrong) {
    const auto rule = parse_gate_rule(text);
    ASSERT_FALSE(rule) << text;
    EXPECT_EQ(rule.error().code, ErrorCode::usage) << text;
    EXPECT_THAT(rule.error().hint, HasSubstr("traffic.LEVEL")) << text;
    EXPECT_LT(rule.error().message.size(), 200U) << text;
  }
}

TEST(GateRule, AnyBytesAreReadOrRefused) {
  std::mt19937 random(11);
  const std::string letters = "time.flopsDRAM@<>%x0159-+. \x01\x7f\xc3";
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (std::size_t length = random() % 14; length > 0; --length) {
      text += letters[random() % letters.size()];
    }
    if (random() % 2 == 0) {
      text = "time" + text;
    }
    const auto rule = parse_gate_rule(text);
    if (rule) {
      EXPECT_GE(rule->limit, -1.0) << text;
      EXPECT_FALSE(rule->quantity.empty()) << text;
    } else {
      for (const char c : rule.error().message) {
        EXPECT_GE(static_cast<unsigned char>(c), 0x20) << text;
      }
    }
  }
}

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
                                  const std::vector<std::string>& texts) {
  static Comparison comparison;  // failures point into it
  comparison = compare({{"a", &a, nullptr}, {"b", &b, nullptr}});
  std::vector<GateRule> rules;
  for (const std::string& text : texts) {
    rules.push_back(*parse_gate_rule(text));
  }
  return judge(comparison, rules);
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
                    {"traffic.DRAM@jacobi>2%"})
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

TEST(Gate, WhatOneResultDoesNotKnowFails) {
  ProfileBuilder b = program(1.0, 5000);
  b[0].traffic.erase("DRAM");
  b[2].traffic.erase("DRAM");
  for (const auto& [first, second] :
       {std::pair(program(1.0, 5000), b), std::pair(b, program(1.0, 5000))}) {
    const auto found = failures(first.profile, second.profile, {"traffic.DRAM>2%"});
    ASSERT_EQ(found.size(), 2U);
    EXPECT_THAT(found[0].reason, HasSubstr("one result only"));
  }
  const auto neither = failures(b.profile, b.profile, {"traffic.DRAM>2%"});
  ASSERT_EQ(neither.size(), 1U);
  EXPECT_EQ(neither[0].loop, nullptr);
  EXPECT_THAT(neither[0].reason, HasSubstr("not known in any result"));
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
  b[0].flops += b[added].flops;
  const auto found = failures(program(1.0, 5000).profile, b.profile, {"flops>0"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].loop->kind, RegionKind::program);
}

TEST(Gate, FromNothingIsBeyondEveryLimit) {
  EXPECT_EQ(failures(program(1.0, 5000, 0).profile, program(1.0, 5000, 64).profile,
                     {"traffic.DRAM@jacobi>1000%"})
                .size(),
            1U);
}

TEST(Gate, AFilterHoldsForNamesFunctionsAndBriefNames) {
  ProfileBuilder a;
  const auto loop = a.loop(a.function("ns::run<int>", 10), "ns::run<int>", 12, 5000);
  a.took(loop, 1.0);
  ProfileBuilder b = a;
  b[loop].flops.terms[0].flops += 1;
  for (const char* rule : {"flops@ns::run<int>>0", "flops@ns::run>0"}) {
    EXPECT_EQ(failures(a.profile, b.profile, {rule}).size(), 1U) << rule;
  }
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
}  // namespace ridge::predict
