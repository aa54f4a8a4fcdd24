#include "core/quantity/quantity_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace ridge {
namespace {

struct Scale {
  std::string_view text;
  double factor;
};
constexpr std::array kPrefixes{Scale{"", 1.0},      Scale{"k", 1e3},     Scale{"K", 1e3},
                               Scale{"M", 1e6},     Scale{"G", 1e9},     Scale{"T", 1e12},
                               Scale{"P", 1e15},    Scale{"E", 1e18},    Scale{"Ki", 0x1p10},
                               Scale{"Mi", 0x1p20}, Scale{"Gi", 0x1p30}, Scale{"Ti", 0x1p40}};
constexpr std::array kTimes{Scale{"", 1.0},    Scale{"s", 1.0},   Scale{"ms", 1e-3},
                            Scale{"us", 1e-6}, Scale{"ns", 1e-9}, Scale{"min", 60.0}};

struct Number {
  double value = 0.0;
  std::string_view rest;
};

std::optional<Number> leading_number(std::string_view text) {
  Number number;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number.value);
  if (error != std::errc() || !std::isfinite(number.value) || number.value < 0.0) {
    return std::nullopt;
  }
  number.rest = text.substr(static_cast<std::size_t>(end - text.data()));
  while (number.rest.starts_with(' ')) {
    number.rest.remove_prefix(1);
  }
  return number;
}

std::optional<double> finite(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

}  // namespace

std::optional<double> parse_quantity(std::string_view text,
                                     std::initializer_list<std::string_view> units) {
  const auto number = leading_number(text);
  if (!number) {
    return std::nullopt;
  }
  for (const Scale& prefix : kPrefixes) {
    if (!number->rest.starts_with(prefix.text)) {
      continue;
    }
    const std::string_view unit = number->rest.substr(prefix.text.size());
    if (unit.empty() || std::find(units.begin(), units.end(), unit) != units.end()) {
      return finite(number->value * prefix.factor);
    }
  }
  return std::nullopt;
}

std::optional<double> parse_bytes(std::string_view text) {
  return parse_quantity(text, {"B", "byte", "bytes"});
}

std::optional<double> parse_byte_rate(std::string_view text) {
  return parse_quantity(text, {"B/s", "byte/s"});
}

bool is_rate(std::string_view text) {
  return text.ends_with("/s");
}

std::optional<double> parse_seconds(std::string_view text) {
  const auto number = leading_number(text);
  if (!number) {
    return std::nullopt;
  }
  for (const Scale& unit : kTimes) {
    if (number->rest == unit.text) {
      return finite(number->value * unit.factor);
    }
  }
  return std::nullopt;
}

}  // namespace ridge
