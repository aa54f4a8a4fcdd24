#include "predict/onnx/constant_folding.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace ridge::predict {
namespace {

bool is_whole(std::string_view type) {
  return !is_floating(type);
}

/// As the type rounds it; nullopt beyond what a double holds exactly.
std::optional<double> as_type(double value, const std::string& type) {
  if (type == "fp32") {
    return static_cast<double>(static_cast<float>(value));
  }
  if (type == "bool") {
    return value != 0.0 ? 1.0 : 0.0;
  }
  if (is_whole(type)) {
    const double whole = std::trunc(value);
    const bool exact = std::abs(whole) <= static_cast<double>(kLargestCount);
    return exact ? std::optional(whole) : std::nullopt;
  }
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

// ---- element by element ----

using Binary = double (*)(double, double);
struct BinaryRow {
  std::string_view operation;
  Binary apply;
};
constexpr std::array<BinaryRow, 15> kBinary{{
    {"Add", [](double a, double b) { return a + b; }},
    {"And", [](double a, double b) { return a != 0.0 && b != 0.0 ? 1.0 : 0.0; }},
    {"Div", [](double a, double b) { return a / b; }},
    {"Equal", [](double a, double b) { return a == b ? 1.0 : 0.0; }},
    {"Greater", [](double a, double b) { return a > b ? 1.0 : 0.0; }},
    {"GreaterOrEqual", [](double a, double b) { return a >= b ? 1.0 : 0.0; }},
    {"Less", [](double a, double b) { return a < b ? 1.0 : 0.0; }},
    {"LessOrEqual", [](double a, double b) { return a <= b ? 1.0 : 0.0; }},
    {"Max", [](double a, double b) { return std::max(a, b); }},
    {"Min", [](double a, double b) { return std::min(a, b); }},
    {"Mul", [](double a, double b) { return a * b; }},
    {"Or", [](double a, double b) { return a != 0.0 || b != 0.0 ? 1.0 : 0.0; }},
    {"Pow", [](double a, double b) { return std::pow(a, b); }},
    {"Sub", [](double a, double b) { return a - b; }},
    {"Xor", [](double a, double b) { return (a != 0.0) != (b != 0.0) ? 1.0 : 0.0; }},
}};

using Unary = double (*)(double);
struct UnaryRow {
  std::string_view operation;
  Unary apply;
};
constexpr std::array<UnaryRow, 8> kUnary{{
    {"Abs", [](double a) { return std::abs(a); }},
    {"Cast", [](double a) { return a; }},
    {"Ceil", [](double a) { return std::ceil(a); }},
    {"Floor", [](double a) { return std::floor(a); }},
    {"Neg", [](double a) { return -a; }},
    {"Not", [](double a) { return a == 0.0 ? 1.0 : 0.0; }},
    {"Round", [](double a) { return std::nearbyint(a); }},
    {"Sqrt", [](double a) { return std::sqrt(a); }},
}};

template <class Rows>
auto find_row(const Rows& rows, std::string_view operation) {
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [&](const auto& row) { return row.operation == operation; });
  return found != rows.end() ? found->apply : nullptr;
}

/// The element of an input that is repeated to `shape`, for element `index` of that shape.
double repeated(const Content& content, const Extents& from, const Extents& shape,
                std::size_t index) {
  std::size_t place = 0;
  std::size_t stride = 1;
  for (std::size_t back = 1; back <= shape.size(); ++back) {
    const std::size_t at = index % shape[shape.size() - back];
    index /= shape[shape.size() - back];
    if (back <= from.size()) {
      const std::size_t extent = from[from.size() - back];
      place += extent == 1 ? 0 : at * stride;
      stride *= extent;
    }
  }
  return place < content.size() ? content[place] : 0.0;
}

std::optional<Content> mapped(const OperatorCase& one, const ValueFacts& result,
                              double (*apply)(const std::array<double, 3>&, Binary, Unary),
                              std::size_t operands, Binary binary, Unary unary) {
  const Count size = elements(*result.shape);
  Content content;
  for (std::size_t i = 0; i < size.value(); ++i) {
    std::array<double, 3> values{};
    for (std::size_t operand = 0; operand < operands; ++operand) {
      values[operand] = repeated(*one.content(operand), *one.shape(operand), *result.shape, i);
    }
    const auto value = as_type(apply(values, binary, unary), result.type);
    if (!value) {
      return std::nullopt;
    }
    content.push_back(*value);
  }
  return content;
}

bool know(const OperatorCase& one, std::size_t operands) {
  for (std::size_t i = 0; i < operands; ++i) {
    if (one.content(i) == nullptr || !one.shape(i)) {
      return false;
    }
  }
  return true;
}

std::optional<Content> element_by_element(const OperatorCase& one, const ValueFacts& result) {
  if (const Unary unary = find_row(kUnary, one.operation()); unary != nullptr && know(one, 1)) {
    return mapped(
        one, result, [](const auto& v, Binary, Unary f) { return f(v[0]); }, 1, nullptr, unary);
  }
  if (const Binary binary = find_row(kBinary, one.operation());
      binary != nullptr && one.inputs() == 2 && know(one, 2)) {
    return mapped(
        one, result, [](const auto& v, Binary f, Unary) { return f(v[0], v[1]); }, 2, binary,
        nullptr);
  }
  if (one.operation() == "Where" && know(one, 3)) {
    return mapped(
        one, result, [](const auto& v, Binary, Unary) { return v[0] != 0.0 ? v[1] : v[2]; }, 3,
        nullptr, nullptr);
  }
  if (one.operation() == "Expand" && know(one, 1)) {
    return mapped(
        one, result, [](const auto& v, Binary, Unary) { return v[0]; }, 1, nullptr, nullptr);
  }
  return std::nullopt;
}

// ---- lists of numbers ----

/// How many elements a dimension before `axis` and one behind it spans.
std::size_t span(const Extents& shape, std::size_t first, std::size_t last) {
  std::size_t product = 1;
  for (std::size_t i = first; i < last; ++i) {
    product *= shape[i];
  }
  return product;
}

std::optional<Content> shape_content(const OperatorCase& one, const ValueFacts& result) {
  const auto shape = one.shape(0);
  if (!shape) {
    return std::nullopt;
  }
  if (one.operation() == "Size") {
    const Count size = elements(*shape);
    return size.too_large() ? std::nullopt
                            : std::optional(Content{static_cast<double>(size.value())});
  }
  const auto rank = static_cast<std::int64_t>(shape->size());
  const std::int64_t asked = one.integer("start", 0);
  const auto start = std::clamp<std::int64_t>(asked < 0 ? asked + rank : asked, 0, rank);
  Content content;
  for (std::size_t i = 0; i < (*result.shape)[0]; ++i) {
    const std::size_t axis = static_cast<std::size_t>(start) + i;
    if (axis >= shape->size()) {
      return std::nullopt;
    }
    content.push_back(static_cast<double>((*shape)[axis]));
  }
  return content;
}

/// Of any number of dimensions along the first axis, as shapes are taken apart.
std::optional<Content> gathered(const OperatorCase& one) {
  const auto indices = one.numbers(1);
  const auto shape = one.shape(0);
  if (!know(one, 1) || !indices || shape->empty() ||
      (one.integer("axis", 0) != 0 &&
       one.integer("axis", 0) != -static_cast<std::int64_t>(shape->size()))) {
    return std::nullopt;
  }
  const std::size_t row = span(*shape, 1, shape->size());
  const auto rows = static_cast<std::int64_t>((*shape)[0]);
  Content content;
  for (const std::int64_t index : *indices) {
    const std::int64_t at = index < 0 ? index + rows : index;
    if (at < 0 || at >= rows || (static_cast<std::size_t>(at) + 1) * row > one.content(0)->size()) {
      return std::nullopt;
    }
    const auto begin = one.content(0)->begin() + at * static_cast<std::ptrdiff_t>(row);
    content.insert(content.end(), begin, begin + static_cast<std::ptrdiff_t>(row));
  }
  return content;
}

std::optional<Content> joined(const OperatorCase& one) {
  Content content;
  for (std::size_t i = 0; i < one.inputs(); ++i) {
    if (one.content(i) == nullptr || !one.shape(i) || one.shape(i)->size() != 1) {
      return std::nullopt;
    }
    content.insert(content.end(), one.content(i)->begin(), one.content(i)->end());
  }
  return content;
}

/// Along the first axis.
std::optional<Content> sliced(const OperatorCase& one, const ValueFacts& result) {
  const auto starts = one.list(1, "starts");
  const auto axes = one.list(3, "axes");
  const auto steps = one.has(4) ? one.numbers(4) : std::vector<std::int64_t>{1};
  if (!know(one, 1) || one.content(0)->empty() || !starts || !axes || !steps ||
      starts->size() != 1 || steps->size() != 1) {
    return std::nullopt;
  }
  const Extents shape = *one.shape(0);
  const std::int64_t axis = axes->empty() ? 0 : axes->front();
  if (axis != 0 && axis != -static_cast<std::int64_t>(shape.size())) {
    return std::nullopt;
  }
  const std::size_t row = span(shape, 1, shape.size());
  const auto extent = static_cast<std::int64_t>(one.content(0)->size() / row);
  const std::int64_t step = (*steps)[0];
  std::int64_t at = (*starts)[0] < 0 ? (*starts)[0] + extent : (*starts)[0];
  at = std::clamp<std::int64_t>(at, 0, step > 0 ? extent : extent - 1);
  Content content;
  for (std::size_t i = 0; i < (*result.shape)[0]; ++i) {
    if (i > 0) {
      if (std::abs(static_cast<double>(step)) >= static_cast<double>(extent)) {
        return std::nullopt;
      }
      at += step;
    }
    if (at < 0 || at >= extent) {
      return std::nullopt;
    }
    const auto begin = one.content(0)->begin() + at * static_cast<std::ptrdiff_t>(row);
    content.insert(content.end(), begin, begin + static_cast<std::ptrdiff_t>(row));
  }
  return content;
}

/// Of two axes that change places.
std::optional<Content> turned(const OperatorCase& one) {
  if (!know(one, 1) || one.shape(0)->size() != 2) {
    return std::nullopt;
  }
  const auto order = one.integers("perm");
  if (!order.empty() && order != std::vector<std::int64_t>{1, 0}) {
    return *one.content(0);
  }
  const std::size_t rows = (*one.shape(0))[0];
  const std::size_t columns = (*one.shape(0))[1];
  if (one.content(0)->size() != rows * columns) {
    return std::nullopt;
  }
  Content content;
  for (std::size_t i = 0; i < rows * columns; ++i) {
    content.push_back((*one.content(0))[(i % rows) * columns + i / rows]);
  }
  return content;
}

std::optional<Content> counted(const OperatorCase& one, const ValueFacts& result) {
  if (!know(one, 1) || one.content(2) == nullptr || one.content(2)->empty()) {
    return std::nullopt;
  }
  Content content;
  for (std::size_t i = 0; i < (*result.shape)[0]; ++i) {
    content.push_back((*one.content(0))[0] + static_cast<double>(i) * (*one.content(2))[0]);
  }
  return content;
}

/// All elements into one.
std::optional<Content> reduced(const OperatorCase& one, const ValueFacts& result) {
  if (!know(one, 1) || !(elements(*result.shape) == Count(1)) || one.content(0)->empty()) {
    return std::nullopt;
  }
  const std::string& operation = one.operation();
  double value = operation == "ReduceProd"  ? 1.0
                 : operation == "ReduceSum" ? 0.0
                                            : (*one.content(0))[0];
  for (const double each : *one.content(0)) {
    value = operation == "ReduceProd"  ? value * each
            : operation == "ReduceSum" ? value + each
            : operation == "ReduceMax" ? std::max(value, each)
                                       : std::min(value, each);
  }
  const auto rounded = as_type(value, result.type);
  return rounded ? std::optional(Content{*rounded}) : std::nullopt;
}

/// Places of what is not 0, a column each.
std::optional<Content> places(const OperatorCase& one) {
  if (!know(one, 1) || one.shape(0)->size() != 1) {
    return std::nullopt;
  }
  Content content;
  for (std::size_t i = 0; i < one.content(0)->size(); ++i) {
    if ((*one.content(0))[i] != 0.0) {
      content.push_back(static_cast<double>(i));
    }
  }
  return content;
}

std::optional<Content> list_content(const OperatorCase& one, const ValueFacts& result) {
  const std::string& operation = one.operation();
  const bool is_list = result.shape->size() == 1;
  if ((operation == "Shape" || operation == "Range") && !is_list) {
    return std::nullopt;
  }
  if (operation == "Shape" || operation == "Size") {
    return shape_content(one, result);
  }
  if (operation == "Gather") {
    return gathered(one);
  }
  if (operation == "Concat") {
    return joined(one);
  }
  if (operation == "Slice") {
    return result.shape->empty() ? std::nullopt : sliced(one, result);
  }
  if (operation == "Transpose") {
    return turned(one);
  }
  if (operation == "Range") {
    return counted(one, result);
  }
  if (operation == "NonZero") {
    return places(one);
  }
  if (operation == "ReduceProd" || operation == "ReduceSum" || operation == "ReduceMax" ||
      operation == "ReduceMin") {
    return reduced(one, result);
  }
  const bool same = operation == "Identity" || operation == "Reshape" || operation == "Flatten" ||
                    operation == "Squeeze" || operation == "Unsqueeze" || operation == "Dropout";
  return same && one.content(0) != nullptr ? std::optional(*one.content(0)) : std::nullopt;
}

}  // namespace

std::optional<Content> fold(const OperatorCase& one, const ValueFacts& result) {
  if (!result.shape || result.type.empty()) {
    return std::nullopt;
  }
  const Count size = elements(*result.shape);
  if (size.too_large() || size.value() > kLongestContent) {
    return std::nullopt;
  }
  auto content = element_by_element(one, result);
  if (!content) {
    content = list_content(one, result);
  }
  return content && content->size() == size.value() ? content : std::nullopt;
}

}  // namespace ridge::predict
