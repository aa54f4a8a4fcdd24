#include "analyze/ir/descriptor.hpp"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>

#include "analyze/ir/source_names.hpp"
#include "analyze/ir/source_types.hpp"

namespace ridge::analyze {
namespace {

// The layout of ISO_Fortran_binding.h (CFI_cdesc_t) in flang 19: base address, bytes of an element,
// version and kinds; then lower bound, extent and bytes from one element to the next of each
// dimension, 8 bytes each.
constexpr std::uint64_t kDimensions = 24;
constexpr std::uint64_t kDimensionBytes = 24;
constexpr std::uint64_t kMostDimensions = 15;

bool is_fortran(const llvm::Function& function) {
  const llvm::DISubprogram* described = function.getSubprogram();
  const llvm::DICompileUnit* unit = described == nullptr ? nullptr : described->getUnit();
  if (unit == nullptr) {
    return false;
  }
  switch (unit->getSourceLanguage()) {
    case llvm::dwarf::DW_LANG_Fortran77:
    case llvm::dwarf::DW_LANG_Fortran90:
    case llvm::dwarf::DW_LANG_Fortran95:
    case llvm::dwarf::DW_LANG_Fortran03:
    case llvm::dwarf::DW_LANG_Fortran08:
    case llvm::dwarf::DW_LANG_Fortran18:
      return true;
    default:
      return false;
  }
}

/// The array that this is the descriptor of: by its own name, or by that of the address in it.
SourceArray array_described_by(llvm::Value& descriptor, const llvm::DataLayout& layout) {
  const SourceArray own = described_array(descriptor);
  if (!own.name.empty()) {
    return own;
  }
  for (llvm::User* user : descriptor.users()) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(user);
    if (load != nullptr && load->getPointerOperand() == &descriptor &&
        load->getType()->isPointerTy() && !own_variable_of(*load).empty()) {
      return array_of(*load, layout);
    }
  }
  return {};
}

}  // namespace

std::optional<DescriptorField> descriptor_field(llvm::LoadInst& load,
                                                const llvm::DataLayout& layout) {
  if (!load.getType()->isIntegerTy(64) || !is_fortran(*load.getFunction())) {
    return std::nullopt;
  }
  llvm::APInt offset(layout.getIndexTypeSizeInBits(load.getPointerOperandType()), 0);
  llvm::Value* descriptor =
      load.getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
  const std::uint64_t at = offset.getLimitedValue();
  if (at < kDimensions || at >= kDimensions + kMostDimensions * kDimensionBytes || at % 8 != 0) {
    return std::nullopt;
  }
  const SourceArray array = array_described_by(*descriptor, layout);
  if (array.name.empty()) {
    return std::nullopt;
  }
  DescriptorField field;
  field.array = array.name;
  field.dimension = static_cast<unsigned>((at - kDimensions) / kDimensionBytes) + 1;
  field.element_bytes =
      array.type == nullptr ? 0 : static_cast<std::int64_t>(array.type->getSizeInBits() / 8);
  constexpr DescriptorField::Kind kKinds[] = {DescriptorField::Kind::lower_bound,
                                              DescriptorField::Kind::extent,
                                              DescriptorField::Kind::stride};
  field.kind = kKinds[(at - kDimensions) % kDimensionBytes / 8];
  return field;
}

bool is_of_descriptor(llvm::LoadInst& load, const llvm::DataLayout& layout) {
  const bool is_address = load.getType()->isPointerTy() && is_fortran(*load.getFunction()) &&
                          !described_array(*load.getPointerOperand()).name.empty();
  return is_address || descriptor_field(load, layout).has_value();
}

}  // namespace ridge::analyze
