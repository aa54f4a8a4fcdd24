#include "measure/binary/engines/bolt_patch.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "measure/code/program_for_tests.hpp"

namespace ridge::measure::binary {
namespace {

FileBytes program_with(FileBytes code) {
  return elf_file({{".text", 0x1000, std::move(code), true},
                   {".bolt.instr.counters", 0x2000, FileBytes(32), false}});
}

TEST(BoltPatch, TakesLocksOffCountersAlone) {
  const FileBytes code{0xf0, 0x48, 0xff, 0x05, 0xf8, 0x0f, 0x00, 0x00,  // 0x1008 + 0xff8 = 0x2000
                       0xf0, 0x48, 0xff, 0x05, 0xf0, 0x1f, 0x00, 0x00,  // 0x3000: the program's
                       0xf0, 0x48, 0xff, 0x05, 0x00, 0x10};             // cut
  const FileBytes file = program_with(code);
  const auto patched = without_locks(file);
  ASSERT_TRUE(patched) << patched.error().message;
  FileBytes expected = file;
  expected[sizeof(Elf64_Ehdr)] = 0x3e;
  EXPECT_EQ(*patched, expected);
}

TEST(BoltPatch, RefusesAProgramWithoutCounters) {
  EXPECT_FALSE(without_locks(elf_file({{".text", 0x1000, {0xc3}, true}})));
  EXPECT_FALSE(without_locks({}));
}

TEST(BoltPatch, LeavesLocksToWhatIsNotKnownToHaveOneThread) {
  const FileBytes file = program_with({0xc3});  // without a list of libraries
  const auto image = machine_code::ElfImage::read(file);
  ASSERT_TRUE(image);
  EXPECT_FALSE(runs_in_one_thread(*image));
}

}  // namespace
}  // namespace ridge::measure::binary
