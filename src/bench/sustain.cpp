#include "bench/sustain.hpp"

#include <algorithm>
#include <cmath>

#include "core/quantity/estimate.hpp"

namespace ridge::bench {
namespace {

constexpr Seconds kSampleTime{1e-3};
constexpr Seconds kTurn{0.05};  ///< between two looks at `stop`

}  // namespace

std::optional<Sustained> make_sustained(const PlannedKernel& planned, const Measured& held,
                                        Seconds duration) {
  constexpr std::size_t kFewest = 20;
  const auto count = static_cast<std::ptrdiff_t>(held.rates.size());
  if (held.rates.size() < kFewest) {
    return std::nullopt;
  }
  const std::vector<double> rates(held.rates.begin() + count / 2, held.rates.end());
  std::vector<double> clocks(held.clocks.begin() + count / 2, held.clocks.end());
  std::vector<double> start(held.clocks.begin(), held.clocks.begin() + count / 10);
  std::sort(start.begin(), start.end());
  Sustained sustained;
  sustained.ceiling = planned.id;
  sustained.duration = duration;
  if (planned.is_compute()) {
    sustained.value = estimate_from<FlopsPerSecond>(rates).value();
  } else {
    sustained.value = estimate_from<BytesPerSecond>(rates).value();
  }
  sustained.clock = estimate_from<Hertz>(std::move(clocks)).value();
  sustained.clock_at_start = Hertz{quantile(start, 0.5)};
  return sustained;
}

Result<std::optional<Sustained>> sustain(Runner& runner, const PlannedKernel& planned,
                                         Seconds duration, const std::function<bool()>& stop) {
  PlannedKernel held = planned;
  held.id = "sustained." + planned.id;
  held.sample_time = kSampleTime;
  const auto turns = static_cast<std::size_t>(std::ceil(duration.value() / kTurn.value()));
  const auto taken = runner.run(std::vector<Turn>(turns, Turn{&held, kTurn}), stop);
  if (!taken) {
    return tl::make_unexpected(taken.error());
  }
  if (taken->size() < turns) {
    return std::optional<Sustained>{};
  }
  Measured all;
  for (const Measured& turn : *taken) {
    all.append(turn);
  }
  return make_sustained(planned, all, duration);
}

}  // namespace ridge::bench
