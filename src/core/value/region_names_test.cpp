#include "core/value/region_names.hpp"

#include <set>

#include <gtest/gtest.h>

namespace ridge {
namespace {

Region named(std::uint32_t id, std::string name) {
  Region region;
  region.id = id;
  region.kind = RegionKind::loop;
  region.name = region.function = std::move(name);
  return region;
}

std::vector<std::string> names_of(const std::vector<std::string>& wholes) {
  std::vector<Region> regions;
  for (const std::string& whole : wholes) {
    regions.push_back(named(static_cast<std::uint32_t>(regions.size()), whole));
  }
  std::vector<const Region*> pointers;
  for (const Region& region : regions) {
    pointers.push_back(&region);
  }
  std::vector<std::string> names;
  for (const auto& [id, name] : distinct_names(pointers)) {
    names.push_back(name);
  }
  return names;
}

using Names = std::vector<std::string>;

TEST(DistinctNames, TemplateArgumentsStandWhereTheyTellApart) {
  EXPECT_EQ(names_of({"bude<4>", "bude<16>", "sum<double>"}),
            (Names{"bude<4>", "bude<16>", "sum"}));
  EXPECT_EQ(names_of({"a::run<A, int, 2>", "a::run<A, int, 3>"}),
            (Names{"a::run<.., .., 2>", "a::run<.., .., 3>"}));
  EXPECT_EQ(names_of({"Box<int>::f<A<1, 2>>", "Box<int>::f<A<1, 3>>"}),
            (Names{"Box::f<A<1, 2>>", "Box::f<A<1, 3>>"}));
  EXPECT_EQ(names_of({"f<1>", "f"}), (Names{"f<1>", "f"}));
}

// Loops of one function stay one name: their lines tell them apart.
TEST(DistinctNames, LoopsOfOneFunctionShareItsName) {
  EXPECT_EQ(names_of({"(anonymous namespace)::f<1>", "(anonymous namespace)::f<1>"}),
            (Names{"f", "f"}));
}

TEST(DistinctNames, DifferentFunctionsNeverShareOne) {
  const std::vector<std::string> hostile{
      "f<1>",    "f<1, 2>",       "f< 1>",     "f<a>b",      "f<",
      "f<(1)>",  "f<g(1,2)>",     "operator<", "operator<<", "a::f",
      "f<1>::g", "f<2>::g<f<1>>", "",          "f<>",        "(anonymous namespace)::f<1>"};
  const auto names = names_of(hostile);
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), hostile.size());
}

TEST(WaitingName, SaysForWhom) {
  Region wait = named(1, "omp wait");
  wait.function = "EvalEOSForElems";
  EXPECT_TRUE(is_waiting(wait));
  EXPECT_EQ(waiting_name(wait), "waits at the end of EvalEOSForElems");
  wait.threads = 2;
  EXPECT_EQ(waiting_name(wait), "waits in EvalEOSForElems");
  wait.function.clear();
  EXPECT_EQ(waiting_name(wait), "omp wait");
}

TEST(WaitingName, IsTheRegionsOwnWhereItSaysWhatFor) {
  Region wait = named(1, "waits for a lock in f");
  EXPECT_FALSE(is_waiting(wait));
  wait.wait = WaitKind::lock;
  wait.function = "f";
  EXPECT_TRUE(is_waiting(wait));
  EXPECT_EQ(waiting_name(wait), "waits for a lock in f");
}

TEST(NameWithPlace, LeavesOutFolders) {
  Region region = named(1, "f");
  EXPECT_EQ(name_with_place("f", region), "f");
  region.file = "/home/me/a.cc";
  EXPECT_EQ(name_with_place("f", region), "f (a.cc)");
  region.line = 12;
  EXPECT_EQ(name_with_place("f", region), "f (a.cc:12)");
  region.name = "f a.cc:12:3";
  EXPECT_EQ(distinct_names({&region}).at(1), "f");
}

}  // namespace
}  // namespace ridge
