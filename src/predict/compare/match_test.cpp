#include "predict/compare/match.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/compare/profiles_for_tests.hpp"
#include "predict/compare/region_tree.hpp"

namespace ridge::predict {
namespace {

using testing::ProfileBuilder;

/// Ids after, by ids before.
std::map<std::uint32_t, std::uint32_t> ids(const Matching& matching, const Profile& before,
                                           const Profile& after) {
  std::map<std::uint32_t, std::uint32_t> result;
  for (const RegionMatch& match : matching.matches) {
    result[before.regions[match.before].id] = after.regions[match.after].id;
  }
  return result;
}

std::map<std::uint32_t, std::uint32_t> matched(const Profile& before, const Profile& after) {
  return ids(match_regions(before, after), before, after);
}

TEST(Match, LinesThatMovedChangeNothing) {
  ProfileBuilder a;
  const auto f = a.function("f", 10);
  const auto first = a.loop(f, "f", 12, 1000);
  const auto second = a.loop(f, "f", 20, 1000);
  // Now the first loop stands where the second one stood.
  const Profile b = testing::shifted(a.profile, 8);
  const auto found = matched(a.profile, b);
  EXPECT_EQ(found.at(first), first);
  EXPECT_EQ(found.at(second), second);
}

TEST(Match, BodiesMatchThoseOfResultsInWhichTheyHadNoParent) {
  ProfileBuilder a;
  const auto main = a.function("main", 1);
  const auto steps = a.loop(main, "main", 3, 100);
  const auto body = a.function("main", 5);  // of a function that was inlined into main
  const auto loop = a.loop(body, "f", 6, 1000);
  Profile b = a.profile;
  b.regions[body].parent = steps;
  for (const auto& found : {matched(a.profile, b), matched(b, a.profile)}) {
    for (const auto id : {main, steps, body, loop}) {
      EXPECT_EQ(found.at(id), id);
    }
  }
}

TEST(Match, WaitsMatchByWhatTheyWaitForAndThatOfOlderResults) {
  ProfileBuilder a;
  const auto f = a.function("f", 10);
  const auto add_wait = [&](ProfileBuilder& to, const char* name, std::optional<WaitKind> kind) {
    Region region = testing::region_named(name);
    region.kind = RegionKind::library;
    region.function = "f";
    region.parent = f;
    region.wait = kind;
    return to.add(region).id;
  };
  ProfileBuilder b = a;
  const auto end = add_wait(a, "waits at the end of f", WaitKind::join);
  const auto lock = add_wait(a, "waits for a lock in f", WaitKind::lock);
  ProfileBuilder old = b;
  ProfileBuilder one = b;
  const auto lock_now = add_wait(b, "waits for a lock in f", WaitKind::lock);
  const auto end_now = add_wait(b, "waits at the end of f", WaitKind::join);
  const auto found = matched(a.profile, b.profile);
  EXPECT_EQ(found.at(end), end_now);
  EXPECT_EQ(found.at(lock), lock_now);
  const auto old_wait = add_wait(old, "omp wait", std::nullopt);
  const auto end_alone = add_wait(one, "waits at the end of f", WaitKind::join);
  EXPECT_EQ(matched(old.profile, one.profile).at(old_wait), end_alone);
}

TEST(Match, ALoopThatWasTakenOutDoesNotShiftTheOthers) {
  ProfileBuilder a;
  auto f = a.function("f", 10);
  const auto x = a.loop(f, "f", 12, 1000);
  const auto y = a.loop(f, "f", 16, 2000);
  const auto z = a.loop(f, "f", 20, 3000);
  ProfileBuilder b;
  f = b.function("f", 10);
  const auto new_y = b.loop(f, "f", 12, 2000);
  const auto new_z = b.loop(f, "f", 16, 3000);
  const auto found = matched(a.profile, b.profile);
  EXPECT_EQ(found.at(y), new_y);
  EXPECT_EQ(found.at(z), new_z);
  EXPECT_EQ(found.count(x), 0U);
}

TEST(Match, OneGoneAndOneNewAreNotEachOther) {
  ProfileBuilder a;
  auto f = a.function("f", 10);
  const auto gone = a.loop(f, "f", 12, 1000);
  const auto kept = a.loop(f, "f", 16, 2000);
  ProfileBuilder b;
  f = b.function("f", 10);
  const auto kept_now = b.loop(f, "f", 12, 2000);
  b.loop(f, "f", 20, 7000);
  const auto found = matched(a.profile, b.profile);
  EXPECT_EQ(found.at(kept), kept_now);
  EXPECT_EQ(found.count(gone), 0U);
}

TEST(Match, LoopsThatChangedPlacesAreFoundByTheirWork) {
  ProfileBuilder a;
  auto f = a.function("f", 10);
  const auto x = a.loop(f, "f", 12, 1000);
  const auto y = a.loop(f, "f", 16, 2000);
  ProfileBuilder b;
  f = b.function("f", 10);
  const auto new_y = b.loop(f, "f", 12, 2000);
  const auto new_x = b.loop(f, "f", 16, 1000);
  const auto found = matched(a.profile, b.profile);
  EXPECT_EQ(found.at(x), new_x);
  EXPECT_EQ(found.at(y), new_y);
}

TEST(Match, AnotherProblemSizeDoesNotTurnOneLoopIntoTheOther) {
  ProfileBuilder a;
  auto f = a.function("f", 10);
  const auto x = a.loop(f, "f", 12, 1000);
  const auto y = a.loop(f, "f", 16, 2000);
  ProfileBuilder b;
  f = b.function("f", 110);
  const auto new_x = b.loop(f, "f", 112, 2000);  // what y did before
  const auto new_y = b.loop(f, "f", 116, 4000);
  const auto found = matched(a.profile, b.profile);
  EXPECT_EQ(found.at(x), new_x);
  EXPECT_EQ(found.at(y), new_y);
}

TEST(Match, BlockingPutsLoopsAroundANest) {
  ProfileBuilder a;
  auto f = a.function("f", 10);
  const auto i = a.loop(f, "f", 11, 0, 3);
  const auto j = a.loop(i, "f", 12, 0, 5);
  const auto k = a.loop(j, "f", 13, 1000, 7);
  ProfileBuilder b;
  f = b.function("f", 10);
  const auto ii = b.loop(f, "f", 11, 0, 3);
  const auto jj = b.loop(ii, "f", 12, 0, 5);
  const auto bi = b.loop(jj, "f", 13, 0, 7);
  const auto bj = b.loop(bi, "f", 14, 0, 9);
  const auto bk = b.loop(bj, "f", 15, 1000, 11);
  const auto found = matched(a.profile, b.profile);
  EXPECT_EQ(found.at(k), bk);  // where the work is
  EXPECT_EQ(found.at(j), bj);
}

TEST(Match, ASplitLoopThatCouldBeEitherHalfIsTold) {
  ProfileBuilder a;
  auto f = a.function("f", 10);
  a[f].line.reset();
  a.loop(f, "f", 12, 2000);
  ProfileBuilder b;
  f = b.function("f", 10);
  b[f].line.reset();
  b.loop(f, "f", 12, 1000);
  b.loop(f, "f", 12, 1000);  // one macro, twice
  const Matching matching = match_regions(a.profile, b.profile);
  ASSERT_EQ(matching.ambiguous.size(), 1U);
  EXPECT_EQ(matching.ambiguous[0].before.size(), 1U);
  EXPECT_EQ(matching.ambiguous[0].after.size(), 2U);
}

TEST(Match, OverloadsKeepTheirOrder) {
  ProfileBuilder a;
  const auto first = a.function("f", 10);
  const auto second = a.function("f", 30);
  const auto in_first = a.loop(first, "f", 12, 1000);
  const auto in_second = a.loop(second, "f", 32, 1000);
  const Profile b = testing::shifted(a.profile, 100);
  const auto found = matched(a.profile, b);
  EXPECT_EQ(found.at(in_first), in_first);
  EXPECT_EQ(found.at(in_second), in_second);
}

TEST(Match, ProcessesAreToldApartByRank) {
  ProfileBuilder a;
  a.profile.processes = {{1, {"./a"}, 0, {}, 0}, {2, {"./a"}, 0, {}, 1}};
  ProfileBuilder b;
  b.profile.processes = {{7, {"./a"}, 0, {}, 1}, {8, {"./a"}, 0, {}, 0}};
  const auto a0 = a.loop(a.function("f", 1, 0), "f", 2, 1000);
  const auto a1 = a.loop(a.function("f", 1, 1), "f", 2, 1000);
  const auto b1 = b.loop(b.function("f", 1, 0), "f", 2, 1000);  // rank 1 comes first here
  const auto b0 = b.loop(b.function("f", 1, 1), "f", 2, 1000);
  const auto found = matched(a.profile, b.profile);
  EXPECT_EQ(found.at(a0), b0);
  EXPECT_EQ(found.at(a1), b1);
}

MatchedBy how(const Profile& before, const Profile& after, std::uint32_t id) {
  for (const RegionMatch& match : match_regions(before, after).matches) {
    if (before.regions[match.before].id == id) {
      return match.by;
    }
  }
  return MatchedBy::first;
}

TEST(Match, AFunctionOfAnotherNameIsFoundByItsWork) {
  ProfileBuilder a;
  const auto before = a.loop(a.function("jacobi", 10), "jacobi", 12, 123456);
  ProfileBuilder b;
  const auto after = b.loop(b.function("jacobi_blocked", 10), "jacobi_blocked", 14, 123456);
  EXPECT_EQ(matched(a.profile, b.profile).at(before), after);
  EXPECT_EQ(how(a.profile, b.profile, before), MatchedBy::renamed);
}

TEST(Match, OtherWorkUnderAnotherNameIsNotTheSame) {
  ProfileBuilder a;
  const auto before = a.loop(a.function("jacobi", 10), "jacobi", 12, 123456);
  ProfileBuilder b;
  b.loop(b.function("gauss", 10), "gauss", 12, 123458);
  EXPECT_EQ(matched(a.profile, b.profile).count(before), 0U);
}

TEST(Match, TwoFunctionsWithTheSameWorkAreNotGuessed) {
  ProfileBuilder a;
  const auto before = a.loop(a.function("old", 10), "old", 12, 123456);
  ProfileBuilder b;
  b.loop(b.function("new1", 10), "new1", 12, 123456);
  b.loop(b.function("new2", 30), "new2", 32, 123456);
  EXPECT_EQ(matched(a.profile, b.profile).count(before), 0U);
}

TEST(Match, TemplateArgumentsMayChange) {
  ProfileBuilder a;
  const auto before = a.loop(a.function("run<float>", 10), "run<float>", 12, 1000);
  ProfileBuilder b;
  const auto after = b.loop(b.function("run<double>", 10), "run<double>", 12, 3000);
  EXPECT_EQ(matched(a.profile, b.profile).at(before), after);
  EXPECT_EQ(how(a.profile, b.profile, before), MatchedBy::template_arguments);
}

TEST(Match, InstancesOfATemplateAreNotMixedUp) {
  ProfileBuilder a;
  const auto f = a.loop(a.function("run<float>", 10), "run<float>", 12, 1000);
  const auto d = a.loop(a.function("run<double>", 10), "run<double>", 12, 1000);
  const auto found = matched(a.profile, testing::shuffled(a.profile, 3));
  EXPECT_EQ(found.at(f), f);
  EXPECT_EQ(found.at(d), d);
}

TEST(Match, AnInlinedLoopIsFoundInItsNewPlace) {
  ProfileBuilder a;
  const auto before = a.loop(a.function("sweep", 10), "sweep", 12, 1000);
  ProfileBuilder b;
  const auto after = b.loop(b.function("main", 50), "sweep", 12, 1000);
  EXPECT_EQ(matched(a.profile, b.profile).at(before), after);
  EXPECT_EQ(how(a.profile, b.profile, before), MatchedBy::moved);
}

TEST(Match, LibrariesFollowTheLoopsThatCallThem) {
  ProfileBuilder a;
  const auto f = a.function("f", 10);
  const auto x = a.loop(f, "f", 12, 1000);
  const auto y = a.loop(f, "f", 20, 2000);
  const auto library = [&](ProfileBuilder& profile, std::uint32_t parent) {
    Region region;
    region.kind = RegionKind::library;
    region.name = "in libm.so.6";
    region.function = "f";
    region.parent = parent;
    return profile.add(region).id;
  };
  ProfileBuilder b;
  b.profile = a.profile;
  const auto under_x = library(a, x);
  const auto under_y = library(a, y);
  const auto b_under_y = library(b, y);  // now y alone calls it
  const auto found = matched(a.profile, b.profile);
  EXPECT_EQ(found.at(under_y), b_under_y);
  EXPECT_EQ(found.count(under_x), 0U);
}

TEST(Match, AResultEqualsItselfInWhateverOrder) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    const Profile profile = testing::random_profile(seed);
    for (const Profile& other : {profile, testing::shuffled(profile, seed)}) {
      const Matching matching = match_regions(profile, other);
      const auto found = ids(matching, profile, other);
      ASSERT_EQ(found.size(), profile.regions.size()) << "seed " << seed;
      EXPECT_TRUE(matching.ambiguous.empty()) << "seed " << seed;
      for (const auto& [before, after] : found) {
        EXPECT_EQ(before, after) << "seed " << seed;
      }
    }
  }
}

TEST(Match, LinesCountAsDistancesOnly) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    const Profile a = testing::random_profile(seed);
    const Profile b = testing::random_profile(seed / 2 + 1000);
    EXPECT_EQ(matched(a, b), matched(a, testing::shifted(b, 777))) << "seed " << seed;
  }
}

TEST(Match, IsOneToOneAndTheSameBothWays) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    const Profile a = testing::random_profile(seed);
    const Profile b = testing::random_profile(seed + 1);
    const auto there = matched(a, b);
    const auto back = matched(b, a);
    std::set<std::uint32_t> seen;
    for (const auto& [before, after] : there) {
      EXPECT_TRUE(seen.insert(after).second) << "seed " << seed;
      ASSERT_EQ(back.count(after), 1U) << "seed " << seed;
      EXPECT_EQ(back.at(after), before) << "seed " << seed;
    }
    EXPECT_EQ(there.size(), back.size()) << "seed " << seed;
    EXPECT_EQ(there, matched(testing::shuffled(a, seed), testing::shuffled(b, seed + 5)));
  }
}

TEST(Match, EmptyProfilesMatch) {
  EXPECT_TRUE(match_regions(Profile{}, Profile{}).matches.empty());
  EXPECT_TRUE(match_regions(testing::random_profile(1), Profile{}).matches.empty());
}

TEST(NaturalLess, ComparesDigitsAsNumbers) {
  EXPECT_TRUE(natural_less("main:99:3", "main:100:3"));
  EXPECT_FALSE(natural_less("main:100:3", "main:99:3"));
  EXPECT_FALSE(natural_less("main:7", "main:7"));
  EXPECT_TRUE(natural_less("main:7", "main:7:1"));
  EXPECT_TRUE(natural_less("", "a"));
}

}  // namespace
}  // namespace ridge::predict
