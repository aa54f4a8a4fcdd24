#include "measure/instrumented/code/region_code.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/code/line_table_for_tests.hpp"
#include "measure/instrumented/code/counted_program_for_tests.hpp"
#include "tests/temporary_folder.hpp"

namespace ridge::measure {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::uint64_t kRuns = 1000;

class RegionCodeTest : public ::testing::Test {
 protected:
  /// Of the one region of a program of `code`, whose counter says kRuns.
  RegionCode code_of(const FileBytes& code, const std::vector<LineRow>& rows,
                     const Work& flops = {}) {
    const DescriptorBuilder unit = one_mul();
    auto sections =
        sections_of(code, {unit}, probe_at_begin().bytes, {{kFunctionId, kCodeAddress}});
    if (!rows.empty()) {
      const auto lines =
          line_sections({"/src/a.cpp", "/src/b.h"}, rows, kCodeAddress + code.size());
      sections.insert(sections.end(), lines.begin(), lines.end());
    }
    file_ = folder_.write("program", text_of(elf_file(std::move(sections))));
    return code_in(file_, unit.bytes(), flops);
  }

  RegionCode code_in(const std::string& file, const std::vector<std::byte>& blob,
                     const Work& flops = {}) {
    const auto descriptor = Descriptor::parse(blob);
    const std::vector<std::uint64_t> counters{kRuns};
    const std::vector<CountedModule> modules{{{file, {}, blob, &*descriptor}, counters}};
    const std::vector<WantedRegion> wanted{{{{0, 0}}, "/src/a.cpp", flops}};
    return region_code(modules, wanted).at(0);
  }

  const tests::TemporaryFolder folder_;
  std::string file_;
};

TEST_F(RegionCodeTest, EachLineHasTheFlopsOfItsInstructions) {
  const RegionCode code =
      code_of(kThreeFlops, {{kCodeAddress, 1, 5}, {kCodeAddress + 8, 2, 70}, {0x100C, 1, 6}});
  EXPECT_THAT(code.lines, ElementsAre(LineWork{std::nullopt, 5, std::nullopt, 2 * kRuns, 0, 0},
                                      LineWork{"/src/b.h", 70, std::nullopt, kRuns, 0, 0}));
}

TEST_F(RegionCodeTest, TheHottestBlockIsThatOfADisassembler) {
  const RegionCode code = code_of(kThreeFlops, {{kCodeAddress, 1, 5}, {kCodeAddress + 8, 2, 70}});
  ASSERT_TRUE(code.hottest_block);
  EXPECT_EQ(code.hottest_block->executions, kRuns);
  const auto& instructions = code.hottest_block->instructions;
  EXPECT_THAT(instructions,
              ElementsAre(CodeInstruction{0x1000, "addsd xmm0, xmm0", 5, 1, 0, 0},
                          CodeInstruction{0x1004, "addsd xmm0, xmm0", 5, 1, 0, 0},
                          CodeInstruction{0x1008, "mulsd xmm0, xmm0", std::nullopt, 1, 0, 0},
                          CodeInstruction{0x100C, "ret", std::nullopt, 0, 8, 0}));
}

TEST_F(RegionCodeTest, WithoutALineTheOneThatUsesTheResult) {
  const RegionCode code = code_of(kThreeFlops, {{kCodeAddress, 1, 0}, {kCodeAddress + 4, 1, 6}});
  EXPECT_THAT(code.lines, ElementsAre(LineWork{std::nullopt, 6, std::nullopt, 3 * kRuns, 0, 0}));
}

TEST_F(RegionCodeTest, WithoutLinesTheBlockRemains) {
  const RegionCode code = code_of(kThreeFlops, {});
  EXPECT_THAT(code.lines, IsEmpty());
  EXPECT_TRUE(code.hottest_block);
}

/// vaddpd zmm0{k1}, zmm0, zmm0, of which the region's flops say that 3 of 8 lanes were on, then an
/// addsd of another line.
TEST_F(RegionCodeTest, LanesUnderAMaskAreThoseThatTheRegionCounts) {
  const FileBytes code{0x62, 0xF1, 0xFD, 0x49, 0x58, 0xC0, 0xF2, 0x0F, 0x58, 0xC0, 0xC3};
  Work flops;
  flops.add(Precision::fp64, OperationKind::add, 512, 3 * kRuns);
  flops.add(Precision::fp64, OperationKind::add, 64, kRuns);
  const RegionCode found = code_of(code, {{kCodeAddress, 1, 5}, {kCodeAddress + 6, 1, 6}}, flops);
  EXPECT_THAT(found.lines, ElementsAre(LineWork{std::nullopt, 5, std::nullopt, 3 * kRuns, 0, 0},
                                       LineWork{std::nullopt, 6, std::nullopt, kRuns, 0, 0}));
}

TEST_F(RegionCodeTest, AFileThatIsNotTheOneThatRanTellsNothing) {
  (void)code_of(kThreeFlops, {{kCodeAddress, 1, 5}});
  DescriptorBuilder other = one_mul();
  other.terms[0].amount = 2;
  for (const RegionCode& code :
       {code_in(file_, other.bytes()), code_in(folder_.path("nothing"), one_mul().bytes()),
        code_in("", one_mul().bytes())}) {
    EXPECT_EQ(code, RegionCode{});
  }
}

}  // namespace
}  // namespace ridge::measure
