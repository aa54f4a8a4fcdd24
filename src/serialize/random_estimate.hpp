// Random estimates of any quantity.
#pragma once

#include <algorithm>
#include <array>

#include "core/describe/enumerators.hpp"
#include "core/quantity/estimate.hpp"
#include "serialize/described/random_value.hpp"

namespace ridge::serialize {

template <class Q>
struct RandomByHand<Estimate<Q>> {
  static Estimate<Q> make(Random& random) {
    std::array<double, 4> values{any_size(random), any_size(random), any_size(random),
                                 any_size(random)};
    std::sort(values.begin(), values.end());
    return {Q(values[1]), Q(values[2]),  Q(values[0]),
            Q(values[3]), count(random), one_of(random, describe::Enumerators<Origin>::values)};
  }
};

}  // namespace ridge::serialize
