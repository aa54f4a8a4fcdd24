// The order of batches against a slow reference: whatever the threads' real order, one result.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

extern "C" {
#include "runtime/turns.h"
}

namespace ridge::runtime_testing {
namespace {

using Batch = std::tuple<std::uint64_t, std::uint32_t, std::uint64_t>;  // clock, number, accesses

// work[phase][thread]: accesses of each batch. All meet at the end of a phase.
using Work = std::vector<std::vector<std::vector<std::uint64_t>>>;

Work random_work(std::mt19937_64& random, std::size_t threads) {
  Work work(1 + random() % 5, std::vector<std::vector<std::uint64_t>>(threads));
  for (auto& phase : work) {
    for (auto& thread : phase) {
      thread.resize(random() % 30);
      for (std::uint64_t& accesses : thread) {
        accesses = random() % 3 == 0 ? 2048 : 1 + random() % 4000;
      }
    }
  }
  return work;
}

std::vector<Batch> reference_order(const Work& work) {
  std::vector<Batch> order;
  std::uint64_t begin = 0;
  for (const auto& phase : work) {
    std::vector<Batch> of_phase;
    std::uint64_t latest = begin;
    for (std::uint32_t thread = 0; thread < phase.size(); ++thread) {
      std::uint64_t clock = begin;
      for (const std::uint64_t accesses : phase[thread]) {
        of_phase.emplace_back(clock, thread, accesses);
        clock += accesses;
      }
      latest = std::max(latest, clock);
    }
    std::sort(of_phase.begin(), of_phase.end());
    order.insert(order.end(), of_phase.begin(), of_phase.end());
    begin = latest;
  }
  return order;
}

// Runs the threads in a random order; each hands over a batch, or comes to the barrier.
class Machine {
 public:
  Machine(const Work& work, std::mt19937_64& random)
      : work_(work), random_(random), all_(std::make_unique<ridge_turns>()) {
    for (std::size_t i = 0; i < work.front().size(); ++i) {
      turns_.push_back(ridge_turns_add(all_.get(), 0));
    }
    at_.resize(turns_.size());
  }

  std::vector<Batch> run() {
    for (phase_ = 0; phase_ < work_.size(); ++phase_) {
      std::fill(at_.begin(), at_.end(), 0);
      while (!all_wait()) {
        step();
      }
      ridge_turns_release(all_.get(), &barrier_, ridge_turns_latest(all_.get(), &barrier_));
    }
    for (ridge_turn* turn : turns_) {
      ridge_turns_end(all_.get(), turn);
    }
    simulate(false);
    return order_;
  }

 private:
  bool all_wait() const {
    return std::all_of(turns_.begin(), turns_.end(),
                       [&](const ridge_turn* turn) { return turn->waits_on == &barrier_; });
  }
  void step() {
    const std::size_t thread = random_() % turns_.size();
    ridge_turn* turn = turns_[thread];
    const auto& batches = work_[phase_][thread];
    if (turn->waits_on != nullptr) {
      return;
    }
    if (at_[thread] == batches.size()) {
      ridge_turns_wait(turn, &barrier_);
    } else if (turn->queued < RIDGE_WINDOW) {
      ridge_turns_come(all_.get(), turn);
      hand_over(turn, batches[at_[thread]++]);
    }
    if (random_() % 3 != 0) {
      simulate(random_() % 2 == 0);
    }
  }
  void hand_over(ridge_turn* turn, std::uint64_t accesses) {
    if (ridge_turns_may_go(all_.get(), turn) != 0) {
      order_.emplace_back(turn->clock, turn->number, accesses);
      ridge_turns_passed(all_.get(), turn, accesses);
    } else {
      const ridge_batch batch{nullptr, 0, 0, accesses, 0, 0, 0};
      ridge_turns_push(turn, &batch);
    }
  }
  void simulate(bool only_one) {
    while (ridge_turn* turn = ridge_turns_next(all_.get(), 0)) {
      const ridge_batch& batch = turn->queue[turn->first];
      order_.emplace_back(batch.clock, turn->number, batch.accesses);
      ridge_turns_pop(all_.get(), turn);
      if (only_one) {
        return;
      }
    }
  }

  const Work& work_;
  std::mt19937_64& random_;
  std::unique_ptr<ridge_turns> all_;
  std::vector<ridge_turn*> turns_;
  std::vector<std::size_t> at_;
  std::size_t phase_ = 0;
  std::vector<Batch> order_;
  char barrier_ = 0;
};

TEST(Turns, OneOrderWhateverTheThreadsDoWhen) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    const Work work = random_work(random, 1 + random() % 6);
    const std::vector<Batch> expected = reference_order(work);
    for (int repetition = 0; repetition < 5; ++repetition) {
      Machine machine(work, random);
      ASSERT_EQ(machine.run(), expected) << "round " << round;
    }
  }
}

ridge_batch batch_of(std::uint64_t accesses) {
  return {nullptr, 0, 0, accesses, 0, 0, 0};
}

TEST(Turns, WhoIsAbsentIsNotWaitedForAndComesBackWhereTheOthersAre) {
  auto all = std::make_unique<ridge_turns>();
  ridge_turn* a = ridge_turns_add(all.get(), 0);
  ridge_turn* b = ridge_turns_add(all.get(), 0);
  const ridge_batch batch = batch_of(100);
  ridge_turns_push(b, &batch);
  EXPECT_EQ(ridge_turns_next(all.get(), 0), nullptr) << "a may come with a batch at 0";
  EXPECT_EQ(ridge_turns_next(all.get(), 1), b);
  a->absent = 1;
  EXPECT_EQ(ridge_turns_next(all.get(), 0), b);
  ridge_turns_pop(all.get(), b);
  ridge_turns_push(b, &batch);
  ridge_turns_pop(all.get(), b);
  EXPECT_EQ(all->late, 0u);
  ridge_turns_come(all.get(), a);
  EXPECT_EQ(a->clock, 100u);
  EXPECT_EQ(all->late, 1u);
}

TEST(Turns, ATeamIsCompleteBeforeAnythingOfItGoes) {
  auto all = std::make_unique<ridge_turns>();
  ridge_turn* master = ridge_turns_add(all.get(), 500);
  ridge_turn* worker = ridge_turns_add(all.get(), 0);
  const char idle = 0;
  ridge_turns_wait(worker, &idle);
  ridge_team* team = ridge_teams_add(all.get(), master);
  ridge_teams_begin(team, master, 2);
  const ridge_batch batch = batch_of(100);
  ridge_turns_push(master, &batch);
  EXPECT_EQ(ridge_turns_next(all.get(), 0), nullptr) << "the worker has not begun";
  ridge_teams_begin(team, worker, 2);
  EXPECT_EQ(worker->clock, 500u);
  EXPECT_EQ(ridge_turns_next(all.get(), 0), master) << "the lower number of two at 500";
  ridge_turns_push(worker, &batch);
  team->clock = 600;
  ridge_teams_end(all.get(), team, &idle);
  EXPECT_EQ(worker->waits_on, &idle);
  EXPECT_EQ(master->clock, 600u);
  EXPECT_EQ(master->team, nullptr);
}

TEST(Turns, WhoJoinsGoesOnAfterTheOther) {
  auto all = std::make_unique<ridge_turns>();
  ridge_turn* parent = ridge_turns_add(all.get(), 10);
  ridge_turn* child = ridge_turns_add(all.get(), 10);
  ridge_turns_wait(parent, child);
  const ridge_batch batch = batch_of(70);
  ridge_turns_push(child, &batch);
  ridge_turns_end(all.get(), child);
  EXPECT_EQ(parent->waits_on, nullptr);
  EXPECT_EQ(parent->clock, 80u);
  ridge_turns_remove(child);
  ridge_turn* next = ridge_turns_add(all.get(), 20);
  EXPECT_EQ(next, child) << "the lowest free number";
  EXPECT_EQ(next->clock, 80u) << "the other's batch is still at hand";
  EXPECT_EQ(ridge_turns_next(all.get(), 0), child);
}

TEST(Turns, MoreThreadsThanNumbers) {
  auto all = std::make_unique<ridge_turns>();
  for (int i = 0; i < RIDGE_TURNS_MAX; ++i) {
    ASSERT_NE(ridge_turns_add(all.get(), 0), nullptr);
  }
  EXPECT_EQ(ridge_turns_add(all.get(), 0), nullptr);
}

}  // namespace
}  // namespace ridge::runtime_testing
