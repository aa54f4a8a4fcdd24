#include "analyze/ir/memory_use.hpp"

#include <limits>

#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace ridge::analyze {
namespace {

std::vector<MemoryUse> uses_of_copy(llvm::MemIntrinsic& copy) {
  const auto* length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
  if (length == nullptr || length->getValue().getActiveBits() > 31 || length->isZero()) {
    return {};
  }
  const auto bytes = static_cast<unsigned>(length->getZExtValue());
  std::vector<MemoryUse> uses;
  if (auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(&copy)) {
    uses.push_back({transfer->getRawSource(), bytes, 1, false});
  }
  uses.push_back({copy.getRawDest(), bytes, 1, true});
  return uses;
}

}  // namespace

std::vector<MemoryUse> memory_uses_of(llvm::Instruction& instruction,
                                      const llvm::DataLayout& layout) {
  if (auto* copy = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
    return uses_of_copy(*copy);
  }
  const auto use = [&](llvm::Value* pointer, llvm::Type& type, bool is_write) {
    const llvm::TypeSize size = layout.getTypeStoreSize(&type);
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type);
    const bool is_known =
        !size.isScalable() && size.getFixedValue() <= std::numeric_limits<unsigned>::max();
    return MemoryUse{pointer, is_known ? static_cast<unsigned>(size.getFixedValue()) : 0,
                     vector == nullptr ? 1 : vector->getNumElements(), is_write};
  };
  if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    return {use(update->getPointerOperand(), *update->getType(), false),
            use(update->getPointerOperand(), *update->getType(), true)};
  }
  if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    llvm::Type& type = *exchange->getNewValOperand()->getType();
    return {use(exchange->getPointerOperand(), type, false),
            use(exchange->getPointerOperand(), type, true)};
  }
  llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
  if (pointer == nullptr) {
    return {};
  }
  return {
      use(pointer, *llvm::getLoadStoreType(&instruction), llvm::isa<llvm::StoreInst>(instruction))};
}

}  // namespace ridge::analyze
