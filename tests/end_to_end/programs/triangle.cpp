// Two threads share a triangle of n rows, row i with i + 1 additions, in contiguous halves: an
// uneven spread that is known in closed form. Which threads: STD_THREAD, USE_TBB or else OpenMP.
//     triangle N REPEATS

#include <cstdio>
#include <cstdlib>
#include <vector>

#ifdef STD_THREAD
#include <latch>
#include <thread>
#endif
#ifdef USE_TBB
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace {

#if defined(STD_THREAD) || defined(USE_TBB)
void rows(double* sums, const double* values, long begin, long end) {
  for (long i = begin; i < end; ++i) {
    double sum = 0.0;
    for (long j = 0; j <= i; ++j) {
      sum += values[j];
    }
    sums[i] += sum;
  }
}
#endif

void triangle(long n, double* sums, const double* values) {
#if defined(STD_THREAD)
  std::latch both(2);  // or the first might have ended before the second one begins
  const auto part = [&](long begin, long end) {
    both.arrive_and_wait();
    rows(sums, values, begin, end);
  };
  std::thread first(part, 0L, n / 2);
  std::thread second(part, n / 2, n);
  first.join();
  second.join();
#elif defined(USE_TBB)
  const tbb::global_control two(tbb::global_control::max_allowed_parallelism, 2);
  tbb::task_arena arena(2);
  arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<long>(0, n, n / 2),
        [&](const tbb::blocked_range<long>& part) { rows(sums, values, part.begin(), part.end()); },
        tbb::static_partitioner());
  });
#else
#pragma omp parallel for schedule(static) num_threads(2)
  for (long i = 0; i < n; ++i) {
    double sum = 0.0;
    for (long j = 0; j <= i; ++j) {
      sum += values[j];
    }
    sums[i] += sum;
  }
#endif
}

}  // namespace

int main(int argc, char** argv) {
  const long n = argc > 1 ? std::atol(argv[1]) : 1000;
  const long repeats = argc > 2 ? std::atol(argv[2]) : 1;
  std::vector<double> sums(static_cast<std::size_t>(n), 0.0);
  const std::vector<double> values(static_cast<std::size_t>(n), 0.5);
  for (long r = 0; r < repeats; ++r) {
    triangle(n, sums.data(), values.data());
  }
  std::printf("%g\n", sums[static_cast<std::size_t>(n - 1)]);
}
