// ONNX models: what the file states, with the shapes that ONNX's own shape inference finds
// and, for operators newer than it and in bodies of If, Loop and Scan, those of a table of
// operators.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/result.hpp"
#include "core/value/tensor_graph.hpp"

namespace ridge::predict {

/// Sizes for dimensions that the model leaves open.
struct DimensionSizes {
  /// The dimensions whose name holds "batch"; without one the first dimension of every input of at
  /// least two, where open, else where fixed.
  std::optional<std::uint64_t> batch;
  /// By the name of the dimension, or INPUT.AXIS ("data.0") where it has none or is fixed.
  std::map<std::string, std::uint64_t> named;
};

/// `file` is the whole file; `file_name` stands in messages. No other file is opened, no weight is
/// looked at. Errors: bad_input for what is no model, contradicts itself, is newer than opset
/// 26, has cyclic or unsorted operators, a value that nobody makes or two make, dimensions
/// that are negative, beyond 2^53 or open (naming them); usage for sizes of dimensions it has not.
[[nodiscard]] Result<TensorGraph> read_onnx(std::string_view file, std::string_view file_name,
                                            const DimensionSizes& sizes);

}  // namespace ridge::predict
