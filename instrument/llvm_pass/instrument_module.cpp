#include "instrument_module.hpp"

#include <cstdlib>

#include <llvm/Config/llvm-config.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>

#include "abi/version.h"
#include "counting.hpp"
#include "descriptor_writer.hpp"
#include "instrument_function.hpp"
#include "module_glue.hpp"
#include "vectoriser_remarks.hpp"

namespace ridge::pass {

using namespace llvm;

namespace {

DescriptorTexts intern_texts(const Module& module, StringTable& strings) {
  const char* flags = std::getenv("RIDGE_FLAGS");
  DescriptorTexts texts{};
  texts.ridge_version = strings.intern(ridge_version_text);
  texts.source_file = strings.intern(module.getSourceFileName());
  texts.compiler = strings.intern("clang " LLVM_VERSION_STRING);
  texts.flags = strings.intern(flags ? flags : "");
  return texts;
}

void remove_placeholder(Module& module) {
  Function* placeholder = module.getFunction(kIterationsFunction);
  if (placeholder && placeholder->use_empty()) placeholder->eraseFromParent();
}

std::vector<Function*> functions_to_instrument(Module& module) {
  std::vector<Function*> functions;
  for (Function& function : module) {
    if (can_instrument(function)) {
      functions.push_back(&function);
    } else if (!function.isDeclaration()) {
      remove_iteration_calls(function);
    }
  }
  return functions;
}

}  // namespace

bool is_supported_target(const Module& module) {
  const Triple triple(module.getTargetTriple());
  return triple.isOSBinFormatELF() && triple.isArch64Bit() && triple.isLittleEndian() &&
         (triple.isX86() || triple.isAArch64());
}

PreservedAnalyses InstrumentModule::run(Module& module, ModuleAnalysisManager& analyses) {
  if (!is_supported_target(module)) return PreservedAnalyses::all();
  const std::vector<Function*> functions = functions_to_instrument(module);
  StringTable strings;
  const DescriptorTexts texts = intern_texts(module, strings);
  RegionTable regions(strings);
  CounterTable counters;
  RuntimeSymbols runtime(module);
  ModuleContext context{
      runtime,
      regions,
      counters,
      strings,
      session->remarks,
      analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager()};
  for (Function* function : functions) instrument_function(*function, context);
  remove_placeholder(module);
  add_module_glue(module, runtime, write_descriptor(regions, counters, strings, texts));
  return PreservedAnalyses::none();
}

}  // namespace ridge::pass
