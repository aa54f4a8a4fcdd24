#include "analyze/loop_nests.hpp"

#include <filesystem>
#include <memory>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
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

bool is_wanted(const llvm::Function& function, const std::string& name) {
  if (function.isDeclaration()) {
    return false;
  }
  return name.empty() ? is_of_the_file(function)
                      : source_name(function) == name || function.getName() == name;
}

std::vector<std::string> names_of(const llvm::Module& program) {
  std::set<std::string> names;
  for (const llvm::Function& function : program) {
    if (is_wanted(function, {})) {
      names.insert(source_name(function));
    }
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
  llvm::SMDiagnostic problem;
  const auto parsed =
      llvm::parseIR(llvm::MemoryBufferRef(llvm::StringRef(program.data(), program.size()), name),
                    problem, context);
  if (parsed == nullptr) {
    return fail(ErrorCode::bad_input,
                fmt::format("{} is not LLVM's: {}", name, problem.getMessage().str()));
  }
  parsed->setIsNewDbgInfoFormat(true);
  const std::vector<std::string> names = names_of(*parsed);
  if (names.empty()) {
    return fail(ErrorCode::bad_input, fmt::format("{} has no function of its own", name));
  }
  llvm::PassBuilder builder;
  Analyses analyses(builder);
  prepare(*parsed, builder, analyses, [&](const llvm::Function& each) {
    return !function.empty() && is_wanted(each, function);
  });
  std::vector<LoopNest> nests;
  bool is_found = function.empty();
  for (llvm::Function& each : *parsed) {
    if (is_wanted(each, function)) {
      is_found = true;
      add_nests(nests, each, analyses);
    }
  }
  if (!is_found) {
    return fail(ErrorCode::bad_input, fmt::format("{} has no function {}", name, function),
                fmt::format("it has {}", fmt::join(names, ", ")));
  }
  return nests;
}

}  // namespace ridge::analyze
