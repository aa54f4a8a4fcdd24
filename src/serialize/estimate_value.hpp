// An estimate as a part of a file: value, spread, unit, origin.
#pragma once

#include <string_view>

#include <fmt/core.h>

#include "core/quantity/estimate.hpp"
#include "core/value/machine.hpp"
#include "serialize/json_document.hpp"
#include "serialize/json_reader.hpp"
#include "serialize/json_writer.hpp"

namespace ridge::serialize {

template <class Q>
void write_estimate_members(Writer& writer, const Estimate<Q>& estimate, std::string_view unit) {
  writer.member("median", estimate.median.value());
  writer.member("p90", estimate.p90.value());
  writer.member("low", estimate.low.value());
  writer.member("high", estimate.high.value());
  writer.member("samples", estimate.samples);
  writer.member("unit", unit);
  writer.member("origin", to_string(estimate.origin));
}

template <class Q>
void write_estimate(Writer& writer, std::string_view key, const Estimate<Q>& estimate,
                    std::string_view unit) {
  writer.object(key, [&] { write_estimate_members(writer, estimate, unit); });
}

inline void write_estimate(Writer& writer, std::string_view key, const CeilingEstimate& estimate) {
  std::visit([&](const auto& e) { write_estimate(writer, key, e, unit_of(estimate)); }, estimate);
}

/// Of the values of an estimate in files.
template <class Q>
inline constexpr std::string_view kUnit = "";
template <>
inline constexpr std::string_view kUnit<FlopsPerSecond> = "flop/s";
template <>
inline constexpr std::string_view kUnit<IntOpsPerSecond> = "op/s";
template <>
inline constexpr std::string_view kUnit<BytesPerSecond> = "byte/s";
template <>
inline constexpr std::string_view kUnit<Seconds> = "s";
template <>
inline constexpr std::string_view kUnit<Hertz> = "Hz";
template <>
inline constexpr std::string_view kUnit<Cycles> = "cycle";

/// What messages call an estimate in this unit.
template <class Q>
inline constexpr std::string_view kWhat = "this";
template <>
inline constexpr std::string_view kWhat<FlopsPerSecond> = "performance";
template <>
inline constexpr std::string_view kWhat<BytesPerSecond> = "a bandwidth";
template <>
inline constexpr std::string_view kWhat<Seconds> = "a latency";
template <>
inline constexpr std::string_view kWhat<Hertz> = "a clock";
template <>
inline constexpr std::string_view kWhat<Cycles> = "cycles";
template <>
inline constexpr std::string_view kWhat<Number> = "a ratio";

enum class Zero { refused, allowed };

/// All but `unit`, which decides the type of the quantity. A ceiling of 0 is none; work may be 0.
template <class Q>
[[nodiscard]] Estimate<Q> read_estimate(const Reader& object, Zero zero = Zero::refused) {
  Estimate<Q> estimate;
  estimate.median = Q(object.at("median").non_negative_real());
  const Reader p90 = object.at("p90");
  estimate.p90 = Q(zero == Zero::allowed ? p90.non_negative_real() : p90.positive_real());
  estimate.low = Q(object.at("low").non_negative_real());
  estimate.high = Q(object.at("high").non_negative_real());
  estimate.samples = object.at("samples").count();
  estimate.origin =
      object.at("origin").choice({Origin::measured, Origin::counted, Origin::simulated,
                                  Origin::modelled, Origin::datasheet, Origin::assumed});
  if (estimate.low > estimate.median || estimate.median > estimate.p90 ||
      estimate.p90 > estimate.high) {
    object.fail(fmt::format("must have low <= median <= p90 <= high, has {}, {}, {}, {}",
                            estimate.low.value(), estimate.median.value(), estimate.p90.value(),
                            estimate.high.value()));
  }
  return estimate;
}

/// Keeps an error unless `object` has this unit.
inline void expect_unit(const Reader& object, std::string_view unit, std::string_view of) {
  const Reader value = object.at("unit");
  if (value.text() != unit) {
    value.fail(fmt::format("must be {} for {}, is {}", unit, of, quote_for_message(value.text())));
  }
}

}  // namespace ridge::serialize
