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

std::optional<double> parse_file(const fs::path& path) {
  const auto text = read_text(path);
  return text ? parse_positive(*text) : std::nullopt;
}

/// "max" is no number and so no limit. What the group uses already is not taken off: most of it is
/// often page cache, which makes way.
std::optional<double> memory_of_group(const fs::path& group) {
  return tighter(parse_file(group / "memory.max"), parse_file(group / "memory.limit_in_bytes"));
}

using GroupLimit = std::optional<double> (*)(const fs::path& group);

/// The least limit of the group and its ancestors up to `mount`.
std::optional<double> tightest_upwards(const fs::path& mount, const fs::path& relative,
                                       GroupLimit limit_of) {
  std::optional<double> tightest = limit_of(mount);
  fs::path group = mount;
  for (const fs::path& part : relative.relative_path()) {
    group /= part;
    tightest = tighter(tightest, limit_of(group));
  }
  return tightest;
}

/// The least limit over all hierarchies that `controller` belongs to (v1) and the unified one (v2).
std::optional<double> tightest(const fs::path& root, const fs::path& membership,
                               const std::string& controller, GroupLimit limit_of) {
  std::optional<double> limit;
  std::ifstream groups(membership);
  // Each line is "hierarchy:controllers:path"; v2 has the empty controller list.
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second =
        first == std::string::npos ? std::string::npos : line.find(':', first + 1);
    if (second == std::string::npos) {
      continue;
    }
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const fs::path group = line.substr(second + 1);
    if (controllers.empty()) {
      limit = tighter(limit, tightest_upwards(root, group, limit_of));
    } else if (("," + controllers + ",").find("," + controller + ",") != std::string::npos) {
      limit = tighter(limit, tightest_upwards(root / controller, group, limit_of));
      limit = tighter(limit, tightest_upwards(root / controllers, group, limit_of));
    }
  }
  return limit;
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
  return tightest(root, membership, "cpu", quota_of_group);
}

unsigned usable_threads(std::size_t allowed, std::optional<double> quota) {
  const auto all = static_cast<unsigned>(std::max<std::size_t>(allowed, 1));
  if (!quota || *quota >= static_cast<double>(all)) {
    return all;
  }
  return std::max(1U, static_cast<unsigned>(std::floor(*quota)));
}

std::uint64_t available_memory_bytes(const fs::path& root, const fs::path& membership,
                                     const fs::path& meminfo) {
  std::optional<double> bytes = tightest(root, membership, "memory", memory_of_group);
  std::ifstream lines(meminfo);
  for (std::string key; lines >> key;) {
    double kibibytes = 0.0;
    if (key == "MemAvailable:" && lines >> kibibytes) {
      bytes = tighter(bytes, kibibytes * 1024.0);
    }
  }
  return static_cast<std::uint64_t>(bytes.value_or(0.0));
}

}  // namespace ridge::platform
