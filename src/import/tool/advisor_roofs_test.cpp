#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "import/files_for_tests.hpp"

namespace ridge::imports {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

double rate(const Imported& imported, std::string_view id) {
  const Ceiling* ceiling = find_ceiling(imported.machine, id);
  EXPECT_NE(ceiling, nullptr) << id;
  return ceiling == nullptr ? 0.0 : p90_of(ceiling->value);
}

TEST(AdvisorRoofs, RoofsOfOneThreadNeedNoNumberOfThreads) {
  const Imported imported = import_file("advisor_roofs.csv");
  ASSERT_TRUE(is_machine(imported));
  EXPECT_EQ(imported.machine.ceilings.size(), 6U);
  EXPECT_DOUBLE_EQ(rate(imported, "bandwidth.L1.load.any.t1"), 503.64e9);
  EXPECT_DOUBLE_EQ(rate(imported, "bandwidth.DRAM.load.any.t1"), 29.05e9);
  EXPECT_DOUBLE_EQ(rate(imported, "compute.fp32.vector.fma.t1"), 163.66e9);
  EXPECT_DOUBLE_EQ(rate(imported, "compute.fp32.vector.add.t1"), 84.44e9);
  EXPECT_EQ(imported.machine.memories.at(0).level, Level::DRAM);
  for (const char* code : {"threads-unknown", "not-used", "pattern-unknown"}) {
    EXPECT_TRUE(has_note(imported.notes, code)) << code;
  }
}

TEST(AdvisorRoofs, RoofsOfAllThreadsHaveTheNumberThatTheUserGives) {
  const std::string text = text_of("advisor_roofs.csv");
  const auto imported = import_text({text, "f", 24});
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_DOUBLE_EQ(rate(*imported, "bandwidth.L1.load.any.t24"), 12087e9);
  EXPECT_DOUBLE_EQ(rate(*imported, "bandwidth.DRAM.load.any.t24"), 39.04e9);
  EXPECT_DOUBLE_EQ(rate(*imported, "compute.fp32.vector.fma.t24"), 3604e9);
  EXPECT_FALSE(has_note(imported->notes, "threads-unknown"));
}

TEST(AdvisorRoofs, TheScalarPeakHasNoPrecisionAndOneNodeIsNotTheMachine) {
  const Imported imported = import_file("advisor_roofs.csv");
  const auto note = std::find_if(imported.notes.begin(), imported.notes.end(),
                                 [](const Note& each) { return each.code == "not-used"; });
  ASSERT_NE(note, imported.notes.end());
  EXPECT_THAT(note->text, AllOf(HasSubstr("Scalar Add Peak"), HasSubstr("(single node)")));
}

TEST(AdvisorRoofs, AGpuIsADeviceOfItsOwn) {
  const auto imported = import_text(
      {"Name,Bandwidth,Type,Device\nL3 Bandwidth,2.0e11,memory,GPU\n", "f"}, "advisor-roofs");
  ASSERT_TRUE(imported) << imported.error().message;
  ASSERT_EQ(imported->machine.ceilings.size(), 1U);
  EXPECT_EQ(imported->machine.ceilings.at(0).device, "gpu");
}

TEST(AdvisorRoofs, BrokenFilesGiveFileLineAndReason) {
  const auto of_row = [](std::string_view row) {
    return refusal("Name,Bandwidth,Type,Device\n" + std::string(row) + "\n", "advisor-roofs");
  };
  EXPECT_THAT(of_row("L1 Bandwidth,-1,memory,CPU"), HasSubstr("f.txt:2:"));
  EXPECT_THAT(of_row("L1 Bandwidth,x,memory,CPU"), HasSubstr("f.txt:2:"));
  EXPECT_THAT(of_row("L1 Bandwidth,1,disk,CPU"), HasSubstr("f.txt:2:"));
  EXPECT_THAT(of_row("L1 Bandwidth"), HasSubstr("f.txt:2:"));
  EXPECT_THAT(of_row("L1 Bandwidth,1,memory,CPU"), HasSubstr("how many"));
  EXPECT_THAT(refusal("", "advisor-roofs"), HasSubstr("Name"));
}

}  // namespace
}  // namespace ridge::imports
