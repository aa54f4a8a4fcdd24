#include "analyze/traffic/windows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

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

/// Half the distance between the parts that lie furthest apart, over their mean; of the boundary
/// where it is greatest. Boundaries with next to no traffic do not count.
double apart(const std::vector<Part>& parts) {
  constexpr double kCounts = 0.01;
  double error = 0.0;
  double most = 0.0;
  const std::size_t boundaries = parts.empty() ? 0 : parts.front().bytes.boundaries.size();
  for (int pass = 0; pass < 2; ++pass) {
    for (std::size_t i = 0; i < boundaries; ++i) {
      std::vector<double> rates;
      for (const Part& part : parts) {
        rates.push_back(part.rate(i));
      }
      const auto [least, greatest] = std::ranges::minmax(rates);
      const double mean =
          std::accumulate(rates.begin(), rates.end(), 0.0) / static_cast<double>(rates.size());
      if (pass == 0) {
        most = std::max(most, mean);
      } else if (mean > kCounts * most) {
        error = std::max(error, (greatest - least) / 2.0 / mean);
      }
    }
  }
  return error;
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
    const bool is_rectangular = space_->is_rectangular();
    const int places = is_rectangular ? 2 : 5;
    Sample made;
    made.rates.resize(levels_->size());
    std::vector<Part> all;
    for (int place = 0; place < places; ++place) {
      sweep_.jump_to(place_of((place + 0.5) / places));
      made.is_filled = warm_up(budget_ / 2.0 / places, place == 0) && made.is_filled;
      const std::vector<Part> parts = windows(budget_ / 2.0 / places);
      add(parts, places, made);
      if (!is_rectangular) {
        made.relative_error = std::max(made.relative_error, apart(parts));
      }
      all.insert(all.end(), parts.begin(), parts.end());
    }
    if (is_rectangular) {
      made.relative_error = apart(all);
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
      const auto now = static_cast<double>(sweep_.advance(left, ends_rows_, thinned));
      passed += now;
      is_empty = now == 0.0 && sweep_.is_at_end();
      if (sweep_.is_at_end()) {
        sweep_.begin_anew();
      }
    }
    return passed;
  }

  /// Until the last cache has been filled with new lines, or the budget is spent. Whether it has.
  bool warm_up(double budget, bool is_first) {
    constexpr int kSteps = 64;
    double capacity = 0.0;
    for (const ServingCache& level : *levels_) {
      capacity += static_cast<double>(level.bytes);
    }
    double touched = 0.0;
    for (const PlacedArray& array : space_->arrays()) {
      touched += static_cast<double>(array.bytes);
    }
    const bool is_held = touched <= static_cast<double>(levels_->back().reach_bytes);
    if (is_held && is_first) {
      sweep_.touch_arrays();
    }
    const double begin = caches_->crossed().boundaries.back().read;
    const double all = budget / cost_ * (is_held ? 0.25 : 1.0);
    const double step = std::max(1.0, all / kSteps);
    bool is_filled = is_held;
    for (double passed = 0.0; passed < all && (!is_filled || is_held);) {
      passed += run(step, !is_held) / thinning(!is_held);
      is_filled = is_held || caches_->crossed().boundaries.back().read - begin >
                                 (is_first ? 1.1 : 0.5) * capacity;
    }
    run(window_iterations(budget) / 2.0, false);
    return is_filled;
  }

  [[nodiscard]] double thinning(bool thinned) const {
    return thinned ? static_cast<double>(space_->iterations_per_line()) : 1.0;
  }

  /// Whole iterations of an outer loop where they fit.
  [[nodiscard]] double window_iterations(double budget) const {
    constexpr int kWindows = 4;
    const double affordable = std::max(1.0, budget / cost_ / kWindows);
    double iterations = affordable;
    for (std::size_t loop = 0; loop + 1 < space_->loops(); ++loop) {
      const double within = space_->iterations_within(loop);
      if (within >= 1.0 && within <= affordable) {
        iterations = std::floor(affordable / within) * within;
        break;
      }
    }
    return iterations;
  }

  /// Windows until the last ones show the same, or twice as many as are needed.
  std::vector<Part> windows(double budget) {
    constexpr std::size_t kWindows = 4;
    constexpr double kSteady = 0.02;
    const double iterations = window_iterations(budget);
    std::vector<Part> parts;
    CrossedBytes before = caches_->crossed();
    for (std::size_t i = 0; i < 2 * kWindows; ++i) {
      Part part;
      part.iterations = run(iterations, false);
      const CrossedBytes after = caches_->crossed();
      part.bytes = difference(after, before);
      before = after;
      parts.push_back(std::move(part));
      if (parts.size() > kWindows) {
        parts.erase(parts.begin());
      }
      if (parts.size() == kWindows && apart(parts) <= kSteady) {
        break;
      }
    }
    return parts;
  }

  void add(const std::vector<Part>& parts, int places, Sample& sample) const {
    double iterations = 0.0;
    std::vector<CrossedBytes::Boundary> sums(levels_->size());
    double dirtied = 0.0;
    for (const Part& part : parts) {
      iterations += part.iterations;
      dirtied += part.bytes.dirtied;
      for (std::size_t i = 0; i < sums.size(); ++i) {
        sums[i].read += part.bytes.boundaries[i].read;
        sums[i].written += part.bytes.boundaries[i].written;
      }
    }
    if (!sample.is_filled) {
      sums.back().written = std::max(sums.back().written, dirtied);
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sample.rates[i].read += sums[i].read / iterations / places;
      sample.rates[i].written += sums[i].written / iterations / places;
    }
    sample.iterations += iterations;
  }

  const IterationSpace* space_;
  const std::vector<ServingCache>* levels_;
  CacheSimulation* caches_;
  Sweep sweep_;
  double cost_;
  double budget_;
  bool ends_rows_ = false;
};

}  // namespace

Sample sample_windows(const IterationSpace& space, const std::vector<ServingCache>& levels,
                      CacheSimulation& caches, double cost, double budget) {
  return Sampler(space, levels, caches, cost, budget).sample();
}

}  // namespace ridge::analyze
