#include "instrument/llvm_pass/plan/regions.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IntrinsicInst.h>

#include "instrument/llvm_pass/plan/vectoriser_remarks.hpp"

namespace ridge::pass {

using namespace llvm;

namespace {

/// Linkage name without what OpenMP outlining appended: "foo.omp_outlined.3" is "foo".
StringRef without_outlining(StringRef name) {
  const size_t suffix = name.find(".omp");
  return suffix == StringRef::npos || suffix == 0 ? name : name.take_front(suffix);
}

StringRef linkage_name(const DISubprogram* subprogram) {
  if (!subprogram) return "";
  return subprogram->getLinkageName().empty() ? subprogram->getName()
                                              : subprogram->getLinkageName();
}

/// An outlined body that is named after nothing (".omp_task_entry.") belongs to the function that
/// hands it to the OpenMP runtime.
StringRef machine_function_name(const Function& function) {
  const Function* current = &function;
  SmallPtrSet<const Function*, 4> seen;
  while (current->getName().starts_with(".omp") && seen.insert(current).second) {
    const Function* user_function = nullptr;
    for (const User* user : current->users()) {
      if (const auto* instruction = dyn_cast<Instruction>(user)) {
        user_function = instruction->getFunction();
      }
    }
    if (!user_function) break;
    current = user_function;
  }
  return without_outlining(current->getName());
}

/// The source function that holds `location`.
StringRef source_function_name(const DILocation* location, StringRef machine_function) {
  const StringRef name = linkage_name(location->getScope()->getSubprogram());
  if (name.empty() || name.starts_with(".omp")) return machine_function;
  return without_outlining(name);
}

std::string inline_chain(const DILocation* location) {
  std::string text;
  for (const DILocation* at = location->getInlinedAt(); at; at = at->getInlinedAt()) {
    if (!text.empty()) text += '<';
    text += without_outlining(linkage_name(at->getScope()->getSubprogram())).str() + ":" +
            std::to_string(at->getLine()) + ":" + std::to_string(at->getColumn());
  }
  return text;
}

}  // namespace

uint32_t RegionTable::add(const ridge_region_descriptor& region) {
  regions_.push_back(region);
  return static_cast<uint32_t>(regions_.size() - 1);
}

uint32_t RegionTable::find_or_add(const ridge_region_descriptor& region) {
  const auto [entry, inserted] = calls_.try_emplace(
      {region.kind, region.parent, region.name, region.function, region.line}, 0);
  if (inserted) entry->second = add(region);
  return entry->second;
}

uint32_t RegionTable::call_region(uint32_t parent, StringRef callee) {
  ridge_region_descriptor region{};
  region.kind = RIDGE_REGION_CALL;
  region.parent = parent;
  region.name = strings_.intern(callee);
  region.function = regions_[parent].function;
  region.versions = 1;
  return find_or_add(region);
}

uint32_t RegionTable::wait_region(uint32_t parent, StringRef callee, const DILocation* location) {
  ridge_region_descriptor region{};
  region.kind = RIDGE_REGION_OMP_WAIT;
  region.parent = parent;
  region.name = strings_.intern(callee);
  region.function = regions_[parent].function;
  region.versions = 1;
  if (location && location->getLine() != 0) {
    const StringRef function = source_function_name(location, "");
    if (!function.empty()) region.function = strings_.intern(function);
    region.file = strings_.intern(location->getFilename());
    region.directory = strings_.intern(location->getDirectory());
    region.line = location->getLine();
  }
  return find_or_add(region);
}

LoopKey loop_key(const DILocation* location, unsigned nesting) {
  return {location->getScope()->getSubprogram(),
          uint64_t{location->getLine()} << 32 | location->getColumn(), location->getInlinedAt(),
          nesting};
}

DebugLoc start_of(const Loop& loop) {
  if (loop.getLoopID()) return loop.getStartLoc();
  // Unrolling by a part of a constant trip count leaves the loop's metadata at the exit in the
  // middle, where LLVM does not look for it; the new latch has none.
  SmallVector<BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  for (const BasicBlock* block : exiting) {
    const MDNode* told = block->getTerminator()->getMetadata(LLVMContext::MD_loop);
    for (const MDOperand& part : told ? told->operands() : ArrayRef<MDOperand>{}) {
      if (auto* location = dyn_cast_or_null<DILocation>(part.get())) return location;
    }
  }
  return loop.getStartLoc();
}

unsigned nesting_at_same_location(const Loop& loop) {
  const DebugLoc start = start_of(loop);
  unsigned nesting = 0;
  if (!start) return nesting;
  for (const Loop* outer = loop.getParentLoop(); outer; outer = outer->getParentLoop()) {
    const DebugLoc other = start_of(*outer);
    if (other && other->getLine() == start->getLine() && other->getColumn() == start->getColumn() &&
        other.getInlinedAt() == start.getInlinedAt() && other->getFile() == start->getFile()) {
      ++nesting;
    }
  }
  return nesting;
}

FunctionRegions::FunctionRegions(const Function& function, const LoopInfo& loops,
                                 RegionTable& table, uint32_t parent)
    : table_(table), loops_(loops) {
  const StringRef name = machine_function_name(function);
  function_name_ = table.strings().intern(name);
  ridge_region_descriptor region{};
  region.kind = RIDGE_REGION_FUNCTION;
  region.parent = parent;
  region.name = region.function = function_name_;
  region.versions = 1;
  if (const DISubprogram* subprogram = function.getSubprogram()) {
    region.file = table.strings().intern(subprogram->getFilename());
    region.directory = table.strings().intern(subprogram->getDirectory());
    region.line = subprogram->getLine();
  }
  function_region_ = table.add(region);
  for (const Loop* loop : const_cast<LoopInfo&>(loops).getLoopsInPreorder()) {
    add_loop(*loop, function);
  }
  if (!by_key_.empty()) add_origins(function);
}

void FunctionRegions::add_loop(const Loop& loop, const Function& function) {
  const DebugLoc start = start_of(loop);
  const DILocation* location = start.get();
  if (location && location->getLine() == 0) location = nullptr;
  std::optional<LoopKey> key;
  if (location) {
    key = loop_key(location, nesting_at_same_location(loop));
    const auto known = by_key_.find(*key);
    if (known != by_key_.end()) {
      by_loop_[&loop] = known->second;
      ++table_[known->second].versions;
      return;
    }
  }
  StringTable& strings = table_.strings();
  ridge_region_descriptor region{};
  region.kind = RIDGE_REGION_LOOP;
  region.parent = of(loop.getParentLoop());
  region.function = region.name = function_name_;
  region.versions = 1;
  if (location) {
    region.name = strings.intern(source_function_name(location, machine_function_name(function)));
    region.file = strings.intern(location->getFilename());
    region.directory = strings.intern(location->getDirectory());
    region.line = location->getLine();
    region.column = location->getColumn();
    region.inlined_at = strings.intern(inline_chain(location));
  }
  const uint32_t index = table_.add(region);
  by_loop_[&loop] = index;
  if (key) by_key_[*key] = index;
}

std::optional<FunctionRegions::Origin> FunctionRegions::origin_of(const Instruction& instruction) {
  const DILocation* location = instruction.getDebugLoc();
  if (!location || location->getLine() == 0) return std::nullopt;
  unsigned operation = instruction.getOpcode();
  if (const auto* call = dyn_cast<IntrinsicInst>(&instruction)) {
    const Intrinsic::ID id = call->getIntrinsicID();
    operation = id == Intrinsic::vector_reduce_fadd ? unsigned{Instruction::FAdd}
                                                    : Instruction::OtherOpsEnd + id;
  }
  return Origin{operation, uint64_t{location->getLine()} << 32 | location->getColumn(),
                location->getScope()->getSubprogram(), location->getInlinedAt()};
}

void FunctionRegions::add_origins(const Function& function) {
  for (const BasicBlock& block : function) {
    if (!loops_.getLoopFor(&block)) continue;
    const uint32_t region = of(&block);
    for (const Instruction& instruction : block) {
      const std::optional<Origin> origin = origin_of(instruction);
      if (!origin) continue;
      const auto [entry, inserted] = origins_.try_emplace(*origin, region);
      if (!inserted && entry->second != region) entry->second = RIDGE_NO_PARENT;
    }
  }
}

bool FunctionRegions::lies_within(uint32_t region, uint32_t ancestor) const {
  while (region != ancestor && region != RIDGE_NO_PARENT) region = table_[region].parent;
  return region == ancestor;
}

uint32_t FunctionRegions::of_source(const Instruction& instruction) const {
  const uint32_t here = of(instruction.getParent());
  const std::optional<Origin> origin = origin_of(instruction);
  if (!origin) return here;
  const auto found = origins_.find(*origin);
  if (found == origins_.end() || found->second == RIDGE_NO_PARENT) return here;
  return lies_within(found->second, here) ? found->second : here;
}

void FunctionRegions::add_remarks(const VectoriserRemarks& remarks) {
  for (const auto& [key, region] : by_key_) {
    table_[region].not_vectorised = table_.strings().intern(remarks.find(key));
  }
}

uint32_t FunctionRegions::of(const Loop* loop) const {
  return loop ? by_loop_.lookup(loop) : function_region_;
}

uint32_t FunctionRegions::of(const BasicBlock* block) const {
  return of(loops_.getLoopFor(block));
}

std::optional<uint32_t> FunctionRegions::find(const DILocation* location, unsigned nesting) const {
  if (!location) return std::nullopt;
  const auto found = by_key_.find(loop_key(location, nesting));
  if (found == by_key_.end()) return std::nullopt;
  return found->second;
}

}  // namespace ridge::pass
