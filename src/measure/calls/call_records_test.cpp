#include "measure/calls/call_records.hpp"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/calls/call_records_for_tests.hpp"

namespace ridge::measure {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using Builder = CallMemoryBuilder;

TEST(CallRecords, ThreadsOfAProcessAreSummedByFunctionAndPlace) {
  Builder memory;
  const auto process = memory.process(42, 1, 2);
  const auto program = memory.module(process, "/bin/program");
  ridge_call_entry sent = Builder::entry("MPI_Send", 3, 2'000'000'000, program, 0x1234);
  sent.bytes = 800;
  sent.flags = RIDGE_CALL_HAS_BYTES;
  memory.table(process,
               {sent, ridge_call_entry{}, Builder::entry("MPI_Send", 1, 5, program, 0x99)});
  memory.table(process, {sent});
  const auto processes = decode_calls(memory.bytes());
  ASSERT_THAT(processes, SizeIs(1));
  EXPECT_EQ(processes[0].pid, 42U);
  EXPECT_EQ(processes[0].rank, 1);
  ASSERT_THAT(processes[0].calls, SizeIs(2));
  const RecordedCall& elsewhere = processes[0].calls[0];
  EXPECT_EQ(elsewhere.offset, 0x99U);
  EXPECT_EQ(elsewhere.bytes, std::nullopt);
  const RecordedCall& call = processes[0].calls[1];
  EXPECT_EQ(call.file, "/bin/program");
  EXPECT_EQ(call.calls, 6U);
  EXPECT_EQ(call.bytes, 1600U);
  EXPECT_DOUBLE_EQ(call.seconds, 4.0);
  EXPECT_EQ(call.waiting_seconds, std::nullopt);
}

TEST(CallRecords, WhatOneCallLacksNobodyKnowsOfAll) {
  Builder memory;
  const auto process = memory.process(1);
  ridge_call_entry known = Builder::entry("MPI_Recv", 1, 100);
  known.flags = RIDGE_CALL_HAS_BYTES | RIDGE_CALL_HAS_WAITING;
  known.bytes = 8;
  known.waiting_nanoseconds = 50;
  ridge_call_entry unknown = Builder::entry("MPI_Recv", 1, 100);
  unknown.flags = RIDGE_CALL_LACKS_BYTES | RIDGE_CALL_LACKS_WAITING;
  memory.table(process, {known});
  memory.table(process, {unknown});
  const auto calls = decode_calls(memory.bytes()).at(0).calls;
  ASSERT_THAT(calls, SizeIs(1));
  EXPECT_EQ(calls[0].calls, 2U);
  EXPECT_EQ(calls[0].bytes, std::nullopt);
  EXPECT_EQ(calls[0].waiting_seconds, std::nullopt);
}

TEST(CallRecords, WaitingIsPartOfTheTime) {
  Builder memory;
  ridge_call_entry call = Builder::entry("MPI_Barrier", 1, 100);
  call.flags = RIDGE_CALL_HAS_WAITING;
  call.waiting_nanoseconds = std::numeric_limits<std::uint64_t>::max();
  memory.table(memory.process(1), {call});
  const auto calls = decode_calls(memory.bytes()).at(0).calls;
  EXPECT_DOUBLE_EQ(calls.at(0).waiting_seconds.value(), 100e-9);
}

TEST(CallRecords, ProcessesAreOldestFirstAndSomeHaveNoRank) {
  Builder memory;
  memory.process(1);
  memory.process(2, 7, 3);
  const auto processes = decode_calls(memory.bytes());
  ASSERT_THAT(processes, SizeIs(2));
  EXPECT_EQ(processes[0].pid, 1U);
  EXPECT_EQ(processes[0].rank, std::nullopt);
  EXPECT_EQ(processes[1].rank, std::nullopt) << "there are three: 0 to 2";
}

TEST(CallRecords, OtherBytesAreNone) {
  EXPECT_THAT(decode_calls({}), IsEmpty());
  EXPECT_THAT(decode_calls(std::vector<std::byte>(4096)), IsEmpty());
  Builder memory;
  memory.process(1);
  memory.at<ridge_calls>(0).version = RIDGE_CALLS_VERSION + 1;
  EXPECT_THAT(decode_calls(memory.bytes()), IsEmpty());
}

TEST(CallRecords, ChainsThatBiteThemselvesEnd) {
  Builder memory;
  const auto process = memory.process(1);
  const auto table = memory.table(process, {Builder::entry("MPI_Send", 1, 1)});
  memory.at<ridge_call_table>(table).next = table;
  memory.at<ridge_call_process>(process).next = process;
  const auto processes = decode_calls(memory.bytes());
  ASSERT_THAT(processes, SizeIs(1));
  EXPECT_EQ(processes[0].calls.at(0).calls, 1U);
}

TEST(CallRecords, OffsetsAndCountsOutsideAreLeftOut) {
  Builder memory;
  const auto process = memory.process(1);
  const auto path = memory.module(process, "/bin/program");
  const auto table = memory.table(process, {Builder::entry("MPI_Send", 1, 1, path, 5),
                                            Builder::entry("MPI_Recv", 1, 1, 12345, 5)});
  memory.at<ridge_call_table>(table).capacity = std::numeric_limits<std::uint32_t>::max();
  memory.at<ridge_call_table>(table).next = std::numeric_limits<std::uint64_t>::max() - 3;
  memory.at<ridge_call_module>(path).path_bytes = std::numeric_limits<std::uint64_t>::max();
  memory.at<ridge_call_module>(path).next = memory.bytes().size() - 1;
  const auto calls = decode_calls(memory.bytes()).at(0).calls;
  ASSERT_THAT(calls, SizeIs(2)) << "what lies inside is read";
  EXPECT_EQ(calls[0].file, "");
  EXPECT_EQ(calls[1].file, "") << "a module that is none";
}

TEST(CallRecords, NamesThatAreNoneAreLeftOut) {
  Builder memory;
  ridge_call_entry endless = Builder::entry("", 1, 1);
  std::memset(endless.name, 'x', sizeof(endless.name));
  memory.table(memory.process(1), {endless, Builder::entry("", 1, 1), Builder::entry("a\nb", 1, 1),
                                   Builder::entry("MPI_Send", 1, 1)});
  const auto calls = decode_calls(memory.bytes()).at(0).calls;
  ASSERT_THAT(calls, SizeIs(1));
  EXPECT_EQ(calls[0].name, "MPI_Send");
}

TEST(CallRecords, SumsDoNotWrapAround) {
  Builder memory;
  ridge_call_entry many = Builder::entry("MPI_Send", std::numeric_limits<std::uint64_t>::max(), 1);
  const auto process = memory.process(1);
  memory.table(process, {many});
  memory.table(process, {many});
  EXPECT_EQ(decode_calls(memory.bytes()).at(0).calls.at(0).calls,
            std::numeric_limits<std::uint64_t>::max());
}

}  // namespace
}  // namespace ridge::measure
