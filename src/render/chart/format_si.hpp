// Numbers as people read them: three significant digits, SI prefixes (powers of 1000). "-" stands
// for what is unknown; it never becomes 0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ridge::render {

/// Printed in place of a number that is not known.
inline constexpr std::string_view kUnknown = "-";

/// "12.3 GB/s", "1.20 TFlop/s", "1.00 k" (no unit), "0 B". Not finite gives "-".
[[nodiscard]] std::string si(double value, std::string_view unit);
[[nodiscard]] std::string si(std::optional<double> value, std::string_view unit);

/// Three significant digits without prefix: "0.0833", "12.3", "1230", "1.23e5"; "-" when unknown.
[[nodiscard]] std::string number(std::optional<double> value);

/// A fraction as percent with `decimals`: 0.4213 -> "42.1 %"; "-" when unknown.
[[nodiscard]] std::string percent(std::optional<double> fraction, int decimals = 0);

/// A count in full, digits in groups of three: "8 380 418 000".
[[nodiscard]] std::string grouped(std::uint64_t count);

/// Binary size of a memory: "32 KiB", "1 MiB", "1.5 MiB".
[[nodiscard]] std::string binary_size(double bytes);

/// The largest SI prefix whose unit is not above `value`, for an axis.
struct SiPrefix {
  std::string_view symbol;
  double factor = 1.0;
};
[[nodiscard]] SiPrefix si_prefix(double value);

}  // namespace ridge::render
