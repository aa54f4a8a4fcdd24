#include "cli/output/explain.hpp"

#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include <fmt/format.h>

#include "cli/common/source_excerpts.hpp"
#include "render/document/run/choose_region.hpp"
#include "render/document/run/region_report.hpp"

namespace ridge::cli {
namespace {

constexpr std::size_t kMostRows = 40;  // those of the table
constexpr std::uintmax_t kLargestSource = 16U << 20U;

/// The path comes from the measured program: only an ordinary file of a sane size is read.
std::optional<std::string> source_of(const Region& region) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!region.file || !fs::is_regular_file(*region.file, error) ||
      fs::file_size(*region.file, error) > kLargestSource || error) {
    return std::nullopt;
  }
  std::ifstream file(*region.file, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return file ? std::optional(text.str()) : std::nullopt;
}

}  // namespace

Result<std::string> explain(const Profile& profile, const Prediction& prediction,
                            const std::string& words, const render::TextStyle& style, Age age) {
  const render::Selection selection = render::select_regions(profile, prediction, kMostRows);
  const auto regions = render::choose_regions(profile, selection, words);
  if (regions.size() == 1) {
    const Region& region = *regions.front();
    const bool is_source =
        age == Age::just_measured || (region.file && is_source_of(profile, *region.file));
    return render::region_report(profile, prediction, region,
                                 is_source ? source_of(region) : std::nullopt, style);
  }
  if (!regions.empty()) {
    return fail(ErrorCode::usage,
                fmt::format("--explain {}: {} regions fit", words, regions.size()),
                fmt::format("Name one of them, or its number:\n{}",
                            render::candidate_list(selection, regions, style.unicode)));
  }
  std::vector<const Region*> known;
  for (const render::ShownRegion& shown : selection.shown) {
    known.push_back(shown.region);
  }
  return fail(ErrorCode::usage, fmt::format("--explain {}: no such region", words),
              known.empty() ? std::string("No region has time or work.")
                            : fmt::format("These are in the table:\n{}",
                                          render::candidate_list(selection, known, style.unicode)));
}

}  // namespace ridge::cli
