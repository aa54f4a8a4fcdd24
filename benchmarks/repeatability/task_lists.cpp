// task_lists NAME: 64 blocks of 32 KiB, ten times over, shared out as tasks in one of several ways.
// With two cores of 1 MiB each, which thread takes which block decides whether it is still there.
#include <cstdio>
#include <cstring>
#include <omp.h>
#include <vector>

constexpr long kBlocks = 64;
constexpr long kBlock = 4096;
static std::vector<double> values(kBlocks* kBlock);

static void update(long block) {
  double* x = &values[block * kBlock];
  for (long i = 0; i < kBlock; ++i) x[i] = x[i] * 1.0001 + 0.5;
}

static void list() {
#pragma omp parallel
#pragma omp single
  for (long k = 0; k < kBlocks; ++k) {
#pragma omp task firstprivate(k)
    update(k);
  }
}

static void each_its_own() {
#pragma omp parallel
  {
    const long thread = omp_get_thread_num();
    const long threads = omp_get_num_threads();
    for (long k = thread * kBlocks / threads; k < (thread + 1) * kBlocks / threads; ++k) {
#pragma omp task firstprivate(k)
      update(k);
    }
  }
}

static void taskloop() {
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(2)
  for (long k = 0; k < kBlocks; ++k) update(k);
}

static void twice_in_order() {
#pragma omp parallel
#pragma omp single
  for (long k = 0; k < 2 * kBlocks; ++k) {
    double* x = &values[k % kBlocks * kBlock];
#pragma omp task firstprivate(k) depend(inout : x[0])
    update(k % kBlocks);
  }
}

int main(int count, char** arguments) {
  const char* name = count > 1 ? arguments[1] : "";
  void (*run)() = !std::strcmp(name, "own")        ? each_its_own
                  : !std::strcmp(name, "taskloop") ? taskloop
                  : !std::strcmp(name, "depend")   ? twice_in_order
                                                   : list;
  for (int repeat = 0; repeat < 10; ++repeat) run();
  std::printf("%g\n", values[5]);
}
