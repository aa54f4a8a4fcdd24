#include "analyze/ir/source_types.hpp"

#include <optional>
#include <utility>

#include <llvm/BinaryFormat/Dwarf.h>

namespace ridge::analyze {
namespace {

constexpr int kMostDepth = 16;  // a type of hostile debug information may hold itself

bool is_reference(const llvm::DIType* type) {
  const auto tag = type->getTag();
  return tag == llvm::dwarf::DW_TAG_reference_type ||
         tag == llvm::dwarf::DW_TAG_rvalue_reference_type;
}

/// A base class without members lies where the first member does.
bool is_empty(const llvm::DIType* type) {
  const auto* composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(type);
  if (composite == nullptr || composite->getSizeInBits() != 8) {
    return false;
  }
  for (const llvm::DINode* node : composite->getElements()) {
    const auto* member = llvm::dyn_cast_or_null<llvm::DIDerivedType>(node);
    if (member != nullptr && member->getTag() == llvm::dwarf::DW_TAG_member &&
        !member->isStaticMember()) {
      return false;
    }
  }
  return true;
}

/// The direct member that holds this bit; nullptr: none does.
const llvm::DIDerivedType* member_with(const llvm::DICompositeType& composite,
                                       std::uint64_t offset_bits) {
  for (const llvm::DINode* node : composite.getElements()) {
    const auto* member = llvm::dyn_cast_or_null<llvm::DIDerivedType>(node);
    if (member == nullptr || member->isStaticMember() ||
        (member->getTag() != llvm::dwarf::DW_TAG_member &&
         member->getTag() != llvm::dwarf::DW_TAG_inheritance)) {
      continue;
    }
    const llvm::DIType* inner = plain_type(member->getBaseType(), false);
    const std::uint64_t size = inner == nullptr ? 0 : inner->getSizeInBits();
    if (!is_empty(inner) && offset_bits >= member->getOffsetInBits() &&
        offset_bits < member->getOffsetInBits() + size) {
      return member;
    }
  }
  return nullptr;
}

bool is_number_type(const llvm::DIType* type) {
  const auto* basic = llvm::dyn_cast_or_null<llvm::DIBasicType>(plain_type(type, false));
  return basic != nullptr && (basic->getEncoding() == llvm::dwarf::DW_ATE_signed ||
                              basic->getEncoding() == llvm::dwarf::DW_ATE_unsigned);
}

/// Libraries mark members that are not for people: "_M_start", "m_storage". Of numbers, "m_rows",
/// people know the function of that name.
std::string shown_name(const llvm::DIDerivedType& member) {
  const llvm::StringRef name = member.getName();
  const llvm::DIFile* file = member.getFile();
  if (name.starts_with("m_") && file != nullptr && file->getFilename().starts_with("/usr/")) {
    return is_number_type(member.getBaseType()) ? "." + name.drop_front(2).str() + "()" : "";
  }
  const bool is_shown =
      !name.empty() && !name.starts_with("_") && member.getTag() == llvm::dwarf::DW_TAG_member;
  return is_shown ? "." + name.str() : std::string();
}

bool is_structure(const llvm::DIType* type) {
  return llvm::isa_and_nonnull<llvm::DICompositeType>(type) && !is_array_type(type) &&
         type->getTag() != llvm::dwarf::DW_TAG_enumeration_type;
}

bool is_complex(const llvm::DIType* type) {
  const auto* basic = llvm::dyn_cast_or_null<llvm::DIBasicType>(type);
  return basic != nullptr && basic->getEncoding() == llvm::dwarf::DW_ATE_complex_float;
}

/// Whole elements of this size, and what is left; the constant part of the rest is not negative.
std::pair<Polynomial, Polynomial> divided(const Polynomial& offset, std::int64_t size) {
  Polynomial whole;
  Polynomial rest;
  for (const auto& [monomial, factor] : offset.terms()) {
    Polynomial term(1);
    for (const auto& [name, power] : monomial) {
      for (unsigned i = 0; i < power; ++i) {
        term *= Polynomial::symbol(name);
      }
    }
    std::int64_t quotient = factor / size;
    std::int64_t remainder = factor % size;
    if (monomial.empty() && remainder < 0) {
      remainder += size;
      --quotient;
    }
    const bool is_whole = remainder == 0 || monomial.empty();
    whole += is_whole ? term * quotient : Polynomial();
    rest += is_whole ? term * remainder : term * factor;
  }
  return {whole, rest};
}

std::optional<std::string> object_part(const llvm::DIType* type, const Polynomial& offset,
                                       int depth);

std::optional<std::string> element_part(const llvm::DIType* type, const Polynomial& offset,
                                        int depth) {
  const llvm::DIType* element = element_type(type);
  const auto size =
      element == nullptr ? 0 : static_cast<std::int64_t>(element->getSizeInBits() / 8);
  if (size <= 0) {
    return std::nullopt;
  }
  const auto [whole, rest] = divided(offset, size);
  const auto inner = object_part(element, rest, depth + 1);
  return inner ? std::optional("[" + whole.text() + "]" + *inner) : std::nullopt;
}

std::optional<std::string> object_part(const llvm::DIType* type, const Polynomial& offset,
                                       int depth) {
  type = plain_type(type, false);
  if (type == nullptr || depth > kMostDepth) {
    return std::nullopt;
  }
  if (is_array_type(type)) {
    return element_part(type, offset, depth + 1);
  }
  if (is_complex(type)) {
    const auto at = offset.constant();
    const auto half = static_cast<std::int64_t>(type->getSizeInBits() / 16);
    return at == 0 ? std::optional<std::string>(".real")
                   : (at == half ? std::optional<std::string>(".imag") : std::nullopt);
  }
  if (!is_structure(type)) {
    return offset.is_zero() ? std::optional<std::string>("") : std::nullopt;
  }
  Polynomial varying = offset;
  std::int64_t constant = 0;
  if (const auto found = offset.terms().find({}); found != offset.terms().end()) {
    constant = found->second;
    varying -= constant;
  }
  const auto* member = constant < 0 ? nullptr
                                    : member_with(llvm::cast<llvm::DICompositeType>(*type),
                                                  8 * static_cast<std::uint64_t>(constant));
  if (member == nullptr) {
    return std::nullopt;
  }
  const auto start = static_cast<std::int64_t>(member->getOffsetInBits() / 8);
  const auto inner = object_part(member->getBaseType(), offset - start, depth + 1);
  return inner ? std::optional(shown_name(*member) + *inner) : std::nullopt;
}

}  // namespace

const llvm::DIType* plain_type(const llvm::DIType* type, bool through_pointer) {
  for (int depth = 0; depth < 64; ++depth) {
    const auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type);
    if (derived == nullptr) {
      return type;
    }
    const bool is_pointer = is_pointer_type(type);
    if (is_pointer && !through_pointer) {
      return type;
    }
    through_pointer = through_pointer && !is_pointer;
    type = derived->getBaseType();
  }
  return nullptr;
}

bool is_pointer_type(const llvm::DIType* type) {
  return type != nullptr &&
         (type->getTag() == llvm::dwarf::DW_TAG_pointer_type || is_reference(type));
}

bool is_array_type(const llvm::DIType* type) {
  return type != nullptr && type->getTag() == llvm::dwarf::DW_TAG_array_type;
}

const llvm::DIType* element_type(const llvm::DIType* type) {
  type = plain_type(type, false);
  for (int depth = 0; depth < kMostDepth && is_array_type(type); ++depth) {
    type = plain_type(llvm::cast<llvm::DICompositeType>(type)->getBaseType(), false);
  }
  return type;
}

Member member_at(const llvm::DIType* type, std::uint64_t offset_bits) {
  Member found{{}, plain_type(type, false), {}};
  for (int depth = 0; depth < kMostDepth && is_structure(found.type); ++depth) {
    const auto* member = member_with(llvm::cast<llvm::DICompositeType>(*found.type), offset_bits);
    if (member == nullptr) {
      return {found.path, nullptr, {}};
    }
    found.path += shown_name(*member);
    found.name = member->getName().str();
    offset_bits -= member->getOffsetInBits();
    found.type = plain_type(member->getBaseType(), false);
  }
  return found;
}

std::string part_of(const llvm::DIType* type, bool is_array, const Polynomial& offset_bytes) {
  const llvm::DIType* element = element_type(type);
  if (!is_structure(element) && !is_complex(element)) {
    return {};
  }
  if (!is_array) {
    return object_part(type, offset_bytes, 0).value_or("");
  }
  std::string text = element_part(type, offset_bytes, 0).value_or("");
  return text.starts_with("[0].") ? text.substr(3) : text;
}

}  // namespace ridge::analyze
