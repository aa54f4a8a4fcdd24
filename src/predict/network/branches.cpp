#include "predict/network/branches.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "predict/network/count.hpp"

namespace ridge::predict {
namespace {

struct Cost {
  Count work = 0;
  Count bytes = 0;
  Cost& operator+=(const Cost& other) {
    work += other.work;
    bytes += other.bytes;
    return *this;
  }
  friend bool operator<(const Cost& a, const Cost& b) {
    return a.work == b.work ? a.bytes.value() < b.bytes.value() : a.work.value() < b.work.value();
  }
};

Cost cost_of(const NetworkLayer& layer) {
  return {Count(layer.flops.value_or(0)) + layer.intops.value_or(0),
          Count(layer.weight_bytes.value_or(0)) + layer.read_bytes.value_or(0) +
              layer.written_bytes.value_or(0)};
}

struct Conditional {
  std::array<Cost, 2> branches;
  std::optional<BranchOf> around;  ///< that it stands in itself
};

}  // namespace

std::vector<bool> nodes_that_run(const TensorGraph& graph, const std::vector<NetworkLayer>& layers,
                                 Branch branch) {
  std::vector<Conditional> conditionals(graph.conditionals.size());
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const auto& path = graph.nodes[i].branches;
    for (std::size_t depth = 1; depth < path.size(); ++depth) {
      conditionals[path[depth].conditional].around = path[depth - 1];
    }
    if (!path.empty()) {
      conditionals[path.back().conditional].branches[path.back().branch] += cost_of(layers[i]);
    }
  }
  // A conditional inside a branch of another has a later place.
  std::vector<std::uint32_t> taken(conditionals.size(), 0);
  for (std::size_t i = conditionals.size(); i-- > 0;) {
    const auto& [first, second] = conditionals[i].branches;
    const bool other = branch == Branch::dearer ? first < second : second < first;
    taken[i] = other ? 1 : 0;
    const auto& around = conditionals[i].around;
    if (around && around->conditional < i) {
      conditionals[around->conditional].branches[around->branch] +=
          conditionals[i].branches[taken[i]];
    }
  }
  std::vector<bool> runs;
  for (const OperatorNode& node : graph.nodes) {
    runs.push_back(std::all_of(
        node.branches.begin(), node.branches.end(),
        [&](const BranchOf& place) { return taken[place.conditional] == place.branch; }));
  }
  return runs;
}

}  // namespace ridge::predict
