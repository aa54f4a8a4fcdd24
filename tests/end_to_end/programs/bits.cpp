// Prints every bit of results that depend on the order of operations, on contraction and on how
// loops are vectorised.
//
//     bits [FILE]        appended to FILE: of a run whose output nobody sees
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

constexpr int kSize = 1003;  // no multiple of a vector

/// Values between -1 and 1 of a linear congruential generator.
template <class T>
std::vector<T> values(std::uint64_t seed) {
  std::vector<T> result(kSize);
  for (T& value : result) {
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    value = static_cast<T>(static_cast<std::int64_t>(seed >> 11) - (std::int64_t{1} << 52)) /
            static_cast<T>(std::int64_t{1} << 52);
  }
  return result;
}

template <class T>
[[gnu::noinline]] T dot(const std::vector<T>& a, const std::vector<T>& b) {
  T sum = 0;
  for (int i = 0; i < kSize; ++i) sum += a[i] * b[i];
  return sum;
}

template <class T>
[[gnu::noinline]] T polynomial(const std::vector<T>& x) {
  T sum = 0;
  for (const T value : x) sum += ((value * T(0.3) + T(0.7)) * value - T(1.1)) * value + T(0.01);
  return sum;
}

template <class T>
[[gnu::noinline]] T quotients(const std::vector<T>& a, const std::vector<T>& b) {
  T sum = 0;
  for (int i = 0; i < kSize; ++i) sum += a[i] / (b[i] + T(1.5)) + std::sqrt(std::abs(a[i])) / T(3);
  return sum;
}

template <class T>
[[gnu::noinline]] T recurrence(const std::vector<T>& a) {
  T last = T(0.5);
  for (int turn = 0; turn < 5; ++turn) {
    for (int i = 1; i < kSize - 1; ++i) last = last * a[i] + (a[i - 1] + a[i + 1]) * T(0.25);
  }
  return last;
}

template <class T>
[[gnu::noinline]] T chosen(const std::vector<T>& a, const std::vector<T>& b) {
  T sum = 0;
  for (int i = 0; i < kSize; ++i) {
    if (a[i] > b[i]) sum += a[i] * T(0.1) - b[i];
  }
  return sum;
}

template <class T>
[[gnu::noinline]] T product_of_matrices(const std::vector<T>& a, const std::vector<T>& b) {
  constexpr int n = 29;
  T trace = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      T sum = 0;
      for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
      trace += sum * T(i - j + 1);
    }
  }
  return trace;
}

[[gnu::noinline]] double elementary(const std::vector<double>& x) {
  double sum = 0.0;
  for (const double value : x) sum += std::sin(value) * std::exp(value) + std::pow(2.5, value);
  return sum;
}

[[gnu::noinline]] std::complex<double> complex_product(const std::vector<double>& a,
                                                       const std::vector<double>& b) {
  std::complex<double> product = 1.0;
  for (int i = 0; i < kSize; ++i) product = product * std::complex<double>(a[i], b[i]) + 0.5;
  return product;
}

template <class T>
void print_all(std::FILE* to) {
  const std::vector<T> a = values<T>(1);
  const std::vector<T> b = values<T>(2);
  for (const T value : {dot(a, b), polynomial(a), quotients(a, b), recurrence(a), chosen(a, b),
                        product_of_matrices(a, b)}) {
    std::fprintf(to, "%a ", static_cast<double>(value));
  }
  if (sizeof(T) == sizeof(double)) {
    const std::vector<double> x(a.begin(), a.end());
    const std::vector<double> y(b.begin(), b.end());
    const std::complex<double> product = complex_product(x, y);
    std::fprintf(to, "%a %a %a\n", elementary(x), product.real(), product.imag());
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::FILE* to = argc > 1 ? std::fopen(argv[1], "a") : stdout;
  if (to == nullptr) return 1;
  print_all<float>(to);
  print_all<double>(to);
  return std::fclose(to) == 0 ? 0 : 1;
}
