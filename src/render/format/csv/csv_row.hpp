// One line of CSV: RFC 4180 with line feeds, UTF-8.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace ridge::render {

/// One cell: quoted where RFC 4180 wants it, no formula, no control characters.
[[nodiscard]] std::string csv_text(std::string_view text);

/// Cells in their order; what is unknown or not finite is an empty one.
class CsvRow {
 public:
  void text(std::string_view value) { add(csv_text(value)); }
  void number(std::optional<double> value) {
    add(value && std::isfinite(*value) ? fmt::format("{}", *value) : std::string());
  }
  void count(std::optional<std::uint64_t> value) {
    add(value ? fmt::format("{}", *value) : std::string());
  }
  [[nodiscard]] std::string line() const { return line_ + "\n"; }

 private:
  void add(const std::string& cell) {
    line_ += (first_ ? "" : ",") + cell;
    first_ = false;
  }
  std::string line_;
  bool first_ = true;
};

}  // namespace ridge::render
