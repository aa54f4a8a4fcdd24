// Regular nests over dense arrays.
#include <utility>

#include "kernels.hpp"

namespace sampling {

std::vector<double> values(long count) {
  std::vector<double> data(static_cast<std::size_t>(count));
  for (long i = 0; i < count; ++i) data[i] = 0.5 + static_cast<double>(i % 101) / 101.0;
  return data;
}

namespace {

double copy(long n, long repeats) {
  auto a = values(n);
  const auto b = values(n);
  for (long r = 0; r < repeats; ++r) {
    for (long i = 0; i < n; ++i) a[i] = b[i];
    a[r % n] += 1.0;
  }
  return a[n / 2];
}

double transpose(long n, long repeats) {
  const auto a = values(n * n);
  std::vector<double> b(a.size());
  for (long r = 0; r < repeats; ++r) {
    for (long i = 0; i < n; ++i) {
      for (long j = 0; j < n; ++j) b[i * n + j] = a[j * n + i] + static_cast<double>(r);
    }
  }
  return b[n + 1];
}

double gemver(long n, long repeats) {
  auto a = values(n * n);
  const auto u1 = values(n);
  const auto v1 = values(n);
  const auto y = values(n);
  auto x = values(n);
  std::vector<double> w(x.size());
  for (long r = 0; r < repeats; ++r) {
    for (long i = 0; i < n; ++i) {
      for (long j = 0; j < n; ++j) a[i * n + j] += 1e-9 * u1[i] * v1[j];
    }
    for (long i = 0; i < n; ++i) {
      for (long j = 0; j < n; ++j) x[i] += 1e-9 * a[j * n + i] * y[j];
    }
    for (long i = 0; i < n; ++i) {
      double sum = 0.0;
      for (long j = 0; j < n; ++j) sum += a[i * n + j] * x[j];
      w[i] = sum;
    }
  }
  return w[n / 3];
}

double mvt(long n, long repeats) {
  const auto a = values(n * n);
  auto x1 = values(n);
  auto x2 = values(n);
  const auto y = values(n);
  for (long r = 0; r < repeats; ++r) {
    for (long i = 0; i < n; ++i) {
      for (long j = 0; j < n; ++j) x1[i] += a[i * n + j] * y[j];
    }
    for (long j = 0; j < n; ++j) {
      for (long i = 0; i < n; ++i) x2[i] += a[j * n + i] * y[j];
    }
  }
  return x1[1] + x2[2];
}

double syrk(long n, long repeats) {
  const auto a = values(n * n);
  auto c = values(n * n);
  for (long r = 0; r < repeats; ++r) {
    for (long i = 0; i < n; ++i) {
      for (long k = 0; k < n; ++k) {
        for (long j = 0; j <= i; ++j) c[i * n + j] += 1e-6 * a[i * n + k] * a[j * n + k];
      }
    }
  }
  return c[n * n - 1];
}

double two_mm(long n, long repeats) {
  const auto a = values(n * n);
  const auto b = values(n * n);
  auto c = values(n * n);
  for (long r = 0; r < repeats; ++r) {
    for (long i = 0; i < n; ++i) {
      for (long k = 0; k < n; ++k) {
        for (long j = 0; j < n; ++j) c[i * n + j] += 1e-6 * a[i * n + k] * b[k * n + j];
      }
    }
  }
  return c[n + 3];
}

double convolution(long n, long repeats) {
  constexpr long kReach = 2;
  const auto image = values(n * n);
  std::vector<double> out(image.size());
  const auto weight = values(25);
  for (long r = 0; r < repeats; ++r) {
    for (long i = kReach; i < n - kReach; ++i) {
      for (long j = kReach; j < n - kReach; ++j) {
        double sum = 0.0;
        for (long y = -kReach; y <= kReach; ++y) {
          for (long x = -kReach; x <= kReach; ++x) {
            sum += weight[(y + 2) * 5 + x + 2] * image[(i + y) * n + j + x];
          }
        }
        out[i * n + j] = sum;
      }
    }
  }
  return out[n * n / 2];
}

double fdtd(long n, long repeats) {
  auto ex = values(n * n);
  auto ey = values(n * n);
  auto hz = values(n * n);
  for (long r = 0; r < repeats; ++r) {
    for (long i = 1; i < n; ++i) {
      for (long j = 0; j < n; ++j) ey[i * n + j] -= 0.5 * (hz[i * n + j] - hz[(i - 1) * n + j]);
    }
    for (long i = 0; i < n; ++i) {
      for (long j = 1; j < n; ++j) ex[i * n + j] -= 0.5 * (hz[i * n + j] - hz[i * n + j - 1]);
    }
    for (long i = 0; i + 1 < n; ++i) {
      for (long j = 0; j + 1 < n; ++j) {
        hz[i * n + j] -=
            0.7 * (ex[i * n + j + 1] - ex[i * n + j] + ey[(i + 1) * n + j] - ey[i * n + j]);
      }
    }
  }
  return hz[n * n / 2];
}

double heat3d(long n, long repeats) {
  auto a = values(n * n * n);
  auto b = a;
  for (long r = 0; r < repeats; ++r) {
    for (long i = 1; i + 1 < n; ++i) {
      for (long j = 1; j + 1 < n; ++j) {
        for (long k = 1; k + 1 < n; ++k) {
          const long at = (i * n + j) * n + k;
          b[at] = 0.4 * a[at] + 0.1 * (a[at - n * n] + a[at + n * n] + a[at - n] + a[at + n] +
                                       a[at - 1] + a[at + 1]);
        }
      }
    }
    std::swap(a, b);
  }
  return a[n * n * n / 2];
}

/// The mean of each column, column by column: a stride of a row.
double column_means(long n, long repeats) {
  const auto a = values(n * n);
  std::vector<double> mean(static_cast<std::size_t>(n));
  for (long r = 0; r < repeats; ++r) {
    for (long j = 0; j < n; ++j) {
      double sum = 0.0;
      for (long i = 0; i < n; ++i) sum += a[i * n + j];
      mean[j] += sum;
    }
  }
  return mean[n / 2];
}

/// One column again and again.
double one_column(long n, long repeats) {
  auto a = values(n * n);
  for (long r = 0; r < repeats; ++r) {
    for (long i = 0; i < n; ++i) a[i * n] = 0.5 * a[i * n] + 0.1;
  }
  return a[n];
}

double every_other_line(long n, long repeats) {
  auto a = values(n);
  for (long r = 0; r < repeats; ++r) {
    for (long i = 0; i < n; i += 16) a[i] = 0.5 * a[i] + 0.1;
  }
  return a[0];
}

}  // namespace

std::vector<Kernel> nests() {
  return {{"copy", copy, 4'000'000, 200},
          {"transpose", transpose, 2000, 20},
          {"transpose_pow2", transpose, 2048, 6},
          {"gemver", gemver, 2000, 20},
          {"mvt", mvt, 2000, 60},
          {"syrk", syrk, 500, 10},
          {"2mm", two_mm, 700, 6},
          {"2mm_pow2", two_mm, 512, 10},
          {"convolution", convolution, 2000, 20},
          {"fdtd", fdtd, 1500, 60},
          {"heat3d", heat3d, 180, 60},
          {"column_means", column_means, 2000, 30},
          {"column_means_pow2", column_means, 2048, 15},
          {"one_column_pow2", one_column, 2048, 50'000},
          {"every_other_line", every_other_line, 8'000'000, 100}};
}

}  // namespace sampling
