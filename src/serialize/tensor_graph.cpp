#include "serialize/tensor_graph.hpp"

#include <cmath>
#include <limits>

#include "serialize/json_reader.hpp"
#include "serialize/json_writer.hpp"

namespace ridge::serialize {
namespace {

constexpr std::string_view kSchema = "ridge.tensor-graph/1";
constexpr std::string_view kHint = "docs/formats/README.md describes ridge.tensor-graph/1";
constexpr std::int64_t kLeftOut = -1;  // an optional input or output

// ---- writing ----

void write_places(Writer& writer, std::string_view key,
                  const std::vector<std::optional<std::uint32_t>>& places) {
  std::vector<std::int64_t> numbers;
  numbers.reserve(places.size());
  for (const auto& place : places) {
    numbers.push_back(place ? std::int64_t{*place} : kLeftOut);
  }
  writer.numbers(key, numbers);
}

struct AttributeWriter {
  Writer& writer;
  void operator()(std::int64_t value) const { writer.member("integer", value); }
  void operator()(double value) const { writer.member("real", value); }
  void operator()(const std::string& value) const { writer.member("text", value); }
  void operator()(const std::vector<std::int64_t>& value) const {
    writer.numbers("integers", value);
  }
};

void write_node(Writer& writer, const OperatorNode& node) {
  writer.member("name", node.name);
  writer.member("domain", node.domain);
  writer.member("operation", node.operation);
  write_places(writer, "inputs", node.inputs);
  write_places(writer, "outputs", node.outputs);
  std::vector<const std::pair<const std::string, OperatorAttribute>*> attributes;
  for (const auto& attribute : node.attributes) {
    const auto* real = std::get_if<double>(&attribute.second);
    if (real == nullptr || std::isfinite(*real)) {
      attributes.push_back(&attribute);
    }
  }
  writer.objects("attributes", attributes, [&](const auto* attribute) {
    writer.member("name", attribute->first);
    std::visit(AttributeWriter{writer}, attribute->second);
  });
  writer.member("inner_nodes", node.inner_nodes);
}

void write_tensor(Writer& writer, const Tensor& tensor) {
  writer.member("name", tensor.name);
  writer.member("role", to_string(tensor.role));
  writer.member("type", tensor.type);
  if (tensor.shape) {
    writer.numbers("shape", *tensor.shape);
  }
}

// ---- reading ----

std::uint64_t read_size(const Reader& value) {
  return value.count_between(0, kLargestCount);
}

Tensor read_tensor(const Reader& object) {
  Tensor tensor;
  tensor.name = object.at("name").text();
  tensor.role =
      object.at("role").choice({TensorRole::input, TensorRole::weight, TensorRole::activation});
  tensor.type = object.at("type").text();
  tensor.shape = optional_from(object.find("shape"),
                               [](const Reader& shape) { return list_from(shape, read_size); });
  return tensor;
}

OperatorAttribute read_attribute(const Reader& object) {
  const auto integer = [](const Reader& value) {
    return value.integer_between(std::numeric_limits<std::int64_t>::min(),
                                 std::numeric_limits<std::int64_t>::max());
  };
  if (const Reader value = object.find("integer"); !value.absent()) {
    return integer(value);
  }
  if (const Reader value = object.find("real"); !value.absent()) {
    return value.real();
  }
  if (const Reader value = object.find("text"); !value.absent()) {
    return value.text();
  }
  return list_from(object.at("integers"), integer);
}

OperatorNode read_node(const Reader& object, std::size_t tensors) {
  const auto place = [&](const Reader& value) -> std::optional<std::uint32_t> {
    const std::int64_t number =
        value.integer_between(kLeftOut, static_cast<std::int64_t>(tensors) - 1);
    return number == kLeftOut ? std::nullopt : std::optional(static_cast<std::uint32_t>(number));
  };
  OperatorNode node;
  node.name = object.at("name").text();
  node.domain = object.at("domain").text();
  node.operation = object.at("operation").text();
  node.inputs = list_from(object.at("inputs"), place);
  node.outputs = list_from(object.at("outputs"), place);
  for (const Reader& attribute : object.at("attributes").items()) {
    node.attributes[attribute.at("name").text()] = read_attribute(attribute);
  }
  node.inner_nodes = read_size(object.at("inner_nodes"));
  return node;
}

TensorGraph read_graph(const Reader& root) {
  TensorGraph graph;
  graph.name = root.at("name").text();
  graph.producer = root.at("producer").text();
  graph.opset = root.at("opset").count();
  graph.tensors = list_from(root.at("tensors"), read_tensor);
  graph.nodes = list_from(
      root.at("nodes"), [&](const Reader& node) { return read_node(node, graph.tensors.size()); });
  graph.outputs = list_from(root.at("outputs"), [&](const Reader& output) {
    return static_cast<std::uint32_t>(
        output.integer_between(0, static_cast<std::int64_t>(graph.tensors.size()) - 1));
  });
  graph.notes = list_from(root.at("notes"), [](const Reader& note) {
    return Note{note.at("code").text(), note.at("text").text()};
  });
  return graph;
}

}  // namespace

std::string write_tensor_graph(const TensorGraph& graph) {
  Writer writer;
  writer.member("schema", kSchema);
  writer.member("name", graph.name);
  writer.member("producer", graph.producer);
  writer.member("opset", graph.opset);
  writer.objects("tensors", graph.tensors,
                 [&](const Tensor& tensor) { write_tensor(writer, tensor); });
  writer.objects("nodes", graph.nodes, [&](const OperatorNode& node) { write_node(writer, node); });
  writer.numbers("outputs", graph.outputs);
  writer.objects("notes", graph.notes, [&](const Note& note) {
    writer.member("code", note.code);
    writer.member("text", note.text);
  });
  return writer.finish();
}

Result<TensorGraph> parse_tensor_graph(std::string_view text, std::string_view file_name) {
  return read_file(text, file_name, kSchema, kHint, read_graph);
}

}  // namespace ridge::serialize
