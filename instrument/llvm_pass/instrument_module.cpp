#include "instrument/llvm_pass/instrument_module.hpp"

#include <cstdlib>

#include <llvm/Config/llvm-config.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>

#include "abi/version.h"
#include "instrument/llvm_pass/insert/counting.hpp"
#include "instrument/llvm_pass/insert/descriptor_writer.hpp"
#include "instrument/llvm_pass/insert/module_glue.hpp"
#include "instrument/llvm_pass/instrument_function.hpp"
#include "instrument/llvm_pass/plan/vectoriser_remarks.hpp"

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

/// What other modules may call code of this one by though no region has the name: a call of it is a
/// call of code that Ridge compiled.
class CompiledNames {
 public:
  void add(const GlobalValue& value) {
    if (!value.hasLocalLinkage()) (lines_ += value.getName()) += '\n';
  }
  void add_aliases(const Module& module) {
    for (const GlobalAlias& alias : module.aliases()) {
      const auto* function = dyn_cast<Function>(alias.getAliaseeObject());
      if (function && can_instrument(*function)) add(alias);
    }
  }
  [[nodiscard]] const std::string& lines() const { return lines_; }

 private:
  std::string lines_;
};

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
  return triple.isOSBinFormatELF() && triple.isArch64Bit() && triple.isX86() && !triple.isX32();
}

/// Code for accelerators lies beside the host's in one compilation: it is left as it is.
static bool is_for_accelerator(const Module& module) {
  const Triple triple(module.getTargetTriple());
  return triple.isNVPTX() || triple.isAMDGPU() || triple.isSPIRV();
}

PreservedAnalyses InstrumentModule::run(Module& module, ModuleAnalysisManager& analyses) {
  if (!is_supported_target(module)) {
    if (!is_for_accelerator(module)) {
      module.getContext().emitError("Ridge counts code for x86-64 Linux only, this is for " +
                                    module.getTargetTriple() +
                                    ": set RIDGE_PLAIN=1 to compile it without counting");
    }
    return PreservedAnalyses::all();
  }
  const std::vector<Function*> instrumented = functions_to_instrument(module);
  OutlinedBodies bodies(instrumented);
  const std::vector<Function*> functions = bodies.behind_their_starters(instrumented);
  StringTable strings;
  DescriptorTexts texts = intern_texts(module, strings);
  RegionTable regions(strings);
  CounterTable counters;
  ProbeTable probes;
  RuntimeSymbols runtime(module);
  ModuleContext context{
      runtime,  regions,
      counters, probes,
      strings,  session->remarks,
      bodies,   analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager()};
  CompiledNames names;
  names.add_aliases(module);
  for (Function* function : functions) {
    if (!instrument_function(*function, context)) names.add(*function);
  }
  runtime.define_nowhere(module, counters.all().size());
  texts.compiled_names = strings.intern(names.lines());
  remove_placeholder(module);
  add_module_glue(module, runtime, write_descriptor(regions, counters, probes, strings, texts));
  describe_probes(module, probes);
  runtime.remove_unused();
  return PreservedAnalyses::none();
}

}  // namespace ridge::pass
