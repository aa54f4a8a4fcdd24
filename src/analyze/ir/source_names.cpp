#include "analyze/ir/source_names.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/raw_ostream.h>

#include "analyze/ir/source_types.hpp"

namespace ridge::analyze {
namespace {

constexpr int kMostLoads = 16;  // pointers that are loaded from pointers that are loaded ...

std::string as_operand(const llvm::Value& value) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  value.printAsOperand(stream, false);
  return text;
}

struct Named {
  const llvm::DILocalVariable* variable = nullptr;
  int rank = 0;                   ///< how well people know the name
  std::uint64_t offset_bits = 0;  ///< of the part of it that the value is
  bool is_part = false;
  bool is_address = false;  ///< the value is where the variable lies
};

/// Whether compilers made it: "this", ".omp.lb", "__range1". The counters of loops of OpenMP are
/// called artificial, but have the names of the source.
bool is_made_up(const llvm::DILocalVariable& variable) {
  const llvm::StringRef name = variable.getName();
  return variable.isArtificial() &&
         (name.empty() || name == "this" || name.starts_with(".") || name.starts_with("_"));
}

bool is_of_people(const llvm::DILocalVariable& variable) {
  return !is_made_up(variable) && !variable.getName().empty() &&
         !variable.getName().starts_with("_");
}

enum Rank : int { kHere = 1, kOwn = 2, kOfPeople = 4 };

/// Names of people before those of libraries and compilers, variables of the function itself before
/// those of functions that were inlined, a parameter before what was copied from it, and what is
/// named where it is made before what takes its value later.
int rank_of(const llvm::DbgVariableRecord& record, const llvm::Value& value) {
  const llvm::DILocalVariable& variable = *record.getVariable();
  const bool is_own = record.getDebugLoc() && record.getDebugLoc().getInlinedAt() == nullptr;
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  const bool is_here = instruction == nullptr ? variable.isParameter()
                                              : record.getParent() == instruction->getParent();
  return (is_of_people(variable) ? kOfPeople : 0) + (is_own ? kOwn : 0) + (is_here ? kHere : 0);
}

bool is_own_name(const Named& named) {
  return named.rank >= kOfPeople + kOwn;
}

std::optional<Named> named_by(llvm::Value& value) {
  llvm::SmallVector<llvm::DbgVariableIntrinsic*, 4> intrinsics;
  llvm::SmallVector<llvm::DbgVariableRecord*, 4> records;
  llvm::findDbgUsers(intrinsics, &value, &records);
  std::optional<Named> found;
  for (const llvm::DbgVariableRecord* record : records) {
    const llvm::DILocalVariable* variable = record->getVariable();
    const auto fragment = record->getExpression()->getFragmentInfo();
    const bool is_address = record->isAddressOfVariable();
    const bool is_simple = record->getExpression()->getNumElements() == 0 || fragment || is_address;
    if (!is_simple || variable->getName().empty()) {
      continue;
    }
    if (const int rank = rank_of(*record, value); !found || rank > found->rank) {
      found = Named{variable, rank, fragment ? fragment->OffsetInBits : 0, fragment.has_value(),
                    is_address};
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

/// What lies where a pointer of this type points to.
SourceArray pointed_to(const std::string& name, const llvm::DIType* pointer) {
  const llvm::DIType* type = plain_type(pointer, false);
  if (!is_pointer_type(type)) {
    return {name, nullptr, true};
  }
  const bool is_pointer = type->getTag() == llvm::dwarf::DW_TAG_pointer_type;
  return {name, plain_type(type, true), is_pointer};
}

SourceArray object_named(const std::string& name, const llvm::DIType* type) {
  const llvm::DIType* plain = plain_type(type, false);
  return {name, is_array_type(plain) ? element_type(plain) : plain, is_array_type(plain)};
}

SourceArray global_array(const llvm::GlobalVariable& global) {
  llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> described;
  global.getDebugInfo(described);
  if (described.empty()) {
    return {global.getName().str()};
  }
  const llvm::DIGlobalVariable& variable = *described.front()->getVariable();
  return object_named(variable.getName().str(), variable.getType());
}

/// "name.path", or of a member of the object itself ("this"), "path".
std::string member_name(const llvm::DILocalVariable& variable, const std::string& path,
                        const llvm::Value& value) {
  if (!is_made_up(variable)) {
    return variable.getName().str() + path;
  }
  return path.empty() ? as_operand(value) : path.substr(1);
}

/// The array that a loaded pointer points into.
SourceArray loaded_array(llvm::LoadInst& load, const llvm::DataLayout& layout, int depth) {
  std::uint64_t offset = 0;
  llvm::Value& object = object_of(*load.getPointerOperand(), layout, offset);
  if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(&object)) {
    const SourceArray whole = global_array(*global);
    const Member member = member_at(whole.type, 8 * offset);
    return pointed_to(whole.name + member.path, member.type);
  }
  const auto named = named_by(object);
  if (!named || (is_made_up(*named->variable) && (named->rank & kOwn) == 0)) {
    auto* inner = llvm::dyn_cast<llvm::LoadInst>(&object);
    if (inner == nullptr || depth > kMostLoads) {
      return {};
    }
    const SourceArray outer = loaded_array(*inner, layout, depth + 1);
    const Member member = member_at(outer.type, 8 * offset);
    return pointed_to(outer.name + member.path, member.type);
  }
  const llvm::DIType* type = named->variable->getType();
  const Member member = member_at(plain_type(type, !named->is_address), 8 * offset);
  return pointed_to(member_name(*named->variable, member.path, load), member.type);
}

}  // namespace

std::string variable_of(llvm::Value& value) {
  const auto named = named_by(value);
  if (!named || is_made_up(*named->variable)) {
    return {};
  }
  const std::string name = named->variable->getName().str();
  const std::string path = named->is_part
                               ? member_at(named->variable->getType(), named->offset_bits).path
                               : std::string();
  // The only number that spans, views and vectors have under a name of the library.
  const bool is_size = named->is_part && path.empty() && value.getType()->isIntegerTy();
  return name + (is_size ? ".size()" : path);
}

std::string own_variable_of(llvm::Value& value) {
  const auto named = named_by(value);
  return named && is_own_name(*named) ? variable_of(value) : std::string();
}

SourceArray described_array(llvm::Value& descriptor) {
  const auto with_address = [](const llvm::DIType* type) {
    const auto* composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(plain_type(type, false));
    return composite != nullptr && is_array_type(composite) &&
           composite->getRawDataLocation() != nullptr;
  };
  if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(&descriptor)) {
    llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> described;
    global->getDebugInfo(described);
    return !described.empty() && with_address(described.front()->getVariable()->getType())
               ? global_array(*global)
               : SourceArray();
  }
  const auto named = named_by(descriptor);
  return named && with_address(named->variable->getType())
             ? object_named(named->variable->getName().str(), named->variable->getType())
             : SourceArray();
}

std::string bound_name(llvm::Value& value, const llvm::DataLayout& layout) {
  auto* load = llvm::dyn_cast<llvm::LoadInst>(&value);
  if (load == nullptr || !load->getType()->isPointerTy()) {
    return {};
  }
  std::uint64_t offset = 0;
  llvm::Value& object = object_of(*load->getPointerOperand(), layout, offset);
  const auto named = named_by(object);
  if (!named) {
    return {};
  }
  const llvm::DIType* type = plain_type(named->variable->getType(), !named->is_address);
  const Member member = member_at(type, 8 * offset);
  const std::string name = loaded_array(*load, layout, 0).name;
  if (name.empty() || (member.name != "_M_start" && member.name != "_M_finish")) {
    return {};
  }
  return name + (member.name == "_M_start" ? ".begin()" : ".end()");
}

SourceArray array_of(llvm::Value& base, const llvm::DataLayout& layout) {
  if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(&base)) {
    return global_array(*global);
  }
  auto* load = llvm::dyn_cast<llvm::LoadInst>(&base);
  const auto known = named_by(base);
  if (load != nullptr && (!known || !is_own_name(*known))) {  // names of libraries say less
    if (const SourceArray loaded = loaded_array(*load, layout, 0); !loaded.name.empty()) {
      return loaded;
    }
  }
  if (const auto& named = known; named && !is_made_up(*named->variable)) {
    const std::string name = named->variable->getName().str();
    if (named->is_address) {
      return object_named(name, named->variable->getType());
    }
    if (!named->is_part) {
      return pointed_to(name, named->variable->getType());
    }
    const Member member = member_at(named->variable->getType(), named->offset_bits);
    return pointed_to(name + member.path, member.type);
  }
  if (const auto& named = known) {  // of the object itself: its members have their names
    return {"this", plain_type(named->variable->getType(), true), false};
  }
  return {};
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
  const std::string name = array_of(*first, layout).name;
  return name == array_of(*last, layout).name ? name + ".size()" : std::string();
}

namespace {

/// The number (of 32 bits) that an expression of debug information adds; nullopt: it does something
/// else.
std::optional<std::int64_t> added_by(const llvm::DIExpression& expression) {
  std::int64_t sum = 0;
  const llvm::ArrayRef<std::uint64_t> words = expression.getElements();
  for (std::size_t i = 0; i < words.size();) {
    const auto argument = [&](std::size_t at) {
      const std::uint64_t word = i + at < words.size() ? words[i + at] : 0;
      return static_cast<std::int64_t>(static_cast<std::int32_t>(word));
    };
    switch (words[i]) {
      case llvm::dwarf::DW_OP_plus_uconst:
        sum += argument(1);
        i += 2;
        break;
      case llvm::dwarf::DW_OP_constu:
      case llvm::dwarf::DW_OP_consts:
        if (argument(2) != llvm::dwarf::DW_OP_plus && argument(2) != llvm::dwarf::DW_OP_minus) {
          return std::nullopt;
        }
        sum += argument(2) == llvm::dwarf::DW_OP_plus ? argument(1) : -argument(1);
        i += 3;
        break;
      case llvm::dwarf::DW_OP_LLVM_convert:
        i += 3;
        break;
      case llvm::dwarf::DW_OP_stack_value:
        i += 1;
        break;
      default:
        return std::nullopt;
    }
  }
  return sum;
}

}  // namespace

std::vector<NamedValue> named_in_header(const llvm::Loop& loop) {
  std::vector<NamedValue> found;
  for (llvm::Instruction& instruction : *loop.getHeader()) {
    for (llvm::DbgVariableRecord& record : llvm::filterDbgVars(instruction.getDbgRecordRange())) {
      llvm::Value* value =
          record.isDbgValue() && !record.hasArgList() ? record.getVariableLocationOp(0) : nullptr;
      const auto plus = value == nullptr ? std::nullopt : added_by(*record.getExpression());
      if (plus && value->getType()->isIntegerTy() && is_of_people(*record.getVariable())) {
        found.push_back(
            {value, record.getVariable()->getName().str(), *plus,
             record.getDebugLoc() && record.getDebugLoc().getInlinedAt() == nullptr ? 1 : 0});
      }
    }
  }
  return found;
}

}  // namespace ridge::analyze
