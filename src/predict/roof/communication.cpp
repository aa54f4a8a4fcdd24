#include "predict/roof/communication.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/quantity/saturating.hpp"
#include "core/value/communication.hpp"

namespace ridge::predict {
namespace {

/// In calls of these a rank waits for messages, or completes them.
bool completes_messages(std::string_view name) {
  constexpr std::array<std::string_view, 9> kCompleting{
      "MPI_Wait",       "MPI_Test",      "MPI_Win_fence", "MPI_Win_complete", "MPI_Win_wait",
      "MPI_Win_unlock", "MPI_Win_flush", "MPI_Recv",      "MPI_Mrecv"};
  return std::ranges::any_of(kCompleting,
                             [&](std::string_view start) { return name.starts_with(start); });
}

/// Moves bytes whose number the calls do not say.
bool has_unknown_bytes(const MpiCall& call) {
  return !call.bytes &&
         (call.name.starts_with("MPI_Start") || call.name.find("eighbor_") != std::string::npos);
}

struct Links {
  Seconds latency{};
  BytesPerSecond bandwidth{};  ///< of one rank
};

/// Also where all measured ranks ran on one node, and others elsewhere.
bool spans_nodes(const ParallelRun& run) {
  unsigned here = 0;
  for (const RankHost& host : run.hosts) {
    here += host.ranks;
  }
  return run.hosts.size() > 1 || (run.hosts.size() == 1 && here < run.ranks);
}

std::optional<Links> links_of(const Interconnect& interconnect, bool has_nodes) {
  const LinkReach reach = has_nodes ? LinkReach::inter_node : LinkReach::intra_node;
  const Link* alone = find_link(interconnect, LinkPattern::ping_pong, reach);
  const Link* together = find_link(interconnect, LinkPattern::exchange, reach);
  if (alone == nullptr) {
    return std::nullopt;
  }
  return Links{alone->latency.low, (together != nullptr ? together : alone)->bandwidth.p90};
}

/// Of a call that completes messages all of the time is theirs; of others what is not known to be
/// waiting for a late rank.
double message_seconds(const MpiCall& call) {
  if (call.name.starts_with("MPI_Wait") || call.name.starts_with("MPI_Win_wait")) {
    return call.seconds.value();
  }
  const bool counts = call.messages > 0 || completes_messages(call.name);
  return counts ? call.seconds.value() - call.waiting_seconds.value_or(Seconds(0.0)).value() : 0.0;
}

void add_calls(CommunicationBound& bound, const Profile& profile) {
  double seconds = 0.0;
  for (const MpiCall& call : profile.mpi_calls) {
    seconds += message_seconds(call);
    bound.partial = bound.partial || has_unknown_bytes(call);
    bound.messages = saturating_add(bound.messages, call.messages);
    bound.bytes = saturating_add(bound.bytes, call.moved_bytes);
  }
  bound.transfer_seconds = Seconds(seconds);
}

void set_roof(CommunicationBound& bound, const Profile& profile) {
  const auto program = std::ranges::find(profile.regions, RegionKind::program, &Region::kind);
  if (program == profile.regions.end() || !program->flops || program->flops->total() == 0) {
    return;
  }
  const auto flops = static_cast<double>(program->flops->total());
  if (profile.program.wall_seconds.value() > 0.0) {
    bound.performance = FlopsPerSecond(flops / profile.program.wall_seconds.value());
  }
  if (bound.bytes > 0) {
    bound.flops_per_byte = flops / static_cast<double>(bound.bytes);
    bound.roof = FlopsPerSecond(*bound.flops_per_byte * bound.bandwidth.value());
  }
}

}  // namespace

std::optional<CommunicationBound> communication_bound(const Profile& profile) {
  const unsigned ranks = communicating_ranks(profile);
  if (profile.mpi_calls.empty() || !profile.machine.interconnect || ranks < 2) {
    return std::nullopt;
  }
  const bool has_nodes = profile.parallel && spans_nodes(*profile.parallel);
  const auto links = links_of(*profile.machine.interconnect, has_nodes);
  if (!links) {
    return std::nullopt;
  }
  CommunicationBound bound{.bandwidth = BytesPerSecond(links->bandwidth.value() * ranks),
                           .latency = links->latency};
  add_calls(bound, profile);
  bound.transfer_seconds = Seconds(bound.transfer_seconds->value() / ranks);
  bound.least_seconds = Seconds((static_cast<double>(bound.messages) * links->latency.value() +
                                 static_cast<double>(bound.bytes) / links->bandwidth.value()) /
                                ranks);
  set_roof(bound, profile);
  return bound.messages > 0 || bound.partial ? std::optional(bound) : std::nullopt;
}

}  // namespace ridge::predict
