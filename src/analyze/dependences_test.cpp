#include "analyze/dependences.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::analyze {
namespace {

using ::testing::IsEmpty;

Polynomial symbol(const std::string& name) {
  return Polynomial::symbol(name);
}

ArrayAccess access(const std::string& array, const Polynomial& index, bool is_write) {
  ArrayAccess made;
  made.array = array;
  made.offset = index * 8;
  made.bytes = 8;
  made.depth = 2;
  made.is_write = is_write;
  made.line = is_write ? 9 : 8;
  return made;
}

/// for j, for i: read a[read], write a[written].
LoopNest nest(const Polynomial& read, const Polynomial& written, std::int64_t step = 1) {
  LoopNest made;
  made.levels = {{"j", 1, 1, TripCount{symbol("M") - 3}, 3},
                 {"i", 1, step, TripCount{symbol("N") - 3}, 4}};
  made.accesses = {access("a", read, false), access("a", written, true)};
  return made;
}

const Polynomial kHere = symbol("N") * symbol("j") + symbol("i");

std::string text(const LoopNest& of) {
  const auto notes = dependence_notes(of);
  return notes.size() == 1 ? notes.front().text : "";
}

TEST(CarriedDependences, WhatTheIterationBeforeWrote) {
  EXPECT_EQ(text(nest(kHere - 1, kHere)),
            "read a[N*j + i - 1] in line 8 waits for write a[N*j + i] in line 9, 1 iteration of i "
            "before");
  EXPECT_EQ(text(nest(kHere - 3, kHere)).substr(text(nest(kHere - 3, kHere)).find(", ") + 2),
            "3 iterations of i before");
}

TEST(CarriedDependences, WhatTheRowBeforeWrote) {
  EXPECT_NE(text(nest(kHere - symbol("N"), kHere)).find("1 iteration of j before"),
            std::string::npos);
}

TEST(CarriedDependences, StepsAreThoseOfTheLoop) {
  EXPECT_NE(text(nest(kHere - 4, kHere, 2)).find("2 iterations of i"), std::string::npos);
  EXPECT_THAT(dependence_notes(nest(kHere - 3, kHere, 2)), IsEmpty()) << "other elements";
  EXPECT_NE(text(nest(kHere + 1, kHere, -1)).find("1 iteration of i"), std::string::npos);
}

TEST(CarriedDependences, WhatIsReadBeforeItIsWrittenWaitsForNothing) {
  EXPECT_THAT(dependence_notes(nest(kHere + 1, kHere)), IsEmpty());
  EXPECT_THAT(dependence_notes(nest(kHere, kHere)), IsEmpty()) << "the same iteration";
}

TEST(CarriedDependences, OnePlaceForAllIterationsIsAChain) {
  EXPECT_NE(text(nest(symbol("j"), symbol("j"))).find("1 iteration of i"), std::string::npos);
}

TEST(CarriedDependences, OtherArraysAndUnknownAddressesAreNone) {
  LoopNest other = nest(kHere - 1, kHere);
  other.accesses[0].array = "b";
  EXPECT_THAT(dependence_notes(other), IsEmpty());
  LoopNest unknown = nest(kHere - 1, kHere);
  unknown.accesses[1].offset.reset();
  EXPECT_THAT(dependence_notes(unknown), IsEmpty());
}

}  // namespace
}  // namespace ridge::analyze
