// Fields of what is known of CPU cores.
#pragma once

#include <array>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/describe/enumerators.hpp"
#include "core/describe/field.hpp"
#include "core/describe/overlap_rule.hpp"
#include "core/value/machine.hpp"

namespace ridge::describe {

/// Of CPUID: base and extended model.
inline constexpr Limits kCpuModel{.least = 0.0, .most = 255.0};
inline constexpr Limits kVectorBits{.least = 128.0, .most = 2048.0};
inline constexpr std::array<std::string_view, 3> kCpuLevels{
    to_string(Level::L1), to_string(Level::L2), to_string(Level::L3)};
/// What pipes are told apart by.
inline constexpr std::array<std::string_view, 5> kPipeOperations{"add", "mul", "fma", "div",
                                                                 "sqrt"};

template <>
struct Description<Microarchitecture::Match> {
  static constexpr std::string_view name = "Match";
  static constexpr std::string_view meaning = "CPUs of one vendor and family";
  static constexpr auto fields =
      std::tuple{field("vendor", &Microarchitecture::Match::vendor, "", "as CPUID leaf 0 spells it",
                       {.non_empty = true}),
                 field("family", &Microarchitecture::Match::family, "", "base and extended family"),
                 field("models", &Microarchitecture::Match::models, "", "base and extended models",
                       {.limits = kCpuModel, .least_items = 1})};
};
static_assert(is_complete<Microarchitecture::Match>());

template <>
struct Description<Microarchitecture::CyclesByPrecision> {
  static constexpr std::string_view name = "CyclesByPrecision";
  static constexpr std::string_view meaning = "core cycles; at least one of the two is known";
  static constexpr auto fields =
      std::tuple{field("fp64", &Microarchitecture::CyclesByPrecision::fp64, "cycle", "",
                       {.limits = kPositive}),
                 field("fp32", &Microarchitecture::CyclesByPrecision::fp32, "cycle", "",
                       {.limits = kPositive})};
};
static_assert(is_complete<Microarchitecture::CyclesByPrecision>());

template <>
struct Description<Microarchitecture::Latencies> {
  static constexpr std::string_view name = "Latencies";
  static constexpr std::string_view meaning =
      "core cycles from the input of an operation to its result; at least one is known";
  static constexpr auto fields = std::tuple{
      field("fma", &Microarchitecture::Latencies::fma, "cycle", "", {.limits = kPositive}),
      field("add", &Microarchitecture::Latencies::add, "cycle", "", {.limits = kPositive}),
      field("mul", &Microarchitecture::Latencies::mul, "cycle", "", {.limits = kPositive})};
};
static_assert(is_complete<Microarchitecture::Latencies>());

template <>
struct Description<Microarchitecture::IsaLimits> {
  using Limits = Microarchitecture::IsaLimits;
  static constexpr std::string_view name = "IsaLimits";
  static constexpr std::string_view meaning =
      "limits of one core for one instruction set; what is absent no source states";
  static constexpr auto fields = std::tuple{
      field("isa", &Limits::isa, "", "scalar: 8 bytes"),
      field("vector_bits", &Limits::vector_bits, "bit",
            "of a register of sve, whose width each core chooses; of no other",
            {.limits = kVectorBits}),
      field("fma_units", &Limits::fma_units, "instruction/cycle", "nothing else issued",
            {.limits = kPositive}),
      field("add_units", &Limits::add_units, "instruction/cycle", "", {.limits = kPositive}),
      field("mul_units", &Limits::mul_units, "instruction/cycle", "", {.limits = kPositive}),
      field("fma_add_units", &Limits::fma_add_units, "instruction/cycle",
            "of a 1:1 mix, both kinds together", {.limits = kPositive}),
      field("load_bytes_per_cycle", &Limits::load_bytes_per_cycle, "byte/cycle", "L1, loads alone",
            {.limits = kPositive}),
      field("store_bytes_per_cycle", &Limits::store_bytes_per_cycle, "byte/cycle",
            "L1, stores alone", {.limits = kPositive}),
      field("copy_bytes_per_cycle", &Limits::copy_bytes_per_cycle, "byte/cycle",
            "L1, one load for each store, bytes of both", {.limits = kPositive}),
      field("div_cycles", &Limits::div_cycles, "",
            "from one independent division to the next; where it depends on the operands, the "
            "fewest that a source states",
            {.absence = Absence::empty}),
      field("sqrt_cycles", &Limits::sqrt_cycles, "", "like div_cycles",
            {.absence = Absence::empty}),
      field("latency_cycles", &Limits::latency_cycles, "",
            "in a chain of the same operation, the fewest that a source states",
            {.absence = Absence::empty})};
};
static_assert(is_complete<Microarchitecture::IsaLimits>());

template <>
struct Description<Microarchitecture::LevelLimit> {
  using Limit = Microarchitecture::LevelLimit;
  static constexpr std::string_view name = "LevelLimit";
  static constexpr std::string_view meaning =
      "bytes that cross the boundary named like the level, per cycle and core";
  static constexpr auto fields =
      std::tuple{field("level", &Limit::level, "", "", {.only = kCpuLevels}),
                 field("read_bytes_per_cycle", &Limit::read_bytes_per_cycle, "byte/cycle", "",
                       {.limits = kPositive}),
                 field("write_bytes_per_cycle", &Limit::write_bytes_per_cycle, "byte/cycle", "",
                       {.limits = kPositive})};
};
static_assert(is_complete<Microarchitecture::LevelLimit>());

template <>
struct Description<Microarchitecture::LevelPolicy> {
  using Policy = Microarchitecture::LevelPolicy;
  static constexpr std::string_view name = "LevelPolicy";
  static constexpr std::string_view meaning = "how one cache level behaves";
  static constexpr auto fields =
      std::tuple{field("level", &Policy::level, "", "", {.only = kCpuLevels}),
                 field("policy", &Policy::policy, "",
                       "what the level holds in relation to the one nearer to the core"),
                 field("write_allocate", &Policy::write_allocate, "",
                       "whether a store that misses reads the line first")};
};
static_assert(is_complete<Microarchitecture::LevelPolicy>());

template <>
struct Description<Microarchitecture> {
  static constexpr std::string_view name = "Microarchitecture";
  static constexpr std::string_view meaning =
      "limits of one kind of core, per core and cycle, and the CPUs that have it";
  static constexpr auto fields = std::tuple{
      field("name", &Microarchitecture::name, "", "", {.non_empty = true}),
      field("matches", &Microarchitecture::matches, "",
            "no CPU matches two entries; absent: published machines alone name it",
            {.absence = Absence::empty}),
      field("pipe_groups", &Microarchitecture::pipe_groups, "",
            "operations that share execution pipes; each operation stands once",
            {.only = kPipeOperations}),
      field("isas", &Microarchitecture::isas, "", ""),
      field("levels", &Microarchitecture::levels, "", ""),
      field("policies", &Microarchitecture::policies, "", ""),
      field("overlap", &Microarchitecture::overlap, "",
            "which parts of the time of a loop pass at the same time on one core: nothing; what "
            "the core computes beside all loads, stores and transfers of lines (arithmetic); every "
            "part beside every other (everything)"),
      field("notes", &Microarchitecture::notes, "", "what the numbers leave out",
            {.absence = Absence::empty, .non_empty = true}),
      field("sources", &Microarchitecture::sources, "", "", {.non_empty = true, .least_items = 1})};
};
static_assert(is_complete<Microarchitecture>());

/// The file.
struct MicroarchitectureTable {
  std::vector<Microarchitecture> microarchitectures;
};

template <>
struct Description<MicroarchitectureTable> {
  static constexpr std::string_view name = "MicroarchitectureTable";
  static constexpr std::string_view meaning = "sourced facts about CPU cores, matched by CPUID";
  static constexpr auto fields =
      std::tuple{field("microarchitectures", &MicroarchitectureTable::microarchitectures, "", "")};
};
static_assert(is_complete<MicroarchitectureTable>());

}  // namespace ridge::describe
