#include "analyze/ir/address.hpp"

#include <algorithm>

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/raw_ostream.h>

#include "analyze/ir/source_names.hpp"

namespace ridge::analyze {
namespace {

/// Opaque, but the same text for the same value.
Polynomial named(const llvm::SCEV& expression) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  expression.print(stream);
  return Polynomial::symbol("{" + text + "}");
}

}  // namespace

std::optional<Polynomial> AddressReader::polynomial(const llvm::SCEV& expression,
                                                    const llvm::Loop& loop) {
  switch (expression.getSCEVType()) {
    case llvm::scConstant: {
      const auto& number = llvm::cast<llvm::SCEVConstant>(expression).getAPInt();
      return number.getSignificantBits() <= 64 ? Part(number.getSExtValue()) : std::nullopt;
    }
    case llvm::scTruncate:
    case llvm::scZeroExtend:
    case llvm::scSignExtend:
    case llvm::scPtrToInt:
      return polynomial(*llvm::cast<llvm::SCEVCastExpr>(expression).getOperand(), loop);
    case llvm::scAddExpr:
      return sum(llvm::cast<llvm::SCEVNAryExpr>(expression), loop);
    case llvm::scMulExpr:
      return product(llvm::cast<llvm::SCEVNAryExpr>(expression), loop);
    case llvm::scAddRecExpr:
      return recurrence(llvm::cast<llvm::SCEVAddRecExpr>(expression), loop);
    case llvm::scSMaxExpr:
    case llvm::scUMaxExpr:
    case llvm::scSMinExpr:
    case llvm::scUMinExpr:
      return extreme(llvm::cast<llvm::SCEVNAryExpr>(expression), loop);
    case llvm::scUnknown:
      return unknown(llvm::cast<llvm::SCEVUnknown>(expression), loop);
    default:
      return evolution_->isLoopInvariant(&expression, &loop) ? Part(named(expression))
                                                             : std::nullopt;
  }
}

AddressReader::Part AddressReader::sum(const llvm::SCEVNAryExpr& expression,
                                       const llvm::Loop& loop) {
  Part total = Polynomial();
  for (const llvm::SCEV* operand : expression.operands()) {
    const Part part = polynomial(*operand, loop);
    total = total && part ? Part(*total + *part) : std::nullopt;
  }
  return total;
}

AddressReader::Part AddressReader::product(const llvm::SCEVNAryExpr& expression,
                                           const llvm::Loop& loop) {
  Part total = Polynomial(1);
  for (const llvm::SCEV* operand : expression.operands()) {
    const Part part = polynomial(*operand, loop);
    total = total && part ? Part(*total * *part) : std::nullopt;
  }
  return total;
}

/// start + increment * k of a loop that has run k times: k = (counter - first) / step.
AddressReader::Part AddressReader::recurrence(const llvm::SCEVAddRecExpr& expression,
                                              const llvm::Loop& loop) {
  const auto counter = counters_->find(expression.getLoop());
  if (counter == counters_->end() || !expression.isAffine()) {
    return std::nullopt;
  }
  const Part start = polynomial(*expression.getStart(), loop);
  const Part increment = polynomial(*expression.getStepRecurrence(*evolution_), loop);
  const auto per_unit = increment ? increment->divided_by(counter->second.step) : std::nullopt;
  if (!start || !per_unit) {
    return std::nullopt;
  }
  return *start + *per_unit * (Polynomial::symbol(counter->second.name) - counter->second.first);
}

/// Where a loop is entered at all, the greater (counting down: the lesser) of its end and of where
/// it begins, or of the value after that, is its end; and an extent is not negative.
AddressReader::Part AddressReader::extreme(const llvm::SCEVNAryExpr& expression,
                                           const llvm::Loop& loop) {
  const auto is_entry = [&](const Part& part) {
    return part && (part->is_zero() || std::ranges::find(entry_, *part) != entry_.end());
  };
  if (expression.getNumOperands() == 2) {
    const Part one = polynomial(*expression.getOperand(0), loop);
    const Part other = polynomial(*expression.getOperand(1), loop);
    if (is_entry(one) || is_entry(other)) {
      return is_entry(one) ? other : one;
    }
  }
  return evolution_->isLoopInvariant(&expression, &loop) ? Part(named(expression)) : std::nullopt;
}

AddressReader::Part AddressReader::unknown(const llvm::SCEVUnknown& expression,
                                           const llvm::Loop& loop) {
  llvm::Value& value = *expression.getValue();
  auto* load = llvm::dyn_cast<llvm::LoadInst>(&value);
  if (!evolution_->isLoopInvariant(&expression, &loop)) {
    if (load != nullptr) {
      index_array_ = base_name(*load->getPointerOperand());
    }
    return std::nullopt;
  }
  const bool is_fixed = evolution_->isLoopInvariant(&expression, loop.getOutermostLoop());
  std::string name = is_fixed || load == nullptr ? variable_of(value) : std::string();
  if (name.empty()) {
    name = size_name(value, *layout_);
  }
  if (name.empty() && load != nullptr) {
    name = load_name(*load, loop);
  }
  return name.empty() ? named(expression) : Polynomial::symbol(name);
}

std::string AddressReader::base_name(llvm::Value& pointer) {
  const llvm::SCEV* base = evolution_->getPointerBase(evolution_->getSCEV(&pointer));
  const auto* value = llvm::dyn_cast<llvm::SCEVUnknown>(base);
  return value == nullptr ? std::string() : array_name(*value->getValue(), *layout_);
}

/// "row[r + 1]"
std::string AddressReader::load_name(llvm::LoadInst& load, const llvm::Loop& loop) {
  const llvm::SCEV* address = evolution_->getSCEV(load.getPointerOperand());
  const auto* base = llvm::dyn_cast<llvm::SCEVUnknown>(evolution_->getPointerBase(address));
  if (base == nullptr || depth_ > 4) {
    return variable_of(load);
  }
  ++depth_;
  const Part offset = polynomial(*evolution_->removePointerBase(address), loop);
  --depth_;
  const auto bytes = static_cast<std::int64_t>(layout_->getTypeStoreSize(load.getType()));
  const auto element = offset ? offset->divided_by(bytes) : std::nullopt;
  return array_name(*base->getValue(), *layout_) + "[" + (element ? element->text() : "?") + "]";
}

}  // namespace ridge::analyze
