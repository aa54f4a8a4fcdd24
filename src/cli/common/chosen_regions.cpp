#include "cli/common/chosen_regions.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "render/document/run/choose_region.hpp"

namespace ridge::cli {
namespace {

constexpr std::size_t kMostRows = 40;  // those of the table

}  // namespace

Result<std::vector<std::uint32_t>> chosen_regions(const StoredResult& result,
                                                  const std::vector<std::string>& words) {
  const render::Selection selection =
      render::select_regions(result.profile, result.prediction, kMostRows);
  std::vector<std::uint32_t> ids;
  for (const std::string& word : words) {
    const auto regions = render::choose_regions(result.profile, selection, word);
    if (regions.empty()) {
      std::vector<const Region*> known;
      for (const render::ShownRegion& shown : selection.shown) {
        known.push_back(shown.region);
      }
      return fail(ErrorCode::usage,
                  fmt::format("--only {}: {} has no such region", word, result.label),
                  fmt::format("These are in its table:\n{}",
                              render::candidate_list(selection, known, true)));
    }
    for (const Region* region : regions) {
      if (std::find(ids.begin(), ids.end(), region->id) == ids.end()) {
        ids.push_back(region->id);
      }
    }
  }
  return ids;
}

}  // namespace ridge::cli
