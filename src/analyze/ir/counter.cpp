#include "analyze/ir/counter.hpp"

#include <algorithm>
#include <string_view>

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>

#include "analyze/ir/source_names.hpp"

namespace ridge::analyze {
namespace {

struct Candidate {
  NamedValue named;
  const llvm::SCEVAddRecExpr* recurrence = nullptr;
};

const llvm::SCEVAddRecExpr* recurrence_of(llvm::Value& value, const llvm::Loop& loop,
                                          llvm::ScalarEvolution& evolution) {
  const auto* found = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(&value));
  const bool is_counted = found != nullptr && found->getLoop() == &loop && found->isAffine() &&
                          llvm::isa<llvm::SCEVConstant>(found->getStepRecurrence(evolution));
  return is_counted ? found : nullptr;
}

/// Whether the end of the loop is decided by this number, or one that is a constant away from it.
bool decides_the_end(const Candidate& candidate, const llvm::Loop& loop,
                     llvm::ScalarEvolution& evolution) {
  llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  for (llvm::BasicBlock* block : exiting) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    const auto* compared = branch != nullptr && branch->isConditional()
                               ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition())
                               : nullptr;
    if (compared == nullptr) {
      continue;
    }
    for (llvm::Value* operand : compared->operands()) {
      const auto* recurrence =
          operand->getType()->isIntegerTy() ? recurrence_of(*operand, loop, evolution) : nullptr;
      if (recurrence != nullptr && recurrence->getType() == candidate.recurrence->getType() &&
          llvm::isa<llvm::SCEVConstant>(evolution.getMinusSCEV(recurrence, candidate.recurrence))) {
        return true;
      }
    }
  }
  return false;
}

std::vector<Candidate> candidates_of(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  std::vector<Candidate> found;
  for (const NamedValue& named : named_in_header(loop)) {
    if (const auto* recurrence = recurrence_of(*named.value, loop, evolution)) {
      found.push_back({named, recurrence});
    }
  }
  const auto worth = [&](const Candidate& each) {
    return (decides_the_end(each, loop, evolution) ? 2 : 0) + each.named.rank;
  };
  std::ranges::stable_sort(found, std::greater<>(), worth);
  return found;
}

std::int64_t step_of(const llvm::SCEVAddRecExpr& recurrence, llvm::ScalarEvolution& evolution) {
  const auto& step =
      llvm::cast<llvm::SCEVConstant>(recurrence.getStepRecurrence(evolution))->getAPInt();
  return step.getSignificantBits() <= 32 ? step.getSExtValue() : 0;
}

/// From the first to the last element of a container: "x.end() - x.begin() - 8" in bytes is
/// "x.size() - 1" in elements of 8.
Polynomial in_elements(const Polynomial& span, std::int64_t divisor) {
  for (const std::string& symbol : span.symbols()) {
    constexpr std::string_view kEnd = ".end()";
    if (!symbol.ends_with(kEnd)) {
      continue;
    }
    const std::string name = symbol.substr(0, symbol.size() - kEnd.size());
    const Polynomial length = Polynomial::symbol(symbol) - Polynomial::symbol(name + ".begin()");
    if (span.coefficient(symbol) == 1 && span.coefficient(name + ".begin()") == -1) {
      return span - length + Polynomial::symbol(name + ".size()") * divisor;
    }
  }
  return span;
}

std::optional<TripCount> simplified(const Polynomial& span, std::int64_t divisor) {
  if (!span.is_valid()) {
    return std::nullopt;
  }
  const Polynomial elements = in_elements(span, divisor);
  const auto whole = elements.divided_by(divisor);
  return whole ? TripCount{*whole, 1} : TripCount{elements, divisor};
}

/// The span of a count of backedges, and what it is divided by.
std::optional<TripCount> count_of(const llvm::SCEV& taken, const llvm::Loop& loop,
                                  AddressReader& reader) {
  const llvm::SCEV* span = &taken;
  std::int64_t divisor = 1;
  if (const auto* quotient = llvm::dyn_cast<llvm::SCEVUDivExpr>(span)) {
    const auto constant = reader.polynomial(*quotient->getRHS(), loop);
    divisor = constant ? constant->constant().value_or(0) : 0;
    span = quotient->getLHS();
  }
  const auto length = divisor > 0 ? reader.trips(*span, loop) : std::nullopt;
  return length ? simplified(*length, divisor) : std::nullopt;
}

}  // namespace

Counter counter_of(const llvm::Loop& loop, const FunctionLoops& in, AddressReader& reader) {
  for (const Candidate& candidate : candidates_of(loop, *in.evolution)) {
    const std::int64_t step = step_of(*candidate.recurrence, *in.evolution);
    const auto first = reader.polynomial(*candidate.recurrence->getStart(), loop);
    const std::string& name = candidate.named.name;
    // `while (n--)` counts with a parameter: the name would stand for two numbers.
    if (step != 0 && first && first->is_valid() && !reader.symbols().holds(*first, name) &&
        reader.symbols().take(name, &loop)) {
      return {name, *first + candidate.named.plus, step};
    }
  }
  std::string name = "i" + std::to_string(loop.getLoopDepth());
  return {reader.symbols().name_of(name, &loop), Polynomial(0), 1};
}

namespace {

/// Iterations of a loop that goes on while `value` compares with `end`, as a comparison of numbers
/// that do not wrap around: what scalar evolution is too careful for. `value` is the one of the end
/// of the first iteration.
std::optional<TripCount> count_by_comparison(llvm::CmpInst::Predicate goes_on,
                                             const llvm::SCEVAddRecExpr& value,
                                             const llvm::SCEV& end, const llvm::Loop& loop,
                                             AddressReader& reader,
                                             llvm::ScalarEvolution& evolution) {
  const auto first = reader.polynomial(*value.getStart(), loop);
  const auto last = reader.polynomial(end, loop);
  const auto step = reader.polynomial(*value.getStepRecurrence(evolution), loop);
  if (!first || !last || !step) {
    return std::nullopt;
  }
  const auto number = step->constant();
  const bool is_up = goes_on == llvm::CmpInst::ICMP_SLT || goes_on == llvm::CmpInst::ICMP_ULT ||
                     goes_on == llvm::CmpInst::ICMP_SLE || goes_on == llvm::CmpInst::ICMP_ULE;
  const bool is_exact = goes_on == llvm::CmpInst::ICMP_NE && number && *number != 0;
  if (is_exact) {  // it would never end if it missed its end
    const Polynomial way = *number > 0 ? *last - *first : *first - *last;
    return simplified(way, *number > 0 ? *number : -*number);
  }
  const bool is_down = goes_on == llvm::CmpInst::ICMP_SGT || goes_on == llvm::CmpInst::ICMP_UGT ||
                       goes_on == llvm::CmpInst::ICMP_SGE || goes_on == llvm::CmpInst::ICMP_UGE;
  if ((!is_up && !is_down) || (number && (is_up ? *number <= 0 : *number >= 0))) {
    return std::nullopt;
  }
  const int closed = llvm::CmpInst::isNonStrictPredicate(goes_on) ? 0 : 1;
  const Polynomial stride = is_up ? *step : *step * -1;
  const Polynomial way = is_up ? *last - *first : *first - *last;
  const Polynomial span = way - closed + stride;
  return number ? simplified(span, is_up ? *number : -*number)
                : TripCount{reader.symbols().derived(DerivedSymbol::Kind::quotient, span, stride)};
}

std::optional<TripCount> count_by_exit(const llvm::Loop& loop, llvm::BasicBlock& block,
                                       const FunctionLoops& in, AddressReader& reader) {
  const llvm::SCEV* taken = in.evolution->getExitCount(&loop, &block);
  if (!llvm::isa<llvm::SCEVCouldNotCompute>(taken)) {
    if (auto count = count_of(*taken, loop, reader)) {
      return count;
    }
  }
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  const auto* compared = branch != nullptr && branch->isConditional()
                             ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition())
                             : nullptr;
  if (compared == nullptr || &block != loop.getLoopLatch()) {
    return std::nullopt;
  }
  const bool stays_if_true = loop.contains(branch->getSuccessor(0));
  auto predicate = stays_if_true ? compared->getPredicate() : compared->getInversePredicate();
  const llvm::SCEV* value = in.evolution->getSCEV(compared->getOperand(0));
  const llvm::SCEV* end = in.evolution->getSCEV(compared->getOperand(1));
  if (!llvm::isa<llvm::SCEVAddRecExpr>(value)) {
    std::swap(value, end);
    predicate = llvm::CmpInst::getSwappedPredicate(predicate);
  }
  const auto* recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(value);
  if (recurrence == nullptr || recurrence->getLoop() != &loop || !recurrence->isAffine() ||
      !in.evolution->isLoopInvariant(end, &loop)) {
    return std::nullopt;
  }
  return count_by_comparison(predicate, *recurrence, *end, loop, reader, *in.evolution);
}

/// The lesser; where it is not clear which one that is, a symbol for it.
TripCount least_of(const TripCount& one, const TripCount& other, AddressReader& reader) {
  const auto span = [&](const TripCount& of) {
    return of.divisor == 1
               ? of.span
               : reader.symbols().derived(DerivedSymbol::Kind::quotient, of.span, of.divisor);
  };
  return one == other ? one
                      : TripCount{reader.symbols().derived(DerivedSymbol::Kind::least, span(one),
                                                           span(other))};
}

}  // namespace

Trips trips_of(const llvm::Loop& loop, const FunctionLoops& in, AddressReader& reader) {
  const llvm::SCEV* taken = in.evolution->getBackedgeTakenCount(&loop);
  if (!llvm::isa<llvm::SCEVCouldNotCompute>(taken)) {
    if (const auto count = count_of(*taken, loop, reader)) {
      return {count, false};
    }
  }
  llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  Trips found;
  for (llvm::BasicBlock* block : exiting) {
    const auto count = count_by_exit(loop, *block, in, reader);
    found.ends_early = found.ends_early || !count;
    if (count) {
      found.count = found.count ? least_of(*found.count, *count, reader) : *count;
    }
  }
  found.ends_early = found.ends_early && found.count;
  return found;
}

}  // namespace ridge::analyze
