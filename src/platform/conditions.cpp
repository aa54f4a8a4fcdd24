#include "platform/conditions.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

namespace ridge::platform {
namespace {

/// 7 of "cpu7"; nullopt for "cpu", the sum over all, and for other lines.
std::optional<unsigned> cpu_number(const std::string& word) {
  unsigned number = 0;
  if (!word.starts_with("cpu")) {
    return std::nullopt;
  }
  const auto [end, error] = std::from_chars(word.data() + 3, word.data() + word.size(), number);
  return error == std::errc{} && end == word.data() + word.size() ? std::optional(number)
                                                                  : std::nullopt;
}

/// Of "7f00-7f10 rw-p ...", the first line about a mapping.
std::optional<std::pair<std::uintptr_t, std::uintptr_t>> range_of(const std::string& line) {
  std::uintptr_t first = 0;
  std::uintptr_t last = 0;
  const char* const end = line.data() + line.size();
  const auto [dash, error] = std::from_chars(line.data(), end, first, 16);
  if (error != std::errc{} || dash == end || *dash != '-' ||
      std::from_chars(dash + 1, end, last, 16).ec != std::errc{}) {
    return std::nullopt;
  }
  return std::pair(first, last);
}

}  // namespace

std::optional<CpuTimes> cpu_times(const std::vector<unsigned>& cpus,
                                  const std::filesystem::path& stat) {
  // user nice system idle iowait irq softirq steal; guest times are part of user and nice.
  constexpr int kStates = 8;
  constexpr int kIdle = 3;
  constexpr int kWaiting = 4;
  constexpr int kSteal = 7;
  std::ifstream lines(stat);
  CpuTimes sum;
  std::size_t found = 0;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    const auto cpu = cpu_number(name);
    if (!cpu || std::find(cpus.begin(), cpus.end(), *cpu) == cpus.end()) {
      continue;
    }
    std::uint64_t ticks = 0;
    int state = 0;
    for (; state < kStates && words >> ticks; ++state) {
      sum.total += ticks;
      sum.steal += state == kSteal ? ticks : 0;
      sum.idle += state == kIdle || state == kWaiting ? ticks : 0;
    }
    found += state == kStates ? 1 : 0;
  }
  return found == cpus.size() && found > 0 ? std::optional(sum) : std::nullopt;
}

std::optional<double> busy_cpus(const CpuTimes& before, const CpuTimes& after, std::size_t cpus) {
  if (after.total <= before.total || after.idle < before.idle) {
    return std::nullopt;
  }
  const auto passed = static_cast<double>(after.total - before.total);
  const auto idle = static_cast<double>(after.idle - before.idle);
  return static_cast<double>(cpus) * std::max(0.0, 1.0 - idle / passed);
}

unsigned online_cpus() {
  const long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? static_cast<unsigned>(count) : 0;
}

std::uint64_t address_space_left() {
  constexpr auto kNoLimit = std::numeric_limits<std::uint64_t>::max();
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
    return kNoLimit;
  }
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const std::uint64_t used = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return limit.rlim_cur - std::min<std::uint64_t>(used, limit.rlim_cur);
}

std::optional<double> huge_page_share(std::uintptr_t address, const std::filesystem::path& smaps) {
  std::ifstream lines(smaps);
  bool inside = false;
  double resident = 0.0;
  for (std::string line; std::getline(lines, line);) {
    if (const auto range = range_of(line)) {
      inside = range->first <= address && address < range->second;
      continue;
    }
    std::istringstream words(line);
    std::string key;
    double kibibytes = 0.0;
    if (!inside || !(words >> key >> kibibytes)) {
      continue;
    }
    if (key == "Rss:") {
      resident = kibibytes;
    } else if (key == "AnonHugePages:") {
      return resident > 0.0 ? std::optional(kibibytes / resident) : std::nullopt;
    }
  }
  return std::nullopt;
}

bool has_sysfs(const std::filesystem::path& cpus) {
  std::error_code error;
  return std::filesystem::is_directory(cpus, error);
}

}  // namespace ridge::platform
