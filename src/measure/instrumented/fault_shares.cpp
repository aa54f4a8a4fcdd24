#include "measure/instrumented/fault_shares.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace ridge::measure {
namespace {

constexpr std::uint32_t kEmptyStack = 0;

/// Sums that are rounded once, at the end.
struct Sums {
  double value = 0.0;
  double low = 0.0;
  double high = 0.0;
  double major = 0.0;
  double ticks = 0.0;
};

/// Of one visit, in the mean; infinite where there was none.
double visit_seconds(const RegionTimes& times, const Counts& counts) {
  const double seconds = times.wall_inclusive * std::max(1U, times.threads_inclusive);
  return counts.entries > 0 ? seconds / static_cast<double>(counts.entries)
                            : std::numeric_limits<double>::infinity();
}

constexpr double kMillisecond = 1e-3;
int gap_class(double seconds) {
  return seconds <= kMillisecond ? 0
                                 : static_cast<int>(std::ceil(std::log2(seconds / kMillisecond)));
}
double gap_seconds(int gap_class) {
  return gap_class == 0 ? 0.0 : kMillisecond * std::exp2(gap_class);
}

/// Of a thread: a region that several were in at once was visited by each of them.
bool is_told_apart(const RegionTimes& times, const Counts& counts, double seconds_per_visit) {
  return counts.entries > 0 && visit_seconds(times, counts) >= seconds_per_visit;
}

/// Lexically outwards, then to the caller.
std::uint32_t visited_region(const StackTable& stacks, const RegionTable& table,
                             const std::vector<bool>& told_apart, std::uint32_t node) {
  for (; node != kEmptyStack; node = stacks.parent(node)) {
    auto at = table.find(stacks.region(node));
    for (; at != kNoRegion; at = table.regions[at].parent.value_or(kNoRegion)) {
      if (told_apart[at]) {
        return at;
      }
    }
  }
  return kNoRegion;
}

/// `hidden`: regions whose visits may have been over between two of the samples.
void share_out(const std::map<std::uint32_t, unsigned>& samples, const FaultCounts& counts,
               const std::vector<std::uint32_t>& hidden, std::vector<Sums>& sums) {
  double all = 0.0;
  for (const auto& [region, seen] : samples) {
    all += seen;
  }
  const auto faults = static_cast<double>(counts.minor + counts.major);
  bool others = samples.size() > 1;
  for (const std::uint32_t region : hidden) {
    if (!samples.contains(region)) {
      sums[region].high += faults;
      others = true;
    }
  }
  for (const auto& [region, seen] : samples) {
    if (region == kNoRegion) {
      continue;
    }
    const double share = seen / all;
    Sums& sum = sums[region];
    sum.value += share * faults;
    sum.low += others ? 0.0 : faults;
    sum.high += faults;
    sum.major += share * static_cast<double>(counts.major);
    sum.ticks += share * static_cast<double>(counts.kernel_ticks);
  }
}

PageFaults rounded(const Sums& sum, double ticks_per_second) {
  const auto whole = [](double value) { return static_cast<std::uint64_t>(std::llround(value)); };
  return {whole(sum.value), whole(sum.low), whole(sum.high),
          std::min(whole(sum.major), whole(sum.value)), Seconds(sum.ticks / ticks_per_second)};
}

}  // namespace

FaultCounts& FaultCounts::operator+=(const FaultCounts& other) {
  minor += other.minor;
  major += other.major;
  kernel_ticks += other.kernel_ticks;
  return *this;
}

void FaultShares::add(std::vector<std::uint32_t> nodes, const FaultCounts& counts, double longest) {
  if (counts.any()) {
    std::sort(nodes.begin(), nodes.end());
    counts_by_nodes_[{std::move(nodes), gap_class(longest)}] += counts;
  }
}

std::vector<std::optional<PageFaults>> FaultShares::resolve(const StackTable& stacks,
                                                            const RegionTable& table,
                                                            const std::vector<RegionTimes>& times,
                                                            double seconds_per_visit,
                                                            double ticks_per_second) const {
  std::vector<bool> told_apart(table.regions.size());
  for (std::size_t i = 0; i < told_apart.size(); ++i) {
    told_apart[i] = table.regions[i].kind != RegionKind::marker &&
                    is_told_apart(times[i], table.regions[i].counts, seconds_per_visit);
  }
  std::vector<Sums> sums(table.regions.size());
  for (const auto& [key, counts] : counts_by_nodes_) {
    const auto& [nodes, gap] = key;
    std::map<std::uint32_t, unsigned> samples;
    for (const std::uint32_t node : nodes) {
      ++samples[visited_region(stacks, table, told_apart, node)];
    }
    std::vector<std::uint32_t> hidden;
    for (std::uint32_t i = 0; i < told_apart.size(); ++i) {
      // Visits differ: half of the mean is taken as possible.
      if (told_apart[i] &&
          visit_seconds(times[i], table.regions[i].counts) <= 2 * gap_seconds(gap)) {
        hidden.push_back(i);
      }
    }
    share_out(samples, counts, hidden, sums);
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    sums[i].high += told_apart[i] ? static_cast<double>(unseen_.minor + unseen_.major) : 0.0;
  }
  std::vector<std::optional<PageFaults>> faults(sums.size());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (told_apart[i]) {
      faults[i] = rounded(sums[i], ticks_per_second);
    }
  }
  return faults;
}

void ThreadFaults::reading(const FaultCounts& now, FaultShares& into) {
  const auto grown = [](std::uint64_t from, std::uint64_t to) { return to > from ? to - from : 0; };
  const std::uint32_t newest = nodes_.empty() ? kEmptyStack : nodes_.back();
  if (last_ && !nodes_.empty()) {
    into.add(std::move(nodes_),
             {grown(last_->minor, now.minor), grown(last_->major, now.major),
              grown(last_->kernel_ticks, now.kernel_ticks)},
             longest_);
  } else if (!last_) {
    into.add_unseen(now);
  }
  longest_ = 0.0;
  nodes_ = {newest};
  last_ = now;
}

}  // namespace ridge::measure
