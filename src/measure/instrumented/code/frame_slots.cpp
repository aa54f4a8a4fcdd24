#include "measure/instrumented/code/frame_slots.hpp"

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

namespace ridge::measure {
namespace {

using machine_code::Block;
using machine_code::Function;
using machine_code::Instruction;
using machine_code::kFramePointer;
using machine_code::kStackPointer;
using machine_code::MemoryOperand;
using machine_code::Register;
using machine_code::RegisterClass;
using machine_code::RegisterSet;

/// General registers, one bit each.
using Generals = std::uint32_t;

constexpr Generals kAll = ~Generals{0};

constexpr Generals bit(Register one) {
  return one.is_none() || one.kind() != RegisterClass::general ? 0 : Generals{1} << one.index();
}

/// rbx, rbp, r12 to r15: a callee gives them back (System V ABI for x86-64, 3.2.1).
constexpr Generals kKeptByCalls = 1U << 3U | 1U << 5U | 0xFU << 12U;
constexpr Generals kResultOfCall = 1U;
constexpr Generals kAddressesOfFrame = bit(kStackPointer) | bit(kFramePointer);

Generals generals(const RegisterSet& set) {
  Generals found = 0;
  set.for_each([&](Register one) { found |= bit(one); });
  return found;
}

/// What flows into the result, apart from what addresses are made of.
Generals data_of(const Instruction& instruction) {
  return generals(instruction.reads) & ~generals(instruction.address_reads);
}

bool is_explicit(const MemoryOperand& operand) {
  return !operand.implicit && (operand.load || operand.store);
}

/// Whether the frame pointer points into the frame (mov rbp, rsp), rather than being a register
/// like any other.
bool keeps_frame_pointer(const Function& function) {
  return std::any_of(function.instructions.begin(), function.instructions.end(),
                     [](const Instruction& at) {
                       return at.moves && at.memory().empty() &&
                              at.writes.contains(kFramePointer) && at.reads.contains(kStackPointer);
                     });
}

}  // namespace

/// Which slots hold what Ridge added, by a walk over the function that assumes it of all of them
/// and takes back what it finds to be wrong, until nothing changes.
class FrameSlots::OwnSlots {
 public:
  OwnSlots(const Function& function, const std::vector<bool>& is_own, FrameSlots& slots)
      : function_(function),
        is_own_(is_own),
        slots_(slots),
        entered_with_(function.blocks.size(), kAll) {}

  void mark() {
    for (Slot& slot : slots_.slots_) {
      slot.is_own = slot.stored;
    }
    do {
      follow_registers();
    } while (take_back_stores());
    mark_counters();
  }

 private:
  [[nodiscard]] std::optional<std::size_t> slot_loaded(const Instruction& at) const {
    for (const MemoryOperand& operand : at.memory()) {
      if (is_explicit(operand) && operand.load && !operand.store) {
        return slots_.find(operand);
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] bool result_is_own(const Instruction& at, bool in_own_block, Generals own) const {
    if (const auto slot = slot_loaded(at); slot && at.moves) {
      return slots_.slots_[*slot].is_own;
    }
    if (at.moves && at.memory().empty()) {
      const Generals source = data_of(at);
      return source != 0 ? (source & ~own) == 0 : in_own_block;
    }
    return in_own_block;
  }

  /// Registers with values of Ridge's behind `at`.
  [[nodiscard]] Generals behind(const Instruction& at, bool in_own_block, Generals own) const {
    if (at.is_call()) {
      return (own & kKeptByCalls) | (in_own_block ? kResultOfCall : 0);
    }
    const Generals written = generals(at.writes);
    if (written == 0) {
      return own;
    }
    const Generals free = slots_.has_frame_pointer_ ? ~kAddressesOfFrame : ~bit(kStackPointer);
    return (own & ~written) | (result_is_own(at, in_own_block, own) ? written & free : 0);
  }

  template <class Visit>
  void walk(std::uint32_t block, Visit visit) const {
    Generals own = entered_with_[block];
    const auto instructions = function_.instructions_of(function_.blocks[block]);
    for (std::size_t i = 0; i < instructions.size(); ++i) {
      visit(instructions, i, own);
      own = behind(instructions[i], is_own_[block], own);
    }
  }

  void follow_registers() {
    std::fill(entered_with_.begin(), entered_with_.end(), kAll);
    for (std::uint32_t i = 0; i < function_.blocks.size(); ++i) {
      const Block& block = function_.blocks[i];
      if (i == 0 || block.entered_from_elsewhere || block.predecessors.empty()) {
        entered_with_[i] = 0;
      }
    }
    std::vector<std::uint32_t> pending;
    for (auto i = static_cast<std::uint32_t>(function_.blocks.size()); i > 0; --i) {
      pending.push_back(i - 1);
    }
    while (!pending.empty()) {
      const std::uint32_t at = pending.back();
      pending.pop_back();
      Generals own = entered_with_[at];
      for (const Instruction& instruction : function_.instructions_of(function_.blocks[at])) {
        own = behind(instruction, is_own_[at], own);
      }
      for (const std::uint32_t next : function_.blocks[at].successors) {
        if ((entered_with_[next] & ~own) != 0) {
          entered_with_[next] &= own;
          pending.push_back(next);
        }
      }
    }
  }

  /// A slot is Ridge's only if nothing else is stored to it. True where one was not.
  bool take_back_stores() {
    bool changed = false;
    for (std::uint32_t i = 0; i < function_.blocks.size(); ++i) {
      walk(i, [&](std::span<const Instruction> instructions, std::size_t at, Generals own) {
        const Instruction& instruction = instructions[at];
        for (const MemoryOperand& operand : instruction.memory()) {
          const auto slot =
              is_explicit(operand) && operand.store ? slots_.find(operand) : std::nullopt;
          if (!slot || !slots_.slots_[*slot].is_own) {
            continue;
          }
          const Generals source = data_of(instruction);
          const bool stores_own = instruction.moves && instruction.vector_bits == 0 &&
                                  (source != 0 ? (source & ~own) == 0 : is_own_[i]);
          slots_.slots_[*slot].is_own = stores_own;
          changed = changed || !stores_own;
        }
      });
    }
    return changed;
  }

  /// How the value that an instruction loads is used.
  struct Uses {
    bool by_ridge = false;    ///< added where a pointer of Ridge's leads
    bool put_back = false;    ///< raised and stored again
    bool by_program = false;  ///< anything else
  };

  /// In the registers `loaded` behind the first of `instructions`, until the end of the block, or
  /// until another value takes its place.
  [[nodiscard]] Uses uses_of(std::span<const Instruction> instructions, bool in_own_block,
                             Generals own, Generals loaded, std::size_t slot) const {
    Uses uses;
    for (std::size_t i = 1; i < instructions.size(); ++i) {
      own = behind(instructions[i - 1], in_own_block, own);
      const Instruction& instruction = instructions[i];
      const bool reads = (generals(instruction.reads) & loaded) != 0;
      const bool writes = (generals(instruction.writes) & loaded) != 0;
      if (reads) {
        add_use(instruction, own, slot, writes, uses);
      }
      if (uses.by_program || (writes && !reads) ||
          (instruction.is_call() && (loaded & kKeptByCalls) == 0)) {
        break;
      }
    }
    return uses;
  }

  void add_use(const Instruction& at, Generals own, std::size_t slot, bool writes,
               Uses& uses) const {
    for (const MemoryOperand& operand : at.memory()) {
      if (is_explicit(operand) && operand.store) {
        const bool to_ridge = (bit(operand.base) & own) != 0;
        const bool to_slot = slots_.find(operand) == slot;
        uses.by_ridge = uses.by_ridge || to_ridge;
        uses.put_back = uses.put_back || to_slot;
        uses.by_program = uses.by_program || !(to_ridge || to_slot);
        return;
      }
    }
    // inc rax, add rax, 1, lea rax, [rax+1]: a counter that goes on.
    uses.by_program = uses.by_program || !writes;
  }

  /// Slots of counters: what is loaded is added for Ridge, and nothing else is done with it.
  void mark_counters() {
    std::vector<Uses> uses(slots_.slots_.size());
    for (std::uint32_t i = 0; i < function_.blocks.size(); ++i) {
      walk(i, [&](std::span<const Instruction> instructions, std::size_t at, Generals own) {
        const Instruction& instruction = instructions[at];
        const auto slot = slot_loaded(instruction);
        if (!slot) {
          return;
        }
        const Generals loaded = generals(instruction.writes);
        if (!instruction.moves || loaded == 0) {
          uses[*slot].by_program = true;
          return;
        }
        const Uses here = uses_of(instructions.subspan(at), is_own_[i], own, loaded, *slot);
        const bool by_program = here.by_program || !(here.by_ridge || here.put_back);
        uses[*slot].by_ridge = uses[*slot].by_ridge || here.by_ridge;
        uses[*slot].by_program = uses[*slot].by_program || by_program;
      });
    }
    for (std::size_t i = 0; i < uses.size(); ++i) {
      Slot& slot = slots_.slots_[i];
      slot.is_own = slot.is_own || (uses[i].by_ridge && !uses[i].by_program);
    }
  }

  const Function& function_;
  const std::vector<bool>& is_own_;
  FrameSlots& slots_;
  std::vector<Generals> entered_with_;  ///< by block: registers with values of Ridge's
};

FrameSlots::FrameSlots(const Function& function, const std::vector<bool>& is_own)
    : has_frame_pointer_(keeps_frame_pointer(function)) {
  find_slots(function);
  if (!slots_.empty()) {
    OwnSlots(function, is_own, *this).mark();
  }
}

/// Accesses that overlap are of one slot.
void FrameSlots::find_slots(const Function& function) {
  std::vector<Slot> all;
  for (const Instruction& instruction : function.instructions) {
    for (const MemoryOperand& operand : instruction.memory()) {
      const bool by_frame_pointer = operand.base == kFramePointer;
      if (is_explicit(operand) && operand.on_stack && (!by_frame_pointer || has_frame_pointer_)) {
        all.push_back({by_frame_pointer, operand.displacement, operand.displacement + operand.bytes,
                       operand.load, operand.store, false});
      }
    }
  }
  std::sort(all.begin(), all.end(), [](const Slot& a, const Slot& b) {
    return std::tie(a.by_frame_pointer, a.begin) < std::tie(b.by_frame_pointer, b.begin);
  });
  for (const Slot& slot : all) {
    if (slots_.empty() || slots_.back().by_frame_pointer != slot.by_frame_pointer ||
        slots_.back().end <= slot.begin) {
      slots_.push_back(slot);
      continue;
    }
    Slot& last = slots_.back();
    last.end = std::max(last.end, slot.end);
    last.loaded = last.loaded || slot.loaded;
    last.stored = last.stored || slot.stored;
  }
}

std::optional<std::size_t> FrameSlots::find(const MemoryOperand& operand) const {
  const bool by_frame_pointer = operand.base == kFramePointer;
  if (!operand.on_stack || (by_frame_pointer && !has_frame_pointer_)) {
    return std::nullopt;
  }
  const auto after = std::upper_bound(
      slots_.begin(), slots_.end(), std::pair(by_frame_pointer, operand.displacement),
      [](const auto& wanted, const Slot& slot) {
        return wanted < std::pair(slot.by_frame_pointer, slot.begin);
      });
  if (after == slots_.begin() || std::prev(after)->by_frame_pointer != by_frame_pointer ||
      std::prev(after)->end <= operand.displacement) {
    return std::nullopt;
  }
  return static_cast<std::size_t>(std::prev(after) - slots_.begin());
}

Traffic FrameSlots::moved_by(const Instruction& instruction) const {
  Traffic moved;
  for (const MemoryOperand& operand : instruction.memory()) {
    const auto slot = is_explicit(operand) ? find(operand) : std::nullopt;
    if (!slot || slots_[*slot].is_own || !slots_[*slot].loaded || !slots_[*slot].stored) {
      continue;
    }
    moved.read += operand.load ? operand.bytes : 0U;
    moved.written += operand.store ? operand.bytes : 0U;
  }
  return moved;
}

}  // namespace ridge::measure
