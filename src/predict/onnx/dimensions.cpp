#include "predict/onnx/dimensions.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ridge::predict {
namespace {

using Dimension = onnx::TensorShapeProto::Dimension;

bool mentions_batch(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name.find("batch") != std::string::npos;
}

/// A size of 0 is how some exporters write "any".
bool is_open(const Dimension& dimension) {
  return !dimension.has_dim_value() || dimension.dim_value() == 0;
}

/// In the graphs inside its operators, too.
void forget_declared(onnx::GraphProto& graph) {
  graph.clear_value_info();
  for (auto& output : *graph.mutable_output()) {
    if (output.type().has_tensor_type()) {
      output.mutable_type()->mutable_tensor_type()->clear_shape();
    }
  }
  for (auto& node : *graph.mutable_node()) {
    for (auto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) {
        forget_declared(*attribute.mutable_g());
      }
    }
  }
}

class Setter {
 public:
  Setter(onnx::GraphProto& graph, std::string_view file_name)
      : graph_(graph), file_name_(file_name) {
    std::set<std::string> weights;
    for (const auto& weight : graph.initializer()) {
      weights.insert(weight.name());
    }
    for (auto& input : *graph.mutable_input()) {
      if (weights.count(input.name()) == 0 && input.type().has_tensor_type()) {
        inputs_.push_back(&input);
      }
    }
  }

  Result<std::vector<Note>> run(const DimensionSizes& sizes) {
    for (const auto& [name, size] : sizes.named) {
      if (!set_name(name, size) && !set_axis(name, size)) {
        return fail(ErrorCode::usage, fmt::format("-D {}: the model has no such dimension", name),
                    describe());
      }
    }
    if (sizes.batch) {
      set_batch(*sizes.batch);
    }
    if (overrode_) {
      forget_declared(graph_);  // what was declared for another size
    }
    if (auto fine = check_none_open(); !fine) {
      return tl::make_unexpected(std::move(fine.error()));
    }
    return std::move(notes_);
  }

 private:
  static auto* dimensions(onnx::ValueInfoProto& value) {
    return value.mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim();
  }

  /// In inputs, outputs and declared values alike. False when no input has such a dimension.
  bool set_name(const std::string& name, std::uint64_t size) {
    bool found = false;
    const auto set_in = [&](onnx::ValueInfoProto& value) {
      if (!value.type().has_tensor_type() || !value.type().tensor_type().has_shape()) {
        return false;
      }
      bool here = false;
      for (Dimension& dimension : *dimensions(value)) {
        if (dimension.has_dim_param() && dimension.dim_param() == name) {
          dimension.set_dim_value(static_cast<std::int64_t>(size));
          here = true;
        }
      }
      return here;
    };
    for (onnx::ValueInfoProto* input : inputs_) {
      found = set_in(*input) || found;
    }
    for (auto* values : {graph_.mutable_output(), graph_.mutable_value_info()}) {
      std::for_each(values->begin(), values->end(), set_in);
    }
    if (found) {
      note(fmt::format("dimension `{}` set to {}", name, size));
    }
    return found;
  }

  /// "data.0"
  bool set_axis(const std::string& name, std::uint64_t size) {
    const std::size_t dot = name.rfind('.');
    if (dot == std::string::npos || dot + 1 == name.size() || name.size() - dot > 4 ||
        !std::all_of(name.begin() + static_cast<std::ptrdiff_t>(dot) + 1, name.end(),
                     [](unsigned char c) { return std::isdigit(c) != 0; })) {
      return false;
    }
    const int axis = std::stoi(name.substr(dot + 1));
    for (onnx::ValueInfoProto* input : inputs_) {
      if (input->name() == name.substr(0, dot) &&
          axis < input->type().tensor_type().shape().dim_size()) {
        set(*input, axis, size);
        return true;
      }
    }
    return false;
  }

  void set(onnx::ValueInfoProto& input, int axis, std::uint64_t size) {
    Dimension& dimension = *dimensions(input)->Mutable(axis);
    if (dimension.has_dim_param() && !dimension.dim_param().empty()) {
      set_name(std::string(dimension.dim_param()), size);
      return;
    }
    const auto before = dimension.dim_value();
    overrode_ = overrode_ || (!is_open(dimension) && before != static_cast<std::int64_t>(size));
    note(is_open(dimension) ? fmt::format("input `{}` axis {} set to {}", input.name(), axis, size)
                            : fmt::format("input `{}` axis {} set to {}; the model has {}",
                                          input.name(), axis, size, before));
    dimension.set_dim_value(static_cast<std::int64_t>(size));
  }

  void set_batch(std::uint64_t size) {
    std::set<std::string> names;
    for (const onnx::ValueInfoProto* input : inputs_) {
      for (const Dimension& dimension : input->type().tensor_type().shape().dim()) {
        if (dimension.has_dim_param() && mentions_batch(dimension.dim_param())) {
          names.insert(dimension.dim_param());
        }
      }
    }
    if (!names.empty()) {
      for (const std::string& name : names) {
        set_name(name, size);
      }
      return;
    }
    const auto leads = [](const onnx::ValueInfoProto* input) {
      return input->type().tensor_type().shape().dim_size() >= 2;
    };
    const bool some_open =
        std::any_of(inputs_.begin(), inputs_.end(), [&](const onnx::ValueInfoProto* input) {
          return leads(input) && is_open(input->type().tensor_type().shape().dim(0));
        });
    for (onnx::ValueInfoProto* input : inputs_) {
      if (leads(input) && (!some_open || is_open(input->type().tensor_type().shape().dim(0)))) {
        set(*input, 0, size);
      }
    }
  }

  [[nodiscard]] Result<void> check_none_open() const {
    std::vector<std::string> open;
    std::vector<std::string> options;
    for (const onnx::ValueInfoProto* input : inputs_) {
      if (!input->type().tensor_type().has_shape()) {
        return fail(ErrorCode::bad_input,
                    fmt::format("{}: input `{}` has no shape", file_name_, input->name()),
                    "export the model with the shapes of its inputs");
      }
      for (int axis = 0; axis < input->type().tensor_type().shape().dim_size(); ++axis) {
        const Dimension& dimension = input->type().tensor_type().shape().dim(axis);
        if (!is_open(dimension)) {
          continue;
        }
        const bool named = dimension.has_dim_param() && !dimension.dim_param().empty();
        const std::string name =
            named ? dimension.dim_param() : fmt::format("{}.{}", input->name(), axis);
        open.push_back(fmt::format("`{}` of input `{}`", name, input->name()));
        const std::string option = fmt::format("-D {}=N", name);
        if (std::find(options.begin(), options.end(), option) == options.end()) {
          options.push_back(option);
        }
      }
    }
    if (open.empty()) {
      return {};
    }
    return fail(ErrorCode::bad_input,
                fmt::format("{}: no size for the dimension {}", file_name_, fmt::join(open, ", ")),
                fmt::format("set it: {}; --batch N sets what is called batch, or the first "
                            "dimension of the inputs",
                            fmt::join(options, " ")));
  }

  /// For an error: what there is.
  [[nodiscard]] std::string describe() const {
    std::set<std::string> names;
    std::vector<std::string> shapes;
    for (const onnx::ValueInfoProto* input : inputs_) {
      std::vector<std::string> sizes;
      for (const Dimension& dimension : input->type().tensor_type().shape().dim()) {
        sizes.push_back(dimension.has_dim_param() ? dimension.dim_param()
                                                  : fmt::format("{}", dimension.dim_value()));
      }
      shapes.push_back(fmt::format("{} [{}]", input->name(), fmt::join(sizes, ", ")));
    }
    return fmt::format("its inputs: {}; a dimension without name is INPUT.AXIS",
                       fmt::join(shapes, "; "));
  }

  void note(std::string text) { notes_.push_back({"dimension-set", std::move(text)}); }

  onnx::GraphProto& graph_;
  std::string_view file_name_;
  std::vector<onnx::ValueInfoProto*> inputs_;
  std::vector<Note> notes_;
  bool overrode_ = false;
};

}  // namespace

Result<std::vector<Note>> set_dimensions(onnx::GraphProto& graph, const DimensionSizes& sizes,
                                         std::string_view file_name) {
  return Setter(graph, file_name).run(sizes);
}

}  // namespace ridge::predict
