#include "measure/instrumented/traffic_watch.hpp"

#include <algorithm>

#include "measure/profile/line_sample.hpp"
#include "measure/run/traffic_plan.hpp"

namespace ridge::measure {
namespace {

/// Before this part of the run, its first loops would decide for all.
constexpr double kPartLeast = 0.05;
/// One look may fall between the parts of a batch.
constexpr unsigned kLooksInDoubt = 2;

}  // namespace

/// Counts of a loop may come before its work, so time has a say too: the part done is at most what
/// the slowest sampled run that was expected would have done by now.
double TrafficWatch::part_at_most() const {
  const double by_time =
      options_.expected.most > Seconds(0.0) ? elapsed_ / options_.expected.most : 1.0;
  return std::min(pace_.done().value_or(1.0), by_time);
}

bool TrafficWatch::needs_all_lines(const DecodedArena& now) {
  const double part = part_at_most();
  if (!options_.may_repeat || part < kPartLeast) {
    return false;
  }
  untrusted_ =
      ridge::measure::untrusted_share(simulated_traffic(now), 1.0 / std::min(part, 1.0)).share;
  looks_in_doubt_ = untrusted_ > kUntrustedMost ? looks_in_doubt_ + 1 : 0;
  return looks_in_doubt_ >= kLooksInDoubt;
}

TrafficVerdict TrafficWatch::look(Seconds elapsed, const DecodedArena& now) {
  elapsed_ = elapsed;
  if (options_.bytes > 0) {
    pace_.add(elapsed, static_cast<double>(bytes_of(now)) / static_cast<double>(options_.bytes));
  }
  if (is_over_budget(elapsed)) {
    return TrafficVerdict::over_budget;
  }
  return needs_all_lines(now) ? TrafficVerdict::all_lines : TrafficVerdict::go_on;
}

Progress TrafficWatch::progress() const {
  Progress progress{options_.run, elapsed_, pace_.done(), std::nullopt};
  if (const auto remaining = pace_.remaining()) {
    progress.remaining = SecondsRange{*remaining, *remaining};
  } else if (elapsed_ < options_.expected.most) {
    progress.remaining = SecondsRange{std::max(Seconds(0.0), options_.expected.least - elapsed_),
                                      options_.expected.most - elapsed_};
  }
  return progress;
}

}  // namespace ridge::measure
