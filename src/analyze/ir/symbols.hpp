// The symbols of one nest: a name stands for one number.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/value/loop_nest.hpp"

namespace ridge::analyze {

class Symbols {
 public:
  /// The name, unless it stands for another number already: then with a prime, "n'".
  [[nodiscard]] std::string name_of(const std::string& wanted, const void* number);
  /// Whether the name is free, or stands for this number; it does from now on.
  [[nodiscard]] bool take(const std::string& name, const void* number);

  /// The symbol of a number that is no polynomial; its value where both parts are constants.
  [[nodiscard]] Polynomial derived(DerivedSymbol::Kind kind, const Polynomial& left,
                                   const Polynomial& right);
  [[nodiscard]] const std::vector<DerivedSymbol>& all_derived() const { return derived_; }
  /// Whether the symbol, or what it is derived of, holds one of these.
  [[nodiscard]] bool holds(const Polynomial& number, const std::string& symbol) const;

 private:
  std::map<std::string, const void*> numbers_;
  std::vector<DerivedSymbol> derived_;
};

}  // namespace ridge::analyze
