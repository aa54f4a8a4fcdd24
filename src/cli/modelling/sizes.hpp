// The sizes at which loops are modelled: -D NAME=VALUE, or a sweep -D NAME=FROM:TO[:log|:STEP].
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace ridge::cli {

using Sizes = std::map<std::string, std::int64_t>;

inline constexpr unsigned kSweepPoints = 24;    ///< of a sweep that names no step
inline constexpr std::size_t kMostSizes = 512;  ///< of a sweep

/// One set of values for each point of the sweep, one set where nothing is swept. Values may have
/// the suffixes k, M, G (powers of 1000) and Ki, Mi, Gi. A sweep without step is geometric: "log",
/// the default, or "log:POINTS"; with a number it is arithmetic. Errors (usage): a word of another
/// form, a name given twice, two sweeps, more than kMostSizes points.
[[nodiscard]] Result<std::vector<Sizes>> sizes_of(const std::vector<std::string>& definitions);

/// "N=4000,M=10": as ridge-model takes them.
[[nodiscard]] std::string sizes_text(const Sizes& sizes);

}  // namespace ridge::cli
