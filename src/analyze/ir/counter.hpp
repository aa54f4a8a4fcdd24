// What a loop counts with, and how often it runs.
#pragma once

#include <vector>

#include "analyze/ir/address.hpp"
#include "analyze/ir/nest.hpp"

namespace ridge::analyze {

/// With the name that the counter has in the source where an iteration begins; "i2", counted from
/// 0 by 1, where it has none of its own.
[[nodiscard]] Counter counter_of(const llvm::Loop& loop, const FunctionLoops& in,
                                 AddressReader& reader);

struct Trips {
  std::optional<TripCount> count;
  bool ends_early = false;  ///< the count is the most that there can be
};
[[nodiscard]] Trips trips_of(const llvm::Loop& loop, const FunctionLoops& in,
                             AddressReader& reader);

}  // namespace ridge::analyze
