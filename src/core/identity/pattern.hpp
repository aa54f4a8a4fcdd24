// Ways through memory that bandwidths and latencies are measured for. Those that a program is
// counted by are AccessPattern (core/value/profile.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

namespace ridge {

enum class Pattern {
  load,
  store,
  copy,
  triad,               ///< a[i] = b[i] * s + c[i]
  update,              ///< a[i] = a[i] * s
  two_load_one_store,  ///< a[i] = b[i] + c[i]
  nt_store,            ///< past the caches
  nt_copy,             ///< loads, and stores past the caches
  stride_2,            ///< one number of every second line
  stride_4,
  stride_8,
  stride_16,
  gather,           ///< by one instruction for a whole vector
  gather_emulated,  ///< put together from single loads
  chase_huge,       ///< each access says where the next one is; on huge pages
  chase_4k,         ///< likewise, on pages of 4 KiB
};

/// In the order of the enumerators.
inline constexpr std::array<std::pair<Pattern, std::string_view>, 16> kPatternTable{
    {{Pattern::load, "load"},
     {Pattern::store, "store"},
     {Pattern::copy, "copy"},
     {Pattern::triad, "triad"},
     {Pattern::update, "update"},
     {Pattern::two_load_one_store, "2load1store"},
     {Pattern::nt_store, "nt-store"},
     {Pattern::nt_copy, "nt-copy"},
     {Pattern::stride_2, "stride-2"},
     {Pattern::stride_4, "stride-4"},
     {Pattern::stride_8, "stride-8"},
     {Pattern::stride_16, "stride-16"},
     {Pattern::gather, "gather"},
     {Pattern::gather_emulated, "gather-emulated"},
     {Pattern::chase_huge, "chase-huge"},
     {Pattern::chase_4k, "chase-4k"}}};

/// "nt-store": as files and ids of ceilings spell it.
[[nodiscard]] constexpr std::string_view to_string(Pattern pattern) {
  return kPatternTable[static_cast<std::size_t>(pattern)].second;
}

/// The reverse of to_string; nullopt for any other text.
[[nodiscard]] constexpr std::optional<Pattern> parse_pattern(std::string_view text) {
  for (const auto& [pattern, name] : kPatternTable) {
    if (name == text) {
      return pattern;
    }
  }
  return std::nullopt;
}

}  // namespace ridge
