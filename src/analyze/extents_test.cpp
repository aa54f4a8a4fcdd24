#include "analyze/extents.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyze/program_for_tests.hpp"

namespace ridge::analyze {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing_programs::nest;
using testing_programs::nests;

Extents of(const std::vector<LoopNest>& all, const Polynomial::Values& values) {
  const auto found = extents(all, values);
  EXPECT_TRUE(found) << found.error().message;
  return found ? *found : Extents();
}

Extents of(const std::string& function, const Polynomial::Values& values) {
  return of(nests("loops.c", function), values);
}

Polynomial symbol(const std::string& name) {
  return Polynomial::symbol(name);
}

LoopLevel loop(const std::string& counter, const Polynomial& first, const Polynomial& trips,
               std::int64_t step = 1) {
  return {counter, first, step, TripCount{trips - 1, 1}, 0};
}

/// Reads one element of a, at this element, in all loops.
LoopNest reading(std::vector<LoopLevel> levels, const Polynomial& element) {
  LoopNest made;
  made.function = "f";
  made.levels = std::move(levels);
  ArrayAccess access;
  access.array = "a";
  access.offset = element * 8;
  access.bytes = 8;
  access.depth = static_cast<unsigned>(made.levels.size());
  made.accesses = {access};
  return made;
}

std::optional<std::int64_t> count(const LoopNest& of, const Polynomial::Values& values) {
  const auto found = iterations(of, values);
  EXPECT_TRUE(found) << found.error().message;
  return found ? *found : std::nullopt;
}

/// Element by element.
Extent walked(std::int64_t n, std::int64_t (*element)(std::int64_t, std::int64_t),
              std::int64_t (*trips)(std::int64_t)) {
  Extent extent{std::numeric_limits<std::int64_t>::max(), 0};
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < trips(i); ++j) {
      extent.first = std::min(extent.first, 8 * element(i, j));
      extent.end = std::max(extent.end, 8 * element(i, j) + 8);
    }
  }
  return extent;
}

TEST(Extents, OfAStencil) {
  const auto found = of("jacobi", {{"N", 10}, {"M", 7}});
  EXPECT_THAT(found.known, ElementsAre(Pair("a", Extent{8, 8 * 69}),  // neither of the corners
                                       Pair("b", Extent{88, 8 * 59})));
  EXPECT_THAT(found.unknown, IsEmpty());
  EXPECT_EQ(count(nest("loops.c", "jacobi"), {{"N", 10}, {"M", 7}}), 40);
}

TEST(Extents, OfStepsBackwards) {
  EXPECT_THAT(of("downwards", {{"n", 10}}).known, ElementsAre(Pair("a", Extent{8, 80})));
  EXPECT_THAT(of("downwards", {{"n", 11}}).known, ElementsAre(Pair("a", Extent{0, 88})));
  EXPECT_EQ(count(nest("loops.c", "downwards"), {{"n", 11}}), 6);
}

TEST(Extents, OfATriangleAreThoseOfTheWalk) {
  const auto found = of("triangle", {{"n", 50}});
  const Extent expected = walked(
      50, [](std::int64_t i, std::int64_t j) { return 50 * i + j; },
      [](std::int64_t i) { return i; });
  EXPECT_THAT(found.known, ElementsAre(Pair("a", expected)));
  EXPECT_EQ(expected.first, 400);  // no iteration of the inner loop at i = 0
  EXPECT_EQ(count(nest("loops.c", "triangle"), {{"n", 50}}), 1225);
  EXPECT_THAT(of("triangle", {{"n", 1}}).known, IsEmpty());
  EXPECT_EQ(count(nest("loops.c", "triangle"), {{"n", 1}}), 0);
}

TEST(Extents, WhereAnAddressIsNotMonotone) {
  const Polynomial i = symbol("i");
  const Polynomial j = symbol("j");
  const LoopNest parabola = reading({loop("i", 0, 10)}, i * i - i * 6 + 20);
  EXPECT_THAT(of({parabola}, {}).known, ElementsAre(Pair("a", Extent{8 * 11, 8 * 48})));
  const LoopNest twisted = reading({loop("i", 0, symbol("n")), loop("j", i, symbol("n") - i)},
                                   i * j * -1 + j * 3 + 1000);
  const Extent expected = walked(
      20, [](std::int64_t x, std::int64_t y) { return -x * (x + y) + 3 * (x + y) + 1000; },
      [](std::int64_t x) { return 20 - x; });
  EXPECT_THAT(of({twisted}, {{"n", 20}}).known, ElementsAre(Pair("a", expected)));
}

TEST(Extents, MayLieInFrontOfTheArray) {
  EXPECT_THAT(of({reading({loop("i", 0, 10, -1)}, symbol("i"))}, {}).known,
              ElementsAre(Pair("a", Extent{-72, 8})));
}

TEST(Extents, OfAllNestsTogether) {
  EXPECT_THAT(of("two_nests", {{"n", 10}}).known, ElementsAre(Pair("a", Extent{0, 8 * 19})));
}

TEST(Extents, WhatIsReadByTheLoopIsNotKnown) {
  const auto found = of("spmv", {{"n", 10}});
  EXPECT_THAT(found.unknown, testing::IsSupersetOf({"val", "col", "x"}));
  EXPECT_THAT(found.known, testing::Contains(Pair("y", Extent{0, 80})));
  EXPECT_EQ(count(nest("loops.c", "spmv"), {{"n", 10}}), std::nullopt);
  EXPECT_THAT(of("chase", {}).known, IsEmpty());
}

TEST(Extents, AParameterWithoutAValueIsAskedFor) {
  const auto found = extents(nests("loops.c", "jacobi"), {{"N", 10}});
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::bad_input);
  EXPECT_THAT(found.error().message, HasSubstr("M has no value"));
  EXPECT_FALSE(iterations(nest("loops.c", "jacobi"), {{"N", 10}}));
}

TEST(Extents, WhatDoesNotFitIsRefused) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const LoopNest one = nest("loops.c", "jacobi");
  for (const std::int64_t size : {kMost, std::int64_t{1} << 40U}) {
    const auto found = extents({one}, {{"N", size}, {"M", size}});
    ASSERT_FALSE(found) << size;
    EXPECT_THAT(found.error().message, HasSubstr("do not fit"));
    EXPECT_FALSE(iterations(one, {{"N", size}, {"M", size}}));
  }
  const auto found = extents({nest("loops.c", "triangle")}, {{"n", 1'000'000'000}});
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message, HasSubstr("too many to walk"));
}

}  // namespace
}  // namespace ridge::analyze
