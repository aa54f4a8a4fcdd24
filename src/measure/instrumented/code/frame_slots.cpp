#include "measure/instrumented/code/frame_slots.hpp"

#include <algorithm>
#include <set>
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
  OwnSlots(const Function& function, const std::vector<bool>& is_own, const FrameSlots& slots)
      : function_(function),
        is_own_(is_own),
        slots_(slots),
        entered_with_(function.blocks.size(), kAll) {}

  /// Takes into account what spilled bytes leave open (docs/decisions/0227): the way into the
  /// version for traffic puts arguments back where the caller had them, and padding in front of a
  /// loop has no way in and never runs.
  void look_closely() {
    looks_closely_ = true;
    arguments_from_ = first_argument();
  }

  /// Marks those of `slots`, which are those that this was made with.
  void mark(std::vector<Slot>& slots) {
    for (Slot& slot : slots) {
      slot.is_own = slot.stored && !(arguments_from_ && slot.begin >= *arguments_from_);
    }
    do {
      follow_registers();
    } while (take_back_stores(slots));
    mark_counters(slots);
  }

  /// Once the slots are marked.
  [[nodiscard]] std::set<std::uint64_t> own_accesses() {
    follow_registers();
    std::set<std::uint64_t> found;
    for (std::uint32_t i = 0; i < function_.blocks.size(); ++i) {
      walk(i, [&](std::span<const Instruction> instructions, std::size_t at, Generals own) {
        const auto memory = instructions[at].memory();
        if (std::any_of(memory.begin(), memory.end(), [&](const MemoryOperand& operand) {
              return is_explicit(operand) && (bit(operand.base) & own) != 0;
            })) {
          found.insert(instructions[at].address);
        }
      });
    }
    return found;
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

  /// The lowest place that the first block loads before it stores there: arguments lie above
  /// everything else in the frame.
  [[nodiscard]] std::optional<std::int64_t> first_argument() const {
    std::optional<std::int64_t> first;
    std::set<std::size_t> stored;
    for (const Instruction& at : function_.instructions_of(function_.blocks.front())) {
      for (const MemoryOperand& operand : at.memory()) {
        const auto slot = is_explicit(operand) ? slots_.find(operand) : std::nullopt;
        if (slot && operand.load && !stored.contains(*slot) &&
            !slots_.slots_[*slot].by_frame_pointer) {
          first = std::min(first.value_or(operand.displacement), operand.displacement);
        }
        if (slot && operand.store) {
          stored.insert(*slot);
        }
      }
    }
    return first;
  }

  /// What is computed from a value of Ridge's, or loaded from where it leads, is one: the program
  /// uses none of them.
  [[nodiscard]] bool result_is_own(const Instruction& at, bool in_own_block, Generals own) const {
    if (const auto slot = slot_loaded(at); slot && at.moves) {
      return slots_.slots_[*slot].is_own;
    }
    const bool copies = at.moves && at.memory().empty() && data_of(at) != 0;
    return (generals(at.reads) & own) != 0 || (in_own_block && !copies);
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
      const bool is_padding = !block.entered_from_elsewhere && block.predecessors.empty();
      if (i == 0 || block.entered_from_elsewhere || (is_padding && !looks_closely_)) {
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
  bool take_back_stores(std::vector<Slot>& slots) {
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
          slots[*slot].is_own = stores_own;
          changed = changed || !stores_own;
        }
      });
    }
    return changed;
  }

  /// How the values that are loaded from a slot are used.
  struct Uses {
    bool by_ridge = false;           ///< added where a pointer of Ridge's leads
    bool by_program = false;         ///< anything else but that and
    std::set<std::size_t> put_into;  ///< stored, as they are or raised: slots
  };

  /// Of the value in the registers `held` behind the first of `instructions`, and of what is
  /// computed from it, to the end of the block.
  void add_uses(std::span<const Instruction> instructions, bool in_own_block, Generals own,
                Generals held, Uses& uses) const {
    bool is_kept = false;
    for (std::size_t i = 1; i < instructions.size() && held != 0 && !uses.by_program; ++i) {
      own = behind(instructions[i - 1], in_own_block, own);
      const Instruction& instruction = instructions[i];
      const Generals written = generals(instruction.writes);
      if ((generals(instruction.reads) & held) == 0) {
        held &= ~(instruction.is_call() ? ~kKeptByCalls : written);
        continue;
      }
      if (const auto stored = stored_operand(instruction)) {
        const auto slot = slots_.find(*stored);
        const bool to_ridge = (bit(stored->base) & own) != 0;
        is_kept = is_kept || slot || to_ridge;
        uses.by_ridge = uses.by_ridge || to_ridge;
        uses.by_program = (generals(instruction.address_reads) & held) != 0 || !(slot || to_ridge);
        if (slot) {
          uses.put_into.insert(*slot);
        }
      } else {
        // inc rax, add rax, 1, lea rdx, [rax+1]: a counter that goes on.
        uses.by_program = written == 0 || (generals(instruction.address_reads) & held) != 0;
        held |= written;
      }
    }
    uses.by_program = uses.by_program || !is_kept;
  }

  [[nodiscard]] static const MemoryOperand* stored_operand(const Instruction& at) {
    for (const MemoryOperand& operand : at.memory()) {
      if (is_explicit(operand) && operand.store) {
        return &operand;
      }
    }
    return nullptr;
  }

  [[nodiscard]] std::vector<Uses> uses_of_slots() const {
    std::vector<Uses> uses(slots_.slots_.size());
    for (std::uint32_t i = 0; i < function_.blocks.size(); ++i) {
      walk(i, [&](std::span<const Instruction> instructions, std::size_t at, Generals own) {
        if (const auto slot = slot_loaded(instructions[at])) {
          add_uses(instructions.subspan(at), is_own_[i], own, generals(instructions[at].writes),
                   uses[*slot]);
        }
      });
    }
    return uses;
  }

  /// Slots of counters: what is loaded is added for Ridge, perhaps by way of another such slot, and
  /// nothing else is done with it.
  void mark_counters(std::vector<Slot>& slots) const {
    const std::vector<Uses> uses = uses_of_slots();
    std::vector<bool> may_count(uses.size());
    std::vector<bool> counts(uses.size());
    for (std::size_t i = 0; i < uses.size(); ++i) {
      may_count[i] = !uses[i].by_program;
    }
    // First without those whose value comes to the program by way of another slot ...
    settle(may_count, [&](std::size_t i) {
      return may_count[i] && std::all_of(uses[i].put_into.begin(), uses[i].put_into.end(),
                                         [&](std::size_t into) { return may_count[into]; });
    });
    // ... then those whose value comes to Ridge.
    settle(counts, [&](std::size_t i) {
      return may_count[i] &&
             (uses[i].by_ridge || std::any_of(uses[i].put_into.begin(), uses[i].put_into.end(),
                                              [&](std::size_t into) { return counts[into]; }));
    });
    for (std::size_t i = 0; i < uses.size(); ++i) {
      slots[i].is_own = slots[i].is_own || counts[i];
    }
  }

  template <class Value>
  static void settle(std::vector<bool>& values, Value value) {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < values.size(); ++i) {
        const bool now = value(i);
        changed = changed || now != values[i];
        values[i] = now;
      }
    }
  }

  const Function& function_;
  const std::vector<bool>& is_own_;
  const FrameSlots& slots_;
  bool looks_closely_ = false;
  std::optional<std::int64_t> arguments_from_;
  std::vector<Generals> entered_with_;  ///< by block: registers with values of Ridge's
};

FrameSlots::FrameSlots(const Function& function, const std::vector<bool>& is_own)
    : has_frame_pointer_(keeps_frame_pointer(function)) {
  find_slots(function);
  if (!slots_.empty()) {
    OwnSlots(function, is_own, *this).mark(slots_);
  }
}

std::set<std::uint64_t> FrameSlots::own_accesses(const Function& function,
                                                 const std::vector<bool>& is_own) const {
  FrameSlots slots = *this;
  OwnSlots own(function, is_own, slots);
  own.look_closely();
  own.mark(slots.slots_);
  return own.own_accesses();
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
