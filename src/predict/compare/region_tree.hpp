// The regions of a profile as a tree in source order, with what identifies a region apart from its
// line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/value/profile.hpp"

namespace ridge::predict {

struct RegionNode {
  std::size_t index = 0;  ///< in Profile::regions
  const Region* region = nullptr;
  RegionNode* parent = nullptr;
  const RegionNode* root = nullptr;  ///< outermost region around it, or itself
  std::string process;               ///< "rank 3", "process 0"
  unsigned depth = 0;                ///< loops around it
  unsigned height = 0;               ///< loops within it, the deepest chain
  /// With everything inside it.
  std::uint64_t flops = 0;
  std::uint64_t bytes = 0;  ///< loaded and stored
};

class RegionTree {
 public:
  explicit RegionTree(const Profile& profile);
  RegionTree(const RegionTree&) = delete;
  RegionTree& operator=(const RegionTree&) = delete;

  /// Without the region of kind `program`: outer regions before inner ones, siblings by line.
  [[nodiscard]] const std::vector<const RegionNode*>& in_order() const { return order_; }

 private:
  void visit(std::vector<std::size_t> roots, std::vector<std::vector<std::size_t>>& children);
  void add_up();

  std::vector<RegionNode> nodes_;
  std::vector<const RegionNode*> order_;
};

/// Whether `a` stands before `b` in the order of names: digits compare as numbers.
[[nodiscard]] bool natural_less(std::string_view a, std::string_view b);

}  // namespace ridge::predict
