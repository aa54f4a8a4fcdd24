// Figures of a comparison in words.
#pragma once

#include <optional>
#include <string>

#include "core/value/comparison.hpp"

namespace ridge::predict {

/// "1.20 s", "63.1 ms".
[[nodiscard]] std::string seconds_words(double seconds);
/// Two digits, three near 1: "1.05", "1.9", "24".
[[nodiscard]] std::string factor_words(double factor);
/// "48 %", "0.3 %", "less than 0.01 %".
[[nodiscard]] std::string percent_words(double fraction);
/// "fell by 48 %", "rose by 12 %", "rose 3.1x", "fell to 0", "rose from 0"; nullopt: equal.
[[nodiscard]] std::optional<std::string> moved_words(const Change& change);
/// Sets ComparedLoop::label of all.
void set_labels(Comparison& comparison);

}  // namespace ridge::predict
