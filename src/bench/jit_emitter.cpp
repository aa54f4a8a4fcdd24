#include "bench/jit_emitter.hpp"

#include "bench/jit.hpp"

namespace ridge::bench {
namespace {

namespace x86 = asmjit::x86;

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

// Of the eight tiles of AMX the two last hold the operands.
constexpr unsigned kTileChains = 6;
constexpr unsigned kTileCount = 8;

/// Chains of the steps of a compute kernel. A chain is needed for each operation in flight:
/// latency times operations per cycle, at most 4 * 2 for an fma and 3 * 2 for an add on any core
/// in microarchitectures.json; 14 registers are just enough for both at once, with none to
/// spare: an fma that is late by a cycle then stays late. Hence the form with free adds.
struct Chains {
  unsigned first;
  unsigned second;  ///< 0 for a kernel of one step
  unsigned turns;   ///< of the longer row of chains in one loop body
};

constexpr Chains chains_of(const Kernel& kernel, Isa isa) {
  constexpr unsigned kDependent = 16;  // operations in the body of a single chain
  const bool wide = isa == Isa::avx512;
  if (kernel.chains > 0) {
    return {kernel.chains, 0, kDependent / kernel.chains};
  }
  if (isa == Isa::amx) {
    return {kTileChains, 0, 2};
  }
  if (kernel.step_count() == 1) {
    return wide ? Chains{24, 0, 2} : Chains{14, 0, 3};
  }
  if (kernel.free_adds) {
    return {12, 2, 3};
  }
  return wide ? Chains{16, 12, 3} : Chains{8, 6, 3};
}

}  // namespace

Emitter::Emitter(asmjit::CodeHolder& code, const Variant& variant)
    : assembler_(&code),
      kernel_(*variant.kernel),
      isa_(variant.isa),
      precision_(variant.precision),
      instructions_(instructions_of(variant.isa, variant.precision, variant.kernel->numbers)),
      vector_bytes_(vector_bytes(variant.isa, element_bits(variant.precision) / 8)),
      general_(uses_general_registers(variant)) {}

x86::Gp Emitter::base(unsigned array) {
  return std::array{x86::r8, x86::r9, x86::r10}.at(array);
}
x86::Gp Emitter::cursor(unsigned array) {
  return std::array{x86::rax, x86::rdx, x86::rsi}.at(array);
}
x86::Mem Emitter::argument(std::size_t offset) {
  return x86::qword_ptr(x86::rdi, static_cast<int>(offset));
}
x86::Vec Emitter::vec(unsigned index) const {
  return vector_register(isa_, index);
}
x86::Mem Emitter::element(const Gp& pointer, std::size_t offset) const {
  return x86::ptr(pointer, static_cast<int>(offset), vector_bytes_);
}

void Emitter::emit(const Constants& constants) {
  if (general_) {
    load_general(constants);
  } else {
    isa_ == Isa::amx ? load_tiles(constants) : load_registers(constants);
  }
  prologue();
  const asmjit::Label loop = assembler_.newLabel();
  assembler_.align(asmjit::AlignMode::kCode, 64);
  assembler_.bind(loop);
  if (general_) {
    general_body();
  } else if (kernel_.kind == CeilingKind::compute) {
    compute_body();
  } else if (kernel_.order != Order::straight) {
    traversal_body();
  } else {
    kernel_.mix.loads > 0 ? mix_body() : straight_body();
    advance_arrays();
  }
  assembler_.dec(x86::rcx);
  assembler_.jnz(loop);
  epilogue();
}

void Emitter::load_registers(const Constants& constants) {
  if (isa_ == Isa::sse_legacy) {
    assembler_.vzeroupper();  // upper halves in use make the old encoding wait for them
  }
  assembler_.mov(x86::rax, reinterpret_cast<std::uintptr_t>(&constants));
  for (unsigned i = 0; i < register_count(isa_); ++i) {
    assembler_.emit(instructions_.move, vec(i), element(x86::rax, i * kVectorBytes));
  }
}

void Emitter::load_tiles(const Constants& constants) {
  assembler_.mov(x86::rax, reinterpret_cast<std::uintptr_t>(&constants.tiles));
  assembler_.ldtilecfg(x86::ptr(x86::rax));
  for (unsigned i = 0; i < kTileChains; ++i) {
    assembler_.tilezero(x86::tmm(i));
  }
  // A row distance of 0: all rows of an operand are the same 64 bytes.
  assembler_.xor_(x86::edx, x86::edx);
  const unsigned operands[]{summand_register(isa_), factor_register(isa_)};
  for (unsigned i = 0; i < kTileCount - kTileChains; ++i) {
    assembler_.mov(x86::rax,
                   reinterpret_cast<std::uintptr_t>(&constants.registers.at(operands[i])));
    assembler_.tileloadd(x86::tmm(kTileChains + i), x86::ptr(x86::rax, x86::rdx));
  }
}

void Emitter::prologue() {
  if (kernel_.order != Order::straight) {
    traversal_prologue();
  } else {
    for (unsigned array = 0; array < kernel_.arrays(); ++array) {
      assembler_.mov(base(array), argument(8 * array));
    }
  }
  assembler_.mov(x86::rcx, argument(offsetof(KernelArguments, iterations)));
  if (kernel_.order == Order::straight && kernel_.arrays() > 0) {
    assembler_.imul(limit(), x86::rcx, static_cast<int>(bytes_per_turn()));
    assembler_.add(limit(), base(0));
    for (unsigned array = 0; array < kernel_.arrays(); ++array) {
      assembler_.mov(cursor(array), base(array));
    }
  }
  assembler_.imul(x86::rcx, argument(offsetof(KernelArguments, repetitions)));
}

void Emitter::epilogue() {
  if (kernel_.order != Order::straight) {
    // Where the next call goes on.
    assembler_.mov(x86::ptr(base(1)), cursor(0));
  }
  if (kernel_.has(StepKind::nt_store)) {
    assembler_.sfence();  // what still stands in the write buffers is part of the work
  }
  if (general_) {
    restore_general();
  } else if (isa_ == Isa::amx) {
    assembler_.tilerelease();
  } else if (isa_ != Isa::sse_legacy) {
    assembler_.vzeroupper();
  }
  assembler_.ret();
}

void Emitter::dot_step(unsigned chain) {
  const bool bytes = kernel_.numbers == Numbers::int8;
  if (isa_ == Isa::amx) {
    assembler_.emit(bytes ? x86::Inst::kIdTdpbusd : x86::Inst::kIdTdpbf16ps, x86::tmm(chain),
                    x86::tmm(kTileChains), x86::tmm(kTileChains + 1));
    return;
  }
  assembler_.emit(bytes ? x86::Inst::kIdVpdpbusd : x86::Inst::kIdVdpbf16ps, vec(chain),
                  vec(factor_register(isa_)), vec(summand_register(isa_)));
}

void Emitter::compute_step(StepKind kind, unsigned chain) {
  if (kind == StepKind::dot) {
    return dot_step(chain);
  }
  const x86::Vec x = vec(chain);
  const x86::Vec c = vec(factor_register(isa_));
  const x86::Vec d = vec(summand_register(isa_));
  if (kind == StepKind::fma) {
    assembler_.emit(instructions_.fma, x, c, d);
    return;
  }
  if (kind == StepKind::sqrt) {
    // The scalar form takes the rest of its target from the first operand: no chain there either.
    isa_ == Isa::scalar ? assembler_.emit(instructions_.sqrt, x, c, c)
                        : assembler_.emit(instructions_.sqrt, x, c);
    return;
  }
  const asmjit::InstId operation = kind == StepKind::add   ? instructions_.add
                                   : kind == StepKind::div ? instructions_.div
                                                           : instructions_.mul;
  if (kind == StepKind::add && kernel_.free_adds) {
    assembler_.emit(instructions_.add, x, c, d);
    return;
  }
  const x86::Vec& second = kind == StepKind::add ? d : c;
  isa_ == Isa::sse_legacy ? assembler_.emit(operation, x, second)
                          : assembler_.emit(operation, x, x, second);
}

void Emitter::compute_body() {
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

/// Straight: long enough that the end of a turn costs nothing, short enough that the arrays of a
/// triad fill 3/4 of a 32 KiB L1 by whole turns. Many fma for each load: so few vectors that the
/// loop stays small, but whole groups of the mix.
std::size_t Emitter::bytes_per_turn() const {
  constexpr std::size_t kStraight = 1536;
  if (kernel_.kind == CeilingKind::compute) {
    return 0;
  }
  if (kernel_.order != Order::straight) {
    return traversal_bytes_per_turn();
  }
  const Mix& mix = kernel_.mix;
  if (mix.fmas > 64 * mix.loads && mix.loads <= 2) {
    return std::size_t{2} * vector_bytes_;
  }
  return mix.fmas > 8 * mix.loads ? std::size_t{8} * vector_bytes_ : kStraight;
}

void Emitter::memory_step(const Step& step, unsigned data, std::size_t offset) {
  const x86::Mem memory = element(cursor(step.array), offset);
  const x86::Vec r = vec(data);
  const x86::Vec c = vec(factor_register(isa_));
  switch (step.kind) {
    case StepKind::load:
      assembler_.emit(instructions_.move, r, memory);
      return;
    case StepKind::store:
      assembler_.emit(instructions_.move, memory, r);
      return;
    case StepKind::nt_store:
      assembler_.emit(instructions_.nt_store, memory, r);
      return;
    case StepKind::add_memory:
      assembler_.emit(instructions_.add, r, r, memory);
      return;
    case StepKind::mul_memory:
      assembler_.emit(instructions_.mul, r, c, memory);
      return;
    default:
      assembler_.emit(instructions_.fma_memory, r, c, memory);
  }
}

void Emitter::straight_body() {
  unsigned data = 0;
  for (std::size_t offset = 0; offset < bytes_per_turn(); offset += vector_bytes_) {
    for (std::size_t i = 0; i < kernel_.step_count(); ++i) {
      memory_step(kernel_.steps.at(i), data, offset);
    }
    data = (data + 1) % free_registers(isa_);
  }
}

/// After each load as many fma as are due by then. They add the data times c to chains of their
/// own, so that nothing waits for a load but what uses it.
void Emitter::mix_body() {
  constexpr unsigned kDataRegisters = 4;
  const unsigned chains = free_registers(isa_) - kDataRegisters;
  const unsigned loads_each = kernel_.reach == Reach::l1 ? 2 : 1;
  unsigned done = 0;
  unsigned number = 0;
  for (std::size_t offset = 0; offset < bytes_per_turn(); offset += vector_bytes_) {
    for (unsigned again = 0; again < loads_each; ++again) {
      const unsigned data = number % kDataRegisters;
      memory_step({StepKind::load, 0}, data, offset);
      ++number;
      for (; done < number * kernel_.mix.fmas / kernel_.mix.loads; ++done) {
        const x86::Vec chain = vec(kDataRegisters + done % chains);
        assembler_.emit(instructions_.fma_memory, chain, vec(data), vec(factor_register(isa_)));
      }
    }
  }
}

void Emitter::advance_arrays() {
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

}  // namespace ridge::bench
