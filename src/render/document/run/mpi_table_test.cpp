#include "render/document/run/mpi_table.hpp"

#include <algorithm>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::render {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

TextStyle wide() {
  TextStyle style;
  style.columns = 120;
  return style;
}

Region region(std::uint32_t id, const char* name, unsigned line) {
  Region made;
  made.id = id;
  made.kind = RegionKind::function;
  made.name = made.function = name;
  made.file = "src/halo.c";
  made.line = line;
  return made;
}

MpiCall call(const char* name, std::optional<std::uint32_t> region, std::uint64_t calls,
             std::optional<std::uint64_t> bytes, double seconds, std::optional<Seconds> waiting) {
  MpiCall made;
  made.name = name;
  made.region = region;
  made.calls = calls;
  made.bytes = bytes;
  made.seconds = Seconds(seconds);
  made.waiting_seconds = waiting;
  return made;
}

/// Two ranks of 10 s each, 5 s of them in MPI.
Profile two_ranks() {
  Profile profile;
  profile.program.wall_seconds = Seconds(10.0);
  profile.processes.resize(3);
  profile.processes[1].mpi_seconds = Seconds(2.0);
  profile.processes[2].mpi_seconds = Seconds(3.0);
  profile.regions = {region(1, "exchange", 12), region(2, "residual", 40)};
  profile.mpi_calls = {call("MPI_Recv", 1, 1000, 8000, 3.0, Seconds(2.0)),
                       call("MPI_Recv", 2, 1000, 2000, 1.0, Seconds(1.0)),
                       call("MPI_Bcast", std::nullopt, 2, std::nullopt, 1.0, std::nullopt)};
  return profile;
}

TEST(MpiTable, FunctionsAreSummedOverTheirCallers) {
  const MpiTime time = mpi_time(two_ranks());
  EXPECT_DOUBLE_EQ(time.seconds, 5.0);
  EXPECT_DOUBLE_EQ(time.share.value(), 0.25);
  EXPECT_EQ(time.processes, 2U);
  ASSERT_THAT(time.functions, SizeIs(2));
  EXPECT_EQ(time.functions[0].name, "MPI_Recv");
  EXPECT_EQ(time.functions[0].calls, 2000U);
  EXPECT_EQ(time.functions[0].bytes, 10000U);
  EXPECT_DOUBLE_EQ(time.functions[0].waiting_seconds.value(), 3.0);
  ASSERT_THAT(time.functions[0].callers, SizeIs(2));
  EXPECT_EQ(time.functions[0].callers[0].first, "exchange (halo.c:12)");
  EXPECT_DOUBLE_EQ(time.functions[0].callers[0].second, 0.75);
  EXPECT_EQ(time.functions[1].waiting_seconds, std::nullopt);
}

TEST(MpiTable, TerminalShowsShareTimeAndCallers) {
  const std::string text = mpi_table(two_ranks(), wide());
  EXPECT_THAT(text, HasSubstr("MPI: 25 % of the time of 2 processes; 60 % of it waiting; of 20 % "
                              "waiting is not told apart"));
  EXPECT_THAT(text, ContainsRegex("MPI_Recv +2 000 +10.0 kB +5.00 B +4.00 s +80 % +75 % +exchange "
                                  "\\(halo.c:12\\) 75 %, residual \\(halo.c:40\\) 25 %"));
  EXPECT_THAT(text, ContainsRegex("MPI_Bcast +2 +- +- +1.00 s +20 % +-"));
}

TEST(MpiTable, MarkdownHoldsTheSameRows) {
  const std::string text = mpi_markdown(two_ranks());
  EXPECT_THAT(text, HasSubstr("| `MPI_Recv` | 2 000 | 10.0 kB | 5.00 B | 4.00 s | 80 % | 75 % |"));
}

TEST(MpiTable, WithoutCallsThereIsNone) {
  EXPECT_EQ(mpi_table(Profile{}, wide()), "");
  EXPECT_EQ(mpi_markdown(Profile{}), "");
}

TEST(MpiTable, UnknownWallTimesGiveNoShare) {
  Profile profile = two_ranks();
  profile.processes.clear();
  EXPECT_EQ(mpi_headline(mpi_time(profile)),
            "MPI: 60 % of it waiting; of 20 % waiting is not told apart");
}

/// 20 s of wall time: 4 s of messages, 1 s of them in MPI_Bcast, and 12 s in start and end.
TEST(MpiTable, StartAndEndAreNoMessages) {
  Profile profile = two_ranks();
  profile.processes[1].mpi_seconds = Seconds(8.0);
  profile.processes[2].mpi_seconds = Seconds(9.0);
  for (const char* name : {"MPI_Init", "MPI_Init_thread", "MPI_Finalize"}) {
    profile.mpi_calls.push_back(call(name, 1, 2, std::nullopt, 4.0, std::nullopt));
  }
  const std::string headline =
      "MPI: 25 % of the time of 2 processes, and 60 % in MPI_Init and MPI_Finalize; 60 % of it "
      "waiting; of 20 % waiting is not told apart";
  EXPECT_EQ(mpi_headline(mpi_time(profile)), headline);
  EXPECT_THAT(mpi_markdown(profile), HasSubstr(headline.substr(0, 38)));
}

TEST(MpiTable, LittleIsNotWorthAWord) {
  Profile profile = two_ranks();
  profile.mpi_calls[2].seconds = Seconds(0.1);
  profile.mpi_calls.push_back(call("MPI_Init", 1, 2, std::nullopt, 0.1, std::nullopt));
  profile.processes[1].mpi_seconds = Seconds(1.4);
  EXPECT_EQ(mpi_headline(mpi_time(profile)),
            "MPI: 21 % of the time of 2 processes; 73 % of it waiting");
}

TEST(MpiTable, StartAndEndAloneHaveNoWaiting) {
  Profile profile = two_ranks();
  profile.mpi_calls = {call("MPI_Init", 1, 2, std::nullopt, 5.0, std::nullopt)};
  EXPECT_EQ(mpi_headline(mpi_time(profile)),
            "MPI: 0 % of the time of 2 processes, and 25 % in MPI_Init and MPI_Finalize");
}

TEST(MpiTable, TheLeastAreInTheReport) {
  Profile profile = two_ranks();
  profile.mpi_calls.clear();
  for (int i = 0; i < 20; ++i) {
    profile.mpi_calls.push_back(
        call(("MPI_F" + std::to_string(i)).c_str(), 1, 1, 1, 20.0 - i, std::nullopt));
  }
  const std::string text = mpi_table(profile, wide());
  EXPECT_THAT(text, HasSubstr("MPI_F11 "));
  EXPECT_THAT(text, Not(HasSubstr("MPI_F12 ")));
  EXPECT_THAT(text, HasSubstr("8 more functions"));
}

TEST(MpiTable, FitsItsTerminal) {
  TextStyle narrow;
  narrow.columns = 80;
  narrow.unicode = false;
  Profile profile = two_ranks();
  profile.mpi_calls.push_back(call("MPI_Init", std::nullopt, 2, std::nullopt, 9.0, std::nullopt));
  std::istringstream lines(mpi_table(profile, narrow));
  std::size_t longest = 0;
  for (std::string line; std::getline(lines, line);) {
    longest = std::max(longest, line.size());
  }
  EXPECT_LE(longest, 80U);
  EXPECT_GT(longest, 40U);
}

}  // namespace
}  // namespace ridge::render
