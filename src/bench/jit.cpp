#include "bench/jit.hpp"

#include <asmjit/asmjit.h>
#include <fmt/format.h>

#include "bench/jit_emitter.hpp"

namespace ridge::bench {
namespace {

/// Errors of the assembler are collected: an instruction that cannot be encoded is a bug here.
struct FirstError : asmjit::ErrorHandler {
  void handleError(asmjit::Error code, const char* text, asmjit::BaseEmitter*) override {
    if (error == 0) {
      error = code;
      message = text;
    }
  }
  asmjit::Error error = 0;
  std::string message;
};

struct Memory {
  asmjit::JitRuntime runtime;
  Constants constants;
};

}  // namespace

Result<JitKernel> JitKernel::build(const Kernel& kernel, Isa isa, Precision precision) {
  const Variant variant{&kernel, isa, precision};
  if (!exists(variant)) {
    return fail(ErrorCode::bad_input,
                fmt::format("there is no {} kernel for {} with {}", kernel.name(),
                            data_name(kernel, precision), to_string(isa)));
  }
  auto memory = std::make_shared<Memory>();
  memory->constants = make_constants(variant);
  FirstError errors;
  asmjit::CodeHolder holder;
  holder.init(memory->runtime.environment());
  holder.setErrorHandler(&errors);
  Emitter emitter(holder, variant);
  emitter.emit(memory->constants);

  JitKernel built;
  if (const auto error = memory->runtime.add(&built.function_, &holder);
      error != 0 || errors.error != 0) {
    return fail(ErrorCode::unavailable,
                fmt::format("cannot emit the {} kernel: {}", kernel.name(),
                            errors.error != 0 ? errors.message.c_str()
                                              : asmjit::DebugUtils::errorAsString(error)),
                "the system may forbid executable memory (SELinux, seccomp)");
  }
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(built.function_);
  built.code_.assign(bytes, bytes + holder.codeSize());
  built.bytes_per_turn_ = emitter.bytes_per_turn();
  built.memory_ = std::move(memory);
  const auto general =
      uses_general_registers(variant) ? GeneralRegisters::data : GeneralRegisters::addresses;
  return decode_inner_loop(built.code_, general).map([&](const LoopWork& loop) {
    built.loop_ = loop;
    return built;
  });
}

}  // namespace ridge::bench
