// Whether a measured machine may become the one that `ridge run` uses. Pure.
#pragma once

#include <optional>
#include <string>

#include "core/value/machine.hpp"

namespace ridge::cli {

/// Why `next` is not fit to be kept at all; nullopt: it is. Not fit: stopped early, or ceilings are
/// absent since their threads never ran at the same time.
[[nodiscard]] std::optional<std::string> why_unfit(const Machine& next);

/// Why `next` is worse than `kept`; nullopt: it is not. Worse: it lacks ceilings that `kept` has;
/// or more than one in twenty of those that both have, or one by more than half, are more than 10 %
/// lower (latencies: higher) while their samples scatter more or are flagged as disturbed, and
/// those of `kept` are not. A machine that has become slower gives steady samples, and is kept.
[[nodiscard]] std::optional<std::string> why_worse(const Machine& kept, const Machine& next);

}  // namespace ridge::cli
