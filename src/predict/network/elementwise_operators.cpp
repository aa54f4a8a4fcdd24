// One result per element. Where elements are integers, the same operations are intops.
#include <array>

#include "predict/network/operators.hpp"

namespace ridge::predict {
namespace {

using Work = std::optional<OperatorWork>;

/// Per element of the result.
struct Element {
  std::uint64_t operations;
  std::array<std::string_view, 3> calls;
};

bool is_float_work(const OperatorView& view) {
  return view.input(0) == nullptr || is_floating(view.input(0)->type);
}

OperatorWork by_type(const OperatorView& view, Count count) {
  return is_float_work(view) ? OperatorWork{count, 0, {}} : OperatorWork{0, count, {}};
}

template <const Element& kElement>
Work per_element(const OperatorView& view) {
  OperatorWork work = by_type(view, Count(kElement.operations) * view.output_size());
  for (const std::string_view call : kElement.calls) {
    if (!call.empty()) {
      work.calls.emplace_back(call, view.output_size());
    }
  }
  return work;
}

/// x a + b, and all other pairs of a multiplication and an addition.
template <const Element& kElement>
Work fused_pairs(const OperatorView& view) {
  auto work = per_element<kElement>(view);
  work->fma = 2 * view.output_size();
  return work;
}

constexpr Element kNone{0, {}};
constexpr Element kOne{1, {}};
constexpr Element kTwo{2, {}};
constexpr Element kThree{3, {}};
constexpr Element kSigmoid{2, {"exp"}};
constexpr Element kElu{2, {"exp"}};
constexpr Element kSelu{3, {"exp"}};
constexpr Element kCelu{3, {"exp"}};
constexpr Element kSoftplus{1, {"exp", "log"}};
constexpr Element kSwish{3, {"exp"}};
constexpr Element kMish{2, {"exp", "log", "tanh"}};
constexpr Element kGelu{4, {"erf"}};
constexpr Element kAcos{0, {"acos"}};
constexpr Element kAcosh{0, {"acosh"}};
constexpr Element kAsin{0, {"asin"}};
constexpr Element kAsinh{0, {"asinh"}};
constexpr Element kAtan{0, {"atan"}};
constexpr Element kAtanh{0, {"atanh"}};
constexpr Element kCos{0, {"cos"}};
constexpr Element kCosh{0, {"cosh"}};
constexpr Element kErf{0, {"erf"}};
constexpr Element kExp{0, {"exp"}};
constexpr Element kLog{0, {"log"}};
constexpr Element kPow{0, {"pow"}};
constexpr Element kSin{0, {"sin"}};
constexpr Element kSinh{0, {"sinh"}};
constexpr Element kTan{0, {"tan"}};
constexpr Element kTanh{0, {"tanh"}};

/// Additions of n operands of one shape.
Work sum(const OperatorView& view) {
  return by_type(view, (Count(view.input_count()) - 1) * view.output_size());
}

Work mean(const OperatorView& view) {
  return by_type(view, Count(view.input_count()) * view.output_size());
}

/// Rounding and clipping are no flop; a zero point is an integer addition.
Work quantise(const OperatorView& view) {
  const Count zero = view.input(2) != nullptr ? view.output_size() : Count(0);
  return OperatorWork{view.output_size(), zero, {}};
}

/// The extrema of its input are comparisons.
Work quantise_by_extrema(const OperatorView& view) {
  return OperatorWork{view.output_size(), view.output_size(), {}};
}

constexpr std::string_view kOneText = "1 per output";
constexpr std::string_view kTwoText = "2 per output";
constexpr std::string_view kNoneText = "0: selects, compares, negates, rounds or converts";
constexpr std::string_view kCallText = "0; one call of the math library per output";
constexpr std::string_view kLogicText = "0: logic on truth values";

constexpr auto kKind = LayerKind::elementwise;

OperatorRow row(std::string_view name, Work (*work)(const OperatorView&),
                std::string_view formula) {
  return {name, kKind, Moves::whole, work, formula};
}

std::vector<OperatorRow> arithmetic() {
  return {
      row("Add", per_element<kOne>, kOneText),
      row("BatchNormalization", fused_pairs<kTwo>,
          "2 per output: the inference form x a + b, a and b of a channel made beforehand"),
      row("BitShift", per_element<kOne>, kOneText),
      row("BitwiseAnd", per_element<kOne>, kOneText),
      row("BitwiseNot", per_element<kOne>, kOneText),
      row("BitwiseOr", per_element<kOne>, kOneText),
      row("BitwiseXor", per_element<kOne>, kOneText),
      row("Div", per_element<kOne>, kOneText),
      row("Mean", mean, "n per output of n operands"),
      row("Mod", per_element<kOne>, kOneText),
      row("Mul", per_element<kOne>, kOneText),
      row("PRelu", per_element<kOne>, kOneText),
      row("Reciprocal", per_element<kOne>, kOneText),
      row("Sqrt", per_element<kOne>, kOneText),
      row("Sub", per_element<kOne>, kOneText),
      row("Sum", sum, "n - 1 per output of n operands"),
      row("DequantizeLinear", quantise, "1 per output; 1 integer each with a zero point"),
      row("QuantizeLinear", quantise, "1 per output; 1 integer each with a zero point"),
      row("DynamicQuantizeLinear", quantise_by_extrema, "1 and 1 integer per output"),
  };
}

std::vector<OperatorRow> activations() {
  return {
      row("Celu", per_element<kCelu>, "3 per output; a call of exp"),
      row("Clip", per_element<kNone>, kNoneText),
      row("Elu", per_element<kElu>, "2 per output; a call of exp"),
      row("Gelu", per_element<kGelu>, "4 per output; a call of erf"),
      row("HardSigmoid", fused_pairs<kTwo>, kTwoText),
      row("HardSwish", fused_pairs<kThree>, "3 per output"),
      row("LeakyRelu", per_element<kOne>, kOneText),
      row("Mish", per_element<kMish>, "2 per output; calls of exp, log and tanh"),
      row("Relu", per_element<kNone>, kNoneText),
      row("Selu", per_element<kSelu>, "3 per output; a call of exp"),
      row("Shrink", per_element<kOne>, kOneText),
      row("Sigmoid", per_element<kSigmoid>, "2 per output; a call of exp"),
      row("Softplus", per_element<kSoftplus>, "1 per output; calls of exp and log"),
      row("Softsign", per_element<kTwo>, kTwoText),
      row("Swish", per_element<kSwish>, "3 per output; a call of exp"),
      row("ThresholdedRelu", per_element<kNone>, kNoneText),
  };
}

std::vector<OperatorRow> functions() {
  return {
      row("Acos", per_element<kAcos>, kCallText), row("Acosh", per_element<kAcosh>, kCallText),
      row("Asin", per_element<kAsin>, kCallText), row("Asinh", per_element<kAsinh>, kCallText),
      row("Atan", per_element<kAtan>, kCallText), row("Atanh", per_element<kAtanh>, kCallText),
      row("Cos", per_element<kCos>, kCallText),   row("Cosh", per_element<kCosh>, kCallText),
      row("Erf", per_element<kErf>, kCallText),   row("Exp", per_element<kExp>, kCallText),
      row("Log", per_element<kLog>, kCallText),   row("Pow", per_element<kPow>, kCallText),
      row("Sin", per_element<kSin>, kCallText),   row("Sinh", per_element<kSinh>, kCallText),
      row("Tan", per_element<kTan>, kCallText),   row("Tanh", per_element<kTanh>, kCallText),
  };
}

std::vector<OperatorRow> selections() {
  std::vector<OperatorRow> rows;
  for (const std::string_view name :
       {"Abs", "Cast", "CastLike", "Ceil", "Equal", "Floor", "Greater", "GreaterOrEqual", "IsInf",
        "IsNaN", "Less", "LessOrEqual", "Max", "Min", "Neg", "Round", "Sign", "Where"}) {
    rows.push_back(row(name, per_element<kNone>, kNoneText));
  }
  for (const std::string_view name : {"And", "Not", "Or", "Xor"}) {
    rows.push_back(row(name, per_element<kNone>, kLogicText));
  }
  return rows;
}

}  // namespace

std::vector<OperatorRow> elementwise_operators() {
  std::vector<OperatorRow> rows = arithmetic();
  for (const auto& more : {activations(), functions(), selections()}) {
    rows.insert(rows.end(), more.begin(), more.end());
  }
  return rows;
}

}  // namespace ridge::predict
