// The ceilings of a machine, by what they are ceilings of. A roof asks for about forty of some two
// hundred.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/value/machine.hpp"

namespace ridge::predict {

/// The machine has to outlive it, unchanged. Ceilings of devices and such without a positive finite
/// p90 are left out.
class CeilingIndex {
 public:
  /// Implicit, for who asks for few ceilings: as long as a search or two through all of them.
  CeilingIndex(const Machine& machine);

  [[nodiscard]] const Machine& machine() const { return *machine_; }

  /// In the order of the machine's list.
  using Entry = std::pair<std::uint32_t, const Ceiling*>;
  [[nodiscard]] std::span<const Entry> compute(std::string_view precision,
                                               Operation operation) const;
  [[nodiscard]] std::span<const Entry> bandwidth(Level level, Pattern pattern) const;

  /// Thread counts with at least one ceiling, ascending.
  [[nodiscard]] const std::vector<unsigned>& threads() const { return threads_; }

 private:
  [[nodiscard]] std::uint32_t number_of(std::string_view precision) const;
  [[nodiscard]] std::span<const Entry> entries_of(std::uint32_t key) const;

  const Machine* machine_;
  std::vector<std::string_view> precisions_;
  std::vector<Entry> entries_;  // by key
  std::vector<unsigned> threads_;
};

}  // namespace ridge::predict
