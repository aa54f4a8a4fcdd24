#include "machine_code/decode.hpp"

#include <Zydis/Zydis.h>

#include <fmt/format.h>

#include "machine_code/x86/decoder.hpp"

namespace ridge::machine_code {
namespace {

Result<void> check(Architecture architecture) {
  if (architecture == Architecture::x86_64) {
    return {};
  }
  return fail(
      ErrorCode::unavailable,
      fmt::format("there is no decoder for the machine code of {} yet", to_string(architecture)),
      "Programs for x86-64 can be read.");
}

}  // namespace

Result<std::vector<Instruction>> decode(Architecture architecture,
                                        std::span<const std::uint8_t> code, std::uint64_t address) {
  return check(architecture).map([&] {
    const x86::Decoder decoder;
    std::vector<Instruction> instructions;
    instructions.reserve(code.size() / 4);
    for (std::size_t offset = 0; offset < code.size(); offset += instructions.back().length) {
      instructions.push_back(decoder.decode(code.subspan(offset), address + offset));
    }
    return instructions;
  });
}

Result<std::string> disassemble(Architecture architecture, std::span<const std::uint8_t> code,
                                std::uint64_t address) {
  return check(architecture).map([&] {
    return code.empty() ? std::string("(bad)") : x86::Decoder().text(code, address);
  });
}

std::string_view mnemonic_text(Architecture architecture, std::uint16_t mnemonic) {
  const char* const text =
      architecture == Architecture::x86_64 && mnemonic <= ZYDIS_MNEMONIC_MAX_VALUE
          ? ZydisMnemonicGetString(static_cast<ZydisMnemonic>(mnemonic))
          : nullptr;
  return text == nullptr ? std::string_view("invalid") : std::string_view(text);
}

}  // namespace ridge::machine_code
