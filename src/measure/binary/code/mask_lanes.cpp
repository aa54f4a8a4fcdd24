#include "measure/binary/code/mask_lanes.hpp"

#include <array>
#include <charconv>
#include <string_view>
#include <utility>

#include "machine_code/decode.hpp"

namespace ridge::measure::binary {
namespace {

using machine_code::Instruction;
using machine_code::MemoryOperand;

bool is_gather(const Instruction& instruction) {
  return instruction.memory_count == 1 && !instruction.memory_slots[0].index.is_none() &&
         instruction.memory_slots[0].index.kind() == machine_code::RegisterClass::vector;
}

/// Of a letter that names integers; 0 for others.
unsigned bits_of(char letter) {
  switch (letter) {
    case 'b':
      return 8;
    case 'w':
      return 16;
    case 'd':
      return 32;
    case 'q':
      return 64;
    default:
      return 0;
  }
}

/// vpmovqd, vpmovsdb, vpmovuswb: as many lanes as the wider source has.
bool narrows(std::string_view name) {
  return name.starts_with("vpmov") && !name.starts_with("vpmovzx") &&
         !name.starts_with("vpmovsx") && name.find('2') == std::string_view::npos;
}

/// vmovdqu8, vbroadcastf32x4: the number that begins behind the last letter but 'x'.
unsigned number_in(std::string_view name) {
  const std::size_t times = name.rfind('x');
  const bool is_times = times != std::string_view::npos && times + 2 == name.size();
  const std::string_view without = is_times ? name.substr(0, times) : name;
  const std::size_t letters = without.find_last_not_of("0123456789");
  const std::string_view digits =
      letters == std::string_view::npos ? without : without.substr(letters + 1);
  unsigned number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

/// Bits of an element that the mask chooses; 0: the name does not say.
unsigned element_bits(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, unsigned>, 8> kSuffixes{{{"cph", 32},
                                                                            {"ddup", 64},
                                                                            {"hdup", 32},
                                                                            {"ldup", 32},
                                                                            {"pd", 64},
                                                                            {"ps", 32},
                                                                            {"ph", 16},
                                                                            {"pbf16", 16}}};
  for (const auto& [suffix, bits] : kSuffixes) {
    if (name.ends_with(suffix)) {
      return bits;
    }
  }
  if (const unsigned number = number_in(name);
      number == 8 || number == 16 || number == 32 || number == 64) {
    return number;
  }
  if (name.starts_with("vpdp")) {
    return 32;
  }
  if (name.starts_with("vbroadcasts")) {
    return name.back() == 'd' ? 64 : 32;
  }
  return name.starts_with("vp") || name.starts_with("valign") || name.starts_with("vdbpsad")
             ? bits_of(narrows(name) ? name[name.size() - 2] : name.back())
             : 0;
}

bool is_scalar_move(std::string_view name) {
  return name == "vmovsd" || name == "vmovss" || name == "vmovsh";
}

}  // namespace

std::optional<std::uint64_t> mask_lanes(const Instruction& instruction) {
  if (!instruction.mask) {
    return std::nullopt;
  }
  if (is_gather(instruction)) {
    return instruction.memory_slots[0].lanes;
  }
  const std::string_view name =
      machine_code::mnemonic_text(machine_code::Architecture::x86_64, instruction.mnemonic);
  const auto operations = instruction.operations();
  const bool has_lanes_of_its_own =
      !operations.empty() && (operations[0].lanes == 1 || name.starts_with("vcvt"));
  if (has_lanes_of_its_own) {
    return operations[0].lanes;
  }
  if (is_scalar_move(name) || name.ends_with("csh")) {
    return 1;
  }
  const unsigned bits = element_bits(name);
  return bits != 0 && instruction.vector_bits >= bits
             ? std::optional<std::uint64_t>(instruction.vector_bits / bits)
             : std::nullopt;
}

}  // namespace ridge::measure::binary
