// A sampled number: never a bare value, always with its spread and where it came from.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace ridge {

/// Where a number came from. Every number that Ridge prints carries one.
enum class Origin { measured, counted, simulated, modelled, datasheet, assumed };

[[nodiscard]] std::string_view to_string(Origin origin);

/// Order statistics of repeated samples of one quantity. `low` and `high` are the 10th and the
/// 90th percentile (the 80 % interval). For ceilings the p90 is the value that is quoted.
template <class Q>
struct Estimate {
  Q median{};
  Q p90{};
  Q low{};
  Q high{};
  std::uint64_t samples = 0;
  Origin origin = Origin::measured;

  friend bool operator==(const Estimate&, const Estimate&) = default;
};

/// The `fraction` quantile (0 to 1) by linear interpolation between order statistics
/// (type 7 of Hyndman & Fan 1996). `sorted` must be ascending and not empty.
[[nodiscard]] double quantile(const std::vector<double>& sorted, double fraction);

/// Order statistics of `samples` (any order; base units). Empty input gives nullopt.
template <class Q>
[[nodiscard]] std::optional<Estimate<Q>> estimate_from(std::vector<double> samples,
                                                       Origin origin = Origin::measured);

/// An interval for a proportion: `hits` of `trials`, Wilson score interval at 80 % (z = 1.2816;
/// Wilson 1927). Both ends lie in [0, 1]. `trials` must be positive.
struct Interval {
  double low = 0.0;
  double high = 0.0;
};
[[nodiscard]] Interval wilson_interval_80(double hits, double trials);

}  // namespace ridge

#include "core/quantity/estimate_impl.hpp"
