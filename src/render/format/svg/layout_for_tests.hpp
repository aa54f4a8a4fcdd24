// What tests ask of the layout of a picture.
#pragma once

#include <vector>

#include "render/format/svg/svg_layout.hpp"

namespace ridge::render {

/// All texts, numbers and the legend's included.
[[nodiscard]] inline std::vector<PlacedText> texts_of(const SvgLayout& layout) {
  std::vector<PlacedText> texts = layout.texts;
  for (const PlacedRegion& region : layout.regions) {
    if (!region.number.text.empty()) {
      texts.push_back(region.number);
    }
  }
  for (const PlacedLegend& entry : layout.legend) {
    texts.push_back(entry.text);
  }
  return texts;
}

}  // namespace ridge::render
