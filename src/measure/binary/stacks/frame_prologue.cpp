#include "measure/binary/stacks/frame_prologue.hpp"

#include <algorithm>
#include <array>

#include "machine_code/decode.hpp"
#include "measure/binary/code/register_steps.hpp"

namespace ridge::measure::binary {
namespace {

using machine_code::Flow;
using machine_code::Instruction;
using machine_code::MemoryOperand;
using machine_code::Register;
using machine_code::RegisterClass;
using machine_code::RegisterSet;

constexpr std::size_t kLongest = 256;  // bytes
constexpr std::int64_t kWord = 8;

/// Encodings number the first eight otherwise than DWARF does.
std::optional<std::size_t> dwarf_number(Register one) {
  constexpr std::array<std::size_t, 16> kNumbers = {0, 2, 1,  3,  7,  6,  4,  5,
                                                    8, 9, 10, 11, 12, 13, 14, 15};
  if (one.is_none() || one.kind() != RegisterClass::general || one.index() >= kNumbers.size()) {
    return std::nullopt;
  }
  return kNumbers[one.index()];
}

class Prologue {
 public:
  Prologue() { offsets_[kStackPointer] = 0; }

  void run(const Instruction& instruction, std::span<const std::uint8_t> bytes) {
    if (put_aside(instruction)) {
      return;
    }
    ExecutedInstruction executed;
    executed.length = instruction.length;
    std::ranges::copy(bytes.first(std::min(bytes.size(), executed.code.size())),
                      executed.code.begin());
    const auto update = register_update(executed);
    const auto target = update ? dwarf_number(update->target) : std::nullopt;
    const auto base = update ? dwarf_number(update->base) : std::nullopt;
    if (target && base && update->index.is_none() && offsets_.contains(*base)) {
      offsets_[*target] = offsets_[*base] + update->displacement;
      return;
    }
    instruction.writes.for_each([&](Register written) {
      if (const auto number = dwarf_number(written)) {
        offsets_.erase(*number);
      }
    });
  }

  [[nodiscard]] FramePrologue finish() const {
    FramePrologue found;
    if (const auto own = offsets_.find(kStackPointer); own != offsets_.end()) {
      found.pointers.emplace_back(*own);
    }
    for (const auto& pointer : offsets_) {
      if (pointer.first != kStackPointer) {
        found.pointers.emplace_back(pointer);
      }
    }
    found.saved = saved_;
    return found;
  }

 private:
  /// Stores a register into the frame, by push or mov.
  bool put_aside(const Instruction& instruction) {
    if (instruction.memory().size() != 1 || !instruction.memory()[0].store ||
        instruction.memory()[0].bytes != kWord) {
      return false;
    }
    const MemoryOperand& memory = instruction.memory()[0];
    RegisterSet sources = instruction.reads;
    instruction.address_reads.for_each([&](Register one) { sources.remove(one); });
    sources.remove(machine_code::kStackPointer);
    std::optional<std::size_t> source;
    if (sources.size() == 1) {
      sources.for_each([&](Register one) { source = dwarf_number(one); });
    }
    if (memory.implicit) {
      const auto stack = offsets_.find(kStackPointer);
      if (stack == offsets_.end()) {
        return true;
      }
      stack->second -= kWord;
      keep(source, stack->second);
      return true;
    }
    const auto base = dwarf_number(memory.base);
    if (base && memory.index.is_none() && offsets_.contains(*base)) {
      keep(source, offsets_[*base] + memory.displacement);
    }
    return true;
  }

  /// The first time: what comes later may be something else.
  void keep(std::optional<std::size_t> source, std::int64_t offset) {
    if (source && !offsets_.contains(*source)) {
      saved_.emplace(*source, offset);
    }
  }

  std::map<std::size_t, std::int64_t> offsets_;
  std::map<std::size_t, std::int64_t> saved_;
};

}  // namespace

FramePrologue frame_prologue(std::span<const std::uint8_t> code) {
  code = code.first(std::min(code.size(), kLongest));
  const auto decoded = machine_code::decode(machine_code::Architecture::x86_64, code, 0);
  Prologue prologue;
  if (!decoded) {
    return {};
  }
  for (const Instruction& instruction : *decoded) {
    if (instruction.flow != Flow::next) {
      break;
    }
    prologue.run(instruction, code.subspan(instruction.address, instruction.length));
  }
  return prologue.finish();
}

std::vector<FrameStep> steps(const FramePrologue& prologue, const FrameRegisters& registers,
                             const StackMemory& memory) {
  std::vector<FrameStep> found;
  for (const auto& [number, offset] : prologue.pointers) {
    if (!registers[number]) {
      continue;
    }
    const std::uint64_t return_slot = *registers[number] - static_cast<std::uint64_t>(offset);
    const auto return_address = memory.at(return_slot);
    if (!return_address) {
      continue;
    }
    FrameStep step{registers, false, false};
    for (const auto& [saved, at] : prologue.saved) {
      step.caller[saved] = memory.at(return_slot + static_cast<std::uint64_t>(at));
    }
    step.caller[kInstructionPointer] = return_address;
    step.caller[kStackPointer] = return_slot + kWord;
    found.push_back(step);
  }
  return found;
}

}  // namespace ridge::measure::binary
