#include "predict/onnx/models_for_tests.hpp"

#include <fmt/format.h>

namespace ridge::predict {

ModelBuilder::ModelBuilder(int opset) {
  model_.set_ir_version(8);
  model_.set_producer_name("test");
  auto* import = model_.add_opset_import();
  import->set_domain("");
  import->set_version(opset);
  graph().set_name("test");
}

std::string ModelBuilder::fresh(const std::string& stem) {
  return fmt::format("{}_{}", stem, ++count_);
}

std::string ModelBuilder::input(const std::string& name, const std::vector<std::int64_t>& shape,
                                const std::vector<std::string>& symbols, int type) {
  auto* value = graph().add_input();
  value->set_name(name);
  auto* tensor = value->mutable_type()->mutable_tensor_type();
  tensor->set_elem_type(type);
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    auto* dimension = tensor->mutable_shape()->add_dim();
    if (axis < symbols.size() && !symbols[axis].empty()) {
      dimension->set_dim_param(symbols[axis]);
    } else if (shape[axis] >= 0) {
      dimension->set_dim_value(shape[axis]);
    }
  }
  tensor->mutable_shape();
  return name;
}

std::string ModelBuilder::weight(const std::vector<std::int64_t>& shape, int type) {
  auto* tensor = graph().add_initializer();
  tensor->set_name(fresh("w"));
  tensor->set_data_type(type);
  for (const std::int64_t dimension : shape) {
    tensor->add_dims(dimension);
  }
  return tensor->name();
}

std::string ModelBuilder::integers(const std::vector<std::int64_t>& values) {
  const std::string name = weight({static_cast<std::int64_t>(values.size())}, kInt64);
  auto& tensor = *graph().mutable_initializer()->rbegin();
  for (const std::int64_t value : values) {
    tensor.add_int64_data(value);
  }
  return name;
}

onnx::NodeProto& ModelBuilder::node(const std::string& operation,
                                    const std::vector<std::string>& inputs,
                                    const std::string& output) {
  auto* made = graph().add_node();
  made->set_op_type(operation);
  made->set_name(fmt::format("{}.{}", operation, graph().node_size()));
  for (const std::string& input : inputs) {
    made->add_input(input);
  }
  made->add_output(output);
  return *made;
}

std::string ModelBuilder::apply(const std::string& operation,
                                const std::vector<std::string>& inputs) {
  const std::string result = fresh("t");
  node(operation, inputs, result);
  return result;
}

void ModelBuilder::output(const std::string& name) {
  auto* value = graph().add_output();
  value->set_name(name);
  value->mutable_type()->mutable_tensor_type()->set_elem_type(kFloat);
}

void set(onnx::NodeProto& node, const std::string& name, std::int64_t value) {
  auto* attribute = node.add_attribute();
  attribute->set_name(name);
  attribute->set_type(onnx::AttributeProto::INT);
  attribute->set_i(value);
}

void set(onnx::NodeProto& node, const std::string& name, const std::vector<std::int64_t>& values) {
  auto* attribute = node.add_attribute();
  attribute->set_name(name);
  attribute->set_type(onnx::AttributeProto::INTS);
  for (const std::int64_t value : values) {
    attribute->add_ints(value);
  }
}

onnx::GraphProto& body(onnx::NodeProto& node, const std::string& name) {
  auto* attribute = node.add_attribute();
  attribute->set_name(name);
  attribute->set_type(onnx::AttributeProto::GRAPH);
  return *attribute->mutable_g();
}

onnx::NodeProto& add(onnx::GraphProto& graph, const std::string& operation,
                     const std::vector<std::string>& inputs, const std::string& output) {
  auto* node = graph.add_node();
  node->set_op_type(operation);
  node->set_name(operation + " of " + output);
  for (const std::string& input : inputs) {
    node->add_input(input);
  }
  node->add_output(output);
  return *node;
}

ModelBuilder with_bodies(int opset) {
  ModelBuilder model(opset);
  const std::string x = model.input("x", {4, 8});
  const std::string condition = model.input("condition", {}, {}, 9);
  const std::string w = model.weight({8, 8});
  const std::string count = model.weight({}, ModelBuilder::kInt64);
  model.graph().mutable_initializer()->rbegin()->add_int64_data(10);
  const std::string y = model.apply("If", {condition});
  auto& then = body(model.last(), "then_branch");
  auto& iterated = body(add(then, "Loop", {count, "", x}, "powers"), "body");
  for (const char* name : {"i", "go", "before"}) {
    iterated.add_input()->set_name(name);
  }
  add(iterated, "MatMul", {"before", w}, "after");
  add(iterated, "Identity", {"go"}, "on");
  iterated.add_output()->set_name("on");
  iterated.add_output()->set_name("after");
  then.add_output()->set_name("powers");
  auto& otherwise = body(model.last(), "else_branch");
  add(otherwise, "Sigmoid", {x}, "curve");
  otherwise.add_output()->set_name("curve");
  model.output(model.apply("Relu", {y}));
  return model;
}

namespace {

std::string convolution(ModelBuilder& model, const std::string& x, std::int64_t in,
                        std::int64_t out, std::int64_t kernel, std::int64_t stride) {
  const std::string y = model.apply("Conv", {x, model.weight({out, in, kernel, kernel})});
  const std::int64_t pad = kernel / 2;
  set(model.last(), "kernel_shape", {kernel, kernel});
  set(model.last(), "strides", {stride, stride});
  set(model.last(), "pads", {pad, pad, pad, pad});
  return model.apply("BatchNormalization", {y, model.weight({out}), model.weight({out}),
                                            model.weight({out}), model.weight({out})});
}

std::string bottleneck(ModelBuilder& model, const std::string& x, std::int64_t in,
                       std::int64_t width, std::int64_t stride) {
  std::string y = model.apply("Relu", {convolution(model, x, in, width, 1, 1)});
  y = model.apply("Relu", {convolution(model, y, width, width, 3, stride)});
  y = convolution(model, y, width, 4 * width, 1, 1);
  const bool same = in == 4 * width && stride == 1;
  const std::string shortcut = same ? x : convolution(model, x, in, 4 * width, 1, stride);
  return model.apply("Relu", {model.apply("Add", {y, shortcut})});
}

}  // namespace

ModelBuilder resnet50() {
  ModelBuilder model;
  std::string x = model.input("data", {-1, 3, 224, 224}, {"batch_size"});
  x = model.apply("Relu", {convolution(model, x, 3, 64, 7, 2)});
  x = model.apply("MaxPool", {x});
  set(model.last(), "kernel_shape", {3, 3});
  set(model.last(), "strides", {2, 2});
  set(model.last(), "pads", {1, 1, 1, 1});
  std::int64_t in = 64;
  std::int64_t width = 64;
  for (const int blocks : {3, 4, 6, 3}) {
    for (int block = 0; block < blocks; ++block) {
      x = bottleneck(model, x, in, width, block == 0 && width > 64 ? 2 : 1);
      in = 4 * width;
    }
    width *= 2;
  }
  x = model.apply("Flatten", {model.apply("GlobalAveragePool", {x})});
  x = model.apply("Gemm", {x, model.weight({1000, 2048}), model.weight({1000})});
  set(model.last(), "transB", 1);
  model.output(x);
  return model;
}

ModelBuilder transformer_block(std::int64_t d, std::int64_t heads) {
  ModelBuilder model(17);
  const std::string x = model.input("tokens", {-1, -1, d}, {"batch", "sequence"});
  const auto linear = [&](const std::string& y, std::int64_t in, std::int64_t out) {
    return model.apply("Add",
                       {model.apply("MatMul", {y, model.weight({in, out})}), model.weight({out})});
  };
  const auto norm = [&](const std::string& y) {
    return model.apply("LayerNormalization", {y, model.weight({d}), model.weight({d})});
  };
  // [batch, tokens, d] -> [batch, heads, tokens, d / heads], sizes taken from the tensor itself.
  const auto split = [&](const std::string& y) {
    const std::string shape = model.apply("Shape", {y});
    const auto part = [&](std::int64_t index) {
      return model.apply("Gather", {shape, model.integers({index})});
    };
    const std::string wanted = model.apply(
        "Concat", {part(0), part(1), model.integers({heads}), model.integers({d / heads})});
    set(model.last(), "axis", 0);
    const std::string apart = model.apply("Reshape", {y, wanted});
    model.apply("Transpose", {apart});
    set(model.last(), "perm", {0, 2, 1, 3});
    return model.last().output(0);
  };
  const std::string q = split(linear(x, d, d));
  const std::string k = split(linear(x, d, d));
  const std::string v = split(linear(x, d, d));
  const std::string turned = model.apply("Transpose", {k});
  set(model.last(), "perm", {0, 1, 3, 2});
  const std::string scores =
      model.apply("Div", {model.apply("MatMul", {q, turned}), model.weight({})});
  std::string mixed = model.apply("MatMul", {model.apply("Softmax", {scores}), v});
  mixed = model.apply("Transpose", {mixed});
  set(model.last(), "perm", {0, 2, 1, 3});
  mixed = model.apply("Reshape", {mixed, model.integers({0, 0, d})});
  const std::string y = norm(model.apply("Add", {linear(mixed, d, d), x}));
  // Gelu as its parts: 0.5 y (1 + erf(y / sqrt(2)))
  const std::string wide = linear(y, d, 4 * d);
  const std::string erf = model.apply("Erf", {model.apply("Div", {wide, model.weight({})})});
  const std::string gelu = model.apply(
      "Mul",
      {model.apply("Mul", {wide, model.apply("Add", {erf, model.weight({})})}), model.weight({})});
  model.output(norm(model.apply("Add", {linear(gelu, 4 * d, d), y})));
  return model;
}

}  // namespace ridge::predict
