#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "import/files_for_tests.hpp"

namespace ridge::imports {
namespace {

using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

std::string instruction(std::string_view disassembly, std::string_view executed,
                        std::string_view elements) {
  return "<instruction-details>\n<disassembly> " + std::string(disassembly) +
         " </disassembly>\n<execution-counts> " + std::string(executed) +
         " </execution-counts>\n<computation-count> " + std::string(elements) +
         " </computation-count>\n</instruction-details>\n";
}

std::vector<WorkTerm> idle_of(const std::string& text) {
  const auto imported = import_text({text, "f"}, "sde-masks");
  EXPECT_TRUE(imported) << (imported ? "" : imported.error().message);
  return imported ? imported->idle_flops.value() : std::vector<WorkTerm>{};
}

/// 20 of 8 lanes, 120 elements computed; moves are no arithmetic.
TEST(SdeMasks, LanesThatAMaskSwitchesOffAreIdle) {
  const Imported imported = import_file("sde_masks.txt");
  EXPECT_THAT(imported.idle_flops.value(),
              UnorderedElementsAre(WorkTerm{Precision::fp64, OperationKind::add, 512, 40}));
  ASSERT_EQ(imported.regions.size(), 1U);
  EXPECT_EQ(imported.regions[0].masked, (MaskedOperations{20, 160, 120}));
}

TEST(SdeMasks, AnFmaHasTwoFlopsInALane) {
  EXPECT_THAT(idle_of(instruction("vfmadd231ps ymm0{k3}, ymm1, ymm2", "10", "50")),
              UnorderedElementsAre(WorkTerm{Precision::fp32, OperationKind::fma, 256, 60}));
  EXPECT_THAT(idle_of(instruction("vmulsd xmm0{k1}, xmm1, xmm2", "10", "4")),
              UnorderedElementsAre(WorkTerm{Precision::fp64, OperationKind::mul, 64, 6}));
}

TEST(SdeMasks, SeveralInstructionsAndThreadsAddUp) {
  const std::string one = "<thread-number> 0 </thread-number>\n" +
                          instruction("vaddpd zmm0{k1}, zmm1, zmm2", "1", "5") +
                          instruction("vsubpd zmm0{k2}, zmm1, zmm2", "1", "7");
  const auto imported = import_text({one + one, "f"}, "sde-masks");
  ASSERT_TRUE(imported);
  EXPECT_THAT(imported->idle_flops.value(),
              UnorderedElementsAre(WorkTerm{Precision::fp64, OperationKind::add, 512, 8}));
  EXPECT_EQ(imported->regions[0].threads, 2U);
}

TEST(SdeMasks, BrokenFilesGiveFileLineAndReason) {
  const auto of = [](const std::string& text) { return refusal(text, "sde-masks"); };
  EXPECT_THAT(of(instruction("vaddpd zmm0{k1}, zmm1, zmm2", "1", "9")), HasSubstr("f.txt:5:"));
  EXPECT_THAT(of(instruction("vaddpd zmm0{k1}, zmm1, zmm2", "x", "1")), HasSubstr("f.txt:3:"));
  EXPECT_THAT(of(instruction("vaddpd zmm0{k1}, zmm1, zmm2", "1", "-1")), HasSubstr("f.txt:4:"));
  EXPECT_THAT(of("<instruction-details>\n<disassembly> vaddpd zmm0, zmm1, zmm2 </disassembly>\n"
                 "</instruction-details>\n"),
              HasSubstr("f.txt:3:"));
  EXPECT_THAT(of("<instruction-details>\n"), HasSubstr("ends within"));
  EXPECT_THAT(of("</instruction-details>\n"), HasSubstr("f.txt:1:"));
  EXPECT_THAT(of("<instruction-details>\n<instruction-details>\n"), HasSubstr("f.txt:2:"));
  EXPECT_THAT(of(instruction("vmovupd zmm0{k1}, zmm1", "1", "1")), HasSubstr("AVX-512"));
}

}  // namespace
}  // namespace ridge::imports
