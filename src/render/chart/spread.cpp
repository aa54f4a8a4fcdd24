#include "render/chart/spread.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace ridge::render {
namespace {

/// A run of labels that stand `gap` apart; `start` is where its first one wants to be on average.
struct Block {
  std::size_t first = 0;
  std::size_t count = 0;
  double wanted_sum = 0.0;  ///< of (wanted - index in block * gap)

  [[nodiscard]] double start(double gap, double low, double high) const {
    const double length = static_cast<double>(count - 1) * gap;
    const double free = wanted_sum / static_cast<double>(count);
    return std::max(low, std::min(free, high - length));
  }
};

}  // namespace

// Pool adjacent violators: blocks that would overlap merge, and a block stands at the mean of what
// its members want, which is the least-squares placement.
std::vector<double> spread_apart(const std::vector<double>& wanted, double gap, double low,
                                 double high) {
  std::vector<std::size_t> order(wanted.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return wanted[a] < wanted[b]; });
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < order.size(); ++i) {
    blocks.push_back({i, 1, wanted[order[i]]});
    while (blocks.size() > 1) {
      const Block last = blocks.back();
      Block& previous = blocks[blocks.size() - 2];
      const double end = previous.start(gap, low, high) + static_cast<double>(previous.count) * gap;
      if (end <= last.start(gap, low, high)) {
        break;
      }
      previous.wanted_sum += last.wanted_sum - static_cast<double>(last.count) *
                                                   static_cast<double>(previous.count) * gap;
      previous.count += last.count;
      blocks.pop_back();
    }
  }
  std::vector<double> placed(wanted.size());
  for (const Block& block : blocks) {
    const double start = block.start(gap, low, high);
    for (std::size_t i = 0; i < block.count; ++i) {
      placed[order[block.first + i]] = start + static_cast<double>(i) * gap;
    }
  }
  return placed;
}

}  // namespace ridge::render
