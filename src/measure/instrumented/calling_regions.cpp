#include "measure/instrumented/calling_regions.hpp"

#include <algorithm>

#include "measure/instrumented/regions.hpp"

namespace ridge::measure {
namespace {

/// The newest of that number; past the end where there is none.
std::size_t process_of(const DecodedArena& arena, std::uint32_t pid) {
  const auto found =
      std::ranges::find(arena.processes.rbegin(), arena.processes.rend(), pid, &RawProcess::pid);
  return found == arena.processes.rend()
             ? arena.processes.size()
             : static_cast<std::size_t>(arena.processes.rend() - found) - 1;
}

std::optional<std::uint32_t> first_in_profile(const std::vector<RawRegion>& regions,
                                              const std::vector<std::uint32_t>& of_raw,
                                              std::uint32_t id) {
  for (std::size_t steps = 0; steps < regions.size() && id < regions.size(); ++steps) {
    const bool is_there = id < of_raw.size() && of_raw[id] != kNoRegion;
    if (is_there && regions[id].kind != RIDGE_REGION_CALL) {
      return of_raw[id];
    }
    if (!regions[id].parent) {
      break;
    }
    id = *regions[id].parent;
  }
  return std::nullopt;
}

}  // namespace

RegionOfCall calling_regions(const DecodedArena& arena, const RegionsOfRaw& of_raw) {
  return [&arena, &of_raw](const RecordedProcess& process,
                           const RecordedCall& call) -> std::optional<std::uint32_t> {
    const std::size_t index = process_of(arena, process.pid);
    if (call.region == 0 || index >= std::min(arena.processes.size(), of_raw.size())) {
      return std::nullopt;
    }
    return first_in_profile(arena.processes[index].regions, of_raw[index], call.region);
  };
}

}  // namespace ridge::measure
