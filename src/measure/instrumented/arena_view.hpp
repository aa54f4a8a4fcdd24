// Checked reading of bytes that another program wrote. Nothing here trusts an offset, a count or a
// chain of links.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <unordered_set>
#include <vector>

namespace ridge::measure {

using ArenaBytes = std::span<const std::byte>;

/// The `bytes` from `offset`; nullopt when they do not all lie inside.
[[nodiscard]] std::optional<ArenaBytes> slice(ArenaBytes arena, std::uint64_t offset,
                                              std::uint64_t bytes);

/// A copy of the T at `offset`, which need not be aligned.
template <class T>
[[nodiscard]] std::optional<T> read_at(ArenaBytes arena, std::uint64_t offset) {
  static_assert(std::is_trivially_copyable_v<T>);
  const auto bytes = slice(arena, offset, sizeof(T));
  if (!bytes) {
    return std::nullopt;
  }
  T value;
  std::memcpy(&value, bytes->data(), sizeof(T));
  return value;
}

/// The text up to the next NUL byte; nullopt when there is no NUL.
[[nodiscard]] std::optional<std::string_view> text_at(ArenaBytes bytes, std::uint64_t offset);

/// NUL-separated words ("a\0b\0" = {"a","b"}; a last word without NUL counts).
[[nodiscard]] std::vector<std::string_view> split_words(ArenaBytes bytes);

/// Offsets of a singly linked list whose records begin with T and hold the next offset in `next`, 0
/// at the end. Stops at an offset outside of the arena and at one that was seen before.
template <class T>
[[nodiscard]] std::vector<std::uint64_t> follow_links(ArenaBytes arena, std::uint64_t first) {
  std::vector<std::uint64_t> offsets;
  std::unordered_set<std::uint64_t> seen;
  for (std::uint64_t offset = first; offset != 0 && seen.insert(offset).second;) {
    const auto next = read_at<std::uint64_t>(arena, offset + offsetof(T, next));
    if (!next || !slice(arena, offset, sizeof(T))) {
      break;
    }
    offsets.push_back(offset);
    offset = *next;
  }
  return offsets;
}

}  // namespace ridge::measure
