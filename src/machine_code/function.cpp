#include "machine_code/function.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "machine_code/blocks.hpp"
#include "machine_code/decode.hpp"
#include "machine_code/landing_pads.hpp"
#include "machine_code/loops.hpp"
#include "machine_code/x86/jump_tables.hpp"

namespace ridge::machine_code {
namespace {

/// Of all jump tables of one function; those beyond count as unknown.
constexpr std::size_t kMostTargets = std::size_t{1} << 20;

Result<Function> take_apart(Architecture architecture, std::span<const std::uint8_t> code,
                            std::uint64_t address, const Surroundings& surroundings) {
  return decode(architecture, code, address).map([&](std::vector<Instruction> instructions) {
    Function function;
    function.range = {address, address + code.size()};
    function.instructions = std::move(instructions);
    add_blocks(function, surroundings);
    add_loops(function);
    return function;
  });
}

}  // namespace

std::optional<std::uint32_t> Function::block_at(std::uint64_t address) const {
  const auto behind =
      std::upper_bound(blocks.begin(), blocks.end(), address,
                       [&](std::uint64_t at, const Block& block) { return at < begin_of(block); });
  if (behind == blocks.begin() || !range.contains(address)) {
    return std::nullopt;
  }
  return static_cast<std::uint32_t>(behind - blocks.begin() - 1);
}

Result<Function> read_function(const ElfImage& image, const FunctionRange& range) {
  const auto code =
      range.end < range.begin ? std::nullopt : image.bytes_at(range.begin, range.end - range.begin);
  if (!code) {
    return fail(ErrorCode::bad_input,
                fmt::format("the file has no code at {:#x} to {:#x}", range.begin, range.end));
  }
  Surroundings surroundings;
  surroundings.landing_pads = landing_pads(image, range);
  // Tables may overlap, so that few bytes could hold any number of targets.
  std::size_t left = kMostTargets;
  surroundings.jump_targets = [&](const std::vector<Instruction>& instructions,
                                  std::uint32_t jump) {
    auto targets = left == 0 ? std::vector<std::uint64_t>{}
                             : x86::jump_table_targets(image, instructions, jump);
    if (targets.size() > left) {
      targets.clear();
    }
    left -= targets.size();
    return targets;
  };
  return take_apart(image.architecture(), *code, range.begin, surroundings)
      .map([&](Function function) {
        function.name = range.name;
        return function;
      });
}

Result<Function> read_function(Architecture architecture, std::span<const std::uint8_t> code,
                               std::uint64_t address) {
  return take_apart(architecture, code, address, {});
}

}  // namespace ridge::machine_code
