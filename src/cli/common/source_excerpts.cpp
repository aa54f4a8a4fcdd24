#include "cli/common/source_excerpts.hpp"

#include <algorithm>
#include <ctime>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <utility>

namespace ridge::cli {
namespace {

constexpr std::size_t kMostRegions = 200;
constexpr unsigned kLinesBefore = 3;
constexpr unsigned kLinesAfter = 12;
constexpr unsigned kAroundFigures = 2;  ///< of a line that figures are known of
constexpr std::size_t kMostColumns = 240;
constexpr off_t kMostBytes = off_t{4} << 20U;

/// Lines [first, second], from 1.
using Lines = std::pair<unsigned, unsigned>;

/// "2026-01-31T12:05:00Z" in seconds since 1970; nullopt when it is no such date.
std::optional<std::time_t> seconds_of(const std::string& date) {
  std::tm parts{};
  const char* end = strptime(date.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return end != nullptr && *end == '\0' ? std::optional(timegm(&parts)) : std::nullopt;
}

/// A regular file of moderate size that nobody touched since the run.
bool is_usable(const std::string& path, std::time_t run) {
  struct stat status{};
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         status.st_size <= kMostBytes && status.st_mtime <= run;
}

double weight(const Region& region) {
  const auto& time = region.time_seconds.self;
  return time ? time->value.value() : 0.0;
}

using LinesByFile = std::map<std::string, std::vector<Lines>>;

void add_lines(const std::string& file, unsigned line, unsigned before, unsigned after,
               LinesByFile& wanted) {
  wanted[file].emplace_back(line > before ? line - before : 1, line + after);
}

LinesByFile wanted_lines(const Profile& profile) {
  std::vector<const Region*> regions;
  for (const Region& region : profile.regions) {
    if (region.file && region.line && *region.line > 0) {
      regions.push_back(&region);
    }
  }
  std::stable_sort(regions.begin(), regions.end(),
                   [](const Region* a, const Region* b) { return weight(*a) > weight(*b); });
  regions.resize(std::min(regions.size(), kMostRegions));
  LinesByFile wanted;
  for (const Region* region : regions) {
    add_lines(*region->file, *region->line, kLinesBefore, kLinesAfter, wanted);
    for (const LineWork& line : region->lines) {
      add_lines(line.file.value_or(*region->file), line.line, kAroundFigures, kAroundFigures,
                wanted);
    }
  }
  return wanted;
}

/// Ascending, those that touch made one.
std::vector<Lines> merged(std::vector<Lines> ranges) {
  std::sort(ranges.begin(), ranges.end());
  std::vector<Lines> result;
  for (const Lines& range : ranges) {
    if (!result.empty() && range.first <= result.back().second + 1) {
      result.back().second = std::max(result.back().second, range.second);
    } else {
      result.push_back(range);
    }
  }
  return result;
}

void append_file(std::vector<SourceExcerpt>& out, const std::string& path,
                 const std::vector<Lines>& ranges) {
  std::ifstream file(path);
  std::string line;
  auto range = ranges.begin();
  for (unsigned number = 1; range != ranges.end() && std::getline(file, line); ++number) {
    if (number == range->first) {
      out.push_back({path, number, {}});
    }
    if (number >= range->first) {
      out.back().lines.push_back(line.substr(0, kMostColumns));
    }
    if (number == range->second) {
      ++range;
    }
  }
}

}  // namespace

std::vector<SourceExcerpt> source_excerpts(const Profile& profile) {
  std::vector<SourceExcerpt> excerpts;
  const auto run = seconds_of(profile.date);
  if (profile.program.argv.empty() || !run) {
    return excerpts;
  }
  for (auto& [path, ranges] : wanted_lines(profile)) {
    if (is_usable(path, *run)) {
      append_file(excerpts, path, merged(ranges));
    }
  }
  return excerpts;
}

bool is_source_of(const Profile& profile, const std::string& path) {
  const auto run = seconds_of(profile.date);
  return !profile.program.argv.empty() && run && is_usable(path, *run);
}

}  // namespace ridge::cli
