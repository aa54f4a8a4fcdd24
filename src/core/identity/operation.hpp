// Operations that compute ceilings are measured for. Those that a program is counted by are
// OperationKind (core/value/profile.hpp): the first five of these.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

namespace ridge {

enum class Operation {
  add,
  mul,
  fma,
  div,
  sqrt,
  fma_add,    ///< the 1:1 mix
  mul_add,    ///< likewise, of what code without FMA instructions has
  fma_chain,  ///< each waits for the one before
  add_chain,
  dot,  ///< products of neighbours, summed up
};

/// In the order of the enumerators.
inline constexpr std::array<std::pair<Operation, std::string_view>, 10> kOperationTable{
    {{Operation::add, "add"},
     {Operation::mul, "mul"},
     {Operation::fma, "fma"},
     {Operation::div, "div"},
     {Operation::sqrt, "sqrt"},
     {Operation::fma_add, "fma+add"},
     {Operation::mul_add, "mul+add"},
     {Operation::fma_chain, "fma-chain"},
     {Operation::add_chain, "add-chain"},
     {Operation::dot, "dot"}}};

/// "fma+add": as files and ids of ceilings spell it.
[[nodiscard]] constexpr std::string_view to_string(Operation operation) {
  return kOperationTable[static_cast<std::size_t>(operation)].second;
}

/// The reverse of to_string; nullopt for any other text.
[[nodiscard]] constexpr std::optional<Operation> parse_operation(std::string_view text) {
  for (const auto& [operation, name] : kOperationTable) {
    if (name == text) {
      return operation;
    }
  }
  return std::nullopt;
}

}  // namespace ridge
