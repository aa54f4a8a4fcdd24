// Comes back from libraries in every way: by returns, callbacks, exceptions, longjmp and a signal
// handler; calls through pointers and by a jump table.

#include <algorithm>
#include <array>
#include <cmath>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace {

std::jmp_buf begin;
volatile std::sig_atomic_t signals = 0;
constexpr std::size_t kCount = 500;

int compare(const void* a, const void* b) {
  const double difference = *static_cast<const double*>(a) - *static_cast<const double*>(b);
  return difference < 0 ? -1 : difference > 0 ? 1 : 0;
}

double throws(double x) {
  if (x > 0.5) {
    throw x;
  }
  return x * 2.0;
}

[[noreturn]] void jumps(int times) {
  std::longjmp(begin, times + 1);
}

void handle(int /*signal*/) {
  signals = signals + 1;
}

double choose(std::size_t which, double x) {
  switch (which % 6) {
    case 0:
      return x + 1.0;
    case 1:
      return x * x;
    case 2:
      return std::exp(x);
    case 3:
      return x / 3.0;
    case 4:
      return x - 4.0;
    default:
      return std::sqrt(x + 2.0);
  }
}

}  // namespace

int main() {
  std::array<double, kCount> x{};
  double sum = 0.0;
  for (std::size_t i = 0; i < kCount; ++i) {
    x[i] = std::sin(static_cast<double>(i));
    sum += choose(i, x[i]);
  }
  std::qsort(x.data(), kCount, sizeof x[0], compare);
  for (const double value : x) {
    try {
      sum += throws(value);
    } catch (double caught) {
      sum -= caught * 3.0;
    }
  }
  if (const int times = setjmp(begin); times < 5) {
    jumps(times);
  }
  std::signal(SIGUSR1, handle);
  for (int i = 0; i < 3; ++i) {
    std::raise(SIGUSR1);
  }
  std::printf("%g %d\n", sum, static_cast<int>(signals));
  return 0;
}
