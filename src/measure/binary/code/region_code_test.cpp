#include "measure/binary/code/region_code.hpp"

#include <gtest/gtest.h>

#include "measure/binary/code/module_work.hpp"
#include "measure/binary/code/work_for_tests.hpp"
#include "measure/code/line_table_for_tests.hpp"

namespace ridge::measure::binary {
namespace {

// nop; movsd xmm1, [rsi]; addsd xmm0, xmm1; dec rcx; jnz back to the load; ret
const tests::Code kCode{0x90, 0xF2, 0x0F, 0x10, 0x0E, 0xF2, 0x0F, 0x58,
                        0xC1, 0x48, 0xFF, 0xC9, 0x75, 0xF3, 0xC3};

struct Subject {
  Subject() {
    const std::uint64_t end = tests::kCodeAddress + kCode.size();
    // The load has no line: it belongs to the sum, which is of another file.
    auto sections = line_sections({"a.c", "b.h"},
                                  {{tests::kCodeAddress, 1, 3},
                                   {tests::kCodeAddress + 1, 1, 0},
                                   {tests::kCodeAddress + 5, 2, 9},
                                   {tests::kCodeAddress + 9, 1, 4}},
                                  end);
    sections.insert(sections.begin(), {".text", tests::kCodeAddress, kCode, true});
    bytes = elf_file(sections);
    file.bytes = bytes;
    regions.functions.push_back(tests::function_of(kCode));
    executed = tests::executed_blocks(kCode, regions.functions[0], {2, 100, 2});
    ModuleRegion& region = regions.regions.emplace_back();
    region.file = "a.c";
    region.ranges = {{tests::kCodeAddress, end}};
  }
  [[nodiscard]] RegionCode code(const SamplesByAddress& samples = {}) const {
    return region_code(file, regions, executed, samples, std::vector<std::uint32_t>{0}).at(0);
  }

  FileBytes bytes;
  ModuleFile file;
  ModuleRegions regions;
  ExecutedModule executed;
};

TEST(BinaryRegionCode, LinesHaveTheWorkOfTheirInstructions) {
  const RegionCode code = Subject().code();
  ASSERT_EQ(code.lines.size(), 2U);
  EXPECT_EQ(code.lines[0], (LineWork{std::nullopt, 4, std::nullopt, 0, 16, 0}));  // the return
  EXPECT_EQ(code.lines[1], (LineWork{"b.h", 9, std::nullopt, 100, 800, 0}));
}

TEST(BinaryRegionCode, LinesSumToTheRegion) {
  const Subject subject;
  const auto work = module_work(subject.regions, subject.executed).at(0).work;
  std::uint64_t flops = 0;
  std::uint64_t loaded = 0;
  for (const LineWork& line : subject.code().lines) {
    flops += *line.flops;
    loaded += *line.bytes_loaded;
  }
  EXPECT_EQ(flops, work.flops->total());
  EXPECT_EQ(loaded, *work.bytes_loaded);
}

TEST(BinaryRegionCode, SamplesBelongToTheLinesOfTheirAddresses) {
  const RegionCode code = Subject().code({{tests::kCodeAddress + 5, 7}, {0x9999, 1}});
  ASSERT_EQ(code.lines.size(), 2U);
  EXPECT_EQ(code.lines[0].samples, 0U);
  EXPECT_EQ(code.lines[1].samples, 7U);
}

TEST(BinaryRegionCode, TheHottestBlockIsTheLoop) {
  const auto block = Subject().code().hottest_block;
  ASSERT_TRUE(block);
  EXPECT_EQ(block->executions, 100U);
  ASSERT_EQ(block->instructions.size(), 4U);
  EXPECT_EQ(block->instructions[0].text, "movsd xmm1, qword ptr [rsi]");
  EXPECT_EQ(block->instructions[0].bytes_loaded, 8U);
  EXPECT_EQ(block->instructions[1].flops, 1U);
  EXPECT_EQ(block->instructions[2].line, 4U);
  EXPECT_EQ(block->instructions[1].line, std::nullopt);
}

TEST(BinaryRegionCode, WithoutAFileThereIsTheBlockAlone) {
  Subject subject;
  subject.file.bytes = {};
  EXPECT_TRUE(subject.code().lines.empty());
  EXPECT_TRUE(subject.code().hottest_block);
}

}  // namespace
}  // namespace ridge::measure::binary
