// Factorisations, sweeps and dynamic programming: triangular nests and dependences.
#include <algorithm>
#include <cmath>

#include "kernels.hpp"

namespace sampling {
namespace {

std::vector<double> dominant(long n) {
  auto a = values(n * n);
  for (long i = 0; i < n; ++i) a[i * n + i] += 2.0 * static_cast<double>(n);
  return a;
}

double lu(long n, long repeats) {
  double sum = 0.0;
  for (long r = 0; r < repeats; ++r) {
    auto a = dominant(n);
    for (long k = 0; k < n; ++k) {
      for (long i = k + 1; i < n; ++i) {
        const double factor = a[i * n + k] /= a[k * n + k];
        for (long j = k + 1; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
      }
    }
    sum += a[n * n - 1];
  }
  return sum;
}

double cholesky(long n, long repeats) {
  double sum = 0.0;
  for (long r = 0; r < repeats; ++r) {
    auto a = dominant(n);
    for (long j = 0; j < n; ++j) {
      for (long k = 0; k < j; ++k) a[j * n + j] -= a[j * n + k] * a[j * n + k];
      a[j * n + j] = std::sqrt(a[j * n + j]);
      for (long i = j + 1; i < n; ++i) {
        double value = a[i * n + j];
        for (long k = 0; k < j; ++k) value -= a[i * n + k] * a[j * n + k];
        a[i * n + j] = value / a[j * n + j];
      }
    }
    sum += a[n * n - 1];
  }
  return sum;
}

double trisolve(long n, long repeats) {
  const auto l = dominant(n);
  const auto b = values(n);
  auto x = b;
  for (long r = 0; r < repeats; ++r) {
    for (long i = 0; i < n; ++i) {
      double value = b[i];
      for (long j = 0; j < i; ++j) value -= l[i * n + j] * x[j];
      x[i] = value / l[i * n + i];
    }
  }
  return x[n - 1];
}

double gauss_seidel(long n, long repeats) {
  auto a = values(n * n);
  for (long r = 0; r < repeats; ++r) {
    for (long i = 1; i + 1 < n; ++i) {
      for (long j = 1; j + 1 < n; ++j) {
        const long at = i * n + j;
        a[at] = 0.2 * (a[at] + a[at - 1] + a[at + 1] + a[at - n] + a[at + n]);
      }
    }
  }
  return a[n * n / 2];
}

/// Sweeps along columns, then along rows.
double adi(long n, long repeats) {
  auto u = values(n * n);
  auto v = values(n * n);
  for (long r = 0; r < repeats; ++r) {
    for (long j = 1; j + 1 < n; ++j) {
      for (long i = 1; i + 1 < n; ++i) {
        v[i * n + j] = 0.5 * v[(i - 1) * n + j] + 0.2 * (u[i * n + j - 1] + u[i * n + j + 1]);
      }
    }
    for (long i = 1; i + 1 < n; ++i) {
      for (long j = 1; j + 1 < n; ++j) {
        u[i * n + j] = 0.5 * u[i * n + j - 1] + 0.2 * (v[(i - 1) * n + j] + v[(i + 1) * n + j]);
      }
    }
  }
  return u[n * n / 2];
}

double floyd_warshall(long n, long repeats) {
  auto path = values(n * n);
  for (long r = 0; r < repeats; ++r) {
    for (long k = 0; k < n; ++k) {
      for (long i = 0; i < n; ++i) {
        for (long j = 0; j < n; ++j) {
          path[i * n + j] = std::min(path[i * n + j], path[i * n + k] + path[k * n + j]);
        }
      }
    }
  }
  return path[n + 2];
}

/// Longest common subsequence: two rows of a table.
double subsequence(long n, long repeats) {
  std::vector<int> a(static_cast<std::size_t>(n));
  std::vector<int> b(a.size());
  Random random;
  for (auto& letter : a) letter = static_cast<int>(random.below(4));
  for (auto& letter : b) letter = static_cast<int>(random.below(4));
  std::vector<int> table((a.size() + 1) * (b.size() + 1));
  const long width = n + 1;
  for (long r = 0; r < repeats; ++r) {
    for (long i = 1; i <= n; ++i) {
      for (long j = 1; j <= n; ++j) {
        const int longer = std::max(table[(i - 1) * width + j], table[i * width + j - 1]);
        table[i * width + j] = a[i - 1] == b[j - 1] ? table[(i - 1) * width + j - 1] + 1 : longer;
      }
    }
  }
  return table.back();
}

/// Passes of a radix-2 transform in place: power-of-two strides.
double butterflies(long n, long repeats) {
  auto a = values(n);
  for (long r = 0; r < repeats; ++r) {
    for (long half = 1; half < n; half *= 2) {
      for (long i = 0; i < n; i += 2 * half) {
        for (long j = i; j < i + half; ++j) {
          const double difference = a[j] - a[j + half];
          a[j] = 0.7 * (a[j] + a[j + half]);
          a[j + half] = 0.7 * difference;
        }
      }
    }
  }
  return a[n / 2];
}

}  // namespace

std::vector<Kernel> solvers() {
  return {{"lu", lu, 600, 10},
          {"cholesky", cholesky, 700, 10},
          {"trisolve", trisolve, 2000, 60},
          {"gauss_seidel", gauss_seidel, 2000, 40},
          {"adi", adi, 1500, 15},
          {"floyd_warshall", floyd_warshall, 600, 4},
          {"subsequence", subsequence, 2500, 20},
          {"butterflies_pow2", butterflies, 1L << 20, 15}};
}

}  // namespace sampling
