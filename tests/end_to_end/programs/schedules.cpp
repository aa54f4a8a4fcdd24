// schedules NAME: one of several ways to share loops between the threads of OpenMP.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

constexpr long kSize = 1 << 17;
static std::vector<double> a(kSize), b(kSize), c(kSize);

static void fixed() {
#pragma omp parallel for schedule(static)
  for (long i = 0; i < kSize; ++i) a[i] = b[i] + 2.0 * c[i];
#pragma omp parallel for schedule(static)
  for (long i = 1; i < kSize - 1; ++i) c[i] = a[i - 1] + a[i + 1];
}

static void dynamic() {
#pragma omp parallel for schedule(dynamic, 2048)
  for (long i = 0; i < kSize; ++i) a[i] = b[i] + 2.0 * c[i];
#pragma omp parallel for schedule(dynamic, 2048)
  for (long i = 1; i < kSize - 1; ++i) c[i] = a[i - 1] + a[i + 1];
}

static double sum(const double* values, long count) {
  if (count <= 2048) {
    double total = 0.0;
    for (long i = 0; i < count; ++i) total += values[i];
    return total;
  }
  double low = 0.0;
  double high = 0.0;
#pragma omp task shared(low)
  low = sum(values, count / 2);
#pragma omp task shared(high)
  high = sum(values + count / 2, count - count / 2);
#pragma omp taskwait
  return low + high;
}

static void tasks() {
#pragma omp parallel
#pragma omp single
  a[0] += sum(b.data(), kSize) + sum(c.data(), kSize);
}

int main(int count, char** arguments) {
  const char* name = count > 1 ? arguments[1] : "";
  void (*run)() = !std::strcmp(name, "static")  ? fixed
                  : !std::strcmp(name, "tasks") ? tasks
                                                : dynamic;
  for (int repeat = 0; repeat < 10; ++repeat) run();
  std::printf("%g\n", a[1]);
}
