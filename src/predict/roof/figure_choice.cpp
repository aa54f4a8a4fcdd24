#include "predict/roof/figure_choice.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace ridge::predict {
namespace {

Basis other(Basis basis) {
  return basis == Basis::theoretical ? Basis::sustained : Basis::theoretical;
}

struct Mix {
  std::string_view pattern;
  double written_share;         ///< of the bytes that the pattern asks for
  bool stores_to_absent_lines;  ///< with write-allocate more crosses than is asked for
};
constexpr std::array kMixes{Mix{"load", 0.0, false},      Mix{"update", 0.5, false},
                            Mix{"daxpy", 1.0 / 3, false}, Mix{"triad", 1.0 / 3, true},
                            Mix{"copy", 0.5, true},       Mix{"scale", 0.5, true},
                            Mix{"store", 1.0, true},      Mix{"2load1store", 1.0 / 3, true}};
// A pattern that says nothing of its mix is taken after those that do.
constexpr double kUnknownMix = 0.75;
constexpr double kCountsLess = 10.0;

/// How badly a sustained figure fits; the least is taken.
double misfit(const TargetMachine& target, const PublishedBandwidth& bandwidth, double share) {
  const auto mix = std::find_if(kMixes.begin(), kMixes.end(), [&](const Mix& candidate) {
    return bandwidth.pattern == candidate.pattern;
  });
  if (mix == kMixes.end()) {
    return kUnknownMix;
  }
  // Figures of a measured machine are bytes that cross, whatever the pattern.
  const bool counts_less = mix->stores_to_absent_lines && !target.measured &&
                           target.write_allocate != WriteAllocate::never;
  return std::abs(mix->written_share - share) + (counts_less ? kCountsLess : 0.0);
}

const PublishedBandwidth* sustained(const TargetMachine& target, Level level, double share) {
  const PublishedBandwidth* best = nullptr;
  for (const PublishedBandwidth& candidate : target.figures.bandwidths) {
    if (candidate.level != level || candidate.basis != Basis::sustained || candidate.cores) {
      continue;
    }
    const auto rank = [&](const PublishedBandwidth& one) {
      return std::pair(misfit(target, one, share), -one.figure.value);
    };
    if (best == nullptr || rank(candidate) < rank(*best)) {
      best = &candidate;
    }
  }
  return best;
}

}  // namespace

const PublishedPeak* choose_peak(const TargetMachine& target, std::string_view precision,
                                 Pipes pipes, Basis basis) {
  const auto* peak = highest_peak(target.figures, precision, pipes, basis);
  return peak != nullptr ? peak : highest_peak(target.figures, precision, pipes, other(basis));
}

const PublishedBandwidth* choose_bandwidth(const TargetMachine& target, Level level, Basis basis,
                                           double written_share) {
  const auto of = [&](Basis wanted) {
    return wanted == Basis::theoretical ? highest_bandwidth(target.figures, level, wanted)
                                        : sustained(target, level, written_share);
  };
  const auto* bandwidth = of(basis);
  return bandwidth != nullptr ? bandwidth : of(other(basis));
}

bool follows_from_core(const Figure& figure) {
  return figure.source == kCoreSource;
}

std::optional<double> rate_of_core_mix(const TargetMachine& target, Level level,
                                       double written_share) {
  std::optional<double> rate;
  for (const PublishedBandwidth& bandwidth : target.figures.bandwidths) {
    if (bandwidth.level != level || !follows_from_core(bandwidth.figure)) {
      continue;
    }
    const double share = bandwidth.pattern == "store" ? written_share : 1.0 - written_share;
    if (share > 0.0) {
      const double bound = bandwidth.figure.value / share;
      rate = std::min(rate.value_or(bound), bound);
    }
  }
  return rate;
}

const PublishedLink* choose_link(const TargetMachine& target, std::string_view name) {
  const PublishedLink* best = nullptr;
  for (const PublishedLink& link : target.figures.links) {
    if (link.name == name && (best == nullptr || one_way(*best) < one_way(link))) {
      best = &link;
    }
  }
  return best;
}

double one_way(const PublishedLink& link) {
  return link.both_directions ? link.figure.value / 2.0 : link.figure.value;
}

}  // namespace ridge::predict
