#include "analyze/ir/source_names.hpp"

#include <cstdint>
#include <optional>

#include <llvm/ADT/SmallVector.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/raw_ostream.h>

namespace ridge::analyze {
namespace {

std::string name_of(const llvm::GlobalVariable& global) {
  llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> described;
  global.getDebugInfo(described);
  return described.empty() ? global.getName().str()
                           : described.front()->getVariable()->getName().str();
}

std::string as_operand(const llvm::Value& value) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  value.printAsOperand(stream, false);
  return text;
}

/// Past names of types and qualifiers, and past one pointer or reference where `through_pointer`.
const llvm::DIType* plain(const llvm::DIType* type, bool through_pointer) {
  while (const auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type)) {
    const auto tag = derived->getTag();
    const bool is_pointer = tag == llvm::dwarf::DW_TAG_pointer_type ||
                            tag == llvm::dwarf::DW_TAG_reference_type ||
                            tag == llvm::dwarf::DW_TAG_rvalue_reference_type;
    if (is_pointer && !through_pointer) {
      break;
    }
    through_pointer = through_pointer && !is_pointer;
    type = derived->getBaseType();
  }
  return type;
}

/// ".nx" of the member at this offset, with those around it: ".shape.nx". Names of libraries are
/// left out.
std::string member_path(const llvm::DIType* type, std::uint64_t offset_bits, int depth = 0) {
  const auto* composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(plain(type, false));
  if (composite == nullptr || depth > 16) {
    return {};
  }
  for (const llvm::DINode* node : composite->getElements()) {
    const auto* member = llvm::dyn_cast_or_null<llvm::DIDerivedType>(node);
    if (member == nullptr || member->isStaticMember() ||
        (member->getTag() != llvm::dwarf::DW_TAG_member &&
         member->getTag() != llvm::dwarf::DW_TAG_inheritance)) {
      continue;
    }
    const std::uint64_t start = member->getOffsetInBits();
    const llvm::DIType* inner = plain(member->getBaseType(), false);
    const std::uint64_t size = inner == nullptr ? 0 : inner->getSizeInBits();
    if (offset_bits < start || offset_bits >= start + size) {
      continue;
    }
    const std::string name = member->getName().str();
    const bool is_shown =
        !name.empty() && !name.starts_with('_') && member->getTag() == llvm::dwarf::DW_TAG_member;
    return (is_shown ? "." + name : "") + member_path(inner, offset_bits - start, depth + 1);
  }
  return {};
}

struct Named {
  const llvm::DILocalVariable* variable = nullptr;
  int rank = 0;                   ///< how well people know the name
  std::uint64_t offset_bits = 0;  ///< of the part of it that the value is
  bool is_part = false;
};

/// A variable of the function itself before those of functions that were inlined, names of people
/// before those of libraries and compilers.
int rank_of(const llvm::DbgVariableRecord& record) {
  const llvm::DILocalVariable& variable = *record.getVariable();
  const bool is_own = record.getDebugLoc().getInlinedAt() == nullptr;
  const bool is_of_people = !variable.isArtificial() && !variable.getName().starts_with("_");
  return (is_of_people ? 2 : 0) + (is_own ? 1 : 0);
}

std::optional<Named> named_by(llvm::Value& value) {
  llvm::SmallVector<llvm::DbgVariableIntrinsic*, 4> intrinsics;
  llvm::SmallVector<llvm::DbgVariableRecord*, 4> records;
  llvm::findDbgUsers(intrinsics, &value, &records);
  std::optional<Named> found;
  for (const llvm::DbgVariableRecord* record : records) {
    const llvm::DILocalVariable* variable = record->getVariable();
    const auto fragment = record->getExpression()->getFragmentInfo();
    const bool is_simple =
        record->getExpression()->getNumElements() == 0 || fragment || record->isAddressOfVariable();
    if (!is_simple || variable->getName().empty()) {
      continue;
    }
    if (const int rank = rank_of(*record); !found || rank > found->rank) {
      found = Named{variable, rank, fragment ? fragment->OffsetInBits : 0, fragment.has_value()};
    }
  }
  return found;
}

/// The object that a pointer is an offset into.
llvm::Value& object_of(llvm::Value& pointer, const llvm::DataLayout& layout,
                       std::uint64_t& offset_bytes) {
  llvm::APInt offset(layout.getIndexTypeSizeInBits(pointer.getType()), 0);
  llvm::Value* object = pointer.stripAndAccumulateConstantOffsets(layout, offset, true);
  offset_bytes = offset.getLimitedValue();
  return *object;
}

}  // namespace

std::string variable_of(llvm::Value& value) {
  const auto named = named_by(value);
  if (!named || named->variable->isArtificial()) {
    return {};
  }
  const std::string name = named->variable->getName().str();
  const std::string path =
      named->is_part ? member_path(named->variable->getType(), named->offset_bits) : std::string();
  // The only number that spans, views and vectors have under a name of the library.
  const bool is_size = named->is_part && path.empty() && value.getType()->isIntegerTy();
  return name + (is_size ? ".size()" : path);
}

std::string array_name(llvm::Value& base, const llvm::DataLayout& layout) {
  if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(&base)) {
    return name_of(*global);
  }
  auto* load = llvm::dyn_cast<llvm::LoadInst>(&base);
  if (std::string name = variable_of(base); !name.empty()) {
    return name;
  }
  if (load == nullptr) {
    return as_operand(base);
  }
  std::uint64_t offset = 0;
  llvm::Value& object = object_of(*load->getPointerOperand(), layout, offset);
  const auto named = named_by(object);
  if (!named) {
    return &object == &base ? as_operand(base) : array_name(object, layout);
  }
  const std::string path = member_path(plain(named->variable->getType(), true), 8 * offset);
  if (named->variable->isArtificial()) {  // this->values is "values" in the source
    return path.empty() ? as_operand(base) : path.substr(1);
  }
  return named->variable->getName().str() + path;
}

std::string size_name(llvm::Value& value, const llvm::DataLayout& layout) {
  using namespace llvm::PatternMatch;
  llvm::Value* last = nullptr;
  llvm::Value* first = nullptr;
  const auto distance = m_Sub(m_PtrToInt(m_Value(last)), m_PtrToInt(m_Value(first)));
  if (!match(&value, m_AShr(distance, m_ConstantInt())) &&
      !match(&value, m_LShr(distance, m_ConstantInt())) &&
      !match(&value, m_SDiv(distance, m_ConstantInt())) &&
      !match(&value, m_UDiv(distance, m_ConstantInt()))) {
    return {};
  }
  const std::string name = array_name(*first, layout);
  return name == array_name(*last, layout) ? name + ".size()" : std::string();
}

std::string counter_name(const llvm::Loop& loop) {
  for (llvm::PHINode& phi : loop.getHeader()->phis()) {
    if (phi.getType()->isIntegerTy()) {
      if (std::string name = variable_of(phi); !name.empty()) {
        return name;
      }
    }
  }
  return {};
}

}  // namespace ridge::analyze
