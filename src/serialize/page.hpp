// What the interactive report shows, as `ridge.page/1` (docs/formats/ridge.page-1.schema.json).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/comparison.hpp"
#include "core/machine.hpp"
#include "core/prediction.hpp"
#include "core/profile.hpp"

namespace ridge::serialize {

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

struct Page {
  std::vector<PageResult> results;       ///< oldest first; may be empty
  std::vector<Machine> machines;         ///< further ones, whose roofs can be overlaid
  std::optional<Comparison> comparison;  ///< of these results, in this order
  std::vector<SourceExcerpt> sources;
};

/// One JSON document; profiles are whole, with their derived values.
[[nodiscard]] std::string write_page(const Page& page);

}  // namespace ridge::serialize
