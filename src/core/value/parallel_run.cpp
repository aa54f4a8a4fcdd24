#include "core/value/parallel_run.hpp"

namespace ridge {

std::optional<double> imbalance_of(const RankSpread& spread) {
  if (spread.ranks < 2 || !(spread.mean > 0.0)) {
    return std::nullopt;
  }
  return spread.most / spread.mean;
}

}  // namespace ridge
