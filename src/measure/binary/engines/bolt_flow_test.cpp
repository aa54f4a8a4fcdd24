#include "measure/binary/engines/bolt_flow.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace ridge::measure::binary {
namespace {

constexpr std::uint64_t kBegin = 0x1000;

machine_code::Function function_of(const std::vector<std::uint8_t>& code) {
  auto function = machine_code::read_function(machine_code::Architecture::x86_64, code, kBegin);
  EXPECT_TRUE(function);
  return function ? *std::move(function) : machine_code::Function{};
}

TEST(BoltFlow, FollowsFromTheEdgesOfALoop) {
  // 0 xor eax, eax; 2 inc eax; 4 cmp eax, edi; 6 jne 2; 8 add eax, eax; 10 ret
  const auto function =
      function_of({0x31, 0xc0, 0xff, 0xc0, 0x39, 0xf8, 0x75, 0xfa, 0x01, 0xc0, 0xc3});
  const BoltFunction counted{"f", {{0, 0, 2, 1, 0}, {6, 1, 2, 1, 1}, {6, 1, 8, 2, 2}}, {}, {0}};
  const std::vector<std::uint64_t> counters{5, 95, 5};
  const auto counts = solve_flow(function, counted, {counters, {}, {}, {}});
  EXPECT_TRUE(counts.complete);
  EXPECT_EQ(counts.blocks,
            (std::vector<CountedBlock>{{kBegin, 2, 5}, {kBegin + 2, 6, 100}, {kBegin + 8, 3, 5}}));
}

/// 0 nop dword [rax]... a function that calls: 0 inc eax; 2 call 0x2000; 7 add eax, eax; 9 dec eax;
/// 11 ret. Marks at 2, 7 and 9.
std::vector<std::uint8_t> calling_code() {
  return {0xff, 0xc0, 0xe8, 0xf9, 0x0f, 0x00, 0x00, 0x01, 0xc0, 0xff, 0xc8, 0xc3};
}
BoltFunction calling_edges() {
  return {"f", {{0, 0, 2, 1, 0}, {2, 1, 7, 2, 1}, {7, 2, 9, 3, 2}}, {}, {0, 1, 2, 3}};
}
const std::vector<std::uint64_t> kMarks{kBegin + 2, kBegin + 7, kBegin + 9};

TEST(BoltFlow, DoesNotTakeForGrantedThatCallsComeBack) {
  const std::vector<std::uint64_t> counters{100, 100, 60};
  const auto counts =
      solve_flow(function_of(calling_code()), calling_edges(), {counters, kMarks, {}, {}});
  EXPECT_TRUE(counts.complete);
  EXPECT_EQ(counts.blocks,
            (std::vector<CountedBlock>{
                {kBegin, 2, 100}, {kBegin + 2, 5, 100}, {kBegin + 7, 2, 60}, {kBegin + 9, 3, 60}}));
}

TEST(BoltFlow, LeavesOutWhatDoesNotFollow) {
  // BOLT heeded no mark: the function is one block, and nothing counts it.
  const auto counts = solve_flow(function_of(calling_code()), {"f", {}, {{2, 0}}, {0}},
                                 {std::vector<std::uint64_t>{100}, {}, {}, {}});
  EXPECT_FALSE(counts.complete);
  EXPECT_EQ(counts.blocks.back().executions, 100U);  // the call and what is in front of it
  EXPECT_EQ(counts.blocks.back().address + counts.blocks.back().bytes, kBegin + 7);
}

TEST(BoltFlow, AnEntryThatIsNoMarkMayBeEnteredFromAnywhere) {
  const std::vector<std::uint64_t> counters{100, 100, 60};
  const std::vector<std::uint64_t> marks{kBegin + 2, kBegin + 7};
  const auto counts =
      solve_flow(function_of(calling_code()), calling_edges(), {counters, marks, {}, {}});
  EXPECT_FALSE(counts.complete);
  EXPECT_EQ(counts.blocks.size(), 3U);
}

TEST(BoltFlow, JumpsOfOtherFunctionsComeToTheCountOfTheirTarget) {
  const std::vector<std::uint64_t> counters{100, 100, 60};
  const JumpsInto known{{kBegin + 9, {7, 3}}};
  const auto counts =
      solve_flow(function_of(calling_code()), calling_edges(), {counters, kMarks, {}, known});
  EXPECT_TRUE(counts.complete);
  EXPECT_EQ(counts.blocks.back(), (CountedBlock{kBegin + 9, 3, 70}));
  const JumpsInto unknown{{kBegin + 9, {7, std::nullopt}}};
  EXPECT_FALSE(
      solve_flow(function_of(calling_code()), calling_edges(), {counters, kMarks, {}, unknown})
          .complete);
}

TEST(BoltFlow, RefusesADescriptionOfOtherCode) {
  BoltFunction edges = calling_edges();
  edges.edges[1].to = 8;  // within an instruction
  const std::vector<std::uint64_t> counters{100, 100, 60};
  const auto counts = solve_flow(function_of(calling_code()), edges, {counters, kMarks, {}, {}});
  EXPECT_FALSE(counts.complete);
  EXPECT_TRUE(counts.blocks.empty());
}

TEST(BoltFlow, ComesToAnEndWhateverTheDescription) {
  std::mt19937 random(1);
  const auto function = function_of(calling_code());
  const auto any = [&] { return static_cast<std::uint32_t>(random() % 14); };
  for (int turn = 0; turn < 2000; ++turn) {
    BoltFunction edges{"f", {}, {{any(), any()}}, {any(), any()}};
    for (int i = 0; i < 4; ++i) {
      edges.edges.push_back({any(), any(), any(), any(), any()});
    }
    const std::vector<std::uint64_t> counters{random(), UINT64_MAX, random(), 1};
    EXPECT_LE(solve_flow(function, edges, {counters, kMarks, kMarks, {}}).blocks.size(), 12U);
  }
}

}  // namespace
}  // namespace ridge::measure::binary
