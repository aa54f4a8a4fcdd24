// What the numbers of a comparison's picture mean, below it.
#pragma once

#include <string>
#include <vector>

#include "core/value/comparison.hpp"
#include "render/document/compare/loop_paths.hpp"
#include "render/format/svg/svg_layout.hpp"

namespace ridge::render {

/// How much taller the picture is with its key.
[[nodiscard]] double height_of_key(const std::vector<LoopPath>& paths);

/// A line for each path, and one for how the lines are drawn; in the classes of the comparison's
/// sheet.
[[nodiscard]] std::string key_element(const Comparison& comparison,
                                      const std::vector<LoopPath>& paths, const SvgLayout& layout);

}  // namespace ridge::render
