// kernels [--addresses] [--times FILE] NAME SIZE REPEATS: calls one kernel REPEATS times and prints
// the time of a call and a checksum. `--addresses` lists the arrays on standard error, for tools
// that follow the address stream; `--times` appends the time of a call in seconds to FILE.
// Everything but the kernel runs a number of times that REPEATS does not change.

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "kernels.hpp"

namespace {

struct FreeMemory {
  void operator()(void* memory) const { std::free(memory); }
};

struct ArrayRange {
  const char* name;
  const void* begin;
  std::size_t bytes;
};

/// The arrays of one problem, and the call that is measured.
struct Problem {
  std::vector<std::unique_ptr<void, FreeMemory>> memory;
  std::vector<ArrayRange> ranges;
  std::function<void()> call;
  const double* result = nullptr;
  long result_size = 0;
};

// Aligned to a cache line, as a program that cares would do it.
template <class T>
T* allocate(Problem& problem, const char* name, long count) {
  constexpr std::size_t kLine = 64;
  const std::size_t bytes = static_cast<std::size_t>(std::max(count, 1L)) * sizeof(T);
  void* memory = std::aligned_alloc(kLine, (bytes + kLine - 1) / kLine * kLine);
  if (memory == nullptr) {
    std::fprintf(stderr, "kernels: no memory for %zu byte\n", bytes);
    std::exit(EXIT_FAILURE);
  }
  problem.memory.emplace_back(memory);
  problem.ranges.push_back({name, memory, bytes});
  return static_cast<T*>(memory);
}

// Non-zero, different from element to element, and small enough never to overflow.
double* filled(Problem& problem, const char* name, long count) {
  auto* data = allocate<double>(problem, name, count);
  for (long i = 0; i < count; ++i) {
    data[i] = 0.5 + static_cast<double>(i % 101) / 101.0;
  }
  return data;
}

double* result_array(Problem& problem, const char* name, long count) {
  problem.result_size = count;
  double* data = filled(problem, name, count);
  problem.result = data;
  return data;
}

Problem make_triad(long n) {
  Problem p;
  double* a = result_array(p, "a", n);
  const double* b = filled(p, "b", n);
  const double* c = filled(p, "c", n);
  p.call = [=] { kernels::triad(n, a, b, c, 1.25); };
  return p;
}

Problem make_daxpy(long n) {
  Problem p;
  double* y = result_array(p, "y", n);
  const double* x = filled(p, "x", n);
  p.call = [=] { kernels::daxpy(n, 0.125, x, y); };
  return p;
}

Problem make_dot(long n) {
  Problem p;
  double* sum = result_array(p, "sum", 1);
  const double* x = filled(p, "x", n);
  const double* y = filled(p, "y", n);
  p.ranges.erase(p.ranges.begin());  // the driver stores the sum, not the kernel
  p.call = [=] { *sum = kernels::dot(n, x, y); };
  return p;
}

Problem make_jacobi2d(long n) {
  Problem p;
  const double* from = filled(p, "from", n * n);
  double* to = result_array(p, "to", n * n);
  p.call = [=] { kernels::jacobi2d(n, from, to); };
  return p;
}

Problem make_stencil7(long n) {
  Problem p;
  const double* from = filled(p, "from", n * n * n);
  double* to = result_array(p, "to", n * n * n);
  p.call = [=] { kernels::stencil7(n, 0.4, 0.1, from, to); };
  return p;
}

Problem make_gemm_naive(long n) {
  Problem p;
  const double* a = filled(p, "a", n * n);
  const double* b = filled(p, "b", n * n);
  double* c = result_array(p, "c", n * n);
  p.call = [=] { kernels::gemm_naive(n, a, b, c); };
  return p;
}

Problem make_gemm_blocked(long n) {
  Problem p;
  const double* a = filled(p, "a", n * n);
  const double* b = filled(p, "b", n * n);
  double* c = result_array(p, "c", n * n);
  p.call = [=] { kernels::gemm_blocked(n, a, b, c); };
  return p;
}

// The 5-point matrix of an n x n grid.
Problem make_spmv_stencil(long n) {
  Problem p;
  const long rows = n * n;
  const long nonzeros = std::max(5 * n * n - 4 * n, 0L);
  auto* row_start = allocate<std::int32_t>(p, "row_start", rows + 1);
  auto* column = allocate<std::int32_t>(p, "column", nonzeros);
  const double* value = filled(p, "value", nonzeros);
  const double* x = filled(p, "x", rows);
  double* y = result_array(p, "y", rows);
  std::int32_t used = 0;
  for (long j = 0; j < n; ++j) {
    for (long i = 0; i < n; ++i) {
      const auto row = static_cast<std::int32_t>(j * n + i);
      row_start[row] = used;
      const auto add = [&](bool inside, long neighbour) {
        if (inside) column[used++] = static_cast<std::int32_t>(neighbour);
      };
      add(j > 0, row - n);
      add(i > 0, row - 1);
      add(true, row);
      add(i < n - 1, row + 1);
      add(j < n - 1, row + n);
    }
  }
  row_start[rows] = used;
  p.call = [=] { kernels::spmv(rows, row_start, column, value, x, y); };
  return p;
}

// 16 random columns in each of n rows.
Problem make_spmv_random(long n) {
  constexpr long kPerRow = 16;
  Problem p;
  auto* row_start = allocate<std::int32_t>(p, "row_start", n + 1);
  auto* column = allocate<std::int32_t>(p, "column", n * kPerRow);
  const double* value = filled(p, "value", n * kPerRow);
  const double* x = filled(p, "x", n);
  double* y = result_array(p, "y", n);
  std::uint64_t state = 88172645463325252ULL;
  for (long k = 0; k < n * kPerRow; ++k) {
    state ^= state << 13;  // xorshift64: the same matrix on every machine
    state ^= state >> 7;
    state ^= state << 17;
    column[k] = static_cast<std::int32_t>(state % static_cast<std::uint64_t>(n));
  }
  for (long row = 0; row <= n; ++row) row_start[row] = static_cast<std::int32_t>(row * kPerRow);
  p.call = [=] { kernels::spmv(n, row_start, column, value, x, y); };
  return p;
}

Problem make_fft(long n) {
  long stages = 0;
  while ((1L << stages) < n) ++stages;
  if ((1L << stages) != n || n < 2) {
    std::fprintf(stderr, "kernels: the size of an fft is a power of two, at least 2\n");
    std::exit(EXIT_FAILURE);
  }
  Problem p;
  const double* in = filled(p, "in", 2 * n);
  double* twiddle = allocate<double>(p, "twiddle", n);
  double* scratch = filled(p, "scratch", 2 * n);
  double* out = result_array(p, "out", 2 * n);
  const double turn = -2.0 * std::acos(-1.0) / static_cast<double>(n);
  for (long k = 0; k < n / 2; ++k) {
    twiddle[2 * k] = std::cos(turn * static_cast<double>(k));
    twiddle[2 * k + 1] = std::sin(turn * static_cast<double>(k));
  }
  p.call = [=] { kernels::fft(stages, in, twiddle, out, scratch); };
  return p;
}

struct Kernel {
  std::string_view name;
  Problem (*make)(long size);
};

constexpr Kernel kKernels[] = {
    {"triad", make_triad},
    {"daxpy", make_daxpy},
    {"dot", make_dot},
    {"jacobi2d", make_jacobi2d},
    {"stencil7", make_stencil7},
    {"gemm_naive", make_gemm_naive},
    {"gemm_blocked", make_gemm_blocked},
    {"spmv_stencil", make_spmv_stencil},
    {"spmv_random", make_spmv_random},
    {"fft", make_fft},
};

[[noreturn]] void usage() {
  std::fprintf(stderr, "usage: kernels [--addresses] NAME SIZE REPEATS\nNAME is one of:");
  for (const Kernel& kernel : kKernels) {
    std::fprintf(stderr, " %.*s", static_cast<int>(kernel.name.size()), kernel.name.data());
  }
  std::fprintf(stderr, "\n");
  std::exit(2);
}

long positive(const char* text) {
  long value = 0;
  const char* end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, value);
  if (error != std::errc{} || stop != end || value < 1) usage();
  return value;
}

/// Median time of a call in seconds.
double time_calls(const std::function<void()>& call, long repeats) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> seconds;
  seconds.reserve(static_cast<std::size_t>(repeats));
  for (long r = 0; r < repeats; ++r) {
    const auto start = Clock::now();
    call();
    seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

void append(const char* file_name, double seconds) {
  std::FILE* file = std::fopen(file_name, "a");
  const bool written = file != nullptr && std::fprintf(file, "%.9e\n", seconds) > 0;
  if (file == nullptr || std::fclose(file) != 0 || !written) {
    std::fprintf(stderr, "kernels: cannot write to %s\n", file_name);
    std::exit(EXIT_FAILURE);
  }
}

}  // namespace

int main(int argc, char** argv) {
  char** arguments = argv + 1;
  const bool list_addresses = argc > 1 && std::string_view(arguments[0]) == "--addresses";
  if (list_addresses) ++arguments;
  const char* times_file = nullptr;
  if (argv + argc - arguments > 1 && std::string_view(arguments[0]) == "--times") {
    times_file = arguments[1];
    arguments += 2;
  }
  if (argv + argc - arguments != 3) usage();
  const std::string_view name = arguments[0];
  const auto* kernel = std::find_if(std::begin(kKernels), std::end(kKernels),
                                    [&](const Kernel& k) { return k.name == name; });
  if (kernel == std::end(kKernels)) usage();

  const long size = positive(arguments[1]);
  const long repeats = positive(arguments[2]);
  const Problem problem = kernel->make(size);
  if (list_addresses) {
    for (const ArrayRange& range : problem.ranges) {
      std::fprintf(stderr, "array %s %p %zu\n", range.name, range.begin, range.bytes);
    }
  }
  const double seconds = time_calls(problem.call, repeats);
  if (times_file != nullptr) append(times_file, seconds);
  double checksum = 0.0;
  for (long i = 0; i < problem.result_size; ++i) checksum += problem.result[i];
  std::printf("%s %ld: %.3e s a call (median of %ld), checksum %.12e\n", arguments[0], size,
              seconds, repeats, checksum);
  return 0;
}
