#include "render/chart/format_si.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/quantity/words.hpp"

namespace ridge::render {
namespace {

constexpr int kLowestGroup = -8;  // yocto
constexpr int kHighestGroup = 8;  // yotta
// "u": the micro sign would be the only character outside ASCII; ISO 2955 accepts the stand-in.
constexpr std::array<std::string_view, 17> kPrefixes = {"y", "z", "a", "f", "p", "n", "u", "m", "",
                                                        "k", "M", "G", "T", "P", "E", "Z", "Y"};

/// Decimals that leave three significant digits of a positive number below 1000.
int decimals_for(double value) {
  return value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
}

double round_to_three_digits(double value) {
  const double step = std::pow(10.0, std::floor(std::log10(value)) - 2.0);
  const double rounded = std::round(value / step) * step;
  return step > 0.0 && std::isfinite(rounded) ? rounded : value;  // at both ends of the doubles
}

std::string trimmed_exponent(double value) {
  std::string text = fmt::format("{:.2e}", value);  // "1.23e+05"
  const auto mark = text.find('e');
  const int exponent = std::stoi(text.substr(mark + 1));
  return fmt::format("{}e{}", text.substr(0, mark), exponent);
}

}  // namespace

SiPrefix si_prefix(double value) {
  if (!std::isfinite(value) || value <= 0.0) {
    return {"", 1.0};
  }
  const int group = std::clamp(static_cast<int>(std::floor(std::log10(value) / 3.0 + 1e-9)),
                               kLowestGroup, kHighestGroup);
  return {kPrefixes.at(static_cast<std::size_t>(group - kLowestGroup)), std::pow(1000.0, group)};
}

std::string si(double value, std::string_view unit) {
  if (!std::isfinite(value)) {
    return std::string(kUnknown);
  }
  if (value == 0.0) {
    return unit.empty() ? "0" : fmt::format("0 {}", unit);
  }
  const double rounded = round_to_three_digits(std::abs(value));
  const SiPrefix prefix = si_prefix(rounded);
  double scaled = rounded / prefix.factor;
  const std::string sign = value < 0.0 ? "-" : "";
  if (scaled >= 1000.0 || scaled < 0.9995) {  // beyond the prefixes
    return fmt::format("{}{}{}{}", sign, trimmed_exponent(rounded), unit.empty() ? "" : " ", unit);
  }
  scaled = std::max(scaled, 1.0);
  const std::string digits = fmt::format("{:.{}f}", scaled, decimals_for(scaled));
  if (unit.empty() && prefix.symbol.empty()) {
    return sign + digits;
  }
  return fmt::format("{}{} {}{}", sign, digits, prefix.symbol, unit);
}

std::string si(std::optional<double> value, std::string_view unit) {
  return value ? si(*value, unit) : std::string(kUnknown);
}

std::string number(std::optional<double> value) {
  if (!value || !std::isfinite(*value)) {
    return std::string(kUnknown);
  }
  if (*value == 0.0) {
    return "0";
  }
  const double size = round_to_three_digits(std::abs(*value));
  if (size < 1e-3 || size >= 1e4) {
    return trimmed_exponent(*value);
  }
  const int digits_before = static_cast<int>(std::floor(std::log10(size) + 1e-12)) + 1;
  return fmt::format("{:.{}f}", std::copysign(size, *value), std::clamp(3 - digits_before, 0, 5));
}

std::string percent(std::optional<double> fraction, int decimals) {
  if (!fraction || !std::isfinite(*fraction)) {
    return std::string(kUnknown);
  }
  constexpr double kNoPercentage = 1e6;  // no text for people; and a number of 300 digits otherwise
  return std::abs(*fraction) < kNoPercentage ? fmt::format("{:.{}f} %", *fraction * 100.0, decimals)
                                             : fmt::format("{}x", trimmed_exponent(*fraction));
}

std::string grouped(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t left = digits.size(); left > 3; left -= 3) {
    digits.insert(left - 3, 1, ' ');
  }
  return digits;
}

std::string binary_size(double bytes) {
  return ridge::binary_size(bytes);
}

}  // namespace ridge::render
