#include "predict/onnx/shape_rules.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

namespace ridge::predict {
namespace {

std::vector<ShapeRow> all_rows() {
  std::vector<ShapeRow> rows = elementwise_shapes();
  for (const auto& more :
       {window_shapes(), product_shapes(), layout_shapes(), selection_shapes(), vendor_shapes()}) {
    rows.insert(rows.end(), more.begin(), more.end());
  }
  std::sort(rows.begin(), rows.end(),
            [](const ShapeRow& a, const ShapeRow& b) { return a.operation < b.operation; });
  return rows;
}

}  // namespace

const ShapeRow* find_shape_row(std::string_view domain, std::string_view operation) {
  static const std::vector<ShapeRow> rows = all_rows();
  const std::string name = domain.empty() || domain == "ai.onnx"
                               ? std::string(operation)
                               : fmt::format("{}.{}", domain, operation);
  const auto found = std::lower_bound(
      rows.begin(), rows.end(), name,
      [](const ShapeRow& row, const std::string& wanted) { return row.operation < wanted; });
  return found != rows.end() && found->operation == name ? &*found : nullptr;
}

void infer_shapes(OperatorCase& one, const ShapeRow& row) {
  for (std::size_t i = 0; i < row.needed; ++i) {
    if (!one.has(i)) {
      one.contradict(fmt::format("needs {} inputs", row.needed));
      return;
    }
  }
  for (std::size_t i = 0; i < std::min(row.known, one.inputs()); ++i) {
    if (one.has(i) && !one.shape(i)) {
      return;
    }
  }
  row.rule(one);
}

}  // namespace ridge::predict
