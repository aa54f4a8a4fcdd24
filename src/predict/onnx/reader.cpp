#include "predict/onnx/reader.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/stubs/logging.h>
#include <onnx/onnx_pb.h>
#include <set>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "predict/onnx/dimensions.hpp"
#include "predict/onnx/model_checks.hpp"
#include "predict/onnx/shape_inference.hpp"
#include "predict/onnx/wire_format.hpp"

namespace ridge::predict {
namespace {

constexpr std::string_view kExportAgain = "export or download the model again";
constexpr int kDeepestMessage = 200;  // eight graphs in one another need about 40

Result<onnx::ModelProto> parse(const std::string& bytes, std::string_view file_name) {
  const google::protobuf::LogSilencer quiet;  // the message below says it
  onnx::ModelProto model;
  google::protobuf::io::CodedInputStream stream(
      reinterpret_cast<const std::uint8_t*>(bytes.data()),  // NOLINT: how protobuf takes bytes
      static_cast<int>(bytes.size()));
  stream.SetRecursionLimit(kDeepestMessage);
  if (!model.ParseFromCodedStream(&stream) || !stream.ConsumedEntireMessage()) {
    return fail(ErrorCode::bad_input, fmt::format("{}: is cut off or not an ONNX model", file_name),
                std::string(kExportAgain));
  }
  return model;
}

// ---- the result ----

std::string type_name(int type) {
  constexpr std::array<std::string_view, 17> kNames{
      "",     "fp32", "uint8", "int8",   "uint16", "int16",     "int32",      "int64", "string",
      "bool", "fp16", "fp64",  "uint32", "uint64", "complex64", "complex128", "bf16"};
  return type > 0 && static_cast<std::size_t>(type) < kNames.size()
             ? std::string(kNames[static_cast<std::size_t>(type)])
             : std::string();
}

class Collector {
 public:
  Collector(const onnx::ModelProto& model, const ValueTypes& types, std::string_view file_name)
      : graph_(model.graph()), types_(types), file_name_(file_name) {
    result_.name = graph_.name();
    result_.producer = model.producer_name();
    result_.opset = static_cast<std::uint64_t>(standard_opset(model));
  }

  Result<TensorGraph> run() {
    for (const auto& weight : graph_.initializer()) {
      Tensor& tensor = at(weight.name());
      tensor.role = TensorRole::weight;
      tensor.type = type_name(weight.data_type());
      tensor.shape.emplace();
      for (const std::int64_t dimension : weight.dims()) {
        tensor.shape->push_back(static_cast<std::uint64_t>(dimension));
      }
    }
    for (const auto& weight : graph_.sparse_initializer()) {
      at(weight.values().name()).role = TensorRole::weight;  // its bytes depend on its format
    }
    add_values();
    for (const auto& node : graph_.node()) {
      add_node(node);
    }
    for (const auto& output : graph_.output()) {
      result_.outputs.push_back(place(output.name()));
    }
    return check_sizes() ? Result<TensorGraph>(std::move(result_)) : too_large();
  }

 private:
  std::uint32_t place(const std::string& name) {
    const auto [found, fresh] =
        places_.try_emplace(name, static_cast<std::uint32_t>(result_.tensors.size()));
    if (fresh) {
      result_.tensors.push_back({.name = name});
    }
    return found->second;
  }
  Tensor& at(const std::string& name) { return result_.tensors[place(name)]; }

  void add_values() {
    for (const auto& input : graph_.input()) {
      Tensor& tensor = at(input.name());
      tensor.role = tensor.role == TensorRole::weight ? tensor.role : TensorRole::input;
    }
    for (const auto& node : graph_.node()) {
      for (const auto* names : {&node.input(), &node.output()}) {
        for (const std::string& name : *names) {
          if (!name.empty()) {
            at(name);
          }
        }
      }
    }
    for (Tensor& tensor : result_.tensors) {
      const auto type = types_.find(tensor.name);
      if (tensor.role != TensorRole::weight && type != types_.end() &&
          type->second.has_tensor_type()) {
        set_type(tensor, type->second.tensor_type());
      }
    }
  }

  static void set_type(Tensor& tensor, const onnx::TypeProto::Tensor& type) {
    tensor.type = type_name(type.elem_type());
    if (!type.has_shape()) {
      return;
    }
    std::vector<std::uint64_t> shape;
    for (const auto& dimension : type.shape().dim()) {
      if (!dimension.has_dim_value() || dimension.dim_value() < 0) {
        return;
      }
      shape.push_back(static_cast<std::uint64_t>(dimension.dim_value()));
    }
    tensor.shape = std::move(shape);
  }

  void add_node(const onnx::NodeProto& node) {
    OperatorNode made;
    made.domain = node.domain() == "ai.onnx" ? "" : node.domain();
    made.operation = node.op_type();
    made.inner_nodes = inner_nodes(node);
    const auto place_of = [&](const std::string& name) {
      return name.empty() ? std::nullopt : std::optional(place(name));
    };
    std::transform(node.input().begin(), node.input().end(), std::back_inserter(made.inputs),
                   place_of);
    std::transform(node.output().begin(), node.output().end(), std::back_inserter(made.outputs),
                   place_of);
    made.name = !node.name().empty() || node.output_size() == 0 ? node.name() : node.output(0);
    for (const auto& attribute : node.attribute()) {
      add_attribute(made, attribute);
    }
    result_.nodes.push_back(std::move(made));
  }

  static void add_attribute(OperatorNode& node, const onnx::AttributeProto& attribute) {
    constexpr int kLongest = 4096;
    OperatorAttribute value;
    switch (attribute.type()) {
      case onnx::AttributeProto::INT:
        value = std::int64_t{attribute.i()};
        break;
      case onnx::AttributeProto::FLOAT:
        value = static_cast<double>(attribute.f());
        break;
      case onnx::AttributeProto::STRING:
        value = attribute.s().substr(0, kLongest);
        break;
      case onnx::AttributeProto::INTS:
        if (attribute.ints_size() > kLongest) {
          return;
        }
        value = std::vector<std::int64_t>(attribute.ints().begin(), attribute.ints().end());
        break;
      case onnx::AttributeProto::STRINGS:
        value = fmt::format("{}", fmt::join(attribute.strings(), ",")).substr(0, kLongest);
        break;
      default:
        return;  // tensors and graphs: no formula needs them
    }
    node.attributes.emplace(attribute.name(), std::move(value));
  }

  bool check_sizes() {
    for (const Tensor& tensor : result_.tensors) {
      std::uint64_t elements = 1;
      for (const std::uint64_t dimension : tensor.shape.value_or(std::vector<std::uint64_t>{})) {
        // A dimension of 0 elsewhere leaves no elements and does not make the others small.
        if (dimension > kLargestCount || (dimension != 0 && elements > kLargestCount / dimension)) {
          large_ = &tensor;
          return false;
        }
        elements *= dimension;
      }
    }
    return true;
  }

  [[nodiscard]] Result<TensorGraph> too_large() const {
    return fail(ErrorCode::bad_input,
                fmt::format("{}: tensor `{}` [{}] has more than 2^53 elements or a "
                            "dimension above that",
                            file_name_, large_->name, fmt::join(*large_->shape, " x ")),
                "check the sizes of the inputs: --batch, -D NAME=N");
  }

  const onnx::GraphProto& graph_;
  const ValueTypes& types_;
  std::string_view file_name_;
  TensorGraph result_;
  std::unordered_map<std::string, std::uint32_t> places_;
  const Tensor* large_ = nullptr;
};

Result<void> check_sizes_asked(const DimensionSizes& sizes) {
  const auto check = [](std::string_view option, std::uint64_t size) -> Result<void> {
    if (size == 0 || size > kLargestCount) {
      return fail(ErrorCode::usage, fmt::format("{}: {} is no size", option, size),
                  "give a number from 1 to 2^53");
    }
    return {};
  };
  for (const auto& [name, size] : sizes.named) {
    if (auto fine = check(fmt::format("-D {}", name), size); !fine) {
      return fine;
    }
  }
  return sizes.batch ? check("--batch", *sizes.batch) : Result<void>();
}

}  // namespace

Result<TensorGraph> read_onnx(std::string_view file, std::string_view file_name,
                              const DimensionSizes& sizes) {
  if (auto fine = check_sizes_asked(sizes); !fine) {
    return tl::make_unexpected(std::move(fine.error()));
  }
  const auto slim = without_weights(file, file_name);
  if (!slim) {
    return tl::make_unexpected(slim.error());
  }
  auto model = parse(slim->bytes, file_name);
  if (!model) {
    return tl::make_unexpected(std::move(model.error()));
  }
  if (auto fine = check_model(*model, file_name); !fine) {
    return tl::make_unexpected(std::move(fine.error()));
  }
  auto notes = set_dimensions(*model->mutable_graph(), sizes, file_name);
  if (!notes) {
    return tl::make_unexpected(std::move(notes.error()));
  }
  const auto types = infer_types(*model, file_name);
  if (!types) {
    return tl::make_unexpected(types.error());
  }
  auto graph = Collector(*model, *types, file_name).run();
  if (graph) {
    graph->notes = std::move(*notes);
    if (slim->external_tensors > 0) {
      graph->notes.push_back(
          {"external-weights", fmt::format("{} tensors have their data in other files, which were "
                                           "not opened: shapes are all that is needed",
                                           slim->external_tensors)});
    }
  }
  return graph;
}

}  // namespace ridge::predict
