// Expression templates of many layers.
#include <Eigen/Core>

using Vector = Eigen::VectorXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

void axpy(Vector& y, const Vector& x, double a) { y += a * x; }

void product(Vector& y, const RowMajor& m, const Vector& x) {
  for (Eigen::Index i = 0; i < m.rows(); ++i) {
    double s = 0;
    for (Eigen::Index j = 0; j < m.cols(); ++j) s += m(i, j) * x(j);
    y(i) = s;
  }
}
