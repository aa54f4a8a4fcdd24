#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

void vectors(std::vector<double>& y, const std::vector<double>& x, double a) {
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = a * x[i];
}

template <class T>
struct Grid {
  T* data;
  int nx;
  T& operator()(int i, int j) const { return data[j * nx + i]; }
};

void grids(Grid<float> a, Grid<float> b, int n) {
  for (int j = 1; j < n; ++j)
    for (int i = 1; i < n; ++i) a(i, j) = b(i - 1, j) + std::sqrt(b(i, j - 1));
}

void spans(std::span<double> a, std::span<const double> b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
}

void arrays(std::array<double, 64>& a) {
  for (double& each : a) each *= 2.0;
}

template <class Body>
void parallel_for(int n, const Body& body) {
  for (int i = 0; i < n; ++i) body(i);
}

void lambdas(double* y, const double* x, int n) {
  parallel_for(n, [=](int i) { y[i] = 2.0 * x[i]; });
}

class Field {
 public:
  void smooth(int n) {
    for (int i = 1; i < n; ++i) values[i] = 0.5 * (values[i - 1] + old[i]);
  }
  double* values;
  double* old;
};
void smooth(Field& field, int n) { field.smooth(n); }
