// Which regions of two results have found their partner while they are being matched.
#pragma once

#include <cstddef>
#include <vector>

#include "predict/compare/match.hpp"
#include "predict/compare/region_tree.hpp"

namespace ridge::predict {

using Nodes = std::vector<const RegionNode*>;

/// What may belong together, in source order on each side.
struct Candidates {
  Nodes before;
  Nodes after;

  [[nodiscard]] bool one_each() const { return before.size() == 1 && after.size() == 1; }
};

enum class Side { before, after };

/// One to one: a region is open, or has its one partner, or is left out, and stays so once it is no
/// longer open.
class Pairing {
 public:
  /// By position in Profile::regions. What is not open at first is not looked at.
  Pairing(std::vector<bool> open_before, std::vector<bool> open_after);

  [[nodiscard]] bool is_open(Side side, std::size_t index) const;
  [[nodiscard]] bool has_partner(Side side, std::size_t index) const;
  [[nodiscard]] bool are_partners(std::size_t before, std::size_t after) const;

  /// Both are open.
  void settle(std::size_t before, std::size_t after, MatchedBy by);
  /// All are open. They are several equally good partners of each other: not compared, and not
  /// looked at again.
  void leave(const Candidates& ambiguous);

  /// Matches by ascending `before`.
  [[nodiscard]] Matching matching() const;

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  struct Regions {
    std::vector<bool> open;
    std::vector<std::size_t> partner;  ///< on the other side
  };

  [[nodiscard]] const Regions& of(Side side) const {
    return side == Side::before ? before_ : after_;
  }

  Regions before_;
  Regions after_;
  Matching found_;
};

}  // namespace ridge::predict
