#include "cli/ranks/rank_folder.hpp"

#include <algorithm>
#include <atomic>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>

#include "serialize/rank_record.hpp"
#include "tests/temporary_folder.hpp"

namespace ridge::cli {
namespace {

namespace fs = std::filesystem;

RankRecord record_of(unsigned rank) {
  RankRecord record;
  record.rank = rank;
  record.host = "here";
  return record;
}

TEST(RankStart, ComesBackAsItWas) {
  const RankStart start{"1234.5", 16, {0, 4, 8}};
  const auto back = parse_rank_start(write_rank_start(start), "start");
  ASSERT_TRUE(back);
  EXPECT_EQ(*back, start);
}

TEST(RankStart, RefusesWhatItDoesNotWrite) {
  for (const char* text :
       {"", "job a\n", "job a\nranks x\nmeasured 0\n", "job a\nranks 2\nmeasured 2\n",
        "job a\nranks 4\nmeasured 1,0\n", "job a\nranks 4\nmeasured 1,x\n"}) {
    const auto read = parse_rank_start(text, "of-this-file");
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().code, ErrorCode::bad_input);
    EXPECT_NE(read.error().message.find("of-this-file"), std::string::npos);
  }
}

TEST(RankChoice, EveryNth) {
  EXPECT_EQ((RankChoice{{}, 3}.all(8)), (std::vector<unsigned>{0, 3, 6}));
  EXPECT_EQ((RankChoice{{1, 7, 9}, 1}.all(8)), (std::vector<unsigned>{1, 7}));
}

TEST(RankFolder, TheLastOfItsRanksJoinsOnce) {
  const tests::TemporaryFolder home;
  const std::string result = (home.path() / "result").string();
  const RankStart start{"a", 2, {0, 1}};
  const auto first = RankFolder::begin(result, false, start, 0);
  const auto second = RankFolder::begin(result, false, start, 1);
  ASSERT_TRUE(first && second);
  ASSERT_TRUE(first->write(RankRun::first, record_of(0)));
  EXPECT_FALSE(first->is_ours_to_join(RankRun::first, 0));
  ASSERT_TRUE(second->write(RankRun::first, record_of(1)));
  EXPECT_TRUE(second->is_ours_to_join(RankRun::first, 1));
  EXPECT_FALSE(first->is_ours_to_join(RankRun::first, 0)) << "somebody does";
  EXPECT_EQ(first->records(RankRun::first).size(), 2U);
}

TEST(RankFolder, ManyRanksAgreeOnOneFolder) {
  const tests::TemporaryFolder home;
  const std::string result = (home.path() / "result").string();
  std::atomic<unsigned> joins = 0;
  constexpr unsigned kRanks = 16;
  std::vector<unsigned> all;
  for (unsigned rank = 0; rank < kRanks; ++rank) {
    all.push_back(rank);
  }
  std::vector<std::thread> ranks;
  for (unsigned rank = 0; rank < kRanks; ++rank) {
    ranks.emplace_back([&, rank] {
      const auto folder = RankFolder::begin(result, false, {"a", kRanks, all}, rank);
      const bool is_written = folder && folder->write(RankRun::first, record_of(rank));
      joins += is_written && folder->is_ours_to_join(RankRun::first, rank) ? 1 : 0;
    });
  }
  for (std::thread& rank : ranks) {
    rank.join();
  }
  EXPECT_EQ(joins, 1U);
  EXPECT_EQ(RankFolder::open(result)->records(RankRun::first).size(), kRanks);
}

TEST(RankFolder, StaysOursWhenItIsMovedAside) {
  const tests::TemporaryFolder home;
  const fs::path before = fs::current_path();
  fs::current_path(home.path());
  const auto ours = RankFolder::begin(std::nullopt, false, {"a", 2, {0, 1}}, 0);
  const auto later = RankFolder::begin(std::nullopt, false, {"b", 2, {0, 1}}, 0);
  const auto late = RankFolder::begin(std::nullopt, false, {"a", 2, {0, 1}}, 1);
  fs::current_path(before);
  ASSERT_TRUE(ours && later && late);
  EXPECT_EQ(ours->result().filename(), "ridge-out.1");
  EXPECT_EQ(late->result().filename(), "ridge-out.1") << "a rank that comes late finds its start";
  ASSERT_TRUE(ours->write(RankRun::first, record_of(0)));
  EXPECT_TRUE(later->records(RankRun::first).empty());
}

/// Process numbers come again, in containers soon, and with them the names of starts.
TEST(RankFolder, ANameThatComesAgainIsAnotherStart) {
  const tests::TemporaryFolder home;
  const fs::path before = fs::current_path();
  fs::current_path(home.path());
  const RankStart start{"a", 2, {0, 1}};
  const auto first = RankFolder::begin(std::nullopt, false, start, 0);
  const bool is_written = first && first->write(RankRun::first, record_of(0)) &&
                          first->write(RankRun::first, record_of(1));
  const auto again = RankFolder::begin(std::nullopt, false, start, 0);
  const auto other = RankFolder::begin(std::nullopt, false, start, 1);
  fs::current_path(before);
  ASSERT_TRUE(is_written && again && other);
  EXPECT_EQ(first->result().filename(), "ridge-out.1");
  EXPECT_EQ(again->result().filename(), "ridge-out");
  EXPECT_EQ(other->result(), again->result());
  EXPECT_TRUE(again->records(RankRun::first).empty());
}

TEST(RankFolder, MakesTheFoldersAroundIt) {
  const tests::TemporaryFolder home;
  EXPECT_TRUE(
      RankFolder::begin((home.path() / "a" / "b" / "c").string(), false, {"a", 2, {0, 1}}, 0));
}

TEST(RankFolder, ANamedResultIsRefusedWithoutForce) {
  const tests::TemporaryFolder home;
  const std::string result = (home.path() / "result").string();
  ASSERT_TRUE(RankFolder::begin(result, false, {"a", 2, {0, 1}}, 0));
  const auto again = RankFolder::begin(result, false, {"b", 2, {0, 1}}, 0);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::usage);
  EXPECT_TRUE(RankFolder::begin(result, true, {"b", 2, {0, 1}}, 0));
}

TEST(RankFolder, AnotherRunNeedsTheSameRanks) {
  const tests::TemporaryFolder home;
  const auto folder = RankFolder::begin((home.path() / "r").string(), false, {"a", 4, {0, 2}}, 0);
  ASSERT_TRUE(folder);
  EXPECT_TRUE(folder->begin_again(RankRun::traffic, {"b", 4, {0, 2}}, 0));
  const auto other = folder->begin_again(RankRun::counts, {"b", 8, {0, 2, 4, 6}}, 0);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::usage);
}

TEST(RankFolder, ASnapshotStandsUntilTheRecordIsWhole) {
  const tests::TemporaryFolder home;
  const auto folder = RankFolder::begin((home.path() / "r").string(), false, {"a", 2, {0, 1}}, 0);
  ASSERT_TRUE(folder);
  RankRecord record = record_of(1);
  record.is_snapshot = true;
  ASSERT_TRUE(folder->write(RankRun::first, record));
  EXPECT_TRUE(folder->records(RankRun::first).empty());
  EXPECT_EQ(folder->snapshots(RankRun::first).size(), 1U);
  ASSERT_TRUE(folder->write(RankRun::first, record_of(1)));
  EXPECT_EQ(folder->records(RankRun::first).size(), 1U);
  EXPECT_TRUE(folder->snapshots(RankRun::first).empty());
}

TEST(RankFolder, AFolderThatCannotBeWritten) {
  const auto folder = RankFolder::begin("/proc/ridge/result", false, {"a", 2, {0, 1}}, 0);
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().code, ErrorCode::write_failed);
}

/// As rank 0 ran it, and what later ranks ran besides.
CountedCode code_of_rank(unsigned rank) {
  CountedCode code{"1.2.3", {{"/bin/app", "1", {{16, 8}, {32, 8}}}}};
  if (rank > 0) {
    code.files[0].code.push_back({64 * std::uint64_t{rank}, 8});
  }
  return code;
}

/// Of four ranks, which all have been counted.
RankFolder counted_folder(const tests::TemporaryFolder& home, const RankStart& start) {
  auto folder = RankFolder::begin((home.path() / "result").string(), false, start, 0);
  EXPECT_TRUE(folder && folder->begin_again(RankRun::counts, start, 0));
  return std::move(*folder);
}

TEST(CountedCodeOfRanks, IsThereOnceAndWhatARankRanBesides) {
  const tests::TemporaryFolder home;
  const RankFolder folder = counted_folder(home, {"a", 4, {0, 1, 2, 3}});
  for (const unsigned rank : {0U, 1U, 3U}) {
    ASSERT_TRUE(folder.write_code(rank, "/bin/app", code_of_rank(rank)));
  }
  ASSERT_TRUE(folder.write_code(2, "/bin/app", code_of_rank(0)));
  for (const unsigned rank : {0U, 1U, 3U}) {
    const auto code = folder.code_of(rank, "/bin/app");
    ASSERT_TRUE(code) << code.error().message;
    EXPECT_EQ(*code, code_of_rank(rank));
  }
  EXPECT_EQ(folder.code_of(2, "/bin/app").value(), code_of_rank(0));
  const fs::path counts = folder.result() / "ranks" / "counts";
  EXPECT_TRUE(fs::exists(counts / "code-app"));
  EXPECT_TRUE(fs::exists(counts / "0000001.code"));
  EXPECT_FALSE(fs::exists(counts / "0000000.code"));
  EXPECT_FALSE(fs::exists(counts / "0000002.code"));
  EXPECT_TRUE(folder.records(RankRun::counts).empty()) << "they are no records";
}

TEST(CountedCodeOfRanks, AllRanksAtOnceAgree) {
  const tests::TemporaryFolder home;
  const RankFolder folder = counted_folder(home, {"a", 4, {0, 1, 2, 3}});
  std::atomic<unsigned> written = 0;
  constexpr unsigned kRanks = 16;
  std::vector<std::thread> ranks;
  for (unsigned rank = 0; rank < kRanks; ++rank) {
    ranks.emplace_back(
        [&, rank] { written += folder.write_code(rank, "/bin/app", code_of_rank(rank)) ? 1 : 0; });
  }
  for (std::thread& rank : ranks) {
    rank.join();
  }
  EXPECT_EQ(written, kRanks);
  for (unsigned rank = 0; rank < kRanks; ++rank) {
    const auto code = folder.code_of(rank, "/bin/app");
    ASSERT_TRUE(code) << code.error().message;
    const CountedCode own = code_of_rank(rank);
    for (const CodeRange& range : own.files[0].code) {
      EXPECT_EQ(std::ranges::count(code->files.at(0).code, range), 1) << rank;
    }
  }
}

TEST(CountedCodeOfRanks, AnotherCountingStartForgetsIt) {
  const tests::TemporaryFolder home;
  const RankFolder folder = counted_folder(home, {"a", 4, {0, 1, 2, 3}});
  ASSERT_TRUE(folder.write_code(0, "/bin/app", code_of_rank(0)));
  ASSERT_TRUE(folder.begin_again(RankRun::counts, {"b", 4, {0, 1, 2, 3}}, 0));
  EXPECT_FALSE(folder.code_of(0, "/bin/app"));
}

void expect_to_be_counted(const Result<CountedCode>& code, const std::string& word) {
  ASSERT_FALSE(code);
  EXPECT_EQ(code.error().code, ErrorCode::bad_input);
  EXPECT_NE(code.error().message.find(word), std::string::npos) << code.error().message;
  EXPECT_NE(code.error().hint.find("--only-counts"), std::string::npos);
}

TEST(CountedCodeOfRanks, WhatWasNotCountedIsNamed) {
  const tests::TemporaryFolder home;
  const RankFolder folder = counted_folder(home, {"a", 4, {0, 1, 2, 3}});
  expect_to_be_counted(folder.code_of(0, "/bin/app"), "/bin/app was not counted");
  ASSERT_TRUE(folder.write_code(0, "/bin/app", code_of_rank(0)));
  expect_to_be_counted(folder.code_of(0, "/bin/other"), "/bin/other was not counted");
}

TEST(CountedCodeOfRanks, ADamagedFileIsNamed) {
  const tests::TemporaryFolder home;
  const RankFolder folder = counted_folder(home, {"a", 4, {0, 1, 2, 3}});
  ASSERT_TRUE(folder.write_code(0, "/bin/app", code_of_rank(0)));
  ASSERT_TRUE(folder.write_code(1, "/bin/app", code_of_rank(1)));
  const fs::path counts = folder.result() / "ranks" / "counts";
  fs::resize_file(counts / "0000001.code", 20);
  expect_to_be_counted(folder.code_of(1, "/bin/app"), "counts/0000001.code is damaged");
  EXPECT_TRUE(folder.code_of(0, "/bin/app"));
  fs::resize_file(counts / "code-app", 20);
  expect_to_be_counted(folder.code_of(0, "/bin/app"), "counts/code-app is damaged");
}

TEST(FileNameOf, KeepsWhatAFileNameMayHold) {
  EXPECT_EQ(file_name_of("node-1.cluster"), "node-1.cluster");
  EXPECT_EQ(file_name_of("a/b c"), "a_b_c");
  EXPECT_EQ(file_name_of(""), "unknown");
}

}  // namespace
}  // namespace ridge::cli
