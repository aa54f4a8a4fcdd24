#include "bench/notes.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/sentences_for_tests.hpp"

namespace ridge::bench {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

std::string text_of(const std::vector<Note>& notes, std::string_view code) {
  const auto found =
      std::find_if(notes.begin(), notes.end(), [&](const Note& note) { return note.code == code; });
  return found == notes.end() ? "" : found->text;
}

Ceiling flagged(const char* id, const char* flag) {
  Ceiling ceiling;
  ceiling.id = id;
  ceiling.flags = {flag};
  return ceiling;
}

TEST(Notes, AQuietMachineNeedsNone) {
  EXPECT_THAT(notes_of({.allowed_cpus = 2,
                        .online_cpus = 2,
                        .quota = 2.0,
                        .before = platform::CpuTimes{5, 1000},
                        .after = platform::CpuTimes{6, 2000},
                        .clock_drift = 1.01},
                       {}),
              IsEmpty());
  EXPECT_THAT(notes_of({}, {}), IsEmpty()) << "nothing is known, nothing is said";
}

TEST(Notes, QuotaBelowOneCpuAndBelowTheCpusAreTwoSentences) {
  EXPECT_THAT(text_of(notes_of({.allowed_cpus = 2, .quota = 0.6}, {}), "cpu-quota"),
              HasSubstr("stopped for 40 %"));
  EXPECT_THAT(text_of(notes_of({.allowed_cpus = 4, .quota = 2.5}, {}), "cpu-quota"),
              HasSubstr("2.50 of 4"));
}

std::vector<Note> notes_of_steal_time() {
  return notes_of({.before = platform::CpuTimes{10, 1000}, .after = platform::CpuTimes{60, 2000}},
                  {});
}

TEST(Notes, StealTimeIsAShareOfAllTime) {
  EXPECT_THAT(text_of(notes_of_steal_time(), "steal-time"), HasSubstr("5.0 %"));
}

std::vector<Note> notes_of_a_busy_machine() {
  return notes_of({.allowed_cpus = 2,
                   .apart = {"bandwidth.DRAM.load.avx2.t2"},
                   .waited = {.time = Seconds{10.0}, .busy_cpus = 1.94, .quiet = false}},
                  {});
}

TEST(Notes, OtherProgramsAndWhatTheyLeftUnmeasured) {
  const auto notes = notes_of_a_busy_machine();
  EXPECT_THAT(text_of(notes, "busy-machine"), HasSubstr("1.9 of 2 CPUs busy"));
  EXPECT_THAT(text_of(notes, "busy-machine"), HasSubstr("after 10 s"));
  EXPECT_THAT(text_of(notes, kThreadsApart), HasSubstr("(bandwidth.DRAM.load.avx2.t2)"));
  EXPECT_THAT(text_of(notes, kThreadsApart), HasSubstr("not measured"));
}

std::vector<Note> notes_of_a_poor_system() {
  return notes_of({.allowed_cpus = 1,
                   .online_cpus = 8,
                   .huge_pages = false,
                   .sysfs = false,
                   .theory = false,
                   .too_large = {{"DRAM", 2, 134000000}}},
                  {});
}

TEST(Notes, OfTheSystem) {
  const auto notes = notes_of_a_poor_system();
  EXPECT_THAT(text_of(notes, "restricted-affinity"), HasSubstr("1 of the 8"));
  EXPECT_THAT(text_of(notes, "memory-too-small"), HasSubstr("134 MB"));
  for (const char* code : {"no-huge-pages", "no-sysfs", "unknown-cpu"}) {
    EXPECT_NE(text_of(notes, code), "") << code;
  }
}

std::vector<Note> notes_of_falling_clocks() {
  Machine machine;
  Sustained held;
  held.ceiling = "compute.fp64.avx512.fma.t8";
  held.clock_at_start = Hertz{4e9};
  held.clock.median = Hertz{3e9};
  held.duration = Seconds{6.0};
  machine.sustained = {held};
  return notes_of({.clock_drift = 0.9}, machine);
}

TEST(Notes, ClocksThatChange) {
  const auto notes = notes_of_falling_clocks();
  EXPECT_THAT(text_of(notes, "clock-drift"), HasSubstr("fell by 10 %"));
  EXPECT_THAT(text_of(notes, "power-limit"), HasSubstr("from 4.00 to 3.00 GHz"));
}

std::vector<Note> notes_of_flags() {
  Machine machine;
  machine.incomplete = true;
  machine.ceilings = {flagged("a", "bimodal"), flagged("b", "above-limit"), flagged("c", "bimodal"),
                      flagged("d", "bimodal"), flagged("e", "bimodal")};
  return notes_of({}, machine);
}

TEST(Notes, FlagsAreCountedAndTheFirstNamed) {
  const auto notes = notes_of_flags();
  EXPECT_THAT(text_of(notes, "bimodal"), StartsWith("4 ceilings (a, c, d and 1 more)"));
  EXPECT_THAT(text_of(notes, "above-limit"), StartsWith("1 ceiling (b)"));
  EXPECT_NE(text_of(notes, "incomplete"), "");
}

TEST(ClockDrift, IsTheMiddleRatioOfTheLastThirdToTheFirst) {
  Measured falling;
  for (int i = 0; i < 90; ++i) {
    falling.clocks.push_back(i < 45 ? 4e9 : 3e9);
  }
  Measured steady;
  steady.clocks.assign(90, 3.5e9);
  Measured few;
  few.clocks.assign(5, 1e9);
  EXPECT_DOUBLE_EQ(clock_drift({&falling, &falling, &steady, &few}).value(), 0.75);
  EXPECT_DOUBLE_EQ(clock_drift({&steady, &falling, &steady}).value(), 1.0);
  EXPECT_FALSE(clock_drift({&falling, &falling, &few}));
}

}  // namespace

void note_sentences(tests::Sentences& sentences) {
  const auto add = [&](std::string_view subject, const std::vector<Note>& notes) {
    for (const Note& note : notes) {
      sentences.add(fmt::format("{}, {}", subject, note.code), note.text);
    }
  };
  add("0.6 of 2 CPUs", notes_of({.allowed_cpus = 2, .quota = 0.6}, {}));
  add("2.5 of 4 CPUs", notes_of({.allowed_cpus = 4, .quota = 2.5}, {}));
  add("steal time", notes_of_steal_time());
  add("busy machine", notes_of_a_busy_machine());
  add("poor system", notes_of_a_poor_system());
  add("falling clocks", notes_of_falling_clocks());
  add("flags", notes_of_flags());
}

}  // namespace ridge::bench
