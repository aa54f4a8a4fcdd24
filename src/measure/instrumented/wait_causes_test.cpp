#include "measure/instrumented/wait_causes.hpp"

#include <random>

#include <gtest/gtest.h>

namespace ridge::measure {
namespace {

/// main with a serial loop and a parallel region, whose body holds a loop, a loop in a `single`, a
/// barrier, a lock and a wait for tasks. Numbers are both raw ids and, less 1, indices.
enum : std::uint32_t {
  kMain = 1,
  kSerialLoop,
  kJoin,
  kBody,
  kLoop,
  kSingle,
  kBarrier,
  kLock,
  kOtherJoin,
  kOtherBody,
  kRegions = kOtherBody
};

RegionTable parallel_program() {
  RegionTable table;
  table.of_raw.push_back(kNoRegion);
  const auto add = [&](RegionKind kind, std::uint32_t parent, std::optional<WaitKind> wait = {}) {
    MergedRegion region;
    region.kind = kind;
    region.wait = wait;
    region.parent = parent == 0 ? std::nullopt : std::optional(parent - 1);
    table.of_raw.push_back(static_cast<std::uint32_t>(table.regions.size()));
    table.regions.push_back(region);
  };
  add(RegionKind::function, 0);
  add(RegionKind::loop, kMain);
  add(RegionKind::library, kMain, WaitKind::join);
  add(RegionKind::function, 0);
  add(RegionKind::loop, kBody);
  add(RegionKind::loop, kBody);
  add(RegionKind::library, kBody, WaitKind::barrier);
  add(RegionKind::library, kBody, WaitKind::lock);
  add(RegionKind::library, kMain, WaitKind::join);
  add(RegionKind::function, 0);
  return table;
}

class WaitCausesTest : public ::testing::Test {
 protected:
  WaitCausesTest() : table_(parallel_program()) {
    // Two threads in the loop at once: it is no code for one alone.
    accumulator_.add_tick({master(kLoop), worker(kLoop)}, 0.0);
    accumulator_.add_tick({master(kOtherBody, kOtherJoin)}, 0.0);
  }

  std::uint32_t stack(const std::vector<std::uint32_t>& regions) {
    std::uint32_t node = 0;
    for (const std::uint32_t region : regions) {
      node = accumulator_.stacks().push(node, region);
    }
    return node;
  }
  /// The thread that starts the parallel region, within it.
  std::uint32_t master(std::uint32_t region, std::uint32_t join = kJoin) {
    return stack({join, region});
  }
  std::uint32_t worker(std::uint32_t region) { return stack({region}); }

  void resolve(const CpusOfProcess& cpus = {}) { times_ = accumulator_.resolve(table_, cpus); }
  [[nodiscard]] const RegionTimes& of(std::uint32_t region) const { return times_.at(region - 1); }

  RegionTable table_;
  Accumulator accumulator_;
  std::vector<RegionTimes> times_;
};

/// A thread in pthread_join or on a condition is in a region, and not at work.
TEST_F(WaitCausesTest, WhoSleepsHasNoShareWhileOthersWork) {
  const std::uint32_t asleep = stack({kMain, kSerialLoop});
  const std::uint32_t works = stack({kOtherBody});
  for (int i = 0; i < 30; ++i) {
    accumulator_.add_tick({asleep, works}, 0.1);
  }
  accumulator_.add_cpu(works, 3.0, 30, 1);
  resolve();
  EXPECT_NEAR(of(kOtherBody).share, 3.0, 1e-9);
  EXPECT_NEAR(of(kSerialLoop).share, 0.0, 1e-9);
  accumulator_.add_tick({asleep}, 2.0);
  resolve();
  EXPECT_NEAR(of(kSerialLoop).share, 2.0, 1e-9) << "nobody else works: the time is its own";
}

TEST_F(WaitCausesTest, WhoIsReadyForACpuDoesNotSleep) {
  const std::uint32_t ready = stack({kMain, kSerialLoop});
  const std::uint32_t works = stack({kOtherBody});
  for (int i = 0; i < 30; ++i) {
    accumulator_.add_tick({ready, works}, 0.1);
  }
  accumulator_.add_cpu(works, 3.0, 30, 1);
  accumulator_.add_wait(ready, 3.0);
  resolve();
  EXPECT_NEAR(of(kSerialLoop).share, 1.5, 1e-9);
}

TEST_F(WaitCausesTest, WhoeverEndsFirstWaitsForTheOthers) {
  accumulator_.add_tick({worker(kJoin), worker(kLoop)}, 2.0);
  resolve();
  EXPECT_DOUBLE_EQ(of(kJoin).waits.imbalance, 2.0);
  EXPECT_DOUBLE_EQ(of(kJoin).waits.sum(), 2.0);
  EXPECT_DOUBLE_EQ(of(kLoop).caused, 2.0);
  EXPECT_DOUBLE_EQ(of(kLoop).share, 2.0) << "the wall time is that of who works";
  EXPECT_DOUBLE_EQ(of(kJoin).share, 0.0);
}

TEST_F(WaitCausesTest, WorkersThatHaveLeftTheBodyWaitAtItsEndToo) {
  accumulator_.add_tick({master(kLoop)}, 1.0, {worker(kLoop), worker(kBody), worker(kLoop)});
  resolve();
  EXPECT_DOUBLE_EQ(of(kJoin).waits.imbalance, 3.0);
  EXPECT_DOUBLE_EQ(of(kLoop).caused, 3.0);
  EXPECT_DOUBLE_EQ(of(kLoop).share, 1.0);
}

TEST_F(WaitCausesTest, WorkersBetweenParallelRegionsWaitForTheOneThatWorks) {
  accumulator_.add_tick({worker(kSerialLoop)}, 1.5, {worker(kLoop), worker(kLoop)});
  resolve();
  EXPECT_DOUBLE_EQ(of(kSerialLoop).caused, 3.0);
  EXPECT_DOUBLE_EQ(of(kSerialLoop).share, 1.5);
  EXPECT_DOUBLE_EQ(of(kJoin).waits.sum(), 0.0) << "no parallel region runs";
}

TEST_F(WaitCausesTest, ThreadsOfAnotherTeamAreNotSaidToWait) {
  accumulator_.add_tick({master(kLoop)}, 1.0, {worker(kOtherBody), worker(kSerialLoop)});
  resolve();
  EXPECT_DOUBLE_EQ(of(kLoop).caused, 0.0);
  EXPECT_DOUBLE_EQ(of(kJoin).waits.sum() + of(kOtherJoin).waits.sum(), 0.0);
}

TEST_F(WaitCausesTest, CodeInWhichNobodyElseWasEverSeenIsSerial) {
  for (int i = 0; i < 20; ++i) {
    accumulator_.add_tick({master(kBarrier), worker(kBarrier), worker(kSingle)}, 1.0);
  }
  resolve();
  EXPECT_DOUBLE_EQ(of(kBarrier).waits.serial, 40.0);
  EXPECT_DOUBLE_EQ(of(kBarrier).waits.sum(), 40.0);
  EXPECT_DOUBLE_EQ(of(kSingle).caused, 40.0);
}

TEST_F(WaitCausesTest, FewLooksDoNotTellCodeForOneThread) {
  accumulator_.add_tick({master(kBarrier), worker(kSingle)}, 1.0);
  resolve();
  EXPECT_DOUBLE_EQ(of(kBarrier).waits.imbalance, 1.0);
  table_.regions[kSingle - 1].by_thread[1].flops = 100;  // its counters do
  resolve();
  EXPECT_DOUBLE_EQ(of(kBarrier).waits.serial, 1.0);
}

TEST_F(WaitCausesTest, ThreadsThatTakeTurnsAtALoopOfAllShareOneCpu) {
  for (int i = 0; i < 20; ++i) {
    accumulator_.add_tick({master(kBarrier), worker(kSingle)}, 1.0);
    accumulator_.add_tick({master(kSingle), worker(kBarrier)}, 1.0);
  }
  table_.regions[kBody - 1].counts.entries = 10;
  table_.regions[kSingle - 1].counts.entries = 5;
  resolve();
  EXPECT_DOUBLE_EQ(of(kBarrier).waits.serial, 40.0) << "each time one of two enters it";
  table_.regions[kSingle - 1].counts.entries = 10;
  resolve();
  EXPECT_DOUBLE_EQ(of(kBarrier).waits.imbalance, 40.0) << "both enter it";
}

TEST_F(WaitCausesTest, OfALockThoseAreWaitedForThatMayHoldIt) {
  for (int i = 0; i < 20; ++i) {
    accumulator_.add_tick({master(kLock), worker(kSingle), worker(kLoop)}, 1.0);
  }
  resolve();
  EXPECT_DOUBLE_EQ(of(kLock).waits.serial, 20.0);
  EXPECT_DOUBLE_EQ(of(kSingle).caused, 20.0);
  EXPECT_DOUBLE_EQ(of(kLoop).caused, 0.0);
  EXPECT_DOUBLE_EQ(of(kLoop).share, 10.0);
}

TEST_F(WaitCausesTest, WhereNobodyWorksNothingExplainsIt) {
  accumulator_.add_tick({master(kBarrier), worker(kBarrier)}, 1.0);
  resolve();
  EXPECT_DOUBLE_EQ(of(kBarrier).waits.unexplained, 2.0);
  EXPECT_DOUBLE_EQ(of(kBarrier).waits.sum(), 2.0);
  EXPECT_DOUBLE_EQ(of(kBarrier).share, 1.0) << "the time is nobody else's";
}

TEST_F(WaitCausesTest, WhoIsWaitedForMayHaveNoCpu) {
  const auto tick = accumulator_.add_tick({worker(kJoin), worker(kLoop)}, 4.0);
  accumulator_.add_wait(worker(kLoop), 1.0, 1, tick);
  accumulator_.add_wait(worker(kJoin), 3.0, 0, tick);  // of no matter: it waits anyway
  resolve({2, 0});
  EXPECT_DOUBLE_EQ(of(kJoin).waits.busy, 1.0);
  EXPECT_DOUBLE_EQ(of(kJoin).waits.imbalance, 3.0);
  EXPECT_DOUBLE_EQ(of(kLoop).caused, 4.0);
  resolve({1, 0});
  EXPECT_DOUBLE_EQ(of(kJoin).waits.oversubscribed, 1.0);
  EXPECT_DOUBLE_EQ(of(kJoin).waits.busy, 0.0);
  resolve({2, 1});
  EXPECT_DOUBLE_EQ(of(kJoin).waits.oversubscribed, 1.0) << "another process of ours";
  resolve({0, 0});
  EXPECT_DOUBLE_EQ(of(kJoin).waits.busy, 1.0) << "how many CPUs there are is not known";
}

TEST_F(WaitCausesTest, WhenAllWaitTheyMayHaveNoCpuToGoOn) {
  const auto tick = accumulator_.add_tick({master(kBarrier), worker(kBarrier)}, 2.0);
  accumulator_.add_wait(master(kBarrier), 2.0, 0, tick);
  resolve();
  EXPECT_DOUBLE_EQ(of(kBarrier).waits.busy, 2.0);
  EXPECT_DOUBLE_EQ(of(kBarrier).waits.unexplained, 2.0);
}

TEST_F(WaitCausesTest, SeveralProcessesShareTheWallTime) {
  accumulator_.add_tick({worker(kSerialLoop)}, 1.0, {}, 4);
  resolve();
  EXPECT_DOUBLE_EQ(of(kSerialLoop).share, 0.25);
  EXPECT_DOUBLE_EQ(of(kSerialLoop).wall_self, 1.0);
}

// Whatever threads do: wall time is given to regions once, and each second of waiting has a cause.
TEST_F(WaitCausesTest, NothingIsLostOrGivenTwice) {
  std::mt19937 random(5);
  double wall = 0.0;
  double waited = 0.0;
  for (int i = 0; i < 3000; ++i) {
    const double seconds = 0.001 * (1 + random() % 5);
    std::vector<std::uint32_t> nodes{random() % 3 == 0 ? worker(kJoin)
                                                       : master(kBody + random() % 5)};
    for (unsigned worker_number = random() % 4; worker_number > 0; --worker_number) {
      nodes.push_back(worker(kBody + random() % 5));
    }
    const auto tick = accumulator_.add_tick(nodes, seconds, {worker(kBody)});
    const std::uint32_t node = nodes[random() % nodes.size()];
    accumulator_.add_wait(node, seconds * (random() % 3) / 2.0, 0, tick);
    wall += seconds;
    waited += seconds;  // the idle one
    for (const std::uint32_t each : nodes) {
      const std::uint32_t top = accumulator_.stacks().region(each);
      waited += top == kJoin || top == kBarrier || top == kLock ? seconds : 0.0;
    }
  }
  resolve({2, 0});
  double shares = 0.0;
  double causes = 0.0;
  double caused = 0.0;
  for (const RegionTimes& times : times_) {
    shares += times.share;
    causes += times.waits.sum();
    caused += times.caused;
    EXPECT_GE(times.wall_self * (1.0 + 1e-9), times.share);
  }
  EXPECT_NEAR(shares, wall, 1e-9);
  EXPECT_NEAR(causes, waited, 1e-9);
  EXPECT_LE(caused, waited);
  EXPECT_GT(of(kJoin).waits.oversubscribed, 0.0);
}

}  // namespace
}  // namespace ridge::measure
