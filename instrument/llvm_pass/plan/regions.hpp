// Source loops and functions as regions (docs/contracts.md, section 2).
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>

#include "abi/descriptor.h"
#include "instrument/llvm_pass/cost/generic/string_table.hpp"

namespace ridge::pass {

/// The regions of one module, as they stand in the descriptor.
class RegionTable {
 public:
  explicit RegionTable(StringTable& strings) : strings_(strings) {}

  uint32_t add(const ridge_region_descriptor& region);
  /// RIDGE_REGION_CALL below `parent`; one for each callee.
  uint32_t call_region(uint32_t parent, llvm::StringRef callee);
  /// RIDGE_REGION_OMP_WAIT below `parent`; one for each callee and line. `location` is the call's,
  /// or null; `function` of the region is the source function there.
  uint32_t wait_region(uint32_t parent, llvm::StringRef callee, const llvm::DILocation* location);

  [[nodiscard]] ridge_region_descriptor& operator[](uint32_t index) { return regions_[index]; }
  [[nodiscard]] const std::vector<ridge_region_descriptor>& all() const { return regions_; }
  [[nodiscard]] StringTable& strings() { return strings_; }

 private:
  StringTable& strings_;
  std::vector<ridge_region_descriptor> regions_;
  uint32_t find_or_add(const ridge_region_descriptor& region);

  /// By kind, parent, callee, function, line.
  using CallKey = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t, uint32_t>;
  llvm::DenseMap<CallKey, uint32_t> calls_;
};

class VectoriserRemarks;

/// What names a source loop: scope, line << 32 | column, inlined-at, nesting.
using LoopKey = std::tuple<const void*, uint64_t, const void*, unsigned>;
[[nodiscard]] LoopKey loop_key(const llvm::DILocation* location, unsigned nesting);

/// Where the source loop begins; empty where nothing tells.
[[nodiscard]] llvm::DebugLoc start_of(const llvm::Loop& loop);

/// How many loops around `loop` start at the same place: nested loops of one macro do.
[[nodiscard]] unsigned nesting_at_same_location(const llvm::Loop& loop);

/// The regions of one machine function.
class FunctionRegions {
 public:
  /// Adds the function and its loops to `table`. `parent`: the region that starts this outlined
  /// body, or RIDGE_NO_PARENT.
  FunctionRegions(const llvm::Function& function, const llvm::LoopInfo& loops, RegionTable& table,
                  uint32_t parent = RIDGE_NO_PARENT);

  [[nodiscard]] uint32_t function_region() const { return function_region_; }
  [[nodiscard]] uint32_t of(const llvm::Loop* loop) const;  ///< null: the function
  [[nodiscard]] uint32_t of(const llvm::BasicBlock* block) const;
  /// The region that `instruction` works for: that of its loop, or the loop of whose iterations it
  /// is a copy that optimisation left beside the loop (peeled and remaining iterations).
  [[nodiscard]] uint32_t of_source(const llvm::Instruction& instruction) const;
  /// The region of the loop that starts at `location`, if one is left.
  [[nodiscard]] std::optional<uint32_t> find(const llvm::DILocation* location,
                                             unsigned nesting) const;
  /// Writes down why the loops were not vectorised.
  void add_remarks(const VectoriserRemarks& remarks);

 private:
  /// Operation, line << 32 | column, function, inline context.
  using Origin = std::tuple<unsigned, uint64_t, const void*, const void*>;
  static std::optional<Origin> origin_of(const llvm::Instruction& instruction);
  void add_origins(const llvm::Function& function);
  void add_loop(const llvm::Loop& loop, const llvm::Function& function);
  [[nodiscard]] bool lies_within(uint32_t region, uint32_t ancestor) const;

  RegionTable& table_;
  const llvm::LoopInfo& loops_;
  uint32_t function_name_ = 0;
  uint32_t function_region_ = 0;
  llvm::DenseMap<const llvm::Loop*, uint32_t> by_loop_;
  llvm::DenseMap<LoopKey, uint32_t> by_key_;
  /// The loop that an operation of the source stands in; RIDGE_NO_PARENT: more than one.
  llvm::DenseMap<Origin, uint32_t> origins_;
};

}  // namespace ridge::pass
