#include "measure/calls/mpi_calls.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::measure {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

RecordedCall call(std::string name, std::uint32_t region, double seconds) {
  RecordedCall made;
  made.name = std::move(name);
  made.region = region;
  made.calls = 1;
  made.seconds = seconds;
  return made;
}

RecordedProcess process(std::uint32_t pid, std::optional<int> rank,
                        std::vector<RecordedCall> calls) {
  RecordedProcess made;
  made.pid = pid;
  made.rank = rank;
  made.calls = std::move(calls);
  return made;
}

Profile profile_of(std::initializer_list<std::int64_t> pids) {
  Profile profile;
  for (const std::int64_t pid : pids) {
    profile.processes.emplace_back().pid = pid;
  }
  for (std::uint32_t id = 0; id < 4; ++id) {
    Region region;
    region.id = id;
    region.kind = RegionKind::function;
    region.name = region.function = id % 2 == 1 ? "exchange" : "main";
    region.process = id / 2;
    profile.regions.push_back(region);
  }
  return profile;
}

std::optional<std::uint32_t> as_recorded(const RecordedProcess&, const RecordedCall& call) {
  return call.region == 9 ? std::nullopt : std::optional(call.region);
}

TEST(MpiCalls, RanksAreSummedByFunctionAndCodeAndTheMostComesFirst) {
  Profile profile = profile_of({10, 11});
  RecordedCall first = call("MPI_Send", 1, 1.0);
  first.bytes = 100;
  RecordedCall second = call("MPI_Send", 3, 3.0);
  second.bytes = 50;
  add_mpi_calls(
      profile,
      std::vector{process(10, 0, {first, call("MPI_Barrier", 0, 0.5)}), process(11, 1, {second})},
      as_recorded);
  ASSERT_THAT(profile.mpi_calls, SizeIs(2));
  const MpiCall& send = profile.mpi_calls[0];
  EXPECT_EQ(send.name, "MPI_Send");
  EXPECT_EQ(send.region, 1U) << "the same function of the other process is region 3";
  EXPECT_EQ(send.calls, 2U);
  EXPECT_EQ(send.bytes, 150U);
  EXPECT_EQ(send.seconds, Seconds(4.0));
  ASSERT_TRUE(send.seconds_by_rank);
  EXPECT_EQ(*send.seconds_by_rank, (RankSpread{2, 1.0, 0, 2.0, 3.0, 1, 2.0, {}}));
  EXPECT_EQ(profile.mpi_calls[1].seconds_by_rank, std::nullopt) << "one rank";
  EXPECT_EQ(profile.processes[0].mpi_seconds, Seconds(1.5));
  EXPECT_EQ(profile.processes[0].rank, 0);
  EXPECT_EQ(profile.processes[1].mpi_seconds, Seconds(3.0));
  EXPECT_THAT(profile.notes, IsEmpty());
}

TEST(MpiCalls, WhatOneRankDoesNotKnowIsAbsent) {
  Profile profile = profile_of({10, 11});
  RecordedCall known = call("MPI_Recv", 1, 1.0);
  known.bytes = 8;
  known.waiting_seconds = 0.25;
  add_mpi_calls(profile,
                std::vector{process(10, 0, {known}), process(11, 1, {call("MPI_Recv", 9, 1.0)})},
                as_recorded);
  ASSERT_THAT(profile.mpi_calls, SizeIs(2)) << "the caller of one is unknown";
  EXPECT_EQ(profile.mpi_calls[0].bytes, std::nullopt);
  EXPECT_EQ(profile.mpi_calls[0].region, std::nullopt);
  EXPECT_EQ(profile.mpi_calls[1].waiting_seconds, Seconds(0.25));
  profile.mpi_calls.clear();
  add_mpi_calls(profile,
                std::vector{process(10, 0, {known}), process(11, 1, {call("MPI_Recv", 1, 1.0)})},
                as_recorded);
  ASSERT_THAT(profile.mpi_calls, SizeIs(1));
  EXPECT_EQ(profile.mpi_calls[0].waiting_seconds, std::nullopt);
}

TEST(MpiCalls, NotesSayWhatIsMissing) {
  Profile profile = profile_of({10});
  add_mpi_calls(profile, {}, as_recorded);
  ASSERT_THAT(profile.notes, SizeIs(1));
  EXPECT_EQ(profile.notes[0].code, "no-mpi-calls");
  profile.notes.clear();
  RecordedProcess some = process(10, 0, {call("MPI_Init", 0, 1.0)});
  some.lost = 3;
  add_mpi_calls(profile, std::vector{some}, as_recorded);
  ASSERT_THAT(profile.notes, SizeIs(1));
  EXPECT_EQ(profile.notes[0].code, "mpi-calls-lost");
}

TEST(MpiCalls, OtherLayersAndUnknownProcessesAreNotTheirs) {
  Profile profile = profile_of({10});
  RecordedProcess library = process(10, std::nullopt, {call("dgemm", 0, 1.0)});
  library.layer = RIDGE_LAYER_LIBRARIES;
  add_mpi_calls(profile, std::vector{library, process(99, 0, {call("MPI_Send", 0, 2.0)})},
                as_recorded);
  ASSERT_THAT(profile.mpi_calls, SizeIs(1));
  EXPECT_EQ(profile.mpi_calls[0].name, "MPI_Send");
  EXPECT_EQ(profile.processes[0].mpi_seconds, std::nullopt);
  ASSERT_THAT(profile.processes, SizeIs(2)) << "one that nobody else saw";
  EXPECT_EQ(profile.processes[1].pid, 99);
  EXPECT_EQ(profile.processes[1].mpi_seconds, Seconds(2.0));
}

}  // namespace
}  // namespace ridge::measure
