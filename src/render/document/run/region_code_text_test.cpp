#include "render/document/run/region_code_text.hpp"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "render/chart/text.hpp"
#include "render/golden_for_tests.hpp"

namespace ridge::render {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string source_of(unsigned lines) {
  std::string source;
  for (unsigned line = 1; line <= lines; ++line) {
    source += "    a[i] = " + std::to_string(line) + " * b[i];\n";
  }
  return source;
}

/// A loop in line 20 that does its work in 21 and in a header.
Region loop() {
  Region region;
  region.kind = RegionKind::loop;
  region.name = region.function = "axpy";
  region.file = "/src/axpy.cpp";
  region.line = 20;
  region.flops.emplace().add(Precision::fp64, OperationKind::mul, 64, 3000);
  region.bytes_loaded = 16000;
  region.bytes_stored = 8000;
  region.lines = {{std::nullopt, 21, std::nullopt, 2000, 8000, 8000},
                  {"/usr/include/vec.h", 7, std::nullopt, 1000, 8000, 0}};
  return region;
}

Region with_block(std::size_t instructions) {
  Region region = loop();
  region.hottest_block = CodeBlock{1000000, {}};
  for (std::size_t i = 0; i < instructions; ++i) {
    region.hottest_block->instructions.push_back(
        {0x1000 + 4 * i, "mulsd xmm0, [rdi+rax*8]", 21, 1, 8, 0});
  }
  return region;
}

/// Its columns, without the empty ones between.
std::vector<std::string> words_of_line(const std::string& text, std::string_view with) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.find(with) != std::string::npos) {
      std::istringstream words(line);
      return {std::istream_iterator<std::string>(words), {}};
    }
  }
  return {};
}

TEST(SourceText, EachLineHasItsFigures) {
  const std::string text = source_text(loop(), source_of(60), {80, false, false});
  EXPECT_THAT(words_of_line(text, "= 21 *"),
              testing::ElementsAre("21", "2.00", "kFlop", "8.00", "kB", "8.00", "kB", "a[i]", "=",
                                   "21", "*", "b[i];"));
  EXPECT_THAT(words_of_line(text, "= 22 *"),
              testing::ElementsAre("22", "a[i]", "=", "22", "*", "b[i];"));
  EXPECT_THAT(words_of_line(text, "vec.h:7"),
              testing::ElementsAre("vec.h:7", "1.00", "kFlop", "8.00", "kB"));
  EXPECT_THAT(text, AllOf(HasSubstr("> 20"), Not(HasSubstr("The lines hold"))));
}

TEST(SourceText, TheWindowReachesToTheLastLineWithFigures) {
  Region region = loop();
  region.lines.front().line = 45;
  EXPECT_THAT(source_text(region, source_of(60), {}), HasSubstr("= 45 *"));
  EXPECT_THAT(source_text(loop(), source_of(60), {}), Not(HasSubstr("= 45 *")));
}

TEST(SourceText, WhatTheLinesLackIsSaid) {
  Region region = loop();
  region.lines.front().flops = 500;
  region.lines.front().bytes_stored = std::nullopt;
  const std::string text = source_text(region, source_of(60), {});
  EXPECT_THAT(text, AllOf(HasSubstr("50.0 % of its flops"), HasSubstr("0.0 % of its stored bytes"),
                          Not(HasSubstr("loaded bytes"))));
  EXPECT_THAT(words_of_line(text, "= 21 *"), testing::Contains("-"));
}

TEST(SourceText, OfManyRanksTheLinesAreThoseOfTheLongest) {
  Region region = with_block(1);
  region.lines.front().flops = 500;
  region.ranks.emplace().time_seconds = RankSpread{2, 1.0, 0, 1.5, 2.0, 1, 1.5, {}};
  const std::string text = source_text(region, source_of(60), {});
  EXPECT_THAT(text, AllOf(HasSubstr("all threads of rank 1)"), Not(HasSubstr("The lines hold"))));
  EXPECT_THAT(source_text(region, std::nullopt, {}), HasSubstr("counted on rank 1"));
  EXPECT_THAT(block_text(region, {}), HasSubstr("times on rank 1;"));
  region.ranks->time_seconds->ranks = 1;
  EXPECT_THAT(source_text(region, source_of(60), {}),
              AllOf(HasSubstr("all threads)"), HasSubstr("The lines hold")));
}

TEST(SourceText, OfRanksWithoutTimesItIsOneOfThem) {
  Region region = loop();
  region.ranks.emplace().flops = RankSpread{2, 1.0, 0, 1.5, 2.0, 1, 1.5, {}};
  EXPECT_THAT(source_text(region, source_of(60), {}), HasSubstr("all threads of one rank)"));
}

TEST(SourceText, WithoutTheFileTheLinesStandAlone) {
  for (const std::optional<std::string>& source : {std::optional<std::string>(), {source_of(5)}}) {
    const std::string text = source_text(loop(), source, {});
    EXPECT_THAT(text, AllOf(HasSubstr("axpy.cpp:21"), HasSubstr("vec.h:7")));
  }
  EXPECT_THAT(source_text({}, std::nullopt, {}), IsEmpty());
}

TEST(SourceText, SamplesWhereASourceHasThem) {
  Region region = loop();
  region.lines.front().samples = 4711;
  EXPECT_THAT(source_text(region, source_of(60), {}), HasSubstr("4 711"));
  EXPECT_THAT(source_text(loop(), source_of(60), {}), Not(HasSubstr("samples")));
}

TEST(BlockText, FortyInstructionsAndTheRestCounted) {
  EXPECT_THAT(block_text(loop(), {}), IsEmpty());
  const std::string whole = block_text(with_block(40), {});
  EXPECT_THAT(whole, AllOf(HasSubstr("ran 1.00 M"), Not(HasSubstr("more stand"))));
  EXPECT_THAT(words_of_line(whole, "mulsd"),
              testing::ElementsAre("21", "1", "8", "mulsd", "xmm0,", "[rdi+rax*8]"));
  EXPECT_THAT(block_text(with_block(43), {}), HasSubstr("3 more stand in profile.json"));
}

TEST(BlockText, FewExecutionsInFull) {
  Region region = with_block(1);
  region.hottest_block->executions = 274;
  EXPECT_THAT(block_text(region, {}), HasSubstr("ran 274 times"));
}

TEST(CodeText, FitsTheTerminal) {
  Region region = with_block(3);
  region.hottest_block->instructions[1].text = std::string(300, 'x');
  region.lines.back().file = "/usr/include/" + std::string(200, 'y') + ".h";
  for (const int columns : {60, 80, 120, 200}) {
    const TextStyle style{columns, true, false};
    std::istringstream lines(
        source_text(region, std::string(source_of(60)) + std::string(500, 'z'), style) +
        block_text(region, style));
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(display_width(line), static_cast<std::size_t>(columns)) << line;
    }
  }
}

TEST(CodeText, Golden) {
  Region region = with_block(4);
  region.hottest_block->instructions[2] = {0x1008, "vmovupd [rsi+rax*8], ymm0", std::nullopt, 0, 0,
                                           32};
  const TextStyle style{80, true, false};
  expect_golden("region_code_80.txt",
                source_text(region, source_of(60), style) + block_text(region, style));
}

}  // namespace
}  // namespace ridge::render
