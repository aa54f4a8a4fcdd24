// How far a median can be trusted, and what the ratio of two things says that were timed in turn.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace ridge {

/// A median with a confidence interval. Not the spread of the samples: more samples make it
/// narrower.
struct MedianInterval {
  double median = 0;
  double low = 0;
  double high = 0;
  double confidence = 0;  ///< of this interval by itself, for independent samples
  std::uint64_t samples = 0;

  friend bool operator==(const MedianInterval&, const MedianInterval&) = default;
};

inline constexpr double kMedianConfidence = 0.95;

/// The order statistics x_(k) and x_(n + 1 - k) of n samples, with the largest k whose confidence
/// 1 - 2 P(B <= k - 1), B binomial (n, 1/2), is at least kMedianConfidence. It is the sign test
/// turned round, holds for any distribution, and at least so where samples are equal (Conover,
/// Practical Nonparametric Statistics, 3rd ed. 1999, section 3.2; David and Nagaraja, Order
/// Statistics, 3rd ed. 2003, section 7.1). Samples that are no number are left out; nullopt for
/// fewer than 6, which cannot have this confidence.
[[nodiscard]] std::optional<MedianInterval> median_interval(std::vector<double> samples);

/// Of `reference[k] / own[k]`, round by round: how many times as fast `own` is where both are
/// times. What disturbs both of a round cancels out. Rounds that only one of them has are left out.
[[nodiscard]] std::optional<MedianInterval> paired_ratio(const std::vector<double>& reference,
                                                         const std::vector<double>& own);

/// What such a ratio says: `too_noisy` where the interval includes 1 and its ends are so far apart
/// that a difference worth having may hide in it; `no_difference` where it includes 1 otherwise.
enum class Standing { faster, slower, no_difference, too_noisy };

/// Ends further apart than this factor say nothing when they enclose 1: a format that is a tenth
/// faster could as well be a tenth slower.
inline constexpr double kTooWide = 1.25;

[[nodiscard]] Standing standing_of(const MedianInterval& ratio);
/// "faster", "slower", "no-difference", "too-noisy".
[[nodiscard]] std::string_view to_string(Standing standing);

}  // namespace ridge
