extern "C" {
#include <GraphBLAS.h>
}
#include <cstdlib>
#include <cstring>
#include <vector>

#include "peers.hpp"

void add_graphblas(const Matrix& matrix, int threads, const double* x, double* y,
                   std::vector<Peer>& peers) {
  static const bool begun = GrB_init(GrB_NONBLOCKING) == GrB_SUCCESS;
  if (!begun) {
    return;
  }
  const std::vector<GrB_Index> rows(matrix.row_begin.begin(), matrix.row_begin.end());
  const std::vector<GrB_Index> columns(matrix.column.begin(), matrix.column.end());
  const auto entries = static_cast<GrB_Index>(matrix.entries());
  const auto row_count = static_cast<GrB_Index>(matrix.rows);
  const auto column_count = static_cast<GrB_Index>(matrix.columns);
  GrB_Matrix own = nullptr;
  if (GrB_Matrix_import_FP64(&own, GrB_FP64, row_count, column_count, rows.data(), columns.data(),
                             matrix.value.data(), rows.size(), entries, entries,
                             GrB_CSR_FORMAT) != GrB_SUCCESS) {
    return;
  }
  // Vectors are handed over: x a copy, y read back after each product, outside of its work.
  GrB_Vector from = nullptr;
  GrB_Vector to = nullptr;
  GrB_Vector_new(&from, GrB_FP64, column_count);
  for (GrB_Index j = 0; j < column_count; ++j) {
    GrB_Vector_setElement_FP64(from, x[j], j);
  }
  GrB_Vector_new(&to, GrB_FP64, row_count);
  GrB_Matrix_wait(own, GrB_MATERIALIZE);
  GrB_Vector_wait(from, GrB_MATERIALIZE);
  GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, threads);
  const auto multiply = [=] {
    GrB_mxv(to, nullptr, nullptr, GrB_PLUS_TIMES_SEMIRING_FP64, own, from, nullptr);
    GrB_Vector_wait(to, GrB_MATERIALIZE);
  };
  const auto read_back = [=] {
    for (GrB_Index i = 0; i < row_count; ++i) {
      double value = 0;
      GrB_Vector_extractElement_FP64(&value, to, i);
      y[i] = value;
    }
  };
  peers.push_back({"GraphBLAS", multiply, read_back});
}
