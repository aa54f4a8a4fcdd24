// The values of each enumeration that files hold.
#pragma once

#include <array>

#include "core/describe/field.hpp"
#include "core/identity/ceiling_kind.hpp"
#include "core/identity/isa.hpp"
#include "core/identity/level.hpp"
#include "core/identity/operation.hpp"
#include "core/identity/pattern.hpp"
#include "core/quantity/estimate.hpp"
#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"
#include "core/value/specification.hpp"
#include "core/value/thread_work.hpp"

namespace ridge::describe {

/// The first column of a table.
template <class Value, class Row, std::size_t N>
[[nodiscard]] consteval std::array<Value, N> values_of(const std::array<Row, N>& table,
                                                       Value Row::* column) {
  std::array<Value, N> values{};
  for (std::size_t i = 0; i < N; ++i) {
    values[i] = table[i].*column;
  }
  return values;
}

template <>
struct Enumerators<Isa> {
  static constexpr std::array values = values_of(kIsaTable, &IsaProperties::isa);
};

template <>
struct Enumerators<Operation> {
  static constexpr std::array values =
      values_of(kOperationTable, &std::pair<Operation, std::string_view>::first);
};

template <>
struct Enumerators<Pattern> {
  static constexpr std::array values =
      values_of(kPatternTable, &std::pair<Pattern, std::string_view>::first);
};

/// Innermost first.
template <>
struct Enumerators<Level> {
  static constexpr std::array values = kLevels;
};

template <>
struct Enumerators<CeilingKind> {
  static constexpr std::array values =
      values_of(kCeilingKindTable, &std::pair<CeilingKind, std::string_view>::first);
};

template <>
struct Enumerators<CachePolicy> {
  static constexpr std::array values{CachePolicy::inclusive, CachePolicy::non_inclusive,
                                     CachePolicy::victim};
};

template <>
struct Enumerators<WriteAllocate> {
  static constexpr std::array values{WriteAllocate::always, WriteAllocate::never,
                                     WriteAllocate::when_unsaturated};
};

template <>
struct Enumerators<Origin> {
  static constexpr std::array values{Origin::measured, Origin::counted,   Origin::simulated,
                                     Origin::modelled, Origin::datasheet, Origin::assumed};
};

template <>
struct Enumerators<Precision> {
  static constexpr std::array values{Precision::fp64, Precision::fp32, Precision::fp16,
                                     Precision::bf16};
};

template <>
struct Enumerators<OperationKind> {
  static constexpr std::array values{OperationKind::add, OperationKind::mul, OperationKind::fma,
                                     OperationKind::div, OperationKind::sqrt};
};

template <>
struct Enumerators<TrafficMode> {
  static constexpr std::array values{TrafficMode::exact, TrafficMode::sampled};
};

template <>
struct Enumerators<RegionKind> {
  static constexpr std::array values{RegionKind::program, RegionKind::function, RegionKind::loop,
                                     RegionKind::library, RegionKind::marker,   RegionKind::kernel};
};

template <>
struct Enumerators<WaitKind> {
  static constexpr std::array values{WaitKind::join, WaitKind::barrier, WaitKind::lock,
                                     WaitKind::task, WaitKind::other};
};

template <>
struct Enumerators<AccessPattern> {
  static constexpr std::array values{AccessPattern::unknown, AccessPattern::unit,
                                     AccessPattern::constant, AccessPattern::invariant,
                                     AccessPattern::indirect};
};

template <>
struct Enumerators<ChainOperation> {
  static constexpr std::array values{
      ChainOperation::add,  ChainOperation::mul,   ChainOperation::fma,  ChainOperation::div,
      ChainOperation::sqrt, ChainOperation::other, ChainOperation::call, ChainOperation::load};
};

template <>
struct Enumerators<BalanceOf> {
  static constexpr std::array values{BalanceOf::flops, BalanceOf::bytes, BalanceOf::iterations,
                                     BalanceOf::cpu_seconds};
};

template <>
struct Enumerators<MachineKind> {
  static constexpr std::array values{MachineKind::cpu, MachineKind::gpu, MachineKind::accelerator};
};

template <>
struct Enumerators<Pipes> {
  static constexpr std::array values{Pipes::vector, Pipes::matrix};
};

template <>
struct Enumerators<Basis> {
  static constexpr std::array values{Basis::theoretical, Basis::sustained, Basis::achieved};
};

template <>
struct Enumerators<BoundUnit> {
  static constexpr std::array values{BoundUnit::flops_per_second, BoundUnit::bytes_per_second,
                                     BoundUnit::intops_per_second};
};

template <>
struct Enumerators<VerdictKind> {
  static constexpr std::array values{
      VerdictKind::arithmetic, VerdictKind::bandwidth,   VerdictKind::latency,
      VerdictKind::calls,      VerdictKind::library,     VerdictKind::blocked,
      VerdictKind::asleep,     VerdictKind::kernel,      VerdictKind::no_traffic,
      VerdictKind::no_roof,    VerdictKind::few_samples, VerdictKind::partial};
};

}  // namespace ridge::describe
