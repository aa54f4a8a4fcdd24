#include "bench/wall_budget.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "platform/clock.hpp"

namespace ridge::bench {

WallBudget::WallBudget(std::uint64_t start, double tsc_hertz, Seconds wall,
                       std::function<bool()> stop, std::function<void(const Progress&)> on_progress)
    : start_(start),
      tsc_hertz_(tsc_hertz),
      wall_(wall),
      stop_(std::move(stop)),
      on_progress_(std::move(on_progress)) {}

Seconds WallBudget::elapsed() const {
  return Seconds{static_cast<double>(platform::ticks_after() - start_) / tsc_hertz_};
}

bool WallBudget::must_stop() {
  stopped_ = stopped_ || (stop_ && stop_());
  return stopped_;
}

void WallBudget::show_progress(const std::string& what) const {
  if (on_progress_) {
    const auto total = static_cast<std::size_t>(wall_.value() * 1e3) + 1;
    const auto done = static_cast<std::size_t>(elapsed().value() * 1e3);
    const double left = std::max(0.0, wall_.value() - elapsed().value());
    on_progress_({std::min(done, total - 1), total,
                  fmt::format("{}, at most {:.0f} s left", what, std::ceil(left))});
  }
}

}  // namespace ridge::bench
