#include "machine_code/x86/jump_tables.hpp"

#include <Zydis/Zydis.h>
#include <algorithm>
#include <array>
#include <optional>

#include "machine_code/byte_reader.hpp"

namespace ridge::machine_code::x86 {
namespace {

/// How far in front of the jump its parts are looked for. The table's address may be kept in a
/// register through a loop.
constexpr std::uint32_t kNear = 32;
constexpr std::uint32_t kFar = 4096;
/// Of one table. A compiler that writes more has not been seen.
constexpr std::uint64_t kMostEntries = 65536;

struct Table {
  std::uint64_t address = 0;
  bool relative = false;  ///< offsets of 32 bits from `address`, else addresses of 64 bits
};

class SwitchReader {
 public:
  SwitchReader(const ElfImage& image, const std::vector<Instruction>& code, std::uint32_t jump)
      : image_(image), code_(code), jump_(jump) {}

  [[nodiscard]] std::vector<std::uint64_t> targets() const {
    const auto table = find_table();
    const auto count = table ? entries() : std::nullopt;
    return count ? read(*table, *count) : std::vector<std::uint64_t>{};
  }

 private:
  [[nodiscard]] static bool is(const Instruction& at, ZydisMnemonic mnemonic) {
    return at.mnemonic == mnemonic;
  }

  /// The nearest instruction in front of `position` that writes `wanted`.
  [[nodiscard]] std::optional<std::uint32_t> writer(Register wanted, std::uint32_t position,
                                                    std::uint32_t reach) const {
    for (std::uint32_t back = 1; back <= std::min(position, reach); ++back) {
      if (code_[position - back].writes.contains(wanted)) {
        return position - back;
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] static std::optional<Table> table_of_addresses(const Instruction& at) {
    const MemoryOperand& memory = at.memory_slots[0];
    const bool fits = at.memory_count > 0 && memory.load && memory.bytes == 8 &&
                      memory.scale == 8 && memory.base.is_none() && !memory.index.is_none() &&
                      !memory.segment;
    return fits ? std::optional(Table{static_cast<std::uint64_t>(memory.displacement), false})
                : std::nullopt;
  }

  [[nodiscard]] std::optional<Table> find_table() const {
    const Instruction& at = code_[jump_];
    if (at.memory_count > 0) {
      return table_of_addresses(at);
    }
    Register target;
    at.reads.for_each([&](Register one) { target = one; });
    const auto made = writer(target, jump_, kNear);
    if (!made) {
      return std::nullopt;
    }
    if (is(code_[*made], ZYDIS_MNEMONIC_MOV)) {
      return table_of_addresses(code_[*made]);
    }
    return is(code_[*made], ZYDIS_MNEMONIC_ADD) ? table_of_offsets(*made) : std::nullopt;
  }

  /// add sum, base, where one of the two was loaded from the table at base.
  [[nodiscard]] std::optional<Table> table_of_offsets(std::uint32_t sum) const {
    std::optional<Table> found;
    code_[sum].reads.for_each([&](Register one) {
      const auto load = writer(one, sum, kNear);
      const bool fits = load && is(code_[*load], ZYDIS_MNEMONIC_MOVSXD) &&
                        code_[*load].memory_count == 1 && code_[*load].memory_slots[0].scale == 4 &&
                        code_[*load].memory_slots[0].displacement == 0 &&
                        code_[sum].reads.contains(code_[*load].memory_slots[0].base);
      if (fits) {
        const auto address = address_in(code_[*load].memory_slots[0].base, *load);
        found = address ? std::optional(Table{*address, true}) : found;
      }
    });
    return found;
  }

  /// What lea base, [rip + table] left there.
  [[nodiscard]] std::optional<std::uint64_t> address_in(Register base, std::uint32_t before) const {
    const auto made = writer(base, before, kFar);
    if (!made || !is(code_[*made], ZYDIS_MNEMONIC_LEA)) {
      return std::nullopt;
    }
    const auto decoded = operands_of(code_[*made]);
    const auto& place = decoded[1].mem;
    const bool relative =
        decoded[1].type == ZYDIS_OPERAND_TYPE_MEMORY && place.base == ZYDIS_REGISTER_RIP;
    return relative
               ? std::optional(code_[*made].next() + static_cast<std::uint64_t>(place.disp.value))
               : std::nullopt;
  }

  [[nodiscard]] std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands_of(
      const Instruction& at) const {
    std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands{};
    const auto bytes = image_.bytes_at(at.address, at.length);
    ZydisDecoder decoder;
    ZydisDecodedInstruction decoded;
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    if (bytes) {
      ZydisDecoderDecodeFull(&decoder, bytes->data(), bytes->size(), &decoded, operands.data());
    }
    return operands;
  }

  /// Of cmp x, last; ja elsewhere: last + 1. Of jae: last.
  [[nodiscard]] std::optional<std::uint64_t> entries() const {
    for (std::uint32_t back = 1; back <= std::min(jump_, kNear); ++back) {
      const Instruction& at = code_[jump_ - back];
      const bool above = is(at, ZYDIS_MNEMONIC_JNBE);
      if (above || is(at, ZYDIS_MNEMONIC_JNB)) {
        const auto compare = writer({RegisterClass::flags, 0}, jump_ - back, kNear);
        const auto last = compare ? immediate_of_compare(code_[*compare]) : std::nullopt;
        return last ? std::optional(*last + (above ? 1 : 0)) : std::nullopt;
      }
      if (at.flow != Flow::next) {
        return std::nullopt;
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<std::uint64_t> immediate_of_compare(const Instruction& at) const {
    if (!is(at, ZYDIS_MNEMONIC_CMP)) {
      return std::nullopt;
    }
    const auto operands = operands_of(at);
    const bool fits =
        operands[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE && operands[1].imm.value.u < kMostEntries;
    return fits ? std::optional(std::uint64_t{operands[1].imm.value.u}) : std::nullopt;
  }

  [[nodiscard]] bool is_code(std::uint64_t address) const {
    const AddressRange own{code_.front().address, code_.back().next()};
    if (!own.contains(address)) {
      const auto& segments = image_.segments();
      return std::any_of(segments.begin(), segments.end(), [&](const Segment& segment) {
        return segment.executable && address >= segment.address &&
               address - segment.address < segment.file_size;
      });
    }
    const auto found =
        std::lower_bound(code_.begin(), code_.end(), address,
                         [](const Instruction& i, std::uint64_t at) { return i.address < at; });
    return found != code_.end() && found->address == address;
  }

  [[nodiscard]] std::vector<std::uint64_t> read(const Table& table, std::uint64_t count) const {
    const std::uint64_t size = table.relative ? 4 : 8;
    const auto bytes = image_.bytes_at(table.address, count * size);
    if (!bytes) {
      return {};
    }
    std::vector<std::uint64_t> found;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t target =
          table.relative ? table.address + static_cast<std::uint64_t>(std::int64_t{
                                               *value_at<std::int32_t>(*bytes, i * size)})
                         : *value_at<std::uint64_t>(*bytes, i * size);
      if (!is_code(target)) {
        return {};
      }
      found.push_back(target);
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

  const ElfImage& image_;
  const std::vector<Instruction>& code_;
  std::uint32_t jump_;
};

}  // namespace

std::vector<std::uint64_t> jump_table_targets(const ElfImage& image,
                                              const std::vector<Instruction>& code,
                                              std::uint32_t jump) {
  return SwitchReader(image, code, jump).targets();
}

}  // namespace ridge::machine_code::x86
