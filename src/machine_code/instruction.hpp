// One instruction of a program as a value: where it goes, what it computes, which memory and
// registers it touches.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "machine_code/operation.hpp"
#include "machine_code/register.hpp"

namespace ridge::machine_code {

enum class Flow : std::uint8_t {
  next,
  jump,
  conditional_jump,
  indirect_jump,  ///< through a register or memory
  call,
  indirect_call,
  system_call,  ///< comes back, like a call
  return_,
  trap,         ///< ud2, hlt, int3: does not come back
  undecodable,  ///< one byte that begins no instruction known: a gap, whose work is not known
};

struct MemoryOperand {
  std::uint16_t bytes =
      0;  ///< in all: of every lane of a gather; of one element where it is broadcast
  std::uint8_t lanes = 1;  ///< accesses: one for each element of a gather or scatter
  bool load = false;
  bool store = false;
  bool implicit =
      false;  ///< push, pop, call, return, string instructions: not written as an operand
  bool repeated = false;  ///< rep: `bytes` once for each of rcx turns
  bool masked = false;    ///< only lanes where the instruction's mask is set
  bool broadcast = false;
  bool non_temporal = false;
  bool prefetch = false;  ///< moves no bytes into a register; neither load nor store
  bool on_stack = false;  ///< addressed by stack or frame pointer without an index: a spill, an
                          ///< argument, a local
  bool rip_relative = false;
  bool segment = false;  ///< relative to fs or gs (thread-local): the address is not known
  Register base;         ///< none: absolute, or rip_relative
  Register index;        ///< a vector register for gather and scatter
  std::uint8_t scale = 1;
  std::int64_t displacement = 0;
  std::uint64_t address =
      0;  ///< of rip_relative, and of an absolute one without base and index; else 0

  friend bool operator==(const MemoryOperand&, const MemoryOperand&) = default;
};

/// The mask register of AVX-512 that chooses the lanes. k0 masks nothing and is absent. Masks in
/// vector registers (vmaskmov, gathers of AVX2) are read as registers, and masked is set in the
/// memory operand.
struct Mask {
  Register name;
  bool zeroing = false;

  friend bool operator==(const Mask&, const Mask&) = default;
};

struct Instruction {
  static constexpr std::size_t kOperations = 2;
  static constexpr std::size_t kMemoryOperands = 2;

  std::uint64_t address = 0;
  std::uint64_t target = 0;       ///< of direct jumps and calls, see has_target
  std::uint16_t mnemonic = 0;     ///< of the architecture's decoder: mnemonic_text() spells it
  std::uint16_t vector_bits = 0;  ///< the widest vector register named; 0: none
  std::uint8_t length = 1;
  Flow flow = Flow::next;
  bool has_target = false;
  bool moves = false;  ///< copies or permutes data, computes nothing: loads, stores, moves,
                       ///< shuffles, blends, inserts
  bool breaks_dependence =
      false;  ///< x ^ x, x - x: the result does not depend on x, which is not in `reads`
  std::uint8_t operation_count = 0;
  std::uint8_t memory_count = 0;
  std::array<Operation, kOperations> operation_slots{};
  std::array<MemoryOperand, kMemoryOperands> memory_slots{};
  std::optional<Mask> mask;
  RegisterSet reads;  ///< addresses included; a partial write reads the rest of its register
  RegisterSet address_reads;  ///< those of `reads` that addresses are made of
  RegisterSet writes;

  /// What it computes; empty for moves, jumps and the like.
  [[nodiscard]] std::span<const Operation> operations() const {
    return std::span(operation_slots).first(operation_count);
  }
  [[nodiscard]] std::span<const MemoryOperand> memory() const {
    return std::span(memory_slots).first(memory_count);
  }
  [[nodiscard]] std::uint64_t next() const { return address + length; }
  [[nodiscard]] std::uint64_t flops() const;  ///< all lanes, masked ones too
  [[nodiscard]] std::uint64_t loaded_bytes() const;
  [[nodiscard]] std::uint64_t stored_bytes() const;
  /// Moves a register from or to the frame and does nothing else: what a spill looks like.
  /// Arguments and locals do, too.
  [[nodiscard]] bool may_be_spill() const;
  [[nodiscard]] bool is_call() const { return flow == Flow::call || flow == Flow::indirect_call; }

  friend bool operator==(const Instruction&, const Instruction&) = default;
};

}  // namespace ridge::machine_code
