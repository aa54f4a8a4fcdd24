#include "instrument/llvm_pass/insert/module_glue.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "abi/layout.h"
#include "abi/version.h"

namespace ridge::pass {

using namespace llvm;

namespace {

constexpr char kNoteOwner[] = "Ridge";
/// Before the constructors of the program; what runs earlier registers at its first entry.
constexpr int kConstructorPriority = 0;

GlobalVariable* private_bytes(Module& module, StringRef bytes, const Twine& name) {
  Constant* data = ConstantDataArray::getString(module.getContext(), bytes, false);
  auto* global =
      new GlobalVariable(module, data->getType(), true, GlobalValue::PrivateLinkage, data, name);
  return global;
}

void append_word(std::string& bytes, uint32_t word) {
  bytes.append(reinterpret_cast<const char*>(&word), sizeof word);
}

void pad_to_word(std::string& bytes) {
  bytes.append((4 - bytes.size() % 4) % 4, '\0');
}

std::string note_bytes() {
  std::string description;
  append_word(description, RIDGE_ABI_VERSION);
  description.append(ridge_version_text, sizeof ridge_version_text);
  std::string note;
  append_word(note, sizeof kNoteOwner);
  append_word(note, static_cast<uint32_t>(description.size()));
  append_word(note, RIDGE_NOTE_TYPE);
  note.append(kNoteOwner, sizeof kNoteOwner);
  pad_to_word(note);
  note += description;
  pad_to_word(note);
  return note;
}

void add_note(Module& module) {
  GlobalVariable* note = private_bytes(module, note_bytes(), "ridge.note");
  note->setSection(".note.ridge");
  note->setAlignment(Align(4));
  appendToCompilerUsed(module, {note});
}

}  // namespace

void add_module_glue(Module& module, const RuntimeSymbols& runtime, const std::string& descriptor) {
  LLVMContext& context = module.getContext();
  GlobalVariable* blob = private_bytes(module, descriptor, "ridge.descriptor");
  blob->setAlignment(Align(8));
  const auto number = [&](unsigned bits, uint64_t value) {
    return ConstantInt::get(Type::getIntNTy(context, bits), value);
  };
  auto* type = cast<StructType>(runtime.module_state->getValueType());
  runtime.module_state->setInitializer(ConstantStruct::get(
      type, {blob, number(64, descriptor.size()), number(32, RIDGE_ABI_VERSION),
             number(32, RIDGE_MODE_UNREGISTERED), number(64, 0), number(64, 0)}));

  auto* constructor = Function::Create(FunctionType::get(Type::getVoidTy(context), false),
                                       GlobalValue::InternalLinkage, "ridge.construct", module);
  constructor->setDoesNotThrow();
  BasicBlock* begin = BasicBlock::Create(context, "", constructor);
  BasicBlock* enrol = BasicBlock::Create(context, "register", constructor);
  BasicBlock* end = BasicBlock::Create(context, "end", constructor);
  IRBuilder<> builder(begin);
  builder.CreateCondBr(has_runtime(builder, runtime), enrol, end);
  builder.SetInsertPoint(enrol);
  builder.CreateCall(runtime.register_module, {runtime.module_state});
  builder.CreateBr(end);
  builder.SetInsertPoint(end);
  builder.CreateRetVoid();
  appendToGlobalCtors(module, constructor, kConstructorPriority);
  add_note(module);
}

}  // namespace ridge::pass
