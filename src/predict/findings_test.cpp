#include "predict/findings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/finding_case.hpp"
#include "predict/finding_examples.hpp"

namespace ridge::predict {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Rules : public ::testing::TestWithParam<RuleCase> {};

TEST_P(Rules, Fires) {
  Case example;
  GetParam().fires(example);
  const Finding* finding = example.find(GetParam().code);
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->text, GetParam().text);
  EXPECT_EQ(finding->origin, GetParam().origin);
  EXPECT_FALSE(finding->evidence.empty());
}

TEST_P(Rules, IsSilentWhereItDoesNotApply) {
  Case example;
  GetParam().fires(example);
  GetParam().does_not_apply(example);
  EXPECT_EQ(example.find(GetParam().code), nullptr);
}

TEST_P(Rules, IsSilentWhenItsEvidenceIsUnknown) {
  Case example;
  GetParam().fires(example);
  GetParam().unknown(example);
  EXPECT_EQ(example.find(GetParam().code), nullptr);
}

INSTANTIATE_TEST_SUITE_P(All, Rules, ::testing::ValuesIn(rule_cases()), [](const auto& rule) {
  std::string name = rule.param.code;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Findings, NothingKnownNothingSaid) {
  Case example;
  EXPECT_THAT(example.findings(), IsEmpty());
}

TEST(Findings, ProgramsAndLibrariesHaveNone) {
  for (const RegionKind kind : {RegionKind::program, RegionKind::library}) {
    Case example;
    scalar(example);
    example.loop().masked = MaskedOperations{1000, 8000, 2500};
    example.loop().kind = kind;
    EXPECT_THAT(example.findings(), IsEmpty());
  }
}

TEST(Findings, EachRuleHasAnExample) {
  std::vector<std::string_view> tried;
  for (const RuleCase& rule : rule_cases()) {
    tried.emplace_back(rule.code);
  }
  EXPECT_THAT(tried, ::testing::UnorderedElementsAreArray(finding_codes()));
}

TEST(Findings, DoubtAboutOneRegionNamesTheLikelyReason) {
  Case example;
  example.reads("DRAM", 600e9);
  Region other = example.loop();
  other.id = 3;
  other.traffic["DRAM"] = {300000 * kMega, 0};
  took(other, 30.0);
  example.profile.regions.push_back(other);
  EXPECT_THAT(example.find("above-roof")->text, ::testing::HasSubstr("a cache served part"));
}

TEST(Findings, AboveTheRoofOfFp64BelowThatOfFp32IsAWrongPrecisionUnlessCounted) {
  Case example;
  example.loop().flops.add(Precision::fp64, OperationKind::fma, 512, 960000 * kMega);  // 150 %
  Region other = example.loop();
  other.id = 3;
  took(other, 30.0);
  example.profile.regions.push_back(other);
  EXPECT_THAT(example.find("above-roof")->text, ::testing::HasSubstr("removed counted work"));
  example.profile.origins.flops = Origin::measured;
  EXPECT_THAT(example.find("above-roof")->text, ::testing::HasSubstr("below that of fp32"));
}

TEST(Findings, FindAllSaysTheSame) {
  Case example;
  scalar(example);
  const Prediction prediction = predict(example.profile, &example.cpu);
  EXPECT_EQ(find_all(example.loop(), example.profile, prediction, &example.cpu),
            example.findings());
}

TEST(Findings, ExcessNamesTheLoopThatBringsTheDataAnew) {
  Case example;
  Region outer = region_named("outer");
  outer.id = 3;
  outer.parent = 1;
  outer.file = "dir/a.c";
  outer.line = 12;
  outer.entries = 40;
  example.profile.regions.push_back(outer);
  example.loop().parent = 3;
  example.loop().entries = 40000;
  example.loop().traffic["DRAM"] = {40000 * kMega, 0};
  example.loop().least_traffic["DRAM"] = {1000 * kMega, 0};
  EXPECT_THAT(example.find("excess-traffic")->text,
              ::testing::HasSubstr("they come anew each time the loop at a.c:12 is entered"));
  example.profile.regions.back().entries = 1;
  EXPECT_THAT(example.find("excess-traffic")->text,
              ::testing::HasSubstr("they come anew each time this loop is entered"));
}

TEST(Findings, PagesThatComeAgainOrFromADiskAreSaid) {
  Case again;
  again.loop().page_faults = PageFaults{100000, 100000, 100000, 4999, Seconds(2.5)};
  again.loop().least_traffic["DRAM"] = {50000 * 4096ULL - 64, 0};
  ASSERT_NE(again.find("page-faults"), nullptr);
  EXPECT_THAT(again.find("page-faults")->text, HasSubstr("more pages than its data have"));
  again.loop().least_traffic["DRAM"] = {50000 * 4096ULL, 0};
  EXPECT_THAT(again.find("page-faults")->text, HasSubstr("for the first time"));
  again.loop().page_faults->major = 5000;
  EXPECT_THAT(again.find("page-faults")->text, HasSubstr("some wait for a disk"));
}

// A loop over blocks touches them first in an inner loop whose visits are too short to tell apart:
// its faults stand at the outer loop, which has no time of its own.
TEST(Findings, PageFaultsAreSaidOfTheProgramToo) {
  Case example;
  Region program = region_named("program");
  program.kind = RegionKind::program;
  program.id = 9;
  took(program, 0.52);
  program.cpu_seconds.self = program.cpu_seconds.inclusive = program.time_seconds.self;
  program.page_faults = PageFaults{131072, 131072, 131072, 0, Seconds(0.48)};
  example.function().page_faults = PageFaults{131000, 130000, 131072, 0, Seconds(0.48)};
  example.function().line = 12;
  example.profile.regions.push_back(program);
  example.findings();
  EXPECT_THAT(example.function().findings, IsEmpty());
  const auto& findings = example.profile.regions.back().findings;
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].code, "page-faults");
  EXPECT_THAT(findings[0].text,
              HasSubstr("1.31e+05 page faults: the kernel takes 92 % of its CPU"));
  EXPECT_THAT(findings[0].text, HasSubstr("; 100 % of them in f (line 12)"));
  example.profile.regions.back().page_faults->kernel_seconds = Seconds(0.05);
  example.findings();
  EXPECT_THAT(example.profile.regions.back().findings, IsEmpty()) << "less than a tenth";
}

TEST(RemoteMemory, SaysWhatKindItIs) {
  Case mixed;
  mixed.reads("DRAM", 200e9);
  mixed.loop().memory_nodes = {{0, 1, 100}, {1, 0, 100}};
  ASSERT_NE(mixed.find("remote-memory"), nullptr);
  EXPECT_THAT(mixed.find("remote-memory")->text, HasSubstr("100 % of what it gets from memory"));
  EXPECT_THAT(mixed.find("remote-memory")->text, HasSubstr("OMP_PROC_BIND"));
}

TEST(Findings, NoWriteAllocateWhereCachesDoNot) {
  Case example;
  example.loop().bytes_stored = example.loop().bytes_loaded = 80000 * kMega;
  example.loop().bytes_overwritten = 80000 * kMega;
  example.loop().traffic["DRAM"] = {160000 * kMega, 80000 * kMega};
  EXPECT_NE(example.find("write-allocate"), nullptr);
  example.profile.machine.caches.back().write_allocate = WriteAllocate::when_unsaturated;
  EXPECT_EQ(example.find("write-allocate"), nullptr);
}

TEST(Findings, ATrueRecurrenceHasNoGain) {
  Case example;
  example.loop().iterations = 10000 * kMega;
  example.loop().chain = {{ChainOperation::mul, Precision::fp64, false, 5000 * kMega},
                          {ChainOperation::add, Precision::fp64, false, 5000 * kMega}};
  const Finding* finding = example.find("dependency-chain");
  ASSERT_NE(finding, nullptr);
  EXPECT_FALSE(finding->gain);
  EXPECT_THAT(finding->text, ::testing::HasSubstr("(mul + add): 3 cycles"));
  EXPECT_DOUBLE_EQ(finding->evidence.at("measured_cycles_per_iteration"), 4.0);
}

TEST(Findings, AnUnknownCpuHasNoLatencies) {
  Case example;
  example.loop().iterations = 10000 * kMega;
  example.loop().chain = {{ChainOperation::add, Precision::fp64, true, 10000 * kMega}};
  example.cpu.isas.clear();
  EXPECT_EQ(example.find("dependency-chain"), nullptr);
}

}  // namespace
}  // namespace ridge::predict
