#include "measure/instrumented/descendants.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>

#include <fmt/format.h>

#include "abi/layout.h"
#include "measure/instrumented/decode.hpp"
#include "platform/signals.hpp"

namespace ridge::measure {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{50};
/// For a process between fork and the first code of the program that it becomes.
constexpr std::chrono::seconds kMayBecomeMeasured{1};
constexpr std::size_t kNamesShown = 4;

std::set<pid_t> measured_pids(ArenaBytes arena) {
  std::set<pid_t> pids;
  for (const std::uint64_t record : process_records(arena)) {
    const auto pid = read_at<std::uint32_t>(arena, record + offsetof(ridge_process_record, pid));
    pids.insert(static_cast<pid_t>(pid.value_or(0)));
  }
  return pids;
}

}  // namespace

Descendants::Descendants(platform::ProcessTree& tree, ArenaBytes arena, std::chrono::seconds limit)
    : tree_(tree), arena_(arena), limit_(limit), begin_(Clock::now()), next_look_(begin_) {}

void Descendants::look(Clock::time_point now) {
  next_look_ = now + kBetweenLooks;
  measured_.clear();
  others_.clear();
  const auto pids = measured_pids(arena_);
  for (platform::LivingProcess& process : tree_.living()) {
    (pids.contains(process.pid) ? measured_ : others_).push_back(std::move(process));
  }
}

bool Descendants::worth_waiting() {
  if (!tree_.has_others()) {
    measured_.clear();
    others_.clear();
    return false;
  }
  const auto now = Clock::now();
  if (now >= next_look_) {
    look(now);
  }
  const auto limit = any_measured() ? limit_ : std::min(limit_, kMayBecomeMeasured);
  return now - begin_ < limit && platform::SignalGuard::last_received() == 0;
}

std::string name_list(const std::vector<platform::LivingProcess>& processes) {
  std::string text;
  for (std::size_t i = 0; i < std::min(processes.size(), kNamesShown); ++i) {
    text += fmt::format("{}{} ({})", i == 0 ? "" : ", ", processes[i].name, processes[i].pid);
  }
  if (processes.size() > kNamesShown) {
    text += fmt::format(" and {} more", processes.size() - kNamesShown);
  }
  return text;
}

}  // namespace ridge::measure
