#include "measure/code/line_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/code/line_table_for_tests.hpp"

namespace ridge::measure {
namespace {

constexpr std::uint64_t kBegin = 0x1000;
constexpr std::uint64_t kEnd = 0x1020;

FileBytes program(const std::vector<LineRow>& rows) {
  auto sections = line_sections({"/src/a.cpp", "/src/./inc/../b.h"}, rows, kEnd);
  sections.insert(sections.begin(), {".text", kBegin, FileBytes(kEnd - kBegin, 0x90), true});
  return elf_file(std::move(sections));
}

std::optional<SourcePosition> at(const FileBytes& file, std::uint64_t address,
                                 const std::vector<machine_code::AddressRange>& wanted = {
                                     {kBegin, kEnd}}) {
  static LineTable table;  // results refer to it
  table = LineTable::read(file, wanted);
  return table.find(address);
}

TEST(LineTable, FromEachRowOnToTheNext) {
  const FileBytes file = program({{kBegin, 1, 10}, {0x1004, 2, 7}, {0x1010, 1, 12}});
  EXPECT_EQ(at(file, kBegin), (SourcePosition{"/src/a.cpp", 10}));
  EXPECT_EQ(at(file, 0x1003), (SourcePosition{"/src/a.cpp", 10}));
  EXPECT_EQ(at(file, 0x1004), (SourcePosition{"/src/b.h", 7}));
  EXPECT_EQ(at(file, kEnd - 1), (SourcePosition{"/src/a.cpp", 12}));
  EXPECT_EQ(at(file, kEnd), std::nullopt);
}

TEST(LineTable, OfOneAddressTheLastRowHolds) {
  const FileBytes file = program({{kBegin, 1, 10}, {0x1004, 1, 11}, {0x1004, 1, 12}});
  EXPECT_EQ(at(file, 0x1004), (SourcePosition{"/src/a.cpp", 12}));
}

TEST(LineTable, LineZeroIsNone) {
  const FileBytes file = program({{kBegin, 1, 10}, {0x1004, 1, 0}, {0x1008, 1, 11}});
  EXPECT_EQ(at(file, 0x1004), std::nullopt);
  EXPECT_EQ(at(file, 0x1008), (SourcePosition{"/src/a.cpp", 11}));
}

TEST(LineTable, NothingOutsideOfWhatIsWanted) {
  const FileBytes file = program({{kBegin, 1, 10}, {0x1008, 1, 11}});
  EXPECT_EQ(at(file, 0x1000, {{0x1008, kEnd}}), std::nullopt);
  EXPECT_EQ(at(file, 0x1009, {{0x1008, kEnd}}), (SourcePosition{"/src/a.cpp", 11}));
  // A row of the function before says nothing of this one.
  EXPECT_EQ(at(file, 0x100C, {{0x1000, 0x100A}, {0x100C, kEnd}}), std::nullopt);
}

TEST(LineTable, WhatIsNoProgramOrHasNoTableIsEmpty) {
  EXPECT_EQ(at({}, kBegin), std::nullopt);
  EXPECT_EQ(at({'#', '!'}, kBegin), std::nullopt);
  EXPECT_EQ(at(elf_file({{".text", kBegin, FileBytes(32, 0x90), true}}), kBegin), std::nullopt);
}

/// Nobody vouches for the file: whatever is cut off or turned over, nothing but lines is wrong.
TEST(LineTable, DamagedTablesAreSurvived) {
  const FileBytes whole = program({{kBegin, 1, 10}, {0x1004, 2, 7}});
  for (std::size_t i = 0; i < whole.size(); ++i) {
    FileBytes damaged = whole;
    damaged[i] = static_cast<std::uint8_t>(~damaged[i]);
    (void)at(damaged, 0x1004);
    damaged.resize(i);
    (void)at(damaged, 0x1004);
  }
  EXPECT_EQ(at(whole, 0x1004), (SourcePosition{"/src/b.h", 7}));
}

}  // namespace
}  // namespace ridge::measure
