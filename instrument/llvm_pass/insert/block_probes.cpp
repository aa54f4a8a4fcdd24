#include "instrument/llvm_pass/insert/block_probes.hpp"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PseudoProbe.h>
#include <llvm/Support/xxhash.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "instrument/llvm_pass/cost/generic/own.hpp"

namespace ridge::pass {

using namespace llvm;

uint32_t ProbeTable::add_classes(uint32_t count) {
  const uint32_t first = used_classes_ + 1;
  used_classes_ += count;
  return first;
}

void ProbeTable::begin_function(uint64_t id) {
  functions_.push_back({id, static_cast<uint32_t>(classes_.size()), 0});
}

uint32_t ProbeTable::add_probe(uint32_t execution_class) {
  classes_.push_back(execution_class);
  return ++functions_.back().probe_count;
}

uint64_t probe_id(const Function& function) {
  const Module& module = *function.getParent();
  std::string text = module.getSourceFileName();
  if (const DISubprogram* subprogram = function.getSubprogram()) {
    text += subprogram->getDirectory();
  }
  (text += '\n') += function.getName();
  for (const Instruction& instruction : instructions(function)) {
    const Type* type = instruction.getType();
    text += static_cast<char>(instruction.getOpcode());
    text += static_cast<char>(type->getTypeID());
    text += static_cast<char>(type->getScalarSizeInBits());
  }
  return xxh3_64bits(text);
}

void insert_probe(Instruction* position, uint32_t execution_class, ProbeTable& table) {
  OwnBuilder builder(position);
  const uint32_t index = table.add_probe(execution_class);
  builder.CreateIntrinsic(
      Intrinsic::pseudoprobe, {},
      {builder.getInt64(table.functions().back().id), builder.getInt64(index), builder.getInt32(0),
       builder.getInt64(PseudoProbeFullDistributionFactor)});
}

void add_code_record(Function& function, uint64_t id) {
  Module& module = *function.getParent();
  LLVMContext& context = module.getContext();
  Type* i64 = Type::getInt64Ty(context);
  StructType* type = StructType::get(context, {i64, i64});
  static_assert(sizeof(ridge_probed_code) == 16);
  auto* record =
      new GlobalVariable(module, type, true, GlobalValue::PrivateLinkage, nullptr, "ridge.probed");
  // The distance to a name of this object file only: another library may replace the function's
  // own.
  auto* here = GlobalAlias::create(function.getValueType(), function.getAddressSpace(),
                                   GlobalValue::PrivateLinkage, "ridge.code", &function, &module);
  Constant* distance = ConstantExpr::getSub(ConstantExpr::getPtrToInt(here, i64),
                                            ConstantExpr::getPtrToInt(record, i64));
  record->setInitializer(ConstantStruct::get(type, {ConstantInt::get(i64, id), distance}));
  record->setSection(RIDGE_PROBED_CODE_SECTION);
  record->setAlignment(Align(8));
  record->setComdat(function.getComdat());
  // Dropped where the linker drops the function.
  record->setMetadata(LLVMContext::MD_associated,
                      MDNode::get(context, ValueAsMetadata::get(&function)));
  appendToCompilerUsed(module, {record});
}

void describe_probes(Module& module, const ProbeTable& table) {
  if (table.functions().empty()) return;
  NamedMDNode* names = module.getOrInsertNamedMetadata(PseudoProbeDescMetadataName);
  MDBuilder builder(module.getContext());
  // One entry makes the back end write probes; names and hashes of functions stand in the
  // descriptor.
  const ridge_probed_function& first = table.functions().front();
  names->addOperand(builder.createPseudoProbeDesc(first.id, first.id, "ridge"));
}

}  // namespace ridge::pass
