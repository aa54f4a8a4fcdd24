#include "measure/instrumented/code/pseudo_probes.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <span>

#include "abi/descriptor.h"

namespace ridge::measure {
namespace {

// As LLVM 19 writes .pseudo_probe (llvm/MC/MCPseudoProbe.h): records of functions, each with its
// probes and with records of what was inlined, of which our probes have none.
constexpr std::uint8_t kIsDelta = 0x80;  ///< of the address to that of the probe before
constexpr unsigned kAttributeBit = 4;
constexpr std::uint8_t kSentinel = 2;  ///< stands for the first instruction of a function
constexpr std::uint8_t kHasDiscriminator = 4;
constexpr unsigned kDeepest = 64;

/// Numbers off the front of bytes; nullopt from the first that is not there.
class Numbers {
 public:
  explicit Numbers(std::span<const std::uint8_t> bytes) : rest_(bytes) {}

  [[nodiscard]] bool at_end() const { return rest_.empty(); }

  std::optional<std::uint8_t> byte() {
    if (rest_.empty()) {
      return std::nullopt;
    }
    const std::uint8_t value = rest_.front();
    rest_ = rest_.subspan(1);
    return value;
  }

  std::optional<std::uint64_t> word() {
    std::uint64_t value = 0;
    if (rest_.size() < sizeof value) {
      return std::nullopt;
    }
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_ = rest_.subspan(sizeof value);
    return value;
  }

  std::optional<std::uint64_t> uleb128() { return leb128(false); }
  std::optional<std::int64_t> sleb128() {
    const auto value = leb128(true);
    return value ? std::optional(static_cast<std::int64_t>(*value)) : std::nullopt;
  }

 private:
  std::optional<std::uint64_t> leb128(bool is_signed) {
    constexpr unsigned kBits = 64;
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < kBits; shift += 7) {
      const auto next = byte();
      if (!next) {
        return std::nullopt;
      }
      value |= std::uint64_t{*next & 0x7FU} << shift;
      if ((*next & 0x80U) == 0) {
        const bool is_negative = is_signed && (*next & 0x40U) != 0 && shift + 7 < kBits;
        return is_negative ? value | (~std::uint64_t{0} << (shift + 7)) : value;
      }
    }
    return std::nullopt;
  }

  std::span<const std::uint8_t> rest_;
};

/// First instructions by id, in the order of the file: static functions of one text in two
/// translation units share an id.
class Places {
 public:
  explicit Places(const machine_code::Section& section) {
    Numbers numbers(section.bytes);
    for (std::uint64_t at = section.address; !numbers.at_end(); at += sizeof(ridge_probed_code)) {
      const auto id = numbers.word();
      const auto distance = numbers.word();
      if (!id || !distance) {
        return;
      }
      addresses_[*id].push_back(at + *distance);
    }
  }

  std::optional<std::uint64_t> next(std::uint64_t id) {
    const auto found = addresses_.find(id);
    if (found == addresses_.end() || used_[id] >= found->second.size()) {
      return std::nullopt;
    }
    return found->second[used_[id]++];
  }

 private:
  std::map<std::uint64_t, std::vector<std::uint64_t>> addresses_;
  std::map<std::uint64_t, std::size_t> used_;
};

class ProbeReader {
 public:
  ProbeReader(std::span<const std::uint8_t> bytes, const machine_code::Section& places)
      : numbers_(bytes), places_(places) {}

  bool read_all() {
    while (!numbers_.at_end()) {
      if (!read_function(false, 0)) {
        return false;
      }
    }
    return true;
  }

  [[nodiscard]] std::vector<Probe> take() { return std::move(probes_); }

 private:
  bool read_function(bool is_inlined, unsigned depth) {
    if (depth > kDeepest || (is_inlined && !numbers_.uleb128())) {
      return false;
    }
    const auto id = numbers_.word();
    const auto probes = numbers_.uleb128();
    const auto inlined = numbers_.uleb128();
    if (!id || !probes || !inlined) {
      return false;
    }
    for (std::uint64_t i = 0; i < *probes; ++i) {
      if (!read_probe(*id)) {
        return false;
      }
    }
    for (std::uint64_t i = 0; i < *inlined; ++i) {
      if (!read_function(true, depth + 1)) {
        return false;
      }
    }
    return true;
  }

  bool read_probe(std::uint64_t id) {
    const auto number = numbers_.uleb128();
    const auto flags = numbers_.byte();
    if (!number || *number > std::numeric_limits<std::uint32_t>::max() || !flags) {
      return false;
    }
    const unsigned attributes = (*flags & 0x7FU) >> kAttributeBit;
    const auto address = read_address(id, *flags, attributes);
    if (!address || ((attributes & kHasDiscriminator) != 0 && !numbers_.uleb128())) {
      return false;
    }
    last_ = *address;
    if ((attributes & kSentinel) == 0) {
      probes_.push_back({*address, {id, static_cast<std::uint32_t>(*number)}});
    }
    return true;
  }

  std::optional<std::uint64_t> read_address(std::uint64_t id, std::uint8_t flags,
                                            unsigned attributes) {
    if ((flags & kIsDelta) != 0) {
      const auto delta = numbers_.sleb128();
      return delta ? std::optional(last_ + static_cast<std::uint64_t>(*delta)) : std::nullopt;
    }
    const auto word = numbers_.word();
    // That of a sentinel is a hash of the symbol's name.
    return word && (attributes & kSentinel) != 0 ? places_.next(id) : word;
  }

  Numbers numbers_;
  Places places_;
  std::uint64_t last_ = 0;
  std::vector<Probe> probes_;
};

}  // namespace

Result<std::vector<Probe>> read_probes(const machine_code::ElfImage& image) {
  const machine_code::Section* section = image.section(".pseudo_probe");
  const machine_code::Section* places = image.section(RIDGE_PROBED_CODE_SECTION);
  if (section == nullptr || places == nullptr) {
    return std::vector<Probe>{};
  }
  ProbeReader reader(section->bytes, *places);
  if (!reader.read_all()) {
    return fail(ErrorCode::bad_input, "its section .pseudo_probe is damaged");
  }
  std::vector<Probe> probes = reader.take();
  std::stable_sort(probes.begin(), probes.end(),
                   [](const Probe& a, const Probe& b) { return a.address < b.address; });
  return probes;
}

}  // namespace ridge::measure
