#include "measure/instrumented/arena_view.hpp"

#include <algorithm>

namespace ridge::measure {

std::optional<ArenaBytes> slice(ArenaBytes arena, std::uint64_t offset, std::uint64_t bytes) {
  if (offset > arena.size() || bytes > arena.size() - offset) {
    return std::nullopt;
  }
  return arena.subspan(offset, bytes);
}

std::optional<std::string_view> text_at(ArenaBytes bytes, std::uint64_t offset) {
  if (offset >= bytes.size()) {
    return std::nullopt;
  }
  const std::string_view rest(reinterpret_cast<const char*>(bytes.data()) + offset,
                              bytes.size() - offset);
  const auto end = rest.find('\0');
  return end == std::string_view::npos ? std::nullopt : std::optional(rest.substr(0, end));
}

std::vector<std::string_view> split_words(ArenaBytes bytes) {
  std::vector<std::string_view> words;
  std::string_view rest(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  while (!rest.empty()) {
    const auto end = std::min(rest.find('\0'), rest.size());
    words.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return words;
}

}  // namespace ridge::measure
