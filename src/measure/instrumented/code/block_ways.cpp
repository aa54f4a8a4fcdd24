#include "measure/instrumented/code/block_ways.hpp"

namespace ridge::measure {
namespace {

/// Blocks without a count, one behind the other. Compilers make three.
constexpr unsigned kDeepest = 1000;

}  // namespace

BlockWays::BlockWays(const machine_code::Function& function, const std::vector<BlockCount>& counts,
                     const std::vector<std::uint64_t>& flops)
    : function_(&function),
      counts_(&counts),
      flops_(&flops),
      next_(counts.size(), kNone),
      total_(flops),
      is_settled_(counts.size(), false) {
  // Ways lead through blocks without a count alone; then counted blocks begin them.
  for (std::uint32_t i = 0; i < counts.size(); ++i) {
    if (!counts[i].ends_ways()) {
      settle(i, 0);
    }
  }
  for (std::uint32_t i = 0; i < counts.size(); ++i) {
    if (counts[i].counted_by) {
      settle(i, 0);
    }
  }
}

std::uint32_t BlockWays::best_behind(std::uint32_t block) {
  std::uint32_t best = kNone;
  for (const std::uint32_t next : function_->blocks[block].successors) {
    if (!(*counts_)[next].ends_ways() && next_[next] != block &&
        (best == kNone || total_[next] > total_[best])) {
      best = next;
    }
  }
  // Where the back end made a way of its own on which nothing is computed, nobody knows how often
  // it is taken: behind a loop it runs once, not with each turn.
  const bool is_only_way = function_->blocks[block].successors.size() == 1;
  return best != kNone && !is_only_way && total_[best] == 0 ? kNone : best;
}

void BlockWays::settle(std::uint32_t block, unsigned depth) {
  if (is_settled_[block] || depth >= kDeepest) {
    return;
  }
  is_settled_[block] = true;  // a way back to it ends there
  for (const std::uint32_t next : function_->blocks[block].successors) {
    if (!(*counts_)[next].ends_ways()) {
      settle(next, depth + 1);
    }
  }
  const std::uint32_t best = best_behind(block);
  next_[block] = best;
  total_[block] = (*flops_)[block] + (best != kNone ? total_[best] : 0);
}

std::vector<std::uint32_t> BlockWays::from(std::uint32_t block) const {
  std::vector<std::uint32_t> way{block};
  std::vector<bool> seen(next_.size(), false);
  seen[block] = true;
  for (std::uint32_t at = next_[block]; at != kNone && !seen[at]; at = next_[at]) {
    seen[at] = true;
    way.push_back(at);
  }
  return way;
}

std::uint64_t BlockWays::flops_from(std::uint32_t block) const {
  return total_[block];
}

}  // namespace ridge::measure
