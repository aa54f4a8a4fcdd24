// What is known of a value between two operators before the model runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ridge::predict {

/// Numbers of a small tensor, row by row. Shapes are computed from them; doubles hold every size
/// that is accepted (2^53) and the factors of a Resize.
using Content = std::vector<double>;

/// Longer contents are not followed: they are no shapes.
inline constexpr std::size_t kLongestContent = 1024;

struct ValueFacts {
  std::string type;                                 ///< as Tensor::type; empty: not known
  std::optional<std::vector<std::uint64_t>> shape;  ///< absent: not known; {}: one value
  std::optional<Content> content;                   ///< absent: depends on data, or too long
};

}  // namespace ridge::predict
