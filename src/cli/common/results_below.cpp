#include "cli/common/results_below.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/common/result_file.hpp"
#include "render/chart/text.hpp"

namespace ridge::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostEntries = 10'000;
constexpr int kLevels = 2;
constexpr std::size_t kMostShown = 40;
constexpr std::uintmax_t kLongestRead =
    8'000'000;  // byte: a list must not take seconds for each line

using Found = std::pair<fs::file_time_type, std::string>;

void look_into(const fs::path& folder, int levels, std::size_t& entries,
               std::vector<Found>& found) {
  std::error_code error;
  for (fs::directory_iterator it(folder, fs::directory_options::skip_permission_denied, error);
       !error && it != fs::directory_iterator() && entries < kMostEntries; it.increment(error)) {
    ++entries;
    std::error_code ignored;
    if (!it->is_directory(ignored) || it->is_symlink(ignored)) {
      continue;
    }
    const auto changed = fs::last_write_time(it->path() / kProfileFile, ignored);
    if (!ignored) {
      found.emplace_back(changed, it->path().lexically_normal().string());
    } else if (levels > 1) {
      look_into(it->path(), levels - 1, entries, found);
    }
  }
}

/// Date, wall time and command line, as far as the result says them.
std::string details_of(const std::string& result) {
  std::error_code error;
  if (fs::file_size(fs::path(result) / kProfileFile, error) > kLongestRead || error) {
    return "(large: not read)";
  }
  const auto profile = read_profile(result);
  if (!profile) {
    return "(cannot be read)";
  }
  std::string text = profile->date;
  if (profile->program.wall_seconds.value() > 0) {
    text += fmt::format("  {:>8.3g} s", profile->program.wall_seconds.value());
  }
  return text + fmt::format("  {}", fmt::join(profile->program.argv, " "));
}

}  // namespace

std::vector<std::string> results_below(const std::string& folder) {
  std::vector<Found> found;
  std::size_t entries = 0;
  look_into(folder, kLevels, entries, found);
  std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::vector<std::string> names;
  for (Found& one : found) {
    names.push_back(std::move(one.second));
  }
  return names;
}

std::string results_list(const std::string& folder, const std::vector<std::string>& results) {
  const std::size_t shown = std::min(results.size(), kMostShown);
  std::size_t width = 0;
  for (std::size_t i = 0; i < shown; ++i) {
    width = std::max(width, results[i].size());
  }
  std::string text = fmt::format("Results below {}, the newest first:\n\n", folder);
  for (std::size_t i = 0; i < shown; ++i) {
    text += fmt::format("  {}  {}\n", render::pad_right(results[i], width), details_of(results[i]));
  }
  if (results.size() > shown) {
    text += fmt::format("  and {} more\n", results.size() - shown);
  }
  return text + fmt::format("\n`ridge report {}` shows the first of them.\n", results.front());
}

}  // namespace ridge::cli
