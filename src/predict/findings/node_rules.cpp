// Findings on the memory nodes of a machine: where pages lie, and where the threads run.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include <fmt/core.h>

#include "predict/findings/finding_rules.hpp"
#include "predict/roof/memory.hpp"

namespace ridge::predict {
namespace {

constexpr double kOneNode = 0.8;        // of the bandwidth of one node, and above
constexpr double kBelowAllNodes = 0.7;  // of the roof of all
constexpr std::uint64_t kEnoughSamples = 100;
constexpr double kRemoteShare = 0.2;
constexpr double kDeviations = 2.0;
constexpr double kNearlyAll = 0.8;
constexpr double kTakesPart = 0.1;

struct NodeCounts {
  std::uint64_t all = 0;
  std::map<unsigned, std::uint64_t> by_thread;
  std::map<unsigned, std::uint64_t> by_memory;
};

NodeCounts count(const std::vector<NodeLines>& lines) {
  NodeCounts counts;
  for (const NodeLines& nodes : lines) {
    counts.all += nodes.samples;
    counts.by_thread[nodes.thread_node] += nodes.samples;
    counts.by_memory[nodes.memory_node] += nodes.samples;
  }
  return counts;
}

/// Lines from nodes that are near to other CPUs. Memory without CPUs of its own (HBM, CXL) is far
/// from nobody in particular.
std::uint64_t remote(const Subject& subject, const NodeCounts& counts) {
  const auto has_cpus = [&](unsigned node) {
    return counts.by_thread.contains(node) ||
           std::any_of(subject.machine.numa.begin(), subject.machine.numa.end(),
                       [&](const NumaEntry& entry) { return entry.cpu_node == node; });
  };
  std::uint64_t sum = 0;
  for (const NodeLines& nodes : subject.region.memory_nodes) {
    sum +=
        nodes.thread_node != nodes.memory_node && has_cpus(nodes.memory_node) ? nodes.samples : 0;
  }
  return sum;
}

/// The node with most of them.
std::pair<unsigned, std::uint64_t> fullest(const std::map<unsigned, std::uint64_t>& by_node) {
  return *std::max_element(by_node.begin(), by_node.end(),
                           [](const auto& a, const auto& b) { return a.second < b.second; });
}

/// Of the bandwidth with a node's own memory over that with another one's, the largest.
std::optional<double> cost_of_distance(const Subject& subject) {
  const Level level = memory_level(subject.machine);
  std::optional<double> most;
  for (const NumaEntry& own : subject.machine.numa) {
    for (const NumaEntry& far : subject.machine.numa) {
      const bool comparable = own.cpu_node == own.memory_node && own.cpu_node == far.cpu_node &&
                              far.memory_node != far.cpu_node && own.memory == level &&
                              far.memory == level && own.threads == far.threads;
      if (comparable && own.load && far.load && far.load->p90.value() > 0.0) {
        const double ratio = own.load->p90.value() / far.load->p90.value();
        most = std::max(most.value_or(ratio), ratio);
      }
    }
  }
  return most;
}

}  // namespace

std::optional<Finding> one_node(const Subject& subject) {
  const Region& region = subject.region;
  const Topology topology = subject.machine.topology.value_or(Topology{});
  if (count(region.memory_nodes).all >= kEnoughSamples) {
    return std::nullopt;  // it is known where they lie: remote-memory
  }
  const Level level = memory_level(subject.machine);
  const auto fraction = roof_fraction(subject);
  const auto seconds = measured_seconds(region);
  const Traffic* traffic = find_level(region.traffic, level);
  if (topology.numa_nodes < 2 || !seconds || !fraction || traffic == nullptr ||
      bandwidth_bound(subject) != level || *fraction > kBelowAllNodes ||
      region.threads <= topology.threads / topology.numa_nodes) {
    return std::nullopt;
  }
  double node = 0.0;
  for (const NumaEntry& entry : subject.machine.numa) {
    const bool local = entry.cpu_node == entry.memory_node && entry.memory == level && entry.load;
    node = local ? std::max(node, entry.load->p90.value()) : node;
  }
  const double rate = bytes_of(*traffic) / *seconds;
  if (node <= 0.0 || rate < kOneNode * node || rate > node / kOneNode) {
    return std::nullopt;
  }
  return Finding{
      "one-numa-node",
      fmt::format("its {} threads on {} nodes get {} from {}, what the memory of one node "
                  "gives ({}): its pages probably lie on one node; let each thread touch "
                  "its own part first, or spread them (numactl --interleave=all)",
                  region.threads, topology.numa_nodes, amount_text(rate, "B/s"), to_string(level),
                  amount_text(node, "B/s")),
      {{"bytes_per_second", rate},
       {"node_bytes_per_second", node},
       {"nodes", static_cast<double>(topology.numa_nodes)},
       {"threads", static_cast<double>(region.threads)}},
      {},
      Origin::modelled};
}

std::optional<Gain> gain_of_nodes(const Subject& subject, const Finding& finding) {
  return gain_up_to_roof(subject, subject.region, finding.evidence.at("nodes"));
}

std::optional<Finding> remote_memory(const Subject& subject) {
  const NodeCounts counts = count(subject.region.memory_nodes);
  if (counts.all < kEnoughSamples) {
    return std::nullopt;
  }
  const auto all = static_cast<double>(counts.all);
  const double share = static_cast<double>(remote(subject, counts)) / all;
  const double certain = share - kDeviations * std::sqrt(share * (1.0 - share) / all);
  if (certain < kRemoteShare) {
    return std::nullopt;
  }
  const auto [node, samples] = fullest(counts.by_memory);
  const double most = static_cast<double>(samples) / all;
  const double busiest = static_cast<double>(fullest(counts.by_thread).second) / all;
  const bool several_ask = busiest <= 1.0 - kTakesPart;
  const std::string what =
      most >= kNearlyAll && several_ask
          ? fmt::format(
                "{} of it lies on node {}: let each thread touch its own part first, or "
                "spread the pages (numactl --interleave=all)",
                percent_text(most), node)
          : std::string(
                "let each thread touch first what it uses later, and keep it where it is "
                "(OMP_PROC_BIND, numactl)");
  return Finding{"remote-memory",
                 fmt::format("{} of what it gets from memory comes from another node than that of "
                             "the thread; {}",
                             percent_text(share), what),
                 {{"remote_share", share},
                  {"samples", all},
                  {"fullest_node_share", most},
                  {"busiest_node_share", busiest}},
                 {},
                 Origin::simulated};
}

std::optional<Gain> gain_of_near_memory(const Subject& subject, const Finding& finding) {
  const double share = finding.evidence.at("remote_share");
  const double busiest = finding.evidence.at("busiest_node_share");
  const auto distance = cost_of_distance(subject);
  // Where one memory serves all, the others could take from it what their threads ask for.
  const bool others_could_help =
      finding.evidence.at("fullest_node_share") >= kNearlyAll && busiest <= 1.0 - kTakesPart;
  if (!distance && !others_could_help) {
    return std::nullopt;
  }
  const double nearer = 1.0 - share + share * distance.value_or(1.0);
  return gain_up_to_roof(subject, subject.region,
                         others_could_help ? std::max(nearer, 1.0 / busiest) : nearer);
}

}  // namespace ridge::predict
