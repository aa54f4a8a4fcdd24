#include "analyze/ir/symbols.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace ridge::analyze {
namespace {

using Kind = DerivedSymbol::Kind;

std::string factor_text(const Polynomial& number) {
  const bool is_simple = number.constant().value_or(1) >= 0 && number.terms().size() <= 1 &&
                         number.text().find('*') == std::string::npos;
  return is_simple ? number.text() : "(" + number.text() + ")";
}

std::string words(Kind kind, const Polynomial& left, const Polynomial& right) {
  switch (kind) {
    case Kind::quotient:
      return "(" + factor_text(left) + "/" + factor_text(right) + ")";
    case Kind::remainder:
      return "(" + factor_text(left) + "%" + factor_text(right) + ")";
    case Kind::least:
      return fmt::format("min({}, {})", left.text(), right.text());
    case Kind::greatest:
      return fmt::format("max({}, {})", left.text(), right.text());
  }
  return "?";
}

}  // namespace

bool Symbols::take(const std::string& name, const void* number) {
  return numbers_.emplace(name, number).first->second == number;
}

std::string Symbols::name_of(const std::string& wanted, const void* number) {
  std::string name = wanted;
  while (!take(name, number)) {
    name += "'";
  }
  return name;
}

Polynomial Symbols::derived(Kind kind, const Polynomial& left, const Polynomial& right) {
  if (const auto divisor = right.constant();
      kind == Kind::quotient && divisor && (*divisor == 1 || *divisor < 0)) {
    return *divisor == 1 ? left : derived(kind, left * -1, right * -1);
  }
  const DerivedSymbol made{words(kind, left, right), kind, left, right};
  LoopNest alone;
  alone.derived.push_back(made);
  const auto values = with_derived(alone, {});
  if (const auto value = values.find(made.name); value != values.end()) {
    return value->second;
  }
  if (std::ranges::find(derived_, made.name, &DerivedSymbol::name) == derived_.end()) {
    derived_.push_back(made);
  }
  return Polynomial::symbol(made.name);
}

bool Symbols::holds(const Polynomial& number, const std::string& symbol) const {
  const auto symbols = number.symbols();
  if (symbols.contains(symbol)) {
    return true;
  }
  return std::ranges::any_of(derived_, [&](const DerivedSymbol& each) {
    return symbols.contains(each.name) && (holds(each.left, symbol) || holds(each.right, symbol));
  });
}

}  // namespace ridge::analyze
