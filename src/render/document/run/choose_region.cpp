#include "render/document/run/choose_region.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "render/chart/names.hpp"

namespace ridge::render {
namespace {

constexpr std::size_t kMostListed = 20;

std::optional<unsigned> as_number(std::string_view words) {
  unsigned number = 0;
  const char* end = words.data() + words.size();
  const auto parsed = std::from_chars(words.data(), end, number);
  return parsed.ec == std::errc() && parsed.ptr == end ? std::optional(number) : std::nullopt;
}

/// Everything that a person may call the region.
std::vector<std::string> names_of(const Region& region) {
  std::vector<std::string> names{region.name, region.function, plain_name(region),
                                 brief_name(region.name), brief_name(region.function)};
  const std::string place = source_location(region);
  if (!place.empty()) {
    names.push_back(place);
    names.push_back(place.substr(place.find_last_of('/') + 1));
  }
  return names;
}

template <class Test>
std::vector<const Region*> regions_with(const Profile& profile, const Selection& selection,
                                        Test test) {
  const auto fits = [&](const Region& region) {
    const auto names = names_of(region);
    return region.kind != RegionKind::program && std::any_of(names.begin(), names.end(), test);
  };
  std::vector<const Region*> found;
  for (const ShownRegion& shown : selection.shown) {
    if (fits(*shown.region)) {
      found.push_back(shown.region);
    }
  }
  for (const Region& region : profile.regions) {
    if (fits(region) && std::find(found.begin(), found.end(), &region) == found.end()) {
      found.push_back(&region);
    }
  }
  return found;
}

std::string rank_of(const Selection& selection, const Region* region) {
  for (const ShownRegion& shown : selection.shown) {
    if (shown.region == region) {
      return std::to_string(shown.rank);
    }
  }
  return "-";
}

}  // namespace

std::vector<const Region*> choose_regions(const Profile& profile, const Selection& selection,
                                          std::string_view words) {
  if (words.empty()) {
    return {};
  }
  if (const auto number = as_number(words)) {
    for (const ShownRegion& shown : selection.shown) {
      if (shown.rank == *number) {
        return {shown.region};
      }
    }
    return {};
  }
  auto exact =
      regions_with(profile, selection, [&](const std::string& name) { return name == words; });
  if (!exact.empty()) {
    return exact;
  }
  return regions_with(profile, selection, [&](const std::string& name) {
    return name.find(words) != std::string::npos;
  });
}

std::string candidate_list(const Selection& selection, const std::vector<const Region*>& regions,
                           bool unicode) {
  constexpr std::size_t kWidth = 90;
  std::string out;
  for (std::size_t i = 0; i < regions.size() && i < kMostListed; ++i) {
    out += fmt::format("  {:>3}  {}\n", rank_of(selection, regions[i]),
                       where(*regions[i], kWidth, unicode));
  }
  if (regions.size() > kMostListed) {
    out += fmt::format("       and {} more\n", regions.size() - kMostListed);
  }
  return out;
}

}  // namespace ridge::render
