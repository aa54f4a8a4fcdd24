// Convolutions and matrix products: one fma (2 flop) per pair of an element and its weight, those
// with the zeros of the padding included, as implementations compute and publications count them.
#include <string>
#include <vector>

#include "predict/network/einsum.hpp"
#include "predict/network/operators.hpp"

namespace ridge::predict {
namespace {

using Work = std::optional<OperatorWork>;
using Shape = std::vector<std::uint64_t>;

Work flops(Count count) {
  return OperatorWork{count, 0, {}};
}

Work intops(Count count) {
  return OperatorWork{0, count, {}};
}

bool is_float_work(const OperatorView& view) {
  return view.input(0) == nullptr || is_floating(view.input(0)->type);
}

/// `count` as flops or, where the elements are integers, as intops.
Work by_type(const OperatorView& view, Count count) {
  return is_float_work(view) ? flops(count) : intops(count);
}

/// Weights are [out channels, in channels / groups, kernel...].
Count convolution_products(const OperatorView& view, std::size_t weights) {
  return 2 * view.output_size() * product_of(view.input_shape(weights), 1);
}

Work convolution(const OperatorView& view) {
  const Count bias = view.input(2) != nullptr ? view.output_size() : Count(0);
  return by_type(view, convolution_products(view, 1) + bias);
}

/// Weights are [in channels, out channels / groups, kernel...]: each input meets each of them.
Work transposed_convolution(const OperatorView& view) {
  const Count bias = view.input(2) != nullptr ? view.output_size() : Count(0);
  return by_type(view, 2 * view.input_size(0) * product_of(view.input_shape(1), 1) + bias);
}

Work integer_convolution(const OperatorView& view) {
  return intops(convolution_products(view, 1));
}

/// Inputs: x, scale, zero, weights, scale, zero, scale, zero, bias. Back to 8 bits: a
/// multiplication and an addition of the zero point per result.
Work quantised_convolution(const OperatorView& view) {
  const Count bias = view.input(8) != nullptr ? view.output_size() : Count(0);
  return OperatorWork{
      view.output_size(), convolution_products(view, 3) + bias + view.output_size(), {}};
}

/// Products of a row of `left` with a column; [.., m, k] x [.., k, n].
Count matrix_products(const OperatorView& view, std::size_t left) {
  const Shape shape = view.input_shape(left);
  return shape.empty() ? Count(0) : 2 * view.output_size() * Count(shape.back());
}

Work matrix_product(const OperatorView& view) {
  return by_type(view, matrix_products(view, 0));
}

Work integer_matrix_product(const OperatorView& view) {
  return intops(matrix_products(view, 0));
}

Work quantised_matrix_product(const OperatorView& view) {
  return OperatorWork{view.output_size(), matrix_products(view, 0) + view.output_size(), {}};
}

Work scaled_matrix_product(const OperatorView& view) {
  const Shape left = view.input_shape(0);
  if (left.size() != 2) {
    return std::nullopt;
  }
  const Count depth = view.integer("transA", 0) != 0 ? left[0] : left[1];
  const double alpha = view.real("alpha", 1.0);
  const double beta = view.real("beta", 1.0);
  Count count = 2 * view.output_size() * depth;
  if (alpha != 1.0) {
    count += view.output_size();
  }
  if (view.input(2) != nullptr && beta != 0.0) {
    count += (beta == 1.0 ? 1 : 2) * view.output_size();
  }
  return by_type(view, count);
}

// ---- einsum ----

/// Two operands: an fma for every combination of all indices, as a loop nest over them has it. More
/// are taken two at a time from left to right. Of one operand, sums alone are work.
Work einsum(const OperatorView& view) {
  std::vector<Shape> shapes;
  for (std::size_t i = 0; i < view.input_count(); ++i) {
    shapes.push_back(view.input_shape(i));
  }
  const auto contraction = contraction_of(view.text("equation", ""), shapes);
  if (!contraction) {
    return std::nullopt;
  }
  Count count = contraction->summed;
  for (const Count combinations : contraction->products) {
    count += 2 * combinations;
  }
  return by_type(view, count);
}

constexpr std::string_view kMatrix = "2 m n k per matrix of the batch";
constexpr std::string_view kConvolution =
    "2 x outputs x (in channels / groups) x kernel (padding included) + outputs with a bias";

}  // namespace

std::vector<OperatorRow> product_operators() {
  constexpr auto kind = LayerKind::product;
  constexpr auto whole = Moves::whole;
  return {
      {"Conv", kind, whole, convolution, kConvolution},
      {"ConvInteger", kind, whole, integer_convolution, kConvolution},
      {"ConvTranspose", kind, whole, transposed_convolution,
       "2 x inputs x (out channels / groups) x kernel + outputs with a bias"},
      {"Einsum", kind, whole, einsum,
       "2 x product of the extents of all indices; more than two operands: for each two, from left "
       "to "
       "right; one operand: 1 per summed element"},
      {"Gemm", kind, whole, scaled_matrix_product,
       "2 m n k; + m n for a bias; + m n each for alpha, beta other than 1"},
      {"MatMul", kind, whole, matrix_product, kMatrix},
      {"MatMulInteger", kind, whole, integer_matrix_product, kMatrix},
      {"QLinearConv", kind, whole, quantised_convolution,
       "integer: as Conv, + 1 per output; 1 flop per output to scale it back"},
      {"QLinearMatMul", kind, whole, quantised_matrix_product,
       "integer: as MatMul, + 1 per output; 1 flop per output to scale it back"},
  };
}

}  // namespace ridge::predict
