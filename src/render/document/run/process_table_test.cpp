#include "render/document/run/process_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::render {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

TextStyle wide() {
  TextStyle style;
  style.columns = 100;
  return style;
}

Process process(std::vector<std::string> argv, std::optional<int> rank, double seconds,
                std::optional<std::uint64_t> flops = std::nullopt) {
  Process made;
  made.argv = std::move(argv);
  made.rank = rank;
  made.cpu_seconds = Seconds(seconds);
  made.flops = flops;
  return made;
}

TEST(ProcessTable, RanksStandSideBySide) {
  Profile profile;
  profile.processes = {process({"mpirun", "-n", "2", "./app"}, std::nullopt, 0.001),
                       process({"./app"}, 1, 2.0, 4'000'000'000), process({"./app"}, 0, 1.0)};
  const std::string text = process_table(profile, wide());
  EXPECT_THAT(
      text, ContainsRegex(
                "rank 0: ./app +1.00 s +- +-\n.*rank 1: ./app +2.00 s +4.00 GFlop +2.00 GFlop/s"));
  EXPECT_THAT(text, HasSubstr("CPU time of 2 ranks: 1.00 s (rank 0) to 2.00 s (rank 1)"));
  EXPECT_THAT(text, Not(HasSubstr("mpirun"))) << "took next to nothing";
}

TEST(ProcessTable, OneProcessNeedsNone) {
  Profile profile;
  profile.processes = {process({"sh", "-c", "./app"}, std::nullopt, 0.0001),
                       process({"./app"}, std::nullopt, 2.0)};
  EXPECT_EQ(process_table(profile, wide()), "");
  profile.processes = {Process{}, Process{}};
  EXPECT_EQ(process_table(profile, wide()), "") << "instrumented: times are by region";
}

TEST(ProcessTable, OfManyTheBusiestAreShown) {
  Profile profile;
  for (int rank = 0; rank < 20; ++rank) {
    profile.processes.push_back(process({"./app"}, rank, 1.0 + 0.1 * rank));
  }
  const std::string text = process_table(profile, wide());
  EXPECT_THAT(text, HasSubstr("rank 19"));
  EXPECT_THAT(text, HasSubstr("rank 12"));
  EXPECT_THAT(text, Not(HasSubstr("rank 11:")));
  EXPECT_THAT(text, HasSubstr("12 with less CPU time"));
  EXPECT_THAT(text, HasSubstr("1.00 s (rank 0) to 2.90 s (rank 19)"));
}

}  // namespace
}  // namespace ridge::render
