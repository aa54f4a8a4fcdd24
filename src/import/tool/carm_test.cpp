#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "import/files_for_tests.hpp"

namespace ridge::imports {
namespace {

using ::testing::HasSubstr;

double rate(const Imported& imported, std::string_view id) {
  const Ceiling* ceiling = find_ceiling(imported.machine, id);
  EXPECT_NE(ceiling, nullptr) << id;
  return ceiling == nullptr ? 0.0 : p90_of(ceiling->value);
}

TEST(Carm, RoofsByMixAndInstructionSet) {
  const Imported imported = import_file("carm.csv");
  ASSERT_TRUE(is_machine(imported));
  EXPECT_EQ(imported.machine.name, "node");
  EXPECT_DOUBLE_EQ(rate(imported, "bandwidth.L1.2load1store.avx512.t1"), 400.5e9);
  EXPECT_DOUBLE_EQ(rate(imported, "bandwidth.DRAM.load.avx512.t1"), 13.0e9);
  EXPECT_EQ(find_ceiling(imported.machine, "bandwidth.L3.load.avx512.t1"), nullptr)
      << "0: not measured";
  EXPECT_DOUBLE_EQ(rate(imported, "compute.fp64.avx512.add.t1"), 46.0e9) << "the higher of two";
  EXPECT_DOUBLE_EQ(rate(imported, "compute.fp64.avx512.fma.t1"), 90.0e9);
  EXPECT_EQ(imported.machine.ceilings.size(), 9U);
}

TEST(Carm, BrokenFilesGiveFileLineAndReason) {
  const std::string text = text_of("carm.csv");
  const std::string head = text.substr(0, text.find("2025"));
  const auto of_row = [&](std::string_view row) {
    return refusal(head + std::string(row), "carm");
  };
  constexpr std::string_view kRates = ",No,1,add,1,1,1,1,1,1,1,1,1,1,1,1\n";
  EXPECT_THAT(of_row("d,avx512,XP,1,1,0" + std::string(kRates)), HasSubstr("f.txt:3:"));
  EXPECT_THAT(of_row("d,avx512,DP,0,1,0" + std::string(kRates)), HasSubstr("Threads"));
  EXPECT_THAT(of_row("d,avx512,DP,1,1,0,No,1,add,x,1,1,1,1,1,1,1,1,1,1,1\n"), HasSubstr("L1"));
  EXPECT_THAT(of_row("d,avx512,DP,1,1,0,No,1,add,1e308,1,1,1,1,1,1,1,1,1,1,1\n"), HasSubstr("L1"));
  std::string unnamed = text;
  unnamed.replace(unnamed.find("DRAM,DRAM"), 4, "\xff ");
  EXPECT_THAT(refusal(unnamed, "carm"), HasSubstr("names no level"));
  EXPECT_THAT(of_row("d\n"), HasSubstr("f.txt:3:"));
  EXPECT_THAT(refusal("Name:,a\n", "carm"), HasSubstr("f.txt:1:"));
  EXPECT_THAT(refusal(text.substr(0, text.find('\n') + 1) + "x\n", "carm"), HasSubstr("f.txt:2:"));
}

}  // namespace
}  // namespace ridge::imports
