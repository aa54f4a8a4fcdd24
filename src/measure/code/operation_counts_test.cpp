#include "measure/code/operation_counts.hpp"

#include <random>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::measure {
namespace {

constexpr OperationKey kAdd{Precision::fp64, OperationKind::add, 64};
constexpr OperationKey kMul{Precision::fp64, OperationKind::mul, 64};
constexpr OperationKey kWideAdd{Precision::fp64, OperationKind::add, 256};

OperationCounts counts(std::uint64_t add, std::uint64_t mul, std::uint64_t wide = 0) {
  OperationCounts result;
  result.add(kAdd, add);
  result.add(kMul, mul);
  result.add(kWideAdd, wide);
  return result;
}

OperationCounts operator+(OperationCounts a, const OperationCounts& b) {
  return a += b;
}

bool is_part_of(const OperationCounts& a, const OperationCounts& b) {
  return beyond(a, b).empty();
}
bool is_part_of(const ExecutionWork& a, const ExecutionWork& b) {
  return is_part_of(a.plain, b.plain) && is_part_of(a.masked, b.masked);
}

/// Small numbers, so that equal ones and 0 are frequent.
class Random {
 public:
  OperationCounts counts() { return measure::counts(number(), number(), number()); }
  WorkRange range() {
    const ExecutionWork low{counts(), counts()};
    ExecutionWork high = low;
    high += {counts(), counts()};
    return {low, high};
  }

 private:
  std::uint64_t number() { return engine_() % 4; }
  std::mt19937_64 engine_{1};  // the same cases in every run
};

constexpr int kCases = 500;

TEST(OperationCounts, NoneOfAKindIsNoEntry) {
  EXPECT_TRUE(counts(0, 0).empty());
  EXPECT_EQ(counts(0, 0), OperationCounts{});
  OperationCounts some = counts(3, 0);
  some.add(kAdd, 4);
  EXPECT_THAT(some.by_key(), ::testing::ElementsAre(::testing::Pair(kAdd, 7U)));
  EXPECT_EQ(some.of(kAdd), 7U);
  EXPECT_EQ(some.of(kMul), 0U);
  EXPECT_EQ(some.of(kWideAdd), 0U);
  EXPECT_EQ(counts(3, 5, 8).total(), 16U);
}

TEST(OperationCounts, EachKindForItself) {
  const auto a = counts(5, 1);
  const auto b = counts(2, 4, 8);
  EXPECT_EQ(least(a, b), counts(2, 1));
  EXPECT_EQ(most(a, b), counts(5, 4, 8));
  EXPECT_EQ(beyond(a, b), counts(3, 0));
  EXPECT_EQ(beyond(b, a), counts(0, 3, 8));
}

TEST(OperationCounts, LeastMostAndBeyondBelongTogether) {
  Random random;
  for (int i = 0; i < kCases; ++i) {
    const auto a = random.counts();
    const auto b = random.counts();
    EXPECT_EQ(least(a, b) + beyond(a, b), a);
    EXPECT_EQ(most(a, b), b + beyond(a, b));
    EXPECT_EQ(least(a, b) + most(a, b), a + b);
    EXPECT_EQ(least(a, b), least(b, a));
    EXPECT_EQ(most(a, b), most(b, a));
    EXPECT_TRUE(least(beyond(a, b), beyond(b, a)).empty());
    EXPECT_EQ(least(a, a), a);
    EXPECT_EQ(most(a, a), a);
  }
}

TEST(WorkRange, WideningContainsBothAndNoMore) {
  Random random;
  for (int i = 0; i < kCases; ++i) {
    const WorkRange a = random.range();
    const WorkRange b = random.range();
    WorkRange both = a;
    both.widen(b);
    WorkRange other_way = b;
    other_way.widen(a);
    EXPECT_EQ(both, other_way);
    for (const WorkRange& part : {a, b}) {
      EXPECT_TRUE(is_part_of(both.least, part.least) && is_part_of(part.most, both.most));
    }
    EXPECT_EQ(both.least.plain, least(a.least.plain, b.least.plain));
    EXPECT_EQ(both.most.masked, most(a.most.masked, b.most.masked));
    WorkRange again = both;
    again.widen(a);
    EXPECT_EQ(again, both);
  }
}

TEST(WorkRange, IsExactWhereBothWaysDoTheSame) {
  const ExecutionWork one{counts(1, 2), counts(0, 4)};
  const ExecutionWork other{counts(1, 2), counts(0, 3)};
  WorkRange same{one, one};
  same.widen({one, one});
  EXPECT_TRUE(same.is_exact());
  same.widen({other, other});
  EXPECT_FALSE(same.is_exact());
  EXPECT_EQ(same, (WorkRange{other, one}));
  same += WorkRange{one, one};
  EXPECT_EQ(same.least.masked, counts(0, 7));
  EXPECT_EQ(same.most.masked, counts(0, 8));
}

}  // namespace
}  // namespace ridge::measure
