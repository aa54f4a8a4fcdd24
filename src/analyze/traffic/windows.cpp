#include "analyze/traffic/windows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace ridge::analyze {
namespace {

/// Bytes in so many iterations.
struct Part {
  CrossedBytes bytes;
  double iterations = 0.0;

  [[nodiscard]] double rate(std::size_t boundary) const {
    return (bytes.boundaries[boundary].read + bytes.boundaries[boundary].written) / iterations;
  }
};

CrossedBytes difference(const CrossedBytes& after, const CrossedBytes& before) {
  CrossedBytes made = after;
  for (std::size_t i = 0; i < made.boundaries.size(); ++i) {
    made.boundaries[i].read -= before.boundaries[i].read;
    made.boundaries[i].written -= before.boundaries[i].written;
  }
  made.dirtied -= before.dirtied;
  return made;
}

Part sum_of(std::span<const Part> parts) {
  Part sum = parts.front();
  for (const Part& part : parts.subspan(1)) {
    for (std::size_t i = 0; i < sum.bytes.boundaries.size(); ++i) {
      sum.bytes.boundaries[i].read += part.bytes.boundaries[i].read;
      sum.bytes.boundaries[i].written += part.bytes.boundaries[i].written;
    }
    sum.bytes.dirtied += part.bytes.dirtied;
    sum.iterations += part.iterations;
  }
  return sum;
}

/// Distance between the two parts that lie furthest apart, over their mean; of the boundary where
/// it is greatest. Boundaries with next to no traffic do not count.
double apart(const std::vector<Part>& parts) {
  constexpr double kCounts = 0.01;
  const std::size_t boundaries = parts.front().bytes.boundaries.size();
  const auto rates = [&](std::size_t boundary) {
    std::vector<double> made;
    for (const Part& part : parts) {
      made.push_back(part.rate(boundary));
    }
    return made;
  };
  double most = 0.0;
  for (std::size_t i = 0; i < boundaries; ++i) {
    most = std::max(most, std::ranges::max(rates(i)));
  }
  double distance = 0.0;
  for (std::size_t i = 0; i < boundaries; ++i) {
    const std::vector<double> all = rates(i);
    const auto [least, greatest] = std::ranges::minmax(all);
    const double mean =
        std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
    distance = mean > kCounts * most ? std::max(distance, (greatest - least) / mean) : distance;
  }
  return distance;
}

std::vector<Part> halves_of(std::span<const Part> parts) {
  const std::size_t half = parts.size() / 2;
  return {sum_of(parts.first(half)), sum_of(parts.subspan(half))};
}

class Sampler {
 public:
  Sampler(const IterationSpace& space, const std::vector<ServingCache>& levels,
          CacheSimulation& caches, double cost, double budget)
      : space_(&space),
        levels_(&levels),
        caches_(&caches),
        sweep_(space, caches),
        cost_(cost),
        budget_(budget) {}

  Sample sample() {
    // Where all rows are alike, one place stands for all.
    const int places = space_->is_rectangular() ? 1 : 5;
    Sample made;
    made.rates.resize(levels_->size());
    for (int place = 0; place < places; ++place) {
      sweep_.jump_to(place_of((place + 0.5) / places));
      made.is_filled = warm_up(budget_ / 2.0 / places) && made.is_filled;
      const std::vector<Part> parts = windows(budget_ / 2.0 / places);
      made.relative_error = std::max(made.relative_error, apart(halves_of(parts)));
      add(sum_of(parts), places, made);
    }
    return made;
  }

 private:
  /// Where in the outermost loop this part of all iterations is done.
  [[nodiscard]] double place_of(double part) const {
    constexpr int kSlices = 64;
    std::vector<double> done{0.0};
    for (int slice = 0; slice < kSlices; ++slice) {
      done.push_back(done.back() + space_->iterations_at((slice + 0.5) / kSlices));
    }
    for (int slice = 0; slice < kSlices; ++slice) {
      const auto at = static_cast<std::size_t>(slice);
      if (done[at + 1] >= part * done.back() && done[at + 1] > done[at]) {
        return (slice + (part * done.back() - done[at]) / (done[at + 1] - done[at])) / kSlices;
      }
    }
    return part;
  }

  /// So many iterations, from the beginning again where the nest ends.
  double run(double iterations, bool thinned) {
    double passed = 0.0;
    bool is_empty = false;
    while (passed < iterations && !is_empty) {
      const auto left = static_cast<std::int64_t>(std::ceil(iterations - passed));
      const auto now = static_cast<double>(sweep_.advance(left, thinned));
      passed += now;
      is_empty = now == 0.0 && sweep_.is_at_end();
      if (sweep_.is_at_end()) {
        sweep_.begin_anew();
      }
    }
    return passed;
  }

  /// Until the last cache has been filled twice with new lines, since its sets do not fill at the
  /// same time, or the budget is spent. Whether it has.
  bool warm_up(double budget) {
    constexpr int kSteps = 64;
    double capacity = 0.0;
    double touched = 0.0;
    for (const ServingCache& level : *levels_) {
      capacity += static_cast<double>(level.bytes);
    }
    for (const PlacedArray& array : space_->arrays()) {
      touched += static_cast<double>(array.bytes);
    }
    const bool is_held = touched <= static_cast<double>(levels_->back().reach_bytes);
    if (is_held) {
      sweep_.touch_arrays();
    }
    const double begin = caches_->crossed().boundaries.back().read;
    const double all = budget / cost_ * (is_held ? 0.25 : 1.0);
    bool is_filled = is_held;
    for (double passed = 0.0; passed < all && (is_held || !is_filled);) {
      passed += run(std::max(1.0, all / kSteps), !is_held) / thinning(!is_held);
      is_filled =
          is_held || caches_->crossed().boundaries.back().read - begin > kFillings * capacity;
    }
    run(window_iterations(budget) / 2.0, false);
    return is_filled;
  }

  [[nodiscard]] double thinning(bool thinned) const {
    return thinned ? static_cast<double>(space_->iterations_per_line()) : 1.0;
  }

  /// Whole iterations of an outer loop where they fit.
  [[nodiscard]] double window_iterations(double budget) const {
    const double affordable = std::max(1.0, budget / cost_ / kWindows);
    for (std::size_t loop = 0; loop + 1 < space_->loops(); ++loop) {
      const double within = space_->iterations_within(loop);
      const double period = within * static_cast<double>(space_->period_of(loop));
      if (within >= 1.0 && within <= affordable) {
        const double unit = period <= 2.0 * affordable ? period : within;
        return std::max(1.0, std::floor(affordable / unit)) * unit;
      }
    }
    return affordable;
  }

  /// The second half alone where the first one shows something else.
  std::vector<Part> windows(double budget) {
    constexpr double kSame = 0.005;
    constexpr double kSteady = 0.03;
    const double iterations = window_iterations(budget);
    std::vector<Part> parts;
    CrossedBytes before = caches_->crossed();
    while (parts.size() < kWindows && (parts.size() != kWindows / 2 || apart(parts) > kSame)) {
      Part part;
      part.iterations = run(iterations, false);
      const CrossedBytes after = caches_->crossed();
      part.bytes = difference(after, before);
      before = after;
      parts.push_back(std::move(part));
    }
    if (parts.size() == kWindows && apart(halves_of(parts)) > kSteady) {
      parts.erase(parts.begin(), parts.begin() + kWindows / 2);
    }
    return parts;
  }

  void add(Part sum, int places, Sample& sample) const {
    if (!sample.is_filled) {
      sum.bytes.boundaries.back().written =
          std::max(sum.bytes.boundaries.back().written, sum.bytes.dirtied);
    }
    for (std::size_t i = 0; i < sample.rates.size(); ++i) {
      sample.rates[i].read += sum.bytes.boundaries[i].read / sum.iterations / places;
      sample.rates[i].written += sum.bytes.boundaries[i].written / sum.iterations / places;
    }
    sample.iterations += sum.iterations;
  }

  static constexpr std::size_t kWindows = 8;
  static constexpr double kFillings = 2.0;

  const IterationSpace* space_;
  const std::vector<ServingCache>* levels_;
  CacheSimulation* caches_;
  Sweep sweep_;
  double cost_;
  double budget_;
};

}  // namespace

Sample sample_windows(const IterationSpace& space, const std::vector<ServingCache>& levels,
                      CacheSimulation& caches, double cost, double budget) {
  return Sampler(space, levels, caches, cost, budget).sample();
}

}  // namespace ridge::analyze
