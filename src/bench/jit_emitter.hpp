// Emits the code of one kernel. For jit.cpp only.
#pragma once

#include <array>
#include <cstddef>

#include <asmjit/asmjit.h>

#include "bench/isa.hpp"
#include "bench/jit_instructions.hpp"
#include "bench/kernel_table.hpp"
#include "bench/variants.hpp"
#include "core/value/profile.hpp"

namespace ridge::bench {

constexpr std::size_t kVectorBytes = 64;
constexpr std::size_t kMostRegisters = 32;

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

/// What the code reads: each register's first value, whole vectors of equal elements, and the shape
/// of the tiles of AMX (Intel SDM volume 1, "Programming with Intel AMX").
struct alignas(64) Constants {
  std::array<std::array<std::byte, kVectorBytes>, kMostRegisters> registers{};
  std::array<std::byte, kVectorBytes> tiles{};
};

/// c = 1 - 2^-24 and d = 2^-20 are exact in fp32 and keep every chain between 2^-1 and 2^5 for far
/// longer than any sample: x * c + d tends to 16, sums, products and quotients drift by 1e-6 a
/// step. Numbers of 16 bits stay normal as well.
[[nodiscard]] Constants make_constants(const Variant& variant);

/// Scalar integers: their chains are general registers.
[[nodiscard]] bool uses_general_registers(const Variant& variant);

class Emitter {
 public:
  Emitter(asmjit::CodeHolder& code, const Variant& variant);

  /// void function(KernelArguments*): argument in rdi, no stack, no callee-saved register but where
  /// general registers are chains. The first chain is still in its register at the end.
  void emit(const Constants& constants);

  /// By which one turn of the loop advances in each array; 0 for a compute kernel, 64 for each
  /// access of one that does not go straight.
  [[nodiscard]] std::size_t bytes_per_turn() const;

 private:
  using Gp = asmjit::x86::Gp;

  static Gp base(unsigned array);
  static Gp cursor(unsigned array);
  static Gp limit() { return asmjit::x86::r11; }
  static asmjit::x86::Mem argument(std::size_t offset);
  [[nodiscard]] asmjit::x86::Vec vec(unsigned index) const;
  [[nodiscard]] asmjit::x86::Mem element(const Gp& pointer, std::size_t offset) const;

  void load_registers(const Constants& constants);
  void load_tiles(const Constants& constants);
  void load_general(const Constants& constants);
  void restore_general();
  [[nodiscard]] static Gp general(unsigned chain);
  [[nodiscard]] Gp sized(const Gp& of) const;
  void general_body();
  void prologue();
  void epilogue();

  void compute_step(StepKind kind, unsigned chain);
  void dot_step(unsigned chain);
  void compute_body();

  void memory_step(const Step& step, unsigned data, std::size_t offset);
  void straight_body();
  void mix_body();
  void advance_arrays();

  [[nodiscard]] std::size_t traversal_bytes_per_turn() const;
  void traversal_prologue();
  void traversal_body();
  void strided_body();
  void gather_body();
  void gather_one(unsigned number, std::size_t offset);
  void pick_one(unsigned number, std::size_t offset);
  void pick_pair(unsigned target, std::size_t offset);
  void pick_element(unsigned target, std::size_t offset, bool high);
  void chase_body();

  asmjit::x86::Assembler assembler_;
  const Kernel& kernel_;
  Isa isa_;
  Precision precision_;
  const Instructions& instructions_;
  unsigned vector_bytes_;
  bool general_;  ///< uses_general_registers()
};

}  // namespace ridge::bench
