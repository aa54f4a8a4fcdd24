#include "measure/instrumented/code/block_work.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/code/program_for_tests.hpp"

namespace ridge::measure {
namespace {

using machine_code::ElementType;
using machine_code::Operation;
using machine_code::WorkKind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr std::uint64_t kBegin = 0x1000;
constexpr std::uint8_t kLength = 4;
constexpr Operation kAdd{WorkKind::add};
constexpr Operation kMul{WorkKind::mul};
constexpr Operation kDiv{WorkKind::div};

constexpr ProbeName kA{1, 1};
constexpr ProbeName kB{1, 2};
constexpr ProbeName kC{1, 3};

OperationCounts counts(std::uint64_t adds, std::uint64_t muls = 0, std::uint64_t divs = 0) {
  OperationCounts result;
  result.add({Precision::fp64, OperationKind::add, 64}, adds);
  result.add({Precision::fp64, OperationKind::mul, 64}, muls);
  result.add({Precision::fp64, OperationKind::div, 64}, divs);
  return result;
}

WorkRange exactly(const OperationCounts& plain) {
  return {{plain, {}}, {plain, {}}};
}
WorkRange between(const OperationCounts& low, const OperationCounts& high) {
  return {{low, {}}, {high, {}}};
}

/// A function made by hand, and what is known of its probes: kA, kB and kC are counted unless a
/// test says otherwise.
class Code {
 public:
  /// One instruction for each operation, and one more that computes nothing. Returns the number.
  std::uint32_t block(const std::vector<Operation>& operations,
                      std::vector<std::uint32_t> successors = {}) {
    machine_code::Block added;
    added.first = static_cast<std::uint32_t>(function_.instructions.size());
    added.count = static_cast<std::uint32_t>(operations.size() + 1);
    added.leaves = successors.empty();
    added.successors = std::move(successors);
    function_.blocks.push_back(std::move(added));
    for (const Operation& operation : operations) {
      auto& computes = instruction();
      computes.operation_count = 1;
      computes.operation_slots[0] = operation;
    }
    instruction();
    return static_cast<std::uint32_t>(function_.blocks.size() - 1);
  }
  void leaves(std::uint32_t block) { function_.blocks[block].leaves = true; }
  /// Before instruction number `instruction` of the block. Calls must come in the order of code.
  void probe(std::uint32_t block, ProbeName name, std::uint32_t instruction = 0) {
    probes_.push_back({function_.begin_of(function_.blocks[block]) + kLength * instruction, name});
    ++copies_[name];
  }
  void fact(ProbeName name, ProbeFacts facts) { facts_[name] = facts; }
  /// The probe stands in other functions, too.
  void copies(ProbeName name, unsigned number) { copies_[name] = number; }

  /// What add_block_work() returns.
  bool add() {
    static const machine_code::ElfImage no_file;
    function_.range = {kBegin, kBegin + kLength * function_.instructions.size()};
    const ProbeLookup lookup = [this](const ProbeName& name) {
      const auto found = facts_.find(name);
      return found != facts_.end() ? found->second : ProbeFacts{ProbeCount::counted, false};
    };
    return add_block_work(function_, probes_, lookup, copies_, MathCalls(no_file), work);
  }

  WorkByProbe work;

 private:
  machine_code::Instruction& instruction() {
    machine_code::Instruction added;
    added.address = kBegin + kLength * function_.instructions.size();
    added.length = kLength;
    function_.instructions.push_back(added);
    return function_.instructions.back();
  }

  machine_code::Function function_;
  std::vector<Probe> probes_;
  std::map<ProbeName, unsigned> copies_;
  std::map<ProbeName, ProbeFacts> facts_;
};

TEST(BlockWork, OneBlockDoesItsWorkEachTimeItsProbeIsPassed) {
  Code code;
  code.block({kAdd, kAdd, kMul});
  code.probe(0, kA);
  EXPECT_TRUE(code.add());
  EXPECT_THAT(code.work.blocks, ElementsAre(Pair(kA, ElementsAre(exactly(counts(2, 1))))));
  EXPECT_THAT(code.work.together, IsEmpty());
}

TEST(BlockWork, OperationsByPrecisionWidthAndMask) {
  Code code;
  code.block({Operation{WorkKind::fma, ElementType::fp32, 32, 512, 16, true},
              Operation{WorkKind::add, ElementType::fp32, 32, 128, 4}, Operation{WorkKind::other},
              Operation{WorkKind::mul, ElementType::x87, 80, 80},
              Operation{WorkKind::integer, ElementType::integer}});
  code.probe(0, kA);
  EXPECT_TRUE(code.add());
  ExecutionWork expected;
  expected.masked.add({Precision::fp32, OperationKind::fma, 512}, 32);
  expected.plain.add({Precision::fp32, OperationKind::add, 128}, 4);
  EXPECT_THAT(code.work.blocks, ElementsAre(Pair(kA, ElementsAre(WorkRange{expected, expected}))));
}

TEST(BlockWork, ArmsWithoutProbesThatDoTheSameAreExact) {
  Code code;
  code.block({kMul}, {1, 2});
  code.block({kAdd}, {3});
  code.block({kAdd}, {3});
  code.block({kDiv});
  code.probe(0, kA);
  code.probe(3, kB);
  EXPECT_TRUE(code.add());
  EXPECT_THAT(code.work.blocks, ElementsAre(Pair(kA, ElementsAre(exactly(counts(1, 1)))),
                                            Pair(kB, ElementsAre(exactly(counts(0, 0, 1))))));
}

TEST(BlockWork, ArmsWithoutProbesThatDifferAreAnInterval) {
  Code code;
  code.block({kMul}, {1, 2});
  code.block({kAdd, kDiv}, {3});
  code.block({kAdd, kAdd}, {3});
  code.block({});
  code.probe(0, kA);
  code.probe(3, kB);
  EXPECT_TRUE(code.add());
  EXPECT_THAT(code.work.blocks.at(kA), ElementsAre(between(counts(1, 1, 0), counts(2, 1, 1))));
  EXPECT_THAT(code.work.blocks.at(kB), ElementsAre(exactly({})));
}

TEST(BlockWork, AnArmThatMayBePassedByDoesNothingOrItsWork) {
  Code code;
  code.block({kMul}, {1, 2});
  code.block({kAdd}, {2});
  code.block({kDiv});
  code.probe(0, kA);
  code.probe(2, kB);
  EXPECT_TRUE(code.add());
  EXPECT_THAT(code.work.blocks.at(kA), ElementsAre(between(counts(0, 1), counts(1, 1))));
}

TEST(BlockWork, WhatFollowsTheArmsBelongsToTheBlockBeforeThemOnce) {
  Code code;
  code.block({kMul}, {1, 2});
  code.block({kAdd}, {3});
  code.block({kAdd}, {3});
  code.block({kDiv}, {4});
  code.block({kMul, kMul});
  code.probe(0, kA);
  code.probe(4, kB);
  EXPECT_TRUE(code.add());
  EXPECT_THAT(code.work.blocks, ElementsAre(Pair(kA, ElementsAre(exactly(counts(1, 1, 1)))),
                                            Pair(kB, ElementsAre(exactly(counts(0, 2))))));
}

TEST(BlockWork, ABlockBehindTwoCountedOnesIsDoneByBoth) {
  Code code;
  code.block({}, {2});
  code.block({kMul}, {2});
  code.block({kAdd});
  code.probe(0, kA);
  code.probe(1, kB);
  EXPECT_TRUE(code.add());
  EXPECT_THAT(code.work.blocks, ElementsAre(Pair(kA, ElementsAre(exactly(counts(1)))),
                                            Pair(kB, ElementsAre(exactly(counts(1, 1))))));
}

TEST(BlockWork, WhereABlockMayLeaveTheFunctionWhatFollowsIsPerhapsNotDone) {
  Code code;
  code.block({kMul}, {1});
  code.block({kAdd});
  code.leaves(0);
  code.probe(0, kA);
  EXPECT_TRUE(code.add());
  EXPECT_THAT(code.work.blocks.at(kA), ElementsAre(between(counts(0, 1), counts(1, 1))));
}

TEST(BlockWork, ALoopWithoutACountIsNotCovered) {
  Code code;
  code.block({kMul}, {1});
  code.block({kAdd}, {1, 2});
  code.block({kDiv});
  code.probe(0, kA);
  code.probe(2, kB);
  EXPECT_FALSE(code.add());
  EXPECT_THAT(code.work.blocks, ElementsAre(Pair(kA, ElementsAre(exactly(counts(0, 1)))),
                                            Pair(kB, ElementsAre(exactly(counts(0, 0, 1))))));
}

TEST(BlockWork, ALoopOfTwoBlocksWithoutACountIsNotCovered) {
  Code code;
  code.block({kMul}, {1});
  code.block({}, {2});
  code.block({kAdd}, {1, 3});
  code.block({});
  code.probe(0, kA);
  code.probe(3, kB);
  EXPECT_FALSE(code.add());
}

/// An addition to a number that other threads change, as the back end makes it: load, add, compare
/// and exchange, back to the addition until that succeeds.
TEST(BlockWork, TheLoopOfAnAtomicOperationCountsOnce) {
  const FileBytes code{0xF2, 0x0F, 0x58, 0xC0,        // addsd
                       0xF2, 0x0F, 0x58, 0xC1,        // again: addsd
                       0xF0, 0x48, 0x0F, 0xB1, 0x11,  // lock cmpxchg [rcx], rdx
                       0x75, 0xF5,                    // jne again
                       0xC3};
  const auto function =
      machine_code::read_function(machine_code::Architecture::x86_64, code, kBegin);
  ASSERT_TRUE(function);
  WorkByProbe work;
  const machine_code::ElfImage no_file;
  EXPECT_TRUE(add_block_work(
      *function, std::vector{Probe{kBegin, kA}},
      [](const ProbeName&) { return ProbeFacts{ProbeCount::counted, false}; }, {{kA, 1}},
      MathCalls(no_file), work));
  EXPECT_THAT(work.blocks, ElementsAre(Pair(kA, ElementsAre(exactly(counts(2))))));
}

TEST(BlockWork, ALoopWithoutWorkNeedsNoCount) {
  Code code;
  code.block({kMul}, {1});
  code.block({}, {1, 2});
  code.block({kDiv});
  code.probe(0, kA);
  code.probe(2, kB);
  EXPECT_TRUE(code.add());
  EXPECT_THAT(code.work.blocks.at(kA), ElementsAre(exactly(counts(0, 1))));
}

TEST(BlockWork, ACountInsideALoopCoversItsTurns) {
  Code code;
  code.block({}, {1});
  code.block({kAdd}, {2});
  code.block({kMul}, {1, 3});
  code.block({});
  code.probe(0, kA);
  code.probe(1, kB);
  EXPECT_TRUE(code.add());
  EXPECT_THAT(code.work.blocks, ElementsAre(Pair(kA, ElementsAre(exactly({}))),
                                            Pair(kB, ElementsAre(exactly(counts(1, 1))))));
}

TEST(BlockWork, WorkThatNothingCountedLeadsToIsNotCovered) {
  Code code;
  code.block({kAdd}, {1});
  code.block({kMul});
  code.probe(1, kA);
  EXPECT_FALSE(code.add());
  EXPECT_THAT(code.work.blocks, ElementsAre(Pair(kA, ElementsAre(exactly(counts(0, 1))))));
}

TEST(BlockWork, AProbeOfAnEmptyBlockAtTheSameAddressDoesNothing) {
  Code code;
  code.block({kAdd});
  code.probe(0, kA);
  code.probe(0, kB);
  EXPECT_TRUE(code.add());
  EXPECT_THAT(code.work.blocks, ElementsAre(Pair(kB, ElementsAre(exactly(counts(1))))));
  EXPECT_THAT(code.work.together, IsEmpty());
}

TEST(BlockWork, AProbeBehindACallDoesNotMakeTheOneBeforeItAnEmptyBlock) {
  Code code;
  code.block({kAdd});
  code.probe(0, kA);
  code.probe(0, kB);
  code.fact(kB, {ProbeCount::counted, true});
  EXPECT_TRUE(code.add());
  EXPECT_THAT(code.work.blocks, ElementsAre(Pair(kA, ElementsAre(exactly(counts(1))))));
  EXPECT_THAT(code.work.together, ElementsAre(Pair(kA, kB)));
}

TEST(BlockWork, AProbeBehindACallMovedBeforeTheBlockIsNotItsOwn) {
  Code code;
  code.block({kAdd});
  code.probe(0, kB);
  code.probe(0, kA);
  code.fact(kB, {ProbeCount::counted, true});
  EXPECT_TRUE(code.add());
  EXPECT_THAT(code.work.blocks, ElementsAre(Pair(kA, ElementsAre(exactly(counts(1))))));
  EXPECT_THAT(code.work.together, IsEmpty());
}

TEST(BlockWork, ProbesWithinABlockArePassedAsOftenAsItsFirst) {
  Code code;
  code.block({kAdd, kMul});
  code.probe(0, kA);
  code.probe(0, kB, 1);
  code.probe(0, kC, 2);
  EXPECT_TRUE(code.add());
  EXPECT_THAT(code.work.blocks, ElementsAre(Pair(kA, ElementsAre(exactly(counts(1, 1))))));
  EXPECT_THAT(code.work.together, ElementsAre(Pair(kA, kB), Pair(kA, kC)));
}

TEST(BlockWork, TheProbeWithTheFewestCopiesCounts) {
  Code code;
  code.block({kAdd});
  code.probe(0, kA);
  code.probe(0, kB, 1);
  code.copies(kA, 2);
  EXPECT_TRUE(code.add());
  EXPECT_THAT(code.work.blocks, ElementsAre(Pair(kB, ElementsAre(exactly(counts(1))))));
  EXPECT_THAT(code.work.together, IsEmpty());
}

TEST(BlockWork, CopiesOfAProbeAreOneEntryEach) {
  Code code;
  code.block({kAdd}, {2});
  code.block({kMul}, {2});
  code.block({});
  code.probe(0, kA);
  code.probe(1, kA);
  code.probe(2, kB);
  EXPECT_TRUE(code.add());
  EXPECT_THAT(code.work.blocks.at(kA), ElementsAre(exactly(counts(1)), exactly(counts(0, 1))));
}

TEST(BlockWork, AClassWithoutACounterIsCountedByWhatComesBefore) {
  Code code;
  code.block({kMul}, {1});
  code.block({kAdd});
  code.probe(0, kA);
  code.probe(1, kB);
  code.fact(kB, {ProbeCount::unknown, false});
  EXPECT_TRUE(code.add());
  EXPECT_THAT(code.work.blocks, ElementsAre(Pair(kA, ElementsAre(exactly(counts(1, 1))))));
  Code alone;
  alone.block({kAdd});
  alone.probe(0, kB);
  alone.fact(kB, {ProbeCount::unknown, false});
  EXPECT_FALSE(alone.add());
}

TEST(BlockWork, CodeThatIsNotTheProgramsWorkCountsNothing) {
  Code code;
  code.block({kMul}, {1});
  code.block({kAdd}, {2});
  code.block({kDiv});
  code.probe(0, kA);
  code.probe(1, kB);
  code.probe(2, kC);
  code.fact(kB, {ProbeCount::uncounted, false});
  EXPECT_TRUE(code.add());
  EXPECT_THAT(code.work.blocks, ElementsAre(Pair(kA, ElementsAre(exactly(counts(0, 1)))),
                                            Pair(kC, ElementsAre(exactly(counts(0, 0, 1))))));
}

TEST(BlockWork, ABlockThatHoldsCountedAndUncountedCodeIsCounted) {
  Code code;
  code.block({kMul, kAdd});
  code.probe(0, kB);
  code.probe(0, kA, 1);
  code.fact(kB, {ProbeCount::uncounted, false});
  EXPECT_TRUE(code.add());
  EXPECT_THAT(code.work.blocks, ElementsAre(Pair(kA, ElementsAre(exactly(counts(1, 1))))));
}

TEST(BlockWork, ProbesOfOthersAreNoProbes) {
  Code code;
  code.block({kMul}, {1});
  code.block({kAdd});
  code.probe(0, kA);
  code.probe(1, kB);
  code.fact(kB, {ProbeCount::none, false});
  EXPECT_TRUE(code.add());
  EXPECT_THAT(code.work.blocks, ElementsAre(Pair(kA, ElementsAre(exactly(counts(1, 1))))));
}

TEST(BlockWork, ALongChainOfBlocksWithoutCountsEnds) {
  Code code;
  constexpr std::uint32_t kBlocks = 100000;
  code.block({kMul}, {1});
  for (std::uint32_t i = 1; i < kBlocks; ++i) {
    code.block({}, {i + 1});
  }
  code.block({});
  code.probe(0, kA);
  EXPECT_FALSE(code.add());
  EXPECT_THAT(code.work.blocks.at(kA), ElementsAre(exactly(counts(0, 1))));
}

}  // namespace
}  // namespace ridge::measure
