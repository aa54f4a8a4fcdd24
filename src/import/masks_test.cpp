#include "import/masks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "import/files_for_tests.hpp"

namespace ridge::imports {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ImportedFile file(const std::string& name) {
  return {name, import_file(name)};
}

const Region& program_of(const Imported& imported) {
  const Region* program = find_region(imported, "program");
  EXPECT_NE(program, nullptr);
  return *program;
}

TEST(Masks, LanesThatWereSwitchedOffLeaveTheFlopsOfTheMix) {
  const std::uint64_t before = program_of(import_file("sde_iform.txt")).flops->total();
  for (const bool masks_first : {false, true}) {
    const auto files =
        apply_masks(masks_first ? std::vector{file("sde_masks.txt"), file("sde_iform.txt")}
                                : std::vector{file("sde_iform.txt"), file("sde_masks.txt")});
    ASSERT_TRUE(files) << files.error().message;
    ASSERT_EQ(files->size(), 1U);
    const Imported& mix = files->at(0).imported;
    EXPECT_EQ(program_of(mix).flops->total(), before - 40);
    EXPECT_EQ(program_of(mix).masked, (MaskedOperations{20, 160, 120}));
    EXPECT_FALSE(has_note(program_of(mix).notes, kMaskedLanes));
    EXPECT_TRUE(has_note(program_of(mix).notes, "masks-read"));
    EXPECT_THAT(mix.other_files, ElementsAre("sde_masks.txt"));
    const Profile profile = profile_of(mix, "sde_iform.txt", std::nullopt, "1");
    EXPECT_EQ(profile.imports.size(), 2U);
  }
}

TEST(Masks, FilesWithoutMasksComeBackAsTheyAre) {
  const auto files = apply_masks({file("sde_iform.txt"), file("caliper.json")});
  ASSERT_TRUE(files);
  ASSERT_EQ(files->size(), 2U);
  EXPECT_EQ(files->at(0).imported, import_file("sde_iform.txt"));
  EXPECT_EQ(files->at(1).imported, import_file("caliper.json"));
}

TEST(Masks, AreNothingWithoutTheirMix) {
  const auto refused = [](std::vector<ImportedFile> files) {
    const auto applied = apply_masks(std::move(files));
    EXPECT_FALSE(applied);
    EXPECT_EQ(applied.error().code, ErrorCode::bad_input);
    return applied.error().message;
  };
  EXPECT_THAT(refused({file("sde_masks.txt")}), HasSubstr("sde_masks.txt"));
  EXPECT_THAT(refused({file("sde_masks.txt"), file("caliper.json")}), HasSubstr("not here"));
  EXPECT_THAT(refused({file("sde_masks.txt"), file("sde_iform.txt"), file("sde_iform.txt")}),
              HasSubstr("several"));
}

/// Twice the same masks: 30 instructions of 8 lanes have 240 flop, 7 times 40 is more.
TEST(Masks, OfAnotherRunAreRefused) {
  std::vector<ImportedFile> files{file("sde_iform.txt")};
  for (int i = 0; i < 7; ++i) {
    files.push_back(file("sde_masks.txt"));
  }
  const auto applied = apply_masks(std::move(files));
  ASSERT_FALSE(applied);
  EXPECT_THAT(applied.error().message, HasSubstr("one run"));
}

}  // namespace
}  // namespace ridge::imports
