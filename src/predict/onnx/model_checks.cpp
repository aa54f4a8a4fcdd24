#include "predict/onnx/model_checks.hpp"

#include <algorithm>
#include <map>
#include <onnx/defs/schema.h>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <fmt/format.h>

namespace ridge::predict {
namespace {

constexpr std::string_view kExportAgain = "export the model again; the ONNX checker explains more";
constexpr unsigned kMostNestedFunctions = 32;

tl::unexpected<Error> refuse(std::string_view file_name, std::string_view what,
                             std::string_view hint = kExportAgain) {
  return fail(ErrorCode::bad_input, fmt::format("{}: {}", file_name, what), std::string(hint));
}

std::string short_name(const std::string& name) {
  constexpr std::size_t kLongest = 80;
  return name.size() <= kLongest ? name : name.substr(0, kLongest) + "...";
}

Result<void> check_opset(const onnx::ModelProto& model, std::string_view file_name) {
  const auto& known = onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map();
  const std::int64_t version = standard_opset(model);
  const std::int64_t newest = known.at(ONNX_NAMESPACE::ONNX_DOMAIN).second;
  if (version <= 0) {
    return refuse(file_name, "names no version of the standard operators (opset_import)");
  }
  if (version > newest) {
    return refuse(file_name,
                  fmt::format("uses operators of opset {}; the ONNX library here knows 1 to {}",
                              version, newest),
                  fmt::format("export it with opset {} (torch.onnx.export: opset_version={})",
                              newest, newest));
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

/// Functions of the model are looked into by shape inference: they must end.
class FunctionDepth {
 public:
  explicit FunctionDepth(const onnx::ModelProto& model) {
    for (const auto& function : model.functions()) {
      functions_[key(function.domain(), function.name())] = &function;
    }
  }

  bool bounded() {
    for (const auto& [name, function] : functions_) {
      if (depth(name, 0) > kMostNestedFunctions) {
        return false;
      }
    }
    return true;
  }

 private:
  static std::string key(const std::string& domain, const std::string& name) {
    return domain + ":" + name;
  }

  unsigned depth(const std::string& name, unsigned above) {
    const auto found = functions_.find(name);
    if (found == functions_.end()) {
      return 0;
    }
    if (const auto known = depths_.find(name); known != depths_.end()) {
      return known->second;
    }
    if (above > kMostNestedFunctions) {
      return above;
    }
    unsigned deepest = 0;
    for (const auto& node : found->second->node()) {
      deepest = std::max(deepest, depth(key(node.domain(), node.op_type()), above + 1));
    }
    return depths_[name] = deepest + 1;
  }

  std::map<std::string, const onnx::FunctionProto*> functions_;
  std::map<std::string, unsigned> depths_;
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
  if (!FunctionDepth(model).bounded()) {
    return refuse(file_name, "its functions call one another without end");
  }
  if (auto fine = check_dimensions(model.graph(), file_name); !fine) {
    return fine;
  }
  return ValueOrder(model.graph(), file_name).check();
}

}  // namespace ridge::predict
