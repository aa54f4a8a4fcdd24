// Many elements into one.
#include <algorithm>

#include "predict/network/operators.hpp"

namespace ridge::predict {
namespace {

using Work = std::optional<OperatorWork>;
using Shape = std::vector<std::uint64_t>;

bool is_float_work(const OperatorView& view) {
  return view.input(0) == nullptr || is_floating(view.input(0)->type);
}

OperatorWork by_type(const OperatorView& view, Count count) {
  return is_float_work(view) ? OperatorWork{count, 0, {}} : OperatorWork{0, count, {}};
}

Work none(const OperatorView& /*view*/) {
  return OperatorWork{};
}

// ---- reductions over axes: inputs and results tell how many ----

Work sum(const OperatorView& view) {
  return by_type(view, view.input_size(0));
}

Work mean(const OperatorView& view) {
  return by_type(view, view.input_size(0) + view.output_size());
}

/// The squares are summed by fma; `more` per output.
Work squares(const OperatorView& view, std::uint64_t more) {
  OperatorWork work = by_type(view, 2 * view.input_size(0) + Count(more) * view.output_size());
  work.fma = 2 * view.input_size(0);
  return work;
}

Work sum_of_squares(const OperatorView& view) {
  return squares(view, 0);
}

Work euclidean_norm(const OperatorView& view) {
  return squares(view, 1);
}

Work log_of_sum(const OperatorView& view) {
  OperatorWork work = by_type(view, view.input_size(0));
  work.calls.emplace_back("log", view.output_size());
  return work;
}

/// max; sub, exp; sum; log, add.
Work log_of_sum_of_exponentials(const OperatorView& view) {
  OperatorWork work = by_type(view, 2 * view.input_size(0) + view.output_size());
  work.calls.emplace_back("exp", view.input_size(0));
  work.calls.emplace_back("log", view.output_size());
  return work;
}

Work cumulative_sum(const OperatorView& view) {
  return by_type(view, view.output_size());
}

// ---- softmax ----

/// Rows that are normalised together. From opset 13 on along one axis; before, along all from the
/// axis on.
Count rows_along_axis(const OperatorView& view, std::int64_t axis, bool all_from_axis) {
  const Shape shape = view.input_shape(0);
  const auto rank = static_cast<std::int64_t>(shape.size());
  const std::int64_t place = axis < 0 ? axis + rank : axis;
  if (place < 0 || place >= rank || shape[static_cast<std::size_t>(place)] == 0) {
    return 0;
  }
  Count rows = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const bool inside =
        all_from_axis ? i >= static_cast<std::size_t>(place) : i == static_cast<std::size_t>(place);
    rows *= inside ? 1 : shape[i];
  }
  return rows;
}

Count softmax_rows(const OperatorView& view) {
  const bool old = view.opset() < 13;
  return rows_along_axis(view, view.integer("axis", old ? 1 : -1), old);
}

/// Of n values: n sub (of the maximum), n exp, n add, a div, n mul.
Work softmax(const OperatorView& view) {
  const Count size = view.input_size(0);
  OperatorWork work = by_type(view, 3 * size + softmax_rows(view));
  work.calls.emplace_back("exp", size);
  return work;
}

/// Of n values: n sub, n exp, n add, a log, n sub.
Work log_softmax(const OperatorView& view) {
  const Count size = view.input_size(0);
  OperatorWork work = by_type(view, 3 * size);
  work.calls.emplace_back("exp", size);
  work.calls.emplace_back("log", softmax_rows(view));
  return work;
}

// ---- norms ----

/// `groups` of n values. Mean: n add; variance: n sub, n fma; result: n sub, n mul, n fma (without
/// a bias n mul); a group: 2 mul (by 1 / n), add (epsilon), sqrt, div.
Work normalise(const OperatorView& view, Count groups, bool has_bias) {
  const Count size = view.input_size(0);
  OperatorWork work = by_type(view, Count(has_bias ? 8 : 7) * size + 5 * groups);
  work.fma = Count(has_bias ? 4 : 2) * size;
  return work;
}

Work layer_norm(const OperatorView& view) {
  const Shape shape = view.input_shape(0);
  const auto rank = static_cast<std::int64_t>(shape.size());
  std::int64_t axis = view.integer("axis", -1);
  axis = axis < 0 ? axis + rank : axis;
  if (axis < 0 || axis >= rank) {
    return std::nullopt;
  }
  const Shape outer(shape.begin(), shape.begin() + axis);
  return normalise(view, product_of(outer), view.input(2) != nullptr);
}

/// A group is one channel of one sample.
Work instance_norm(const OperatorView& view) {
  const Shape shape = view.input_shape(0);
  return shape.size() < 2 ? Work() : normalise(view, Count(shape[0]) * shape[1], true);
}

/// A group of channels of one sample; scale and offset per channel.
Work group_norm(const OperatorView& view) {
  const Shape shape = view.input_shape(0);
  const std::int64_t groups = view.integer("num_groups", 0);
  return shape.empty() || groups <= 0
             ? Work()
             : normalise(view, Count(shape[0]) * static_cast<std::uint64_t>(groups), true);
}

/// Euclidean: n fma, sqrt, n div; of the first order: n add, n div.
Work lp_norm(const OperatorView& view) {
  const Count size = view.input_size(0);
  if (view.integer("p", 2) == 1) {
    return by_type(view, 2 * size);
  }
  OperatorWork work =
      by_type(view, 3 * size + rows_along_axis(view, view.integer("axis", -1), false));
  work.fma = 2 * size;
  return work;
}

/// Per element: squares of `size` neighbours 2 size (fma), times alpha / size and plus bias 2,
/// divide 1; a call of pow.
Work local_response_norm(const OperatorView& view) {
  const std::int64_t neighbours = view.integer("size", 0);
  if (neighbours <= 0) {
    return std::nullopt;
  }
  const Count products = 2 * Count(static_cast<std::uint64_t>(neighbours)) * view.output_size();
  OperatorWork work = by_type(view, products + 3 * view.output_size());
  work.fma = products;
  work.calls.emplace_back("pow", view.output_size());
  return work;
}

// ---- pools ----

Work average_pool(const OperatorView& view) {
  Count window = 1;
  const auto kernel = view.integers("kernel_shape");
  for (const std::int64_t extent : kernel) {
    if (extent <= 0) {
      return std::nullopt;
    }
    window *= static_cast<std::uint64_t>(extent);
  }
  return kernel.empty() ? Work() : by_type(view, (window + 1) * view.output_size());
}

Work global_average_pool(const OperatorView& view) {
  return mean(view);
}

constexpr std::string_view kNone = "0: comparisons";

}  // namespace

std::vector<OperatorRow> reduction_operators() {
  constexpr auto kind = LayerKind::reduction;
  constexpr auto whole = Moves::whole;
  std::vector<OperatorRow> rows{
      {"AveragePool", kind, whole, average_pool, "kernel + 1 per output, at the border too"},
      {"CumSum", kind, whole, cumulative_sum, "1 per output"},
      {"GlobalAveragePool", kind, whole, global_average_pool, "1 per input, 1 per output"},
      {"GroupNormalization", kind, whole, group_norm,
       "8 per input, 5 per group of channels of a sample"},
      {"InstanceNormalization", kind, whole, instance_norm,
       "8 per input, 5 per channel of a sample"},
      {"LRN", kind, whole, local_response_norm, "2 size + 3 per output; a call of pow"},
      {"LayerNormalization", kind, whole, layer_norm,
       "7 per input, + 1 with a bias; 5 per normalised row"},
      {"LogSoftmax", kind, whole, log_softmax, "3 per input; calls of exp and log"},
      {"LpNormalization", kind, whole, lp_norm,
       "p = 2: 3 per input, 1 per row; p = 1: 2 per input"},
      {"ReduceL1", kind, whole, sum, "1 per input"},
      {"ReduceL2", kind, whole, euclidean_norm, "2 per input, 1 per output"},
      {"ReduceLogSum", kind, whole, log_of_sum, "1 per input; a call of log per output"},
      {"ReduceLogSumExp", kind, whole, log_of_sum_of_exponentials,
       "2 per input, 1 per output; calls of exp and log"},
      {"ReduceMean", kind, whole, mean, "1 per input, 1 per output"},
      {"ReduceProd", kind, whole, sum, "1 per input"},
      {"ReduceSum", kind, whole, sum, "1 per input"},
      {"ReduceSumSquare", kind, whole, sum_of_squares, "2 per input"},
      {"Softmax", kind, whole, softmax, "3 per input, 1 per row; a call of exp per input"},
  };
  for (const std::string_view name : {"ArgMax", "ArgMin", "GlobalMaxPool", "Hardmax", "MaxPool",
                                      "NonMaxSuppression", "ReduceMax", "ReduceMin", "TopK"}) {
    rows.push_back({name, kind, whole, none, kNone});
  }
  return rows;
}

}  // namespace ridge::predict
