#include "measure/ranks/end_notes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::measure {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(EndNotes, TheSignalThatSaysWhyComesFirst) {
  const std::vector<RankEnd> ends{{0, 15, false}, {1, 9, false}, {2, 15, false}, {3, {}, false}};
  const auto notes = end_notes(ends);
  ASSERT_THAT(notes, SizeIs(1));
  EXPECT_EQ(notes[0].code, "ranks-killed");
  EXPECT_EQ(notes[0].text, "rank 1 was killed by signal 9, ranks 0 and 2 by signal 15");
}

TEST(EndNotes, RecordsThatWereCutAreNamed) {
  const std::vector<RankEnd> ends{{0, {}, true}, {1, {}, false}, {2, {}, true}};
  const auto notes = end_notes(ends);
  ASSERT_THAT(notes, SizeIs(1));
  EXPECT_EQ(notes[0].code, "rank-cut-short");
  EXPECT_THAT(notes[0].text, HasSubstr("ranks 0 and 2"));
}

TEST(EndNotes, OfGoodEndsThereIsNothingToSay) {
  EXPECT_THAT(end_notes(std::vector<RankEnd>{{0, {}, false}}), IsEmpty());
}

}  // namespace
}  // namespace ridge::measure
