// What an instruction computes, counted by the rules of docs/contracts.md, section 1.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/value/region.hpp"

namespace ridge::machine_code {

enum class WorkKind : std::uint8_t {
  add,  ///< and sub, and the two mixed (addsub); the adds of a horizontal add
  mul,
  fma,
  div,
  sqrt,
  other,    ///< 0 flop: min, max, compare, convert, round, logic of signs, approximate 1/x and
            ///< 1/sqrt(x)
  integer,  ///< 0 flop: add, sub, mul, div, shift and bitwise; of data and of addresses, which code
            ///< does not tell apart
};

enum class ElementType : std::uint8_t {
  fp64,
  fp32,
  fp16,
  bf16,
  x87,      ///< 80 bits inside, whatever is loaded: opaque in the rules, no flop
  integer,  ///< of Operation::element_bits
};

/// One instruction has up to two (a dot product: its products, its sums).
struct Operation {
  WorkKind kind = WorkKind::other;
  ElementType element = ElementType::fp64;
  std::uint8_t element_bits = 64;  ///< of what is computed on; bf16 products: 16
  std::uint16_t width_bits = 64;   ///< of the register; a scalar operation has its element's width
  std::uint16_t lanes = 1;         ///< how many of `kind` are done; a scalar operation: 1
  bool masked = false;             ///< lanes count only where the instruction's mask is set
  bool at_most =
      false;  ///< of tiles: lanes of a full one, since their configuration is not in the code

  /// All lanes: fma is 2 for each; 0 of `other`, `integer` and x87.
  [[nodiscard]] constexpr std::uint64_t flops() const {
    if (element == ElementType::x87 || element == ElementType::integer || kind >= WorkKind::other) {
      return 0;
    }
    return std::uint64_t{lanes} * (kind == WorkKind::fma ? 2 : 1);
  }

  friend bool operator==(const Operation&, const Operation&) = default;
};

/// nullopt for those that are no kind of a flop.
[[nodiscard]] constexpr std::optional<OperationKind> operation_kind(WorkKind kind) {
  return kind < WorkKind::other ? std::optional(static_cast<OperationKind>(kind)) : std::nullopt;
}
/// nullopt for x87 and integers.
[[nodiscard]] constexpr std::optional<Precision> precision(ElementType element) {
  return element < ElementType::x87 ? std::optional(static_cast<Precision>(element)) : std::nullopt;
}

static_assert(operation_kind(WorkKind::fma) == OperationKind::fma &&
              operation_kind(WorkKind::sqrt) == OperationKind::sqrt &&
              precision(ElementType::bf16) == Precision::bf16);

/// "fma", "other", "integer".
[[nodiscard]] std::string_view to_string(WorkKind kind);
/// "fp64", "x87", "integer".
[[nodiscard]] std::string_view to_string(ElementType element);

}  // namespace ridge::machine_code
