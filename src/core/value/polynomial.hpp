// Integer polynomials in named symbols: what addresses and trip counts of loops are made of.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace ridge {

/// A sum of integer multiples of products of symbols, as "N*j + i - 1". A number that does not fit
/// 64 bits makes it invalid, and everything computed from it.
class Polynomial {
 public:
  using Monomial = std::map<std::string, unsigned>;  ///< powers of symbols; empty: 1
  using Values = std::map<std::string, std::int64_t>;

  Polynomial() = default;             ///< 0
  Polynomial(std::int64_t constant);  // NOLINT(google-explicit-constructor): 1 is a polynomial
  [[nodiscard]] static Polynomial symbol(const std::string& name);

  [[nodiscard]] bool is_valid() const { return is_valid_; }
  [[nodiscard]] bool is_zero() const { return is_valid_ && terms_.empty(); }
  /// nullopt: it has symbols, or is invalid.
  [[nodiscard]] std::optional<std::int64_t> constant() const;
  [[nodiscard]] std::set<std::string> symbols() const;
  /// Greatest power of the symbol.
  [[nodiscard]] unsigned degree(const std::string& name) const;

  /// What the first power of the symbol is multiplied by.
  [[nodiscard]] Polynomial coefficient(const std::string& name) const;
  /// The terms without the symbol.
  [[nodiscard]] Polynomial without(const std::string& name) const;
  [[nodiscard]] Polynomial with(const std::string& name, const Polynomial& value) const;
  /// nullopt: a symbol has no value, or the number does not fit 64 bits.
  [[nodiscard]] std::optional<std::int64_t> evaluate(const Values& values) const;
  /// The polynomial that gives this one when multiplied by the divisor; nullopt: there is none.
  [[nodiscard]] std::optional<Polynomial> divided_by(std::int64_t divisor) const;

  Polynomial& operator+=(const Polynomial& other);
  Polynomial& operator-=(const Polynomial& other);
  Polynomial& operator*=(const Polynomial& other);
  friend Polynomial operator+(Polynomial a, const Polynomial& b) { return a += b; }
  friend Polynomial operator-(Polynomial a, const Polynomial& b) { return a -= b; }
  friend Polynomial operator*(Polynomial a, const Polynomial& b) { return a *= b; }
  friend bool operator==(const Polynomial&, const Polynomial&) = default;

  /// "N*j + i - 1", terms with the most symbols first; "0"; "?" where it is invalid.
  [[nodiscard]] std::string text() const;

  [[nodiscard]] const std::map<Monomial, std::int64_t>& terms() const { return terms_; }

 private:
  void add_term(const Monomial& monomial, std::int64_t factor);

  std::map<Monomial, std::int64_t> terms_;  ///< factors are not 0
  bool is_valid_ = true;
};

}  // namespace ridge
