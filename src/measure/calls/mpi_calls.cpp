#include "measure/calls/mpi_calls.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/quantity/saturating.hpp"
#include "measure/ranks/rank_values.hpp"

namespace ridge::measure {
namespace {

struct Sum {
  std::uint64_t calls = 0;
  std::uint64_t messages = 0;
  std::uint64_t moved_bytes = 0;
  std::optional<std::uint64_t> bytes;
  double seconds = 0.0;
  std::optional<double> waiting_seconds;
  std::map<int, double> seconds_by_rank;
  bool lacks_bytes = false;
  bool lacks_waiting = false;

  void add(const RecordedCall& call, std::optional<int> rank) {
    calls = saturating_add(calls, call.calls);
    messages = saturating_add(messages, call.messages);
    moved_bytes = saturating_add(moved_bytes, call.moved_bytes);
    seconds += call.seconds;
    lacks_bytes = lacks_bytes || !call.bytes;
    lacks_waiting = lacks_waiting || !call.waiting_seconds;
    bytes = saturating_add(bytes.value_or(0), call.bytes.value_or(0));
    waiting_seconds = waiting_seconds.value_or(0.0) + call.waiting_seconds.value_or(0.0);
    if (rank) {
      seconds_by_rank[*rank] += call.seconds;
    }
  }
};

std::optional<RankSpread> spread_over_ranks(const std::map<int, double>& by_rank) {
  std::vector<NumberOfRank> numbers;
  for (const auto& [rank, seconds] : by_rank) {
    numbers.push_back({static_cast<unsigned>(rank), seconds});
  }
  return numbers.size() < 2 ? std::nullopt : spread_of(numbers, numbers.size() > kRanksListed);
}

MpiCall call_of(const std::string& name, std::optional<std::uint32_t> region, const Sum& sum) {
  MpiCall call;
  call.name = name;
  call.region = region;
  call.calls = sum.calls;
  call.messages = sum.messages;
  call.moved_bytes = sum.moved_bytes;
  call.bytes = sum.lacks_bytes ? std::nullopt : sum.bytes;
  call.seconds = Seconds(sum.seconds);
  if (!sum.lacks_waiting && sum.waiting_seconds) {
    call.waiting_seconds = Seconds(std::min(*sum.waiting_seconds, sum.seconds));
  }
  call.seconds_by_rank = spread_over_ranks(sum.seconds_by_rank);
  return call;
}

/// The newest of that number; one that nobody else saw (it is not instrumented, or ended before the
/// first sample) is added.
Process& process_of(Profile& profile, const RecordedProcess& recorded) {
  const auto found = std::ranges::find_if(
      profile.processes.rbegin(), profile.processes.rend(),
      [&](const Process& process) { return process.pid == std::int64_t{recorded.pid}; });
  if (found != profile.processes.rend()) {
    return *found;
  }
  Process& added = profile.processes.emplace_back();
  added.pid = recorded.pid;
  return added;
}

void set_process(Profile& profile, const RecordedProcess& recorded) {
  Process& process = process_of(profile, recorded);
  double seconds = process.mpi_seconds.value_or(Seconds(0.0)).value();
  for (const RecordedCall& call : recorded.calls) {
    seconds += call.seconds;
  }
  process.mpi_seconds = Seconds(seconds);
  if (!process.rank) {
    process.rank = recorded.rank;
  }
}

void add_notes(Profile& profile, std::uint64_t lost) {
  if (lost > 0) {
    profile.notes.push_back(
        {"mpi-calls-lost",
         fmt::format(
             "{} calls of MPI are in no figure: there was no memory to record them in (very "
             "many threads or processes, or the machine's memory is full)",
             lost)});
  }
  if (profile.mpi_calls.empty()) {
    profile.notes.push_back(
        {"no-mpi-calls",
         "no calls of MPI were seen: the program makes none, is linked with MPI statically, runs "
         "its ranks on other machines, or takes LD_PRELOAD out of their environment"});
  }
}

}  // namespace

void add_mpi_calls(Profile& profile, std::span<const RecordedProcess> processes,
                   const RegionOfCall& region_of) {
  using Key = std::pair<std::string, std::optional<std::uint32_t>>;
  const CallingRegions regions(profile, region_of);
  std::map<Key, Sum> sums;
  std::uint64_t lost = 0;
  for (const RecordedProcess& process : processes) {
    if (process.layer != RIDGE_LAYER_MPI) {
      continue;
    }
    lost += process.lost;
    set_process(profile, process);
    for (const RecordedCall& call : process.calls) {
      sums[{call.name, regions.of(process, call)}].add(call, process.rank);
    }
  }
  for (const auto& [key, sum] : sums) {
    profile.mpi_calls.push_back(call_of(key.first, key.second, sum));
  }
  std::ranges::stable_sort(profile.mpi_calls, std::ranges::greater{},
                           [](const MpiCall& call) { return call.seconds; });
  add_notes(profile, lost);
}

}  // namespace ridge::measure
