// Scalar integers: chains in general registers.
#include <array>
#include <cstdint>

#include "bench/jit_emitter.hpp"

namespace ridge::bench {
namespace {

namespace x86 = asmjit::x86;

// rcx counts the turns, rdi is the argument. Twelve chains are enough for four products of latency
// 3 in flight at once, and for any number of adds that a core starts in a cycle.
constexpr std::array kChains{x86::rax, x86::rdx, x86::rsi, x86::r8,  x86::r9,  x86::r10,
                             x86::r11, x86::rbx, x86::rbp, x86::r12, x86::r13, x86::r14};
constexpr x86::Gp kOperand = x86::r15;
constexpr std::array kSaved{x86::rbx, x86::rbp, x86::r12, x86::r13, x86::r14, x86::r15};
/// Counting the turns takes a pipe that could add: one operation in 192.
constexpr unsigned kTurns = 16;

}  // namespace

bool uses_general_registers(const Variant& variant) {
  return variant.kernel->is_integer() && variant.isa == Isa::scalar;
}

x86::Gp Emitter::general(unsigned chain) {
  return kChains.at(chain);
}

x86::Gp Emitter::sized(const Gp& of) const {
  if (precision_ == Precision::fp64) {
    return of.r64();
  }
  return of.r32();
}

void Emitter::load_general(const Constants& constants) {
  for (const Gp& saved : kSaved) {
    assembler_.push(saved);
  }
  assembler_.mov(kOperand, reinterpret_cast<std::uintptr_t>(&constants));
  const auto constant = [](unsigned number) {
    return x86::qword_ptr(kOperand, static_cast<int>(number * kVectorBytes));
  };
  for (unsigned i = 0; i < kChains.size(); ++i) {
    assembler_.mov(general(i), constant(i));
  }
  const bool product = kernel_.has(StepKind::mul);
  assembler_.mov(kOperand, constant(product ? factor_register(isa_) : summand_register(isa_)));
}

void Emitter::general_body() {
  // Of two registers: an immediate may be added while the instruction is renamed (Golden Cove),
  // which data never are.
  const asmjit::InstId operation =
      kernel_.has(StepKind::mul) ? x86::Inst::kIdImul : x86::Inst::kIdAdd;
  for (unsigned i = 0; i < kTurns * kChains.size(); ++i) {
    assembler_.emit(operation, sized(general(i % kChains.size())), sized(kOperand));
  }
}

void Emitter::restore_general() {
  for (auto saved = kSaved.rbegin(); saved != kSaved.rend(); ++saved) {
    assembler_.pop(*saved);
  }
}

}  // namespace ridge::bench
