// How the times of resources join, said by the user: "max(compute, L1+L2+DRAM)".
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "core/value/resource_prediction.hpp"

namespace ridge::predict {

/// An expression over names of resources with +, max(a, b, ...), sum(a, b, ...) and parentheses.
/// `max` and `sum` alone stand for all resources, `memory` for the main memory whatever its name. A
/// resource that is not used takes no time.
class OverlapExpression {
 public:
  /// Errors: `usage`, with the place in the text.
  [[nodiscard]] static Result<OverlapExpression> parse(std::string_view text);

  [[nodiscard]] const std::string& text() const { return text_; }
  /// Names that it uses, each once, in order; empty for `max` and `sum`.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// Seconds.
  [[nodiscard]] double seconds(std::span<const ResourceTime> resources) const;
  /// Whether a resource of this name enters it.
  [[nodiscard]] bool uses(std::string_view resource) const;

  /// Part of the tree; its definition stays with the parser.
  struct Node;

 private:
  std::string text_;
  std::vector<std::string> names_;
  std::shared_ptr<const Node> root_;
};

}  // namespace ridge::predict
