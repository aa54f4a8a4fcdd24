#include "bench/code_decode.hpp"

#include <optional>

#include <fmt/format.h>

namespace ridge::bench {
namespace {

Result<std::vector<Decoded>> decode_all(std::span<const std::uint8_t> code) {
  ZydisDecoder decoder;
  ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  std::vector<Decoded> decoded;
  for (std::size_t offset = 0; offset < code.size();) {
    Decoded& next = decoded.emplace_back();
    next.offset = offset;
    if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code.data() + offset, code.size() - offset,
                                             &next.instruction, next.operands.data()))) {
      return fail(ErrorCode::bad_input,
                  fmt::format("no valid instruction at byte {} of the code", offset));
    }
    offset += next.instruction.length;
  }
  return decoded;
}

struct LoopRange {
  std::size_t begin = 0;  ///< offset of the first instruction
  std::size_t end = 0;    ///< offset behind the jump back
};

std::optional<LoopRange> shortest_loop(const std::vector<Decoded>& code) {
  std::optional<LoopRange> best;
  for (const Decoded& at : code) {
    if (at.instruction.meta.category != ZYDIS_CATEGORY_COND_BR ||
        at.operands[0].type != ZYDIS_OPERAND_TYPE_IMMEDIATE) {
      continue;
    }
    const std::size_t end = at.offset + at.instruction.length;
    const std::int64_t target = static_cast<std::int64_t>(end) + at.operands[0].imm.value.s;
    if (target < 0 || target > static_cast<std::int64_t>(at.offset)) {
      continue;
    }
    const auto begin = static_cast<std::size_t>(target);
    if (!best || end - begin < best->end - best->begin) {
      best = LoopRange{begin, end};
    }
  }
  return best;
}

}  // namespace

Result<std::vector<Decoded>> inner_loop(std::span<const std::uint8_t> code) {
  auto decoded = decode_all(code);
  if (!decoded) {
    return decoded;
  }
  const auto range = shortest_loop(*decoded);
  if (!range) {
    return fail(ErrorCode::bad_input, "the code has no loop");
  }
  std::erase_if(*decoded, [&](const Decoded& at) {
    return at.offset < range->begin || at.offset >= range->end;
  });
  return decoded;
}

}  // namespace ridge::bench
