#include "predict/onnx/shape_inference.hpp"

#include <algorithm>
#include <exception>
#include <map>
#include <memory>
#include <new>
#include <onnx/defs/schema.h>
#include <onnx/shape_inference/implementation.h>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "predict/network/count.hpp"
#include "predict/onnx/model_checks.hpp"

namespace ridge::predict {
namespace {

using onnx::TypeProto;

/// Values that are followed because they may become a shape. Longer ones are none.
constexpr int kLongestFollowed = 1024;

std::string first_line(const std::string& text) {
  constexpr std::size_t kLongest = 300;
  return text.substr(0, std::min(text.find('\n'), kLongest));
}

bool has_shape(const TypeProto& type) {
  return type.has_tensor_type() && type.tensor_type().has_shape();
}

bool holds_graph(const onnx::NodeProto& node) {
  return std::any_of(node.attribute().begin(), node.attribute().end(), [](const auto& attribute) {
    return attribute.has_g() || attribute.graphs_size() > 0;
  });
}

/// Place of the filters among the inputs of an operator that slides them over its first input.
std::optional<int> place_of_filters(std::string_view operation) {
  if (operation == "Conv" || operation == "ConvTranspose" || operation == "ConvInteger") {
    return 1;
  }
  return operation == "QLinearConv" ? std::optional(3) : std::nullopt;
}

class Inference {
 public:
  Inference(onnx::ModelProto& model, std::string_view file_name)
      : graph_(*model.mutable_graph()), file_name_(file_name), versions_(operator_versions(model)) {
    for (const auto* values : {&graph_.output(), &graph_.value_info()}) {
      for (const auto& value : *values) {
        declared_[value.name()] = &value.type();
      }
    }
    for (const auto& input : graph_.input()) {
      set(input.name(), input.type());
    }
    for (const auto& weight : graph_.initializer()) {
      TypeProto type;
      type.mutable_tensor_type()->set_elem_type(weight.data_type());
      auto* shape = type.mutable_tensor_type()->mutable_shape();
      for (const std::int64_t dimension : weight.dims()) {
        shape->add_dim()->set_dim_value(dimension);
      }
      set(weight.name(), type);
      data_[weight.name()] = &weight;
    }
  }

  Result<ValueTypes> run() {
    for (onnx::NodeProto& node : *graph_.mutable_node()) {
      if (auto fine = infer(node); !fine) {
        return tl::make_unexpected(std::move(fine.error()));
      }
    }
    return std::move(types_);
  }

 private:
  void set(const std::string& name, const TypeProto& type) {
    types_[name] = type;
    pointers_[name] = &types_[name];  // nodes of an unordered_map stay where they are
  }

  Result<void> infer(onnx::NodeProto& node) {
    const onnx::OpSchema* schema = schema_of(node, versions_);
    const bool known =
        std::all_of(node.input().begin(), node.input().end(), [&](const std::string& input) {
          const auto type = types_.find(input);
          return input.empty() ||
                 (type != types_.end() && type->second.value_case() != TypeProto::VALUE_NOT_SET);
        });
    if (known && !filters_fit(node)) {
      return refuse(node,
                    "its filters have another number of dimensions than what they slide over");
    }
    std::vector<TypeProto> inferred(static_cast<std::size_t>(node.output_size()));
    if (schema != nullptr && known && !holds_graph(node)) {
      try {
        call(*schema, node, inferred);
      } catch (const std::bad_alloc&) {
        throw;
      } catch (const std::exception& problem) {
        return refuse(node, first_line(problem.what()));
      }
    }
    for (int i = 0; i < node.output_size(); ++i) {
      if (auto fine = keep(node, i, std::move(inferred[static_cast<std::size_t>(i)])); !fine) {
        return fine;
      }
    }
    if (node.op_type() == "Constant") {
      add_constant(node);
    }
    return {};
  }

  /// The library takes the number of dimensions from one input and reads as many of the other.
  [[nodiscard]] bool filters_fit(const onnx::NodeProto& node) const {
    const auto place = place_of_filters(node.op_type());
    if (!place || node.input_size() <= *place) {
      return true;
    }
    const TypeProto& data = types_.at(node.input(0));
    const TypeProto& filters = types_.at(node.input(*place));
    return !has_shape(data) || !has_shape(filters) ||
           data.tensor_type().shape().dim_size() == filters.tensor_type().shape().dim_size();
  }

  void call(const onnx::OpSchema& schema, onnx::NodeProto& node, std::vector<TypeProto>& inferred) {
    onnx::shape_inference::InferenceContextImpl context(node, pointers_, data_, sparse_data_,
                                                        &followed_);
    schema.GetTypeAndShapeInferenceFunction()(context);
    inferred = context.allOutputTypes_;
    if (node.op_type() == "Concat" && inferred.size() == 1) {
      correct_concatenation(node, inferred[0]);
    }
    if (schema.has_data_propagation_function()) {
      follow(schema, node);
    }
  }

  /// The library adds the lengths in 32 bits.
  void correct_concatenation(const onnx::NodeProto& node, TypeProto& type) const {
    for (const auto& attribute : node.attribute()) {
      if (attribute.name() != "axis" || !has_shape(type)) {
        continue;
      }
      auto& shape = *type.mutable_tensor_type()->mutable_shape();
      const std::int64_t axis =
          attribute.i() < 0 ? attribute.i() + shape.dim_size() : attribute.i();
      Count length = 0;
      for (const std::string& input : node.input()) {
        const auto& from = types_.at(input).tensor_type().shape();
        if (axis < 0 || axis >= from.dim_size() ||
            !from.dim(static_cast<int>(axis)).has_dim_value()) {
          return;
        }
        length += static_cast<std::uint64_t>(from.dim(static_cast<int>(axis)).dim_value());
      }
      shape.mutable_dim(static_cast<int>(axis))
          ->set_dim_value(static_cast<std::int64_t>(length.value()));
    }
  }

  /// What is computed from shapes may be a shape. A failure is no error: the value is not followed.
  void follow(const onnx::OpSchema& schema, onnx::NodeProto& node) {
    try {
      onnx::shape_inference::DataPropagationContextImpl context(node, pointers_, data_, followed_);
      schema.GetDataPropagationFunction()(context);
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch)
    }
    for (const auto* names : {&node.input(), &node.output()}) {
      for (const std::string& name : *names) {
        const auto found = followed_.find(name);
        if (found != followed_.end() && found->second.dim_size() > kLongestFollowed) {
          followed_.erase(found);  // concatenations of concatenations grow without end
        }
      }
    }
  }

  /// The type of a result: what was inferred, completed by what the model declares.
  Result<void> keep(const onnx::NodeProto& node, int index, TypeProto type) {
    const std::string& name = node.output(index);
    const auto declared = declared_.find(name);
    if (name.empty()) {
      return {};
    }
    if (declared == declared_.end() || !declared->second->has_tensor_type()) {
      set(name, type);
      return {};
    }
    const auto& other = declared->second->tensor_type();
    if (type.value_case() == TypeProto::VALUE_NOT_SET) {
      type = *declared->second;
    } else if (type.has_tensor_type()) {
      auto& tensor = *type.mutable_tensor_type();
      if (tensor.elem_type() == 0) {
        tensor.set_elem_type(other.elem_type());
      }
      if (!has_shape(type) && other.has_shape()) {
        *tensor.mutable_shape() = other.shape();
      } else if (other.has_shape() && !complete(*tensor.mutable_shape(), other.shape())) {
        return refuse(node, fmt::format("its result `{}` has another shape than the model declares",
                                        name.substr(0, 80)));
      }
    }
    set(name, type);
    return {};
  }

  /// False where they contradict each other.
  static bool complete(onnx::TensorShapeProto& shape, const onnx::TensorShapeProto& declared) {
    if (shape.dim_size() != declared.dim_size()) {
      return false;
    }
    for (int i = 0; i < shape.dim_size(); ++i) {
      const auto& other = declared.dim(i);
      if (!other.has_dim_value()) {
        continue;
      }
      if (shape.dim(i).has_dim_value() && shape.dim(i).dim_value() != other.dim_value()) {
        return false;
      }
      shape.mutable_dim(i)->set_dim_value(other.dim_value());
    }
    return true;
  }

  void add_constant(const onnx::NodeProto& node) {
    for (const auto& attribute : node.attribute()) {
      if (node.output_size() != 1) {
        return;
      }
      if (attribute.name() == "value" && attribute.has_t()) {
        data_[node.output(0)] = &attribute.t();
      } else if (attribute.name() == "value_ints" && attribute.ints_size() <= kLongestFollowed) {
        auto tensor = std::make_unique<onnx::TensorProto>();
        tensor->set_data_type(onnx::TensorProto::INT64);
        tensor->add_dims(attribute.ints_size());
        *tensor->mutable_int64_data() = attribute.ints();
        data_[node.output(0)] = tensor.get();
        made_.push_back(std::move(tensor));
      }
    }
  }

  [[nodiscard]] Result<void> refuse(const onnx::NodeProto& node, std::string_view what) const {
    return fail(ErrorCode::bad_input,
                fmt::format("{}: {} `{}`: {}", file_name_, node.op_type().substr(0, 80),
                            node.name().substr(0, 80), what),
                "the shapes of the model contradict each other, or a size that was set does not "
                "fit: some models are made for one batch or one length");
  }

  onnx::GraphProto& graph_;
  std::string_view file_name_;
  std::map<std::string, int> versions_;
  std::unordered_map<std::string, const TypeProto*> declared_;
  ValueTypes types_;
  std::unordered_map<std::string, TypeProto*> pointers_;
  std::unordered_map<std::string, const onnx::TensorProto*> data_;
  std::unordered_map<std::string, const onnx::SparseTensorProto*> sparse_data_;
  std::unordered_map<std::string, onnx::TensorShapeProto> followed_;
  std::vector<std::unique_ptr<onnx::TensorProto>> made_;
};

}  // namespace

Result<ValueTypes> infer_types(onnx::ModelProto& model, std::string_view file_name) {
  return Inference(model, file_name).run();
}

}  // namespace ridge::predict
