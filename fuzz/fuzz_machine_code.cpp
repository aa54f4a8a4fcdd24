// ELF files and code: everything that is read of them, and what has to hold for whatever was read.
// What begins like an ELF file is one, all else is code.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "machine_code/decode.hpp"
#include "machine_code/dependences.hpp"
#include "machine_code/dominance.hpp"
#include "machine_code/elf_image.hpp"
#include "machine_code/function.hpp"
#include "machine_code/function_ranges.hpp"

using namespace ridge::machine_code;

namespace {

void require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

void check(const Function& function) {
  std::uint64_t at = function.range.begin;
  for (const Instruction& instruction : function.instructions) {
    require(instruction.address == at && instruction.length > 0);
    at = instruction.next();
  }
  require(at == function.range.end);
  std::uint32_t next = 0;
  for (const Block& block : function.blocks) {
    require(block.first == next && block.count > 0);
    next += block.count;
    for (const std::uint32_t successor : block.successors) {
      require(successor < function.blocks.size());
    }
    require(!block.loop || *block.loop < function.loops.size());
  }
  require(next == function.instructions.size());
  const Dominance dominance(function);
  for (const Loop& loop : function.loops) {
    for (const std::uint32_t block : loop.blocks) {
      require(dominance.dominates(loop.header, block));
    }
    for (const std::uint32_t latch : loop.latches) {
      require(std::binary_search(loop.blocks.begin(), loop.blocks.end(), latch));
      static_cast<void>(dominance.run_equally_often(loop.header, latch));
    }
  }
  for (const Dependence& one : dependences(function.instructions)) {
    require(one.carried ? one.writer >= one.reader : one.writer < one.reader);
  }
}

void read_code(std::span<const std::uint8_t> code) {
  const auto function = read_function(Architecture::x86_64, code, 0x400000);
  require(function.has_value());
  check(*function);
  for (std::size_t i = 0; i < std::min<std::size_t>(function->instructions.size(), 8); ++i) {
    const Instruction& at = function->instructions[i];
    const auto text =
        disassemble(Architecture::x86_64, code.subspan(at.address - 0x400000), at.address);
    require(text.has_value() && (*text == "(bad)") == (at.flow == Flow::undecodable));
  }
}

void read_file(std::span<const std::uint8_t> file) {
  const auto image = ElfImage::read(file);
  if (!image) {
    require(!image.error().message.empty());
    return;
  }
  static_cast<void>(image->import_slots());
  const auto ranges = function_ranges(*image);
  for (std::size_t i = 0; ranges && i < ranges->size(); ++i) {
    require((*ranges)[i].begin <= (*ranges)[i].end);
    require(i == 0 || (*ranges)[i - 1].end <= (*ranges)[i].begin);
    if (const auto function = read_function(*image, (*ranges)[i])) {
      check(*function);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span input(data, size);
  if (size > 4 && data[0] == 0x7F && data[1] == 'E') {
    read_file(input);
  } else {
    read_code(input);
  }
  return 0;
}
