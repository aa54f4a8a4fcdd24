#include "platform/spin_barrier.hpp"

#include <x86intrin.h>

namespace ridge::platform {

void SpinBarrier::wait() {
  // On a machine that is busy all the time somebody sleeps every time.
  constexpr int kMostMeetings = 4;
  for (int meetings = 1; meet() && meetings < kMostMeetings; ++meetings) {
  }
}

/// Whether somebody slept; all threads of a meeting get the same answer.
bool SpinBarrier::meet() {
  const int turn = turn_.load(std::memory_order_acquire);
  if (waiting_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
    const bool slept = sleepers_.exchange(0, std::memory_order_acq_rel) > 0;
    somebody_slept_ = slept;
    waiting_.store(0, std::memory_order_relaxed);
    turn_.store(static_cast<int>(static_cast<unsigned>(turn) + 1U), std::memory_order_seq_cst);
    turn_.notify_all();
    return slept;
  }
  for (unsigned spins = 0; spins < spins_; ++spins) {
    if (turn_.load(std::memory_order_acquire) != turn) {
      return somebody_slept_;
    }
    _mm_pause();
  }
  sleepers_.fetch_add(1, std::memory_order_acq_rel);
  while (turn_.load(std::memory_order_acquire) == turn) {
    turn_.wait(turn, std::memory_order_acquire);
  }
  return somebody_slept_;
}

}  // namespace ridge::platform
