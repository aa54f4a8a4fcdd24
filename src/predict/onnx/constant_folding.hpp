// Numbers that follow from shapes and small constants: what exporters compute the argument of a
// Reshape from (Shape, Gather, Concat ...), the condition of an If, the trip count of a Loop.
#pragma once

#include <optional>

#include "predict/onnx/operator_case.hpp"

namespace ridge::predict {

/// The content of the first result, where `type` and `shape` are those of the result. nullopt: it
/// depends on data, is longer than kLongestContent, has whole numbers beyond 2^53, or nothing is
/// known of the operator.
[[nodiscard]] std::optional<Content> fold(const OperatorCase& one, const ValueFacts& result);

}  // namespace ridge::predict
