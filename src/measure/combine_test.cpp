#include "measure/combine.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/regions_for_tests.hpp"
#include "measure/sentences_for_tests.hpp"

namespace ridge::measure {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

Profile full_profile() {
  Profile profile;
  profile.ridge_version = "0.1.0";
  profile.date = "2026-01-02T03:04:05Z";
  profile.program = {{"./heat", "100"}, 3, {}, Seconds(4.0), "clang 19"};
  profile.machine.cpu = CpuIdentity{.name = "a CPU"};
  profile.caches_elsewhere = {CachesElsewhere{.name = "zen4"}};
  profile.processes = {{.pid = 10, .argv = {"./heat", "100"}, .exit_code = 3}};
  profile.time = {Seconds(4.0), 0.05};
  profile.regions = {full_region(0, RegionKind::program, "heat", 3),
                     full_region(1, RegionKind::function, "main", 1),
                     full_region(2, RegionKind::loop, "sweep", 2)};
  profile.regions[0].entries = 1;
  profile.regions[2].file = "/src/heat.cpp";
  profile.regions[2].line = 12;
  profile.regions[2].column = 3;
  profile.regions[2].parent = 1;
  profile.notes = {{"overhead", "about 5 %"}};
  return profile;
}

/// The profile with the figures of these groups alone.
Profile only(Profile profile, const std::vector<FigureGroup>& kept) {
  for (const FigureGroup group : kFigureGroups) {
    if (std::find(kept.begin(), kept.end(), group) == kept.end()) {
      for (Region& region : profile.regions) {
        take_figures(group, region, {});
      }
    }
  }
  return profile;
}

const std::vector<FigureGroup> kTimes{FigureGroup::time, FigureGroup::cpu_time};
const std::vector<FigureGroup> kCounts{FigureGroup::work, FigureGroup::traffic};

Combined combined(const std::vector<SourcedProfile>& profiles, const FigureChoice& choice = {}) {
  auto result = combine(profiles, choice);
  if (!result) {
    ADD_FAILURE() << result.error().message;
    return {};
  }
  return std::move(*result);
}

Profile without_note(Profile profile, const std::string& code) {
  std::erase_if(profile.notes, [&](const Note& note) { return note.code == code; });
  return profile;
}

const Region& region_called(const Profile& profile, const std::string& name) {
  static const Region kNone;
  const auto found = std::find_if(profile.regions.begin(), profile.regions.end(),
                                  [&](const Region& region) { return region.name == name; });
  EXPECT_NE(found, profile.regions.end()) << name;
  return found == profile.regions.end() ? kNone : *found;
}

/// A loop at this line of a.cpp with a time or with flops.
Region small(const std::string& name, unsigned line, double seconds, std::uint64_t flops) {
  Region region;
  region.kind = RegionKind::loop;
  region.name = name;
  region.function = name;
  region.file = "a.cpp";
  region.line = line;
  if (seconds > 0.0) {
    region.time_seconds.self = sampled(seconds);
  }
  if (flops > 0) {
    work_of(region).add(Precision::fp64, OperationKind::add, 64, flops);
  }
  return region;
}

Profile profile_of(std::vector<Region> regions) {
  Profile profile;
  profile.processes = {{.pid = 1, .argv = {"p"}}};
  profile.regions = std::move(regions);
  for (std::size_t i = 0; i < profile.regions.size(); ++i) {
    profile.regions[i].id = static_cast<std::uint32_t>(i);
  }
  return profile;
}

TEST(Combine, OneProfileComesBackAsItIs) {
  const Profile profile = full_profile();
  const Combined result = combined({{"a", profile, {}}});
  EXPECT_EQ(result.result.profile, profile);
  EXPECT_EQ(result.result.source, "a");
  EXPECT_THAT(result.unmatched, IsEmpty());
}

TEST(Combine, AProfileWithItselfIsItself) {
  Profile profile = full_profile();
  const Combined result = combined({{"a", profile, {}}, {"b", profile, {}}});
  EXPECT_EQ(result.result.profile, profile);
  EXPECT_THAT(result.unmatched, IsEmpty());
  profile.regions.push_back(profile.regions.back());  // even where two cannot be told apart
  profile.regions.back().id = 3;
  EXPECT_EQ(combined({{"a", profile, {}}, {"b", profile, {}}}).result.profile, profile);
}

// Not by default, but group by group from either: all joins are made then.
TEST(Combine, AProfileWithItselfIsItselfWhicheverGivesWhat) {
  const Profile profile = full_profile();
  for (unsigned from_b = 1; from_b < 15; ++from_b) {
    FigureChoice choice;
    for (std::size_t i = 0; i < kFigureGroups.size(); ++i) {
      choice[kFigureGroups[i]] = (from_b >> i) % 2 == 1 ? "b" : "a";
    }
    const Combined result = combined({{"a", profile, {}}, {"b", profile, {}}}, choice);
    EXPECT_EQ(without_note(result.result.profile, "combined"), profile) << from_b;
    EXPECT_THAT(result.unmatched, IsEmpty());
  }
}

TEST(Combine, TimesAloneAndCountsAloneGiveTheWhole) {
  const Profile whole = full_profile();
  const SourcedProfile times{"t", only(whole, kTimes), {}};
  const SourcedProfile counts{"c", only(whole, kCounts), {}};
  ASSERT_NE(times.profile, whole);
  ASSERT_NE(counts.profile, whole);
  for (const auto& profiles : {std::vector{times, counts}, std::vector{counts, times}}) {
    const Combined result = combined(profiles);
    EXPECT_EQ(without_note(result.result.profile, "combined"), whole);
    EXPECT_THAT(result.unmatched, IsEmpty());
  }
}

TEST(Combine, FourSourcesOfOneGroupEachGiveTheWhole) {
  const Profile whole = full_profile();
  std::vector<SourcedProfile> profiles;
  std::string name = "a";
  for (const FigureGroup group : kFigureGroups) {
    profiles.push_back({name, only(whole, {group}), {}});
    ++name[0];
  }
  const Combined result = combined(profiles);
  EXPECT_EQ(without_note(result.result.profile, "combined"), whole);
  EXPECT_EQ(result.result.source, "a + b + c + d");
}

Combined times_and_counts() {
  return combined(
      {{"t", only(full_profile(), kTimes), {}}, {"c", only(full_profile(), kCounts), {}}});
}

TEST(Combine, SaysWhatIsFromWhere) {
  const auto notes = times_and_counts().result.profile.notes;
  EXPECT_THAT(notes, ElementsAre(Note{"overhead", "about 5 %"}, Field(&Note::code, "combined")));
  for (const char* part : {": time from t", "CPU time from t", "work from c", "L1 from c"}) {
    EXPECT_THAT(notes.back().text, HasSubstr(part));
  }
}

TEST(Combine, OriginsAreThoseOfTheFigures) {
  Profile times = only(full_profile(), kTimes);
  times.origins = {Origin::assumed, Origin::assumed, Origin::assumed, Origin::measured};
  Profile counts = only(full_profile(), kCounts);
  counts.origins = {Origin::counted, Origin::modelled, Origin::simulated, Origin::assumed};
  const auto& origins = combined({{"t", times, {}}, {"c", counts, {}}}).result.profile.origins;
  EXPECT_EQ(origins.flops, Origin::counted);
  EXPECT_EQ(origins.bytes, Origin::modelled);
  EXPECT_EQ(origins.traffic, Origin::simulated);
  EXPECT_EQ(origins.time, Origin::measured);
}

TEST(Combine, TheFirstThatHasAGroupGivesItUnlessAnotherIsNamed) {
  const Profile a = profile_of({small("f", 1, 1.0, 100)});
  const Profile b = profile_of({small("f", 1, 2.0, 300)});
  const std::vector<SourcedProfile> profiles{{"a", a, {}}, {"b", b, {}}};
  EXPECT_EQ(combined(profiles).result.profile, a);
  const Profile mixed = combined(profiles, {{FigureGroup::work, "b"}}).result.profile;
  EXPECT_EQ(known_work(mixed.regions[0]).total(), 300U);
  EXPECT_EQ(mixed.regions[0].time_seconds.self->value, Seconds(1.0));
  const Combined all_b = combined(profiles, {{FigureGroup::work, "b"}, {FigureGroup::time, "b"}});
  EXPECT_EQ(all_b.result.profile, b);
}

TEST(Combine, CpuTimeComesFromTheSourceOfTheTime) {
  Region first = small("f", 1, 1.0, 0);
  first.cpu_seconds.self = sampled(1.0);
  Region second = small("f", 1, 2.0, 0);
  second.cpu_seconds.self = sampled(2.0);
  const Combined result =
      combined({{"a", profile_of({first}), {}}, {"b", profile_of({second}), {}}},
               {{FigureGroup::time, "b"}});
  EXPECT_EQ(result.result.profile.regions[0].cpu_seconds.self->value, Seconds(2.0));
}

// The rate of the program is its flops over its time, not a mean of its loops' rates.
TEST(Combine, RatiosAreThoseOfSums) {
  Profile times = only(full_profile(), kTimes);
  Profile counts = only(full_profile(), kCounts);
  for (Region& region : counts.regions) {
    region.partial = false;
  }
  const Profile result = combined({{"t", times, {}}, {"c", counts, {}}}).result.profile;
  EXPECT_DOUBLE_EQ(performance(result.regions[0])->value(), 2400.0 / 3.0);
  EXPECT_DOUBLE_EQ(intensity(result.regions[0], "DRAM")->value(), 2400.0 / 2880.0);
  EXPECT_DOUBLE_EQ(performance(result.regions[2])->value(), 1600.0 / 2.0);
}

Combined with_unmatched_regions() {
  return combined(
      {{"t", profile_of({small("both", 1, 1.0, 0), small("timed", 2, 2.0, 0)}), {}},
       {"c", profile_of({small("counted", 3, 0.0, 500), small("both", 1, 0.0, 100)}), {}}});
}

/// A note that says that these figures are unknown because of this source.
auto not_joined(const char* figures, const char* source) {
  return AllOf(Field(&Note::code, "not-joined"),
               Field(&Note::text, HasSubstr(fmt::format("{} unknown: {} ", figures, source))));
}

TEST(Combine, WhatOneSourceAloneSawStaysWithItsFiguresAndIsListed) {
  const Combined result = with_unmatched_regions();
  EXPECT_THAT(result.unmatched, ElementsAre(UnmatchedRegion{"t", "timed (a.cpp:2)", false},
                                            UnmatchedRegion{"c", "counted (a.cpp:3)", false}));
  const Profile& profile = result.result.profile;
  ASSERT_THAT(profile.regions, SizeIs(3));
  const Region& timed = region_called(profile, "timed");
  EXPECT_FALSE(timed.flops.has_value());
  EXPECT_THAT(timed.notes, ElementsAre(not_joined("work", "c")));
  EXPECT_THAT(timed.traffic, IsEmpty()) << "absent, not 0";
  const Region& counted = region_called(profile, "counted");
  EXPECT_FALSE(counted.time_seconds.self);
  EXPECT_EQ(known_work(counted).total(), 500U);
  EXPECT_EQ(counted.id, 2U);
  EXPECT_THAT(counted.notes, ElementsAre(not_joined("time", "t")));
  EXPECT_THAT(region_called(profile, "both").notes, IsEmpty());
}

Combined with_ambiguous_regions() {
  return combined({{"t", profile_of({small("f", 1, 1.0, 0), small("f", 1, 2.0, 0)}), {}},
                   {"c", profile_of({small("f", 1, 0.0, 300)}), {}}});
}

TEST(Combine, WhatIsAmbiguousIsNotJoinedAndNothingIsLost) {
  const Combined result = with_ambiguous_regions();
  EXPECT_THAT(result.unmatched, ElementsAre(UnmatchedRegion{"t", "f (a.cpp:1)", true},
                                            UnmatchedRegion{"t", "f (a.cpp:1)", true},
                                            UnmatchedRegion{"c", "f (a.cpp:1)", true}));
  double seconds = 0.0;
  std::uint64_t flops = 0;
  for (const Region& region : result.result.profile.regions) {
    seconds += region.time_seconds.self ? region.time_seconds.self->value.value() : 0.0;
    flops += known_work(region).total();
    ASSERT_THAT(region.notes, SizeIs(1));
    EXPECT_EQ(region.notes[0].code, "not-joined");
  }
  EXPECT_DOUBLE_EQ(seconds, 3.0);
  EXPECT_EQ(flops, 300U);
}

TEST(Combine, ASourceThatGivesNothingAddsNothing) {
  const Profile a = profile_of({small("f", 1, 1.0, 100)});
  const Profile b = profile_of({small("f", 1, 2.0, 200), small("g", 2, 1.0, 50)});
  const Combined result = combined({{"a", a, {}}, {"b", b, {}}});
  EXPECT_EQ(result.result.profile, a);
  EXPECT_THAT(result.unmatched, IsEmpty());
}

TEST(Combine, ParentsFollow) {
  Profile counts = profile_of({small("f", 9, 0.0, 1), small("outer", 1, 0.0, 10),
                               small("inner", 2, 0.0, 100), small("innermost", 3, 0.0, 1000)});
  counts.regions[2].parent = 1;
  counts.regions[3].parent = 2;
  const Profile times = profile_of({small("inner", 2, 1.0, 0), small("outer", 1, 1.0, 0)});
  const Profile result = combined({{"t", times, {}}, {"c", counts, {}}}).result.profile;
  EXPECT_EQ(region_called(result, "inner").parent, region_called(result, "outer").id);
  EXPECT_EQ(region_called(result, "innermost").parent, region_called(result, "inner").id);
  EXPECT_FALSE(region_called(result, "outer").parent);
  EXPECT_FALSE(region_called(result, "f").parent);
}

TEST(Combine, NoRegionBecomesItsOwnAncestor) {
  Profile times = profile_of({small("a", 1, 1.0, 0), small("b", 2, 1.0, 0)});
  times.regions[1].parent = 0;
  Profile counts = profile_of({small("a", 1, 0.0, 1), small("b", 2, 0.0, 1)});
  counts.regions[0].parent = 1;
  const Profile result = combined({{"t", times, {}}, {"c", counts, {}}}).result.profile;
  ASSERT_THAT(result.regions, SizeIs(2));
  EXPECT_EQ(result.regions[1].parent, 0U);
  EXPECT_FALSE(result.regions[0].parent);
}

TEST(Combine, IdentitiesJoinAndAreKept) {
  const SourcedProfile times{"t", profile_of({small("f.cold", 7, 1.0, 0)}), {{"p", "b1", 0x40}}};
  const SourcedProfile counts{"c", profile_of({small("f", 1, 0.0, 9)}), {{"", "b1", 0x40}}};
  const Combined result = combined({times, counts});
  ASSERT_THAT(result.result.profile.regions, SizeIs(1));
  EXPECT_EQ(known_work(result.result.profile.regions[0]).total(), 9U);
  EXPECT_THAT(result.result.identities, ElementsAre(CodeIdentity{"p", "b1", 0x40}));
  EXPECT_THAT(result.unmatched, IsEmpty());
}

// An address of one build under the name of another would be a false match later.
TEST(Combine, AnAddressStaysWithItsBuild) {
  const SourcedProfile times{"t", profile_of({small("f", 1, 1.0, 0)}), {{"p", "b1", {}}}};
  const SourcedProfile counts{"c", profile_of({small("f", 1, 0.0, 9)}), {{"p", "b2", 0x40}}};
  EXPECT_THAT(combined({times, counts}).result.identities,
              ElementsAre(CodeIdentity{"p", "b2", 0x40}));
}

TEST(Combine, ProcessesThatOnlyOneSawAreAdded) {
  Profile times = profile_of({small("f", 1, 1.0, 0)});
  Profile counts = profile_of({small("g", 1, 0.0, 9), small("f", 1, 0.0, 9)});
  counts.processes = {{.pid = 5, .argv = {"child"}}, {.pid = 6, .argv = {"p"}}};
  counts.regions[1].process = 1;
  const Profile result = combined({{"t", times, {}}, {"c", counts, {}}}).result.profile;
  ASSERT_THAT(result.processes, SizeIs(2));
  EXPECT_EQ(result.processes[1].pid, 5);
  EXPECT_EQ(region_called(result, "f").process, 0U);
  EXPECT_EQ(known_work(region_called(result, "f")).total(), 9U);
  EXPECT_EQ(region_called(result, "g").process, 1U);
}

TEST(Combine, ThePlaceIsFilledByWhoKnowsIt) {
  Region with_column = small("f", 1, 0.0, 9);
  with_column.column = 7;
  const Profile result = combined({{"t", profile_of({small("f", 1, 1.0, 0)}), {}},
                                   {"c", profile_of({with_column}), {}}})
                             .result.profile;
  ASSERT_THAT(result.regions, SizeIs(1));
  EXPECT_EQ(result.regions[0].column, 7U);
}

TEST(Combine, HowTheProgramEndedIsThatOfTheTimedRun) {
  Profile times = only(full_profile(), kTimes);
  times.program = {{"./heat.plain"}, 0, {}, Seconds(2.0), {}};
  Profile counts = only(full_profile(), kCounts);
  counts.machine.cpu->name = "another CPU";
  const Profile result = combined({{"c", counts, {}}, {"t", times, {}}}).result.profile;
  EXPECT_EQ(result.program.exit_code, 0);
  EXPECT_EQ(result.program.wall_seconds, Seconds(2.0));
  EXPECT_EQ(result.program.compiler, "clang 19");
  EXPECT_EQ(result.machine.cpu->name, "a CPU");
  EXPECT_THAT(result.notes, Contains(::testing::Field(&Note::code, "machines-differ")));
}

TEST(Combine, TimesOfOtherThreadsAreNotPutBesideTheWork) {
  Region work = small("f", 1, 0.0, 30);
  work.thread_work = {{0, 10, 0, 0, {}}, {1, 20, 0, 0, {}}};
  Region times = small("f", 1, 1.0, 0);
  times.cpu_seconds.self = sampled(1.0);
  times.thread_work = {{0, 0, 0, 0, sampled(0.4)}, {2, 0, 0, 0, sampled(0.6)}};
  const auto threads = combined({{"t", profile_of({times}), {}}, {"c", profile_of({work}), {}}})
                           .result.profile.regions[0]
                           .thread_work;
  EXPECT_EQ(threads, work.thread_work);
}

TEST(Combine, WithoutFiguresTheFirstComesBack) {
  const Combined result = combined({{"a", Profile(), {}}, {"b", full_profile(), {}}});
  EXPECT_EQ(result.result.profile, full_profile()) << "only b has any";
  EXPECT_EQ(combined({{"a", Profile(), {}}, {"b", Profile(), {}}}).result.source, "a");
}

Result<Combined> chosen(const FigureChoice& choice) {
  return combine({{"t", only(full_profile(), kTimes), {}}}, choice);
}

TEST(Combine, WhatCannotBeIsAnError) {
  const auto none = combine({});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::bad_input);
  const auto lacking = chosen({{FigureGroup::work, "t"}});
  ASSERT_FALSE(lacking);
  EXPECT_EQ(lacking.error().code, ErrorCode::bad_input);
  EXPECT_THAT(lacking.error().message, HasSubstr("`t`"));
  EXPECT_THAT(lacking.error().message, HasSubstr("no work"));
  const auto unknown = chosen({{FigureGroup::time, "x"}});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::bad_input);
  EXPECT_THAT(unknown.error().message, HasSubstr("`x`"));
}

}  // namespace

void combine_sentences(tests::Sentences& sentences) {
  const auto add = [&](std::string_view name, const Note& note) {
    sentences.add(fmt::format("combined, {}, {}", name, note.code), note.text);
  };
  add("times from t, counts from c", times_and_counts().result.profile.notes.back());
  const Profile unmatched = with_unmatched_regions().result.profile;
  add("c did not see it", region_called(unmatched, "timed").notes.at(0));
  add("t did not see it", region_called(unmatched, "counted").notes.at(0));
  for (const Region& region : with_ambiguous_regions().result.profile.regions) {
    add(fmt::format("ambiguous, region {}", region.id), region.notes.at(0));
  }
  sentences.add("combined, nothing", combine({}));
  sentences.add("combined, work from a source without", chosen({{FigureGroup::work, "t"}}));
  sentences.add("combined, time from an unknown source", chosen({{FigureGroup::time, "x"}}));
}

}  // namespace ridge::measure
