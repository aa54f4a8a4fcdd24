// How registers that make addresses change from one turn of a loop to the next.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "machine_code/register.hpp"
#include "measure/binary/code/loop_code.hpp"

namespace ridge::measure::binary {

/// target = base + index * scale + displacement; a register that is none is 0.
struct RegisterUpdate {
  machine_code::Register target;
  machine_code::Register base;
  machine_code::Register index;
  std::int64_t scale = 1;
  std::int64_t displacement = 0;

  friend bool operator==(const RegisterUpdate&, const RegisterUpdate&) = default;
};

/// Of add, sub, inc, dec, lea, mov and movsxd between general registers and constants, of 32 or 64
/// bits; nullopt for all else. What an addition wraps to is not seen.
[[nodiscard]] std::optional<RegisterUpdate> register_update(const ExecutedInstruction& executed);

struct RegisterStep {
  enum class Kind {
    unknown,
    constant,  ///< by `step` each turn; 0: it keeps its value
    loaded,    ///< made of what the loop loads at addresses that change
  };
  Kind kind = Kind::unknown;
  std::int64_t step = 0;

  friend bool operator==(const RegisterStep&, const RegisterStep&) = default;
};

/// Of one loop, which must outlive it.
class RegisterSteps {
 public:
  explicit RegisterSteps(const LoopCode& loop);
  /// Of a register that is none: it keeps its value.
  [[nodiscard]] RegisterStep of(machine_code::Register wanted);

 private:
  using Writers = std::vector<const LoopInstruction*>;

  [[nodiscard]] RegisterStep find(machine_code::Register wanted);
  [[nodiscard]] std::optional<RegisterStep> of_additions(machine_code::Register wanted) const;
  [[nodiscard]] bool loads_at_changing_address(const LoopInstruction& one) const;
  [[nodiscard]] RegisterStep of_computed(const LoopInstruction& writer,
                                         machine_code::Register wanted);

  const LoopCode& loop_;
  std::array<Writers, machine_code::kRegisters> writers_;
  /// What is being looked for is not known, so that cycles end.
  std::array<std::optional<RegisterStep>, machine_code::kRegisters> known_;
};

/// Of the frame: a spill, an argument, a local variable; not what an ordinary pointer in the frame
/// pointer's register addresses.
[[nodiscard]] bool is_frame(const LoopCode& loop, const machine_code::MemoryOperand& operand);

}  // namespace ridge::measure::binary
