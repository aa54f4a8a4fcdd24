// ANSI colour, when the style wants it.
#pragma once

#include <string>
#include <string_view>

#include "render/chart/style.hpp"

namespace ridge::render {

/// SGR parameters; empty is plain text.
using Paint = std::string_view;
inline constexpr Paint kPlain = "";
inline constexpr Paint kBold = "1";
inline constexpr Paint kDim = "2";
inline constexpr Paint kWarning = "33";

[[nodiscard]] inline std::string paint(std::string_view text, Paint how, const TextStyle& style) {
  if (!style.colour || how.empty() || text.empty()) {
    return std::string(text);
  }
  std::string out = "\x1b[";
  return out.append(how).append("m").append(text).append("\x1b[0m");
}

/// `columns` within the widths that layouts are made for.
[[nodiscard]] inline std::size_t usable_columns(const TextStyle& style) {
  constexpr int kLeast = 60;
  constexpr int kMost = 200;
  return static_cast<std::size_t>(style.columns < kLeast  ? kLeast
                                  : style.columns > kMost ? kMost
                                                          : style.columns);
}

}  // namespace ridge::render
