// What the interactive report shows.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/identity/level.hpp"
#include "core/value/comparison.hpp"
#include "core/value/machine.hpp"
#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"

namespace ridge {

struct PageResult {
  std::string label;  ///< how the page calls it: "before", "ridge-out.1"
  Profile profile;
  Prediction prediction;  ///< of this profile
};

/// Lines of a source file around regions that the page shows.
struct SourceExcerpt {
  std::string file;         ///< as the regions spell it
  unsigned first_line = 1;  ///< number of the first of `lines`
  std::vector<std::string> lines;
};

/// What is to be said below the chart while it shows this roof.
struct AboveRoof {
  std::optional<std::size_t> result;   ///< whose machine it is; else
  std::optional<std::size_t> machine;  ///< one of Page::machines
  unsigned threads = 1;
  Level level = Level::DRAM;
  std::string text;  ///< which pattern moves more than the roof says, and how much
};

struct Page {
  std::vector<PageResult> results;       ///< oldest first; may be empty
  std::vector<Machine> machines;         ///< further ones, whose roofs can be overlaid
  std::optional<Comparison> comparison;  ///< of these results, in this order
  std::vector<SourceExcerpt> sources;
  std::vector<AboveRoof> above_roofs;
};

}  // namespace ridge
