// What holds of every combination, over many profiles that chance has made: few names and places,
// so that regions coincide, are missing and cannot be told apart as often as not.
#include <algorithm>
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "measure/combine.hpp"
#include "measure/regions_for_tests.hpp"

namespace ridge::measure {
namespace {

constexpr unsigned kProfiles = 300;

class Chance {
 public:
  explicit Chance(unsigned seed) : engine_(seed) {}
  unsigned below(unsigned limit) {
    return std::uniform_int_distribution<unsigned>(0, limit - 1)(engine_);
  }
  bool one_in(unsigned n) { return below(n) == 0; }

 private:
  std::mt19937 engine_;
};

CodeIdentity some_identity(Chance& chance) {
  CodeIdentity identity;
  identity.module = chance.one_in(2) ? "" : chance.one_in(2) ? "p" : "libx.so";
  identity.build_id = chance.one_in(2) ? "" : chance.one_in(2) ? "b1" : "b2";
  identity.address =
      chance.one_in(2) ? std::nullopt : std::optional(std::uint64_t{chance.below(4)});
  return identity;
}

SourcedProfile some_profile(Chance& chance, const std::string& source) {
  SourcedProfile sourced{source, {}, {}};
  sourced.profile.processes = {{.pid = 1, .argv = {"p"}}, {.pid = 2, .argv = {"q"}}};
  sourced.profile.regions.push_back(full_region(0, RegionKind::program, "p", 1));
  const unsigned count = chance.below(12);
  for (std::uint32_t id = 1; id <= count; ++id) {
    const auto kind = chance.one_in(3) ? RegionKind::function : RegionKind::loop;
    Region region = full_region(id, kind, chance.one_in(2) ? "f" : "g", 1 + chance.below(9));
    region.process = chance.below(2);
    if (!chance.one_in(4)) {
      region.file = chance.one_in(2) ? "a.cpp" : "/src/a.cpp";
      region.line = 1 + chance.below(3);
      region.column = chance.one_in(3) ? std::nullopt : std::optional(chance.below(2));
    }
    if (!chance.one_in(3)) {
      region.parent = chance.below(id);
    }
    sourced.profile.regions.push_back(std::move(region));
  }
  if (chance.one_in(2)) {
    for (std::size_t i = 0; i < sourced.profile.regions.size(); ++i) {
      sourced.identities.push_back(some_identity(chance));
    }
  }
  return sourced;
}

struct Sums {
  double seconds = 0.0;
  double cpu_seconds = 0.0;
  std::uint64_t flops = 0;
  std::uint64_t bytes_of_memory = 0;

  friend bool operator==(const Sums&, const Sums&) = default;
};

/// Whole numbers of seconds: sums do not depend on the order.
Sums sums_of(const Profile& profile) {
  Sums sums;
  for (const Region& region : profile.regions) {
    sums.seconds += region.time_seconds.self ? region.time_seconds.self->value.value() : 0.0;
    sums.cpu_seconds += region.cpu_seconds.self ? region.cpu_seconds.self->value.value() : 0.0;
    sums.flops += known_work(region).total();
    const auto memory = region.traffic.find("DRAM");
    sums.bytes_of_memory += memory == region.traffic.end() ? 0 : memory->second.total();
  }
  return sums;
}

void expect_sound(const Profile& profile) {
  std::map<std::uint32_t, const Region*> by_id;
  for (const Region& region : profile.regions) {
    EXPECT_TRUE(by_id.emplace(region.id, &region).second) << "two regions " << region.id;
    EXPECT_LT(region.process, profile.processes.size());
  }
  for (const Region& region : profile.regions) {
    std::set<std::uint32_t> seen;
    for (const Region* at = &region; at->parent; at = by_id.at(*at->parent)) {
      ASSERT_TRUE(by_id.contains(*at->parent));
      ASSERT_TRUE(seen.insert(at->id).second) << "its own ancestor: " << region.id;
    }
  }
}

TEST(CombineProperty, NothingIsLostAndNothingCountedTwice) {
  for (unsigned seed = 0; seed < kProfiles; ++seed) {
    Chance chance(seed);
    const SourcedProfile a = some_profile(chance, "a");
    const SourcedProfile b = some_profile(chance, "b");
    const FigureChoice choice{{FigureGroup::time, "a"},
                              {FigureGroup::cpu_time, "b"},
                              {FigureGroup::work, "b"},
                              {FigureGroup::traffic, "a"}};
    const auto combined = combine({a, b}, choice);
    ASSERT_TRUE(combined);
    const Profile& profile = combined->result.profile;
    expect_sound(profile);
    const Sums of_a = sums_of(a.profile);
    const Sums of_b = sums_of(b.profile);
    EXPECT_EQ(sums_of(profile),
              (Sums{of_a.seconds, of_b.cpu_seconds, of_b.flops, of_a.bytes_of_memory}))
        << "seed " << seed;
    const std::size_t joined =
        a.profile.regions.size() + b.profile.regions.size() - profile.regions.size();
    EXPECT_EQ(profile.regions.size(), joined + combined->unmatched.size()) << "seed " << seed;
    EXPECT_EQ(combined->result.identities.size(), profile.regions.size());
  }
}

TEST(CombineProperty, WhichIsFirstDoesNotMatterForWhatIsJoined) {
  for (unsigned seed = 0; seed < kProfiles; ++seed) {
    Chance chance(seed);
    const SourcedProfile a = some_profile(chance, "a");
    const SourcedProfile b = some_profile(chance, "b");
    const RegionMatches there = match_regions(a, b);
    const RegionMatches back = match_regions(b, a);
    EXPECT_EQ(there.ambiguous_in_first, back.ambiguous_in_second);
    EXPECT_EQ(there.ambiguous_in_second, back.ambiguous_in_first);
    for (std::size_t i = 0; i < there.regions.size(); ++i) {
      EXPECT_EQ(std::count(back.regions.begin(), back.regions.end(), std::optional(i)),
                there.regions[i] ? 1 : 0);
      if (there.regions[i]) {
        EXPECT_EQ(back.regions[*there.regions[i]], i) << "seed " << seed;
      }
    }
  }
}

TEST(CombineProperty, AProfileIsJoinedWithItselfInItsOwnOrder) {
  for (unsigned seed = 0; seed < kProfiles; ++seed) {
    Chance chance(seed);
    const SourcedProfile sourced = some_profile(chance, "a");
    const RegionMatches matches = match_regions(sourced, sourced);
    bool has_twins = false;
    for (std::size_t i = 0; i < matches.regions.size(); ++i) {
      has_twins = has_twins || matches.ambiguous_in_first[i];
      EXPECT_NE(matches.regions[i].has_value(), matches.ambiguous_in_first[i]) << "seed " << seed;
      EXPECT_EQ(matches.regions[i].value_or(i), i) << "seed " << seed;
    }
    SourcedProfile again = sourced;
    again.source = "b";
    auto combined = combine({sourced, again}, {{FigureGroup::work, "b"}});
    ASSERT_TRUE(combined);
    if (!has_twins) {
      combined->result.profile.notes.clear();
      EXPECT_EQ(combined->result.profile, sourced.profile) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace ridge::measure
