#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/value/region_names.hpp"
#include "render/document/run/choose_region.hpp"
#include "render/document/run/region_report.hpp"
#include "render/document/run/report_facts.hpp"
#include "render/document/run/run_summary.hpp"
#include "render/document/run/work_words.hpp"
#include "render/fixture_for_tests.hpp"
#include "render/golden_for_tests.hpp"
#include "render/sentences_for_tests.hpp"

namespace ridge::render {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// The hottest loop of the fixture with everything that a region can have.
Profile full_profile() {
  Profile profile = fixture::profile();
  const Prediction prediction = fixture::prediction(profile);
  const Region* hottest = select_regions(profile, prediction, 1).shown.at(0).region;
  Region& region = profile.regions[static_cast<std::size_t>(hottest - profile.regions.data())];
  region.accesses = {{AccessPattern::unit, false, {}, 4000000000},
                     {AccessPattern::constant, false, 24, 1000000000},
                     {AccessPattern::constant, false, {}, 500000000},
                     {AccessPattern::invariant, true, {}, 8},
                     {AccessPattern::indirect, false, {}, 16},
                     {AccessPattern::unknown, false, {}, 32}};
  region.gathered = Traffic{1000000, 0};
  region.bytes_non_temporal = 2000000;
  region.masked = MaskedOperations{1000, 8000, 2500};
  region.chain = {{ChainOperation::add, Precision::fp64, true, 123456}};
  region.not_vectorised = "cannot identify array bounds";
  region.trip_counts = TripCounts{12, 20000000};
  region.page_faults = PageFaults{12345, 12000, 12800, 5, Seconds(0.25)};
  region.line_use = 0.25;
  region.memory_nodes = {{0, 0, 600}, {0, 1, 100}, {1, 0, 1200}, {1, 1, 100}};
  region.miss_curve = {{65536, 4000000000}, {1048576, 1000000000}};
  region.sharing = LineSharing{5, 4, 1, 123456};
  return profile;
}

std::vector<Finding> five_findings() {
  std::vector<Finding> findings = {
      {"strided-access",
       "25 % of the bytes are accessed with gaps",
       {{"share", 0.25}, {"stride_bytes", 24}},
       1.5,
       Origin::counted},
      {"short-loop", "3 iterations on average", {}, {}, Origin::counted},
      {"divisions", "a third finding", {}, {}, {}},
      {"idle-lanes", "a fourth finding", {}, {}, {}},
      {"scalar-flops", "one that gains nothing", {}, 1.0, {}}};
  Finding& first = findings.front();
  first.gain_least = 1.2;
  first.gain_program = 1.3;
  findings[1].gain_note = "what a call costs is not in the model";
  return findings;
}

/// With findings of the hottest loop.
Prediction full_prediction(const Profile& profile) {
  Prediction prediction = fixture::prediction(profile);
  const Region* hottest = select_regions(profile, prediction, 1).shown.at(0).region;
  prediction.regions[static_cast<std::size_t>(hottest - profile.regions.data())].findings =
      five_findings();
  return prediction;
}

const Region& hottest_of(const Profile& profile) {
  return *select_regions(profile, fixture::prediction(profile), 1).shown.at(0).region;
}

std::string report(const TextStyle& style) {
  const Profile profile = full_profile();
  std::string source;
  for (int line = 1; line < 400; ++line) {
    source += "// line " + std::to_string(line) + "\n";
  }
  return region_report(profile, full_prediction(profile), hottest_of(profile), source, style);
}

TEST(CallerWords, NameTheWayFromTheDirectCallerOutwards) {
  Region region;
  EXPECT_EQ(caller_words(region), "");
  region.callers = {{"dgemm_nn in libopenblas.so.0", {}, {}, 1.0}, {"main", "main.c", 12, 0.75}};
  EXPECT_THAT(caller_words(region), HasSubstr("dgemm_nn in libopenblas.so.0 (100 % of"));
  EXPECT_THAT(caller_words(region), HasSubstr("from main (main.c:12; 75 %)"));
}

TEST(CallerWords, OfALongWayTheMiddleIsLeftOut) {
  Region region;
  for (int i = 0; i < 20; ++i) {
    region.callers.push_back({"f" + std::to_string(i), {}, {}, 1.0});
  }
  const std::string words = caller_words(region);
  EXPECT_THAT(words, AllOf(HasSubstr("f3 "), Not(HasSubstr("f4 ")), Not(HasSubstr("f18 ")),
                           HasSubstr("15 more"), HasSubstr("f19 ")));
}

TEST(RegionReport, Golden) {
  expect_golden("region_report_100_unicode.txt", report({100, true, false}));
  expect_golden("region_report_80_ascii.txt", report({80, false, false}));
}

std::string report_of_nothing() {
  Profile profile;
  Region region;
  region.kind = RegionKind::loop;
  region.name = "bare";
  profile.regions = {region};
  return region_report(profile, {}, profile.regions[0], std::nullopt, {});
}

TEST(RegionReport, SaysWhatIsUnknown) {
  EXPECT_THAT(report_of_nothing(), AllOf(HasSubstr("no sample"), HasSubstr("no roof is known"),
                                         HasSubstr("patterns of the addresses"),
                                         HasSubstr("no rule fires"), Not(HasSubstr("Source"))));
}

TEST(RegionReport, SaysWhatIsSpentAsleepAndInTheKernel) {
  Profile profile = full_profile();
  Prediction prediction = fixture::prediction(profile);
  const Region* hottest = select_regions(profile, prediction, 1).shown.at(0).region;
  const auto index = static_cast<std::size_t>(hottest - profile.regions.data());
  profile.regions[index].asleep_seconds = Seconds(2.5);
  profile.regions[index].kernel_seconds = Seconds(0.125);
  prediction.regions[index].code.reset();
  prediction.regions[index].verdict = RegionVerdict{VerdictKind::asleep, {}, "it sleeps", false};
  EXPECT_THAT(region_report(profile, prediction, profile.regions[index], std::nullopt, {}),
              AllOf(HasSubstr("slept for 2.50 s"), HasSubstr("125 ms in the kernel"),
                    HasSubstr("it sleeps"), Not(HasSubstr("no roof is known"))));
}

TEST(RegionReport, WaitingIsNotAskedForItsWork) {
  const Profile profile = full_profile();
  const Prediction prediction = full_prediction(profile);
  const auto wait = std::find_if(profile.regions.begin(), profile.regions.end(), is_waiting);
  ASSERT_NE(wait, profile.regions.end());
  const std::string text = region_report(profile, prediction, *wait, std::nullopt, {});
  EXPECT_THAT(text, AllOf(HasSubstr("waits in max_difference"), HasSubstr("waits-imbalance"),
                          Not(HasSubstr("Work")), Not(HasSubstr("no rule fires"))));
}

TEST(RegionReport, ASourceThatIsTooShortIsAnotherFile) {
  const Profile profile = full_profile();
  const std::string text =
      region_report(profile, {}, hottest_of(profile), std::string("one line\n"), {});
  EXPECT_THAT(text, Not(HasSubstr("Source")));
}

TEST(RegionReport, HostileTextsAreCleaned) {
  Profile profile = full_profile();
  Region region = hottest_of(profile);
  region.name = region.function = kHostile;
  region.file = kHostile;
  region.line = 1;
  region.calls[kHostile] = 1;
  region.not_vectorised = kHostile;
  region.notes = {{kHostile, kHostile}};
  Prediction prediction;
  prediction.regions.push_back(
      {.region = region.id, .findings = {{kHostile, kHostile, {{kHostile, 1.0}}, {}, {}}}});
  const std::string text = region_report(profile, prediction, region, std::string(kHostile), {});
  for (const char c : text) {
    ASSERT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
  }
}

std::vector<const Region*> chosen(const Profile& profile, std::string_view words) {
  constexpr std::size_t kRows = 40;
  return choose_regions(profile, select_regions(profile, fixture::prediction(profile), kRows),
                        words);
}

TEST(ChooseRegions, ByNumberNameAndPart) {
  const Profile profile = fixture::profile();
  const Region& first = hottest_of(profile);
  EXPECT_THAT(chosen(profile, "1"), ElementsAre(&first));
  EXPECT_THAT(chosen(profile, "1000"), IsEmpty());
  EXPECT_THAT(chosen(profile, "no such thing"), IsEmpty());
  EXPECT_THAT(chosen(profile, ""), IsEmpty());
  ASSERT_FALSE(chosen(profile, first.name).empty());
  EXPECT_EQ(chosen(profile, first.name).front(), &first);
  EXPECT_FALSE(chosen(profile, first.name.substr(1, 4)).empty());
}

TEST(Findings, StandInTheSummaryOnceWithTheirRegions) {
  const Profile profile = full_profile();
  const std::string text = run_summary(profile, full_prediction(profile), {140, true, false});
  const std::vector<Finding> findings = five_findings();
  EXPECT_THAT(text,
              AllOf(HasSubstr(findings[0].text + " [counted; about 1.2 to 1.5 times"),
                    HasSubstr("program about 1.3]"), HasSubstr(findings[1].text + " [counted]"),
                    HasSubstr(findings[2].text), Not(HasSubstr(findings[3].text)),
                    Not(HasSubstr(findings[4].text)), HasSubstr("--explain NUMBER")));
}

}  // namespace

void region_report_sentences(tests::Sentences& sentences) {
  sentences.add("a region of which nothing is known", report_of_nothing());
  const Profile profile = full_profile();
  sentences.add("a run with findings",
                run_summary(profile, full_prediction(profile), {140, true, false}));
}

}  // namespace ridge::render
