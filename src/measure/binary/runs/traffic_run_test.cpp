#include "measure/binary/runs/traffic_run.hpp"

#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/binary/profile/runs_for_tests.hpp"
#include "measure/binary/record/record_for_tests.hpp"
#include "measure/sentences_for_tests.hpp"

namespace ridge::measure::binary {
namespace {

using namespace tests;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A run of an engine that is none: what it leaves, and how it ends.
struct PlayedRun {
  std::vector<std::byte> record;
  std::string command = "exit 0";  ///< of sh
};

/// Those to come, and what the runs so far were asked for. Engines are functions without a state.
struct Played {
  std::vector<PlayedRun> runs;
  std::vector<EngineJob> jobs;
};

Played& played() {
  static Played all;
  return all;
}

Result<EngineStart> play(const EngineJob& job) {
  Played& all = played();
  if (all.jobs.size() >= all.runs.size()) {
    return fail(ErrorCode::unavailable, "the engine is gone");
  }
  const PlayedRun& run = all.runs[all.jobs.size()];
  all.jobs.push_back(job);
  std::ofstream(job.folder / "record.1", std::ios::binary)
      .write(reinterpret_cast<const char*>(run.record.data()),
             static_cast<std::streamsize>(run.record.size()));
  EngineStart start;
  start.arguments = {"/bin/sh", "-c", run.command};
  return start;
}

ridge_record_traffic crossing(std::uint32_t region, std::uint64_t bytes) {
  ridge_record_traffic made{};
  made.region = region;
  for (ridge_bytes_crossed& crossed : made.traffic.crossed) {
    crossed = {bytes, 0};
  }
  return made;
}

/// Whole, with traffic of the first region.
PlayedRun simulated_all(std::uint64_t bytes = 6400) {
  RecordBuilder record(RIDGE_RECORD_SIMULATED);
  record.values(RIDGE_RECORD_TRAFFIC, crossing(1, bytes)).end();
  return {record.bytes()};
}

PlayedRun ending_with(std::string command) {
  PlayedRun run = simulated_all();
  run.command = std::move(command);
  return run;
}

PlayedRun without_end() {
  RecordBuilder record(RIDGE_RECORD_SIMULATED);
  record.values(RIDGE_RECORD_TRAFFIC, crossing(1, 6400));
  return {record.bytes()};
}

PlayedRun without_traffic() {
  RecordBuilder record;
  record.end();
  return {record.bytes()};
}

/// Of sampled lines, which the pilot found to be uneven.
PlayedRun simulated_some() {
  ridge_region_pilot pilot{};
  pilot.sampled_accesses = 1000;
  pilot.levels[0].verdict = RIDGE_PILOT_UNEVEN;
  pilot.levels[0].piloted_accesses = 1000;
  RecordBuilder record(RIDGE_RECORD_SIMULATED);
  record.values(RIDGE_RECORD_SAMPLED, crossing(1, 6400))
      .values(RIDGE_RECORD_PILOT, std::uint64_t{1}, pilot)
      .end();
  return {record.bytes()};
}

/// A program of one region that did 1000 flops.
struct TrafficCase {
  TrafficCase() {
    runs.machine.caches = {{.level = Level::L1, .size_bytes = 32768, .ways = 8},
                           {.level = Level::L2, .size_bytes = 1048576, .ways = 8}};
    runs.engine.prepare = play;
    runs.region("f", work_of(1000));
    runs.timed.usage = platform::UsageOfTree{.user_seconds = 0.1};
    request.arguments = {"program", "x"};
    request.traffic = TrafficRequest::automatic;
  }

  std::optional<SimulatedRun> simulate_with(std::vector<PlayedRun> to_play) {
    played() = {std::move(to_play), {}};
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    auto input = InputReplay::prepare(nothing);
    auto folder = WorkFolder::create();
    CodeFiles files;
    TrafficInput known;
    known.engine = &runs.engine;
    known.timed = &runs.timed;
    known.counted = &runs.counted;
    known.code = &runs.code;
    known.variables = {{"A", "1"}};
    auto simulated = simulate(request, runs.machine, known, *folder, files, *input, notes);
    close(nothing);
    return simulated;
  }

  Result<LoneSimulation> simulate_alone_with(std::vector<PlayedRun> to_play) {
    played() = {std::move(to_play), {}};
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    auto input = InputReplay::prepare(nothing);
    auto folder = WorkFolder::create();
    CodeFiles files;
    auto alone =
        simulate_alone(request, runs.machine, {&runs.engine, nullptr, nullptr, &runs.code, {}},
                       *folder, files, *input, notes);
    close(nothing);
    return alone;
  }

  [[nodiscard]] std::string text(std::string_view code) const {
    const Note* note = find_note(notes, code);
    return note != nullptr ? note->text : std::string();
  }
  /// All lines are too many.
  void sample_lines() { request.exact_below = Seconds(0.0); }

  Runs runs;
  Request request;
  std::vector<Note> notes;
};

/// All lines are expected to take 200 s at most, some of them 120 s.
TrafficCase with_room_for_some_lines() {
  TrafficCase example;
  example.runs.timed.usage = platform::UsageOfTree{.user_seconds = 8.0};
  example.request.budget = Seconds(150.0);
  return example;
}

std::uint64_t read_of(const SimulatedRun& simulated) {
  return simulated.run.records.at(0).traffic.at(1).crossed[0].read;
}

TEST(TrafficRun, IsThatOfAllLinesWhereTheyAreFew) {
  TrafficCase example;
  const auto simulated = example.simulate_with({simulated_all()});
  ASSERT_TRUE(simulated);
  EXPECT_EQ(read_of(*simulated), 6400U);
  EXPECT_EQ(simulated->sample_mask, 0U);
  EXPECT_EQ(simulated->work.size(), 1U) << "one for each region of the program";
  EXPECT_THAT(example.notes, IsEmpty());
  ASSERT_EQ(played().jobs.size(), 1U);
  EXPECT_THAT(played().jobs[0].arguments, ElementsAre("program", "x"));
  EXPECT_TRUE(played().jobs[0].plan);
  EXPECT_EQ(played().jobs[0].variables.at(0).first, "A");
}

TEST(TrafficRun, NeedsAnEngineThatSimulates) {
  TrafficCase example;
  example.runs.engine.simulates = false;
  EXPECT_FALSE(example.simulate_with({simulated_all()}));
  EXPECT_THAT(example.text("no-traffic"), HasSubstr("valgrind"));
  EXPECT_THAT(played().jobs, IsEmpty());
}

TEST(TrafficRun, IsNotBegunWhereTheBudgetIsTooSmall) {
  TrafficCase example;
  example.runs.timed.usage = platform::UsageOfTree{.user_seconds = 100.0};
  example.request.budget = Seconds(1.0);
  EXPECT_FALSE(example.simulate_with({simulated_all()}));
  EXPECT_THAT(example.text("no-traffic"), HasSubstr("--budget"));
  EXPECT_THAT(played().jobs, IsEmpty());
}

TEST(TrafficRun, IsEndedWhereItTakesTwiceTheBudget) {
  TrafficCase example;
  example.runs.timed.usage = platform::UsageOfTree{};
  example.request.budget = Seconds(0.05);
  EXPECT_FALSE(example.simulate_with({ending_with("exec sleep 1000")}));
  EXPECT_THAT(example.text("traffic-over-budget"), HasSubstr("--budget"));
}

TEST(TrafficRun, CachesOfOneSetCannotBeSampled) {
  TrafficCase example;
  example.runs.machine.caches.back().ways = 1048576 / 64;
  example.sample_lines();
  const auto simulated = example.simulate_with({simulated_all()});
  ASSERT_TRUE(simulated);
  EXPECT_EQ(simulated->sample_mask, 0U);
  EXPECT_NE(example.text("traffic-exact"), "");
}

TEST(TrafficRun, AnEngineThatDoesNotStartIsSaid) {
  TrafficCase example;
  EXPECT_FALSE(example.simulate_with({}));
  EXPECT_THAT(example.text("no-traffic"), HasSubstr("the engine is gone"));
}

TEST(TrafficRun, AnotherExitCodeIsSaidAndItsTrafficKept) {
  TrafficCase example;
  EXPECT_TRUE(example.simulate_with({ending_with("exit 3")}));
  EXPECT_THAT(example.text("runs-differ"), AllOf(HasSubstr("3"), HasSubstr("0")));
  EXPECT_EQ(example.text("no-traffic"), "");
}

TEST(TrafficRun, OfARunThatASignalEndedNothingIsKept) {
  TrafficCase example;
  EXPECT_FALSE(example.simulate_with({ending_with("kill -9 $$")}));
  EXPECT_THAT(example.text("runs-differ"), HasSubstr("137"));
  EXPECT_THAT(example.text("no-traffic"), HasSubstr("before its time"));
}

TEST(TrafficRun, ASignalThatEndsEachRunIsTheProgramsOwn) {
  TrafficCase example;
  example.runs.counted.status = {{}, SIGKILL};
  EXPECT_TRUE(example.simulate_with({ending_with("kill -9 $$")}));
  EXPECT_THAT(example.notes, IsEmpty());
}

TEST(TrafficRun, OfADamagedRecordNothingIsKept) {
  TrafficCase example;
  EXPECT_FALSE(example.simulate_with({PlayedRun{std::vector<std::byte>(64, std::byte{7})}}));
  EXPECT_THAT(example.text("no-traffic"), HasSubstr("record"));
}

TEST(TrafficRun, OfARecordWithoutItsEndNothingIsKept) {
  TrafficCase example;
  EXPECT_FALSE(example.simulate_with({without_end()}));
  EXPECT_THAT(example.text("no-traffic"), HasSubstr("before it had written all"));
}

TEST(TrafficRun, ARecordMayHaveNoTraffic) {
  TrafficCase example;
  EXPECT_FALSE(example.simulate_with({without_traffic()}));
  EXPECT_THAT(example.text("no-traffic"), HasSubstr("wrote none"));
}

// ---- some lines for all

TEST(TrafficRun, ASampledRunThatCannotStandIsFollowedByOneOfAllLines) {
  TrafficCase example;
  example.sample_lines();
  const auto simulated = example.simulate_with({simulated_some(), simulated_all(77)});
  ASSERT_TRUE(simulated);
  EXPECT_EQ(read_of(*simulated), 77U);
  EXPECT_EQ(simulated->sample_mask, 0U);
  EXPECT_THAT(example.text("traffic-third-run"), HasSubstr("another run simulated all"));
}

TEST(TrafficRun, WhereThatFailsTheSampledRunStandsInDoubt) {
  TrafficCase example;
  example.sample_lines();
  const auto simulated = example.simulate_with({simulated_some()});
  ASSERT_TRUE(simulated);
  EXPECT_NE(simulated->sample_mask, 0U);
  EXPECT_THAT(example.text("traffic-third-run"), HasSubstr("are marked"));
  EXPECT_THAT(example.text("no-traffic"), HasSubstr("the engine is gone"));
}

TEST(TrafficRun, WithABudgetThereIsNoThirdRun) {
  TrafficCase example = with_room_for_some_lines();
  const auto simulated = example.simulate_with({simulated_some(), simulated_all()});
  ASSERT_TRUE(simulated);
  EXPECT_NE(simulated->sample_mask, 0U);
  EXPECT_EQ(played().jobs.size(), 1U);
  EXPECT_THAT(example.text("traffic-in-doubt"), HasSubstr("--budget"));
}

TEST(TrafficRun, SampledLinesThatAreAskedForAreNotJudged) {
  TrafficCase example;
  example.request.traffic = TrafficRequest::sampled;
  const auto simulated = example.simulate_with({simulated_some(), simulated_all()});
  ASSERT_TRUE(simulated);
  EXPECT_NE(simulated->sample_mask, 0U);
  EXPECT_EQ(played().jobs.size(), 1U);
  EXPECT_THAT(example.notes, IsEmpty());
}

// ---- a start of its own

TEST(TrafficRunAlone, IsTheOnlyOneAndOnTheRealStreams) {
  TrafficCase example;
  const auto alone = example.simulate_alone_with({ending_with("exit 3")});
  ASSERT_TRUE(alone);
  EXPECT_EQ(alone->status.code, 3);
  ASSERT_TRUE(alone->simulated);
  EXPECT_EQ(read_of(*alone->simulated), 6400U);
  EXPECT_EQ(alone->simulated->work.size(), 1U);
  EXPECT_THAT(example.notes, IsEmpty());
  EXPECT_TRUE(played().jobs.at(0).plan);
}

TEST(TrafficRunAlone, SampledLinesThatCannotStandAreNotSimulatedAgain) {
  TrafficCase example;
  const auto alone = example.simulate_alone_with({simulated_some(), simulated_all()});
  ASSERT_TRUE(alone && alone->simulated);
  EXPECT_NE(alone->simulated->sample_mask, 0U);
  EXPECT_EQ(played().jobs.size(), 1U);
}

TEST(TrafficRunAlone, AllLinesWhereTheyAreAskedFor) {
  TrafficCase example;
  example.request.traffic = TrafficRequest::exact;
  const auto alone = example.simulate_alone_with({simulated_all()});
  ASSERT_TRUE(alone && alone->simulated);
  EXPECT_EQ(alone->simulated->sample_mask, 0U);
}

TEST(TrafficRunAlone, OfARunThatASignalEndedNothingIsKept) {
  TrafficCase example;
  PlayedRun killed = without_end();
  killed.command = "kill -9 $$";
  const auto alone = example.simulate_alone_with({killed});
  ASSERT_TRUE(alone);
  EXPECT_EQ(alone->status.signal, SIGKILL);
  EXPECT_FALSE(alone->simulated);
  EXPECT_THAT(example.text("no-traffic"), HasSubstr("before it had written all"));
}

TEST(TrafficRunAlone, AnInstructionThatTheEngineCannotRunIsSaid) {
  TrafficCase example;
  RecordBuilder record(RIDGE_RECORD_SIMULATED);
  record.values(RIDGE_RECORD_UNKNOWN, ridge_record_unknown{0x1000, UINT32_MAX, 0}).end();
  const auto alone = example.simulate_alone_with({PlayedRun{record.bytes()}});
  ASSERT_TRUE(alone);
  EXPECT_FALSE(alone->simulated);
  EXPECT_THAT(example.text("no-traffic"), HasSubstr("cannot run an instruction"));
}

TEST(TrafficRunAlone, AnEngineThatDoesNotStartIsAnError) {
  TrafficCase example;
  const auto alone = example.simulate_alone_with({});
  ASSERT_FALSE(alone);
  EXPECT_EQ(alone.error().code, ErrorCode::unavailable);
}

}  // namespace
}  // namespace ridge::measure::binary

namespace ridge::measure {

void traffic_run_sentences(::ridge::tests::Sentences& sentences) {
  using namespace binary;
  const auto add = [&](std::string_view what, std::string_view code, TrafficCase example,
                       const std::vector<PlayedRun>& to_play) {
    static_cast<void>(example.simulate_with(to_play));
    sentences.add("traffic of a program as it is: " + std::string(what), example.text(code));
  };
  TrafficCase only_counts;
  only_counts.runs.engine.simulates = false;
  add("the engine only counts", "no-traffic", only_counts, {});
  add("another exit code", "runs-differ", {}, {ending_with("exit 3")});
  add("ended by a signal", "no-traffic", {}, {ending_with("kill -9 $$")});
  add("a record without its end", "no-traffic", {}, {without_end()});
  add("a record without traffic", "no-traffic", {}, {without_traffic()});
  TrafficCase sampled;
  sampled.sample_lines();
  TrafficCase alone;
  RecordBuilder unknown(RIDGE_RECORD_SIMULATED);
  unknown.values(RIDGE_RECORD_UNKNOWN, ridge_record_unknown{0x1000, UINT32_MAX, 0}).end();
  add("an instruction that the engine cannot run", "no-traffic", alone,
      {PlayedRun{unknown.bytes()}});
  add("a third run", "traffic-third-run", sampled, {simulated_some(), simulated_all()});
  add("no third run", "traffic-third-run", sampled, {simulated_some()});
  add("in doubt", "traffic-in-doubt", with_room_for_some_lines(), {simulated_some()});
}

}  // namespace ridge::measure
