#include "execute/run.hpp"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "execute/objects_for_tests.hpp"

namespace ridge::execute {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing_objects::array;
using testing_objects::call;
using testing_objects::integer;

const platform::ClockProbe& probe() {
  static const platform::ClockProbe made(platform::calibrate_tsc());
  return made;
}

Error refused(const Call& of) {
  const auto measured = run(of, probe());
  EXPECT_FALSE(measured) << of.symbol;
  return measured ? Error{} : measured.error();
}

TEST(Run, AFunctionIsTimed) {
  const auto measured =
      run(call("daxpy", {integer("n", 1000), Real{"s", 1e-9}, array("y", 1000), array("x", 1000)}),
          probe());
  ASSERT_TRUE(measured) << measured.error().message;
  EXPECT_GT(measured->seconds.low.value(), 0.0);
  EXPECT_LE(measured->seconds.low.value(), measured->seconds.median.value());
  EXPECT_LE(measured->seconds.median.value(), measured->seconds.p90.value());
  ASSERT_TRUE(measured->cycles);
  EXPECT_GT(measured->cycles->median.value(), 30.0);  // 1000 elements, at most 32 in a cycle
  EXPECT_GT(measured->calls_per_sample, 1U);
}

TEST(Run, ArgumentsArriveAsTheyAre) {
  const auto measured = run(call("expects", {integer("a", -3), Real{"b", 2.5},
                                             Real{"c", 0.75, true}, integer("d", 41, 4)}),
                            probe());
  EXPECT_TRUE(measured) << measured.error().message;
  EXPECT_THAT(refused(call("expects", {integer("a", -3), Real{"b", 2.5}, Real{"c", 0.5, true},
                                       integer("d", 41, 4)}))
                  .message,
              HasSubstr("abort()"));
}

TEST(Run, ItsSurroundingsAreMade) {
  EXPECT_TRUE(run(call("globals", {},
                       {{"table", array("table", 1000)},
                        {"moved", array("moved", 7), true},
                        {"length", integer("length", 7, 4)}}),
                  probe()));
  EXPECT_TRUE(run(call("prints"), probe()));
  EXPECT_TRUE(run(call("expects_one_thread"), probe()));
}

TEST(Run, ALongCallIsTimedTwice) {
  Call of = call("nothing");
  of.long_call = Seconds{0.0};
  const auto measured = run(of, probe());
  ASSERT_TRUE(measured) << measured.error().message;
  EXPECT_EQ(measured->seconds.samples, 2U);
  EXPECT_THAT(measured->notes, Contains(Field(&Note::code, "few-calls")));
}

TEST(Run, NumbersThatBecomeSubnormalAreNoted) {
  const auto measured = run(call("shrinks", {array("a", 64), integer("n", 64)}), probe());
  ASSERT_TRUE(measured) << measured.error().message;
  EXPECT_THAT(measured->notes, Contains(AllOf(Field(&Note::code, "subnormal-numbers"),
                                              Field(&Note::text, HasSubstr("a holds")))));
}

TEST(Run, AccessesOutsideOfArraysNameThem) {
  const auto message = [](const Call& of) { return refused(of).message; };
  EXPECT_THAT(message(call("writes_far_behind", {array("a", 1000), integer("n", 1000)})),
              HasSubstr("writes 1 element behind the end of a"));
  EXPECT_THAT(
      message(call("writes_just_behind", {array("a", 100, Element::int8), integer("n", 100)})),
      HasSubstr("writes 3 elements behind the end of a"));
  EXPECT_THAT(message(call("writes_in_front", {array("a", 100)})),
              HasSubstr("writes 3 elements in front of a"));
  EXPECT_THAT(message(call("reads_behind", {array("a", 4096), array("b", 1), integer("n", 4096)})),
              HasSubstr("behind the end of a"));
  EXPECT_THAT(message(call("jumps_far", {array("a", 10), integer("n", 500'000)})),
              HasSubstr("writes 499991 elements behind the end of a"));
  EXPECT_THAT(message(call("jumps_far", {array("a", 10), integer("n", 1LL << 44)})),
              HasSubstr("not its own"));
  EXPECT_THAT(message(call("reads_null", {array("a", 10)})), HasSubstr("null pointer"));
  EXPECT_EQ(refused(call("writes_in_front", {array("a", 100)})).code, ErrorCode::bad_input);
}

TEST(Run, WhateverItDoesStaysInTheChild) {
  const auto message = [](const Call& of) { return refused(of).message; };
  EXPECT_THAT(message(call("exits", {integer("code", 3, 4)})), HasSubstr("exit code 3"));
  EXPECT_THAT(message(call("exits", {integer("code", 0, 4)})), HasSubstr("exit code 0"));
  EXPECT_THAT(message(call("exits_at_once", {integer("code", 9, 4)})), HasSubstr("exit code 9"));
  EXPECT_THAT(message(call("aborts")), AllOf(HasSubstr("abort()"), HasSubstr("length < 0")));
  EXPECT_THAT(message(call("recursive", {integer("n", 1, 4)})), HasSubstr("stack"));
  EXPECT_THAT(message(call("large_frame", {integer("n", 1, 4)})), HasSubstr("stack"));
  EXPECT_THAT(message(call("divides", {integer("a", 1, 4), integer("b", 0, 4)})),
              HasSubstr("by zero"));
  EXPECT_THAT(message(call("traps")), HasSubstr("trap"));
  EXPECT_THAT(message(call("kills_itself")), HasSubstr("killed"));
  EXPECT_THAT(message(call("needs_more")), HasSubstr("missing_elsewhere"));
}

TEST(Run, ExceptionsStayInTheChild) {
  Call of = call("throws_error");
  of.object = testing_objects::object("throws.cpp");
  EXPECT_THAT(refused(of).message, HasSubstr("no such grid"));
  of.symbol = "throws_number";
  EXPECT_THAT(refused(of).message, HasSubstr("an exception"));
}

TEST(Run, WhatDoesNotReturnIsEnded) {
  for (Call of : {call("forever", {array("a", 1, Element::int32)}), call("sleeps")}) {
    of.limit = std::chrono::milliseconds(300);
    const Error error = refused(of);
    EXPECT_EQ(error.code, ErrorCode::unavailable);
    EXPECT_THAT(error.message, HasSubstr("after 0.3 s"));
  }
}

TEST(Run, ArraysLargerThanMemoryAreRefusedBefore) {
  const auto of = [](std::uint64_t extent) {
    return call("no_such_function", {array("a", extent), array("b", 1)});
  };
  EXPECT_EQ(refused(of(1ULL << 46U)).code, ErrorCode::unavailable);
  EXPECT_THAT(refused(of(1ULL << 46U)).message, HasSubstr("are free"));
  EXPECT_EQ(refused(of(std::numeric_limits<std::uint64_t>::max())).code, ErrorCode::unavailable);
  EXPECT_EQ(refused(of(0)).code, ErrorCode::bad_input);
  EXPECT_THAT(refused(of(0)).message, HasSubstr("a has no elements"));
  EXPECT_THAT(refused(of(1)).message, HasSubstr("no_such_function"));
  EXPECT_THAT(refused(call("nothing", std::vector<Argument>(65, array("a", 1)))).message,
              HasSubstr("64 arrays"));
}

TEST(Run, MakesAProbeOfItsOwn) {
  EXPECT_TRUE(run(call("nothing")));
}

}  // namespace
}  // namespace ridge::execute
