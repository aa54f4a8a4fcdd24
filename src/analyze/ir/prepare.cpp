#include "analyze/ir/prepare.hpp"

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/InlineCost.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Transforms/IPO/Inliner.h>

#include "analyze/ir/counter_names.hpp"
#include "analyze/ir/openmp.hpp"
#include "analyze/ir/unchanged.hpp"

namespace ridge::analyze {
namespace {

/// C++ of many layers (expression templates) is readable only where all of them are inlined.
constexpr int kInlineThreshold = 2000;

/// Neither moves a block: names of counters stand in blocks that would go away.
constexpr const char* kSmall = "sroa<modify-cfg>,early-cse";
constexpr const char* kInRegisters = "sroa<modify-cfg>";

constexpr const char* kSimple =
    "early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,"
    "sroa<modify-cfg>,loop-simplify,lcssa";

constexpr const char* kCountable =
    "loop-mssa(loop-rotate,licm),early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,"
    "loop-simplify,lcssa";

void keep_apart(llvm::Function& function) {
  function.removeFnAttr(llvm::Attribute::AlwaysInline);
  function.addFnAttr(llvm::Attribute::NoInline);
  function.setLinkage(llvm::GlobalValue::ExternalLinkage);
  function.setComdat(nullptr);
}

/// What -O0 forbids.
void allow_passes(llvm::Function& function) {
  function.removeFnAttr(llvm::Attribute::OptimizeNone);
  function.removeFnAttr(llvm::Attribute::NoInline);
}

void run(llvm::Module& program, llvm::PassBuilder& builder, Analyses& analyses,
         const char* function_passes) {
  llvm::FunctionPassManager passes;
  llvm::cantFail(builder.parsePassPipeline(passes, function_passes));
  llvm::ModulePassManager all;
  all.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(passes)));
  all.run(program, analyses.modules);
}

/// What is called becomes small before it is asked whether it is small enough.
void inline_layers(llvm::Module& program, llvm::PassBuilder& builder, Analyses& analyses) {
  llvm::FunctionPassManager passes;
  llvm::cantFail(builder.parsePassPipeline(passes, kSmall));
  llvm::ModuleInlinerWrapperPass inliner(llvm::getInlineParams(kInlineThreshold));
  inliner.getPM().addPass(llvm::createCGSCCToFunctionPassAdaptor(std::move(passes)));
  llvm::ModulePassManager all;
  all.addPass(std::move(inliner));
  all.run(program, analyses.modules);
}

}  // namespace

Analyses::Analyses(llvm::PassBuilder& builder) {
  functions.registerPass([&builder] { return builder.buildDefaultAAPipeline(); });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
}

void prepare(llvm::Module& program, llvm::PassBuilder& builder, Analyses& analyses,
             const std::function<bool(const llvm::Function&)>& stays) {
  inline_parallel_regions(program);
  for (llvm::Function& each : program) {
    if (!each.isDeclaration()) {
      allow_passes(each);
      if (stays(each)) {
        keep_apart(each);
      }
    }
  }
  inline_layers(program, builder, analyses);
  run(program, builder, analyses, kInRegisters);
  for (llvm::Function& each : program) {
    if (!each.isDeclaration()) {
      name_counters_at_heads(analyses.functions.getResult<llvm::LoopAnalysis>(each));
    }
  }
  run(program, builder, analyses, kSimple);
  for (llvm::Function& each : program) {
    if (!each.isDeclaration()) {
      mark_unchanged(analyses.functions.getResult<llvm::LoopAnalysis>(each),
                     analyses.functions.getResult<llvm::AAManager>(each));
    }
  }
  run(program, builder, analyses, kCountable);
}

}  // namespace ridge::analyze
