// One module descriptor (abi/descriptor.h), checked once, then safe to walk.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "abi/descriptor.h"
#include "measure/instrumented/arena_view.hpp"

namespace ridge::measure {

class Descriptor {
 public:
  /// nullopt unless magic, version, sizes and every index are right.
  [[nodiscard]] static std::optional<Descriptor> parse(ArenaBytes blob);

  [[nodiscard]] const ridge_descriptor_header& header() const { return header_; }
  [[nodiscard]] ridge_region_descriptor region(std::uint32_t index) const;
  [[nodiscard]] ridge_counter_descriptor counter(std::uint32_t index) const;
  [[nodiscard]] ridge_term_descriptor term(std::uint32_t index) const;
  [[nodiscard]] ridge_probed_function probed_function(std::uint32_t index) const;
  /// Of a probe, numbered from 1, of a probed function, with RIDGE_PROBE_BEHIND_CALL where it
  /// stands there; nullopt where it has no such probe.
  [[nodiscard]] std::optional<std::uint32_t> execution_class(std::uint32_t function,
                                                             std::uint32_t probe) const;
  /// Empty for an offset outside of the strings.
  [[nodiscard]] std::string_view text(std::uint32_t offset) const;

 private:
  [[nodiscard]] bool indices_are_valid() const;

  ridge_descriptor_header header_{};
  ArenaBytes regions_;
  ArenaBytes counters_;
  ArenaBytes terms_;
  ArenaBytes functions_;
  ArenaBytes classes_;
  ArenaBytes strings_;
};

}  // namespace ridge::measure
