#include "analyze/signature.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>

#include "analyze/ir/argument_types.hpp"

namespace ridge::analyze {
namespace {

std::string source_name(const llvm::Function& function) {
  const llvm::DISubprogram* described = function.getSubprogram();
  return described == nullptr ? function.getName().str() : described->getName().str();
}

Result<const llvm::Function*> find_function(const llvm::Module& program, const std::string& name,
                                            const std::string& function) {
  std::set<std::string> names;
  std::vector<const llvm::Function*> found;
  for (const llvm::Function& each : program) {
    if (each.isDeclaration()) {
      continue;
    }
    names.insert(source_name(each));
    if (each.getName() == function) {
      return &each;
    }
    if (source_name(each) == function) {
      found.push_back(&each);
    }
  }
  if (found.empty()) {
    return fail(ErrorCode::bad_input, fmt::format("{} has no function {}", name, function),
                fmt::format("it has {}", fmt::join(names, ", ")));
  }
  if (found.size() > 1) {
    std::vector<std::string> symbols;
    for (const llvm::Function* each : found) {
      symbols.push_back(each->getName().str());
    }
    return fail(ErrorCode::bad_input, fmt::format("{} has several functions {}", name, function),
                fmt::format("name one by its symbol: {}", fmt::join(symbols, ", ")));
  }
  return found.front();
}

/// Of parameters, by their place, the first is 1.
std::map<unsigned, const llvm::DILocalVariable*> described_parameters(
    const llvm::Function& function) {
  std::map<unsigned, const llvm::DILocalVariable*> found;
  for (const llvm::BasicBlock& block : function) {
    for (const llvm::Instruction& instruction : block) {
      for (const llvm::DbgVariableRecord& record :
           llvm::filterDbgVars(instruction.getDbgRecordRange())) {
        const llvm::DILocalVariable* variable = record.getVariable();
        if (variable->getArg() > 0 && record.getDebugLoc().getInlinedAt() == nullptr) {
          found.emplace(variable->getArg(), variable);
        }
      }
    }
  }
  return found;
}

/// What the function returns stands in front of its parameters, but not in subroutines of flang 19.
std::size_t first_parameter(const llvm::Function& function, const llvm::DITypeRefArray& types) {
  const bool has_result = types.size() == 0 || types[0] == nullptr || function.hasStructRetAttr() ||
                          !function.getReturnType()->isVoidTy();
  return has_result || types.size() != function.arg_size() ? 1 : 0;
}

void read_parameters(Signature& signature, const llvm::Function& function) {
  const auto variables = described_parameters(function);
  const auto types = function.getSubprogram()->getType()->getTypeArray();
  const std::size_t first = first_parameter(function, types);
  const bool is_one_to_one = types.size() == function.arg_size() + first;
  signature.reason = first == 0 || types.size() == 0 ? "" : reason_of_return(types[0]);
  for (std::size_t i = first; i < types.size(); ++i) {
    const auto place = static_cast<unsigned>(i - first);
    if (types[i] == nullptr) {
      signature.reason = "takes any number of arguments";
      return;
    }
    const auto variable = variables.find(place + 1);
    const std::string name = variable == variables.end() ? "" : variable->second->getName().str();
    if (types[i]->isArtificial()) {
      signature.reason = "is a member function: it needs an object";
    }
    const bool is_address = is_one_to_one && function.getArg(place)->getType()->isPointerTy();
    signature.parameters.push_back(parameter_of(name, types[i], is_address));
  }
  if (function.hasStructRetAttr() && signature.reason.empty()) {
    signature.reason = "returns a structure";
  }
}

/// What it and the functions that it calls use.
class UsedGlobals {
 public:
  void visit(const llvm::Function& function) {
    if (!functions_.insert(&function).second) {
      return;
    }
    for (const llvm::BasicBlock& block : function) {
      for (const llvm::Instruction& instruction : block) {
        for (const llvm::Value* operand : instruction.operands()) {
          visit(*operand);
        }
      }
    }
  }

  [[nodiscard]] const std::vector<const llvm::GlobalVariable*>& found() const { return found_; }

 private:
  void visit(const llvm::Value& value) {
    if (const auto* function = llvm::dyn_cast<llvm::Function>(&value)) {
      visit(*function);
    } else if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(&value)) {
      if (!global->isConstant() && std::ranges::find(found_, global) == found_.end()) {
        found_.push_back(global);
      }
    } else if (const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(&value)) {
      for (const llvm::Value* operand : expression->operands()) {
        visit(*operand);
      }
    }
  }

  std::set<const llvm::Function*> functions_;
  std::vector<const llvm::GlobalVariable*> found_;
};

UsedVariable used(const llvm::GlobalVariable& global, const llvm::DataLayout& layout) {
  UsedVariable made;
  made.symbol = global.getName().str();
  made.is_static = global.hasLocalLinkage();
  made.is_initialised = global.hasInitializer() && !global.getInitializer()->isNullValue();
  made.is_pointer = global.getValueType()->isPointerTy();
  llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> described;
  global.getDebugInfo(described);
  if (described.empty()) {
    made.variable.name = made.symbol;
    made.variable.reason = "has no type in the debug information";
    return made;
  }
  const llvm::DIGlobalVariable& variable = *described.front()->getVariable();
  made.variable = variable_of_type(variable.getName().str(), variable.getType());
  if (made.variable.bytes > 0 && !made.is_pointer) {
    made.extent = layout.getTypeAllocSize(global.getValueType()) / made.variable.bytes;
  }
  return made;
}

}  // namespace

Result<Signature> signature_of(std::string_view program, const std::string& name,
                               const std::string& function) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  const auto parsed =
      llvm::parseIR(llvm::MemoryBufferRef(llvm::StringRef(program.data(), program.size()), name),
                    problem, context);
  if (parsed == nullptr) {
    return fail(ErrorCode::bad_input,
                fmt::format("{} is not LLVM's: {}", name, problem.getMessage().str()));
  }
  const auto found = find_function(*parsed, name, function);
  if (!found) {
    return tl::make_unexpected(found.error());
  }
  const llvm::Function& of = **found;
  Signature signature;
  signature.function = source_name(of);
  signature.symbol = of.getName().str();
  signature.is_static = of.hasLocalLinkage();
  if (of.getSubprogram() == nullptr || of.getSubprogram()->getType() == nullptr) {
    return fail(ErrorCode::bad_input, fmt::format("{} has no debug information", function),
                "compile it with -g");
  }
  read_parameters(signature, of);
  UsedGlobals globals;
  globals.visit(of);
  for (const llvm::GlobalVariable* global : globals.found()) {
    signature.variables.push_back(used(*global, parsed->getDataLayout()));
  }
  return signature;
}

}  // namespace ridge::analyze
