#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "import/files_for_tests.hpp"

namespace ridge::imports {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const WorkTerm* find_term(const Region& region, OperationKind kind, unsigned width) {
  for (const WorkTerm& term : region.flops->terms) {
    if (term.kind == kind && term.width_bits == width) {
      return &term;
    }
  }
  return nullptr;
}

/// 16 + 4 + 30 scalar flops, 30 sums of 8 lanes, 2000 fma of 4 lanes. COMISS and UCOMISD, which the
/// lines *elements_fp_* count, are no flops.
TEST(Sde, IformsGiveKindsWidthsAndBytes) {
  const Imported imported = import_file("sde_iform.txt");
  EXPECT_EQ(imported.version, "9.24.0 external");
  ASSERT_EQ(imported.regions.size(), 2U);
  const Region& program = imported.regions[1];
  EXPECT_EQ(program.kind, RegionKind::program);
  EXPECT_EQ(program.threads, 2U);
  EXPECT_EQ(program.flops->total(Precision::fp64), 16U + 4 + 30 + 30 * 8 + 2000 * 4 * 2);
  EXPECT_FALSE(program.flops->total(Precision::fp32));
  ASSERT_NE(find_term(program, OperationKind::fma, 256), nullptr);
  EXPECT_EQ(find_term(program, OperationKind::fma, 256)->flops, 16000U);
  EXPECT_EQ(find_term(program, OperationKind::add, 512)->flops, 240U);
  EXPECT_EQ(find_term(program, OperationKind::div, 64)->flops, 4U);
  EXPECT_EQ(program.bytes_loaded, 8U * 40 + 32 * 4000);
  EXPECT_EQ(program.bytes_stored, 8U * 20 + 32 * 2000);
  EXPECT_EQ(program.traffic.at("L1"), (Traffic{128320, 64160}));
  EXPECT_FALSE(program.time_seconds.self);
  EXPECT_TRUE(has_note(program.notes, "masked-lanes"));
  EXPECT_TRUE(has_note(imported.notes, "instruction-sets"));
}

TEST(Sde, FunctionsOfAllThreadsTogether) {
  const Imported imported = import_file("sde_iform.txt");
  const Region* triad = find_region(imported, "triad");
  ASSERT_NE(triad, nullptr);
  EXPECT_EQ(triad->function, "triad");
  EXPECT_EQ(triad->flops->total(), 16000U);
  EXPECT_EQ(triad->bytes_loaded, 128000U);
  EXPECT_FALSE(has_note(triad->notes, "masked-lanes"));
}

TEST(Sde, OpcodesHaveFlopsWhereOneWidthRan) {
  const std::string text = text_of("sde_opcode.txt");
  const auto imported = import_text({text, "f"});
  ASSERT_TRUE(imported);
  EXPECT_EQ(imported->regions.at(0).flops->total(), 16U + 4 + 30 + 16000);

  std::string two = text;
  two.insert(two.find("*elements_fp_double_4 "), "*elements_fp_double_2  5\n");
  const auto unknown = import_text({two, "f"});
  ASSERT_TRUE(unknown);
  EXPECT_FALSE(unknown->regions.at(0).flops);
  EXPECT_TRUE(has_note(unknown->regions.at(0).notes, "width-unknown"));
  EXPECT_EQ(unknown->regions.at(0).bytes_loaded, 128320U);
}

std::string mix(std::string_view lines) {
  return "# Intel(R) SDE version: 9\n# EMIT_GLOBAL_DYNAMIC_STATS   EMIT# 1\n" + std::string(lines) +
         "# END_GLOBAL_DYNAMIC_STATS\n";
}

Region program_of(std::string_view lines) {
  const auto imported = import_text({mix(lines), "f"});
  EXPECT_TRUE(imported) << lines;
  return imported ? imported->regions.at(0) : Region{};
}

/// Each with the flops of one execution.
TEST(Sde, FlopsOfAnInstruction) {
  const auto flops = [](std::string_view name) {
    return program_of(std::string(name) + " 10\n*total 10\n").flops->total() / 10;
  };
  EXPECT_EQ(flops("VFNMSUB213SS_XMMd_XMMd_MEMd"), 2U);
  EXPECT_EQ(flops("VFMADDSUB132PS_XMMdq_XMMdq_XMMdq"), 8U);
  EXPECT_EQ(flops("HADDPD_XMMpd_XMMpd"), 2U);
  EXPECT_EQ(flops("VSQRTPS_YMMqq_YMMqq"), 8U);
  EXPECT_EQ(flops("VMULPH_ZMMf16_MASKmskw_ZMMf16_ZMMf16_AVX512"), 32U);
  EXPECT_EQ(flops("VDPBF16PS_ZMMf32_MASKmskw_ZMMu32_ZMMu32_AVX512"), 64U);
  for (const std::string_view name :
       {"VMAXPD_YMMqq_YMMqq_YMMqq", "UCOMISD_XMMsd_XMMsd", "PADDD_XMMdq_XMMdq", "ADD_GPRv_GPRv_01",
        "VCVTPS2PD_YMMqq_XMMdq", "VADDSUBPQ_XMM_XMM", "VFMADDPD_XMM_XMM_XMM_XMM"}) {
    EXPECT_EQ(flops(name), 0U) << name;
  }
}

TEST(Sde, WhatTheMixDoesNotSayIsTold) {
  EXPECT_TRUE(has_note(program_of("FADD_ST0_MEMm64real 3\n*total 3\n").notes, "not-used"));
  EXPECT_TRUE(has_note(program_of("TDPBF16PS_TMM_TMM_TMM 3\n*total 3\n").notes, "not-used"));
  EXPECT_FALSE(has_note(program_of("FADD_ST0_MEMm64real 0\n*total 3\n").notes, "not-used"));
}

TEST(Sde, BrokenFilesGiveFileLineAndReason) {
  EXPECT_THAT(refusal(mix("*total x\n")), AllOf(HasSubstr("f.txt:3:"), HasSubstr("count")));
  EXPECT_THAT(refusal(mix("*mem-read-8 1\n*mem-read-8 1\n*total 1\n")),
              AllOf(HasSubstr("f.txt:4:"), HasSubstr("twice")));
  EXPECT_THAT(refusal(mix("*mem-read-8 1\n")), AllOf(HasSubstr("f.txt:4:"), HasSubstr("*total")));
  EXPECT_THAT(refusal(mix("*total 1\n") + mix("*total 1\n")), HasSubstr("second section"));
  EXPECT_THAT(refusal(mix("*mem-read-8 18446744073709551615\n*total 1\n")), HasSubstr("cannot be"));
  EXPECT_THAT(refusal("# Mix output version 10\n"), HasSubstr("EMIT_GLOBAL_DYNAMIC_STATS"));
  const std::string text = text_of("sde_iform.txt");
  EXPECT_THAT(refusal(std::string_view(text).substr(0, text.size() - 30)),
              HasSubstr("within a section"));
}

}  // namespace
}  // namespace ridge::imports
