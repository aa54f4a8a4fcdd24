#include "instrument/llvm_pass/insert/work_details.hpp"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "instrument/llvm_pass/cost/generic/memory_access.hpp"

namespace ridge::pass {

using namespace llvm;

namespace {

/// Bytes of an element by enum ridge_precision.
constexpr uint16_t kElementBytes[] = {8, 4, 2, 2};

/// Key of RIDGE_MASKED_BYTES and RIDGE_ACTIVE_BYTES; nullopt: no operation with a mask.
std::optional<Term> mask_key(const DynamicCost& part, uint32_t quantity) {
  if (part.bytes) {
    const MemoryAccess& access = *part.bytes;
    const bool once = part.term.quantity != RIDGE_BYTES_NON_TEMPORAL;
    if (access.shape == MemoryAccess::Shape::range || !once) return std::nullopt;
    return Term{quantity, static_cast<uint16_t>(access.bytes), 0, access.mask.lanes};
  }
  if (part.low_bit_of || part.term.quantity != RIDGE_FLOPS) return std::nullopt;
  return Term{quantity, kElementBytes[part.term.precision], 0, part.lanes.lanes};
}

/// An addition (`term` is its cost: it was not fused) of a product that nothing else uses.
bool adds_a_product(const Instruction& instruction, const Term& term) {
  if (term.quantity != RIDGE_FLOPS || term.operation != RIDGE_ADD) return false;
  if (const auto* call = dyn_cast<IntrinsicInst>(&instruction)) {
    return call->getIntrinsicID() == Intrinsic::fmuladd;
  }
  if (instruction.getOpcode() != Instruction::FAdd &&
      instruction.getOpcode() != Instruction::FSub) {
    return false;
  }
  return any_of(instruction.operands(), [](const Value* operand) {
    const auto* product = dyn_cast<Instruction>(operand);
    return product && product->getOpcode() == Instruction::FMul && product->hasOneUse();
  });
}

/// At a place that the back end addresses by the stack pointer and a constant.
bool on_frame(const MemoryAccess& access, const DataLayout& layout) {
  if (!access.address || !access.address->getType()->isPointerTy()) return false;
  APInt offset(layout.getIndexTypeSizeInBits(access.address->getType()), 0);
  const Value* object =
      access.address->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  const auto* allocation = dyn_cast<AllocaInst>(object);
  return allocation && allocation->isStaticAlloca();
}

/// 0 where the amount is known at run time only.
uint64_t fixed_bytes(const MemoryAccess& access) {
  if (access.shape == MemoryAccess::Shape::whole) return access.bytes;
  const auto* length =
      access.shape == MemoryAccess::Shape::range ? dyn_cast<ConstantInt>(access.length) : nullptr;
  return length ? length->getZExtValue() : 0;
}

std::optional<uint16_t> chain_operation(const Term& term, const ChainLink& link) {
  switch (term.quantity) {
    case RIDGE_FLOPS:
      if (link.as_addend && term.operation == RIDGE_MUL) return std::nullopt;
      return term.operation;
    case RIDGE_OTHER_OPS:
      return RIDGE_CHAIN_OTHER;
    case RIDGE_CALLS:
      return RIDGE_CHAIN_CALL;
    case RIDGE_BYTES_LOADED:
      return link.load ? std::optional<uint16_t>(RIDGE_CHAIN_LOAD) : std::nullopt;
    default:
      return std::nullopt;
  }
}

}  // namespace

WorkDetails::WorkDetails(Function& function, const Analyses& analyses)
    : patterns_(function, analyses.loops, analyses.evolution), chains_(analyses.loops) {}

void WorkDetails::add_pattern(const Instruction& instruction, const Term& term, uint64_t amount,
                              Terms& result) const {
  const bool write = term.quantity == RIDGE_BYTES_STORED;
  if (!write && term.quantity != RIDGE_BYTES_LOADED) return;
  const auto pattern = patterns_.find(instruction, write);
  if (!pattern) return;
  const auto kind = static_cast<uint16_t>(pattern->kind);
  result.push_back({{RIDGE_BYTES_BY_PATTERN, kind, write, pattern->stride_bytes}, amount});
  if (pattern->overwrites) result.push_back({{RIDGE_BYTES_OVERWRITTEN}, amount});
  if (pattern->gathers) result.push_back({{RIDGE_BYTES_GATHERED, 0, write}, amount});
}

void WorkDetails::add_chain(const Instruction& instruction, const Term& term, Terms& result) const {
  const ChainLink* link = chains_.find(instruction);
  const auto operation = link ? chain_operation(term, *link) : std::nullopt;
  if (!operation) return;
  const Term key{RIDGE_CHAIN_OPS, term.precision, *operation, link->reduction ? 1u : 0u};
  result.push_back({key, 1});  // a reduction kept in order has one part for each addition
}

WorkDetails::Terms WorkDetails::of(const Instruction& instruction, const FixedCost& part) const {
  Terms result;
  if (adds_a_product(instruction, part.term)) {
    result.push_back({{RIDGE_FUSIBLE_FLOPS}, 2 * part.amount});
  }
  add_pattern(instruction, part.term, part.amount, result);
  add_chain(instruction, part.term, result);
  return result;
}

WorkDetails::Terms WorkDetails::of(const Instruction& instruction, const DynamicCost& part) const {
  Terms result;
  add_pattern(instruction, part.term, part.amount, result);
  if (const auto key = mask_key(part, RIDGE_ACTIVE_BYTES)) {
    result.push_back({*key, part.bytes ? 1u : key->precision});
  }
  return result;
}

WorkDetails::Terms WorkDetails::frame_bytes(Instruction& instruction) {
  const DataLayout& layout = instruction.getModule()->getDataLayout();
  MemoryAccesses accesses;
  if (!collect_accesses(instruction, layout, accesses)) return {};
  uint64_t bytes[2] = {0, 0};
  for (const MemoryAccess& access : accesses) {
    if (on_frame(access, layout)) bytes[access.write ? 1 : 0] += fixed_bytes(access);
  }
  Terms result;
  for (const uint16_t write : {uint16_t{0}, uint16_t{1}}) {
    if (bytes[write] != 0) result.push_back({{RIDGE_BYTES_ON_FRAME, 0, write}, bytes[write]});
  }
  return result;
}

std::optional<FixedCost> WorkDetails::all_lanes(const DynamicCost& part) {
  const auto key = mask_key(part, RIDGE_MASKED_BYTES);
  if (!key) return std::nullopt;
  return FixedCost{*key, uint64_t{key->precision} * key->width_bits};
}

}  // namespace ridge::pass
