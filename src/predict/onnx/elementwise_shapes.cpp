// Results as large as the inputs, repeated to a common shape.
#include <string>

#include "predict/onnx/element_types.hpp"
#include "predict/onnx/shape_rules.hpp"

namespace ridge::predict {
namespace {

constexpr std::size_t kAll = 1000;  // of a variable number of inputs

void as_first(OperatorCase& one) {
  one.set(0, one.type(0), one.shape(0));
}

/// The common shape of the inputs from `first` on; a contradiction where there is none.
std::optional<Extents> common_shape(OperatorCase& one, std::size_t first, std::size_t last) {
  Extents shape;
  for (std::size_t i = first; i < last; ++i) {
    if (!one.has(i)) {
      continue;
    }
    auto next = broadcast(shape, *one.shape(i));
    if (!next) {
      one.contradict("its inputs cannot be repeated to one shape");
      return std::nullopt;
    }
    shape = std::move(*next);
  }
  return shape;
}

void repeated(OperatorCase& one) {
  if (auto shape = common_shape(one, 0, one.inputs())) {
    one.set(0, one.type(0), std::move(shape));
  }
}

void truth(OperatorCase& one) {
  if (auto shape = common_shape(one, 0, one.inputs())) {
    one.set(0, "bool", std::move(shape));
  }
}

void where(OperatorCase& one) {
  if (auto shape = common_shape(one, 0, 3)) {
    one.set(0, one.type(1), std::move(shape));
  }
}

void converted(OperatorCase& one) {
  one.set(0, element_type_name(one.integer("to", 0)), one.shape(0));
}

void converted_like(OperatorCase& one) {
  one.set(0, one.type(1), one.shape(0));
}

void quantised(OperatorCase& one) {
  const std::int64_t wanted = one.integer("output_dtype", 0);
  std::string type = one.has(2) ? one.type(2) : "uint8";
  if (!one.has(2) && wanted != 0) {
    type = element_type_name(wanted);
  }
  one.set(0, std::move(type), one.shape(0));
}

void dequantised(OperatorCase& one) {
  const std::int64_t wanted = one.integer("output_dtype", 0);
  one.set(0, wanted != 0 ? element_type_name(wanted) : one.type(1), one.shape(0));
}

void quantised_by_extrema(OperatorCase& one) {
  one.set(0, "uint8", one.shape(0));
  one.set(1, "fp32", Extents{});
  one.set(2, "uint8", Extents{});
}

void dropout(OperatorCase& one) {
  one.set(0, one.type(0), one.shape(0));
  one.set(1, "bool", one.shape(0));
}

/// Further outputs are those of a training step.
void batch_norm(OperatorCase& one) {
  one.set(0, one.type(0), one.shape(0));
  for (std::size_t i = 1; i < one.outputs(); ++i) {
    one.set(i, one.type(1), one.shape(1));
  }
}

/// Mean and inverse deviation of each row.
void layer_norm(OperatorCase& one) {
  const Extents shape = *one.shape(0);
  const auto axis = one.place(one.integer("axis", -1), shape.size());
  if (!axis) {
    return;
  }
  Extents rows = shape;
  std::fill(rows.begin() + static_cast<std::ptrdiff_t>(*axis), rows.end(), 1);
  one.set(0, one.type(0), shape);
  for (std::size_t i = 1; i < one.outputs(); ++i) {
    one.set(i, "fp32", rows);
  }
}

void random_like(OperatorCase& one) {
  const std::int64_t wanted = one.integer("dtype", 0);
  one.set(0, wanted != 0 ? element_type_name(wanted) : one.type(0), one.shape(0));
}

}  // namespace

std::vector<ShapeRow> elementwise_shapes() {
  std::vector<ShapeRow> rows{
      {"BatchNormalization", 5, 2, batch_norm},
      {"Bernoulli", 1, 1, random_like},
      {"Cast", 1, 1, converted},
      {"CastLike", 2, 1, converted_like},
      {"DequantizeLinear", 2, 1, dequantised},
      {"Dropout", 1, 1, dropout},
      {"DynamicQuantizeLinear", 1, 1, quantised_by_extrema},
      {"EyeLike", 1, 1, random_like},
      {"GroupNormalization", 3, 1, as_first},
      {"InstanceNormalization", 3, 1, as_first},
      {"LayerNormalization", 2, 1, layer_norm},
      {"PRelu", 2, 1, as_first},
      {"QuantizeLinear", 2, 1, quantised},
      {"RMSNormalization", 2, 1, layer_norm},
      {"RandomNormalLike", 1, 1, random_like},
      {"RandomUniformLike", 1, 1, random_like},
      {"SimplifiedLayerNormalization", 2, 1, layer_norm},
      {"Where", 3, 3, where},
  };
  for (const std::string_view name : {"Abs",
                                      "Acos",
                                      "Acosh",
                                      "Asin",
                                      "Asinh",
                                      "Atan",
                                      "Atanh",
                                      "BitwiseNot",
                                      "Ceil",
                                      "Celu",
                                      "Clip",
                                      "Cos",
                                      "Cosh",
                                      "Elu",
                                      "Erf",
                                      "Exp",
                                      "Floor",
                                      "Gelu",
                                      "HardSigmoid",
                                      "HardSwish",
                                      "Hardmax",
                                      "Identity",
                                      "LRN",
                                      "LeakyRelu",
                                      "Log",
                                      "LogSoftmax",
                                      "LpNormalization",
                                      "MeanVarianceNormalization",
                                      "Mish",
                                      "Neg",
                                      "Not",
                                      "Reciprocal",
                                      "Relu",
                                      "Round",
                                      "Selu",
                                      "Shrink",
                                      "Sigmoid",
                                      "Sign",
                                      "Sin",
                                      "Sinh",
                                      "Softmax",
                                      "Softplus",
                                      "Softsign",
                                      "Sqrt",
                                      "Swish",
                                      "Tan",
                                      "Tanh",
                                      "ThresholdedRelu"}) {
    rows.push_back({name, 1, 1, as_first});
  }
  for (const std::string_view name : {"Add", "BitShift", "BitwiseAnd", "BitwiseOr", "BitwiseXor",
                                      "Div", "Mod", "Mul", "Pow", "Sub"}) {
    rows.push_back({name, 2, 2, repeated});
  }
  for (const std::string_view name : {"Max", "Mean", "Min", "Sum"}) {
    rows.push_back({name, 1, kAll, repeated});
  }
  for (const std::string_view name :
       {"And", "Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual", "Or", "Xor"}) {
    rows.push_back({name, 2, 2, truth});
  }
  for (const std::string_view name : {"IsInf", "IsNaN"}) {
    rows.push_back({name, 1, 1, truth});
  }
  for (const std::string_view name : {"CumProd", "CumSum", "ReverseSequence", "ScatterElements",
                                      "ScatterND", "TensorScatter", "Trilu"}) {
    rows.push_back({name, 1, 1, as_first});
  }
  rows.push_back({"Scatter", 3, 1, as_first});
  return rows;
}

}  // namespace ridge::predict
