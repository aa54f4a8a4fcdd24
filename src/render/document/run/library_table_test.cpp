#include "render/document/run/library_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::render {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

TextStyle wide() {
  TextStyle style;
  style.columns = 120;
  return style;
}

LibraryCall call(const char* name, const char* sizes, std::optional<std::uint32_t> region,
                 std::uint64_t calls, std::optional<std::uint64_t> flops, double seconds) {
  return {name, sizes, region, calls, flops, std::nullopt, Seconds(seconds)};
}

Ceiling compute(const char* precision, unsigned threads, double rate) {
  Ceiling ceiling;
  ceiling.kind = CeilingKind::compute;
  ceiling.precision = precision;
  ceiling.threads = threads;
  Estimate<FlopsPerSecond> value;
  value.median = value.p90 = value.low = value.high = FlopsPerSecond(rate);
  ceiling.value = value;
  return ceiling;
}

Profile solver() {
  Profile profile;
  Region program;
  program.kind = RegionKind::program;
  program.threads = 1;
  Region solve;
  solve.id = 3;
  solve.kind = RegionKind::function;
  solve.name = solve.function = "solve";
  solve.file = "src/lu.c";
  solve.line = 12;
  profile.regions = {program, solve};
  profile.machine.ceilings = {compute("fp64", 1, 40e9), compute("fp64", 2, 80e9),
                              compute("fp32", 1, 80e9)};
  profile.library_calls = {call("dgemm", "64 x 64 x 64", 3, 60, 20'000'000'000, 1.0),
                           call("dgemm", "64 x 64 x 64", std::nullopt, 60, 10'000'000'000, 0.5),
                           call("sgemm", "8 x 8 x 8", 3, 1, 40'000'000'000, 1.0),
                           call("fftw_execute", "", 3, 5, std::nullopt, 0.25)};
  return profile;
}

TEST(LibraryTable, CallsOfTheSameSizesAreSummed) {
  const auto functions = library_functions(solver());
  ASSERT_THAT(functions, SizeIs(3));
  EXPECT_EQ(functions[0].name, "dgemm 64 x 64 x 64");
  EXPECT_EQ(functions[0].calls, 120U);
  EXPECT_DOUBLE_EQ(functions[0].flops_per_second.value(), 20e9);
  EXPECT_DOUBLE_EQ(functions[0].of_roof.value(), 0.5) << "of one thread";
  EXPECT_DOUBLE_EQ(functions[1].of_roof.value(), 0.5) << "of fp32";
  EXPECT_EQ(functions[2].flops_per_second, std::nullopt);
  EXPECT_EQ(functions[2].of_roof, std::nullopt);
}

TEST(LibraryTable, WithoutACeilingOfTheThreadsTheFastestIsTheRoof) {
  Profile profile = solver();
  profile.regions.front().threads = 7;
  EXPECT_DOUBLE_EQ(library_functions(profile)[0].of_roof.value(), 0.25);
  profile.machine.ceilings.clear();
  EXPECT_EQ(library_functions(profile)[0].of_roof, std::nullopt);
}

/// Two ranks with a thread each: the rate is that of one rank in the call, the roof that of both.
TEST(LibraryTable, OfSeveralRanksEachHasItsShareOfTheRoof) {
  Profile profile = solver();
  const double alone = library_functions(profile)[0].of_roof.value();
  profile.regions.front().threads = 2;
  profile.parallel.emplace().measured = 2;
  EXPECT_DOUBLE_EQ(library_functions(profile)[0].of_roof.value(), alone);
}

TEST(LibraryTable, TerminalAndMarkdownHoldTheSame) {
  const std::string text = library_table(solver(), wide());
  EXPECT_THAT(text, ContainsRegex("dgemm 64 x 64 x 64 +120 +1.50 s +20.0 GFlop/s +50 % +solve "
                                  "\\(lu.c:12\\)"));
  EXPECT_THAT(text, ContainsRegex("fftw_execute +5 +250 ms +- +- +solve"));
  EXPECT_THAT(library_markdown(solver()),
              HasSubstr("| `dgemm 64 x 64 x 64` | 120 | 1.50 s | 20.0 GFlop/s | 50 % |"));
  EXPECT_EQ(library_table(Profile{}, wide()), "");
  EXPECT_EQ(library_markdown(Profile{}), "");
}

/// An engine counted the library.
TEST(LibraryTable, WhatWasCountedStandsBelow) {
  Profile profile = solver();
  profile.library_calls.resize(2);
  EXPECT_THAT(library_table(profile, wide()), Not(HasSubstr("counted")));
  Region kernel;
  kernel.name = "dgemm_ in libblas.so.3.11.0";
  work_of(kernel).add(Precision::fp64, OperationKind::fma, 256, 30'600'000'000);
  profile.regions.push_back(kernel);
  work_of(profile.regions.front()) += known_work(kernel);
  EXPECT_THAT(library_table(profile, wide()),
              HasSubstr("30.6 GFlop counted in libblas.so.3.11.0, 2.0 % more than"));
  EXPECT_THAT(library_markdown(profile), HasSubstr("30.6 GFlop counted in libblas"));
}

}  // namespace
}  // namespace ridge::render
