#include "measure/binary/profile/binary_notes.hpp"

#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/binary/profile/runs_for_tests.hpp"
#include "measure/sentences_for_tests.hpp"

namespace ridge::measure::binary {
namespace {

using namespace tests;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> codes_of(const Runs& runs) {
  std::vector<std::string> codes;
  for (const Note& note : runs.profile().notes) {
    codes.push_back(note.code);
  }
  return codes;
}

/// Empty where there is no such note.
std::string text_of(const Runs& runs, std::string_view code) {
  const Profile profile = runs.profile();
  const Note* note = find_note(profile.notes, code);
  return note != nullptr ? note->text : std::string();
}

/// One region, sampled for half of the time and counted.
Runs usual() {
  Runs runs;
  runs.spent(500, runs.region("f", work_of(10)));
  return runs;
}

TEST(BinaryNotes, AQuietRunHasThoseOfItsMethodAlone) {
  EXPECT_THAT(codes_of(usual()), ElementsAre("sampling", "engine", "binary"));
  EXPECT_THAT(text_of(usual(), "sampling"), AllOf(HasSubstr("500"), HasSubstr("50 %")));
  EXPECT_THAT(text_of(usual(), "engine"), AllOf(HasSubstr("valgrind"), HasSubstr("5 times")));
}

TEST(BinaryNotes, ARankThatOnlyCountsIsHeldAgainstNoOtherRun) {
  Runs runs = usual();
  runs.timed.wall_seconds = 0.0;
  EXPECT_THAT(text_of(runs, "engine"),
              AllOf(HasSubstr("valgrind in 5 s"), Not(HasSubstr("times")), Not(HasSubstr("inf"))));
}

TEST(BinaryNotes, EachMethodOfSamplingIsSaid) {
  Runs runs = usual();
  EXPECT_THAT(text_of(runs, "sampling"), HasSubstr("kernel belongs to the code"));
  runs.timed.method = platform::SamplingMethod::perf_events_user_only;
  EXPECT_THAT(text_of(runs, "sampling"), HasSubstr("perf_event_paranoid"));
  runs.timed.method = platform::SamplingMethod::ptrace;
  EXPECT_THAT(text_of(runs, "sampling"), HasSubstr("ptrace"));
  runs.timed.method.reset();
  runs.timed.notes = {{"no-times", "why"}};
  EXPECT_THAT(codes_of(runs), ElementsAre("no-times", "engine", "binary"));
}

TEST(BinaryNotes, WithoutASampleThereAreNoTimes) {
  Runs runs;
  runs.region("f", work_of(10));
  EXPECT_THAT(codes_of(runs), ElementsAre("zero-time", "engine", "binary"));
}

/// Its thread was on a CPU for a tenth of each millisecond, and waited for one in the rest.
Runs busy() {
  Runs runs = usual();
  for (SampledMoment& moment : runs.timed.samples.moments) {
    moment.weight = kMillisecond / 10;
  }
  runs.timed.samples.threads.front().waiting_nanoseconds = 450 * kMillisecond;
  return runs;
}

TEST(BinaryNotes, ABusyMachineIsSaid) {
  Runs runs = busy();
  EXPECT_THAT(text_of(runs, "machine-busy"), HasSubstr("0.45 s"));
  runs.timed.samples.threads.front().waiting_nanoseconds = 49 * kMillisecond;
  EXPECT_EQ(text_of(runs, "machine-busy"), "") << "less than a twentieth of the time";
}

Runs with_lost_samples() {
  Runs runs = usual();
  runs.timed.lost = 12;
  return runs;
}

TEST(BinaryNotes, LostSamplesAreSaid) {
  EXPECT_THAT(text_of(with_lost_samples(), "samples-lost"), HasSubstr("12"));
}

Runs with_held_back_samples() {
  Runs runs = usual();
  runs.timed.throttled = 3;
  return runs;
}

TEST(BinaryNotes, HeldBackSamplesAreSaid) {
  EXPECT_THAT(text_of(with_held_back_samples(), "samples-held-back"), HasSubstr("3 times"));
}

// ---- counts

Runs without_libraries() {
  Runs runs = usual();
  runs.engine.counts_libraries = false;
  return runs;
}

TEST(BinaryNotes, WhatAnEngineLeavesOutIsSaid) {
  EXPECT_THAT(codes_of(without_libraries()), Contains("libraries-uncounted"));
  Runs runs = usual();
  runs.counted.records.front().notes = {"it saw no x87", "it saw no x87"};
  runs.counted.records.push_back(runs.counted.records.front());
  EXPECT_THAT(codes_of(runs), Contains("engine-note").Times(1));
  EXPECT_EQ(text_of(runs, "engine-note"), "it saw no x87");
}

Runs with_uncounted_functions() {
  Runs runs = usual();
  runs.counted.records.front().uncounted = {"a", "b", "c", "d", "e", "f"};
  return runs;
}

TEST(BinaryNotes, FunctionsThatCouldNotBeCountedAreNamed) {
  Runs runs = with_uncounted_functions();
  EXPECT_THAT(text_of(runs, "uncounted-code"),
              AllOf(HasSubstr("6 functions"), HasSubstr("a, b, c, d and 2 more")));
  runs.counted.records.front().uncounted = {"a"};
  EXPECT_THAT(text_of(runs, "uncounted-code"), HasSubstr("1 function: a"));
}

Runs damaged() {
  Runs runs = usual();
  runs.counted.damaged = {"byte 40: no such block"};
  return runs;
}

TEST(BinaryNotes, DamagedRecordsAreSaid) {
  Runs runs = damaged();
  runs.counted.records.front().complete = false;
  EXPECT_THAT(text_of(runs, "damaged"), HasSubstr("byte 40"));
  EXPECT_EQ(text_of(runs, "counts-incomplete"), "") << "the reason is known";
}

Runs incomplete() {
  Runs runs = usual();
  runs.counted.records.front().complete = false;
  return runs;
}

TEST(BinaryNotes, CountsThatEndEarlyAreSaid) {
  EXPECT_THAT(codes_of(incomplete()), Contains("counts-incomplete"));
  Runs none = usual();
  none.counted.records.clear();
  EXPECT_THAT(codes_of(none), Contains("counts-incomplete"));
}

Runs with_unknown_instructions() {
  Runs runs = usual();
  runs.code.modules.front().work.front().unknown = {{"62 f1", 100}, {"0f 0b", 3}};
  return runs;
}

TEST(BinaryNotes, InstructionsThatNobodyKnowsAreNamed) {
  EXPECT_THAT(text_of(with_unknown_instructions(), "unknown-instructions"),
              AllOf(HasSubstr("2 instructions"), HasSubstr("62 f1 (100 times)")));
}

Runs with_changed_code() {
  Runs runs = usual();
  runs.code.modules.front().executed.changed = true;
  runs.module("").executed.changed = true;
  return runs;
}

TEST(BinaryNotes, CodeThatChangedIsNamed) {
  EXPECT_EQ(text_of(usual(), "code-changed"), "");
  EXPECT_THAT(text_of(with_changed_code(), "code-changed"),
              AllOf(HasSubstr("/bin/program"), HasSubstr("made at run time")));
  Runs uncounted = with_changed_code();
  uncounted.has_counts = false;
  EXPECT_EQ(text_of(uncounted, "code-changed"), "") << "nobody saw it run";
}

Runs with_other_code(std::uint64_t milliseconds) {
  Runs runs;
  runs.timed.wall_seconds = 10.0;
  runs.spent(milliseconds, runs.region("chosen", {}));
  return runs;
}

TEST(BinaryNotes, OtherCodeIsWorthAWordFromAHundredthOfTheTimeOn) {
  EXPECT_EQ(text_of(with_other_code(90), "other-code"), "");
  EXPECT_THAT(text_of(with_other_code(200), "other-code"),
              AllOf(HasSubstr("2 %"), HasSubstr("(chosen)"), HasSubstr("--same-code")));
}

TEST(BinaryNotes, OtherCodeOfARegionNeedsSamples) {
  RegionSeconds times;
  times.samples = 19;
  EXPECT_FALSE(other_code_note(times));
  times.samples = 20;
  EXPECT_EQ(other_code_note(times).value().code, "other-code");
}

TEST(BinaryNotes, WithoutCountsNothingIsSaidOfThem) {
  Runs runs = with_unknown_instructions();
  runs.has_counts = false;
  EXPECT_THAT(codes_of(runs), ElementsAre("sampling"));
}

// ---- its end and its processes

Runs ended_by_a_signal() {
  Runs runs = usual();
  runs.timed.status = {{}, SIGABRT};
  return runs;
}

TEST(BinaryNotes, ASignalIsSaid) {
  EXPECT_THAT(text_of(ended_by_a_signal(), "ended-by-signal"),
              AllOf(HasSubstr("6"), HasSubstr("Abort")));
}

Runs with_descendants() {
  Runs runs = usual();
  runs.timed.waited = true;
  runs.timed.left = {{.pid = 77, .name = "daemon"}};
  return runs;
}

TEST(BinaryNotes, DescendantsAreSaid) {
  EXPECT_THAT(codes_of(with_descendants()),
              AllOf(Contains("descendants-waited"), Contains("descendants-left")));
  EXPECT_THAT(text_of(with_descendants(), "descendants-left"), HasSubstr("daemon (77)"));
}

Runs with_processes(std::size_t counted) {
  Runs runs = usual();
  for (std::uint32_t i = 1; i < counted; ++i) {
    runs.counted.records.push_back(record_of(kPid + i));
  }
  for (pid_t i = 1; i < 3; ++i) {
    runs.thread(kPid + i, kPid + i);
  }
  return runs;
}

TEST(BinaryNotes, ProcessesAreSummedAndMissed) {
  const Runs whole = with_processes(3);
  EXPECT_FALSE(lacks_processes(whole.input()));
  EXPECT_THAT(text_of(whole, "processes-summed"), HasSubstr("3 processes"));
  EXPECT_EQ(text_of(whole, "processes-uncounted"), "");
  const Runs missed = with_processes(2);
  EXPECT_TRUE(lacks_processes(missed.input()));
  EXPECT_THAT(text_of(missed, "processes-uncounted"), HasSubstr("of 3 processes 2"));
}

TEST(BinaryNotes, ARecordBeforeExecIsNoProcessThatWasCountedToItsEnd) {
  Runs runs = with_processes(3);
  runs.counted.records.back().before_exec = true;
  EXPECT_TRUE(lacks_processes(runs.input()));
  EXPECT_THAT(text_of(runs, "processes-uncounted"), HasSubstr("of 3 processes 2"));
  runs.has_counts = false;
  EXPECT_FALSE(lacks_processes(runs.input()));
}

// ---- traffic

Runs with_lost_accesses() {
  Runs runs = usual();
  runs.has_traffic = true;
  runs.simulated.run.records.front().lost_accesses = 5;
  runs.simulated.run.records.push_back(runs.simulated.run.records.front());
  return runs;
}

TEST(BinaryNotes, WhatTheSimulationLeavesOutIsSaid) {
  EXPECT_THAT(text_of(with_lost_accesses(), "trace-lost"), HasSubstr("10 accesses"));
  EXPECT_THAT(text_of(with_lost_accesses(), "traffic-model"), HasSubstr("not modelled"));
  EXPECT_THAT(codes_of(usual()), Not(Contains("traffic-model")));
}

}  // namespace
}  // namespace ridge::measure::binary

namespace ridge::measure {

void binary_notes_sentences(::ridge::tests::Sentences& sentences) {
  using namespace binary;
  const auto add = [&](std::string_view code, const binary::tests::Runs& runs) {
    sentences.add("program as it is: " + std::string(code), text_of(runs, code));
  };
  add("sampling", usual());
  add("engine", usual());
  add("binary", usual());
  add("machine-busy", busy());
  add("samples-lost", with_lost_samples());
  add("samples-held-back", with_held_back_samples());
  add("libraries-uncounted", without_libraries());
  add("uncounted-code", with_uncounted_functions());
  add("damaged", damaged());
  add("counts-incomplete", incomplete());
  add("unknown-instructions", with_unknown_instructions());
  add("code-changed", with_changed_code());
  add("other-code", with_other_code(200));
  add("ended-by-signal", ended_by_a_signal());
  add("descendants-waited", with_descendants());
  add("descendants-left", with_descendants());
  add("processes-summed", with_processes(3));
  add("processes-uncounted", with_processes(2));
  add("trace-lost", with_lost_accesses());
  add("traffic-model", with_lost_accesses());
}

}  // namespace ridge::measure
