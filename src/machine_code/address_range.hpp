// Addresses as the linker gave them: what a process adds to them when it loads the file is not in
// them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace ridge::machine_code {

/// From `begin` up to, without, `end`.
struct AddressRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  [[nodiscard]] constexpr std::uint64_t size() const { return end - begin; }
  [[nodiscard]] constexpr bool contains(std::uint64_t address) const {
    return address >= begin && address < end;
  }

  friend bool operator==(const AddressRange&, const AddressRange&) = default;
};

/// That contains `address`; nullptr for none. `ranges` in order and apart from one another.
[[nodiscard]] constexpr const AddressRange* find_range(std::span<const AddressRange> ranges,
                                                       std::uint64_t address) {
  const auto behind = std::upper_bound(
      ranges.begin(), ranges.end(), address,
      [](std::uint64_t at, const AddressRange& range) { return at < range.begin; });
  return behind != ranges.begin() && (behind - 1)->contains(address) ? &*(behind - 1) : nullptr;
}

}  // namespace ridge::machine_code
