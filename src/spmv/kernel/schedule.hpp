// How the rows or chunks of a matrix are shared out to threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <omp.h>
#include <string_view>
#include <vector>

namespace ridge::spmv {

enum class Schedule {
  rows,          ///< each thread the same number of rows, in one piece
  entries,       ///< each thread as many stored entries, in one piece
  block_cyclic,  ///< pieces of the same number of rows, in turn
  dynamic,       ///< such pieces, each to the thread that is free first
};

/// "rows", "entries", "block-cyclic", "dynamic".
[[nodiscard]] std::string_view name_of(Schedule schedule);

/// The units (rows or chunks) of a product, and how much there is to do before each.
struct Work {
  std::int64_t units = 0;
  std::vector<std::int64_t> bounds = {0};  ///< threads + 1, by entries

  /// `before(i)`: entries before unit i; ascends.
  template <class Before>
  static Work shared_out(std::int64_t units, int threads, const Before& before) {
    Work work{units, {}};
    const double all = static_cast<double>(before(units));
    for (int t = 0; t < threads; ++t) {
      const double share = all * t / threads;
      std::int64_t low = work.bounds.empty() ? 0 : work.bounds.back();
      std::int64_t high = units;
      while (low < high) {
        const std::int64_t middle = low + (high - low) / 2;
        if (static_cast<double>(before(middle)) < share) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      work.bounds.push_back(low);
    }
    work.bounds.push_back(units);
    return work;
  }
  [[nodiscard]] int threads() const { return static_cast<int>(bounds.size()) - 1; }
};

/// Pieces of the cyclic and the dynamic schedule: about 32 for each thread.
[[nodiscard]] inline std::int64_t piece_units(const Work& work) {
  return std::max<std::int64_t>(1, work.units / (std::int64_t{32} * work.threads()));
}

/// Calls `part(first, last, thread)` until all units are done, on as many threads as `work` says.
/// Where OpenMP gives fewer (inside another parallel region, or at its limit of threads), these do
/// the parts of the others as well; what is called with one value of `thread` never runs twice at
/// once.
template <class Part>
void run_parts(const Work& work, Schedule schedule, const Part& part) {
  const int threads = work.threads();
  if (threads == 1) {
    part(std::int64_t{0}, work.units, 0);
    return;
  }
  const std::int64_t piece = piece_units(work);
  const std::int64_t pieces = (work.units + piece - 1) / piece;
#pragma omp parallel num_threads(threads)
  {
    const int own = omp_get_thread_num();
    if (schedule == Schedule::dynamic) {
#pragma omp for schedule(dynamic, 1)
      for (std::int64_t p = 0; p < pieces; ++p) {
        part(p * piece, std::min(work.units, (p + 1) * piece), own);
      }
    }
    const int all = schedule == Schedule::dynamic ? 0 : threads;
    for (int thread = own; thread < all; thread += omp_get_num_threads()) {
      if (schedule == Schedule::entries) {
        part(work.bounds[static_cast<std::size_t>(thread)],
             work.bounds[static_cast<std::size_t>(thread) + 1], thread);
      } else if (schedule == Schedule::rows) {
        part(work.units * thread / threads, work.units * (thread + 1) / threads, thread);
      } else {
        for (std::int64_t p = thread; p < pieces; p += threads) {
          part(p * piece, std::min(work.units, (p + 1) * piece), thread);
        }
      }
    }
  }
}

}  // namespace ridge::spmv
