// A result of `ridge run` beside others.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"

namespace ridge::render {

/// A result among others, by the name that people give it.
struct LabelledResult {
  std::string label;
  const Profile* profile = nullptr;        ///< not nullptr
  const Prediction* prediction = nullptr;  ///< likewise
  std::vector<std::uint32_t> only = {};    ///< ids of the regions to show; empty: all
};

}  // namespace ridge::render
