#include "measure/ranks/split_ranks.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "measure/ranks/add_call.hpp"
#include "measure/ranks/join_ranks.hpp"
#include "measure/ranks/rank_hosts.hpp"

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
    if (region->overlaps) {
      continue;  // what it holds is another's too
    }
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
  const unsigned threads = profile.machine.topology ? profile.machine.topology->threads : 0;
  for (unsigned cpu = 0; cpu < threads; ++cpu) {
    record.cpus.push_back(cpu);  // which of them is unknown, how many is not
  }
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

bool is_same(const MpiCall& a, const MpiCall& b) {
  return a.name == b.name && a.region == b.region;
}

bool is_same(const LibraryCall& a, const LibraryCall& b) {
  return a.name == b.name && a.sizes == b.sizes && a.region == b.region;
}

/// Calls of regions that have become one are one.
template <class Call>
std::vector<Call> calls_of_sum(const std::vector<Call>& calls,
                               const std::map<std::uint32_t, std::uint32_t>& id_of) {
  std::vector<Call> sums;
  for (Call call : calls) {
    const auto found = call.region ? id_of.find(*call.region) : id_of.end();
    call.region = found == id_of.end() ? std::nullopt : std::optional(found->second);
    const auto same =
        std::ranges::find_if(sums, [&](const Call& known) { return is_same(known, call); });
    if (same == sums.end()) {
      sums.push_back(std::move(call));
    } else {
      add_call(*same, call);
    }
  }
  return sums;
}

}  // namespace

Profile sum_over_ranks(Profile profile) {
  const auto ranks = regions_by_rank(profile);
  if (ranks.empty() || program_region(profile) == nullptr) {
    return profile;
  }
  RankJoin join;
  std::vector<unsigned> all;
  std::map<std::uint32_t, std::uint32_t> id_of;
  for (const auto& [rank, regions] : ranks) {
    const RankRecord record = record_of(profile, rank, regions);
    const RankJoin::Places places = join.add(record);
    for (std::size_t i = 0; i < places.size(); ++i) {
      id_of[record.profile.regions[i].id] = static_cast<std::uint32_t>(places[i]);
    }
    all.push_back(static_cast<unsigned>(rank));
  }
  const unsigned count = all.back() + 1;
  Profile joined = std::move(join).finish(profile.machine, count, all);
  restore_program(joined, *program_region(profile));
  profile.parallel = std::move(joined.parallel);
  profile.parallel->hosts = {host_of_all(profile, static_cast<unsigned>(ranks.size()))};
  profile.machine = std::move(joined.machine);
  const std::uint32_t first = ranks.begin()->second.front()->process;
  profile.regions = std::move(joined.regions);
  for (Region& region : profile.regions) {
    region.process = first;
  }
  profile.mpi_calls = calls_of_sum(profile.mpi_calls, id_of);
  profile.library_calls = calls_of_sum(profile.library_calls, id_of);
  std::ranges::move(joined.notes, std::back_inserter(profile.notes));
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
