#include "measure/ranks/rank_notes.hpp"

#include <gtest/gtest.h>

namespace ridge::measure {
namespace {

TEST(RankNotes, NumbersInARowAreARange) {
  EXPECT_EQ(number_list({3}), "3");
  EXPECT_EQ(number_list({3, 4}), "3 and 4");
  EXPECT_EQ(number_list({3, 5, 6, 7, 9}), "3, 5 to 7 and 9");
}

TEST(RankNotes, OnHowManyRanksANoteStood) {
  CountedNotes notes;
  add_notes(notes, {{"a", "x"}, {"b", "y 1"}, {"b", "y 2"}});
  add_notes(notes, {{"a", "x"}});
  const auto finished = finish_notes(notes, 2);
  ASSERT_EQ(finished.size(), 2U);
  EXPECT_EQ(finished[0].text, "x");
  EXPECT_EQ(finished[1].text, "y 1 (on 1 of 2 ranks)");
}

}  // namespace
}  // namespace ridge::measure
