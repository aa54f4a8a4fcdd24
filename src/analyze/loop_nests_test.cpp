#include "analyze/loop_nests.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyze/program_for_tests.hpp"

namespace ridge::analyze {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_programs::nest;
using testing_programs::nests;
using testing_programs::program;

/// "for j from 1: M - 2", with the step where it is not 1.
std::vector<std::string> loops(const LoopNest& of) {
  std::vector<std::string> all;
  for (const LoopLevel& level : of.levels) {
    all.push_back("for " + level.counter + " from " + level.first.text() +
                  (level.step == 1 ? "" : " by " + std::to_string(level.step)) + ": " +
                  (level.trips ? level.trips->text() : "?"));
  }
  return all;
}

std::vector<std::string> accesses(const LoopNest& of) {
  std::vector<std::string> all;
  for (const ArrayAccess& access : of.accesses) {
    all.push_back(access.text() + (access.is_conditional ? " sometimes" : ""));
  }
  return all;
}

std::vector<std::string> operations(const LoopNest& of) {
  std::vector<std::string> all;
  for (const LoopOperation& each : of.operations) {
    all.push_back(std::to_string(each.count) + " " + each.what +
                  (each.precision.empty() ? "" : " " + each.precision) +
                  (each.is_conditional ? " sometimes" : ""));
  }
  return all;
}

TEST(LoopNests, AddressesReadAsTheSourceDoes) {
  const LoopNest jacobi = nest("loops.c", "jacobi");
  EXPECT_THAT(loops(jacobi), ElementsAre("for j from 1: M - 2", "for i from 1: N - 2"));
  EXPECT_THAT(accesses(jacobi),
              ElementsAre("read a[N*j + i - 1]", "read a[N*j + i + 1]", "read a[N*j - N + i]",
                          "read a[N*j + N + i]", "write b[N*j + i]"));
  EXPECT_THAT(operations(jacobi), ElementsAre("3 add fp64", "1 mul fp64"));
  EXPECT_THAT(jacobi.file, HasSubstr("loops.c"));
  EXPECT_EQ(jacobi.levels[0].line + 1, jacobi.levels[1].line);
}

TEST(LoopNests, ArraysWithVariableAndFixedExtents) {
  EXPECT_THAT(accesses(nest("loops.c", "variable_extents")),
              ElementsAre("read a[N*j + i - 1]", "read plane[i + 1000*j]", "write b[N*j + i]"));
}

TEST(LoopNests, IndicesThatAreReadAreNamed) {
  const LoopNest spmv = nest("loops.c", "spmv");
  EXPECT_THAT(loops(spmv),
              ElementsAre("for r from 0: n", "for k from row[r]: row[r + 1] - row[r]"));
  EXPECT_THAT(accesses(spmv), Contains("read val[k]"));
  EXPECT_THAT(accesses(spmv), Contains("read x[col[...]]"));
  EXPECT_THAT(accesses(spmv), Contains("write y[r]"));
  EXPECT_THAT(operations(spmv), ElementsAre("1 fma fp64"));
  const auto write = std::ranges::find_if(spmv.accesses, &ArrayAccess::is_write);
  EXPECT_EQ(write->depth, 1U);  // once for each row
}

TEST(LoopNests, StepsTrianglesAndPointers) {
  EXPECT_THAT(loops(nest("loops.c", "downwards")),
              ElementsAre("for i from n - 1 by -2: (n - 1)/2 + 1"));
  EXPECT_THAT(accesses(nest("loops.c", "downwards")), ElementsAre("read a[i]", "write a[i]"));
  EXPECT_THAT(loops(nest("loops.c", "triangle")),
              ElementsAre("for i from 0: n", "for j from 0: i"));
  EXPECT_THAT(accesses(nest("loops.c", "triangle")),
              ElementsAre("read a[i*n + j]", "write a[i*n + j]"));
  // n is no counter here: it would stand for two numbers
  EXPECT_THAT(loops(nest("loops.c", "pointers")), ElementsAre("for i1 from 0: n"));
  EXPECT_THAT(accesses(nest("loops.c", "pointers")), ElementsAre("read q[i1]", "write p[i1]"));
}

TEST(LoopNests, MembersHaveTheNameOfTheirObject) {
  const auto found = accesses(nest("loops.c", "members"));
  EXPECT_THAT(found, Contains("read c.y[i]"));
  EXPECT_THAT(found, Contains("write c.x[i]"));
}

TEST(LoopNests, WhatHappensSometimesIsMarked) {
  const LoopNest found = nest("loops.c", "conditional");
  EXPECT_THAT(accesses(found), ElementsAre("read b[i]", "write a[i] sometimes"));
  EXPECT_THAT(operations(found), ElementsAre("1 external fp64 sometimes", "1 add fp32 sometimes"));
}

TEST(LoopNests, EveryInnermostLoopHasItsNest) {
  const auto found = nests("loops.c", "two_nests");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_THAT(accesses(found[1]), ElementsAre("write a[2*i]"));
}

TEST(LoopNests, AListHasNoTripCountAndNoAddress) {
  const LoopNest found = nest("loops.c", "chase");
  EXPECT_EQ(found.levels[0].trips, std::nullopt);
  for (const ArrayAccess& access : found.accesses) {
    EXPECT_EQ(access.offset, std::nullopt) << access.text();
  }
}

TEST(LoopNests, ContainersOfCxxAreTheirElements) {
  const LoopNest vectors = nest("loops.cpp", "vectors");
  EXPECT_THAT(loops(vectors), ElementsAre("for i from 0: x.size()"));
  EXPECT_THAT(accesses(vectors), ElementsAre("read x[i]", "write y[i]"));
  const LoopNest grids = nest("loops.cpp", "grids");
  EXPECT_THAT(accesses(grids),
              ElementsAre("read b.data[b.nx*j + i - 1]", "read b.data[b.nx*j - b.nx + i]",
                          "write a.data[a.nx*j + i]"));
  EXPECT_THAT(operations(grids), Contains("1 sqrt fp32"));
  const LoopNest spans = nest("loops.cpp", "spans");
  EXPECT_THAT(loops(spans), ElementsAre("for i from 0: a.size()"));
  EXPECT_THAT(accesses(spans), ElementsAre("read b[i]", "read a[i]", "write a[i]"));
  EXPECT_THAT(accesses(nest("loops.cpp", "smooth")),
              ElementsAre("read values[i - 1]", "read old[i]", "write values[i]"));
  EXPECT_THAT(accesses(nest("loops.cpp", "lambdas")), ElementsAre("read x[i]", "write y[i]"));
}

TEST(LoopNests, TripCountsOfFixedArraysAreNumbers) {
  const LoopNest found = nest("loops.cpp", "arrays");
  ASSERT_TRUE(found.levels[0].trips);
  EXPECT_EQ(found.levels[0].trips->evaluate({}), 64);
  EXPECT_THAT(accesses(found), ElementsAre("read a[i1]", "write a[i1]"));
}

TEST(LoopNests, WithoutAFunctionThoseOfTheFileAreRead) {
  std::vector<std::string> functions;
  for (const LoopNest& each : nests("loops.cpp")) {
    functions.push_back(each.function);
  }
  EXPECT_THAT(functions, Contains("vectors"));
  EXPECT_THAT(functions, Contains("lambdas"));
}

TEST(LoopNests, AFunctionThatIsNotThereIsRefusedWithThoseThatAre) {
  const auto found = loop_nests(program("loops.c"), "loops.c", "jakobi");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::bad_input);
  EXPECT_THAT(found.error().message, HasSubstr("loops.c has no function jakobi"));
  EXPECT_THAT(found.error().hint, HasSubstr("jacobi"));
}

TEST(LoopNests, WhatIsNotLlvmsIsRefused) {
  EXPECT_THAT(loop_nests("", "a.ll").error().message, HasSubstr("no function"));
  for (const char* text : {"int main(void) {}", "BC\xC0\xDE"}) {
    const auto found = loop_nests(text, "a.bc");
    ASSERT_FALSE(found) << text;
    EXPECT_EQ(found.error().code, ErrorCode::bad_input);
    EXPECT_THAT(found.error().message, HasSubstr("a.bc is not LLVM's"));
  }
}

}  // namespace
}  // namespace ridge::analyze
