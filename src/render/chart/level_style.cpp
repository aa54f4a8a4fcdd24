#include "render/chart/level_style.hpp"

#include <algorithm>
#include <array>

#include "core/identity/level.hpp"

namespace ridge::render {
namespace {

constexpr std::array<LevelStyle, kLevelStyles> kStyles = {
    {{to_string(Level::L1), Shape::triangle, palette::kBlue, "38;5;32", "\u25B2", '^'},
     {to_string(Level::L2), Shape::diamond, palette::kGreen, "38;5;36", "\u25C6", '%'},
     {to_string(Level::L3), Shape::square, palette::kGold, "38;5;178", "\u25A0", '#'},
     {to_string(Level::DRAM), Shape::circle, palette::kVermilion, "38;5;202", "\u25CF", 'o'},
     {to_string(Level::HBM), Shape::hexagon, palette::kPink, "38;5;175", "\u2605", '*'},
     {to_string(Level::CXL), Shape::inverted_triangle, palette::kSky, "38;5;74", "\u25BC", 'v'},
     {to_string(Level::NVRAM), Shape::pentagon, palette::kGrey, "38;5;245", "\u25C8", 'x'}}};
constexpr std::size_t kFirstSpare = 4;

}  // namespace

std::size_t level_style_index(std::string_view level, std::size_t index) {
  const auto* found = std::find_if(kStyles.begin(), kStyles.end(),
                                   [&](const LevelStyle& style) { return style.name == level; });
  return found != kStyles.end() ? static_cast<std::size_t>(found - kStyles.begin())
                                : kFirstSpare + index % (kLevelStyles - kFirstSpare);
}

const LevelStyle& level_style(std::string_view level, std::size_t index) {
  return kStyles.at(level_style_index(level, index));
}

const LevelStyle& level_style_at(std::size_t style_index) {
  return kStyles.at(style_index);
}

}  // namespace ridge::render
