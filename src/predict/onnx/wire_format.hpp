// An ONNX file without the numbers of its weights: shapes are all that is needed, so that a file of
// gigabytes costs as little as one of kilobytes. Works on the protobuf wire format and trusts
// nothing in it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/result.hpp"

namespace ridge::predict {

struct SlimModel {
  std::string bytes;                   ///< a ModelProto; large tensors without their data
  std::uint64_t external_tensors = 0;  ///< whose data stand in other files, which nobody opens
};

/// Shapes that operators take as an input are this small; weights are larger. Byte.
inline constexpr std::size_t kKeptPayload = 4096;
inline constexpr std::size_t kKeptIntegers = 65536;  ///< of int32 and int64
/// Graphs inside graphs (If, Loop, Scan).
inline constexpr unsigned kMostNestedGraphs = 8;

/// Errors (bad_input): no protobuf message, truncated, more than kMostNestedGraphs, a tensor with
/// negative dimensions, beyond 2^53 elements, or with fewer or more data than its dimensions say.
[[nodiscard]] Result<SlimModel> without_weights(std::string_view file, std::string_view file_name);

}  // namespace ridge::predict
