#include "measure/binary/stacks/call_stack.hpp"

#include <algorithm>

#include "measure/binary/stacks/frame_prologue.hpp"

namespace ridge::measure::binary {
namespace {

constexpr std::size_t kMostFrames = 256;
constexpr std::size_t kLongestCall = 7;

/// Bytes of `call *operand`, by its ModRM and SIB bytes.
std::size_t indirect_length(std::uint8_t modrm, std::uint8_t sib) {
  const unsigned mode = modrm >> 6U;
  const unsigned base = modrm & 7U;
  if (mode == 3) {
    return 2;
  }
  const bool has_sib = base == 4;
  const bool has_wide_offset =
      mode == 2 || (mode == 0 && (base == 5 || (has_sib && (sib & 7U) == 5)));
  return 2 + (has_sib ? 1U : 0U) + (has_wide_offset ? 4U : mode == 1 ? 1U : 0U);
}

}  // namespace

bool ends_with_call(std::span<const std::uint8_t> code) {
  constexpr std::size_t kDirectLength = 5;
  constexpr std::uint8_t kDirect = 0xE8;
  constexpr std::uint8_t kIndirect = 0xFF;
  if (code.size() >= kDirectLength && code[code.size() - kDirectLength] == kDirect) {
    return true;
  }
  for (std::size_t length = 2; length <= std::min(kLongestCall, code.size()); ++length) {
    const auto call = code.last(length);
    const std::uint8_t sib = length > 2 ? call[2] : 0;
    if (call[0] == kIndirect && (call[1] >> 3U & 7U) == 2 &&
        indirect_length(call[1], sib) == length) {
      return true;
    }
  }
  return false;
}

const StackUnwinder::Module& StackUnwinder::module_of(std::string_view path) {
  auto known = modules_.find(path);
  if (known == modules_.end()) {
    std::string name(path);
    const auto* image = files_.image(name);
    auto module = std::make_unique<Module>(Module{FrameRules(files_.file(name).bytes), {}});
    if (image != nullptr) {
      module->functions = image->function_symbols();
    }
    known = modules_.emplace(std::move(name), std::move(module)).first;
  }
  return *known->second;
}

bool StackUnwinder::is_return_address(std::uint64_t address, const CodeLookup& lookup) {
  const auto code = lookup(address);
  if (!code) {
    return false;
  }
  const auto file = files_.file(std::string(code->path)).bytes;
  if (code->offset > file.size()) {
    return false;
  }
  const std::uint64_t length = std::min<std::uint64_t>(code->offset, kLongestCall);
  return ends_with_call(file.subspan(code->offset - length, length));
}

tl::expected<FrameStep, NoStep> StackUnwinder::by_rules(const Frame& frame,
                                                        const StackMemory& memory,
                                                        const CodeLookup& lookup) {
  const auto address = files_.address_of(std::string(frame.code.path), frame.code.offset);
  if (!address) {
    return tl::make_unexpected(NoStep::no_rule);
  }
  auto step = module_of(frame.code.path).rules.step(*address, frame.registers, memory);
  if (step && !step->is_outermost && !step->is_interrupted &&
      !is_return_address(*step->caller[kInstructionPointer], lookup)) {
    return tl::make_unexpected(NoStep::no_rule);
  }
  return step;
}

std::optional<FrameStep> StackUnwinder::by_prologue(const Frame& frame, const StackMemory& memory,
                                                    const CodeLookup& lookup) {
  const std::string path(frame.code.path);
  const auto address = files_.address_of(path, frame.code.offset);
  const auto* image = files_.image(path);
  const auto& functions = module_of(path).functions;
  const auto behind = std::ranges::upper_bound(functions, address.value_or(0), {},
                                               &machine_code::FunctionSymbol::address);
  if (!address || image == nullptr || behind == functions.begin()) {
    return std::nullopt;
  }
  const std::uint64_t begin = std::prev(behind)->address;
  const auto code = image->bytes_from(begin);
  const std::uint64_t ran = std::min<std::uint64_t>(*address - begin, code.size());
  for (const FrameStep& step : steps(frame_prologue(code.first(ran)), frame.registers, memory)) {
    if (is_return_address(*step.caller[kInstructionPointer], lookup)) {
      return step;
    }
  }
  return std::nullopt;
}

tl::expected<FrameStep, NoStep> StackUnwinder::step(const Frame& frame, const StackMemory& memory,
                                                    const CodeLookup& lookup) {
  auto step = by_rules(frame, memory, lookup);
  if (step || step.error() == NoStep::not_copied) {
    return step;
  }
  const auto found = by_prologue(frame, memory, lookup);
  return found ? tl::expected<FrameStep, NoStep>(*found) : step;
}

std::vector<CodeAt> StackUnwinder::unwind(const SampledStack& stack, const CodeLookup& lookup) {
  std::vector<CodeAt> frames;
  Frame frame;
  std::ranges::copy(stack.registers, frame.registers.begin());
  const StackMemory memory{stack.registers[kStackPointer], stack.words};
  std::optional<CodeAt> code = lookup(stack.registers[kInstructionPointer]);
  while (code && frames.size() < kMostFrames) {
    frames.push_back(*code);
    frame.code = *code;
    const auto step = this->step(frame, memory, lookup);
    if (!step || step->is_outermost ||
        *step->caller[kStackPointer] <= frame.registers[kStackPointer].value_or(0)) {
      break;
    }
    frame.registers = step->caller;
    code = lookup(*step->caller[kInstructionPointer]);
    if (code && !step->is_interrupted && code->offset > 0) {
      --code->offset;  // into the call, which may be the last instruction of its function
    }
  }
  return frames;
}

}  // namespace ridge::measure::binary
