// Containers, views, functors and templates, as C++ has them.
#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <numeric>
#include <span>
#include <valarray>
#include <vector>

/* A small mdspan. */
template <class T, std::size_t Rank>
class View {
 public:
  View(T* data, std::array<std::ptrdiff_t, Rank> extents) : data_(data), extents_(extents) {}
  T& operator()(std::ptrdiff_t i, std::ptrdiff_t j) const { return data_[i * extents_[1] + j]; }
  std::ptrdiff_t extent(std::size_t r) const { return extents_[r]; }
  T* data_;
  std::array<std::ptrdiff_t, Rank> extents_;
};
void mdspan_like(View<double, 2> b, View<const double, 2> a) {
  for (std::ptrdiff_t j = 1; j < a.extent(0) - 1; ++j)
    for (std::ptrdiff_t i = 1; i < a.extent(1) - 1; ++i) b(j, i) = a(j, i - 1) + a(j, i + 1);
}
/* Kokkos style: views, a policy, a lambda. */
namespace like_kokkos {
template <class T>
struct View2 {
  T* ptr;
  long n0, n1;
  T& operator()(long i, long j) const { return ptr[i * n1 + j]; }
};
struct MDRangePolicy { long lo[2], hi[2]; };
template <class F>
void parallel_for(const MDRangePolicy& p, const F& f) {
  for (long i = p.lo[0]; i < p.hi[0]; ++i)
    for (long j = p.lo[1]; j < p.hi[1]; ++j) f(i, j);
}
template <class F>
void parallel_for(long n, const F& f) { for (long i = 0; i < n; ++i) f(i); }
template <class F>
void parallel_reduce(long n, const F& f, double& result) { double s = 0; for (long i = 0; i < n; ++i) f(i, s); result = s; }
}
void kokkos2d(like_kokkos::View2<double> a, like_kokkos::View2<double> b, long n, long m) {
  like_kokkos::parallel_for(like_kokkos::MDRangePolicy{{1, 1}, {n - 1, m - 1}}, [=](long i, long j) { a(i, j) = b(i - 1, j) + b(i, j - 1); });
}
struct Functor {
  like_kokkos::View2<double> v;
  void operator()(long i) const { v(i, 0) *= 2; }
};
void functors(like_kokkos::View2<double> v, long n) { like_kokkos::parallel_for(n, Functor{v}); }
double reduce(const double* x, long n) {
  double r;
  like_kokkos::parallel_reduce(n, [=](long i, double& s) { s += x[i]; }, r);
  return r;
}
template <class T>
void axpy(T a, const T* x, T* y, int n) { for (int i = 0; i < n; ++i) y[i] += a * x[i]; }
template void axpy<double>(double, const double*, double*, int);
template void axpy<float>(float, const float*, float*, int);
double accumulate(const std::vector<double>& v) { return std::accumulate(v.begin(), v.end(), 0.0); }
void transform(const std::vector<double>& v, std::vector<double>& w) { std::transform(v.begin(), v.end(), w.begin(), [](double d) { return 2 * d; }); }
void range_for(std::vector<double>& v) { for (double& d : v) d *= 2; }
void nested(std::vector<std::vector<double>>& a, int n, int m) { for (int i = 0; i < n; ++i) for (int j = 0; j < m; ++j) a[i][j] = 0; }
void complexes(std::vector<std::complex<double>>& z) { for (auto& each : z) each *= std::complex<double>(0, 1); }
struct Particle { std::array<double, 3> x; double m; };
void particles(std::vector<Particle>& p) { for (auto& each : p) for (int d = 0; d < 3; ++d) each.x[d] += each.m; }
class Grid {
 public:
  void relax() { for (int j = 1; j < ny_ - 1; ++j) for (int i = 1; i < nx_ - 1; ++i) next_[index(i, j)] = 0.25 * (values_[index(i - 1, j)] + values_[index(i + 1, j)]); }
 private:
  int index(int i, int j) const { return j * nx_ + i; }
  int nx_, ny_;
  std::vector<double> values_, next_;
};
void relax_grid(Grid& g) { g.relax(); }
void span_of(std::span<float> s) { for (auto& x : s) x += 1; }
void intspan(std::vector<int>& v, std::size_t n) { for (std::size_t i = 0; i < n; ++i) v[i] = v[i + n]; }
void sizes(std::vector<long>& v) { for (std::size_t i = 0; i < v.size(); ++i) v[i] = 1; }
void valarrays(std::valarray<double>& a, const std::valarray<double>& b) { a = a * 2.0 + b; }
void fixed(std::array<std::array<double, 8>, 8>& c, const std::array<std::array<double, 8>, 8>& a) {
  for (int i = 0; i < 8; ++i) for (int j = 0; j < 8; ++j) c[i][j] += a[j][i];
}
