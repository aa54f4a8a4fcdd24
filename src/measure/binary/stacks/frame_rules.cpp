#include "measure/binary/stacks/frame_rules.hpp"

#include <array>
#include <cstdlib>
#include <elfutils/libdw.h>
#include <memory>
#include <utility>

#include "measure/binary/stacks/frame_expression.hpp"

namespace ridge::measure::binary {
namespace {

using Frame = std::unique_ptr<Dwarf_Frame, decltype(&std::free)>;

Frame frame_at(Dwarf_CFI* rules, std::uint64_t address) {
  Dwarf_Frame* frame = nullptr;
  if (rules == nullptr || dwarf_cfi_addrframe(rules, address, &frame) != 0) {
    frame = nullptr;
  }
  return {frame, &std::free};
}

std::optional<std::uint64_t> frame_address(Dwarf_Frame* frame, const FrameRegisters& registers,
                                           const StackMemory& memory) {
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  if (dwarf_frame_cfa(frame, &operations, &count) != 0 || count == 0) {
    return std::nullopt;
  }
  const auto found = evaluate({operations, count}, registers, memory, std::nullopt);
  return found ? std::optional(found->value) : std::nullopt;
}

/// What a register was in the caller.
struct CallerRegister {
  std::optional<std::uint64_t> value;
  bool is_undefined = false;  ///< by the rules: of the return address it means that nobody called
};

CallerRegister caller_register(Dwarf_Frame* frame, std::size_t number, std::uint64_t cfa,
                               const FrameRegisters& registers, const StackMemory& memory) {
  std::array<Dwarf_Op, 3> room{};
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  if (dwarf_frame_register(frame, static_cast<int>(number), room.data(), &operations, &count) !=
      0) {
    return {};
  }
  if (count == 0) {
    const bool is_kept = operations == nullptr;
    return {is_kept ? registers[number] : std::nullopt, !is_kept};
  }
  const auto found = evaluate({operations, count}, registers, memory, cfa);
  if (!found) {
    return {};
  }
  return {found->is_address ? memory.at(found->value) : std::optional(found->value), false};
}

/// Frames are not larger than that, and what points elsewhere is no frame.
constexpr std::uint64_t kLargestFrame = 16U << 20U;

bool lies_beyond(std::uint64_t cfa, const StackMemory& memory) {
  const std::uint64_t end = memory.begin + 8 * memory.words.size();
  return cfa >= end && cfa - end < kLargestFrame;
}

}  // namespace

FrameRules::FrameRules(std::span<const std::uint8_t> file) {
  elf_version(EV_CURRENT);
  if (!file.empty()) {
    // libelf takes the bytes as writable and does not write to them.
    auto* bytes = reinterpret_cast<char*>(const_cast<std::uint8_t*>(file.data()));
    elf_ = elf_memory(bytes, file.size());
  }
  rules_ = elf_ != nullptr ? dwarf_getcfi_elf(elf_) : nullptr;
}

FrameRules::FrameRules(FrameRules&& other) noexcept
    : elf_(std::exchange(other.elf_, nullptr)), rules_(std::exchange(other.rules_, nullptr)) {}

FrameRules& FrameRules::operator=(FrameRules&& other) noexcept {
  std::swap(elf_, other.elf_);
  std::swap(rules_, other.rules_);
  return *this;
}

FrameRules::~FrameRules() {
  if (rules_ != nullptr) {
    dwarf_cfi_end(rules_);
  }
  elf_end(elf_);
}

tl::expected<FrameStep, NoStep> FrameRules::step(std::uint64_t address,
                                                 const FrameRegisters& registers,
                                                 const StackMemory& memory) const {
  const Frame frame = frame_at(rules_, address);
  const auto cfa = frame ? frame_address(frame.get(), registers, memory) : std::nullopt;
  if (!cfa) {
    return tl::make_unexpected(NoStep::no_rule);
  }
  FrameStep step;
  (void)dwarf_frame_info(frame.get(), nullptr, nullptr, &step.is_interrupted);
  for (std::size_t number = 0; number < kStackRegisters; ++number) {
    const CallerRegister found = caller_register(frame.get(), number, *cfa, registers, memory);
    step.caller[number] = found.value;
    if (number == kInstructionPointer && found.is_undefined) {
      step.is_outermost = true;
      return step;
    }
  }
  if (!step.caller[kInstructionPointer]) {
    return tl::make_unexpected(lies_beyond(*cfa, memory) ? NoStep::not_copied : NoStep::no_rule);
  }
  step.caller[kStackPointer] = *cfa;
  return step;
}

}  // namespace ridge::measure::binary
