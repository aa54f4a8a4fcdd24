// What the writer writes can be read back.

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "instrument/engine/engine_fixture.hpp"

namespace ridge::engine_tests {
namespace {

constexpr ridge_record_header kHeader = {0, 0, RIDGE_ENGINE_VALGRIND, 12, 11, RIDGE_RECORD_FORKED};

TEST(RecordWriter, PadsChunksToEight) {
  Sink sink;
  engine_writer writer;
  engine_record_begin(&writer, &sink.sink, &kHeader);
  const std::string note = "a sentence";
  for (std::size_t length = 0; length <= note.size(); ++length) {
    engine_record_chunk(&writer, RIDGE_RECORD_NOTE, note.data(), length, nullptr, 0);
  }
  ASSERT_TRUE(engine_record_end(&writer));
  const Record record = read_record(sink.bytes);
  EXPECT_EQ(record.header.engine, std::uint32_t{RIDGE_ENGINE_VALGRIND});
  EXPECT_EQ(record.header.pid, 12U);
  EXPECT_EQ(record.header.parent_pid, 11U);
  EXPECT_EQ(record.header.flags, std::uint32_t{RIDGE_RECORD_FORKED});
  const std::vector<Chunk> notes = record.of(RIDGE_RECORD_NOTE);
  ASSERT_EQ(notes.size(), note.size() + 1);
  for (std::size_t length = 0; length <= note.size(); ++length) {
    EXPECT_EQ(std::string(notes[length].bytes.begin(), notes[length].bytes.end()),
              note.substr(0, length));
  }
}

TEST(RecordWriter, JoinsTwoPieces) {
  Sink sink;
  engine_writer writer;
  engine_record_begin(&writer, &sink.sink, &kHeader);
  const ridge_record_mapping mapping = {0x1000, 0x3000, 0x200, 7, 1};
  const std::string path = "/a/path";
  engine_record_chunk(&writer, RIDGE_RECORD_MAPPING, &mapping, sizeof(mapping), path.c_str(),
                      path.size() + 1);
  ASSERT_TRUE(engine_record_end(&writer));
  const Chunk chunk = read_record(sink.bytes).of(RIDGE_RECORD_MAPPING).at(0);
  EXPECT_EQ(chunk.at<ridge_record_mapping>(0).end, 0x3000U);
  EXPECT_EQ(chunk.at<ridge_record_mapping>(0).number, 7U);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(chunk.bytes.data()) + sizeof(mapping)), path);
}

TEST(RecordWriter, WritesMoreThanItsBuffer) {
  std::vector<std::uint64_t> numbers(3 * ENGINE_WRITER_BUFFER / 8 + 1);
  std::iota(numbers.begin(), numbers.end(), 0);
  Sink sink;
  engine_writer writer;
  engine_record_begin(&writer, &sink.sink, &kHeader);
  engine_record_open(&writer, RIDGE_RECORD_EXECUTIONS, numbers.size() * 8);
  for (const std::uint64_t number : numbers) {
    engine_record_put(&writer, &number, sizeof(number));
  }
  ASSERT_TRUE(engine_record_end(&writer));
  const Chunk chunk = read_record(sink.bytes).of(RIDGE_RECORD_EXECUTIONS).at(0);
  ASSERT_EQ(chunk.bytes.size(), numbers.size() * 8);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    ASSERT_EQ(chunk.at<std::uint64_t>(i * 8), i);
  }
}

TEST(RecordWriter, LeavesOutWhatIsBeyondTheChunk) {
  Sink sink;
  engine_writer writer;
  engine_record_begin(&writer, &sink.sink, &kHeader);
  engine_record_open(&writer, RIDGE_RECORD_NOTE, 2);
  engine_record_put(&writer, "abcd", 4);
  ASSERT_TRUE(engine_record_end(&writer));
  EXPECT_EQ(read_record(sink.bytes).of(RIDGE_RECORD_NOTE).at(0).bytes.size(), 2U);
}

TEST(RecordWriter, SaysThatAChunkIsShort) {
  Sink sink;
  engine_writer writer;
  engine_record_begin(&writer, &sink.sink, &kHeader);
  engine_record_open(&writer, RIDGE_RECORD_NOTE, 8);
  engine_record_put(&writer, "abcd", 4);
  EXPECT_FALSE(engine_record_end(&writer));
}

TEST(RecordWriter, SaysThatTheFileIsFull) {
  Sink sink;
  sink.room = ENGINE_WRITER_BUFFER;
  engine_writer writer;
  engine_record_begin(&writer, &sink.sink, &kHeader);
  const std::vector<char> much(2 * ENGINE_WRITER_BUFFER);
  engine_record_chunk(&writer, RIDGE_RECORD_NOTE, much.data(), much.size(), nullptr, 0);
  EXPECT_FALSE(engine_record_end(&writer));
  EXPECT_EQ(sink.bytes.size(), std::size_t{ENGINE_WRITER_BUFFER});
}

}  // namespace
}  // namespace ridge::engine_tests
