#include "analyze/loop_nests.hpp"

#include <filesystem>
#include <memory>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>

#include "analyze/ir/nest.hpp"
#include "analyze/ir/prepare.hpp"

namespace ridge::analyze {
namespace {

std::string source_name(const llvm::Function& function) {
  const llvm::DISubprogram* described = function.getSubprogram();
  return described == nullptr ? function.getName().str() : described->getName().str();
}

std::filesystem::path path_of(const llvm::DIScope& scope) {
  return (std::filesystem::path(scope.getDirectory().str()) / scope.getFilename().str())
      .lexically_normal();
}

/// Of the file that was compiled, not of the headers that it includes.
bool is_of_the_file(const llvm::Function& function) {
  const llvm::DISubprogram* described = function.getSubprogram();
  return described == nullptr || described->getUnit() == nullptr ||
         path_of(*described) == path_of(*described->getUnit());
}

/// "axpy" of "axpy<double>".
std::string without_arguments(const std::string& name) {
  return name.starts_with("operator") ? name : name.substr(0, name.find('<'));
}

/// "Grid::", "fields::" of a member of a class, namespace or module.
std::string scope_of(const llvm::DISubprogram& function) {
  std::string names;
  const llvm::DIScope* scope = function.getScope();
  for (int depth = 0; scope != nullptr && depth < 16; ++depth, scope = scope->getScope()) {
    if (llvm::isa<llvm::DIFile, llvm::DICompileUnit>(scope)) {
      break;
    }
    names = scope->getName().str() + "::" + names;
  }
  return names;
}

/// By its name of the source, with or without arguments of a template and what it is a member of,
/// or by that of the linker.
bool is_called(const llvm::Function& function, const std::string& name) {
  const std::string own = source_name(function);
  if (own == name || without_arguments(own) == name || function.getName() == name) {
    return true;
  }
  const llvm::DISubprogram* described = function.getSubprogram();
  const std::string scope = described == nullptr ? std::string() : scope_of(*described);
  return !scope.empty() && (scope + own == name || scope + without_arguments(own) == name);
}

/// Those of the file that was compiled before those of headers: not std::transform where the file
/// has a transform of its own. Without a name, all of the file.
std::set<const llvm::Function*> wanted_of(const llvm::Module& program, const std::string& name) {
  std::set<const llvm::Function*> of_file;
  std::set<const llvm::Function*> of_headers;
  for (const llvm::Function& function : program) {
    if (!function.isDeclaration() && (name.empty() || is_called(function, name))) {
      (is_of_the_file(function) ? of_file : of_headers).insert(&function);
    }
  }
  return of_file.empty() && !name.empty() ? of_headers : of_file;
}

std::vector<std::string> names_of(const llvm::Module& program) {
  std::set<std::string> names;
  for (const llvm::Function* function : wanted_of(program, {})) {
    names.insert(source_name(*function));
  }
  return {names.begin(), names.end()};
}

void add_nests(std::vector<LoopNest>& nests, llvm::Function& function, Analyses& analyses) {
  FunctionLoops in;
  in.function = &function;
  in.loops = &analyses.functions.getResult<llvm::LoopAnalysis>(function);
  in.evolution = &analyses.functions.getResult<llvm::ScalarEvolutionAnalysis>(function);
  in.dominators = &analyses.functions.getResult<llvm::DominatorTreeAnalysis>(function);
  for (const llvm::Loop* loop : in.loops->getLoopsInPreorder()) {
    if (loop->isInnermost()) {
      nests.push_back(nest_of(in, *loop));
    }
  }
}

}  // namespace

Result<std::vector<LoopNest>> loop_nests(std::string_view program, const std::string& name,
                                         const std::string& function) {
  llvm::LLVMContext context;
  context.setDiagnosticHandlerCallBack([](const llvm::DiagnosticInfo*, void*) {});
  llvm::SMDiagnostic problem;
  const auto parsed =
      llvm::parseIR(llvm::MemoryBufferRef(llvm::StringRef(program.data(), program.size()), name),
                    problem, context);
  if (parsed == nullptr) {
    return fail(ErrorCode::bad_input,
                fmt::format("{} is not LLVM's: {}", name, problem.getMessage().str()),
                "compile it with clang 19 or flang 19");
  }
  bool has_broken_names = false;
  if (llvm::verifyModule(*parsed, nullptr, &has_broken_names)) {
    return fail(ErrorCode::bad_input, fmt::format("{} is no valid program of LLVM", name),
                "compile it with clang 19 or flang 19");
  }
  if (has_broken_names) {
    llvm::StripDebugInfo(*parsed);
  }
  parsed->setIsNewDbgInfoFormat(true);
  const std::vector<std::string> names = names_of(*parsed);
  if (names.empty()) {
    return fail(ErrorCode::bad_input, fmt::format("{} has no function of its own", name));
  }
  const std::set<const llvm::Function*> wanted = wanted_of(*parsed, function);
  if (wanted.empty()) {
    return fail(ErrorCode::bad_input, fmt::format("{} has no function {}", name, function),
                fmt::format("it has {}", fmt::join(names, ", ")));
  }
  llvm::PassBuilder builder;
  Analyses analyses(builder);
  prepare(*parsed, builder, analyses,
          [&](const llvm::Function& each) { return !function.empty() && wanted.contains(&each); });
  std::vector<LoopNest> nests;
  for (llvm::Function& each : *parsed) {  // what was inlined everywhere is not there any more
    if (!each.isDeclaration() && wanted.contains(&each)) {
      add_nests(nests, each, analyses);
    }
  }
  return nests;
}

}  // namespace ridge::analyze
