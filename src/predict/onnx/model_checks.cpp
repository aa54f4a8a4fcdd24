#include "predict/onnx/model_checks.hpp"

#include <algorithm>
#include <exception>
#include <limits>
#include <onnx/defs/schema.h>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <fmt/format.h>

namespace ridge::predict {
namespace {

constexpr std::string_view kExportAgain = "export the model again; the ONNX checker explains more";

tl::unexpected<Error> refuse(std::string_view file_name, std::string_view what,
                             std::string_view hint = kExportAgain) {
  return fail(ErrorCode::bad_input, fmt::format("{}: {}", file_name, what), std::string(hint));
}

std::string short_name(const std::string& name) {
  constexpr std::size_t kLongest = 80;
  return name.size() <= kLongest ? name : name.substr(0, kLongest) + "...";
}

Result<void> check_opset(const onnx::ModelProto& model, std::string_view file_name) {
  const std::int64_t version = standard_opset(model);
  if (version <= 0) {
    return refuse(file_name, "names no version of the standard operators (opset_import)");
  }
  if (version > kNewestOpset) {
    return refuse(
        file_name,
        fmt::format("uses operators of opset {}; 1 to {} are known here", version, kNewestOpset),
        fmt::format("export it with opset {} (torch.onnx.export: opset_version={})", kNewestOpset,
                    kNewestOpset));
  }
  return {};
}

/// Each value is made once, and before it is used.
class ValueOrder {
 public:
  ValueOrder(const onnx::GraphProto& graph, std::string_view file_name)
      : graph_(graph), file_name_(file_name) {}

  Result<void> check() {
    for (int i = 0; i < graph_.node_size(); ++i) {
      for (const std::string& output : graph_.node(i).output()) {
        made_by_.emplace(output, i);
      }
    }
    if (auto fine = add_given(); !fine) {
      return fine;
    }
    for (int i = 0; i < graph_.node_size(); ++i) {
      if (auto fine = add_node(graph_.node(i), i); !fine) {
        return fine;
      }
    }
    for (const auto& output : graph_.output()) {
      if (known_.count(output.name()) == 0) {
        return refuse(file_name_, fmt::format("its output `{}` is made by no operator",
                                              short_name(output.name())));
      }
    }
    return {};
  }

 private:
  Result<void> add_given() {
    std::unordered_set<std::string> inputs;
    for (const auto& input : graph_.input()) {
      if (!inputs.insert(input.name()).second) {
        return twice(input.name());
      }
    }
    for (const auto& weight : graph_.initializer()) {
      if (!known_.insert(weight.name()).second) {
        return twice(weight.name());
      }
    }
    for (const auto& weight : graph_.sparse_initializer()) {
      if (!known_.insert(weight.values().name()).second) {
        return twice(weight.values().name());
      }
    }
    known_.insert(inputs.begin(), inputs.end());  // old models list weights as inputs, too
    return {};
  }

  Result<void> add_node(const onnx::NodeProto& node, int index) {
    for (const std::string& input : node.input()) {
      if (!input.empty() && known_.count(input) == 0) {
        return unknown_value(node, index, input);
      }
    }
    for (const std::string& output : node.output()) {
      if (!output.empty() && !known_.insert(output).second) {
        return twice(output);
      }
    }
    return {};
  }

  [[nodiscard]] Result<void> twice(const std::string& name) const {
    return refuse(file_name_, fmt::format("the value `{}` is made twice", short_name(name)));
  }

  [[nodiscard]] Result<void> unknown_value(const onnx::NodeProto& node, int index,
                                           const std::string& value) const {
    const std::string who = fmt::format("operator {} ({} `{}`)", index, short_name(node.op_type()),
                                        short_name(node.name()));
    const auto maker = made_by_.find(value);
    if (maker == made_by_.end()) {
      return refuse(file_name_, fmt::format("{} uses `{}`, which no operator makes and which is "
                                            "neither an input nor a weight",
                                            who, short_name(value)));
    }
    return refuse(
        file_name_,
        fmt::format("{} uses `{}` before operator {} makes it: the operators form a cycle "
                    "or are not in order",
                    who, short_name(value), maker->second));
  }

  const onnx::GraphProto& graph_;
  std::string_view file_name_;
  std::unordered_map<std::string, int> made_by_;
  std::unordered_set<std::string> known_;
};

/// Inputs, outputs and attributes as the operator has them: shape inference reads them unasked.
class NodeCheck {
 public:
  NodeCheck(const onnx::ModelProto& model, std::string_view file_name)
      : file_name_(file_name), versions_(operator_versions(model)) {}

  template <class Nodes>
  Result<void> check(const Nodes& nodes) const {
    for (const onnx::NodeProto& node : nodes) {
      if (auto fine = check_node(node); !fine) {
        return fine;
      }
    }
    return {};
  }

 private:
  [[nodiscard]] Result<void> check_node(const onnx::NodeProto& node) const {
    const onnx::OpSchema* schema = schema_of(node, versions_);
    try {
      if (schema != nullptr) {
        schema->Verify(node);
      }
    } catch (const std::exception& problem) {
      const std::string text = problem.what();
      return refuse(file_name_, text.substr(0, std::min<std::size_t>(text.find('\n'), 300)));
    }
    return {};
  }

  std::string_view file_name_;
  std::map<std::string, int> versions_;
};

Result<void> check_dimensions(const onnx::GraphProto& graph, std::string_view file_name) {
  for (const auto* values : {&graph.input(), &graph.output(), &graph.value_info()}) {
    for (const auto& value : *values) {
      for (const auto& dimension : value.type().tensor_type().shape().dim()) {
        if (dimension.has_dim_value() && dimension.dim_value() < 0) {
          return refuse(file_name, fmt::format("`{}` has the negative dimension {}",
                                               short_name(value.name()), dimension.dim_value()));
        }
      }
    }
  }
  return {};
}

}  // namespace

std::int64_t standard_opset(const onnx::ModelProto& model) {
  std::int64_t version = 0;
  for (const auto& import : model.opset_import()) {
    if (import.domain().empty() || import.domain() == "ai.onnx") {
      version = std::max<std::int64_t>(version, import.version());
    }
  }
  return version;
}

bool is_known_to_library(const onnx::ModelProto& model) {
  const auto& known = onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map();
  return standard_opset(model) <= known.at(ONNX_NAMESPACE::ONNX_DOMAIN).second;
}

std::map<std::string, int> operator_versions(const onnx::ModelProto& model) {
  std::map<std::string, int> versions;
  for (const auto& import : model.opset_import()) {
    versions[import.domain()] = static_cast<int>(
        std::clamp<std::int64_t>(import.version(), 0, std::numeric_limits<int>::max()));
  }
  versions[""] = static_cast<int>(standard_opset(model));
  return versions;
}

const onnx::OpSchema* schema_of(const onnx::NodeProto& node,
                                const std::map<std::string, int>& versions) {
  const std::string domain = node.domain() == "ai.onnx" ? "" : node.domain();
  const auto version = versions.find(domain);
  return version == versions.end()
             ? nullptr
             : onnx::OpSchemaRegistry::Schema(node.op_type(), version->second, domain);
}

std::uint64_t inner_nodes(const onnx::NodeProto& node) {
  std::uint64_t count = 0;
  const auto add = [&](const onnx::GraphProto& graph) {
    for (const auto& inner : graph.node()) {
      count += 1 + inner_nodes(inner);
    }
  };
  for (const auto& attribute : node.attribute()) {
    if (attribute.has_g()) {
      add(attribute.g());
    }
    for (const auto& graph : attribute.graphs()) {
      add(graph);
    }
  }
  return count;
}

Result<void> check_model(const onnx::ModelProto& model, std::string_view file_name) {
  if (!model.has_graph() || model.graph().node_size() == 0) {
    return refuse(file_name, "holds no graph of operators: not an ONNX model");
  }
  std::uint64_t nodes = static_cast<std::uint64_t>(model.graph().node_size());
  for (const auto& node : model.graph().node()) {
    nodes += inner_nodes(node);
  }
  if (nodes > kMostNodes) {
    return refuse(file_name,
                  fmt::format("has {} operators; more than {} are refused", nodes, kMostNodes),
                  "give a part of the model");
  }
  if (auto fine = check_opset(model, file_name); !fine) {
    return fine;
  }
  if (auto fine = check_dimensions(model.graph(), file_name); !fine) {
    return fine;
  }
  if (auto fine = ValueOrder(model.graph(), file_name).check(); !fine) {
    return fine;
  }
  return is_known_to_library(model) ? NodeCheck(model, file_name).check(model.graph().node())
                                    : Result<void>();
}

}  // namespace ridge::predict
