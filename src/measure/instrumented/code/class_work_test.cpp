#include "measure/instrumented/code/class_work.hpp"

#include <random>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/instrumented/arena_builder.hpp"

namespace ridge::measure {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr OperationKey kAdd{Precision::fp64, OperationKind::add, 64};
constexpr OperationKey kMul{Precision::fp64, OperationKind::mul, 64};
constexpr OperationKey kFma{Precision::fp64, OperationKind::fma, 64};
constexpr OperationKey kWide{Precision::fp64, OperationKind::add, 512};

OperationCounts counts(const std::vector<std::pair<OperationKey, std::uint64_t>>& flops) {
  OperationCounts result;
  for (const auto& [key, amount] : flops) {
    result.add(key, amount);
  }
  return result;
}

WorkRange exactly(const OperationCounts& plain, const OperationCounts& masked = {}) {
  return {{plain, masked}, {plain, masked}};
}

WorkTerm term(const OperationKey& key, std::uint64_t flops) {
  return {key.precision, key.kind, key.width_bits, flops};
}
CounterWork exact(const std::vector<WorkTerm>& terms) {
  CounterWork work{terms, 0, 0};
  for (const WorkTerm& one : terms) {
    work.least += one.flops;
    work.most += one.flops;
  }
  return work;
}

/// One class, whose counters are numbered in the order of these calls.
class Class {
 public:
  void executions(const OperationCounts& in_ir) { counter(in_ir, RIDGE_COUNTS_EXECUTIONS); }
  /// One flop of these for each lane that is on.
  void lanes(const OperationKey& key) { counter(counts({{key, 1}}), RIDGE_COUNTS_AMOUNTS); }
  /// The same of an operation that a select takes; executions() has it with all lanes.
  void selected(const OperationKey& key) {
    lanes(key);
    unit_.terms.back().quantity = RIDGE_SELECTED_FLOPS;
  }
  void bytes_known_at_run_time() {
    counter({}, RIDGE_COUNTS_AMOUNTS);
    unit_.term(RIDGE_BYTES_LOADED, 1);
  }

  /// Of the last counter: bytes loaded and stored, and those of them at fixed places of the frame.
  void bytes(std::uint64_t all, const Traffic& on_frame) {
    unit_.term(RIDGE_BYTES_LOADED, all);
    unit_.term(RIDGE_BYTES_ON_FRAME, on_frame.read);
    unit_.term(RIDGE_BYTES_ON_FRAME, on_frame.written);
    unit_.terms.back().operation = 1;
  }

  [[nodiscard]] std::map<std::uint32_t, CounterWork> of(const WorkRange& work) const {
    const auto bytes = unit_.bytes();
    const auto descriptor = Descriptor::parse(bytes);
    std::map<std::uint32_t, CounterWork> result;
    if (!descriptor) {
      ADD_FAILURE() << "the descriptor is refused";
      return result;
    }
    std::vector<std::uint32_t> indices(unit_.counters.size());
    for (std::uint32_t i = 0; i < indices.size(); ++i) {
      indices[i] = i;
    }
    add_class_work(*descriptor, indices, work, result);
    return result;
  }

 private:
  void counter(const OperationCounts& flops, ridge_counted counted) {
    const auto region = unit_.region(RIDGE_REGION_FUNCTION, "f", RIDGE_NO_PARENT);
    unit_.counter(region);
    unit_.counters.back().execution_class = 1;
    unit_.counters.back().counts = counted;
    for (const auto& [key, amount] : flops.by_key()) {
      unit_.flops(static_cast<ridge_precision>(key.precision),
                  static_cast<ridge_operation>(key.kind), key.width_bits, amount);
    }
  }

  DescriptorBuilder unit_;
};

TEST(ClassWork, OneRegionGetsWhatTheMachineCodeDoes) {
  Class code;
  code.executions(counts({{kFma, 2}}));
  EXPECT_THAT(code.of(exactly(counts({{kAdd, 3}, {kMul, 1}}))),
              ElementsAre(Pair(0, exact({term(kAdd, 3), term(kMul, 1)}))));
}

TEST(ClassWork, CodeThatDoesNothingAnyMoreCountsNothing) {
  Class code;
  code.executions(counts({{kFma, 2}}));
  code.executions(counts({{kAdd, 1}}));
  EXPECT_THAT(code.of({}), ElementsAre(Pair(0, CounterWork{}), Pair(1, CounterWork{})));
}

TEST(ClassWork, RegionsKeepTheirsWhereTheSumsAreEqual) {
  Class code;
  code.executions(counts({{kAdd, 2}}));
  code.executions(counts({{kAdd, 1}, {kMul, 4}}));
  EXPECT_THAT(
      code.of(exactly(counts({{kAdd, 3}, {kMul, 4}}))),
      ElementsAre(Pair(0, exact({term(kAdd, 2)})), Pair(1, exact({term(kAdd, 1), term(kMul, 4)}))));
}

TEST(ClassWork, OfFewerOperationsTheFirstRegionsKeepTheirs) {
  Class code;
  code.executions(counts({{kAdd, 4}}));
  code.executions(counts({{kAdd, 4}}));
  EXPECT_THAT(code.of(exactly(counts({{kAdd, 5}}))),
              ElementsAre(Pair(0, exact({term(kAdd, 4)})), Pair(1, exact({term(kAdd, 1)}))));
}

TEST(ClassWork, WhatChangedGoesToTheRegionThatLacksIt) {
  Class code;
  code.executions(counts({{kAdd, 4}}));
  code.executions(counts({{kMul, 4}}));
  EXPECT_THAT(code.of(exactly(counts({{kAdd, 4}, {kFma, 8}}))),
              ElementsAre(Pair(0, exact({term(kAdd, 4)})), Pair(1, exact({term(kFma, 8)}))));
}

TEST(ClassWork, MoreOperationsGoToTheRegionWithMost) {
  Class code;
  code.executions(counts({{kAdd, 4}}));
  code.executions(counts({{kAdd, 8}}));
  EXPECT_THAT(code.of(exactly(counts({{kAdd, 15}}))),
              ElementsAre(Pair(0, exact({term(kAdd, 4)})), Pair(1, exact({term(kAdd, 11)}))));
}

TEST(ClassWork, LanesAreCountedWhereTheMachineCodeMasksAsMuch) {
  Class code;
  code.executions(counts({{kMul, 1}}));
  code.lanes(kWide);
  EXPECT_THAT(code.of(exactly(counts({{kMul, 1}}), counts({{kWide, 8}}))),
              ElementsAre(Pair(0, exact({term(kMul, 1)}))));
}

TEST(ClassWork, WithoutAMaskAllLanesRan) {
  Class code;
  code.executions(counts({{kMul, 1}}));
  code.lanes(kWide);
  EXPECT_THAT(code.of(exactly(counts({{kMul, 1}, {kWide, 8}}))),
              ElementsAre(Pair(0, exact({term(kWide, 8), term(kMul, 1)})), Pair(1, CounterWork{})));
}

TEST(ClassWork, LanesBeyondThoseThatAreCountedAreAnInterval) {
  Class code;
  code.executions(counts({{kMul, 1}}));
  code.lanes(kWide);
  EXPECT_THAT(code.of(exactly(counts({{kMul, 1}}), counts({{kWide, 16}}))),
              ElementsAre(Pair(0, CounterWork{{term(kWide, 8), term(kMul, 1)}, 1, 9})));
  Class without_lanes;
  without_lanes.executions(counts({{kMul, 1}}));
  EXPECT_THAT(without_lanes.of(exactly(counts({{kMul, 1}}), counts({{kWide, 8}}))),
              ElementsAre(Pair(0, CounterWork{{term(kWide, 8), term(kMul, 1)}, 1, 9})));
}

TEST(ClassWork, LanesThatASelectTakesCountWhereTheMachineCodeMasks) {
  Class code;
  code.executions(counts({{kMul, 1}, {kWide, 8}}));
  code.selected(kWide);
  EXPECT_THAT(code.of(exactly(counts({{kMul, 1}}), counts({{kWide, 8}}))),
              ElementsAre(Pair(0, exact({term(kMul, 1)})), Pair(1, exact({term(kWide, 1)}))));
  EXPECT_THAT(code.of(exactly(counts({{kMul, 1}, {kWide, 8}}))),
              ElementsAre(Pair(0, exact({term(kWide, 8), term(kMul, 1)})), Pair(1, CounterWork{})));
}

TEST(ClassWork, OfTwoSelectsOfWhichOneIsMaskedNobodyKnowsWhich) {
  Class code;
  code.executions(counts({{kWide, 16}}));
  code.selected(kWide);
  code.selected(kWide);
  EXPECT_THAT(code.of(exactly(counts({{kWide, 8}}), counts({{kWide, 8}}))),
              ElementsAre(Pair(0, CounterWork{{term(kWide, 16)}, 8, 16}), Pair(1, CounterWork{}),
                          Pair(2, CounterWork{})));
}

/// One that a mask names and one that a select takes: which of them the machine code masks?
TEST(ClassWork, MaskedAndSelectedOperationsAreNotMistakenForEachOther) {
  Class code;
  code.executions(counts({{kWide, 8}}));
  code.lanes(kWide);
  code.selected(kWide);
  EXPECT_THAT(code.of(exactly(counts({{kWide, 8}}), counts({{kWide, 8}}))),
              ElementsAre(Pair(0, CounterWork{{term(kWide, 16)}, 8, 16}), Pair(1, CounterWork{}),
                          Pair(2, CounterWork{})));
  EXPECT_THAT(code.of(exactly({}, counts({{kWide, 16}}))),
              ElementsAre(Pair(0, CounterWork{}), Pair(2, exact({term(kWide, 1)}))));
}

TEST(ClassWork, LanesOfOneKindDoNotSpeakForAnother) {
  constexpr OperationKey kWideMul{Precision::fp64, OperationKind::mul, 512};
  Class code;
  code.executions(counts({{kMul, 1}}));
  code.lanes(kWideMul);
  EXPECT_THAT(code.of(exactly(counts({{kMul, 1}}), counts({{kWide, 8}}))),
              ElementsAre(Pair(0, CounterWork{{term(kWide, 8), term(kMul, 1)}, 1, 9}),
                          Pair(1, CounterWork{})));
}

TEST(ClassWork, InAnIntervalTheIrDecides) {
  const WorkRange range{{counts({{kAdd, 2}}), {}}, {counts({{kAdd, 6}}), {}}};
  for (const auto& [in_ir, flops] : {std::pair{3U, 3U}, {2U, 2U}, {6U, 6U}, {1U, 2U}, {9U, 6U}}) {
    Class code;
    code.executions(counts({{kAdd, in_ir}}));
    EXPECT_THAT(code.of(range), ElementsAre(Pair(0, CounterWork{{term(kAdd, flops)}, 2, 6})));
  }
}

TEST(ClassWork, AClassWithoutACounterOfExecutionsKeepsTheIr) {
  Class code;
  code.lanes(kWide);
  code.bytes_known_at_run_time();
  EXPECT_THAT(code.of(exactly(counts({{kAdd, 3}}))), IsEmpty());
}

TEST(ClassWork, CountersOfBytesAreLeftAlone) {
  Class code;
  code.executions(counts({{kAdd, 1}}));
  code.bytes_known_at_run_time();
  EXPECT_THAT(code.of(exactly(counts({{kAdd, 3}}))), ElementsAre(Pair(0, exact({term(kAdd, 3)}))));
}

TEST(ClassWork, ATermOfNoKnownKindIsNoFlop) {
  DescriptorBuilder unit;
  unit.counter(unit.region(RIDGE_REGION_FUNCTION, "f", RIDGE_NO_PARENT));
  unit.flops(RIDGE_FP64, RIDGE_ADD, 64, 1);
  unit.flops(static_cast<ridge_precision>(77), RIDGE_ADD, 64, 5);
  unit.flops(RIDGE_FP64, static_cast<ridge_operation>(77), 64, 5);
  const auto bytes = unit.bytes();
  std::map<std::uint32_t, CounterWork> result;
  add_class_work(*Descriptor::parse(bytes), {0}, exactly(counts({{kAdd, 2}})), result);
  EXPECT_THAT(result, ElementsAre(Pair(0, exact({term(kAdd, 2)}))));
}

/// Whatever the regions had: nothing of the machine code is lost, nothing is counted twice, and the
/// interval of all of them is that of the code.
TEST(ClassWork, RegionsTogetherDoWhatTheMachineCodeDoes) {
  std::mt19937_64 random(1);  // the same cases in every run
  const auto any = [&] {
    return counts({{kAdd, random() % 5}, {kMul, random() % 5}, {kFma, random() % 3 * 2}});
  };
  for (int i = 0; i < 300; ++i) {
    Class code;
    const std::size_t regions = 1 + random() % 3;
    for (std::size_t r = 0; r < regions; ++r) {
      code.executions(any());
    }
    WorkRange work = exactly(any());
    work.most.plain += any();
    std::uint64_t flops = 0;
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    for (const auto& [index, counter] : code.of(work)) {
      std::uint64_t own = 0;
      for (const WorkTerm& one : counter.terms) {
        own += one.flops;
      }
      EXPECT_LE(counter.least, own);
      EXPECT_LE(own, counter.most);
      flops += own;
      low += counter.least;
      high += counter.most;
    }
    EXPECT_GE(flops, work.least.plain.total());
    EXPECT_LE(flops, work.most.plain.total());
    EXPECT_LE(low, flops);
    EXPECT_EQ(high, work.most.plain.total());
    if (regions == 1) {
      EXPECT_EQ(low, work.least.plain.total());
    }
  }
}

TEST(ClassWork, BytesOfTheFrameBeyondThoseOfTheIrAreSpilled) {
  Class code;
  code.executions(counts({{kAdd, 1}}));
  code.bytes(8, {8, 16});
  code.executions(counts({{kMul, 1}}));
  code.bytes(64, {});
  WorkRange work = exactly(counts({{kAdd, 1}, {kMul, 1}}));
  for (ExecutionWork* end : {&work.least, &work.most}) {
    end->frame = {40, 16};
  }
  const auto found = code.of(work);
  EXPECT_EQ(found.at(0).spilled, Traffic{});
  EXPECT_EQ(found.at(1).spilled, (Traffic{32, 0}));  // that moves most
}

TEST(ClassWork, WhereCopiesSpillDifferentlyTheLeastCounts) {
  Class code;
  code.executions(counts({{kAdd, 1}}));
  WorkRange work = exactly(counts({{kAdd, 1}}));
  work.least.frame = {8, 0};
  work.most.frame = {24, 8};
  EXPECT_EQ(code.of(work).at(0).spilled, (Traffic{8, 0}));
}

}  // namespace
}  // namespace ridge::measure
