// Quantities as people write them on a command line or in a table: "240MB", "2.45 GHz", "1.2ms".
#pragma once

#include <initializer_list>
#include <optional>
#include <string_view>

namespace ridge {

/// A number, a prefix (k K M G T P E of 1000, Ki Mi Gi Ti of 1024) and one of the units, either of
/// which may be left out; blanks may stand between number and unit. nullopt for anything else, for
/// what is negative and for what is not finite.
[[nodiscard]] std::optional<double> parse_quantity(std::string_view text,
                                                   std::initializer_list<std::string_view> units);

/// Bytes: "B", "byte". Bytes per second: "B/s", "byte/s".
[[nodiscard]] std::optional<double> parse_bytes(std::string_view text);
[[nodiscard]] std::optional<double> parse_byte_rate(std::string_view text);
/// Whether a rate is meant: the text ends in "/s".
[[nodiscard]] bool is_rate(std::string_view text);

/// Seconds: "ns", "us", "ms", "s", "min"; a number alone is in seconds.
[[nodiscard]] std::optional<double> parse_seconds(std::string_view text);

}  // namespace ridge
