#include "predict/findings/findings.hpp"

#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/findings/finding_case.hpp"
#include "predict/findings/finding_examples.hpp"
#include "predict/findings/vector_libraries.hpp"
#include "predict/sentences_for_tests.hpp"

namespace ridge::predict {
namespace {

using namespace testing;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Rules : public ::testing::TestWithParam<RuleCase> {};

TEST_P(Rules, Fires) {
  Case example;
  GetParam().fires(example);
  const Finding* finding = example.find(GetParam().code);
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->origin, GetParam().origin);
  const auto near = [](const auto& value, const auto& wanted) {
    return value.first == wanted.first &&
           std::abs(value.second - wanted.second) <= 1e-9 * std::abs(wanted.second);
  };
  EXPECT_TRUE(std::equal(finding->evidence.begin(), finding->evidence.end(),
                         GetParam().evidence.begin(), GetParam().evidence.end(), near))
      << ::testing::PrintToString(finding->evidence);
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

/// Most of the time is spent below the roof, in another loop.
void one_above_its_roof(Case& c) {
  c.reads("DRAM", 600e9);
  Region other = c.loop();
  other.id = 3;
  other.traffic["DRAM"] = {300000 * kMega, 0};
  took(other, 30.0);
  c.profile.regions.push_back(other);
}

TEST(Findings, DoubtAboutOneRegionNamesTheLikelyReason) {
  Case example;
  one_above_its_roof(example);
  const Finding* finding = example.find("above-roof");
  ASSERT_NE(finding, nullptr);
  EXPECT_DOUBLE_EQ(finding->evidence.at("share_of_time_above"), 0.25);
  EXPECT_FALSE(finding->text.empty());
  EXPECT_EQ(finding->text, note_text(example.prediction.regions.at(1), "above-roof"));
}

void fp64_at_150_percent(Case& c, Origin origin) {
  work_of(c.loop()).add(Precision::fp64, OperationKind::fma, 512, 960000 * kMega);
  Region other = c.loop();
  other.id = 3;
  took(other, 30.0);
  c.profile.regions.push_back(other);
  c.profile.origins.flops = origin;
}

TEST(Findings, AboveTheRoofOfFp64BelowThatOfFp32IsAWrongPrecisionUnlessCounted) {
  Case counted;
  fp64_at_150_percent(counted, Origin::counted);
  EXPECT_THAT(counted.find("above-roof")->text,
              AllOf(HasSubstr("removed"), Not(HasSubstr("fp32"))));
  Case measured;
  fp64_at_150_percent(measured, Origin::measured);
  EXPECT_THAT(measured.find("above-roof")->text, HasSubstr("fp32"));
}

TEST(Findings, FindAllSaysTheSame) {
  Case example;
  scalar(example);
  const Prediction prediction = predict(example.profile, &example.cpu);
  EXPECT_EQ(find_all(example.loop(), example.profile, prediction, &example.cpu),
            example.findings());
}

/// 20 times the data, in a loop that is entered 1000 times in each round of the one around it.
void comes_anew(Case& c, std::uint64_t entries_of_outer) {
  Region outer = region_named("outer");
  outer.id = 3;
  outer.parent = 1;
  outer.file = "dir/a.c";
  outer.line = 12;
  outer.entries = entries_of_outer;
  c.profile.regions.push_back(outer);
  c.loop().parent = 3;
  c.loop().entries = 40000;
  c.loop().traffic["DRAM"] = {20000 * kMega, 0};
  c.loop().least_traffic["DRAM"] = {1000 * kMega, 0};
}

TEST(Findings, ExcessNamesTheLoopThatBringsTheDataAnew) {
  Case outer;
  comes_anew(outer, 40);
  ASSERT_NE(outer.find("excess-traffic"), nullptr);
  EXPECT_THAT(outer.find("excess-traffic")->text, HasSubstr("a.c:12"));
  Case inner;
  comes_anew(inner, 1);
  ASSERT_NE(inner.find("excess-traffic"), nullptr);
  EXPECT_THAT(inner.find("excess-traffic")->text,
              AllOf(HasSubstr("this loop"), Not(HasSubstr("a.c"))));
}

TEST(Findings, WhatStartsABodyIsNotTheFunctionAround) {
  Case example;
  Region steps = region_named("steps");
  steps.id = 3;
  steps.entries = 1;
  example.profile.regions.push_back(steps);
  example.function().entries = 20;  // the body of a parallel region
  example.loop().entries = 40000;
  example.loop().traffic["DRAM"] = {20000 * kMega, 0};
  example.loop().least_traffic["DRAM"] = {1000 * kMega, 0};
  EXPECT_EQ(example.find("excess-traffic"), nullptr) << "each call needs all the data";
  example.function().parent = 3;
  EXPECT_EQ(example.find("excess-traffic"), nullptr);
  example.function().entries = 1;
  EXPECT_NE(example.find("excess-traffic"), nullptr);
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
    EXPECT_EQ(vector_form(without), VectorForm::none) << without;
    EXPECT_THAT(text(without),
                AllOf(EndsWith(std::string(vector_advice(without))), Not(HasSubstr("-fveclib"))))
        << without;
  }
  // What is a vector already needs no advice.
  EXPECT_THAT(text("_ZGVdN4v_exp"), AllOf(HasSubstr("_ZGVdN4v_exp"), Not(HasSubstr(": "))));
  const std::string reason = "unsafe dependent memory operations in loop";
  example.loop().not_vectorised = reason;
  EXPECT_THAT(text("exp"), AllOf(HasSubstr(reason), Not(HasSubstr("-fveclib"))));
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
              AllOf(HasSubstr("gather"), Not(HasSubstr("-fassociative"))));
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
  ASSERT_NE(example.find("excess-traffic"), nullptr);
  const auto assumed = example.find("excess-traffic")->gain_note;
  ASSERT_TRUE(assumed);
  example.loop().accesses = {{AccessPattern::constant, false, 64, 1000}};
  const Finding* finding = example.find("strided-access");
  ASSERT_NE(finding, nullptr);
  EXPECT_GT(finding->gain.value_or(0.0), 2.0);
  EXPECT_EQ(finding->gain_note, assumed);
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
  EXPECT_TRUE(example.find("scalar-flops")->gain_note);
  example.loop().entries = 400000;
  EXPECT_TRUE(example.find("short-loop")->gain_is_bound);
  EXPECT_FALSE(example.find("short-loop")->gain_note);
}

/// 100000 pages of data of so many bytes, `major` of them from a disk.
void pages(Case& c, std::uint64_t distinct_bytes, std::uint64_t major) {
  c.loop().page_faults = PageFaults{100000, 100000, 100000, major, Seconds(2.5)};
  c.loop().least_traffic["DRAM"] = {distinct_bytes, 0};
}
constexpr std::uint64_t kHalfOfThePages = 50000 * 4096ULL;

TEST(Findings, PagesThatComeAgainOrFromADiskAreSaid) {
  Case example;
  pages(example, kHalfOfThePages - 64, 4999);
  ASSERT_NE(example.find("page-faults"), nullptr);
  EXPECT_THAT(example.find("page-faults")->text, HasSubstr("malloc"));
  pages(example, kHalfOfThePages, 4999);
  EXPECT_THAT(example.find("page-faults")->text, HasSubstr("huge pages"));
  pages(example, kHalfOfThePages, 5000);
  EXPECT_THAT(example.find("page-faults")->text, HasSubstr("disk"));
}

/// A loop over blocks touches them first in an inner loop whose visits are too short to tell apart:
/// its faults stand at the outer loop, which has no time of its own.
void faults_of_the_program(Case& example) {
  Region program = region_named("program");
  program.kind = RegionKind::program;
  program.id = 9;
  took(program, 0.52);
  program.cpu_seconds.self = program.cpu_seconds.inclusive = program.time_seconds.self;
  program.page_faults = PageFaults{131072, 131072, 131072, 0, Seconds(0.48)};
  example.function().page_faults = PageFaults{131000, 130000, 131072, 0, Seconds(0.48)};
  example.function().line = 12;
  example.profile.regions.push_back(program);
}

TEST(Findings, PageFaultsAreSaidOfTheProgramToo) {
  Case example;
  faults_of_the_program(example);
  example.findings();
  EXPECT_THAT(example.prediction.regions.at(0).findings, IsEmpty());
  const auto& findings = example.prediction.regions.back().findings;
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].code, "page-faults");
  EXPECT_DOUBLE_EQ(findings[0].evidence.at("faults"), 131072.0);
  EXPECT_NEAR(findings[0].evidence.at("share"), 0.48 / 0.52, 1e-9);
  EXPECT_THAT(findings[0].text, AllOf(HasSubstr("100 %"), HasSubstr("f (line 12)")));
  example.profile.regions.back().page_faults->kernel_seconds = Seconds(0.05);
  example.findings();
  EXPECT_THAT(example.prediction.regions.back().findings, IsEmpty()) << "less than a tenth";
}

/// Each of two nodes takes what lies on the other.
void crossed_nodes(Case& c) {
  c.reads("DRAM", 200e9);
  c.loop().memory_nodes = {{0, 1, 100}, {1, 0, 100}};
}

TEST(RemoteMemory, SaysWhatKindItIs) {
  Case mixed;
  crossed_nodes(mixed);
  ASSERT_NE(mixed.find("remote-memory"), nullptr);
  EXPECT_DOUBLE_EQ(mixed.find("remote-memory")->evidence.at("remote_share"), 1.0);
  EXPECT_DOUBLE_EQ(mixed.find("remote-memory")->evidence.at("fullest_node_share"), 0.5);
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
  EXPECT_THAT(finding->text, HasSubstr("(mul + add)"));
  EXPECT_DOUBLE_EQ(finding->evidence.at("cycles_per_iteration"), 3.0);
  EXPECT_DOUBLE_EQ(finding->evidence.at("measured_cycles_per_iteration"), 4.0);
}

TEST(Findings, AnUnknownCpuHasNoLatencies) {
  Case example;
  example.loop().iterations = 10000 * kMega;
  example.loop().chain = {{ChainOperation::add, Precision::fp64, true, 10000 * kMega}};
  example.cpu.isas.clear();
  EXPECT_EQ(example.find("dependency-chain"), nullptr);
}

/// What is said of the loop, and of the gain.
void add_finding(tests::Sentences& sentences, const std::string& what, const char* code,
                 const Change& change) {
  Case example;
  change(example);
  const Finding* finding = example.find(code);
  ASSERT_NE(finding, nullptr) << what;
  sentences.add(what, finding->text);
  if (finding->gain_note) {
    sentences.add(what + ", gain", *finding->gain_note);
  }
}

}  // namespace

void program_finding_sentences(tests::Sentences& sentences) {
  Case program;
  faults_of_the_program(program);
  program.findings();
  sentences.add("page-faults of the program",
                program.prediction.regions.back().findings.at(0).text);
}

void rule_sentences(tests::Sentences& sentences) {
  for (const RuleCase& rule : rule_cases()) {
    add_finding(sentences, rule.code, rule.code, rule.fires);
  }
}

void finding_sentences(tests::Sentences& sentences) {
  const auto add = [&](const std::string& what, const char* code, const Change& change) {
    add_finding(sentences, what, code, change);
  };
  add("above-roof of one region", "above-roof", one_above_its_roof);
  for (const Origin origin : {Origin::counted, Origin::measured}) {
    add(fmt::format("above-roof of fp64, flops {}", to_string(origin)), "above-roof",
        [&](Case& c) { fp64_at_150_percent(c, origin); });
  }
  for (const std::uint64_t entries : {40U, 1U}) {
    add(fmt::format("excess-traffic in a loop entered {} times", entries), "excess-traffic",
        [&](Case& c) { comes_anew(c, entries); });
  }
  for (const char* function : {"exp", "log2", "cbrt", "_ZGVdN4v_exp"}) {
    add(fmt::format("library-math of {}", function), "library-math", [&](Case& c) {
      c.loop().iterations = 10 * kMega;
      c.loop().calls = {{function, 20 * kMega}};
    });
  }
  add("library-math in a loop that is no vector loop", "library-math", [](Case& c) {
    c.loop().iterations = 10 * kMega;
    c.loop().calls = {{"exp", 20 * kMega}};
    c.loop().not_vectorised = "unsafe dependent memory operations in loop";
  });
  add("page-faults that come again", "page-faults",
      [](Case& c) { pages(c, kHalfOfThePages - 64, 4999); });
  add("page-faults for the first time", "page-faults",
      [](Case& c) { pages(c, kHalfOfThePages, 4999); });
  add("page-faults from a disk", "page-faults", [](Case& c) { pages(c, kHalfOfThePages, 5000); });
  add("remote-memory of two nodes", "remote-memory", crossed_nodes);
}

}  // namespace ridge::predict
