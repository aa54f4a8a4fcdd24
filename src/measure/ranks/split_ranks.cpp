#include "measure/ranks/split_ranks.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "measure/ranks/join_ranks.hpp"

namespace ridge::measure {
namespace {

/// Regions of each rank; empty where they cannot be told apart.
std::map<int, std::vector<const Region*>> regions_by_rank(const Profile& profile) {
  std::map<int, std::vector<const Region*>> ranks;
  std::map<int, std::uint32_t> process_of;
  for (const Region& region : profile.regions) {
    if (region.kind == RegionKind::program) {
      continue;
    }
    const auto rank = region.process < profile.processes.size()
                          ? profile.processes[region.process].rank
                          : std::nullopt;
    if (!rank || process_of.try_emplace(*rank, region.process).first->second != region.process) {
      return {};  // a process that is no rank, or a rank's children, which have its variables
    }
    ranks[*rank].push_back(&region);
  }
  return ranks.size() < 2 ? std::map<int, std::vector<const Region*>>() : ranks;
}

/// Of the rank's regions together.
Region program_of(const Profile& profile, const std::vector<const Region*>& regions) {
  Region program;
  static_cast<RegionIdentity&>(program) = *program_region(profile);
  SampledTime cpu;
  for (const Region* region : regions) {
    if (region->flops) {
      work_of(program) += *region->flops;
    }
    if (bytes_accessed(*region)) {
      program.bytes_loaded = program.bytes_loaded.value_or(0) + *region->bytes_loaded;
      program.bytes_stored = program.bytes_stored.value_or(0) + *region->bytes_stored;
    }
    if (region->cpu_seconds.self) {
      cpu.value += region->cpu_seconds.self->value;
    }
  }
  cpu.low = cpu.high = cpu.value;
  program.cpu_seconds.self = cpu;
  return program;
}

RankRecord record_of(const Profile& profile, int rank, const std::vector<const Region*>& regions) {
  RankRecord record;
  record.rank = static_cast<unsigned>(rank);
  record.profile.program = profile.program;
  record.profile.program.argv = profile.processes[regions.front()->process].argv;
  record.profile.origins = profile.origins;
  record.profile.processes = {profile.processes[regions.front()->process]};
  record.profile.regions.push_back(program_of(profile, regions));
  for (const Region* region : regions) {
    record.profile.regions.push_back(*region);
  }
  return record;
}

/// What was measured of all ranks at once is more than their sum tells.
void restore_program(Profile& joined, const Region& whole) {
  for (Region& region : joined.regions) {
    if (region.kind == RegionKind::program) {
      const RegionIdentity identity = region;
      auto ranks = std::move(region.ranks);
      region = whole;
      static_cast<RegionIdentity&>(region) = identity;
      region.partial = whole.partial;
      region.ranks = std::move(ranks);
      region.ranks->time_seconds.reset();
    }
  }
}

}  // namespace

Profile sum_over_ranks(Profile profile) {
  const auto ranks = regions_by_rank(profile);
  if (ranks.empty() || program_region(profile) == nullptr) {
    return profile;
  }
  RankJoin join;
  std::vector<unsigned> all;
  for (const auto& [rank, regions] : ranks) {
    join.add(record_of(profile, rank, regions));
    all.push_back(static_cast<unsigned>(rank));
  }
  const unsigned count = all.back() + 1;
  Profile joined = std::move(join).finish(profile.machine, count, all);
  restore_program(joined, *program_region(profile));
  profile.parallel = std::move(joined.parallel);
  profile.parallel->hosts.clear();
  const std::uint32_t first = ranks.begin()->second.front()->process;
  profile.regions = std::move(joined.regions);
  for (Region& region : profile.regions) {
    region.process = first;
  }
  for (Note& note : joined.notes) {
    if (note.code == "ranks-summed") {
      profile.notes.push_back(std::move(note));
    }
  }
  for (Process& process : profile.processes) {
    const auto same = std::ranges::find(joined.processes, process.rank, &Process::rank);
    if (process.rank && same != joined.processes.end()) {
      process.cpu_seconds = same->cpu_seconds;
      process.flops = same->flops;
      process.bytes = same->bytes;
    }
  }
  return profile;
}

}  // namespace ridge::measure
