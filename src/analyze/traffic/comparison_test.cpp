#include "analyze/traffic/comparison.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyze/program_for_tests.hpp"
#include "analyze/traffic/conditions.hpp"
#include "analyze/traffic/machines_for_tests.hpp"

namespace ridge::analyze {
namespace {

using testing_machines::cache;
using testing_machines::with;
using testing_programs::nest;

/// 8 KiB, 64 KiB.
Machine two_levels() {
  return with({cache(Level::L1, 8, 8), cache(Level::L2, 64, 8)});
}

/// Codes of the notes, at L2 and at memory, for a nest by both methods.
std::vector<std::string> codes(const std::string& source, const std::string& function,
                               const Polynomial::Values& values, const Machine& machine) {
  const LoopNest looked_at = nest(source, function);
  const auto conditions = traffic_by_conditions(looked_at, values, machine, 1);
  const auto simulation = traffic_by_simulation(looked_at, values, machine, 1);
  EXPECT_TRUE(conditions && simulation);
  std::vector<std::string> found;
  for (const Note& note :
       explain_differences(looked_at, values, machine, 1, *conditions, *simulation)) {
    found.push_back(note.code);
  }
  return found;
}

TEST(Comparison, SaysNothingWhereBothAgree) {
  EXPECT_TRUE(codes("stencils.c", "triad", {{"N", 50'000}}, two_levels()).empty());
  EXPECT_TRUE(codes("stencils.c", "five_points", {{"N", 1000}, {"M", 300}}, two_levels()).empty());
}

TEST(Comparison, FindsRowsThatMeetInTheSameSets) {
  // Rows of 8 KiB: a column of 64 of them lies in one set of 8 ways.
  const auto found =
      codes("reference.c", "matvec_by_columns", {{"N", 64}, {"M", 1024}}, two_levels());
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front(), "set-conflicts");
}

TEST(Comparison, FindsRowsThatEndWithinLines) {
  const auto found = codes("stencils.c", "five_points", {{"N", 18}, {"M", 20'000}}, two_levels());
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front(), "row-ends");
}

TEST(Comparison, FindsConditionsNearTheirLimit) {
  // 103 % of 64 KiB, and of each array the last page is not full: some sets hold all their lines.
  const auto found = codes("stencils.c", "triad", {{"N", 2800}}, two_levels());
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front(), "close-to-limit");
}

}  // namespace
}  // namespace ridge::analyze
