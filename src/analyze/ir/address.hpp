// Addresses, trip counts and starts as integer polynomials in loop counters and parameters.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>

#include "analyze/ir/descriptor.hpp"
#include "analyze/ir/source_names.hpp"
#include "analyze/ir/symbols.hpp"
#include "core/value/polynomial.hpp"

namespace ridge::analyze {

/// What a loop counts with: the variable takes first, first + step ...
struct Counter {
  std::string name;
  Polynomial first;
  std::int64_t step = 1;
};
using Counters = std::map<const llvm::Loop*, Counter>;

/// Where in an array an access goes.
struct Index {
  std::optional<Polynomial> offset;  ///< in bytes; nullopt: it depends on what the loop reads
  std::string array;                 ///< whose elements it depends on; empty: none
  /// What people read where the offset is no polynomial: that of derived symbols.
  std::optional<Polynomial> shown;
};

class AddressReader {
 public:
  using Part = std::optional<Polynomial>;

  AddressReader(llvm::ScalarEvolution& evolution, const llvm::DataLayout& layout,
                const Counters& counters)
      : evolution_(&evolution), layout_(&layout), counters_(&counters) {}

  /// Casts between integers count as the numbers themselves: what wraps around would be no address.
  /// nullopt: it holds something that changes in the loop and that is no counter, nor derived of
  /// counters.
  [[nodiscard]] Part polynomial(const llvm::SCEV& expression, const llvm::Loop& loop);
  /// The same of how often a loop runs where it is entered: of what it counts up with, the greater
  /// of where it begins, or of the value after that, and of its end is its end. Counting down, it
  /// is the lesser.
  [[nodiscard]] Part trips(const llvm::SCEV& expression, const llvm::Loop& loop);

  [[nodiscard]] Index index(const llvm::SCEV& offset, const llvm::Loop& loop);
  /// What a pointer points into; of one that is read from an array, its element: "a[j]".
  [[nodiscard]] SourceArray array(llvm::Value& base, const llvm::Loop& loop);

  [[nodiscard]] Symbols& symbols() { return symbols_; }
  /// Numbers in memory that were taken as unchanged although nothing says so.
  [[nodiscard]] const std::set<std::string>& unchanged() const { return unchanged_; }
  /// Arrays of Fortran that were taken as contiguous, or as beginning at 1.
  [[nodiscard]] const std::set<std::string>& contiguous() const { return contiguous_; }
  [[nodiscard]] const std::set<std::string>& begin_at_1() const { return begin_at_1_; }

 private:
  Part sum(const llvm::SCEVNAryExpr& expression, const llvm::Loop& loop);
  Part product(const llvm::SCEVNAryExpr& expression, const llvm::Loop& loop);
  Part quotient(const llvm::SCEVUDivExpr& expression, const llvm::Loop& loop);
  Part recurrence(const llvm::SCEVAddRecExpr& expression, const llvm::Loop& loop);
  Part extreme(const llvm::SCEVNAryExpr& expression, const llvm::Loop& loop);
  Part unknown(const llvm::SCEVUnknown& expression, const llvm::Loop& loop);
  Part loaded(llvm::LoadInst& load, const llvm::SCEV& expression, const llvm::Loop& loop);
  Part described(const DescriptorField& field);
  Part division(llvm::Value& value, const llvm::Loop& loop);
  Part opaque(const llvm::SCEV& expression, const llvm::Loop& loop);
  std::string load_name(llvm::LoadInst& load, const llvm::Loop& loop);
  [[nodiscard]] bool is_derived_of_counters(const Polynomial& number, const llvm::Loop& loop) const;
  [[nodiscard]] std::string base_name(llvm::Value& pointer, const llvm::Loop& loop);

  llvm::ScalarEvolution* evolution_;
  const llvm::DataLayout* layout_;
  const Counters* counters_;
  Symbols symbols_;
  std::set<std::string> unchanged_;
  std::set<std::string> contiguous_;
  std::set<std::string> begin_at_1_;
  std::string index_array_;
  struct Entry {
    Polynomial value;
    bool is_up = true;
  };
  std::vector<Entry> entry_;  ///< first and second values of what the loop counts with
  int depth_ = 0;             ///< of loads whose addresses name others
};

}  // namespace ridge::analyze
