#include "measure/binary/record/record.hpp"

#include <array>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "measure/binary/record/record_for_tests.hpp"

namespace ridge::measure::binary {
namespace {

using tests::RecordBuilder;

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

/// One of each kind that programs without simulation have.
RecordBuilder small_record() {
  RecordBuilder made(RIDGE_RECORD_BY_THREAD | RIDGE_RECORD_FORKED, RIDGE_ENGINE_DYNAMORIO, 42);
  made.text(RIDGE_RECORD_ARGUMENTS, std::string_view("./a.out\0-n\0\0", 12))
      .mapping(7, 0x1000, 0x3000, 0x200, "/bin/a b")
      .mapping(8, 0x9000, 0xA000, 0, "")
      .block(0x1010, 7, {0x90, 0xC3})
      .block(0x9000, 8, {0xC3})
      .executions(0, {{0, 5}, {1, 1}})
      .executions(3, {{0, 2}})
      .mask(0, 0, 1, 12)
      .mask(3, 0, 1, 4)
      .stack(3, 100, std::array<std::uint64_t, 2>{0x1011, kMost}, 2)
      .text(RIDGE_RECORD_NOTE, "saw nothing")
      .text(RIDGE_RECORD_UNCOUNTED, "main");
  return made;
}

Record read(const std::vector<std::byte>& bytes) {
  auto record = read_record(bytes);
  EXPECT_TRUE(record) << record.error().message;
  return record ? *std::move(record) : Record{};
}

TEST(Record, IsReadAsItWasWritten) {
  const Record record = read(small_record().end().bytes());
  EXPECT_EQ(record.engine, RecordingEngine::dynamorio);
  EXPECT_EQ(record.pid, 42U);
  EXPECT_TRUE(record.forked);
  EXPECT_TRUE(record.by_thread);
  EXPECT_FALSE(record.simulated);
  EXPECT_FALSE(record.serial);
  EXPECT_TRUE(record.complete);
  EXPECT_EQ(record.arguments, (std::vector<std::string>{"./a.out", "-n", ""}));
  ASSERT_EQ(record.mappings.size(), 2U);
  EXPECT_EQ(record.mappings.at(7), (RecordedMapping{0x1000, 0x3000, 0x200, "/bin/a b"}));
  EXPECT_EQ(record.mappings.at(8).path, std::nullopt);
  ASSERT_EQ(record.blocks.size(), 2U);
  EXPECT_EQ(record.blocks[0], (RecordedBlock{0x1010, 7, {0x90, 0xC3}}));
  ASSERT_EQ(record.threads.size(), 2U);
  EXPECT_EQ(record.threads.at(0).executions,
            (std::map<std::uint32_t, std::uint64_t>{{0, 5}, {1, 1}}));
  EXPECT_EQ(record.threads.at(3).tid, 103U);
  EXPECT_EQ(record.active_lanes, (std::map<MaskPlace, std::uint64_t>{{{0, 1}, 16}}));
  ASSERT_EQ(record.stacks.size(), 1U);
  EXPECT_EQ(record.stacks[0].thread, 3U);
  EXPECT_EQ(record.stacks[0].registers.front(), 100U);
  EXPECT_EQ(record.stacks[0].registers.back(), 116U);
  EXPECT_EQ(record.stacks[0].words, (std::vector<std::uint64_t>{0x1011, kMost}));
  EXPECT_EQ(record.notes, std::vector<std::string>{"saw nothing"});
  EXPECT_EQ(record.uncounted, std::vector<std::string>{"main"});
}

TEST(Record, SimulatedFiguresAreByRegionAndAddUp) {
  ridge_record_traffic traffic{5, 2, {}};
  traffic.traffic.crossed[1] = {10, 20};
  ridge_region_lines lines{};
  lines.held[3] = 9;
  ridge_region_pilot pilot{};
  pilot.levels[0].verdict = RIDGE_PILOT_EVEN;
  pilot.levels[1].verdict = RIDGE_PILOT_EVEN;
  pilot.levels[1].variation = std::numeric_limits<float>::quiet_NaN();
  RecordBuilder made(RIDGE_RECORD_SIMULATED);
  made.values(RIDGE_RECORD_TRAFFIC, traffic)
      .values(RIDGE_RECORD_TRAFFIC, traffic)
      .values(RIDGE_RECORD_SAMPLED, traffic)
      .values(RIDGE_RECORD_ELSEWHERE, traffic)
      .values(RIDGE_RECORD_LINES, std::uint64_t{5}, lines)
      .values(RIDGE_RECORD_PILOT, std::uint64_t{5}, pilot)
      .values(RIDGE_RECORD_LOST, std::uint64_t{3})
      .values(RIDGE_RECORD_LOST, kMost)
      .end();
  const Record record = read(made.bytes());
  EXPECT_TRUE(record.simulated);
  EXPECT_EQ(record.traffic.at(5).crossed[1].written, 40U);
  EXPECT_EQ(record.sampled_traffic.at(5).crossed[1].read, 10U);
  EXPECT_EQ(record.elsewhere.at(2).at(5).crossed[1].read, 10U);
  EXPECT_EQ(record.lines.at(5).held[3], 9U);
  EXPECT_EQ(record.pilots.at(5).levels[0].verdict, RIDGE_PILOT_EVEN);
  EXPECT_EQ(record.pilots.at(5).levels[1].verdict, RIDGE_PILOT_UNPROVEN);
  EXPECT_EQ(record.lost_accesses, kMost);
}

TEST(Record, WhatIsCutIsReadAsFarAsItGoes) {
  const auto whole = small_record().end().bytes();
  for (std::size_t size = sizeof(ridge_record_header); size < whole.size(); ++size) {
    const auto record = read_record(std::span(whole).first(size));
    ASSERT_TRUE(record) << size << ": " << record.error().message;
    EXPECT_EQ(record->complete, false) << size;
    EXPECT_EQ(record->pid, 42U);
  }
  EXPECT_FALSE(read_record(std::span(whole).first(sizeof(ridge_record_header) - 1)));
}

TEST(Record, OtherFilesAndVersionsAreRefusedWithTheirPlace) {
  const auto refused = [](std::size_t offset, std::uint32_t value) {
    auto bytes = small_record().end().bytes();
    std::memcpy(bytes.data() + offset, &value, sizeof value);
    const auto record = read_record(bytes);
    EXPECT_FALSE(record);
    return record ? Error{} : record.error();
  };
  EXPECT_EQ(refused(0, 1).code, ErrorCode::bad_input);
  EXPECT_NE(refused(4, 99).message.find("byte 4"), std::string::npos);
  EXPECT_NE(refused(4, 99).message.find("version 99"), std::string::npos);
  EXPECT_NE(refused(8, 0).message.find("engine"), std::string::npos);
}

TEST(Record, UnknownKindsAreSkipped) {
  auto made = small_record();
  made.text(4711, "of a later version").end();
  EXPECT_TRUE(read(made.bytes()).complete);
}

TEST(Record, ContradictionsAreRefused) {
  const auto is_refused = [](const RecordBuilder& built) {
    RecordBuilder made = built;
    const auto record = read_record(made.end().bytes());
    return !record && record.error().message.find("byte ") != std::string::npos;
  };
  using B = RecordBuilder;
  EXPECT_TRUE(is_refused(B().mapping(0, 0x2000, 0x1000, 0, "/a")));
  EXPECT_TRUE(is_refused(B().mapping(0, 1, 2, 0, std::string_view("/a\0b", 4))));
  EXPECT_TRUE(is_refused(B().mapping(0, 1, 2, 0, "/a").mapping(0, 1, 2, 0, "/b")));
  EXPECT_TRUE(is_refused(B().block(0x1000, 0, std::initializer_list<std::uint8_t>{})));
  EXPECT_TRUE(is_refused(B().block(kMost, 0, {0x90})));
  EXPECT_TRUE(is_refused(B().values(RIDGE_RECORD_BLOCK, ridge_record_block{1, 0, 0, 9, 0})));
  EXPECT_TRUE(is_refused(B().values(RIDGE_RECORD_BLOCK, ridge_record_block{1, 1, 0, 0, 0})));
  EXPECT_TRUE(is_refused(B().executions(0, {{0, 1}})));
  EXPECT_TRUE(is_refused(B().executions(0, {{kMost, 1}})));
  EXPECT_TRUE(
      is_refused(B().values(RIDGE_RECORD_EXECUTIONS, ridge_record_thread{0, 0, kMost / 8})));
  EXPECT_TRUE(is_refused(
      B().values(RIDGE_RECORD_ELSEWHERE, ridge_record_traffic{0, RIDGE_ELSEWHERE_MAX, {}})));
  EXPECT_TRUE(is_refused(B().text(RIDGE_RECORD_TRAFFIC, "short")));
  EXPECT_TRUE(is_refused(B().text(RIDGE_RECORD_LOST, "short")));
  EXPECT_TRUE(
      is_refused(B().values(RIDGE_RECORD_UNKNOWN, ridge_record_unknown{1, UINT32_MAX, 16}, kMost)));
}

TEST(Record, StacksHaveAllTheirRegistersAndWords) {
  const auto is_refused = [](const RecordBuilder& built) {
    RecordBuilder made = built;
    const auto record = read_record(made.end().bytes());
    return !record && record.error().code == ErrorCode::bad_input &&
           record.error().message.find("byte 24") != std::string::npos;
  };
  const auto chunk_of = [](std::size_t size) {
    RecordBuilder made;
    made.chunk(RIDGE_RECORD_STACK, std::vector<std::byte>(size));
    return made;
  };
  const std::vector<std::uint64_t> words((1U << 13U) + 1);
  using B = RecordBuilder;
  EXPECT_TRUE(is_refused(chunk_of(sizeof(ridge_record_stack) - 1)));
  EXPECT_FALSE(is_refused(chunk_of(sizeof(ridge_record_stack))));
  EXPECT_TRUE(is_refused(B().stack(0, 0, std::span(words).first(2), 3)));
  EXPECT_TRUE(is_refused(B().stack(0, 0, std::span(words).first(2), UINT32_MAX)));
  EXPECT_TRUE(is_refused(B().stack(0, 0, words, 1U << 29U)));
  EXPECT_TRUE(is_refused(B().stack(0, 0, words, (1U << 13U) + 1)));
  EXPECT_FALSE(is_refused(B().stack(0, 0, words, 1U << 13U)));
}

TEST(Record, ARankIsWhatTheLauncherSays) {
  using namespace std::string_view_literals;
  RecordBuilder made;
  const auto record = read_record(made.text(RIDGE_RECORD_LAUNCHED, "PMI_RANK=3\0"sv).end().bytes());
  ASSERT_TRUE(record);
  EXPECT_EQ(record->rank, 3);
  RecordBuilder serial;
  EXPECT_EQ(read_record(serial.end().bytes())->rank, std::nullopt);
  RecordBuilder garbage;
  EXPECT_EQ(
      read_record(garbage.text(RIDGE_RECORD_LAUNCHED, "PMI_RANK=\xff\0\0"sv).end().bytes())->rank,
      std::nullopt);
}

TEST(Record, AStackMayEndWithinAWord) {
  const auto stack_of = [](std::uint32_t word_count) {
    RecordBuilder made;
    made.values(RIDGE_RECORD_STACK, ridge_record_stack{1, word_count, {}}, std::uint64_t{7},
                std::array<std::uint8_t, 3>{});
    return read_record(made.text(RIDGE_RECORD_NOTE, "behind").end().bytes());
  };
  const auto record = stack_of(1);
  ASSERT_TRUE(record);
  EXPECT_EQ(record->stacks.at(0).words, std::vector<std::uint64_t>{7});
  EXPECT_EQ(record->notes.at(0), "behind");
  EXPECT_FALSE(stack_of(2));
}

TEST(Record, ExecutionsSaturate) {
  RecordBuilder made;
  made.block(0, 0, {0xC3}).executions(0, {{0, kMost}, {0, 2}, {0, 0}}).end();
  EXPECT_EQ(read(made.bytes()).threads.at(0).executions.at(0), kMost);
}

TEST(Record, TextsForPeopleHoldNoControlCharacters) {
  RecordBuilder made;
  made.text(RIDGE_RECORD_NOTE, "a\x1b[2J\xC3\xA4\xFF\xC2\x80z").end();
  EXPECT_EQ(read(made.bytes()).notes.at(0), "a?[2J\xC3\xA4???z");
}

TEST(Record, MappingOfABlockLiesAroundAllOfIt) {
  RecordBuilder made;
  made.mapping(0, 0x1000, 0x1002, 0, "/a").block(0x1000, 0, {0x90, 0xC3});
  made.block(0x1001, 0, {0x90, 0xC3}).block(0x1000, 5, {0xC3}).end();
  const Record record = read(made.bytes());
  EXPECT_EQ(record.mapping_of(record.blocks[0]), &record.mappings.at(0));
  EXPECT_EQ(record.mapping_of(record.blocks[1]), nullptr);
  EXPECT_EQ(record.mapping_of(record.blocks[2]), nullptr);
}

TEST(Record, BytesThatWereChangedAtRandomNeverCrash) {
  std::mt19937 random(1);
  const auto whole = small_record().end().bytes();
  unsigned accepted = 0;
  for (unsigned round = 0; round < 20000; ++round) {
    auto bytes = whole;
    for (unsigned i = 0; i < 1 + round % 3; ++i) {
      bytes[random() % bytes.size()] = static_cast<std::byte>(random());
    }
    const auto record = read_record(bytes);
    accepted += record ? 1 : 0;
    if (record) {
      for (const auto& [number, thread] : record->threads) {
        for (const auto& [block, executions] : thread.executions) {
          ASSERT_LT(block, record->blocks.size());
          ASSERT_NE(executions, 0U);
        }
      }
    }
  }
  EXPECT_GT(accepted, 0U);
  EXPECT_LT(accepted, 20000U);
}

}  // namespace
}  // namespace ridge::measure::binary
