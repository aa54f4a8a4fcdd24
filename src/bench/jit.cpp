#include "bench/jit.hpp"

#include <array>
#include <cstddef>
#include <cstring>

#include <asmjit/asmjit.h>
#include <fmt/format.h>

namespace ridge::bench {
namespace {

namespace x86 = asmjit::x86;
using InstructionId = asmjit::InstId;

/// Instructions of one instruction set and precision.
struct Instructions {
  InstructionId move;
  InstructionId fma;         ///< x = x * second + third
  InstructionId fma_memory;  ///< x = second * third + x
  InstructionId add;
  InstructionId mul;
};

constexpr Instructions kPackedDouble{x86::Inst::kIdVmovapd, x86::Inst::kIdVfmadd213pd,
                                     x86::Inst::kIdVfmadd231pd, x86::Inst::kIdVaddpd,
                                     x86::Inst::kIdVmulpd};
constexpr Instructions kPackedSingle{x86::Inst::kIdVmovaps, x86::Inst::kIdVfmadd213ps,
                                     x86::Inst::kIdVfmadd231ps, x86::Inst::kIdVaddps,
                                     x86::Inst::kIdVmulps};
constexpr Instructions kScalarDouble{x86::Inst::kIdVmovsd, x86::Inst::kIdVfmadd213sd,
                                     x86::Inst::kIdVfmadd231sd, x86::Inst::kIdVaddsd,
                                     x86::Inst::kIdVmulsd};
constexpr Instructions kScalarSingle{x86::Inst::kIdVmovss, x86::Inst::kIdVfmadd213ss,
                                     x86::Inst::kIdVfmadd231ss, x86::Inst::kIdVaddss,
                                     x86::Inst::kIdVmulss};

const Instructions& instructions_of(Isa isa, Precision precision) {
  if (isa == Isa::scalar) {
    return precision == Precision::fp64 ? kScalarDouble : kScalarSingle;
  }
  return precision == Precision::fp64 ? kPackedDouble : kPackedSingle;
}

x86::Vec vector_register(Isa isa, unsigned index) {
  switch (isa) {
    case Isa::avx512:
      return x86::zmm(index);
    case Isa::avx2:
      return x86::ymm(index);
    default:
      return x86::xmm(index);
  }
}

constexpr unsigned register_count(Isa isa) {
  return isa == Isa::avx512 ? 32 : 16;
}

// The two last registers hold c and d; the others are chains, or data on its way.
constexpr unsigned factor_register(Isa isa) {
  return register_count(isa) - 1;
}
constexpr unsigned summand_register(Isa isa) {
  return register_count(isa) - 2;
}
constexpr unsigned free_registers(Isa isa) {
  return register_count(isa) - 2;
}

/// Chains of the steps of a compute kernel. A chain is needed for each operation in flight:
/// latency times operations per cycle, at most 4 * 2 for an fma and 3 * 2 for an add on any core
/// in microarchitectures.json; 14 registers are just enough for both at once.
struct Chains {
  unsigned first;
  unsigned second;  ///< 0 for a kernel of one step
  unsigned turns;   ///< of the longer row of chains in one loop body
};

constexpr Chains chains_of(const Kernel& kernel, Isa isa) {
  const bool wide = isa == Isa::avx512;
  if (kernel.step_count() == 1) {
    return wide ? Chains{24, 0, 2} : Chains{14, 0, 3};
  }
  return wide ? Chains{16, 12, 3} : Chains{8, 6, 3};
}

/// Constants as the code reads them: each a whole vector of equal elements.
constexpr std::size_t kVectorBytes = 64;
constexpr std::size_t kMostRegisters = 32;
struct alignas(64) Constants {
  std::array<std::array<std::byte, kVectorBytes>, kMostRegisters> registers{};
};

template <class Element>
void put(std::array<std::byte, kVectorBytes>& vector, double value) {
  const auto element = static_cast<Element>(value);
  for (std::size_t at = 0; at < kVectorBytes; at += sizeof(Element)) {
    std::memcpy(vector.data() + at, &element, sizeof(Element));
  }
}

/// c = 1 - 2^-24 and d = 2^-20 are exact in fp32 and keep every chain between 2^-1 and 2^5 for far
/// longer than any sample: x * c + d tends to 16, sums and products drift by 1e-6 a step.
template <class Element>
void put_all(Constants& constants, Isa isa) {
  for (unsigned i = 0; i < free_registers(isa); ++i) {
    put<Element>(constants.registers.at(i), 1.0 + static_cast<double>(i) / 64.0);
  }
  put<Element>(constants.registers.at(factor_register(isa)), 1.0 - 0x1p-24);
  put<Element>(constants.registers.at(summand_register(isa)), 0x1p-20);
}

class Emitter {
 public:
  Emitter(asmjit::CodeHolder& code, const Kernel& kernel, Isa isa, Precision precision)
      : assembler_(&code),
        kernel_(kernel),
        isa_(isa),
        instructions_(instructions_of(isa, precision)),
        vector_bytes_(vector_bytes(isa, element_bits(precision) / 8)) {}

  /// void function(const KernelArguments*): argument in rdi, no stack, no callee-saved register.
  void emit(const Constants& constants) {
    load_registers(constants);
    for (unsigned array = 0; array < kernel_.arrays(); ++array) {
      assembler_.mov(base(array), x86::qword_ptr(x86::rdi, static_cast<int>(8 * array)));
    }
    assembler_.mov(x86::rcx, argument(offsetof(KernelArguments, iterations)));
    if (kernel_.arrays() > 0) {
      assembler_.imul(limit(), x86::rcx, static_cast<int>(bytes_per_turn()));
      assembler_.add(limit(), base(0));
    }
    assembler_.imul(x86::rcx, argument(offsetof(KernelArguments, repetitions)));
    for (unsigned array = 0; array < kernel_.arrays(); ++array) {
      assembler_.mov(cursor(array), base(array));
    }
    const asmjit::Label loop = assembler_.newLabel();
    assembler_.align(asmjit::AlignMode::kCode, 64);
    assembler_.bind(loop);
    if (kernel_.kind == CeilingKind::compute) {
      compute_body();
    } else {
      memory_body();
    }
    assembler_.dec(x86::rcx);
    assembler_.jnz(loop);
    assembler_.vzeroupper();
    assembler_.ret();
  }

  /// Of each array. Long enough that the end of a turn costs nothing, short enough that the arrays
  /// of a triad fill 3/4 of a 32 KiB L1 by whole turns.
  [[nodiscard]] std::size_t bytes_per_turn() const { return kernel_.arrays() == 0 ? 0 : 1536; }

 private:
  static x86::Gp base(unsigned array) { return std::array{x86::r8, x86::r9, x86::r10}.at(array); }
  static x86::Gp cursor(unsigned array) {
    return std::array{x86::rax, x86::rdx, x86::rsi}.at(array);
  }
  static x86::Gp limit() { return x86::r11; }
  static x86::Mem argument(std::size_t offset) {
    return x86::qword_ptr(x86::rdi, static_cast<int>(offset));
  }
  [[nodiscard]] x86::Vec vec(unsigned index) const { return vector_register(isa_, index); }
  [[nodiscard]] x86::Mem element(const x86::Gp& pointer, std::size_t offset) const {
    return x86::ptr(pointer, static_cast<int>(offset), vector_bytes_);
  }

  void load_registers(const Constants& constants) {
    assembler_.mov(x86::rax, reinterpret_cast<std::uintptr_t>(&constants));
    for (unsigned i = 0; i < register_count(isa_); ++i) {
      assembler_.emit(instructions_.move, vec(i), element(x86::rax, i * kVectorBytes));
    }
  }

  void compute_step(StepKind kind, unsigned chain) {
    const x86::Vec x = vec(chain);
    const x86::Vec c = vec(factor_register(isa_));
    const x86::Vec d = vec(summand_register(isa_));
    if (kind == StepKind::fma) {
      assembler_.emit(instructions_.fma, x, c, d);
    } else if (kind == StepKind::add) {
      assembler_.emit(instructions_.add, x, x, d);
    } else {
      assembler_.emit(instructions_.mul, x, x, c);
    }
  }

  void compute_body() {
    const Chains chains = chains_of(kernel_, isa_);
    // Two of a kind in a row: on Zen 4 a mix alternating one by one reaches 3.5 instructions per
    // cycle, two by two 4.0, since two fma fill both their pipes in one cycle.
    constexpr unsigned kGroup = 2;
    for (unsigned i = 0; i < chains.turns * chains.first; i += kGroup) {
      for (unsigned j = i; j < i + kGroup; ++j) {
        compute_step(kernel_.steps[0].kind, j % chains.first);
      }
      for (unsigned j = i; j < i + kGroup && chains.second > 0; ++j) {
        compute_step(kernel_.steps[1].kind, chains.first + j % chains.second);
      }
    }
  }

  void memory_step(const Step& step, unsigned data, std::size_t offset) {
    const x86::Mem memory = element(cursor(step.array), offset);
    if (step.kind == StepKind::load) {
      assembler_.emit(instructions_.move, vec(data), memory);
    } else if (step.kind == StepKind::store) {
      assembler_.emit(instructions_.move, memory, vec(data));
    } else {
      assembler_.emit(instructions_.fma_memory, vec(data), vec(factor_register(isa_)), memory);
    }
  }

  void memory_body() {
    unsigned data = 0;
    for (std::size_t offset = 0; offset < bytes_per_turn(); offset += vector_bytes_) {
      for (std::size_t i = 0; i < kernel_.step_count(); ++i) {
        memory_step(kernel_.steps.at(i), data, offset);
      }
      data = (data + 1) % free_registers(isa_);
    }
    for (unsigned array = 0; array < kernel_.arrays(); ++array) {
      assembler_.add(cursor(array), static_cast<int>(bytes_per_turn()));
    }
    // Back to the beginning without a branch: a pass through L1 takes 400 cycles, and whether its
    // end is foreseen changes from visit to visit; unforeseen it costs 3 % of the pass.
    assembler_.cmp(cursor(0), limit());
    for (unsigned array = 0; array < kernel_.arrays(); ++array) {
      assembler_.cmovae(cursor(array), base(array));
    }
  }

  x86::Assembler assembler_;
  const Kernel& kernel_;
  Isa isa_;
  const Instructions& instructions_;
  unsigned vector_bytes_;
};

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
  if (precision != Precision::fp64 && precision != Precision::fp32) {
    return fail(ErrorCode::bad_input, "kernels exist for fp64 and fp32");
  }
  auto memory = std::make_shared<Memory>();
  if (precision == Precision::fp64) {
    put_all<double>(memory->constants, isa);
  } else {
    put_all<float>(memory->constants, isa);
  }
  FirstError errors;
  asmjit::CodeHolder holder;
  holder.init(memory->runtime.environment());
  holder.setErrorHandler(&errors);
  Emitter emitter(holder, kernel, isa, precision);
  emitter.emit(memory->constants);

  JitKernel built;
  if (const auto error = memory->runtime.add(&built.function_, &holder);
      error != 0 || errors.error != 0) {
    return fail(ErrorCode::unavailable,
                fmt::format("cannot emit the {} kernel: {}", kernel.name,
                            errors.error != 0 ? errors.message.c_str()
                                              : asmjit::DebugUtils::errorAsString(error)),
                "the system may forbid executable memory (SELinux, seccomp)");
  }
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(built.function_);
  built.code_.assign(bytes, bytes + holder.codeSize());
  built.bytes_per_turn_ = emitter.bytes_per_turn();
  built.memory_ = std::move(memory);
  return decode_inner_loop(built.code_).map([&](const LoopWork& loop) {
    built.loop_ = loop;
    return built;
  });
}

}  // namespace ridge::bench
