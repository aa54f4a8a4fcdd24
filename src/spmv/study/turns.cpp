#include "spmv/study/turns.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/quantity/median_interval.hpp"

namespace ridge::spmv {
namespace {

void add_round(std::vector<Samples>& samples, int round, const TurnTaking& taking) {
  for (std::size_t turn = 0; turn < samples.size(); ++turn) {
    const std::size_t who = round % 2 == 0 ? turn : samples.size() - 1 - turn;
    const TurnTaking::Sample sample = taking.sample(who);
    samples[who].seconds.push_back(sample.seconds);
    samples[who].bandwidths.push_back(sample.bandwidth);
  }
}

}  // namespace

std::size_t too_noisy_to_rank(const std::vector<Samples>& samples) {
  return static_cast<std::size_t>(
      std::count_if(samples.begin(), samples.end(), [&](const Samples& one) {
        const auto ratio = paired_ratio(samples.front().seconds, one.seconds);
        return !ratio || (ratio->high > 1 && ratio->high > kTooWide * ratio->low);
      }));
}

std::vector<Samples> take_turns(std::size_t contenders, const TurnRules& rules,
                                const TurnTaking& taking) {
  std::vector<Samples> samples(contenders);
  int round = 0;
  const auto spent = [&](Seconds limit, int most) {
    return round >= rules.least_rounds && (round >= most || taking.elapsed() >= limit);
  };
  while (!spent(rules.budget, rules.most_rounds)) {
    add_round(samples, round++, taking);
  }
  const Seconds begin = taking.elapsed();
  while (!spent(begin + rules.more, rules.most_rounds_noisy)) {
    const std::size_t noisy = too_noisy_to_rank(samples);
    if (noisy == 0) {
      break;
    }
    taking.progress(fmt::format(
        "the machine is busy: {} of {} cannot be ranked yet; measuring again, {:.0f} of at most "
        "{:.0f} s",
        noisy, contenders - 1, std::floor((taking.elapsed() - begin).value()),
        std::ceil(rules.more.value())));
    add_round(samples, round++, taking);
  }
  return samples;
}

}  // namespace ridge::spmv
