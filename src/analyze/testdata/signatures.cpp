#include <cstddef>
#include <span>
#include <vector>

void containers(std::vector<double>& y, std::span<const double> x, const double& a, int& n) {
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = a * x[i] * n;
}

template <class T>
void scale(T* a, int n) {
  for (int i = 0; i < n; ++i) a[i] *= 2;
}
template void scale<double>(double*, int);
template void scale<float>(float*, int);

class Field {
 public:
  void smooth(int n) { values[n] = 1.0; }
  double* values;
};
void smooth(Field& field, int n) { field.smooth(n); }

namespace deep {
void inside(double* a) { a[0] = 1.0; }
}  // namespace deep
