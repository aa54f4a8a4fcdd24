// eigen_cg [EDGE] [ITERATIONS]: Eigen's conjugate gradient solver on the 7-point Poisson matrix of
// an EDGE^3 grid. All the hot loops are Eigen's own.
//
//   ridge-c++ -O3 -march=native -I/usr/include/eigen3 eigen_cg.cpp -o eigen_cg
//   ridge run -- ./eigen_cg

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCore>

namespace {

using Matrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;

Matrix poisson_matrix(int edge) {
  const int rows = edge * edge * edge;
  Matrix matrix(rows, rows);
  matrix.reserve(Eigen::VectorXi::Constant(rows, 7));
  const auto index = [edge](int i, int j, int k) { return (k * edge + j) * edge + i; };
  for (int k = 0; k < edge; ++k) {
    for (int j = 0; j < edge; ++j) {
      for (int i = 0; i < edge; ++i) {
        const int row = index(i, j, k);
        if (k > 0) matrix.insert(row, index(i, j, k - 1)) = -1.0;
        if (j > 0) matrix.insert(row, index(i, j - 1, k)) = -1.0;
        if (i > 0) matrix.insert(row, index(i - 1, j, k)) = -1.0;
        matrix.insert(row, row) = 6.0;
        if (i < edge - 1) matrix.insert(row, index(i + 1, j, k)) = -1.0;
        if (j < edge - 1) matrix.insert(row, index(i, j + 1, k)) = -1.0;
        if (k < edge - 1) matrix.insert(row, index(i, j, k + 1)) = -1.0;
      }
    }
  }
  matrix.makeCompressed();
  return matrix;
}

}  // namespace

int main(int argc, char** argv) {
  const int edge = argc > 1 ? std::atoi(argv[1]) : 64;
  const int iterations = argc > 2 ? std::atoi(argv[2]) : 100;
  if (edge < 2 || iterations < 1) {
    std::fprintf(stderr, "usage: eigen_cg [EDGE >= 2] [ITERATIONS >= 1]\n");
    return 2;
  }
  const Matrix matrix = poisson_matrix(edge);
  const Eigen::VectorXd right = Eigen::VectorXd::Ones(matrix.rows());
  Eigen::ConjugateGradient<Matrix, Eigen::Lower | Eigen::Upper> solver;
  solver.setMaxIterations(iterations);
  solver.setTolerance(1e-14);
  solver.compute(matrix);
  const Eigen::VectorXd solution = solver.solve(right);
  std::printf("%ld unknowns, %ld iterations, error %.3e, |x| = %.9e\n",
              static_cast<long>(matrix.rows()), static_cast<long>(solver.iterations()),
              solver.error(), solution.norm());
  return 0;
}
