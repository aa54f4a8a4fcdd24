#include "serialize/rank_record.hpp"

#include <random>
#include <string>

#include <gtest/gtest.h>

#include "serialize/compact/compact_bytes.hpp"
#include "serialize/random_values.hpp"

namespace ridge::serialize {
namespace {

RankRecord random_record(std::mt19937_64& random) {
  RankRecord record;
  record.rank = static_cast<unsigned>(random() % 10000);
  record.host = "node-7";
  record.cpus = {0, 1, 64, 65};
  record.profile = random_profile(random);
  record.profile.machine = Machine{};
  return record;
}

TEST(RankRecord, ComesBackAsItWas) {
  std::mt19937_64 random(20261127);
  for (int i = 0; i < 300; ++i) {
    const RankRecord record = random_record(random);
    const auto back = parse_rank_record(write_rank_record(record), "r");
    ASSERT_TRUE(back) << back.error().message;
    ASSERT_EQ(*back, record) << i;
  }
}

TEST(RankRecord, LeavesTheMachineOut) {
  RankRecord record;
  record.profile.machine.name = "laptop";
  const auto back = parse_rank_record(write_rank_record(record), "r");
  ASSERT_TRUE(back);
  EXPECT_EQ(back->profile.machine, Machine{});
}

TEST(RankRecord, RefusesEveryPart) {
  std::mt19937_64 random(7);
  const std::string bytes = write_rank_record(random_record(random));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto part = parse_rank_record(std::string_view(bytes).substr(0, size), "r");
    ASSERT_FALSE(part) << size;
    ASSERT_EQ(part.error().code, ErrorCode::bad_input);
  }
  EXPECT_FALSE(parse_rank_record(bytes + "x", "r"));
}

TEST(RankRecord, SurvivesBytesThatWereChanged) {
  std::mt19937_64 random(8);
  for (int round = 0; round < 40; ++round) {
    const std::string bytes = write_rank_record(random_record(random));
    for (int i = 0; i < 50; ++i) {
      std::string changed = bytes;
      changed[random() % changed.size()] = static_cast<char>(random());
      if (const auto read = parse_rank_record(changed, "file-of-rank"); !read) {
        EXPECT_NE(read.error().message.find("file-of-rank"), std::string::npos);
      }
    }
  }
}

TEST(CompactBytes, SmallNumbersTakeOneByteAndTextsStandOnce) {
  CompactWriter writer;
  writer.whole(127);
  EXPECT_EQ(writer.bytes().size(), 1U);
  writer.whole(~0ULL);
  EXPECT_EQ(writer.bytes().size(), 11U);
  writer.text("jacobi_sweep");
  const std::size_t once = writer.bytes().size();
  writer.text("jacobi_sweep");
  EXPECT_EQ(writer.bytes().size(), once + 1);
  CompactReader reader(writer.bytes());
  EXPECT_EQ(reader.whole(), 127U);
  EXPECT_EQ(reader.whole(), ~0ULL);
  EXPECT_EQ(reader.text(), "jacobi_sweep");
  EXPECT_EQ(reader.text(), "jacobi_sweep");
  EXPECT_TRUE(reader.at_end());
  EXPECT_FALSE(reader.failed());
}

TEST(CompactBytes, WholeNumbersBeyond64BitsFail) {
  CompactReader reader(std::string_view("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 10));
  EXPECT_EQ(reader.whole(), 0U);
  EXPECT_TRUE(reader.failed());
}

}  // namespace
}  // namespace ridge::serialize
