#include "render/chart/palette.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

namespace ridge::render {

namespace {

std::string_view value_of(std::string_view name, Theme theme) {
  if (name == "fonts") {
    return kScreenFonts;
  }
  const auto* found = std::find_if(palette::kAll.begin(), palette::kAll.end(),
                                   [&](const Colour& colour) { return colour.name == name; });
  assert(found != palette::kAll.end());
  return found->in(theme);
}

}  // namespace

std::string coloured(std::string_view sheet, Theme theme) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz";
  std::string out;
  for (std::size_t at = sheet.find('$'); at != std::string_view::npos; at = sheet.find('$')) {
    out += sheet.substr(0, at);
    sheet.remove_prefix(at + 1);
    const std::size_t end = std::min(sheet.find_first_not_of(kLetters), sheet.size());
    out += value_of(sheet.substr(0, end), theme);
    sheet.remove_prefix(end);
  }
  return out.append(sheet);
}

std::string on_dark_screens(std::string_view rules) {
  return fmt::format("@media screen and (prefers-color-scheme:dark){{{}}}\n", rules);
}

}  // namespace ridge::render
