#include "analyze/ir/argument_types.hpp"

#include <llvm/BinaryFormat/Dwarf.h>

namespace ridge::analyze {
namespace {

using namespace llvm::dwarf;

/// Past names of types and qualifiers.
const llvm::DIType* plain(const llvm::DIType* type) {
  while (const auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type)) {
    const auto tag = derived->getTag();
    if (tag != DW_TAG_typedef && tag != DW_TAG_const_type && tag != DW_TAG_volatile_type &&
        tag != DW_TAG_restrict_type && tag != DW_TAG_atomic_type) {
      break;
    }
    type = derived->getBaseType();
  }
  return type;
}

const llvm::DIDerivedType* pointer(const llvm::DIType* type) {
  const auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type);
  return derived != nullptr && derived->getTag() == DW_TAG_pointer_type ? derived : nullptr;
}

bool is_reference(const llvm::DIType* type) {
  const auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type);
  return derived != nullptr && (derived->getTag() == DW_TAG_reference_type ||
                                derived->getTag() == DW_TAG_rvalue_reference_type);
}

const llvm::DICompositeType* composite(const llvm::DIType* type, unsigned tag) {
  const auto* found = llvm::dyn_cast_or_null<llvm::DICompositeType>(type);
  return found != nullptr && found->getTag() == tag ? found : nullptr;
}

Parameter refuse(const std::string& name, const std::string& reason) {
  Parameter made;
  made.name = name;
  made.reason = reason;
  return made;
}

Parameter number_of(const std::string& name, const llvm::DIBasicType& type, Passing passing) {
  Parameter made{name, passing, false, false, static_cast<unsigned>(type.getSizeInBits() / 8), {}};
  switch (type.getEncoding()) {
    case DW_ATE_float:
      made.is_real = true;
      return made.bytes == 4 || made.bytes == 8
                 ? made
                 : refuse(name, "is neither fp32 nor fp64 (" + type.getName().str() + ")");
    case DW_ATE_signed:
    case DW_ATE_signed_char:
      made.is_signed = true;
      break;
    case DW_ATE_unsigned:
    case DW_ATE_unsigned_char:
    case DW_ATE_boolean:
    case DW_ATE_UTF:
      break;
    default:
      return refuse(name, "is of a type that is not supported (" + type.getName().str() + ")");
  }
  return made.bytes <= 8 ? made : refuse(name, "is an integer of more than 64 bits");
}

/// What is no number, in words.
Parameter no_number(const std::string& name, const llvm::DIType* type) {
  if (type == nullptr) {
    return refuse(name, "has no type (void)");
  }
  if (llvm::isa<llvm::DISubroutineType>(type)) {
    return refuse(name, "is a function");
  }
  if (pointer(type) != nullptr || is_reference(type)) {
    return refuse(name, "is a pointer to pointers");
  }
  const std::string named = type->getName().empty() ? "" : " (" + type->getName().str() + ")";
  const bool is_class = type->getTag() == DW_TAG_class_type;
  return refuse(name, (is_class ? "is a class" : "is a structure") + named);
}

/// A number, an enumerator, or an array of them where `is_array` allows it.
Parameter of_elements(const std::string& name, const llvm::DIType* type, Passing passing) {
  type = plain(type);
  if (const auto* array = composite(type, DW_TAG_array_type)) {
    return array->getRawDataLocation() != nullptr
               ? refuse(name, "is passed by a descriptor (assumed shape)")
               : of_elements(name, array->getBaseType(), Passing::array);
  }
  if (const auto* basic = llvm::dyn_cast_or_null<llvm::DIBasicType>(type)) {
    return number_of(name, *basic, passing);
  }
  if (const auto* enumeration = composite(type, DW_TAG_enumeration_type)) {
    const auto* base = llvm::dyn_cast_or_null<llvm::DIBasicType>(plain(enumeration->getBaseType()));
    const bool is_signed =
        base == nullptr || base->getSignedness() == llvm::DIBasicType::Signedness::Signed;
    return {
        name, passing, false, is_signed, static_cast<unsigned>(enumeration->getSizeInBits() / 8),
        {}};
  }
  return no_number(name, type);
}

}  // namespace

Parameter parameter_of(const std::string& name, const llvm::DIType* type, bool is_address) {
  type = plain(type);
  if (const auto* pointed = pointer(type)) {
    return of_elements(name, pointed->getBaseType(), Passing::array);
  }
  if (is_reference(type)) {
    const auto* referred = llvm::cast<llvm::DIDerivedType>(type);
    return of_elements(name, referred->getBaseType(), Passing::by_reference);
  }
  return of_elements(name, type, is_address ? Passing::by_reference : Passing::number);
}

Parameter variable_of_type(const std::string& name, const llvm::DIType* type) {
  return parameter_of(name, type, false);
}

std::string reason_of_return(const llvm::DIType* type) {
  type = plain(type);
  if (type == nullptr || pointer(type) != nullptr || is_reference(type)) {
    return {};
  }
  const Parameter returned = of_elements({}, type, Passing::number);
  return returned.passing == Passing::number ? "" : "returns what " + returned.reason;
}

}  // namespace ridge::analyze
