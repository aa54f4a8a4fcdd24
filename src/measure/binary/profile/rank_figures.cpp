#include "measure/binary/profile/rank_figures.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <ranges>
#include <utility>

#include "core/quantity/saturating.hpp"
#include "measure/ranks/cluster_machine.hpp"
#include "measure/ranks/rank_hosts.hpp"
#include "measure/ranks/rank_notes.hpp"
#include "measure/ranks/rank_values.hpp"

namespace ridge::measure::binary {
namespace {

std::optional<unsigned> rank_of(const TimedRun& timed, std::size_t process) {
  if (process >= timed.processes.size() || !timed.processes[process].rank) {
    return std::nullopt;
  }
  return static_cast<unsigned>(*timed.processes[process].rank);
}

/// What sampled_times() asks of the samples, rank by rank.
std::map<unsigned, SampledCode> samples_by_rank(const TimedRun& timed) {
  const SampledCode& all = timed.samples;
  std::map<unsigned, SampledCode> ranks;
  for (std::size_t process = 0; process < all.processes.size(); ++process) {
    if (const auto rank = rank_of(timed, process)) {
      ranks[*rank].threads = all.threads;
      ranks[*rank].processes = all.processes;
    }
  }
  for (const SampledMoment& moment : all.moments) {
    if (const auto rank = rank_of(timed, all.threads[moment.thread].process)) {
      ranks[*rank].moments.push_back(moment);
    }
  }
  return ranks;
}

struct RankFigures {
  unsigned rank = 0;
  SampledTimes times;
  const RegionCounts* counts = nullptr;
};

std::vector<RankFigures> figures_by_rank(const TimedRun& timed, const ProgramCode& code,
                                         const CountsOfRanks& counts) {
  const auto sampled = samples_by_rank(timed);
  // The sum of a part of the ranks, beside that of all, would look like an uneven program.
  const bool are_counted =
      std::ranges::equal(sampled | std::views::keys, counts | std::views::keys);
  std::vector<RankFigures> ranks;
  for (const auto& [rank, samples] : sampled) {
    ranks.push_back({rank, sampled_times(samples, code.region_of_place, code.parents),
                     are_counted ? &counts.at(rank) : nullptr});
  }
  return ranks;
}

std::uint64_t sum(const std::vector<std::uint64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}, saturating_add);
}

RankValue value_of(const RankFigures& rank, std::uint32_t number, bool has_work) {
  RankValue value;
  value.rank = rank.rank;
  value.time_seconds = rank.times.regions[number].wall;
  value.cpu_seconds = rank.times.regions[number].cpu;
  if (has_work && rank.counts != nullptr) {
    value.flops = rank.counts->flops.at(number);
    value.bytes = rank.counts->bytes.at(number);
  }
  return value;
}

/// The code of launchers is in no rank.
bool is_there(const RankValue& value) {
  return value.time_seconds > 0.0 || value.flops.value_or(0) > 0 || value.bytes.value_or(0) > 0;
}

/// Its wall time is unknown: samples do not tell when a rank began and when it ended.
RankValue value_of_program(const RankFigures& rank, bool has_work) {
  RankValue value;
  value.rank = rank.rank;
  value.cpu_seconds = rank.times.cpu;
  if (has_work && rank.counts != nullptr) {
    value.flops = sum(rank.counts->flops);
    value.bytes = sum(rank.counts->bytes);
  }
  return value;
}

void set_parallel(Profile& profile, const std::vector<RankFigures>& ranks) {
  ParallelRun& run = profile.parallel.emplace();
  run.measured = static_cast<unsigned>(ranks.size());
  run.ranks = ranks.back().rank + 1;
  run.hosts.push_back(host_of_all(profile, run.measured));
  const unsigned cpus = profile.machine.topology ? profile.machine.topology->threads : 0;
  run.oversubscribed = cpus > 0 && run.measured > cpus;
  if (run.oversubscribed) {
    profile.machine = without_roofs(std::move(profile.machine));
    profile.notes.push_back(note_on_turns());
  }
}

}  // namespace

void RegionCounts::add(const std::vector<ModuleWork>& work) {
  flops.resize(work.size());
  bytes.resize(work.size());
  for (std::size_t i = 0; i < work.size(); ++i) {
    const RegionWork& more = work[i].work;
    flops[i] = saturating_add(flops[i], more.flops ? more.flops->total() : 0);
    bytes[i] = saturating_add(
        bytes[i], saturating_add(more.bytes_loaded.value_or(0), more.bytes_stored.value_or(0)));
  }
}

void add_rank_figures(Profile& profile, std::span<const std::uint32_t> numbers,
                      const TimedRun& timed, const ProgramCode& code, const CountsOfRanks& counts) {
  const std::vector<RankFigures> ranks = figures_by_rank(timed, code, counts);
  if (ranks.size() < 2) {
    return;
  }
  for (std::size_t i = 0; i < profile.regions.size(); ++i) {
    Region& region = profile.regions[i];
    const bool is_program = region.kind == RegionKind::program;
    if (!is_program && numbers[i] == kNoRegion) {
      continue;
    }
    std::vector<RankValue> values;
    for (const RankFigures& rank : ranks) {
      const bool has_work = region.flops.has_value();
      values.push_back(is_program ? value_of_program(rank, has_work)
                                  : value_of(rank, numbers[i], has_work));
    }
    if (is_program || std::ranges::any_of(values, is_there)) {
      region.ranks = region_ranks(std::move(values), {});
    }
  }
  set_parallel(profile, ranks);
}

}  // namespace ridge::measure::binary
