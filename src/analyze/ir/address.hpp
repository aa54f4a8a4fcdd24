// Addresses, trip counts and starts as integer polynomials in loop counters and parameters.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>

#include "core/value/polynomial.hpp"

namespace ridge::analyze {

/// What a loop counts with: the variable takes first, first + step ...
struct Counter {
  std::string name;
  Polynomial first;
  std::int64_t step = 1;
};
using Counters = std::map<const llvm::Loop*, Counter>;

class AddressReader {
 public:
  AddressReader(llvm::ScalarEvolution& evolution, const llvm::DataLayout& layout,
                const Counters& counters)
      : evolution_(&evolution), layout_(&layout), counters_(&counters) {}

  /// Casts between integers count as the numbers themselves: what wraps around would be no address.
  /// nullopt: it holds something that changes in the loop and that is no counter; `index_array`
  /// then names the array it was read from.
  [[nodiscard]] std::optional<Polynomial> polynomial(const llvm::SCEV& expression,
                                                     const llvm::Loop& loop);
  [[nodiscard]] const std::string& index_array() const { return index_array_; }

  /// Reads trip counts of a loop with this counter from now on.
  void enter(const Counter& counter) { entry_ = {counter.first, counter.first + counter.step}; }

 private:
  using Part = std::optional<Polynomial>;
  Part sum(const llvm::SCEVNAryExpr& expression, const llvm::Loop& loop);
  Part product(const llvm::SCEVNAryExpr& expression, const llvm::Loop& loop);
  Part recurrence(const llvm::SCEVAddRecExpr& expression, const llvm::Loop& loop);
  Part extreme(const llvm::SCEVNAryExpr& expression, const llvm::Loop& loop);
  Part unknown(const llvm::SCEVUnknown& expression, const llvm::Loop& loop);
  [[nodiscard]] std::string base_name(llvm::Value& pointer);
  [[nodiscard]] std::string load_name(llvm::LoadInst& load, const llvm::Loop& loop);

  llvm::ScalarEvolution* evolution_;
  const llvm::DataLayout* layout_;
  const Counters* counters_;
  std::string index_array_;
  std::vector<Polynomial> entry_;  ///< first and second value of the counter of the loop
  int depth_ = 0;                  ///< of loads whose addresses name others
};

}  // namespace ridge::analyze
