#include "core/value/loop_nest.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace ridge {
namespace {

std::optional<std::int64_t> value_of(const DerivedSymbol& symbol,
                                     const Polynomial::Values& values) {
  const auto left = symbol.left.evaluate(values);
  const auto right = symbol.right.evaluate(values);
  if (!left || !right) {
    return std::nullopt;
  }
  const bool is_division =
      symbol.kind == DerivedSymbol::Kind::quotient || symbol.kind == DerivedSymbol::Kind::remainder;
  if (is_division && (*right == 0 || (*left == INT64_MIN && *right == -1))) {
    return std::nullopt;
  }
  switch (symbol.kind) {
    case DerivedSymbol::Kind::quotient:
      return *left / *right;
    case DerivedSymbol::Kind::remainder:
      return *left % *right;
    case DerivedSymbol::Kind::least:
      return std::min(*left, *right);
    case DerivedSymbol::Kind::greatest:
      return std::max(*left, *right);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::int64_t> TripCount::evaluate(const Polynomial::Values& values) const {
  const auto length = span.evaluate(values);
  if (!length || divisor <= 0) {
    return std::nullopt;
  }
  return *length < 0 ? 0 : *length / divisor + 1;
}

std::string TripCount::text() const {
  if (const auto whole = (span + 1).divided_by(divisor)) {
    return whole->text();  // (8*n - 1)/8 + 1 is n
  }
  return fmt::format("({})/{} + 1", span.text(), divisor);
}

std::string ArrayAccess::text() const {
  const char* what = is_write ? "write" : "read";
  if (!part.empty()) {
    return fmt::format("{} {}{}", what, array, part);
  }
  if (!offset) {
    return index_array.empty() ? fmt::format("{} {}[?]", what, array)
                               : fmt::format("{} {}[{}[...]]", what, array, index_array);
  }
  const auto first = offset->divided_by(bytes / (elements == 0 ? 1 : elements));
  if (!first) {
    return fmt::format("{} {} at byte {}", what, array, offset->text());
  }
  return elements <= 1 ? fmt::format("{} {}[{}]", what, array, first->text())
                       : fmt::format("{} {}[{}..{}]", what, array, first->text(),
                                     (*first + (elements - 1)).text());
}

Polynomial::Values with_derived(const LoopNest& nest, Polynomial::Values values) {
  for (const DerivedSymbol& symbol : nest.derived) {
    if (const auto value = value_of(symbol, values)) {
      values[symbol.name] = *value;
    }
  }
  return values;
}

}  // namespace ridge
