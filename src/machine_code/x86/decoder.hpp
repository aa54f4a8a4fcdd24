// One instruction of x86-64 at a time, by Zydis.
#pragma once

#include <Zydis/Zydis.h>
#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "machine_code/instruction.hpp"

namespace ridge::machine_code::x86 {

class Decoder {
 public:
  Decoder();
  /// `code` holds at least one byte.
  [[nodiscard]] Instruction decode(std::span<const std::uint8_t> code, std::uint64_t address) const;
  [[nodiscard]] std::string text(std::span<const std::uint8_t> code, std::uint64_t address) const;

 private:
  ZydisDecoder decoder_;
};

}  // namespace ridge::machine_code::x86
