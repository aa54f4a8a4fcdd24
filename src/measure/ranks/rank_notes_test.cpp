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
  add_notes(notes, {{"a", "x"}, {"b", "y 1"}, {"b", "y 2"}}, 0);
  add_notes(notes, {{"a", "x"}}, 1);
  const auto finished = finish_notes(notes, 2);
  ASSERT_EQ(finished.size(), 2U);
  EXPECT_EQ(finished[0].text, "x");
  EXPECT_EQ(finished[1].text, "y 1 (on 1 of 2 ranks)");
}

TEST(RankNotes, WhoseNumbersANoteHasInWhateverOrder) {
  const std::vector<Note> first{{"a", "3 lost"}, {"inlined-at", "f:1:2"}};
  const std::vector<Note> second{{"a", "5 lost"}, {"inlined-at", "f:1:3"}};
  CountedNotes notes;
  add_notes(notes, second, 7);
  CountedNotes others;
  add_notes(others, first, 2);
  add_notes(notes, others);
  const auto finished = finish_notes(notes, 3);
  ASSERT_EQ(finished.size(), 2U);
  EXPECT_EQ(finished[0].text, "3 lost (of rank 2, others differ) (on 2 of 3 ranks)");
  EXPECT_EQ(finished[1].text, "f:1:2") << "read by match_regions";
}

TEST(RankNotes, TotalsAreThoseOfAllRanks) {
  CountedNotes notes;
  add_notes(notes, {{"sampling", "464 samples"}, {"machine-busy", "waited 0.14 s in all"}}, 0);
  add_notes(notes, {{"sampling", "461 samples"}, {"machine-busy", "waited 0.142 s in all"}}, 1);
  Profile profile;
  profile.time.unattributed_fraction = 0.25;
  profile.regions.resize(2);
  profile.regions[0].waited_seconds = Seconds(0.2);
  profile.regions[1].waited_seconds = Seconds(0.08);
  take_totals(notes, profile);
  const auto finished = finish_notes(notes, 2);
  EXPECT_NE(finished[0].text.find("25 % of the time"), std::string::npos) << finished[0].text;
  EXPECT_EQ(finished[0].text.find("46"), std::string::npos) << finished[0].text;
  EXPECT_NE(finished[1].text.find("0.28 s"), std::string::npos) << finished[1].text;
  EXPECT_EQ(finished[1].text.find("rank 0"), std::string::npos) << finished[1].text;
}

}  // namespace
}  // namespace ridge::measure
