#include "measure/binary/engines/bolt_counts.hpp"

#include <elf.h>
#include <vector>

#include <gtest/gtest.h>

#include "measure/code/program_for_tests.hpp"

namespace ridge::measure::binary {
namespace {

constexpr std::uint64_t kBegin = 0x1000;

/// inc eax; call 0x2000; add eax, eax; dec eax; ret
FileBytes calling_code() {
  return {0xff, 0xc0, 0xe8, 0xf9, 0x0f, 0x00, 0x00, 0x01, 0xc0, 0xff, 0xc8, 0xc3};
}

TEST(BoltCounts, NamesFunctionsThatBoltLeftOut) {
  const FileBytes file = elf_file({{".text", kBegin, calling_code(), true}});
  const auto image = machine_code::ElfImage::read(file);
  ASSERT_TRUE(image);
  const BoltCounts counts = count_blocks(*image, {}, {}, {});
  EXPECT_TRUE(counts.blocks.empty());
  EXPECT_EQ(counts.uncounted, (std::vector<std::string>{"code at 0x1000"}));
}

/// As calling_code, with a counter behind each instruction that a mark stands behind.
BoltTables tables_of(std::string name, std::vector<bool> in_use) {
  return {{{std::move(name), {{0, 0, 2, 1, 0}, {2, 1, 7, 2, 1}, {7, 2, 9, 3, 2}}, {}, {0}}},
          std::move(in_use)};
}

TEST(BoltCounts, FindFunctionsByTheNamesOfLocalOnes) {
  const FileBytes file = elf_file({{".text", kBegin, calling_code(), true}});
  const auto image = machine_code::ElfImage::read(file);
  ASSERT_TRUE(image);
  const std::vector<std::uint64_t> counters{9, 9, 4};
  const BoltCounts counts =
      count_blocks(*image, tables_of("f/1", {true, true, true}), {{"f", kBegin}}, counters);
  ASSERT_EQ(counts.blocks.size(), 4U);
  EXPECT_EQ(counts.blocks[0], (CountedBlock{kBegin, 2, 9}));
  EXPECT_EQ(counts.blocks[3], (CountedBlock{kBegin + 9, 3, 4}));
}

TEST(BoltCounts, CountersThatNoCodeAddsToAreNotZeros) {
  const FileBytes file = elf_file({{".text", kBegin, calling_code(), true}});
  const auto image = machine_code::ElfImage::read(file);
  ASSERT_TRUE(image);
  const std::vector<std::uint64_t> counters{0, 0, 0};
  const BoltCounts counts =
      count_blocks(*image, tables_of("f", {false, false, false}), {{"f", kBegin}}, counters);
  EXPECT_TRUE(counts.blocks.empty());
  EXPECT_EQ(counts.uncounted.size(), 1U);
}

}  // namespace
}  // namespace ridge::measure::binary
