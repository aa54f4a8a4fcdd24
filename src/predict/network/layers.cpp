#include "predict/network/layers.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "predict/network/branches.hpp"
#include "predict/network/layer_parts.hpp"
#include "predict/network/operators.hpp"
#include "predict/network/quantised.hpp"

namespace ridge::predict {
namespace {

/// The type that a tensor is priced at.
std::string priced_type(const Tensor& tensor, const std::string& precision) {
  return !precision.empty() && is_floating(tensor.type) ? precision : tensor.type;
}

std::optional<Count> size_of(const Tensor& tensor, const std::string& precision) {
  const auto bits = element_bits(priced_type(tensor, precision));
  if (!bits || !tensor.shape) {
    return std::nullopt;
  }
  const Count elements = product_of(*tensor.shape);
  return *bits >= 8 || elements.too_large() ? elements * ((*bits + 7) / 8)
                                            : Count((elements.value() * *bits + 7) / 8);
}

bool has_all_shapes(const OperatorView& view) {
  const auto known = [&](const auto& places, auto at) {
    for (std::size_t i = 0; i < places.size(); ++i) {
      const Tensor* tensor = at(i);
      if (tensor != nullptr && !tensor->shape) {
        return false;
      }
    }
    return true;
  };
  return known(view.node().inputs, [&](std::size_t i) { return view.input(i); }) &&
         known(view.node().outputs, [&](std::size_t i) { return view.output(i); });
}

/// Shapes are known before the first run: what follows from them alone is computed once.
bool is_constant(const OperatorNode& node, const OperatorRow* row,
                 const std::vector<bool>& constant) {
  if (row == nullptr || node.inner_nodes > 0) {
    return false;
  }
  if (node.operation == "Shape" || node.operation == "Size") {
    return true;
  }
  return std::all_of(node.inputs.begin(), node.inputs.end(),
                     [&](const auto& place) { return !place || constant[*place]; });
}

/// Products compute in the type of what they multiply, others in that of their result.
std::string arithmetic_type(const OperatorView& view, LayerKind kind,
                            const std::string& precision) {
  const Tensor* first = view.input(0);
  const Tensor* result = view.output(0);
  const bool by_result = kind != LayerKind::product && result != nullptr &&
                         (is_floating(result->type) || first == nullptr);
  const Tensor* decisive = by_result ? result : first;
  return decisive != nullptr ? priced_type(*decisive, precision) : std::string();
}

class Builder {
 public:
  Builder(const TensorGraph& graph, const NetworkOptions& options)
      : graph_(graph), options_(options) {
    parts_.graph = &graph;
    for (const Tensor& tensor : graph.tensors) {
      parts_.constant.push_back(tensor.role == TensorRole::weight);
      parts_.size.push_back(size_of(tensor, options.precision));
    }
  }

  Result<LayerParts> build() {
    for (const OperatorNode& node : graph_.nodes) {
      auto layer = layer_of(node);
      if (!layer) {
        return tl::make_unexpected(std::move(layer.error()));
      }
      parts_.layers.push_back(std::move(*layer));
    }
    return std::move(parts_);
  }

 private:
  Result<NetworkLayer> layer_of(const OperatorNode& node);
  void add_work(NetworkLayer& layer, const OperatorView& view, const OperatorRow& row);
  void add_traffic(NetworkLayer& layer, const OperatorNode& node, Moves moves);
  [[nodiscard]] std::optional<Count> moved_by(const OperatorNode& node, std::size_t input,
                                              Moves moves) const;
  void set_constant(NetworkLayer& layer, const OperatorNode& node);
  void add_place(NetworkLayer& layer, const OperatorNode& node);
  [[nodiscard]] Result<void> check_view(const OperatorView& view) const;

  const TensorGraph& graph_;
  const NetworkOptions& options_;
  LayerParts parts_;
  bool too_large_ = false;  // a count of the layer at hand
};

std::uint64_t checked(Count count, bool& too_large) {
  too_large = too_large || count.too_large();
  return count.value();
}

Result<NetworkLayer> Builder::layer_of(const OperatorNode& node) {
  const OperatorView view(graph_, node);
  const OperatorRow* row = find_operator(node.domain, node.operation);
  NetworkLayer layer;
  layer.name = node.name;
  layer.operation =
      node.domain.empty() ? node.operation : fmt::format("{}.{}", node.domain, node.operation);
  layer.output_shape = view.output_shape();
  too_large_ = false;
  if (row != nullptr && row->kind == LayerKind::view) {
    if (auto fine = check_view(view); !fine) {
      return tl::make_unexpected(fine.error());
    }
  }
  if (is_constant(node, row, parts_.constant)) {
    set_constant(layer, node);
    return layer;
  }
  add_traffic(layer, node, row != nullptr ? row->moves : Moves::whole);
  if (row != nullptr && node.inner_nodes == 0) {
    add_work(layer, view, *row);
  } else {
    layer.remarks.push_back(
        node.inner_nodes > 0
            ? fmt::format("its sub-graph of {} operators is not counted", node.inner_nodes)
            : "no formula for this operator: its work is not counted");
  }
  add_place(layer, node);
  if (too_large_) {
    return fail(ErrorCode::bad_input,
                fmt::format("layer `{}` ({}): a count is beyond 2^53", layer.name, layer.operation),
                "check the sizes of the inputs: --batch, -D NAME=N");
  }
  return layer;
}

void Builder::add_work(NetworkLayer& layer, const OperatorView& view, const OperatorRow& row) {
  layer.kind = row.kind;
  layer.formula = row.formula;
  const bool only_moves = row.kind == LayerKind::movement || row.kind == LayerKind::view;
  if (!only_moves && !has_all_shapes(view)) {
    layer.remarks.emplace_back("a shape is not known: nor is its work");
    return;
  }
  const auto work = row.work(view);
  if (!work) {
    layer.remarks.emplace_back("no formula for this form of the operator: its work is not counted");
    return;
  }
  layer.flops = checked(work->flops, too_large_);
  layer.intops = checked(work->intops, too_large_);
  if (row.kind == LayerKind::product) {
    layer.vector_flops = std::min(checked(work->vector, too_large_), *layer.flops);
  } else {
    layer.vector_flops = *layer.flops;
    layer.vector_fma_flops = std::min(checked(work->fma, too_large_), layer.vector_flops);
  }
  for (const auto& [name, count] : work->calls) {
    layer.calls[std::string(name)] += checked(count, too_large_);
  }
  if (*layer.flops + *layer.intops > 0) {
    layer.precision = arithmetic_type(view, row.kind, options_.precision);
  }
}

/// Byte that are read of an input; nullopt when not known.
std::optional<Count> Builder::moved_by(const OperatorNode& node, std::size_t input,
                                       Moves moves) const {
  if (moves == Moves::nothing || moves == Moves::output_only) {
    return Count(0);
  }
  const bool data = moves == Moves::result && input == 0;
  const auto place = data && !node.outputs.empty() ? node.outputs[0] : node.inputs[input];
  return place ? parts_.size[*place] : Count(0);
}

void Builder::add_traffic(NetworkLayer& layer, const OperatorNode& node, Moves moves) {
  std::optional<Count> weights = Count(0);
  std::optional<Count> others = Count(0);
  std::optional<Count> written = Count(0);
  const auto add = [](std::optional<Count>& sum, const std::optional<Count>& more) {
    sum = sum && more ? std::optional(*sum + *more) : std::nullopt;
  };
  std::set<std::uint32_t> seen;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const auto place = node.inputs[i];
    if (place && seen.insert(*place).second) {
      add(parts_.constant[*place] ? weights : others, moved_by(node, i, moves));
    }
  }
  for (const auto& place : node.outputs) {
    if (place && moves != Moves::nothing) {
      add(written, parts_.size[*place]);
    }
  }
  const auto store = [&](const std::optional<Count>& count) {
    return count ? std::optional(checked(*count, too_large_)) : std::nullopt;
  };
  layer.weight_bytes = store(weights);
  layer.read_bytes = store(others);
  layer.written_bytes = store(written);
}

void Builder::set_constant(NetworkLayer& layer, const OperatorNode& node) {
  layer.kind = LayerKind::constant;
  layer.formula = "0: depends on weights and shapes alone, computed once";
  layer.flops = layer.intops = 0;
  layer.weight_bytes = layer.read_bytes = layer.written_bytes = 0;
  for (const auto& place : node.outputs) {
    if (place) {
      parts_.constant[*place] = true;
    }
  }
}

/// In which branch it stands, and how often it runs: weights and values are read each time.
void Builder::add_place(NetworkLayer& layer, const OperatorNode& node) {
  if (!node.branches.empty()) {
    layer.remarks.push_back(
        fmt::format("in a branch of `{}`", graph_.conditionals[node.branches.back().conditional]));
  }
  if (node.repeats == 1) {
    return;
  }
  layer.repeats = node.repeats;
  layer.remarks.push_back(fmt::format("runs {} times: work and bytes of all", node.repeats));
  const auto multiply = [&](std::uint64_t& count) {
    count = checked(Count(count) * node.repeats, too_large_);
  };
  for (auto* count : {&layer.flops, &layer.intops, &layer.weight_bytes, &layer.read_bytes,
                      &layer.written_bytes}) {
    if (*count) {
      multiply(**count);
    }
  }
  multiply(layer.vector_flops);
  multiply(layer.vector_fma_flops);
  for (auto& [name, count] : layer.calls) {
    multiply(count);
  }
}

/// A size that is written into the model (a batch of 1, say) shows here when another is asked for.
Result<void> Builder::check_view(const OperatorView& view) const {
  const std::string& operation = view.node().operation;
  const bool keeps = operation != "Shape" && operation != "Size" && operation != "Constant";
  if (!keeps || view.input(0) == nullptr || !view.input(0)->shape || view.output(0) == nullptr ||
      !view.output(0)->shape || view.input_size(0) == view.output_size()) {
    return {};
  }
  return fail(
      ErrorCode::bad_input,
      fmt::format("{} `{}` makes {} elements of {}: a size is fixed inside the model", operation,
                  view.node().name, view.output_size().value(), view.input_size(0).value()),
      "use the batch that the model was made for, or export it with a free dimension");
}

// ---- the whole ----

/// Distinct weights that some layer reads, whole.
Count stored_weights(const LayerParts& parts) {
  Count sum = 0;
  std::set<std::uint32_t> seen;
  for (std::size_t i = 0; i < parts.layers.size(); ++i) {
    if (parts.layers[i].kind == LayerKind::constant || parts.layers[i].kind == LayerKind::view) {
      continue;
    }
    for (const auto& place : parts.graph->nodes[i].inputs) {
      if (place && parts.constant[*place] && seen.insert(*place).second) {
        sum += parts.size[*place].value_or(0);
      }
    }
  }
  return sum;
}

bool has_too_large_sum(const std::vector<NetworkLayer>& layers) {
  Count flops = 0;
  Count intops = 0;
  Count bytes = 0;
  std::map<std::string_view, Count> calls;
  bool too_large = false;
  for (const NetworkLayer& layer : layers) {
    flops += layer.flops.value_or(0);
    intops += layer.intops.value_or(0);
    bytes += Count(layer.weight_bytes.value_or(0)) + layer.read_bytes.value_or(0) +
             layer.written_bytes.value_or(0);
    for (const auto& [name, count] : layer.calls) {
      calls[name] += count;
      too_large = too_large || calls[name].too_large();
    }
  }
  return too_large || flops.too_large() || intops.too_large() || bytes.too_large();
}

/// Work and bytes of the nodes that run, in words.
std::string totals_in_words(const std::vector<NetworkLayer>& layers,
                            const std::vector<bool>& runs) {
  Network network;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (runs[i]) {
      network.layers.push_back(layers[i]);
    }
  }
  if (has_too_large_sum(network.layers)) {
    return "more than 2^53";
  }
  const NetworkTotals totals = totals_of(network);
  return fmt::format(
      "{}{} flop{}, {} byte", totals.without_flops > 0 ? "at least " : "", totals.flops,
      totals.intops > 0 ? fmt::format(", {} intop", totals.intops) : std::string(), totals.bytes());
}

/// Drops the cheaper branches. `kept` is the graph of what stays.
void keep_dearer_branches(LayerParts& parts, TensorGraph& kept, Network& network) {
  const TensorGraph& graph = *parts.graph;
  const auto runs = nodes_that_run(graph, parts.layers, Branch::dearer);
  const auto fewer = nodes_that_run(graph, parts.layers, Branch::cheaper);
  network.notes.push_back(
      {"branches",
       fmt::format("{} If have a condition that depends on data: the dearer branch of each is "
                   "counted, the network has then {}; with the cheaper ones {}",
                   graph.conditionals.size(), totals_in_words(parts.layers, runs),
                   totals_in_words(parts.layers, fewer))});
  kept = {.name = graph.name,
          .producer = graph.producer,
          .opset = graph.opset,
          .tensors = graph.tensors,
          .conditionals = graph.conditionals,
          .outputs = graph.outputs,
          .handed_on = graph.handed_on};
  std::vector<NetworkLayer> layers;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs[i]) {
      kept.nodes.push_back(graph.nodes[i]);
      layers.push_back(std::move(parts.layers[i]));
    }
  }
  parts.layers = std::move(layers);
  parts.graph = &kept;
}

void add_quantisation_note(Network& network, std::uint64_t folded) {
  if (folded > 0) {
    network.notes.push_back(
        {"quantised-products",
         fmt::format("{} products between DequantizeLinear and QuantizeLinear are counted as the "
                     "integer operators that runtimes make of them",
                     folded)});
  }
  const bool has_pairs =
      std::any_of(network.layers.begin(), network.layers.end(), [](const NetworkLayer& layer) {
        return layer.operation == "DequantizeLinear" || layer.operation == "QuantizeLinear";
      });
  if (has_pairs) {
    network.notes.push_back(
        {"quantised-as-written",
         "other QuantizeLinear and DequantizeLinear are counted as the model has them: the layer "
         "between computes in floating point, although a runtime may compute it in int8"});
  }
}

}  // namespace

Result<void> check_network_precision(const std::string& precision) {
  if (precision.empty() || is_floating(precision)) {
    return {};
  }
  return fail(ErrorCode::usage,
              fmt::format("--precision: a network cannot be priced at `{}`", precision),
              "one of fp64, fp32, tf32, fp16, bf16, fp8; for integers quantise the model itself");
}

Result<Network> layers_of(const TensorGraph& graph, const NetworkOptions& options) {
  if (auto fine = check_network_precision(options.precision); !fine) {
    return tl::make_unexpected(fine.error());
  }
  const Folded folded = fold_quantised(graph);
  auto parts = Builder(folded.graph, options).build();
  if (!parts) {
    return tl::make_unexpected(std::move(parts.error()));
  }
  Network network;
  network.name = graph.name;
  network.precision = options.precision;
  network.fused = options.fuse;
  network.notes = graph.notes;
  TensorGraph kept;
  if (!graph.conditionals.empty()) {
    keep_dearer_branches(*parts, kept, network);
  }
  const Count weights = stored_weights(*parts);
  network.weight_bytes = weights.value();
  network.layers = options.fuse ? fused_layers(std::move(*parts)) : std::move(parts->layers);
  if (weights.too_large() || has_too_large_sum(network.layers)) {
    return fail(ErrorCode::bad_input, "the sum over all layers is beyond 2^53",
                "check the sizes of the inputs: --batch, -D NAME=N");
  }
  add_quantisation_note(network, folded.products);
  return network;
}

}  // namespace ridge::predict
