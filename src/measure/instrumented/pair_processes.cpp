#include "measure/instrumented/pair_processes.hpp"

#include <map>
#include <string>
#include <utility>

namespace ridge::measure {
namespace {

using Who = std::pair<std::optional<unsigned>, std::string>;

/// Where nobody has a rank, the order alone tells processes apart.
Who who(const RawProcess& process) {
  const bool has_program = process.rank && !process.arguments.empty();
  return {process.rank, has_program ? process.arguments.front() : std::string()};
}

std::map<Who, std::vector<std::size_t>> by_who(const std::vector<RawProcess>& processes) {
  std::map<Who, std::vector<std::size_t>> places;
  for (std::size_t i = 0; i < processes.size(); ++i) {
    places[who(processes[i])].push_back(i);
  }
  return places;
}

}  // namespace

std::vector<std::optional<std::size_t>> pair_processes(const std::vector<RawProcess>& first,
                                                       const std::vector<RawProcess>& second) {
  std::vector<std::optional<std::size_t>> pairs(first.size());
  const auto theirs = by_who(second);
  for (const auto& [who, places] : by_who(first)) {
    const auto found = theirs.find(who);
    for (std::size_t n = 0; found != theirs.end() && n < places.size(); ++n) {
      if (n < found->second.size()) {
        pairs[places[n]] = found->second[n];
      }
    }
  }
  return pairs;
}

}  // namespace ridge::measure
