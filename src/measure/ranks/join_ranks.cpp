#include "measure/ranks/join_ranks.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "core/quantity/saturating.hpp"
#include "measure/ranks/add_call.hpp"
#include "measure/ranks/add_region.hpp"
#include "measure/ranks/cluster_machine.hpp"
#include "measure/ranks/end_notes.hpp"
#include "measure/ranks/rank_hosts.hpp"
#include "measure/ranks/rank_notes.hpp"

namespace ridge::measure {
namespace {

std::string program_of(const std::vector<std::string>& argv) {
  return argv.empty() ? std::string() : argv.front().substr(argv.front().rfind('/') + 1);
}

/// Regions of the same name under the same parent are one.
std::string name_of(const Region& region, const std::string& program) {
  if (region.kind == RegionKind::program) {
    return {};
  }
  std::string name = fmt::format("{}\n{}\n{}\n{}", program, static_cast<int>(region.kind),
                                 region.name, region.function);
  if (region.file) {
    name +=
        fmt::format("\n{}:{}:{}", *region.file, region.line.value_or(0), region.column.value_or(0));
  }
  return region.device ? name + '\n' + *region.device : name;
}

std::string key_of(std::optional<std::size_t> parent, const std::string& name) {
  return fmt::format("{}\n{}", parent ? *parent + 1 : 0, name);
}

Seconds mpi_seconds(const Profile& profile) {
  Seconds sum(0.0);
  for (const MpiCall& call : profile.mpi_calls) {
    sum += call.seconds;
  }
  return sum;
}

}  // namespace

std::size_t RankJoin::place_for(const std::string& name, std::optional<std::size_t> parent,
                                const Region& region) {
  const auto [found, is_new] = place_of_.try_emplace(key_of(parent, name), regions_.size());
  if (is_new) {
    Joined& joined = regions_.emplace_back();
    joined.name = name;
    joined.parent = parent;
    static_cast<RegionIdentity&>(joined.region) = region;
    joined.region.id = static_cast<std::uint32_t>(found->second);
    joined.region.parent.reset();
    joined.region.process = 0;
  }
  return found->second;
}

/// Parents first, wherever they stand in the record; a parent that is not there, or a circle, is
/// none: records are files.
RankJoin::Places RankJoin::place_regions(const RankRecord& record) {
  const auto& regions = record.profile.regions;
  const std::string program = program_of(record.profile.program.argv);
  std::unordered_map<std::uint32_t, std::size_t> index_of;
  for (std::size_t i = 0; i < regions.size(); ++i) {
    index_of.try_emplace(regions[i].id, i);
  }
  constexpr std::size_t kUnknown = ~std::size_t{0};
  Places places(regions.size(), kUnknown);
  std::unordered_map<std::string, unsigned> seen;
  std::vector<std::size_t> way;
  for (std::size_t start = 0; start < regions.size(); ++start) {
    std::size_t at = start;
    way.clear();
    while (places[at] == kUnknown && std::ranges::find(way, at) == way.end()) {
      way.push_back(at);
      const auto parent = regions[at].parent ? index_of.find(*regions[at].parent) : index_of.end();
      if (parent == index_of.end()) {
        break;
      }
      at = parent->second;
    }
    std::optional<std::size_t> parent;
    if (places[at] != kUnknown) {
      parent = places[at];
    }
    for (; !way.empty(); way.pop_back()) {
      const Region& region = regions[way.back()];
      std::string name = name_of(region, program);
      if (const unsigned earlier = seen[key_of(parent, name)]++; earlier > 0) {
        name += fmt::format("\n#{}", earlier);  // several of one rank that look alike
      }
      parent = places[way.back()] = place_for(name, parent, region);
    }
  }
  return places;
}

void RankJoin::add_regions(const RankRecord& record, const Places& places) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Region& region = record.profile.regions[i];
    Joined& joined = regions_[places[i]];
    if (joined.values.empty()) {
      const RegionIdentity identity = joined.region;
      joined.region = region;
      static_cast<RegionIdentity&>(joined.region) = identity;
      joined.region.partial = region.partial;
      joined.region.notes.clear();
    } else {
      add_region(joined.region, region);
    }
    joined.values.push_back(value_of(record.rank, region));
    for (std::size_t group = 0; group < kFigureGroups.size(); ++group) {
      joined.with[group] += has_figures(region, kFigureGroups[group]) ? 1U : 0U;
    }
    add_notes(joined.notes, region.notes, record.rank);
  }
}

void RankJoin::add_calls(const Profile& profile, unsigned rank, const Places& places) {
  std::unordered_map<std::uint32_t, std::size_t> place_of_id;
  for (std::size_t i = 0; i < places.size(); ++i) {
    place_of_id.try_emplace(profile.regions[i].id, places[i]);
  }
  const auto place = [&](const std::optional<std::uint32_t>& id) {
    const auto found = id ? place_of_id.find(*id) : place_of_id.end();
    return found == place_of_id.end() ? std::nullopt : std::optional(found->second);
  };
  for (const MpiCall& call : profile.mpi_calls) {
    JoinedMpiCall& joined = add_call_to(mpi_calls_, {call.name, {}, place(call.region)}, call);
    joined.seconds.push_back({rank, call.seconds.value()});
  }
  for (const LibraryCall& call : profile.library_calls) {
    add_call_to(library_calls_, {call.name, call.sizes, place(call.region)}, call);
  }
}

void RankJoin::add_process(const RankRecord& record) {
  const Profile& profile = record.profile;
  RankProcess joined{record.rank, {}, record.host, {}, record.is_snapshot};
  Process& process = joined.process;
  if (!profile.processes.empty()) {
    process = profile.processes.front();
  }
  process.argv = profile.program.argv;
  process.exit_code = profile.program.exit_code;
  process.signal = profile.program.signal;
  process.rank = static_cast<int>(record.rank);
  process.host = record.host;
  process.wall_seconds = profile.program.wall_seconds;
  if (!profile.mpi_calls.empty()) {
    process.mpi_seconds = mpi_seconds(profile);
  }
  if (const Region* program = program_region(profile)) {
    if (program->cpu_seconds.self) {
      process.cpu_seconds = program->cpu_seconds.self->value;
    }
    process.flops = program->flops ? std::optional(program->flops->total()) : std::nullopt;
    process.bytes = bytes_accessed(*program);
    joined.memory_bytes = memory_bytes_of(*program);
  }
  processes_.push_back(std::move(joined));
  Host& host = hosts_[record.host];
  ++host.measured;
  host.local_ranks = std::max(host.local_ranks, record.local_ranks);
  host.cpus.insert(record.cpus.begin(), record.cpus.end());
}

void RankJoin::add_run(const Profile& profile, unsigned rank) {
  const double sampled = profile.time.sampled_seconds.value();
  sampled_seconds_ += sampled;
  unattributed_seconds_ += sampled * profile.time.unattributed_fraction;
  longest_seconds_ = std::max(longest_seconds_, profile.program.wall_seconds.value());
  add_notes(notes_, profile.notes, rank);
  if (!first_ || rank < first_rank_) {
    first_ = profile;
    first_->regions.clear();
    first_rank_ = rank;
  }
}

RankJoin::Places RankJoin::add(const RankRecord& record) {
  if (!seen_.insert(record.rank).second) {
    return {};
  }
  const Places places = place_regions(record);
  add_regions(record, places);
  add_calls(record.profile, record.rank, places);
  add_process(record);
  add_run(record.profile, record.rank);
  return places;
}

void RankJoin::add(RankJoin&& other) {
  Places places;
  for (Joined& theirs : other.regions_) {
    const auto parent = theirs.parent ? std::optional(places[*theirs.parent]) : std::nullopt;
    places.push_back(place_for(theirs.name, parent, theirs.region));
    Joined& ours = regions_[places.back()];
    if (ours.values.empty()) {
      const RegionIdentity identity = ours.region;
      const bool partial = theirs.region.partial;
      ours.region = std::move(theirs.region);
      static_cast<RegionIdentity&>(ours.region) = identity;
      ours.region.partial = partial;
    } else {
      add_region(ours.region, theirs.region);
    }
    ours.values.insert(ours.values.end(), theirs.values.begin(), theirs.values.end());
    for (std::size_t group = 0; group < ours.with.size(); ++group) {
      ours.with[group] += theirs.with[group];
    }
    add_notes(ours.notes, theirs.notes);
  }
  add_calls_of(other, places);
  processes_.insert(processes_.end(), other.processes_.begin(), other.processes_.end());
  seen_.insert(other.seen_.begin(), other.seen_.end());
  for (const auto& [name, theirs] : other.hosts_) {
    Host& host = hosts_[name];
    host.measured += theirs.measured;
    host.local_ranks = std::max(host.local_ranks, theirs.local_ranks);
    host.cpus.insert(theirs.cpus.begin(), theirs.cpus.end());
  }
  add_notes(notes_, other.notes_);
  if (other.first_ && (!first_ || other.first_rank_ < first_rank_)) {
    first_ = std::move(other.first_);
    first_rank_ = other.first_rank_;
  }
  sampled_seconds_ += other.sampled_seconds_;
  unattributed_seconds_ += other.unattributed_seconds_;
  longest_seconds_ = std::max(longest_seconds_, other.longest_seconds_);
}

void RankJoin::add_calls_of(const RankJoin& other, const Places& places) {
  const auto key_here = [&](CallKey key) {
    key.region = key.region ? std::optional(places[*key.region]) : std::nullopt;
    return key;
  };
  for (const auto& [key, theirs] : other.mpi_calls_) {
    JoinedMpiCall& ours = add_call_to(mpi_calls_, key_here(key), theirs.call);
    ours.seconds.insert(ours.seconds.end(), theirs.seconds.begin(), theirs.seconds.end());
  }
  for (const auto& [key, theirs] : other.library_calls_) {
    add_call_to(library_calls_, key_here(key), theirs.call);
  }
}

/// `others`: ranks of the same program that never came here.
void RankJoin::finish_region(Joined& joined, const std::vector<unsigned>& measured) {
  Region& region = joined.region;
  const std::size_t ranks = joined.values.size();
  region.notes = finish_notes(std::move(joined.notes), ranks);
  drop_parts(region, joined.with, ranks);
  if (region.share_seconds) {
    *region.share_seconds = *region.share_seconds / static_cast<double>(processes_.size());
  }
  if (region.kind == RegionKind::program) {
    region.entries = 1;
  }
  if (joined.parent) {
    region.parent = static_cast<std::uint32_t>(*joined.parent);
  }
  std::vector<unsigned> others;
  if (ranks < measured.size() && !measured.empty()) {
    std::set<unsigned> here;
    for (const RankValue& value : joined.values) {
      here.insert(value.rank);
    }
    std::ranges::copy_if(measured, std::back_inserter(others),
                         [&](unsigned rank) { return !here.contains(rank); });
  }
  region.ranks = region_ranks(std::move(joined.values), others);
}

void RankJoin::finish_calls(Profile& profile) {
  const auto id = [](const std::optional<std::size_t>& place) {
    return place ? std::optional(static_cast<std::uint32_t>(*place)) : std::nullopt;
  };
  for (auto& [key, joined] : mpi_calls_) {
    joined.call.name = key.name;
    joined.call.region = id(key.region);
    const bool many = joined.seconds.size() > kRanksListed;
    joined.call.seconds_by_rank = spread_of(std::move(joined.seconds), many);
    profile.mpi_calls.push_back(std::move(joined.call));
  }
  for (auto& [key, joined] : library_calls_) {
    LibraryCall& call = joined.call;
    call.name = key.name;
    call.sizes = key.sizes;
    call.region = id(key.region);
    profile.library_calls.push_back(std::move(call));
  }
}

/// In ascending order of the ranks. Of very many those stay that ended badly or differ most.
void RankJoin::finish_processes(Profile& profile) {
  std::vector<bool> listed = listed_processes();
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    if (listed[i]) {
      profile.processes.push_back(std::move(processes_[i].process));
    }
  }
  if (profile.processes.size() < processes_.size()) {
    profile.notes.push_back(
        {"processes-left-out",
         fmt::format("of {} processes {} are listed: those with the least and the most time, work "
                     "and time in MPI, and those that did not end well",
                     processes_.size(), profile.processes.size())});
  }
}

std::vector<bool> RankJoin::listed_processes() const {
  constexpr std::size_t kListed = 256;
  constexpr std::size_t kOfEachEnd = 16;
  std::vector<bool> listed(processes_.size(), processes_.size() <= kListed);
  if (processes_.empty() || listed.front()) {
    return listed;
  }
  const auto list_ends = [&](auto figure) {
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t i = 0; i < processes_.size(); ++i) {
      if (const auto number = figure(processes_[i].process)) {
        order.emplace_back(*number, i);
      }
    }
    std::ranges::sort(order);
    for (std::size_t i = 0; i < std::min(kOfEachEnd, order.size()); ++i) {
      listed[order[i].second] = listed[order[order.size() - 1 - i].second] = true;
    }
  };
  const auto seconds = [](const std::optional<Seconds>& known) {
    return known ? std::optional(known->value()) : std::nullopt;
  };
  list_ends([&](const Process& process) { return seconds(process.cpu_seconds); });
  list_ends([&](const Process& process) { return seconds(process.mpi_seconds); });
  list_ends([](const Process& process) {
    return process.flops ? std::optional(static_cast<double>(*process.flops)) : std::nullopt;
  });
  listed.front() = true;
  for (std::size_t i = 0, bad = 0; i < processes_.size() && bad < kListed / 2; ++i) {
    const Process& process = processes_[i].process;
    const bool ended_badly = process.signal || process.exit_code.value_or(0) != 0;
    listed[i] = listed[i] || ended_badly;
    bad += ended_badly ? 1 : 0;
  }
  return listed;
}

/// The first that did not end well speaks for all; but not one that the launcher ended after
/// another.
void RankJoin::finish_end(Profile& profile) {
  std::vector<RankEnd> ends;
  const Process* speaker = nullptr;
  const auto is_ended_after = [](const Process& process) {
    return process.signal && !is_telling(*process.signal);
  };
  for (const RankProcess& rank : processes_) {
    const Process& process = rank.process;
    ends.push_back({rank.rank, process.signal, rank.is_snapshot});
    const bool is_bad = process.signal || process.exit_code.value_or(0) != 0;
    if (is_bad && (speaker == nullptr || (is_ended_after(*speaker) && !is_ended_after(process)))) {
      speaker = &process;
    }
  }
  if (speaker != nullptr) {
    profile.program.exit_code = speaker->exit_code;
    profile.program.signal = speaker->signal;
  }
  std::ranges::move(end_notes(ends), std::back_inserter(profile.notes));
}

ParallelRun RankJoin::parallel_run(unsigned ranks, const std::vector<unsigned>& expected) const {
  ParallelRun run;
  run.measured = static_cast<unsigned>(processes_.size());
  std::ranges::copy_if(expected, std::back_inserter(run.lost),
                       [&](unsigned rank) { return !seen_.contains(rank); });
  run.ranks = std::max({ranks, run.measured + static_cast<unsigned>(run.lost.size()),
                        seen_.empty() ? 0U : *seen_.rbegin() + 1});
  std::map<std::string, RankHost> figures;
  for (const RankProcess& rank : processes_) {
    add_rank(figures[rank.host], rank.process, rank.memory_bytes);
  }
  for (const auto& [name, host] : hosts_) {
    RankHost& own = run.hosts.emplace_back(figures[name]);
    own.name = name;
    own.ranks = host.ranks();
    own.cpus = static_cast<unsigned>(host.cpus.size());
    run.oversubscribed = run.oversubscribed || (own.cpus > 0 && own.ranks > own.cpus);
  }
  return run;
}

Profile RankJoin::finish(const Machine& machine, unsigned ranks,
                         const std::vector<unsigned>& expected) && {
  // Sums of seconds are the same to the last bit, whatever the order in which ranks were added.
  std::ranges::sort(processes_, {}, &RankProcess::rank);
  Profile profile = std::move(first_).value_or(Profile());
  profile.processes.clear();
  profile.mpi_calls.clear();
  profile.library_calls.clear();
  profile.parallel = parallel_run(ranks, expected);
  profile.machine = cluster_machine(machine, static_cast<unsigned>(hosts_.size()));
  profile.program.wall_seconds = Seconds(longest_seconds_);
  if (!processes_.empty()) {
    profile.time.sampled_seconds =
        Seconds(sampled_seconds_ / static_cast<double>(processes_.size()));
  }
  profile.time.unattributed_fraction =
      sampled_seconds_ > 0.0 ? std::clamp(unattributed_seconds_ / sampled_seconds_, 0.0, 1.0) : 0.0;
  profile.notes.clear();
  if (profile.parallel->oversubscribed) {
    profile.machine = without_roofs(std::move(profile.machine));
  }
  const std::vector<unsigned> measured = ranks_of_one_program();
  for (Joined& joined : regions_) {
    finish_region(joined, measured);
    profile.regions.push_back(std::move(joined.region));
  }
  take_totals(notes_, profile);
  profile.notes = finish_notes(std::move(notes_), processes_.size());
  std::ranges::move(rank_notes(*profile.parallel), std::back_inserter(profile.notes));
  finish_calls(profile);
  finish_end(profile);
  finish_processes(profile);
  return profile;
}

/// All measured ranks where they ran the same program; else which of them should have come to a
/// region is unknown, and there are none.
std::vector<unsigned> RankJoin::ranks_of_one_program() const {
  std::set<std::string> programs;
  std::vector<unsigned> ranks;
  for (const RankProcess& rank : processes_) {
    programs.insert(program_of(rank.process.argv));
    ranks.push_back(rank.rank);
  }
  return programs.size() > 1 ? std::vector<unsigned>() : ranks;
}

}  // namespace ridge::measure
