#include "measure/binary/profile/region_seconds.hpp"

#include <algorithm>
#include <utility>

namespace ridge::measure::binary {
namespace {

constexpr double kNano = 1e-9;
/// What lasts less is a hand-over that the sampling blurs.
constexpr double kLasting = 0.05;

double seconds(std::uint64_t nanoseconds) {
  return static_cast<double>(nanoseconds) * kNano;
}

/// Length of the union of intervals that come in the order of their beginnings.
class Union {
 public:
  void add(std::uint64_t begin, std::uint64_t end) {
    if (end > until_) {
      length_ += end - std::max(begin, until_);
      until_ = end;
    }
  }
  [[nodiscard]] double length() const { return seconds(length_); }

 private:
  std::uint64_t until_ = 0;
  std::uint64_t length_ = 0;
};

/// How many threads there are at a time, as a function of time that only changes at its steps.
class Concurrency {
 public:
  void add(std::uint64_t begin, std::uint64_t end) {
    steps_.emplace_back(begin, 1);
    steps_.emplace_back(end, -1);
  }

  void close() {
    std::sort(steps_.begin(), steps_.end());
    double sum = 0.0;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (i > 0 && level_ > 0) {
        const double length = seconds(steps_[i].first - steps_[i - 1].first);
        sum += length / level_;
        lasting_[level_] += length;
      }
      level_ += steps_[i].second;
      steps_[i].second = level_;
      sums_.push_back(sum);
    }
  }

  /// Integral of 1 / level over the interval, of whose ends both are steps.
  [[nodiscard]] double share(std::uint64_t begin, std::uint64_t end) const {
    return at(end) - at(begin);
  }
  [[nodiscard]] bool any() const { return !steps_.empty(); }

  [[nodiscard]] unsigned most() const {
    double all = 0.0;
    for (const auto& [level, length] : lasting_) {
      all += length;
    }
    double above = 0.0;
    for (auto level = lasting_.rbegin(); level != lasting_.rend(); ++level) {
      above += level->second;
      if (above >= kLasting * all) {
        return static_cast<unsigned>(level->first);
      }
    }
    return 0;
  }

  /// Parts of [begin, end) in which the level is 0.
  template <class Visit>
  void gaps(std::uint64_t begin, std::uint64_t end, Visit visit) const {
    auto step = std::upper_bound(steps_.begin(), steps_.end(), begin,
                                 [](std::uint64_t at, const auto& one) { return at < one.first; });
    bool is_free = step == steps_.begin() || (step - 1)->second == 0;
    std::uint64_t from = begin;
    for (; step != steps_.end() && step->first < end; ++step) {
      if (is_free && step->first > from) {
        visit(from, step->first);
      }
      from = step->first;
      is_free = step->second == 0;
    }
    if (is_free && end > from) {
      visit(from, end);
    }
  }

 private:
  [[nodiscard]] double at(std::uint64_t time) const {
    const auto step =
        std::upper_bound(steps_.begin(), steps_.end(), time,
                         [](std::uint64_t wanted, const auto& one) { return wanted < one.first; });
    return step == steps_.begin() ? 0.0
                                  : sums_[static_cast<std::size_t>(step - steps_.begin()) - 1];
  }

  std::vector<std::pair<std::uint64_t, int>> steps_;  ///< time; change, then level
  std::vector<double> sums_;
  std::map<int, double> lasting_;
  int level_ = 0;
};

class Times {
 public:
  Times(const SampledCode& code, std::span<const std::uint32_t> region_of_place,
        std::span<const std::optional<std::uint32_t>> parents)
      : code_(code), region_of_place_(region_of_place), parents_(parents) {
    result_.regions.resize(parents.size());
    self_.resize(parents.size());
    inclusive_.resize(parents.size());
    threads_.resize(parents.size());
  }

  SampledTimes run() {
    const auto waiting = waiting_shares();
    for (const SampledMoment& moment : code_.moments) {
      if (moment.asleep) {
        asleep_.push_back(moment);
      } else {
        add_present(moment, waiting[moment.thread]);
      }
    }
    for (auto* list : {&awake_, &asleep_}) {
      std::ranges::stable_sort(*list, {}, &SampledMoment::begin);
    }
    for (const SampledMoment& moment : awake_) {
      working_.add(moment.begin, moment.end);
    }
    working_.close();
    add_awake();
    add_asleep();
    finish();
    return std::move(result_);
  }

 private:
  /// The part of a moment in which its thread did not have the CPU.
  [[nodiscard]] static std::uint64_t gap_of(const SampledMoment& moment) {
    const std::uint64_t length = moment.end - moment.begin;
    return length - std::min<std::uint64_t>(length, moment.weight);
  }

  /// By thread: of its gaps the part in which it waited for a CPU; in the rest it slept. All of it
  /// where the kernel does not tell and nobody saw it sleep.
  [[nodiscard]] std::vector<double> waiting_shares() const {
    std::vector<std::uint64_t> gaps(code_.threads.size(), 0);
    for (const SampledMoment& moment : code_.moments) {
      gaps[moment.thread] += moment.asleep ? 0 : gap_of(moment);
    }
    std::vector<double> shares;
    for (std::size_t i = 0; i < gaps.size(); ++i) {
      const auto waiting = code_.threads[i].waiting_nanoseconds;
      shares.push_back(waiting && gaps[i] > 0 ? std::min(1.0, static_cast<double>(*waiting) /
                                                                  static_cast<double>(gaps[i]))
                                              : 0.0);
    }
    return shares;
  }

  /// Wall time in a region is running and waiting (docs/contracts.md, section 2).
  void add_present(SampledMoment moment, double waiting) {
    const auto waited = static_cast<std::uint64_t>(waiting * static_cast<double>(gap_of(moment)));
    const std::uint64_t present =
        std::min<std::uint64_t>(moment.end - moment.begin, moment.weight + waited);
    moment.begin = moment.end - present;
    const std::uint32_t region = region_of(moment);
    const double seconds_waited = seconds(waited);
    if (code_.threads[moment.thread].waiting_nanoseconds) {
      result_.waited = result_.waited.value_or(0.0) + seconds_waited;
    }
    if (region != kNoRegion) {
      result_.regions[region].waited += seconds_waited;
    }
    awake_.push_back(moment);
  }

  [[nodiscard]] std::uint32_t region_of(const SampledMoment& moment) const {
    return moment.place < region_of_place_.size() ? region_of_place_[moment.place] : kNoRegion;
  }

  /// Calls `visit` with the region and all that are around it.
  template <class Visit>
  void with_parents(std::uint32_t region, Visit visit) const {
    for (std::optional<std::uint32_t> at = region; at; at = parents_[*at]) {
      visit(*at);
    }
  }

  void count(const SampledMoment& moment, std::uint32_t region) {
    ++result_.regions[region].samples;
    with_parents(region, [&](std::uint32_t at) { ++result_.regions[at].samples_inclusive; });
    if (moment.asleep) {
      return;
    }
    RegionSeconds& own = result_.regions[region];
    const double cpu = seconds(moment.weight);
    own.cpu += cpu;
    own.kernel += moment.in_kernel ? cpu : 0.0;
    ++own.cpu_samples;
    own.cpu_by_thread[moment.thread] += cpu;
    ++own.samples_by_thread[moment.thread];
    with_parents(region, [&](std::uint32_t at) {
      result_.regions[at].cpu_inclusive += cpu;
      ++result_.regions[at].cpu_samples_inclusive;
    });
  }

  /// Of intervals in the order of their beginnings. Those of sleepers are other ones than those of
  /// threads at work, so both add up.
  void cover(std::vector<Union>& self, std::vector<Union>& inclusive, std::uint32_t region,
             std::uint64_t begin, std::uint64_t end) {
    self[region].add(begin, end);
    with_parents(region, [&](std::uint32_t at) { inclusive[at].add(begin, end); });
  }

  void add_awake() {
    Union seen;
    Union inside;
    for (const SampledMoment& moment : awake_) {
      seen.add(moment.begin, moment.end);
      ++result_.cpu_samples;
      result_.cpu += seconds(moment.weight);
      const std::uint32_t region = region_of(moment);
      if (region == kNoRegion) {
        continue;
      }
      inside.add(moment.begin, moment.end);
      count(moment, region);
      cover(self_, inclusive_, region, moment.begin, moment.end);
      threads_[region].add(moment.begin, moment.end);
      result_.regions[region].share += working_.share(moment.begin, moment.end);
    }
    result_.sampled += seen.length();
    result_.attributed += inside.length();
  }

  struct Piece {
    std::uint64_t begin;
    std::uint64_t end;
    std::uint32_t region;
  };

  /// The times in which no thread worked.
  void add_asleep() {
    std::vector<Piece> pieces;
    Concurrency sleeping;
    for (const SampledMoment& moment : asleep_) {
      const std::uint32_t region = region_of(moment);
      if (region != kNoRegion) {
        count(moment, region);
      }
      working_.gaps(moment.begin, moment.end, [&](std::uint64_t begin, std::uint64_t end) {
        pieces.push_back({begin, end, region});
        sleeping.add(begin, end);
      });
    }
    sleeping.close();
    std::stable_sort(pieces.begin(), pieces.end(),
                     [](const Piece& a, const Piece& b) { return a.begin < b.begin; });
    std::vector<Union> self(parents_.size());
    std::vector<Union> inclusive(parents_.size());
    Union seen;
    Union inside;
    for (const Piece& piece : pieces) {
      seen.add(piece.begin, piece.end);
      if (piece.region != kNoRegion) {
        inside.add(piece.begin, piece.end);
        cover(self, inclusive, piece.region, piece.begin, piece.end);
        result_.regions[piece.region].share += sleeping.share(piece.begin, piece.end);
      }
    }
    for (std::size_t i = 0; i < parents_.size(); ++i) {
      result_.regions[i].asleep = self[i].length();
      result_.regions[i].wall += self[i].length();
      result_.regions[i].wall_inclusive += inclusive[i].length();
    }
    result_.sampled += seen.length();
    result_.attributed += inside.length();
  }

  void finish() {
    result_.samples = code_.moments.size();
    result_.most_threads = working_.most();
    for (std::size_t i = 0; i < parents_.size(); ++i) {
      RegionSeconds& region = result_.regions[i];
      region.wall += self_[i].length();
      region.wall_inclusive += inclusive_[i].length();
      threads_[i].close();
      region.threads = threads_[i].most();
    }
  }

  const SampledCode& code_;
  std::span<const std::uint32_t> region_of_place_;
  std::span<const std::optional<std::uint32_t>> parents_;
  std::vector<SampledMoment> awake_;  ///< by beginning
  std::vector<SampledMoment> asleep_;
  Concurrency working_;
  std::vector<Union> self_;
  std::vector<Union> inclusive_;
  std::vector<Concurrency> threads_;
  SampledTimes result_;
};

}  // namespace

SampledTimes sampled_times(const SampledCode& code, std::span<const std::uint32_t> region_of_place,
                           std::span<const std::optional<std::uint32_t>> parents) {
  return Times(code, region_of_place, parents).run();
}

}  // namespace ridge::measure::binary
