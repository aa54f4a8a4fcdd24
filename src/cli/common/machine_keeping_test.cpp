#include "cli/common/machine_keeping.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/notes.hpp"
#include "cli/sentences_for_tests.hpp"

namespace ridge::cli {
namespace {

using testing::HasSubstr;

Ceiling load(const std::string& id, double p90, double scatter) {
  Ceiling ceiling;
  ceiling.id = id;
  ceiling.kind = CeilingKind::bandwidth;
  Estimate<BytesPerSecond> value;
  value.median = BytesPerSecond{p90};
  value.p90 = BytesPerSecond{p90};
  value.low = BytesPerSecond{p90 * (1.0 - scatter)};
  value.high = BytesPerSecond{p90};
  value.samples = 100;
  ceiling.value = value;
  return ceiling;
}

Ceiling latency(double low, double high) {
  Ceiling ceiling;
  ceiling.id = "latency.L3.chase-huge.t1";
  ceiling.kind = CeilingKind::latency;
  Estimate<Seconds> value;
  value.median = Seconds{(low + high) / 2.0};
  value.low = Seconds{low};
  value.high = Seconds{high};
  value.p90 = Seconds{high};
  ceiling.value = value;
  return ceiling;
}

/// 40 steady ceilings of 30 GB/s.
Machine steady() {
  Machine machine;
  machine.date = "2026-01-02T03:04:05Z";
  for (int i = 0; i < 40; ++i) {
    machine.ceilings.push_back(load("c" + std::to_string(i), 30e9, 0.02));
  }
  return machine;
}

TEST(MachineKeeping, TheSameAgainOrABetterOneIsKept) {
  Machine next = steady();
  EXPECT_FALSE(why_unfit(next));
  EXPECT_FALSE(why_worse(steady(), next));
  next.ceilings[3] = load("c3", 33e9, 0.05);
  next.ceilings.push_back(load("more", 1e9, 0.5));
  EXPECT_FALSE(why_worse(steady(), next));
}

Machine with_fewer_ceilings() {
  Machine next = steady();
  next.ceilings.pop_back();
  return next;
}

TEST(MachineKeeping, FewerCeilingsAreWorse) {
  const Machine next = with_fewer_ceilings();
  EXPECT_THAT(why_worse(steady(), next).value_or(""), HasSubstr("lacks 1 "));
  EXPECT_THAT(why_worse(steady(), next).value_or(""), HasSubstr(" 40 "));
  EXPECT_THAT(why_worse(steady(), next).value_or(""), HasSubstr("(c39)"));
}

// 1.25 GB/s with two threads over 32.1: one such ceiling is enough.
Machine with_one_that_collapsed() {
  Machine next = steady();
  next.ceilings[7] = load("c7", 1.25e9, 0.9);
  return next;
}

TEST(MachineKeeping, OneCeilingThatCollapsedIsWorse) {
  const Machine next = with_one_that_collapsed();
  EXPECT_THAT(why_worse(steady(), next).value_or(""), HasSubstr("1 of 40"));
}

TEST(MachineKeeping, LowerAndMoreScatteredIsWorseWhenItIsMoreThanOneInTwenty) {
  Machine next = steady();
  next.ceilings[0] = load("c0", 25e9, 0.4);
  next.ceilings[1] = load("c1", 25e9, 0.4);
  EXPECT_FALSE(why_worse(steady(), next)) << "two of forty";
  next.ceilings[2] = load("c2", 25e9, 0.02);
  next.ceilings[2].flags = {"disturbed"};
  EXPECT_THAT(why_worse(steady(), next).value_or(""), HasSubstr("3 of 40"));
}

TEST(MachineKeeping, AMachineThatBecameSlowerIsKept) {
  Machine next = steady();
  for (Ceiling& ceiling : next.ceilings) {
    ceiling = load(ceiling.id, 12e9, 0.02);
  }
  EXPECT_FALSE(why_worse(steady(), next));
}

TEST(MachineKeeping, OfALatencyTheFastEndCounts) {
  Machine kept;
  kept.ceilings = {latency(16e-9, 17e-9)};
  Machine next;
  next.ceilings = {latency(16.2e-9, 60e-9)};
  EXPECT_FALSE(why_worse(kept, next));
  next.ceilings = {latency(40e-9, 60e-9)};
  EXPECT_TRUE(why_worse(kept, next));
}

TEST(MachineKeeping, UnfitIsWhatLacksCeilingsOfItsOwnPlan) {
  Machine next = steady();
  next.notes = {{bench::kThreadsApart, "1 ceiling"}};
  EXPECT_THAT(why_unfit(next).value_or(""), HasSubstr("same time"));
  next.notes.clear();
  next.incomplete = true;
  EXPECT_THAT(why_unfit(next).value_or(""), HasSubstr("incomplete"));
}

}  // namespace

void machine_keeping_sentences(tests::Sentences& sentences) {
  sentences.add("worse machine, fewer ceilings",
                why_worse(steady(), with_fewer_ceilings()).value_or(""));
  sentences.add("worse machine, one ceiling collapsed",
                why_worse(steady(), with_one_that_collapsed()).value_or(""));
  Machine unfit;
  unfit.notes = {{bench::kThreadsApart, "1 ceiling"}};
  sentences.add("unfit machine, threads apart", why_unfit(unfit).value_or(""));
  unfit.incomplete = true;
  sentences.add("unfit machine, incomplete", why_unfit(unfit).value_or(""));
}

}  // namespace ridge::cli
