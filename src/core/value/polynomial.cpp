#include "core/value/polynomial.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace ridge {
namespace {

using Monomial = Polynomial::Monomial;

std::optional<std::int64_t> sum(std::int64_t a, std::int64_t b) {
  std::int64_t made = 0;
  return __builtin_add_overflow(a, b, &made) ? std::nullopt : std::optional(made);
}

std::optional<std::int64_t> product(std::int64_t a, std::int64_t b) {
  std::int64_t made = 0;
  return __builtin_mul_overflow(a, b, &made) ? std::nullopt : std::optional(made);
}

unsigned degree_of(const Monomial& monomial) {
  unsigned total = 0;
  for (const auto& [name, power] : monomial) {
    total += power;
  }
  return total;
}

/// "N*j", "i^2".
std::string words(const Monomial& monomial) {
  std::string text;
  for (const auto& [name, power] : monomial) {
    text += (text.empty() ? "" : "*") + name;
    text += power > 1 ? fmt::format("^{}", power) : "";
  }
  return text;
}

std::string term_words(const Monomial& monomial, std::uint64_t factor) {
  if (monomial.empty()) {
    return fmt::format("{}", factor);
  }
  return factor == 1 ? words(monomial) : fmt::format("{}*{}", factor, words(monomial));
}

}  // namespace

Polynomial::Polynomial(std::int64_t constant) {
  add_term({}, constant);
}

Polynomial Polynomial::symbol(const std::string& name) {
  Polynomial made;
  made.add_term({{name, 1}}, 1);
  return made;
}

std::optional<std::int64_t> Polynomial::constant() const {
  if (!is_valid_ || terms_.size() > 1 || (terms_.size() == 1 && !terms_.begin()->first.empty())) {
    return std::nullopt;
  }
  return terms_.empty() ? 0 : terms_.begin()->second;
}

std::set<std::string> Polynomial::symbols() const {
  std::set<std::string> names;
  for (const auto& [monomial, factor] : terms_) {
    for (const auto& [name, power] : monomial) {
      names.insert(name);
    }
  }
  return names;
}

unsigned Polynomial::degree(const std::string& name) const {
  unsigned most = 0;
  for (const auto& [monomial, factor] : terms_) {
    const auto found = monomial.find(name);
    most = std::max(most, found == monomial.end() ? 0U : found->second);
  }
  return most;
}

Polynomial Polynomial::coefficient(const std::string& name) const {
  Polynomial made;
  made.is_valid_ = is_valid_;
  for (const auto& [whole, factor] : terms_) {
    Monomial monomial = whole;
    if (const auto found = monomial.find(name); found != monomial.end() && found->second == 1) {
      monomial.erase(found);
      made.add_term(monomial, factor);
    }
  }
  return made;
}

Polynomial Polynomial::without(const std::string& name) const {
  Polynomial made;
  made.is_valid_ = is_valid_;
  for (const auto& [monomial, factor] : terms_) {
    if (!monomial.contains(name)) {
      made.add_term(monomial, factor);
    }
  }
  return made;
}

Polynomial Polynomial::with(const std::string& name, const Polynomial& value) const {
  Polynomial made;
  made.is_valid_ = is_valid_;
  for (const auto& [whole, factor] : terms_) {
    Monomial monomial = whole;
    unsigned power = 0;
    if (const auto found = monomial.find(name); found != monomial.end()) {
      power = found->second;
      monomial.erase(found);
    }
    Polynomial term;
    term.add_term(monomial, factor);
    for (; power > 0; --power) {
      term *= value;
    }
    made += term;
  }
  return made;
}

std::optional<std::int64_t> Polynomial::evaluate(const Values& values) const {
  std::optional<std::int64_t> total = is_valid_ ? std::optional(std::int64_t{0}) : std::nullopt;
  for (const auto& [monomial, factor] : terms_) {
    std::optional<std::int64_t> term = factor;
    for (const auto& [name, power] : monomial) {
      const auto value = values.find(name);
      for (unsigned i = 0; term && i < power; ++i) {
        term = value == values.end() ? std::nullopt : product(*term, value->second);
      }
    }
    total = total && term ? sum(*total, *term) : std::nullopt;
  }
  return total;
}

std::optional<Polynomial> Polynomial::divided_by(std::int64_t divisor) const {
  Polynomial made;
  made.is_valid_ = is_valid_;
  for (const auto& [monomial, factor] : terms_) {
    if (divisor == 0 || (divisor == -1 && factor == INT64_MIN) || factor % divisor != 0) {
      return std::nullopt;
    }
    made.add_term(monomial, factor / divisor);
  }
  return made;
}

void Polynomial::add_term(const Monomial& monomial, std::int64_t factor) {
  const auto [at, is_new] = terms_.emplace(monomial, factor);
  if (!is_new) {
    const auto total = sum(at->second, factor);
    is_valid_ = is_valid_ && total.has_value();
    at->second = total.value_or(1);
  }
  if (at->second == 0) {
    terms_.erase(at);
  }
}

Polynomial& Polynomial::operator+=(const Polynomial& other) {
  is_valid_ = is_valid_ && other.is_valid_;
  for (const auto& [monomial, factor] : std::map(other.terms_)) {
    add_term(monomial, factor);
  }
  return *this;
}

Polynomial& Polynomial::operator-=(const Polynomial& other) {
  return *this += other * Polynomial(-1);
}

Polynomial& Polynomial::operator*=(const Polynomial& other) {
  Polynomial made;
  made.is_valid_ = is_valid_ && other.is_valid_;
  for (const auto& [mine, factor] : terms_) {
    for (const auto& [theirs, other_factor] : other.terms_) {
      Monomial monomial = mine;
      for (const auto& [name, power] : theirs) {
        monomial[name] += power;
      }
      const auto both = product(factor, other_factor);
      made.is_valid_ = made.is_valid_ && both.has_value();
      made.add_term(monomial, both.value_or(1));
    }
  }
  return *this = std::move(made);
}

std::string Polynomial::text() const {
  if (!is_valid_) {
    return "?";
  }
  std::vector<std::pair<Monomial, std::int64_t>> sorted(terms_.begin(), terms_.end());
  std::ranges::stable_sort(
      sorted, [](const auto& a, const auto& b) { return degree_of(a.first) > degree_of(b.first); });
  std::string text;
  for (const auto& [monomial, factor] : sorted) {
    const auto size =
        factor < 0 ? -static_cast<std::uint64_t>(factor) : static_cast<std::uint64_t>(factor);
    text += text.empty() ? (factor < 0 ? "-" : "") : (factor < 0 ? " - " : " + ");
    text += term_words(monomial, size);
  }
  return text.empty() ? "0" : text;
}

}  // namespace ridge
