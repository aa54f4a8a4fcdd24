// Entry point of the compiler plugin: where the parts of the pass stand in the pipeline of clang
// and flang.
#include <memory>

#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>

#include "abi/version.h"
#include "instrument/llvm_pass/instrument_module.hpp"
#include "instrument/llvm_pass/plan/early_trip_counts.hpp"
#include "instrument/llvm_pass/plan/loop_locations.hpp"
#include "instrument/llvm_pass/plan/vectoriser_remarks.hpp"

namespace {

using namespace llvm;

void register_parts(PassBuilder& builder) {
  auto session = std::make_shared<ridge::pass::Session>();
  const auto keep_locations = [](ModulePassManager& passes, OptimizationLevel) {
    passes.addPass(createModuleToFunctionPassAdaptor(ridge::pass::LoopLocations{}));
  };
  builder.registerPipelineStartEPCallback(keep_locations);
  builder.registerOptimizerEarlyEPCallback(keep_locations);  // of what was inlined meanwhile
  builder.registerOptimizerEarlyEPCallback([session](ModulePassManager& passes, OptimizationLevel) {
    passes.addPass(createModuleToFunctionPassAdaptor(ridge::pass::EarlyTripCounts{session}));
  });
  builder.registerOptimizerLastEPCallback([session](ModulePassManager& passes, OptimizationLevel) {
    passes.addPass(ridge::pass::InstrumentModule{session});
  });
  listen_to_vectoriser(builder, session);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "ridge", ridge_version_text, register_parts};
}
