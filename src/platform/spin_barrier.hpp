// Where threads that are timed together meet before and after each sample.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace ridge::platform {

/// All threads leave `wait` together, within some 100 ns. A thread spins; when another one does not
/// come, because somebody else's program holds its CPU, it goes to sleep: the scheduler then owes
/// it time, and gives it its CPU at once when the late one wakes it. So the two run side by side
/// for what is left of a time slice, where threads that yield would miss each other again and
/// again. Waking takes some us: after a meeting for which somebody slept all meet once more.
class SpinBarrier {
 public:
  static constexpr unsigned kSpins = 20000;

  explicit SpinBarrier(std::size_t threads, unsigned spins = kSpins)
      : threads_(threads), spins_(spins) {}

  void wait();

 private:
  [[nodiscard]] bool meet();

  std::size_t threads_;
  unsigned spins_;
  alignas(64) std::atomic<std::size_t> waiting_{0};
  std::atomic<unsigned> sleepers_{0};
  bool somebody_slept_ = false;  ///< written by the last to come, before it lets the others go
  alignas(64) std::atomic<int> turn_{0};
};

}  // namespace ridge::platform
