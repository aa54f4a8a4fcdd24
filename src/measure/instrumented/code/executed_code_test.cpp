#include "measure/instrumented/code/executed_code.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/instrumented/code/counted_program_for_tests.hpp"

namespace ridge::measure {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A program of one module whose only counter has the value `count`.
std::vector<ExecutedBlock> blocks_of(const FileBytes& file, std::uint64_t count,
                                     const std::set<ModuleRegion>& wanted = {{0, 0}}) {
  const auto blob = one_mul().bytes();
  const auto descriptor = Descriptor::parse(blob);
  const std::vector<std::uint64_t> counters{count};
  const std::vector<CountedModule> modules{{{"program", {}, blob, &*descriptor}, counters}};
  const auto image = machine_code::ElfImage::read(file);
  const auto blocks = executed_blocks(*image, modules, wanted);
  EXPECT_TRUE(blocks) << blocks.error().message;
  return blocks.value_or(std::vector<ExecutedBlock>{});
}

std::vector<std::uint64_t> flops_of(const ExecutedBlock& block) {
  std::vector<std::uint64_t> flops;
  for (const InstructionWork& work : block.instructions) {
    flops.push_back(work.plain.total());
  }
  return flops;
}

TEST(ExecutedBlocks, RanAsOftenAsTheirCounterSays) {
  const auto blocks = blocks_of(counted_program(kThreeFlops), 7);
  ASSERT_EQ(blocks.size(), 1U);
  EXPECT_EQ(blocks[0].executions, 7U);
  EXPECT_THAT(blocks[0].regions, ElementsAre(ModuleRegion{0, 0}));
  EXPECT_THAT(flops_of(blocks[0]), ElementsAre(1, 1, 1, 0));
  EXPECT_EQ(blocks[0].instructions[1].address, kCodeAddress + 4);
}

TEST(ExecutedBlocks, OfTwoWaysTheOneWithTheFlops) {
  const auto blocks = blocks_of(counted_program(kPerhapsOne), 7);
  ASSERT_EQ(blocks.size(), 3U);  // the branch, the sum, the return
  EXPECT_THAT(flops_of(blocks[0]), ElementsAre(0));
  EXPECT_THAT(flops_of(blocks[1]), ElementsAre(1));
  EXPECT_EQ(blocks[1].executions, 7U);
}

TEST(ExecutedBlocks, ALoopWithoutACountIsThereOnce) {
  const auto blocks = blocks_of(counted_program(kLoop), 7);
  std::uint64_t flops = 0;
  for (const ExecutedBlock& block : blocks) {
    for (const std::uint64_t one : flops_of(block)) {
      flops += one * block.executions;
    }
  }
  EXPECT_EQ(flops, 7U);
}

TEST(ExecutedBlocks, NothingOfWhatDidNotRunOrIsNotWanted) {
  EXPECT_THAT(blocks_of(counted_program(kThreeFlops), 0), IsEmpty());
  EXPECT_THAT(blocks_of(counted_program(kThreeFlops), 7, {{0, 1}}), IsEmpty());
}

/// movsd xmm0, [rdi]; addsd xmm0, [rip + 2] (a constant, in the code's own segment);
/// movsd [rsp + 8], xmm0; movsd [rdi], xmm0; ret.
TEST(ExecutedBlocks, DataIsWhatIsNeitherFrameNorConstant) {
  const FileBytes code{0xF2, 0x0F, 0x10, 0x07,                          //
                       0xF2, 0x0F, 0x58, 0x05, 0x02, 0x00, 0x00, 0x00,  //
                       0xF2, 0x0F, 0x11, 0x44, 0x24, 0x08,              //
                       0xF2, 0x0F, 0x11, 0x07, 0xC3};
  const auto blocks = blocks_of(counted_program(code), 1);
  ASSERT_EQ(blocks.size(), 1U);
  std::vector<std::optional<Traffic>> data;
  std::vector<Traffic> moved;
  for (const InstructionWork& work : blocks[0].instructions) {
    data.push_back(work.data);
    moved.push_back(work.moved);
  }
  EXPECT_THAT(data, ElementsAre(Traffic{8, 0}, Traffic{}, Traffic{}, Traffic{0, 8}, Traffic{}));
  EXPECT_THAT(moved, ElementsAre(Traffic{8, 0}, Traffic{8, 0}, Traffic{0, 8}, Traffic{0, 8},
                                 Traffic{8, 0}));
}

TEST(ExecutedBlocks, WhoUsesAResult) {
  const auto blocks = blocks_of(counted_program(kThreeFlops), 1);
  ASSERT_EQ(blocks.size(), 1U);
  std::vector<std::optional<std::uint32_t>> users;
  for (const InstructionWork& work : blocks[0].instructions) {
    users.push_back(work.used_by);
  }
  EXPECT_THAT(users, ElementsAre(1U, 2U, std::nullopt, std::nullopt));
}

/// rep movsb: how many bytes is in a register. vmovupd zmm0{k1}, [rdi]: which lanes, in a mask.
TEST(ExecutedBlocks, DataThatTheCodeDoesNotTellIsUnknown) {
  const FileBytes code{0xF3, 0xA4, 0x62, 0xF1, 0xFD, 0x49, 0x10, 0x07, 0xC3};
  const auto blocks = blocks_of(counted_program(code), 1);
  ASSERT_EQ(blocks.size(), 1U);
  EXPECT_EQ(blocks[0].instructions[0].data, std::nullopt);
  EXPECT_EQ(blocks[0].instructions[1].data, std::nullopt);
}

}  // namespace
}  // namespace ridge::measure
