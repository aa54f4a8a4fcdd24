#include "measure/binary/engines/bolt_record.hpp"

#include <gtest/gtest.h>

#include "abi/bolt_counters.h"
#include "measure/binary/record/record.hpp"
#include "measure/code/program_for_tests.hpp"

namespace ridge::measure::binary {
namespace {

FileBytes counters_file(std::uint64_t count) {
  FileBytes file;
  append(file, ridge_bolt_header{RIDGE_BOLT_MAGIC, RIDGE_BOLT_VERSION, 12, 11, count,
                                 2U * RIDGE_BOLT_PAGE});
  file.resize(RIDGE_BOLT_PAGE);
  append(file, std::uint64_t{70});
  append(file, std::uint64_t{80});
  file.resize(2U * RIDGE_BOLT_PAGE);
  for (const char each : std::string_view("./a\0-n\0", 7)) {
    append(file, each);
  }
  return file;
}

TEST(BoltCounters, AreReadWithTheProcess) {
  const auto read = read_bolt_counters(counters_file(2));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->pid, 12U);
  EXPECT_EQ(read->parent_pid, 11U);
  EXPECT_EQ(read->counters, (std::vector<std::uint64_t>{70, 80}));
  EXPECT_EQ(read->arguments, std::string("./a\0-n\0", 7));
}

TEST(BoltCounters, AreRefusedWhereTheFileBeliesThem) {
  EXPECT_FALSE(read_bolt_counters({}));
  EXPECT_FALSE(read_bolt_counters(FileBytes(RIDGE_BOLT_PAGE)));
  EXPECT_FALSE(read_bolt_counters(counters_file(10000)));
  EXPECT_FALSE(read_bolt_counters(counters_file(UINT64_MAX / 8)));
  FileBytes cut = counters_file(2);
  cut.resize(RIDGE_BOLT_PAGE + 8);
  EXPECT_FALSE(read_bolt_counters(cut));
}

TEST(BoltRecord, HoldsBlocksWithTheCodeOfTheFile) {
  const FileBytes file = elf_file({{".text", 0x1000, {0x90, 0x48, 0xff, 0xc0, 0xc3}, true}});
  const auto image = machine_code::ElfImage::read(file);
  ASSERT_TRUE(image);
  const BoltCounters process{12, 11, {}, std::string("./a\0-n\0", 7)};
  // The last block is not in the file.
  const BoltCounts counts{{{0x1001, 3, 70}, {0x1004, 1, 80}, {0x2000, 4, 1}}, {"g", "h"}};
  const auto bytes = bolt_record(*image, "/bin/a", process, counts);
  const auto record = read_record(std::as_bytes(std::span(bytes)));
  ASSERT_TRUE(record) << record.error().message;
  EXPECT_EQ(record->engine, RecordingEngine::bolt);
  EXPECT_TRUE(record->complete);
  EXPECT_FALSE(record->by_thread);
  EXPECT_EQ(record->pid, 12U);
  EXPECT_EQ(record->arguments, (std::vector<std::string>{"./a", "-n"}));
  ASSERT_EQ(record->blocks.size(), 2U);
  EXPECT_EQ(record->blocks[0].address, 0x1001U);
  EXPECT_EQ(record->blocks[0].code, (std::vector<std::uint8_t>{0x48, 0xff, 0xc0}));
  ASSERT_NE(record->mapping_of(record->blocks[0]), nullptr);
  EXPECT_EQ(record->mapping_of(record->blocks[0])->path, "/bin/a");
  EXPECT_EQ(record->threads.at(0).executions,
            (std::map<std::uint32_t, std::uint64_t>{{0, 70}, {1, 80}}));
  EXPECT_EQ(record->uncounted, (std::vector<std::string>{"g", "h"}));
}

}  // namespace
}  // namespace ridge::measure::binary
