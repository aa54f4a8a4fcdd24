#include "measure/match_regions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::measure {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Optional;

using Index = std::optional<std::size_t>;
constexpr std::nullopt_t kNone = std::nullopt;

/// One process; ids are indices.
class Builder {
 public:
  Builder() { sourced_.profile.processes = {{.pid = 1, .argv = {"./p"}}}; }

  Builder& loop(const std::string& function, const std::string& file, unsigned line,
                std::optional<unsigned> column, CodeIdentity identity = {}) {
    Region region;
    region.id = static_cast<std::uint32_t>(sourced_.profile.regions.size());
    region.kind = RegionKind::loop;
    region.name = function;
    region.function = function;
    region.file = file;
    region.line = line;
    region.column = column;
    sourced_.profile.regions.push_back(region);
    sourced_.identities.push_back(std::move(identity));
    return *this;
  }

  Builder& function(const std::string& name) {
    loop(name, "", 0, {});
    last().kind = RegionKind::function;
    last().file = std::nullopt;
    last().line = std::nullopt;
    return *this;
  }

  Builder& below(std::uint32_t parent) {
    last().parent = parent;
    return *this;
  }

  Region& last() { return sourced_.profile.regions.back(); }
  SourcedProfile& sourced() { return sourced_; }
  operator const SourcedProfile&() const {  // NOLINT(google-explicit-constructor)
    return sourced_;
  }

 private:
  SourcedProfile sourced_;
};

CodeIdentity at(std::uint64_t address, const std::string& build_id = "b1",
                const std::string& module = "p") {
  return {module, build_id, address};
}

TEST(MatchRegions, ByPlaceWhateverTheOrder) {
  const auto first = Builder().loop("f", "a.cpp", 10, 5).loop("g", "a.cpp", 20, 5);
  const auto second = Builder().loop("g", "a.cpp", 20, 5).loop("f", "a.cpp", 10, 5);
  EXPECT_THAT(match_regions(first, second).regions, ElementsAre(Index(1), Index(0)));
}

TEST(MatchRegions, EachPartOfThePlaceTellsApart) {
  const auto first = Builder().loop("f", "a.cpp", 10, 5);
  for (const auto& other :
       {Builder().loop("g", "a.cpp", 10, 5), Builder().loop("f", "b.cpp", 10, 5),
        Builder().loop("f", "a.cpp", 11, 5)}) {
    const RegionMatches matches = match_regions(first, other);
    EXPECT_THAT(matches.regions, ElementsAre(kNone));
    EXPECT_THAT(matches.ambiguous_in_first, Each(false));
    EXPECT_THAT(matches.ambiguous_in_second, Each(false));
  }
  auto function = Builder().loop("f", "a.cpp", 10, 5);
  function.last().kind = RegionKind::function;
  EXPECT_THAT(match_regions(first, function).regions, ElementsAre(kNone));
}

TEST(MatchRegions, TheAddressInABuildOutweighsThePlace) {
  const auto first = Builder().loop("f", "a.cpp", 10, 5, at(0x100));
  const auto moved = Builder().loop("f.cold", "a.inc", 99, 1, at(0x100));
  EXPECT_THAT(match_regions(first, moved).regions, ElementsAre(Index(0)));
  const auto renamed = Builder().loop("f", "a.cpp", 10, 5, at(0x100, "b1", "p.copy"));
  EXPECT_THAT(match_regions(first, renamed).regions, ElementsAre(Index(0))) << "a build is a build";
  const auto elsewhere = Builder().loop("f", "a.cpp", 10, 5, at(0x200));
  EXPECT_THAT(match_regions(first, elsewhere).regions, ElementsAre(kNone));
}

TEST(MatchRegions, AddressesOfOtherBuildsSayNothing) {
  const auto first = Builder().loop("f", "a.cpp", 10, 5, at(0x100, "b1"));
  const auto rebuilt = Builder().loop("f", "a.cpp", 10, 5, at(0x200, "b2"));
  EXPECT_THAT(match_regions(first, rebuilt).regions, ElementsAre(Index(0)));
  const auto other = Builder().loop("g", "a.cpp", 30, 5, at(0x100, "b2"));
  EXPECT_THAT(match_regions(first, other).regions, ElementsAre(kNone));
  const auto unknown = Builder().loop("g", "a.cpp", 30, 5, {"p", "", 0x100});
  EXPECT_THAT(match_regions(unknown, unknown).regions, ElementsAre(Index(0)));
  EXPECT_THAT(match_regions(first, unknown).regions, ElementsAre(kNone));
}

TEST(MatchRegions, SeveralAtOneAddressAreToldApartByPlace) {
  const auto first =
      Builder().loop("outer", "a.cpp", 1, 1, at(0x100)).loop("inner", "a.cpp", 2, 1, at(0x100));
  const auto second =
      Builder().loop("inner", "a.cpp", 2, 1, at(0x100)).loop("outer", "a.cpp", 1, 1, at(0x100));
  EXPECT_THAT(match_regions(first, second).regions, ElementsAre(Index(1), Index(0)));
}

TEST(MatchRegions, AModuleThatOneSideDoesNotKnowFitsEveryModule) {
  const auto unknown = Builder().loop("f", "a.cpp", 10, 5);
  const auto known = Builder().loop("f", "a.cpp", 10, 5, {"libx.so", "", {}});
  const auto other = Builder().loop("f", "a.cpp", 10, 5, {"liby.so", "", {}});
  EXPECT_THAT(match_regions(unknown, known).regions, ElementsAre(Index(0)));
  EXPECT_THAT(match_regions(known, other).regions, ElementsAre(kNone));
  const auto both = Builder(known).loop("f", "a.cpp", 10, 5, {"liby.so", "", {}});
  EXPECT_THAT(match_regions(both, other).regions, ElementsAre(Index(1)));
  const RegionMatches unclear = match_regions(both, unknown);
  EXPECT_THAT(unclear.regions, ElementsAre(kNone));
  EXPECT_THAT(unclear.ambiguous_in_first, ElementsAre(true, true));
  EXPECT_THAT(unclear.ambiguous_in_second, ElementsAre(true));
}

TEST(MatchRegions, PathsMayBeginInAnotherFolder) {
  const auto first = Builder().loop("f", "/build/src/a.cpp", 10, 5);
  for (const char* path :
       {"a.cpp", "src/a.cpp", "./src/a.cpp", "../src/a.cpp", "/build/src/a.cpp"}) {
    EXPECT_THAT(match_regions(first, Builder().loop("f", path, 10, 5)).regions,
                ElementsAre(Index(0)))
        << path;
  }
  for (const char* path : {"c/a.cpp", "/src/a.cpp", "rc/a.cpp", ""}) {
    EXPECT_THAT(match_regions(first, Builder().loop("f", path, 10, 5)).regions, ElementsAre(kNone))
        << path;
  }
}

TEST(MatchRegions, WithoutTheColumnOnlyWhereTheLineHasOneLoop) {
  const auto first = Builder().loop("f", "a.cpp", 10, 5);
  EXPECT_THAT(match_regions(first, Builder().loop("f", "a.cpp", 10, {})).regions,
              ElementsAre(Index(0)));
  EXPECT_THAT(match_regions(first, Builder().loop("f", "a.cpp", 10, 9)).regions,
              ElementsAre(Index(0)));
  const auto two = Builder().loop("f", "a.cpp", 10, 5).loop("f", "a.cpp", 10, 20);
  const RegionMatches unclear = match_regions(two, Builder().loop("f", "a.cpp", 10, {}));
  EXPECT_THAT(unclear.regions, ElementsAre(kNone));
  EXPECT_THAT(unclear.ambiguous_in_second, ElementsAre(true));
}

// The loop at column 20 is left over on one side, that at column 9 on the other: that they are
// alone now does not make them one.
TEST(MatchRegions, WhatIsLeftOverIsNotJoinedForThat) {
  const auto first = Builder().loop("f", "a.cpp", 10, 5).loop("f", "a.cpp", 10, 20);
  const auto second = Builder().loop("f", "a.cpp", 10, 5).loop("f", "a.cpp", 10, 9);
  const RegionMatches matches = match_regions(first, second);
  EXPECT_THAT(matches.regions, ElementsAre(Index(0), kNone));
  EXPECT_THAT(matches.ambiguous_in_first, ElementsAre(false, true));
  EXPECT_THAT(matches.ambiguous_in_second, ElementsAre(false, true));
}

TEST(MatchRegions, InlinedTwiceIsToldApartByWhatIsAround) {
  const auto first = Builder()
                         .function("a")
                         .function("b")
                         .loop("f", "f.hpp", 3, 3)
                         .below(0)
                         .loop("f", "f.hpp", 3, 3)
                         .below(1);
  const auto second = Builder()
                          .function("b")
                          .function("a")
                          .loop("f", "f.hpp", 3, 3)
                          .below(0)
                          .loop("f", "f.hpp", 3, 3)
                          .below(1);
  EXPECT_THAT(match_regions(first, second).regions,
              ElementsAre(Index(1), Index(0), Index(3), Index(2)));
  auto flat = Builder().loop("f", "f.hpp", 3, 3);
  EXPECT_THAT(match_regions(first, flat).regions, ElementsAre(kNone));
  EXPECT_THAT(match_regions(flat, first).regions, Each(kNone));
}

TEST(MatchRegions, InlinedTwiceIntoOneFunctionIsToldApartByTheNote) {
  auto first = Builder().loop("f", "f.hpp", 3, 3);
  first.last().notes = {{"inlined-at", "main:12:3"}};
  first.loop("f", "f.hpp", 3, 3).last().notes = {{"inlined-at", "main:14:3"}};
  auto second = Builder().loop("f", "f.hpp", 3, 3);
  second.last().notes = {{"versions", "2 versions"}, {"inlined-at", "main:14:3"}};
  EXPECT_THAT(match_regions(first, second).regions, ElementsAre(Index(1)));
}

TEST(MatchRegions, TwinsAreAmbiguous) {
  const auto twins = Builder().loop("f", "a.cpp", 10, 5).loop("f", "a.cpp", 10, 5);
  const RegionMatches matches = match_regions(twins, twins);
  EXPECT_THAT(matches.regions, Each(kNone));
  EXPECT_THAT(matches.ambiguous_in_first, Each(true));
  EXPECT_THAT(matches.ambiguous_in_second, Each(true));
}

TEST(MatchRegions, WithoutAFileTheNameDecides) {
  auto first = Builder().function("f");
  first.function("f").last().kind = RegionKind::library;
  first.last().name = "in libm.so.6";
  first.function("f").last().kind = RegionKind::library;
  first.last().name = "omp wait";
  auto second = Builder().function("f");
  second.last().kind = RegionKind::library;
  second.last().name = "omp wait";
  EXPECT_THAT(match_regions(first, second).regions, ElementsAre(Index(2)));
}

TEST(MatchRegions, TheProgramIsTheProgram) {
  auto first = Builder().function("heat");
  first.last().kind = RegionKind::program;
  auto second = Builder().function("heat.plain");
  second.last().kind = RegionKind::program;
  EXPECT_THAT(match_regions(first, second).regions, ElementsAre(Index(0)));
  first.sourced().identities = {{"launcher", "", {}}};
  second.sourced().identities = {{"heat.plain", "", {}}};
  EXPECT_THAT(match_regions(first, second).regions, ElementsAre(Index(0)));
}

TEST(MatchRegions, RegionsOfDifferentProcessesStayApart) {
  auto first = Builder().loop("f", "a.cpp", 1, 1).loop("f", "a.cpp", 1, 1);
  first.last().process = 1;
  first.sourced().profile.processes = {{.pid = 1, .argv = {"a"}}, {.pid = 2, .argv = {"b"}}};
  auto second = Builder(first);
  second.sourced().profile.processes = {{.pid = 7, .argv = {"b"}}, {.pid = 8, .argv = {"c"}}};
  const RegionMatches matches = match_regions(first, second);
  EXPECT_THAT(matches.processes, ElementsAre(Index(1), kNone));
  EXPECT_THAT(matches.regions, ElementsAre(Index(1), kNone));
}

TEST(MatchRegions, ProcessesWithTheSameArgumentsCountInOrderAndRanksCountMore) {
  auto first = Builder();
  first.sourced().profile.processes = {{.pid = 1, .argv = {"r"}, .rank = 0},
                                       {.pid = 2, .argv = {"r"}, .rank = 1}};
  auto second = Builder();
  second.sourced().profile.processes = {{.pid = 3, .argv = {"r"}, .rank = 1},
                                        {.pid = 4, .argv = {"r"}, .rank = 0}};
  EXPECT_THAT(match_regions(first, second).processes, ElementsAre(Index(1), Index(0)));
  for (Process& process : second.sourced().profile.processes) {
    process.rank.reset();
  }
  EXPECT_THAT(match_regions(first, second).processes, ElementsAre(Index(0), Index(1)));
}

TEST(MatchRegions, TheOnlyProcessMayHaveBeenBuiltUnderAnotherName) {
  auto first = Builder().loop("f", "a.cpp", 1, 1);
  auto second = Builder(first);
  second.sourced().profile.processes.front().argv = {"./p.plain"};
  EXPECT_THAT(match_regions(first, second).regions, ElementsAre(Index(0)));
  first.sourced().identities = {{"p", "b1", 0x10}};
  second.sourced().identities = {{"p.plain", "b2", 0x20}};
  EXPECT_THAT(match_regions(first, second).regions, ElementsAre(Index(0)));
  second.sourced().identities = {{"libp.so", "b2", 0x20}};
  EXPECT_THAT(match_regions(first, second).regions, ElementsAre(kNone));
}

TEST(MatchRegions, NothingAndNonsenseAreNoFault) {
  const SourcedProfile empty;
  EXPECT_THAT(match_regions(empty, empty).regions, IsEmpty());
  const auto own_parent = Builder().loop("f", "a.cpp", 1, 1).below(0);
  EXPECT_THAT(match_regions(own_parent, own_parent).regions, ElementsAre(Index(0)));
  auto nowhere = Builder().loop("f", "a.cpp", 1, 1).below(77);
  nowhere.last().process = 9;
  EXPECT_THAT(match_regions(nowhere, nowhere).regions, ElementsAre(Index(0)));
  EXPECT_THAT(match_regions(empty, nowhere).regions, ElementsAre(kNone));
}

TEST(BestName, IsWhatIsKnown) {
  auto builder = Builder().loop("sweep", "a.cpp", 10, 5, at(0x1f0));
  EXPECT_EQ(best_name(builder, 0), "sweep (a.cpp:10:5)");
  builder.last().column.reset();
  builder.last().name.clear();
  EXPECT_EQ(best_name(builder, 0), "sweep (a.cpp:10)");
  builder.last() = Region();
  EXPECT_EQ(best_name(builder, 0), "p+0x1f0");
  builder.sourced().identities.clear();
  EXPECT_EQ(best_name(builder, 0), "region 0");
}

}  // namespace
}  // namespace ridge::measure
