// Entry point of the compiler plugin: where the two parts of the pass stand in clang's pipeline.
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>

#include "abi/version.h"
#include "early_trip_counts.hpp"
#include "instrument_module.hpp"

namespace {

using namespace llvm;

void register_parts(PassBuilder& builder) {
  builder.registerOptimizerEarlyEPCallback([](ModulePassManager& passes, OptimizationLevel) {
    passes.addPass(createModuleToFunctionPassAdaptor(ridge::pass::EarlyTripCounts()));
  });
  builder.registerOptimizerLastEPCallback([](ModulePassManager& passes, OptimizationLevel) {
    passes.addPass(ridge::pass::InstrumentModule());
  });
}

}  // namespace

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "ridge", ridge_version_text, register_parts};
}
