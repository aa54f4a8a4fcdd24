// Which blocks run, each time a counted one does, before the next count.
#pragma once

#include <cstdint>
#include <vector>

#include "machine_code/function.hpp"
#include "measure/instrumented/code/block_counts.hpp"

namespace ridge::measure {

/// Of several ways the one with most flops, of equal ones the first: what the back end computes on
/// one way alone the IR computes on all. None where the way parts and nothing is computed behind. A
/// block on a cycle without a count is there once.
class BlockWays {
 public:
  /// `flops` of one execution, by block. All must outlive this.
  BlockWays(const machine_code::Function& function, const std::vector<BlockCount>& counts,
            const std::vector<std::uint64_t>& flops);

  /// In order, from `block` on, which is the first.
  [[nodiscard]] std::vector<std::uint32_t> from(std::uint32_t block) const;
  [[nodiscard]] std::uint64_t flops_from(std::uint32_t block) const;

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  [[nodiscard]] std::uint32_t best_behind(std::uint32_t block);
  void settle(std::uint32_t block, unsigned depth);

  const machine_code::Function* function_;
  const std::vector<BlockCount>* counts_;
  const std::vector<std::uint64_t>* flops_;
  std::vector<std::uint32_t> next_;   ///< by block; kNone: a count, or the end
  std::vector<std::uint64_t> total_;  ///< by block: with those behind
  std::vector<bool> is_settled_;
};

}  // namespace ridge::measure
