#include "analyze/ir/address.hpp"

#include <algorithm>

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/raw_ostream.h>

#include "analyze/ir/descriptor.hpp"
#include "analyze/ir/source_names.hpp"
#include "analyze/ir/source_types.hpp"

namespace ridge::analyze {
namespace {

using Part = AddressReader::Part;
using Kind = DerivedSymbol::Kind;

constexpr int kMostLoads = 4;            // an index that is read by an index that is read ...
constexpr std::size_t kMostTerms = 200;  // what has more is nothing that people read

/// Opaque, but the same text for the same value.
std::string text_of(const llvm::SCEV& expression) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  expression.print(stream);
  return "{" + text + "}";
}

Part within_limits(const Part& part) {
  return part && part->is_valid() && part->terms().size() <= kMostTerms ? part : std::nullopt;
}

bool is_greatest(const llvm::SCEV& expression) {
  return expression.getSCEVType() == llvm::scSMaxExpr ||
         expression.getSCEVType() == llvm::scUMaxExpr;
}

/// ".size()" of the number that spans and the like keep; empty: of the object itself.
std::string hidden_number(const SourceArray& array, const Polynomial& offset) {
  const auto bytes = offset.constant().value_or(0);
  const std::string name =
      bytes < 0 ? "" : member_at(array.type, 8 * static_cast<std::uint64_t>(bytes)).name;
  const bool is_size = name.find("size") != std::string::npos ||
                       name.find("extent") != std::string::npos ||
                       name.find("length") != std::string::npos;
  return is_size ? ".size()" : (name.empty() ? "" : "." + name);
}

}  // namespace

Part AddressReader::polynomial(const llvm::SCEV& expression, const llvm::Loop& loop) {
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
    case llvm::scUDivExpr:
      return quotient(llvm::cast<llvm::SCEVUDivExpr>(expression), loop);
    case llvm::scAddRecExpr:
      return recurrence(llvm::cast<llvm::SCEVAddRecExpr>(expression), loop);
    case llvm::scSMaxExpr:
    case llvm::scUMaxExpr:
    case llvm::scSMinExpr:
    case llvm::scUMinExpr:
    case llvm::scSequentialUMinExpr:
      return extreme(llvm::cast<llvm::SCEVNAryExpr>(expression), loop);
    case llvm::scUnknown:
      return unknown(llvm::cast<llvm::SCEVUnknown>(expression), loop);
    default:
      return opaque(expression, loop);
  }
}

Part AddressReader::trips(const llvm::SCEV& expression, const llvm::Loop& loop) {
  for (llvm::PHINode& phi : loop.getHeader()->phis()) {
    const bool is_counted = phi.getType()->isIntegerTy() || phi.getType()->isPointerTy();
    const auto* recurrence =
        is_counted ? llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_->getSCEV(&phi)) : nullptr;
    if (recurrence == nullptr || recurrence->getLoop() != &loop || !recurrence->isAffine()) {
      continue;
    }
    const Part start = polynomial(*recurrence->getStart(), loop);
    const Part step = polynomial(*recurrence->getStepRecurrence(*evolution_), loop);
    const auto number = step ? step->constant() : std::nullopt;
    if (start && number) {
      entry_.push_back({*start, *number > 0});
      entry_.push_back({*start + *number, *number > 0});
    }
  }
  Part part = polynomial(expression, loop);
  entry_.clear();
  return part;
}

Part AddressReader::opaque(const llvm::SCEV& expression, const llvm::Loop& loop) {
  return evolution_->isLoopInvariant(&expression, loop.getOutermostLoop())
             ? Part(Polynomial::symbol(text_of(expression)))
             : std::nullopt;
}

Part AddressReader::sum(const llvm::SCEVNAryExpr& expression, const llvm::Loop& loop) {
  Part total = Polynomial();
  for (const llvm::SCEV* operand : expression.operands()) {
    const Part part = total ? polynomial(*operand, loop) : std::nullopt;
    total = part ? within_limits(*total + *part) : std::nullopt;
  }
  return total;
}

Part AddressReader::product(const llvm::SCEVNAryExpr& expression, const llvm::Loop& loop) {
  Part total = Polynomial(1);
  for (const llvm::SCEV* operand : expression.operands()) {
    const Part part = total ? polynomial(*operand, loop) : std::nullopt;
    total = part ? within_limits(*total * *part) : std::nullopt;
  }
  return total;
}

Part AddressReader::quotient(const llvm::SCEVUDivExpr& expression, const llvm::Loop& loop) {
  const Part left = polynomial(*expression.getLHS(), loop);
  const Part right = left ? polynomial(*expression.getRHS(), loop) : std::nullopt;
  return right ? Part(symbols_.derived(Kind::quotient, *left, *right)) : std::nullopt;
}

/// Derived symbols of counters change in the loop: such a polynomial is to be read, not to be
/// reckoned with.
bool AddressReader::is_derived_of_counters(const Polynomial& number, const llvm::Loop& loop) const {
  const auto counter = counters_->find(&loop);
  return counter != counters_->end() && number.degree(counter->second.name) == 0
             ? symbols_.holds(number, counter->second.name)
             : counter != counters_->end() &&
                   symbols_.holds(number.without(counter->second.name), counter->second.name);
}

Index AddressReader::index(const llvm::SCEV& offset, const llvm::Loop& loop) {
  index_array_.clear();
  const Part part = polynomial(offset, loop);
  if (!part) {
    return {std::nullopt, index_array_, std::nullopt};
  }
  return is_derived_of_counters(*part, loop) ? Index{std::nullopt, {}, part}
                                             : Index{part, {}, std::nullopt};
}

SourceArray AddressReader::array(llvm::Value& base, const llvm::Loop& loop) {
  SourceArray found = array_of(base, *layout_);
  auto* load = llvm::dyn_cast<llvm::LoadInst>(&base);
  if (found.name.empty() && load != nullptr) {
    found.name = load_name(*load, loop);
  }
  if (found.name.empty()) {
    llvm::raw_string_ostream stream(found.name);
    base.printAsOperand(stream, false);
  }
  return found;
}

/// start + increment * k of a loop that has run k times: k = (counter - first) / step.
Part AddressReader::recurrence(const llvm::SCEVAddRecExpr& expression, const llvm::Loop& loop) {
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
  return within_limits(
      *start + *per_unit * (Polynomial::symbol(counter->second.name) - counter->second.first));
}

/// Of the trips of a loop that is entered, its end. An extent (what does not change in the nest) is
/// not negative.
Part AddressReader::extreme(const llvm::SCEVNAryExpr& expression, const llvm::Loop& loop) {
  const bool is_fixed = evolution_->isLoopInvariant(&expression, loop.getOutermostLoop());
  const bool is_up = is_greatest(expression);
  const auto is_entry = [&](const Part& part) {
    return part && ((part->is_zero() && is_fixed && is_up) ||
                    std::ranges::any_of(entry_, [&](const Entry& each) {
                      return each.is_up == is_up && each.value == *part;
                    }));
  };
  Part all;
  for (const llvm::SCEV* operand : expression.operands()) {
    const Part part = polynomial(*operand, loop);
    if (!part) {
      return std::nullopt;
    }
    if (!all || is_entry(all) || all == part) {
      all = part;
    } else if (!is_entry(part)) {
      all = symbols_.derived(is_up ? Kind::greatest : Kind::least, *all, *part);
    }
  }
  return all;
}

Part AddressReader::unknown(const llvm::SCEVUnknown& expression, const llvm::Loop& loop) {
  llvm::Value& value = *expression.getValue();
  auto* load = llvm::dyn_cast<llvm::LoadInst>(&value);
  if (!evolution_->isLoopInvariant(&expression, &loop)) {
    if (load != nullptr) {
      index_array_ = base_name(*load->getPointerOperand(), loop);
      return std::nullopt;
    }
    return division(value, loop);
  }
  if (load != nullptr) {
    return loaded(*load, expression, loop);
  }
  std::string name = variable_of(value);
  if (name.empty()) {
    name = size_name(value, *layout_);
  }
  if (name.empty()) {
    const Part part = division(value, loop);
    return part ? part : opaque(expression, loop);
  }
  return Polynomial::symbol(symbols_.name_of(name, &value));
}

/// What is read under a name is that name; an element is the variable that took it, if it changes
/// in no loop.
Part AddressReader::loaded(llvm::LoadInst& load, const llvm::SCEV& expression,
                           const llvm::Loop& loop) {
  if (const auto field = descriptor_field(load, *layout_)) {
    return described(*field);
  }
  const bool is_fixed = evolution_->isLoopInvariant(&expression, loop.getOutermostLoop());
  std::string name = bound_name(load, *layout_);
  if (name.empty()) {
    name = load_name(load, loop);
  }
  if (is_fixed && (name.empty() || name.find('[') != std::string::npos)) {
    const std::string own = own_variable_of(load);
    name = !own.empty() ? own : (name.empty() ? variable_of(load) : name);
  }
  if (name.empty()) {
    return opaque(expression, loop);
  }
  if (load.hasMetadata(llvm::LLVMContext::MD_invariant_load)) {
    unchanged_.insert(name);
  }
  return Polynomial::symbol(name);
}

/// Extents are symbols. The array is taken as contiguous, and its bounds as beginning at 1.
Part AddressReader::described(const DescriptorField& field) {
  const auto extent = [&](unsigned dimension) {
    return Polynomial::symbol("size(" + field.array + "," + std::to_string(dimension) + ")");
  };
  switch (field.kind) {
    case DescriptorField::Kind::extent:
      return extent(field.dimension);
    case DescriptorField::Kind::lower_bound:
      begin_at_1_.insert(field.array);
      return Polynomial(1);
    case DescriptorField::Kind::stride:
      break;
  }
  if (field.element_bytes == 0) {
    return std::nullopt;
  }
  contiguous_.insert(field.array);
  Polynomial stride(field.element_bytes);
  for (unsigned dimension = 1; dimension < field.dimension; ++dimension) {
    stride *= extent(dimension);
  }
  return stride;
}

/// "n/2", "n%4".
Part AddressReader::division(llvm::Value& value, const llvm::Loop& loop) {
  auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  if (operation == nullptr) {
    return std::nullopt;
  }
  const bool is_quotient = operation->getOpcode() == llvm::Instruction::SDiv ||
                           operation->getOpcode() == llvm::Instruction::UDiv;
  if (!is_quotient && operation->getOpcode() != llvm::Instruction::SRem &&
      operation->getOpcode() != llvm::Instruction::URem) {
    return std::nullopt;
  }
  const Part left = polynomial(*evolution_->getSCEV(operation->getOperand(0)), loop);
  const Part right = polynomial(*evolution_->getSCEV(operation->getOperand(1)), loop);
  return left && right
             ? Part(symbols_.derived(is_quotient ? Kind::quotient : Kind::remainder, *left, *right))
             : std::nullopt;
}

std::string AddressReader::base_name(llvm::Value& pointer, const llvm::Loop& loop) {
  const llvm::SCEV* base = evolution_->getPointerBase(evolution_->getSCEV(&pointer));
  const auto* value = llvm::dyn_cast<llvm::SCEVUnknown>(base);
  return value == nullptr ? std::string() : array(*value->getValue(), loop).name;
}

/// "row[r + 1]", "c.count", "n" of a parameter that is passed by reference; empty: it has none.
std::string AddressReader::load_name(llvm::LoadInst& load, const llvm::Loop& loop) {
  const llvm::SCEV* address = evolution_->getSCEV(load.getPointerOperand());
  const auto* base = llvm::dyn_cast<llvm::SCEVUnknown>(evolution_->getPointerBase(address));
  if (base == nullptr || depth_ > kMostLoads) {
    return variable_of(load);
  }
  ++depth_;
  const Part offset = polynomial(*evolution_->removePointerBase(address), loop);
  --depth_;
  ++depth_;
  const SourceArray array = this->array(*base->getValue(), loop);
  --depth_;
  if (!offset) {
    return {};
  }
  if (const std::string part = part_of(array.type, array.is_array, *offset); !part.empty()) {
    return array.name + part;
  }
  if (!array.is_array && load.getType()->isIntegerTy()) {
    return array.name + hidden_number(array, *offset);
  }
  const auto bytes = static_cast<std::int64_t>(layout_->getTypeStoreSize(load.getType()));
  const auto element = offset->divided_by(bytes);
  return element ? array.name + "[" + element->text() + "]" : std::string();
}

}  // namespace ridge::analyze
