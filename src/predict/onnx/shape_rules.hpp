// The shapes of an operator's results, by a table with one row per operator. ONNX's own inference
// knows the operators of its time; this table those of every version since 7, and the usual ones of
// com.microsoft.
#pragma once

#include <string_view>
#include <vector>

#include "predict/onnx/operator_case.hpp"

namespace ridge::predict {

struct ShapeRow {
  std::string_view operation;  ///< with the domain in front, except for the standard one
  std::size_t needed = 1;      ///< inputs that must be given
  std::size_t known = 1;       ///< of the first inputs: those given must have a shape
  void (*rule)(OperatorCase&) = nullptr;
};

/// nullptr when there is no row: nothing is known of its results.
[[nodiscard]] const ShapeRow* find_shape_row(std::string_view domain, std::string_view operation);

/// Types and shapes of the results, as far as they follow; a contradiction stands in the case.
void infer_shapes(OperatorCase& one, const ShapeRow& row);

// Parts of the table, each in its own file.
[[nodiscard]] std::vector<ShapeRow> elementwise_shapes();
[[nodiscard]] std::vector<ShapeRow> window_shapes();
[[nodiscard]] std::vector<ShapeRow> product_shapes();
[[nodiscard]] std::vector<ShapeRow> layout_shapes();
[[nodiscard]] std::vector<ShapeRow> selection_shapes();
[[nodiscard]] std::vector<ShapeRow> vendor_shapes();

}  // namespace ridge::predict
