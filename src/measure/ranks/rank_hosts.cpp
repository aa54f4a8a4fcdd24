#include "measure/ranks/rank_hosts.hpp"

#include <algorithm>

#include "core/quantity/saturating.hpp"

namespace ridge::measure {
namespace {

template <class Figure, class Join>
void add(std::optional<Figure>& to, const std::optional<Figure>& from, bool is_first, Join join) {
  if (is_first) {
    to = from;
  } else {
    to = to && from ? std::optional(join(*to, *from)) : std::nullopt;
  }
}

}  // namespace

std::optional<std::uint64_t> memory_bytes_of(const Region& region) {
  std::optional<std::uint64_t> bytes;
  for (const auto& [level, traffic] : region.traffic) {
    if (is_memory_level(level)) {
      bytes = saturating_add(bytes.value_or(0), saturating_add(traffic.read, traffic.written));
    }
  }
  return bytes;
}

void add_rank(RankHost& host, const Process& rank, std::optional<std::uint64_t> memory_bytes) {
  const bool is_first = host.ranks == 0;
  const auto sum = [](auto a, auto b) { return a + b; };
  const bool has_wall = rank.wall_seconds && *rank.wall_seconds > Seconds(0.0);
  add(host.wall_seconds, has_wall ? rank.wall_seconds : std::nullopt, is_first,
      [](Seconds a, Seconds b) { return std::max(a, b); });
  add(host.cpu_seconds, rank.cpu_seconds, is_first, sum);
  add(host.mpi_seconds, rank.mpi_seconds, is_first, sum);
  add(host.flops, rank.flops, is_first, saturating_add);
  add(host.bytes, rank.bytes, is_first, saturating_add);
  add(host.memory_bytes, memory_bytes, is_first, saturating_add);
  ++host.ranks;
}

RankHost host_of_all(const Profile& profile, unsigned ranks) {
  const Region& program = *program_region(profile);
  RankHost host;
  for (const Process& process : profile.processes) {
    if (process.rank) {
      Process own;
      own.mpi_seconds = process.mpi_seconds;
      add_rank(host, own, std::nullopt);
    }
  }
  host.ranks = ranks;
  if (program.cpu_seconds.self) {
    host.cpu_seconds = program.cpu_seconds.self->value;
  }
  host.flops = program.flops ? std::optional(program.flops->total()) : std::nullopt;
  host.bytes = bytes_accessed(program);
  host.memory_bytes = memory_bytes_of(program);
  return host;
}

}  // namespace ridge::measure
