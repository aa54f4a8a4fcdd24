// Parts of described values that have readers and writers of their own.
#pragma once

#include <string_view>

#include "core/value/machine.hpp"
#include "serialize/described/kinds.hpp"
#include "serialize/estimate_value.hpp"
#include "serialize/json_writer.hpp"
#include "serialize/machine_value.hpp"

namespace ridge::serialize {

/// One schema for all; the unit says which quantity it is.
inline constexpr std::string_view kEstimateSchema = "#/$defs/Estimate";

template <class Q>
struct ByHand<Estimate<Q>> {
  static constexpr std::string_view schema = kEstimateSchema;
  static constexpr std::string_view name = "Estimate";
  static constexpr bool in_unit = true;
  static void write(Writer& writer, std::string_view key, const Estimate<Q>& estimate,
                    std::string_view unit) {
    write_estimate(writer, key, estimate, unit);
  }
  /// Limits that allow 0 allow it for the p90, too.
  static Estimate<Q> read(const Reader& value, const describe::FieldOptions& options,
                          std::string_view unit) {
    expect_unit(value, unit, kWhat<Q>);
    const bool zero = options.limits.least == 0.0 && !options.limits.least_is_excluded;
    return read_estimate<Q>(value, zero ? Zero::allowed : Zero::refused);
  }
};

template <>
struct ByHand<CeilingEstimate> {
  static constexpr std::string_view schema = kEstimateSchema;
  static constexpr std::string_view name = "Estimate";
  static void write(Writer& writer, std::string_view key, const CeilingEstimate& estimate) {
    write_estimate(writer, key, estimate);
  }
  /// Of any unit that a ceiling has: which one its kind wants is a rule of the ceiling.
  static CeilingEstimate read(const Reader& value) {
    const std::string unit = value.at("unit").text();
    if (unit == kUnit<BytesPerSecond>) {
      return read_estimate<BytesPerSecond>(value);
    }
    if (unit == kUnit<Seconds>) {
      return read_estimate<Seconds>(value);
    }
    if (unit == kUnit<IntOpsPerSecond>) {
      return read_estimate<IntOpsPerSecond>(value);
    }
    return read_estimate<FlopsPerSecond>(value);
  }
};

template <>
struct ByHand<Machine> {
  static constexpr std::string_view schema = "ridge.machine-1.schema.json";
  static constexpr std::string_view name = "Machine";
  static void write(Writer& writer, std::string_view key, const Machine& machine) {
    writer.object(key, [&] { write_machine_members(writer, machine); });
  }
  static void write_members(Writer& writer, const Machine& machine) {
    write_machine_members(writer, machine);
  }
  static Machine read(const Reader& value) { return read_machine(value); }
};

}  // namespace ridge::serialize
