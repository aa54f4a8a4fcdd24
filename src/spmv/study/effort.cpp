#include "spmv/study/effort.hpp"

#include <algorithm>

namespace ridge::spmv {

Effort effort_of(Bytes matrix, Bytes last_level_cache, Seconds full) {
  constexpr Bytes kSmall{65'536};
  constexpr Seconds kShort{1};
  Effort effort;
  effort.budget = full;
  if (matrix < kSmall) {
    effort.budget = std::min(full, kShort);
    effort.sample = Seconds(2e-4);
    effort.read = Seconds(1e-4);
    effort.most_rounds = TurnRules{}.least_rounds;
    effort.again_when_noisy = false;
    effort.on_several_threads = false;
  } else if (matrix < last_level_cache) {
    const double share = (matrix - kSmall).value() / (last_level_cache - kSmall).value();
    effort.budget = std::min(full, kShort + (full - kShort) * share);
  }
  return effort;
}

TurnRules rules_of(const Effort& effort, Seconds budget) {
  return {.most_rounds = effort.most_rounds,
          .budget = budget,
          .more = effort.again_when_noisy ? budget : Seconds(0)};
}

}  // namespace ridge::spmv
