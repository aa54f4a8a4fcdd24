// How much speaks for two regions of one function being the same.
#pragma once

#include <optional>
#include <tuple>
#include <vector>

#include "predict/compare/region_tree.hpp"

namespace ridge::predict {

/// Regions of one function in source order: what positions within them are relative to.
struct Family {
  std::vector<const RegionNode*> nodes;
  std::vector<unsigned>
      settled_before;  ///< per node: how many before it have their partner already

  [[nodiscard]] std::optional<unsigned> first_line() const;
  [[nodiscard]] std::optional<unsigned> last_line() const;
};

/// What a region did, with all inside it: what has one partner with the same is that partner, in
/// whatever order the source has them now.
using Fingerprint =
    std::tuple<int, unsigned, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>;
/// nullopt: it did nothing that tells it from others.
[[nodiscard]] std::optional<Fingerprint> fingerprint_of(const RegionNode& node);

/// Whether both are as far from the first of their families, in the same column and nesting. Never
/// without lines.
[[nodiscard]] bool same_place(const RegionNode& a, const RegionNode& first_of_a,
                              const RegionNode& b, const RegionNode& first_of_b);

/// 0: they cannot be. At least 1: standing at that place in the order. More for the same distance
/// to the begin of the function and to its first and last loop, column, nesting, work, work per
/// iteration, trip counts. Lines count as distances only. `parents_matched`: what is around them is
/// the same.
[[nodiscard]] int similarity(const Family& a, std::size_t i, const Family& b, std::size_t j,
                             bool parents_matched);

}  // namespace ridge::predict
