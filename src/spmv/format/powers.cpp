#include "spmv/format/powers.hpp"

#include <algorithm>
#include <omp.h>

#include <fmt/format.h>

namespace ridge::spmv {
namespace {

std::int64_t group_of(const std::vector<std::int64_t>& begins, std::int64_t chunk) {
  return std::upper_bound(begins.begin(), begins.end(), chunk) - begins.begin() - 1;
}

template <class Value, class Index>
std::int64_t reach_of(const SellMatrix<Value, Index>& matrix, const PowerPlan& plan) {
  std::int64_t reach = 1;
  for (std::int64_t g = 0; g < plan.groups(); ++g) {
    const auto at = [&](std::int64_t group) {
      return matrix.column.data() + matrix.chunk_begin[static_cast<std::size_t>(
                                        plan.group_begin[static_cast<std::size_t>(group)])];
    };
    const Index* end = at(g + 1);
    const Index* farthest = std::max_element(at(g), end);
    if (farthest != end) {
      reach = std::max(reach, group_of(plan.group_begin, *farthest / matrix.chunk_rows) - g);
    }
  }
  return reach;
}

}  // namespace

double PowerPlan::entries_at_once(std::int64_t stored, std::int32_t powers) const {
  const double share =
      groups() == 0 ? 1
                    : static_cast<double>(reach * (powers - 1) + 1) / static_cast<double>(groups());
  return static_cast<double>(stored) * std::min(1.0, share);
}

template <class Value, class Index>
Result<PowerPlan> plan_powers(const SellMatrix<Value, Index>& matrix,
                              std::int64_t entries_per_group) {
  if (matrix.rows != matrix.columns) {
    return fail(ErrorCode::bad_input,
                fmt::format("a {} x {} matrix has no powers", matrix.rows, matrix.columns));
  }
  if (!matrix.row_of.empty()) {
    return fail(ErrorCode::bad_input, "matrix powers need rows in order",
                "Take SELL with sigma = 1.");
  }
  PowerPlan plan;
  for (std::int64_t c = 1; c <= matrix.chunks(); ++c) {
    const std::int64_t entries =
        matrix.chunk_begin[static_cast<std::size_t>(c)] -
        matrix.chunk_begin[static_cast<std::size_t>(plan.group_begin.back())];
    if (entries >= entries_per_group || c == matrix.chunks()) {
      plan.group_begin.push_back(c);
    }
  }
  plan.reach = reach_of(matrix, plan);
  return plan;
}

template <class Vector, class Value, class Index>
void multiply_powers(const SellMatrix<Value, Index>& matrix, const PowerPlan& plan,
                     const Execution& execution, const Vector* x, const std::vector<Vector*>& y) {
  const auto& table = kernels<Value, Vector, Index>(execution.isa);
  const SellView<Value, Index> view = matrix.view();
  const auto powers = static_cast<std::int64_t>(y.size());
  const int threads = std::max(1, execution.threads);
  const std::int64_t steps = plan.groups() + (powers - 1) * plan.reach;
#pragma omp parallel num_threads(threads) if (threads > 1)
  {
    const std::int64_t thread = omp_get_thread_num();
    const std::int64_t team = omp_get_num_threads();
    for (std::int64_t step = 0; step < steps; ++step) {
      // The lower power's group `reach` ahead is done in this same step, before this one.
      for (std::int64_t q = 0; q < powers; ++q) {
        const std::int64_t g = step - q * plan.reach;
        if (g < 0 || g >= plan.groups()) {
          continue;
        }
        const std::int64_t begin = plan.group_begin[static_cast<std::size_t>(g)];
        const std::int64_t chunks = plan.group_begin[static_cast<std::size_t>(g) + 1] - begin;
        const Vector* from = q == 0 ? x : y[static_cast<std::size_t>(q) - 1];
        table.sell(view, {from, y[static_cast<std::size_t>(q)], Vector{1}, Vector{0}},
                   execution.tuning, begin + chunks * thread / team,
                   begin + chunks * (thread + 1) / team);
#pragma omp barrier
      }
    }
  }
}

template Result<PowerPlan> plan_powers(const SellMatrix<double, std::int32_t>&, std::int64_t);
template Result<PowerPlan> plan_powers(const SellMatrix<double, std::int64_t>&, std::int64_t);
template Result<PowerPlan> plan_powers(const SellMatrix<float, std::int32_t>&, std::int64_t);
template Result<PowerPlan> plan_powers(const SellMatrix<float, std::int64_t>&, std::int64_t);
template void multiply_powers(const SellMatrix<double, std::int32_t>&, const PowerPlan&,
                              const Execution&, const double*, const std::vector<double*>&);
template void multiply_powers(const SellMatrix<double, std::int64_t>&, const PowerPlan&,
                              const Execution&, const double*, const std::vector<double*>&);
template void multiply_powers(const SellMatrix<float, std::int32_t>&, const PowerPlan&,
                              const Execution&, const float*, const std::vector<float*>&);
template void multiply_powers(const SellMatrix<float, std::int64_t>&, const PowerPlan&,
                              const Execution&, const float*, const std::vector<float*>&);
template void multiply_powers(const SellMatrix<float, std::int32_t>&, const PowerPlan&,
                              const Execution&, const double*, const std::vector<double*>&);
template void multiply_powers(const SellMatrix<float, std::int64_t>&, const PowerPlan&,
                              const Execution&, const double*, const std::vector<double*>&);

}  // namespace ridge::spmv
