#include "spmv/format/many.hpp"

#include <algorithm>

namespace ridge::spmv {

template <class Vector, class Value, class Index>
void multiply_many(const CsrMatrix<Value, Index>& matrix, const Execution& execution,
                   std::int32_t width, Vector alpha, const Vector* x, Vector beta, Vector* y) {
  const auto& table = kernels<Value, Vector, Index>(execution.isa);
  const CsrView<Value, Index> view{static_cast<std::int64_t>(matrix.entries()),
                                   matrix.row_begin.data(), matrix.column.data(),
                                   matrix.value.data()};
  const auto work =
      Work::shared_out(std::int64_t{matrix.rows}, std::max(1, execution.threads),
                       [&](std::int64_t i) { return std::int64_t{view.row_begin[i]}; });
  run_parts(work, execution.schedule, [&](std::int64_t first, std::int64_t last, int /*thread*/) {
    table.csr_many(view, {x, y, alpha, beta}, width, first, last);
  });
}

template void multiply_many(const CsrMatrix<double, std::int32_t>&, const Execution&, std::int32_t,
                            double, const double*, double, double*);
template void multiply_many(const CsrMatrix<double, std::int64_t>&, const Execution&, std::int32_t,
                            double, const double*, double, double*);
template void multiply_many(const CsrMatrix<float, std::int32_t>&, const Execution&, std::int32_t,
                            float, const float*, float, float*);
template void multiply_many(const CsrMatrix<float, std::int64_t>&, const Execution&, std::int32_t,
                            float, const float*, float, float*);
template void multiply_many(const CsrMatrix<float, std::int32_t>&, const Execution&, std::int32_t,
                            double, const double*, double, double*);
template void multiply_many(const CsrMatrix<float, std::int64_t>&, const Execution&, std::int32_t,
                            double, const double*, double, double*);

}  // namespace ridge::spmv
