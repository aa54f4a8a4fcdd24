#include "predict/findings/findings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/findings/finding_case.hpp"
#include "predict/findings/finding_examples.hpp"

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
  work_of(example.loop()).add(Precision::fp64, OperationKind::fma, 512, 960000 * kMega);  // 150 %
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
  example.loop().traffic["DRAM"] = {20000 * kMega, 0};
  example.loop().least_traffic["DRAM"] = {1000 * kMega, 0};
  ASSERT_NE(example.find("excess-traffic"), nullptr);
  EXPECT_THAT(example.find("excess-traffic")->text,
              ::testing::HasSubstr("they come anew each time the loop at a.c:12 is entered"));
  example.profile.regions.back().entries = 1;
  ASSERT_NE(example.find("excess-traffic"), nullptr);
  EXPECT_THAT(example.find("excess-traffic")->text,
              ::testing::HasSubstr("they come anew each time this loop is entered"));
}

TEST(Findings, ACleanPassThatIsRepeatedHasNoExcess) {
  // A triad in a loop of 40 repetitions brings its arrays 40 times: in no order less.
  Case example;
  Region outer = region_named("repetitions");
  outer.id = 3;
  outer.parent = 1;
  outer.entries = 1;
  example.profile.regions.push_back(outer);
  example.loop().parent = 3;
  example.loop().entries = 40;
  example.loop().traffic["DRAM"] = {40000 * kMega, 0};
  example.loop().least_traffic["DRAM"] = {1000 * kMega, 0};
  EXPECT_EQ(example.find("excess-traffic"), nullptr);
  // Below four fifths only a part of the data comes anew each time.
  example.loop().traffic["DRAM"] = {31900 * kMega, 0};
  EXPECT_NE(example.find("excess-traffic"), nullptr);
  example.loop().traffic["DRAM"] = {32000 * kMega, 0};
  EXPECT_EQ(example.find("excess-traffic"), nullptr);
}

TEST(Findings, AVectorLibraryIsAdvisedForWhatItHas) {
  Case example;
  example.loop().iterations = 10 * kMega;
  const auto text = [&](const char* function) {
    example.loop().calls = {{function, 20 * kMega}};
    const Finding* finding = example.find("library-math");
    return finding == nullptr ? std::string() : finding->text;
  };
  EXPECT_THAT(text("exp"), HasSubstr("-fveclib=libmvec -fno-math-errno"));
  EXPECT_THAT(text("expf"), HasSubstr("-fveclib=libmvec -fno-math-errno"));
  EXPECT_THAT(text("log2"), HasSubstr("-fveclib=SVML -fno-math-errno"));
  for (const char* without : {"cbrt", "erf", "erff", "hypot", "f"}) {
    EXPECT_THAT(text(without), ::testing::AllOf(HasSubstr("no vector form"),
                                                ::testing::Not(HasSubstr("-fveclib"))))
        << without;
  }
  EXPECT_THAT(text("_ZGVdN4v_exp"), ::testing::EndsWith("whose work is not in the flops"));
  example.loop().not_vectorised = "unsafe dependent memory operations in loop";
  EXPECT_THAT(text("exp"), HasSubstr("only once the loop is one of vectors"));
}

TEST(Findings, ReorderedSumsAreNotAdvisedForGathers) {
  Case example;
  work_of(example.loop()).add(Precision::fp64, OperationKind::add, 64, 40000 * kMega);
  example.loop().not_vectorised = "cannot prove it is safe to reorder floating-point operations";
  example.loop().accesses = {{AccessPattern::unit, false, {}, 751},
                             {AccessPattern::indirect, false, {}, 249}};
  EXPECT_THAT(example.find("not-vectorised")->text, HasSubstr("-fassociative-math"));
  EXPECT_GT(example.find("not-vectorised")->gain.value(), 1.05);
  example.loop().accesses.back().bytes = 251;
  EXPECT_THAT(example.find("not-vectorised")->text,
              ::testing::AllOf(HasSubstr("gather"), ::testing::Not(HasSubstr("-fassociative"))));
  EXPECT_EQ(example.find("not-vectorised")->gain, 1.0);
}

TEST(Findings, TwoWithOneRemedyAreOne) {
  Case example;
  scalar(example);
  example.loop().iterations = 10000 * kMega;
  example.loop().chain = {{ChainOperation::add, Precision::fp64, true, 10000 * kMega}};
  example.loop().not_vectorised = "cannot prove it is safe to reorder floating-point operations";
  const Finding* finding = example.find("dependency-chain");
  ASSERT_NE(finding, nullptr);
  EXPECT_TRUE(finding->gain);
  EXPECT_EQ(example.find("not-vectorised"), nullptr);
  // Another reason has another remedy.
  example.loop().not_vectorised = "cannot identify array bounds";
  EXPECT_NE(example.find("not-vectorised"), nullptr);
}

TEST(Findings, OneRemedyHasTheGainOfBoth) {
  Case example;
  example.reads("DRAM", 300e9);
  example.loop().bytes_loaded = 40000 * kMega;
  example.loop().least_traffic["DRAM"] = {100000 * kMega, 0};
  example.loop().accesses = {{AccessPattern::constant, false, 64, 1000}};
  const Finding* finding = example.find("strided-access");
  ASSERT_NE(finding, nullptr);
  EXPECT_GT(finding->gain.value_or(0.0), 2.0);
  EXPECT_EQ(finding->gain_note, "if each line comes once");
  EXPECT_EQ(example.find("excess-traffic"), nullptr);
}

TEST(Findings, NoRemedyWithoutAGainLeadsBeforeOneWithAGain) {
  Case example;
  scalar(example);
  example.loop().iterations = 10000 * kMega;
  example.loop().chain = {{ChainOperation::mul, Precision::fp64, true, 5000 * kMega},
                          {ChainOperation::add, Precision::fp64, false, 5000 * kMega}};
  work_of(example.loop()).add(Precision::fp64, OperationKind::div, 64, 8000 * kMega);
  bool without = false;
  for (const Finding& finding : example.findings()) {
    EXPECT_FALSE(without && finding.gain && *finding.gain >= kWorthwhileGain) << finding.code;
    without = without || !finding.gain;
  }
  EXPECT_TRUE(without);
  EXPECT_TRUE(example.findings().front().gain);
}

TEST(Findings, AtMostIsSaidOfBoundsOnly) {
  Case example;
  work_of(example.loop()).add(Precision::fp64, OperationKind::add, 64, 40000 * kMega);
  EXPECT_FALSE(example.find("scalar-flops")->gain_is_bound);
  EXPECT_EQ(example.find("scalar-flops")->gain_note,
            "if loads and stores keep up with the vectors");
  example.loop().entries = 400000;
  EXPECT_TRUE(example.find("short-loop")->gain_is_bound);
  EXPECT_FALSE(example.find("short-loop")->gain_note);
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
  EXPECT_THAT(example.prediction.regions.at(0).findings, IsEmpty());
  const auto& findings = example.prediction.regions.back().findings;
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].code, "page-faults");
  EXPECT_THAT(findings[0].text,
              HasSubstr("1.31e+05 page faults: the kernel takes 92 % of its CPU"));
  EXPECT_THAT(findings[0].text, HasSubstr("; 100 % of them in f (line 12)"));
  example.profile.regions.back().page_faults->kernel_seconds = Seconds(0.05);
  example.findings();
  EXPECT_THAT(example.prediction.regions.back().findings, IsEmpty()) << "less than a tenth";
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
