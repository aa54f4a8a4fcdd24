#include <memory>

#include <Eigen/Sparse>

#include "peers.hpp"

void add_eigen(const Matrix& matrix, int threads, const double* x, double* y,
               std::vector<Peer>& peers) {
  using Rows = Eigen::Map<const Eigen::SparseMatrix<double, Eigen::RowMajor, std::int32_t>>;
  const auto mapped = std::make_shared<Rows>(
      matrix.rows, matrix.columns, static_cast<Eigen::Index>(matrix.entries()),
      matrix.row_begin.data(), matrix.column.data(), matrix.value.data());
  peers.push_back({"Eigen", [=] {
                     Eigen::setNbThreads(threads);
                     Eigen::Map<const Eigen::VectorXd> from(x, mapped->cols());
                     Eigen::Map<Eigen::VectorXd> to(y, mapped->rows());
                     to.noalias() = *mapped * from;
                   }});
}
