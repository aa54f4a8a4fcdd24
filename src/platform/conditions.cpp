#include "platform/conditions.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>
#include <string>
#include <unistd.h>

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

}  // namespace

std::optional<CpuTimes> cpu_times(const std::vector<unsigned>& cpus,
                                  const std::filesystem::path& stat) {
  // user nice system idle iowait irq softirq steal; guest times are part of user and nice.
  constexpr int kStates = 8;
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
    }
    found += state == kStates ? 1 : 0;
  }
  return found == cpus.size() && found > 0 ? std::optional(sum) : std::nullopt;
}

unsigned online_cpus() {
  const long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? static_cast<unsigned>(count) : 0;
}

bool has_sysfs(const std::filesystem::path& cpus) {
  std::error_code error;
  return std::filesystem::is_directory(cpus, error);
}

}  // namespace ridge::platform
