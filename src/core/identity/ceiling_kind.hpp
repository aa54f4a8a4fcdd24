// What a ceiling limits.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

namespace ridge {

enum class CeilingKind { compute, bandwidth, latency };

/// In the order of the enumerators.
inline constexpr std::array<std::pair<CeilingKind, std::string_view>, 3> kCeilingKindTable{
    {{CeilingKind::compute, "compute"},
     {CeilingKind::bandwidth, "bandwidth"},
     {CeilingKind::latency, "latency"}}};

/// "compute": as files and ids of ceilings spell it.
[[nodiscard]] constexpr std::string_view to_string(CeilingKind kind) {
  return kCeilingKindTable[static_cast<std::size_t>(kind)].second;
}

/// The reverse of to_string; nullopt for any other text.
[[nodiscard]] constexpr std::optional<CeilingKind> parse_ceiling_kind(std::string_view text) {
  for (const auto& [kind, name] : kCeilingKindTable) {
    if (name == text) {
      return kind;
    }
  }
  return std::nullopt;
}

}  // namespace ridge
