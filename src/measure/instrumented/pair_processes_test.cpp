#include "measure/instrumented/pair_processes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::measure {
namespace {

using testing::ElementsAre;

RawProcess process(std::optional<unsigned> rank, const std::string& program) {
  RawProcess made;
  made.rank = rank;
  made.arguments = {program, "-n", "8"};
  return made;
}

TEST(PairProcesses, RanksByTheirRankWhateverBeganFirst) {
  EXPECT_THAT(pair_processes({process(0, "a"), process(1, "a"), process(2, "a")},
                             {process(2, "a"), process(0, "a"), process(1, "a")}),
              ElementsAre(1U, 2U, 0U));
}

TEST(PairProcesses, ProgramsOfOneRankApartAndInOrder) {
  EXPECT_THAT(pair_processes({process(0, "a"), process(0, "b"), process(0, "a")},
                             {process(0, "b"), process(0, "a"), process(0, "a")}),
              ElementsAre(1U, 0U, 2U));
}

TEST(PairProcesses, OthersByTheirOrder) {
  const RawProcess nobody;
  EXPECT_THAT(pair_processes({process({}, "a"), nobody}, {nobody, process({}, "b")}),
              ElementsAre(0U, 1U));
}

TEST(PairProcesses, WhoIsMissingHasNoPartner) {
  EXPECT_THAT(pair_processes({process(0, "a"), process(1, "a")}, {process(1, "a")}),
              ElementsAre(std::nullopt, 0U));
}

}  // namespace
}  // namespace ridge::measure
