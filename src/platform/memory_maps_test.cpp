#include "platform/memory_maps.hpp"

#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::platform {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(MemoryMaps, TakesWhatCanBeExecuted) {
  const auto maps = parse_memory_maps(
      "00400000-00452000 r-xp 00001000 08:02 173521      /usr/bin/some thing\n"
      "00651000-00652000 r--p 00051000 08:02 173521      /usr/bin/some thing\n"
      "7f00000000-7f00001000 rwxp 00000000 00:00 0 \n"
      "7f00002000-7f00003000 r-xp 00000000 00:00 0                    [vdso]\n"
      "7f00004000-7f00005000 rwxp 00000000 00:00 0                    [heap]\n"
      "7f00006000-7f00007000 r-xp 00003000 08:02 17      /opt/a.so (deleted)\n"
      "7f00008000-7f00009000 r-xs 00000000 08:02 18      /opt/two\\012lines\n",
      5);
  EXPECT_THAT(maps,
              ElementsAre(CodeMapping{5, 0x400000, 0x452000, 0x1000, "/usr/bin/some thing"},
                          CodeMapping{5, 0x7f00000000, 0x7f00001000, 0, ""},
                          CodeMapping{5, 0x7f00002000, 0x7f00003000, 0, "[vdso]"},
                          CodeMapping{5, 0x7f00004000, 0x7f00005000, 0, ""},
                          CodeMapping{5, 0x7f00006000, 0x7f00007000, 0x3000, "/opt/a.so (deleted)"},
                          CodeMapping{5, 0x7f00008000, 0x7f00009000, 0, "/opt/two\nlines"}));
}

TEST(MemoryMaps, LeavesOutWhatIsNoMapping) {
  EXPECT_THAT(parse_memory_maps("\n\nnonsense\n400000 r-xp 0 08:02 1 /a\n"
                                "00400000-00400000 r-xp 00000000 08:02 1 /empty\n"
                                "00500000-00400000 r-xp 00000000 08:02 1 /backwards\n"
                                "00400000-fffffffffffffffff r-xp 00000000 08:02 1 /too/large\n"
                                "00400000-00500000 r-x 00000000 08:02 1 /rights\n"
                                "00400000-00500000 r-xp 0000000g 08:02 1 /offset\n"
                                "00400000-00500000 r-xp 00000000 08:02\n"
                                "00400000-00500000 r-xp",
                                5),
              IsEmpty());
}

TEST(MemoryMaps, OursHoldThisFunction) {
  const auto maps = read_memory_maps(getpid());
  ASSERT_TRUE(maps);
  const auto address = reinterpret_cast<std::uint64_t>(&parse_memory_maps);
  EXPECT_TRUE(std::any_of(maps->begin(), maps->end(), [&](const CodeMapping& mapping) {
    return address >= mapping.begin && address < mapping.end && mapping.path.starts_with('/');
  }));
}

TEST(MemoryMaps, NamesOfTheKernelAreNoPaths) {
  EXPECT_EQ(path_of_mapping("/lib/a.so"), "/lib/a.so");
  EXPECT_EQ(path_of_mapping("[vdso]"), "[vdso]");
  EXPECT_EQ(path_of_mapping("//anon"), "");
  EXPECT_EQ(path_of_mapping("[heap]"), "");
  EXPECT_EQ(path_of_mapping(""), "");
}

/// What an address is found in.
std::optional<CodeMapping> found(AddressSpaces& spaces, pid_t pid, std::uint64_t address) {
  const auto index = spaces.find(pid, address);
  return index == kNoMapping ? std::nullopt : std::optional(spaces.mappings().at(index));
}

TEST(AddressSpaces, FindsFromTheFirstAddressToTheLast) {
  AddressSpaces spaces;
  spaces.map({1, 100, 200, 0, "/a"});
  EXPECT_EQ(spaces.find(1, 99), kNoMapping);
  EXPECT_EQ(found(spaces, 1, 100)->path, "/a");
  EXPECT_EQ(found(spaces, 1, 199)->path, "/a");
  EXPECT_EQ(spaces.find(1, 200), kNoMapping);
  EXPECT_EQ(spaces.find(2, 150), kNoMapping);
  EXPECT_EQ(spaces.mappings().size(), 1U);
}

TEST(AddressSpaces, WhatComesLaterReplacesWhatItCovers) {
  AddressSpaces spaces;
  spaces.map({1, 100, 200, 1000, "/a"});
  spaces.map({1, 120, 140, 0, "/b"});
  EXPECT_EQ(found(spaces, 1, 119), (CodeMapping{1, 100, 120, 1000, "/a"}));
  EXPECT_EQ(found(spaces, 1, 120), (CodeMapping{1, 120, 140, 0, "/b"}));
  EXPECT_EQ(found(spaces, 1, 140), (CodeMapping{1, 140, 200, 1040, "/a"}));
  spaces.map({1, 90, 150, 0, "/c"});
  EXPECT_EQ(found(spaces, 1, 100)->path, "/c");
  EXPECT_EQ(found(spaces, 1, 130)->path, "/c");
  EXPECT_EQ(found(spaces, 1, 150), (CodeMapping{1, 150, 200, 1050, "/a"}));
  spaces.map({1, 90, 100, 0, "/d"});
  EXPECT_EQ(found(spaces, 1, 90), (CodeMapping{1, 90, 100, 0, "/d"}));
  EXPECT_EQ(found(spaces, 1, 100), (CodeMapping{1, 100, 150, 10, "/c"}));
  spaces.map({1, 0, 1000, 0, "/e"});
  EXPECT_EQ(found(spaces, 1, 160), (CodeMapping{1, 0, 1000, 0, "/e"}));
}

TEST(AddressSpaces, AnEmptyMappingIsNone) {
  AddressSpaces spaces;
  spaces.map({1, 100, 100, 0, "/a"});
  spaces.map({1, ~std::uint64_t{0} - 10, 5, 0, "/wraps"});
  EXPECT_EQ(spaces.find(1, 100), kNoMapping);
  EXPECT_EQ(spaces.find(1, ~std::uint64_t{0}), kNoMapping);
}

TEST(AddressSpaces, AChildBeginsWithWhatItsParentHas) {
  AddressSpaces spaces;
  spaces.map({1, 100, 200, 7, "/a"});
  ASSERT_TRUE(found(spaces, 1, 100));
  spaces.fork(1, 2);
  spaces.map({1, 100, 200, 0, "/b"});
  EXPECT_EQ(found(spaces, 2, 100), (CodeMapping{2, 100, 200, 7, "/a"}));
  spaces.forget(1);
  EXPECT_EQ(spaces.find(1, 100), kNoMapping);
  EXPECT_EQ(found(spaces, 2, 100)->path, "/a");
}

TEST(AddressSpaces, WhatIsReadAgainKeepsItsIndex) {
  AddressSpaces spaces;
  spaces.replace(1, {{1, 100, 200, 0, "/a"}, {1, 200, 300, 0, "/b"}});
  const auto a = spaces.find(1, 100);
  const auto b = spaces.find(1, 200);
  spaces.replace(1, {{1, 100, 200, 0, "/a"}, {1, 200, 300, 0, "/c"}});
  EXPECT_EQ(spaces.find(1, 100), a);
  EXPECT_NE(spaces.find(1, 200), b);
  spaces.map({1, 100, 200, 0, "/a"});
  EXPECT_EQ(spaces.find(1, 100), a);
}

}  // namespace
}  // namespace ridge::platform
