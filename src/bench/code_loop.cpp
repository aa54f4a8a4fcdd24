#include "bench/code_loop.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "machine_code/decode.hpp"

namespace ridge::bench {
namespace {

using machine_code::Flow;
using machine_code::Instruction;

Result<std::vector<Instruction>> decode_all(std::span<const std::uint8_t> code) {
  auto decoded = machine_code::decode(machine_code::Architecture::x86_64, code, 0);
  if (!decoded) {
    return decoded;
  }
  const auto gap = std::find_if(decoded->begin(), decoded->end(),
                                [](const Instruction& at) { return at.flow == Flow::undecodable; });
  if (gap != decoded->end()) {
    return fail(ErrorCode::bad_input,
                fmt::format("no valid instruction at byte {} of the code", gap->address));
  }
  return decoded;
}

struct LoopRange {
  std::uint64_t begin = 0;  ///< offset of the first instruction
  std::uint64_t end = 0;    ///< offset behind the jump back
};

std::optional<LoopRange> shortest_loop(const std::vector<Instruction>& code) {
  std::optional<LoopRange> best;
  for (const Instruction& at : code) {
    if (at.flow != Flow::conditional_jump || !at.has_target || at.target > at.address) {
      continue;
    }
    if (!best || at.next() - at.target < best->end - best->begin) {
      best = LoopRange{at.target, at.next()};
    }
  }
  return best;
}

}  // namespace

Result<std::vector<Instruction>> inner_loop(std::span<const std::uint8_t> code) {
  auto decoded = decode_all(code);
  if (!decoded) {
    return decoded;
  }
  const auto range = shortest_loop(*decoded);
  if (!range) {
    return fail(ErrorCode::bad_input, "the code has no loop");
  }
  std::erase_if(*decoded, [&](const Instruction& at) {
    return at.address < range->begin || at.address >= range->end;
  });
  return decoded;
}

}  // namespace ridge::bench
