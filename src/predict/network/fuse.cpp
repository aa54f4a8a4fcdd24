// Element-wise layers inside the layer that makes their input, as an epilogue: the tensor between
// the two is neither written nor read.
#include <algorithm>
#include <set>

#include "predict/network/layer_parts.hpp"
#include "predict/network/operators.hpp"

namespace ridge::predict {
namespace {

using Place = std::uint32_t;

bool can_lead(const NetworkLayer& layer) {
  return (layer.kind == LayerKind::product || layer.kind == LayerKind::elementwise ||
          layer.kind == LayerKind::reduction) &&
         layer.flops && layer.bytes();
}

class Fusion {
 public:
  explicit Fusion(LayerParts parts)
      : parts_(std::move(parts)),
        producer_(parts_.graph->tensors.size()),
        readers_(parts_.graph->tensors.size(), 0),
        leader_(parts_.layers.size()) {
    const auto& nodes = parts_.graph->nodes;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      leader_[i] = i;
      reads_.push_back(places(nodes[i].inputs));
      for (const Place place : reads_.back()) {
        ++readers_[place];
      }
      for (const Place place : places(nodes[i].outputs)) {
        producer_[place] = i;
      }
    }
    for (const auto* needed : {&parts_.graph->outputs, &parts_.graph->handed_on}) {
      for (const Place place : *needed) {
        ++readers_[place];  // the caller
      }
    }
  }

  std::vector<NetworkLayer> run() {
    for (std::size_t i = 0; i < parts_.layers.size(); ++i) {
      if (const auto between = tensor_to_fuse(i)) {
        merge(i, *between);
      }
    }
    std::vector<NetworkLayer> left;
    for (std::size_t i = 0; i < parts_.layers.size(); ++i) {
      if (leader_[i] == i) {
        left.push_back(std::move(parts_.layers[i]));
      }
    }
    return left;
  }

 private:
  static std::set<Place> places(const std::vector<std::optional<Place>>& all) {
    std::set<Place> found;
    for (const auto& place : all) {
      if (place) {
        found.insert(*place);
      }
    }
    return found;
  }

  /// The input of layer `i` that its producer can hand over in registers. Of several the one made
  /// last: the others are there already when its producer runs.
  [[nodiscard]] std::optional<Place> tensor_to_fuse(std::size_t i) const {
    const NetworkLayer& layer = parts_.layers[i];
    const auto outputs = places(parts_.graph->nodes[i].outputs);
    if (layer.kind != LayerKind::elementwise || !can_lead(layer) || outputs.size() != 1) {
      return std::nullopt;
    }
    std::optional<Place> last;
    for (const Place place : places(parts_.graph->nodes[i].inputs)) {
      if (!parts_.constant[place] && producer_[place] &&
          (!last || leader_[*producer_[*last]] < leader_[*producer_[place]])) {
        last = place;
      }
    }
    return last && fits(i, *last, *outputs.begin()) ? last : std::nullopt;
  }

  [[nodiscard]] bool fits(std::size_t i, Place between, Place result) const {
    const NetworkLayer& layer = parts_.layers[i];
    const NetworkLayer& leader = parts_.layers[leader_[*producer_[between]]];
    const bool same_arithmetic =
        *layer.flops == 0 || leader.precision.empty() || layer.precision == leader.precision;
    const auto& tensors = parts_.graph->tensors;
    const OperatorNode& node = parts_.graph->nodes[i];
    const OperatorNode& home = parts_.graph->nodes[leader_[*producer_[between]]];
    if (node.repeats != home.repeats || node.branches != home.branches) {
      return false;  // one runs without the other
    }
    return can_lead(leader) && readers_[between] == 1 && same_arithmetic &&
           layer.intops.value_or(0) == 0 && tensors[between].shape && tensors[result].shape &&
           product_of(*tensors[between].shape) == product_of(*tensors[result].shape);
  }

  void merge(std::size_t i, Place between) {
    const NetworkLayer& layer = parts_.layers[i];
    const std::size_t home = leader_[*producer_[between]];
    NetworkLayer& leader = parts_.layers[home];
    const std::uint64_t saved = parts_.size[between]->value();
    for (const Place place : places(parts_.graph->nodes[i].inputs)) {
      if (place == between || !reads_[home].insert(place).second) {
        continue;  // what several of the fused operators read is read once
      }
      auto& bytes = parts_.constant[place] ? leader.weight_bytes : leader.read_bytes;
      bytes = *bytes + parts_.size[place]->value();
    }
    leader.written_bytes = *leader.written_bytes - saved + *layer.written_bytes;
    leader.flops = *leader.flops + *layer.flops;
    leader.vector_flops += *layer.flops;
    leader.vector_fma_flops += layer.vector_fma_flops;
    if (leader.precision.empty()) {
      leader.precision = layer.precision;
    }
    for (const auto& [name, count] : layer.calls) {
      leader.calls[name] += count;
    }
    leader.fused.push_back(layer.operation);
    leader.output_shape = layer.output_shape;
    leader_[i] = home;
  }

  LayerParts parts_;
  std::vector<std::optional<std::size_t>> producer_;  // node, per tensor
  std::vector<unsigned> readers_;                     // per tensor
  std::vector<std::set<Place>> reads_;                // per node: of all that run in it
  std::vector<std::size_t> leader_;                   // node that a node runs in
};

}  // namespace

std::vector<NetworkLayer> fused_layers(LayerParts parts) {
  return Fusion(std::move(parts)).run();
}

}  // namespace ridge::predict
