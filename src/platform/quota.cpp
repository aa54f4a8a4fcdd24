#include "platform/quota.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>

namespace ridge::platform {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> read_text(const fs::path& path) {
  std::ifstream in(path);
  if (!in) {
    return std::nullopt;
  }
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::optional<double> parse_positive(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) {
    text.remove_suffix(1);
  }
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  return whole && std::isfinite(value) && value > 0.0 ? std::optional(value) : std::nullopt;
}

std::optional<double> quota_of_group(const fs::path& group) {
  if (const auto text = read_text(group / "cpu.max")) {
    return parse_cpu_max(*text);
  }
  const auto quota = read_text(group / "cpu.cfs_quota_us");
  const auto period = read_text(group / "cpu.cfs_period_us");
  if (!quota || !period) {
    return std::nullopt;
  }
  const auto microseconds = parse_positive(*quota);  // -1 is no limit
  const auto every = parse_positive(*period);
  return microseconds && every ? std::optional(*microseconds / *every) : std::nullopt;
}

std::optional<double> tighter(std::optional<double> a, std::optional<double> b) {
  return a && b ? std::min(*a, *b) : (a ? a : b);
}

/// The group and its ancestors up to `mount`.
std::optional<double> tightest_upwards(const fs::path& mount, const fs::path& relative) {
  std::optional<double> quota = quota_of_group(mount);
  fs::path group = mount;
  for (const fs::path& part : relative.relative_path()) {
    group /= part;
    quota = tighter(quota, quota_of_group(group));
  }
  return quota;
}

}  // namespace

std::optional<double> parse_cpu_max(std::string_view text) {
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos) {
    return std::nullopt;
  }
  const auto quota = parse_positive(text.substr(0, space));
  const auto period = parse_positive(text.substr(space + 1));
  return quota && period ? std::optional(*quota / *period) : std::nullopt;
}

std::optional<double> cpu_quota(const fs::path& root, const fs::path& membership) {
  std::optional<double> quota;
  std::ifstream groups(membership);
  // Each line is "hierarchy:controllers:path"; v2 has the empty controller list.
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first == std::string::npos ? first : first + 1);
    if (second == std::string::npos) {
      continue;
    }
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const fs::path group = line.substr(second + 1);
    if (controllers.empty()) {
      quota = tighter(quota, tightest_upwards(root, group));
    } else if (("," + controllers + ",").find(",cpu,") != std::string::npos) {
      quota = tighter(quota, tightest_upwards(root / "cpu", group));
      quota = tighter(quota, tightest_upwards(root / controllers, group));
    }
  }
  return quota;
}

unsigned usable_threads(std::size_t allowed, std::optional<double> quota) {
  const auto all = static_cast<unsigned>(std::max<std::size_t>(allowed, 1));
  if (!quota || *quota >= static_cast<double>(all)) {
    return all;
  }
  return std::max(1U, static_cast<unsigned>(std::floor(*quota)));
}

}  // namespace ridge::platform
