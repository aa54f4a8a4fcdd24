#include "cli/common/nearest_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::cli {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(NearestNames, TheDistanceCountsEdits) {
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("abc", ""), 3U);
  EXPECT_EQ(edit_distance("same", "same"), 0U);
  EXPECT_EQ(edit_distance("abcd", "acbd"), 2U);
}

TEST(NearestNames, OffersPartsOfNamesAndSlipsOfTheHand) {
  const std::vector<std::string> names{"triad", "dot", "h100-80-sxm5", "h100-80-pcie", "zen4-9654"};
  EXPECT_THAT(nearest_names("H100", names), ElementsAre("h100-80-sxm5", "h100-80-pcie"));
  EXPECT_THAT(nearest_names("h100", names, 1), ElementsAre("h100-80-sxm5"));
  EXPECT_THAT(nearest_names("traid", names), ElementsAre("triad"));
  EXPECT_THAT(nearest_names("tria", names), ElementsAre("triad"));
  EXPECT_THAT(nearest_names("zen4-9645", names), ElementsAre("zen4-9654"));
  EXPECT_THAT(nearest_names("completely-different", names), IsEmpty());
  EXPECT_THAT(nearest_names("", names), IsEmpty());
}

TEST(NearestNames, AreAskedForInOneSentence) {
  EXPECT_EQ(did_you_mean("zen6", {"zen2", "zen3", "zen4", "zen5", "a64fx"}),
            "Did you mean zen2, zen3 or zen4? ");
  EXPECT_EQ(did_you_mean("traid", {"triad", "dot"}), "Did you mean triad? ");
  EXPECT_EQ(did_you_mean("nothing-like-it", {"triad", "dot"}), "");
}

}  // namespace
}  // namespace ridge::cli
