// Operators newer than the ONNX library: their shapes come from the table of operators.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/network/layers.hpp"
#include "predict/onnx/models_for_tests.hpp"
#include "predict/onnx/reader.hpp"

namespace ridge::predict {
namespace {

using testing::HasSubstr;
using Shape = std::vector<std::uint64_t>;

Result<TensorGraph> read(const ModelBuilder& model, const DimensionSizes& sizes = {}) {
  return read_onnx(model.bytes(), "model.onnx", sizes);
}

std::optional<Shape> shape_in(const Result<TensorGraph>& graph, const std::string& name) {
  EXPECT_TRUE(graph) << graph.error().message;
  for (const Tensor& tensor : graph ? graph->tensors : std::vector<Tensor>{}) {
    if (tensor.name == name) {
      return tensor.shape;
    }
  }
  ADD_FAILURE() << "no tensor " << name;
  return std::nullopt;
}

/// The shape of the first result of one operator of opset 22 on inputs of these shapes.
std::optional<Shape> inferred(const std::string& operation,
                              const std::vector<std::vector<std::int64_t>>& inputs,
                              const std::map<std::string, std::vector<std::int64_t>>& lists = {},
                              const std::map<std::string, std::int64_t>& numbers = {},
                              const std::vector<std::vector<std::int64_t>>& constants = {}) {
  ModelBuilder model(22);
  std::vector<std::string> names;
  for (const auto& input : inputs) {
    names.push_back(model.input("x" + std::to_string(names.size()), input));
  }
  for (const auto& constant : constants) {
    names.push_back(model.integers(constant));
  }
  const std::string result = model.apply(operation, names);
  for (const auto& [name, values] : lists) {
    set(model.last(), name, values);
  }
  for (const auto& [name, value] : numbers) {
    set(model.last(), name, value);
  }
  model.output(result);
  return shape_in(read(model), result);
}

TEST(NewerModels, ShapesOfSingleOperators) {
  EXPECT_EQ(inferred("Add", {{4, 1, 3}, {5, 1}}), (Shape{4, 5, 3}));
  EXPECT_EQ(inferred("MatMul", {{7, 2, 3}, {3, 4}}), (Shape{7, 2, 4}));
  EXPECT_EQ(inferred("Gemm", {{3, 2}, {4, 3}}, {}, {{"transA", 1}, {"transB", 1}}), (Shape{2, 4}));
  EXPECT_EQ(inferred("Conv", {{2, 4, 9, 9}, {8, 2, 3, 3}}, {{"strides", {2, 2}}}, {{"group", 2}}),
            (Shape{2, 8, 4, 4}));
  EXPECT_EQ(inferred("ConvTranspose", {{1, 4, 5, 5}, {4, 3, 2, 2}}, {{"strides", {2, 2}}}),
            (Shape{1, 3, 10, 10}));
  EXPECT_EQ(inferred("MaxPool", {{1, 3, 8, 8}}, {{"kernel_shape", {3, 3}}, {"strides", {2, 2}}},
                     {{"ceil_mode", 1}}),
            (Shape{1, 3, 4, 4}));
  EXPECT_EQ(inferred("Reshape", {{2, 3, 4}}, {}, {}, {{0, -1}}), (Shape{2, 12}));
  EXPECT_EQ(inferred("Transpose", {{2, 3, 4}}, {{"perm", {2, 0, 1}}}), (Shape{4, 2, 3}));
  EXPECT_EQ(inferred("Concat", {{2, 3}, {2, 5}}, {}, {{"axis", -1}}), (Shape{2, 8}));
  EXPECT_EQ(inferred("Slice", {{10, 10}}, {}, {}, {{8, 1}, {-20, INT64_MAX}, {0, 1}, {-3, 4}}),
            (Shape{3, 3}));
  EXPECT_EQ(inferred("Split", {{7, 2}}, {}, {{"num_outputs", 1}}), (Shape{7, 2}));
  EXPECT_EQ(inferred("Gather", {{5, 6}}, {}, {{"axis", 1}}, {{0, 1, 2}}), (Shape{5, 3}));
  EXPECT_EQ(inferred("Unsqueeze", {{5, 6}}, {}, {}, {{0, -1}}), (Shape{1, 5, 6, 1}));
  EXPECT_EQ(inferred("Squeeze", {{1, 5, 1}}, {}, {}, {{-1}}), (Shape{1, 5}));
  EXPECT_EQ(inferred("Pad", {{4, 4}}, {}, {}, {{1, 0, 2, -1}}), (Shape{7, 3}));
  EXPECT_EQ(inferred("Tile", {{2, 3}}, {}, {}, {{2, 5}}), (Shape{4, 15}));
  EXPECT_EQ(inferred("Expand", {{3, 1}}, {}, {}, {{2, 1, 6}}), (Shape{2, 3, 6}));
  EXPECT_EQ(inferred("ReduceMean", {{2, 3, 4}}, {}, {{"keepdims", 0}}, {{1}}), (Shape{2, 4}));
  EXPECT_EQ(inferred("ReduceMax", {{2, 3, 4}}), (Shape{1, 1, 1}));
  EXPECT_EQ(inferred("ArgMax", {{2, 3}}, {}, {{"axis", 1}, {"keepdims", 0}}), (Shape{2}));
  EXPECT_EQ(inferred("Flatten", {{2, 3, 4}}, {}, {{"axis", 2}}), (Shape{6, 4}));
  EXPECT_EQ(inferred("DepthToSpace", {{1, 8, 2, 3}}, {}, {{"blocksize", 2}}), (Shape{1, 2, 4, 6}));
  EXPECT_EQ(inferred("GridSample", {{2, 3, 8, 8}, {2, 5, 6, 2}}), (Shape{2, 3, 5, 6}));
  EXPECT_EQ(inferred("LSTM", {{7, 2, 3}, {1, 20, 3}, {1, 20, 5}}), (Shape{7, 1, 2, 5}));
  EXPECT_EQ(inferred("DFT", {{2, 16, 1}}, {}, {{"onesided", 1}}), (Shape{2, 9, 2}));
  EXPECT_EQ(inferred("RMSNormalization", {{2, 8}, {8}}), (Shape{2, 8}));
}

TEST(NewerModels, WhatDoesNotFitIsRefused) {
  for (const auto& [operation, inputs] :
       std::vector<std::pair<std::string, std::vector<std::vector<std::int64_t>>>>{
           {"MatMul", {{2, 3}, {4, 5}}},
           {"Conv", {{1, 3, 8, 8}, {4, 2, 3, 3}}},
           {"Conv", {{1, 3, 8, 8}, {4, 3, 3}}},
           {"Conv", {{1, 3, 8, 8}, {4, 3, 9, 9}}},
           {"Conv", {{1, 3, 8, 8}}},
           {"Add", {{2, 3}, {4}}},
           {"Concat", {{2, 3}, {2, 3, 4}}}}) {
    ModelBuilder model(21);
    std::vector<std::string> names;
    for (const auto& input : inputs) {
      names.push_back(model.input("x" + std::to_string(names.size()), input));
    }
    model.output(model.apply(operation, names));
    const auto graph = read(model);
    ASSERT_FALSE(graph) << operation;
    EXPECT_THAT(graph.error().message, HasSubstr(operation));
  }
}

/// The newest version has the same numbers as the one that the library infers.
TEST(NewerModels, NetworksHaveTheWorkAndBytesThatTheyHaveInOlderVersions) {
  for (const bool convolutions : {true, false}) {
    ModelBuilder model = convolutions ? resnet50() : transformer_block(64, 4);
    const DimensionSizes sizes{.batch = 2, .named = {}};
    DimensionSizes all = sizes;
    if (!convolutions) {
      all.named["sequence"] = 32;
    }
    const auto older = read(model, all);
    model.model().mutable_opset_import(0)->set_version(convolutions ? 22 : 25);
    const auto newer = read(model, all);
    ASSERT_TRUE(older && newer) << newer.error().message;
    EXPECT_EQ(newer->tensors, older->tensors);
    const auto before = layers_of(*older, {});
    const auto after = layers_of(*newer, {});
    ASSERT_TRUE(before && after);
    EXPECT_EQ(after->layers, before->layers);
    EXPECT_EQ(totals_of(*after).without_flops, 0U);
  }
}

/// Convolution, norm and, where asked for, a clip to 0 ... 6.
std::string filtered(ModelBuilder& model, const std::string& x, std::int64_t in, std::int64_t out,
                     std::int64_t kernel, std::int64_t stride, std::int64_t groups, bool clips) {
  std::string y = model.apply("Conv", {x, model.weight({out, in / groups, kernel, kernel})});
  set(model.last(), "strides", {stride, stride});
  set(model.last(), "pads", {kernel / 2, kernel / 2, kernel / 2, kernel / 2});
  set(model.last(), "group", groups);
  y = model.apply("BatchNormalization", {y, model.weight({out}), model.weight({out}),
                                         model.weight({out}), model.weight({out})});
  return clips ? model.apply("Clip", {y}) : y;
}

/// MobileNetV2 (Sandler et al. 2018, table 2) at 224 x 224.
ModelBuilder mobilenet() {
  struct Stage {
    std::int64_t expansion, channels, blocks, stride;
  };
  ModelBuilder model(22);
  std::string x = filtered(model, model.input("x", {1, 3, 224, 224}), 3, 32, 3, 2, 1, true);
  std::int64_t in = 32;
  for (const Stage& stage : std::vector<Stage>{{1, 16, 1, 1},
                                               {6, 24, 2, 2},
                                               {6, 32, 3, 2},
                                               {6, 64, 4, 2},
                                               {6, 96, 3, 1},
                                               {6, 160, 3, 2},
                                               {6, 320, 1, 1}}) {
    for (std::int64_t block = 0; block < stage.blocks; ++block) {
      const std::int64_t wide = in * stage.expansion;
      const std::int64_t stride = block == 0 ? stage.stride : 1;
      std::string y = wide != in ? filtered(model, x, in, wide, 1, 1, 1, true) : x;
      y = filtered(model, y, wide, wide, 3, stride, wide, true);
      y = filtered(model, y, wide, stage.channels, 1, 1, 1, false);
      x = in == stage.channels && stride == 1 ? model.apply("Add", {x, y}) : y;
      in = stage.channels;
    }
  }
  x = filtered(model, x, 320, 1280, 1, 1, 1, true);
  x = model.apply("ReduceMean", {x, model.integers({2, 3})});
  set(model.last(), "keepdims", 0);
  x = model.apply("Gemm", {x, model.weight({1000, 1280}), model.weight({1000})});
  set(model.last(), "transB", 1);
  model.output(x);
  return model;
}

/// torchvision publishes 3 504 872 parameters and 0.30 G multiply-add pairs.
TEST(NewerModels, MobileNetHasThePublishedProductsAndParameters) {
  const ModelBuilder model = mobilenet();
  const auto graph = read(model);
  ASSERT_TRUE(graph) << graph.error().message;
  const auto network = layers_of(*graph, {});
  ASSERT_TRUE(network) << network.error().message;
  std::uint64_t products = 0;
  std::uint64_t channels = 0;  // of norms: mean and variance are no parameters
  for (const NetworkLayer& layer : network->layers) {
    EXPECT_TRUE(layer.flops && layer.bytes()) << layer.name;
    products += layer.kind == LayerKind::product ? layer.flops.value_or(0) : 0;
    channels += layer.operation == "BatchNormalization" ? layer.output_shape.at(1) : 0;
  }
  EXPECT_NEAR(static_cast<double>(products) / 2, 0.30e9, 0.005e9);
  EXPECT_EQ(network->weight_bytes, 4 * (3504872 + 2 * channels) + 16);  // and two axes in int64
}

TEST(NewerModels, UnknownShapesAreNamedAndTheirLayersHaveNoWork) {
  ModelBuilder model(18);
  const std::string x = model.input("x", {2, 8});
  const std::string picked = model.apply("Compress", {x, model.input("c", {2}, {}, 9)});
  model.output(model.apply("Sigmoid", {picked}));
  const auto graph = read(model);
  ASSERT_TRUE(graph) << graph.error().message;
  ASSERT_EQ(graph->notes.size(), 1U);
  EXPECT_EQ(graph->notes[0].code, "unknown-shapes");
  EXPECT_THAT(graph->notes[0].text, HasSubstr("Compress `Compress.1`"));
  const auto network = layers_of(*graph, {});
  ASSERT_TRUE(network);
  EXPECT_FALSE(network->layers[1].flops);
  EXPECT_FALSE(network->layers[1].written_bytes);
}

TEST(NewerModels, DeclaredShapesStandWhereNothingFollows) {
  ModelBuilder model(20);
  const std::string y = model.apply("Mystery", {model.input("x", {2, 8})});
  model.last().set_domain("com.example");
  auto* declared = model.graph().add_value_info();
  declared->set_name(y);
  auto* tensor = declared->mutable_type()->mutable_tensor_type();
  tensor->set_elem_type(ModelBuilder::kFloat);
  tensor->mutable_shape()->add_dim()->set_dim_value(5);
  const std::string z = model.apply("Relu", {y});
  model.output(z);
  EXPECT_EQ(shape_in(read(model), z), (Shape{5}));
  tensor->mutable_shape()->mutable_dim(0)->set_dim_value(7);
  auto* wrong = model.graph().add_value_info();
  wrong->set_name(z);
  wrong->mutable_type()->mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(9);
  EXPECT_FALSE(read(model));
}

/// floor(height * 1.5) as an exporter of a Resize computes it.
TEST(NewerModels, SizesComputedFromShapesAreFollowed) {
  ModelBuilder model(19);
  const std::string x = model.input("x", {1, 3, 7, 9});
  const std::string shape = model.apply("Shape", {x});
  set(model.last(), "start", 2);
  const std::string real = model.apply("Cast", {shape});
  set(model.last(), "to", 1);
  const std::string factor = model.weight({});
  model.graph().mutable_initializer()->rbegin()->add_float_data(1.5F);
  const std::string larger = model.apply("Floor", {model.apply("Mul", {real, factor})});
  const std::string whole = model.apply("Cast", {larger});
  set(model.last(), "to", 7);
  const std::string sizes = model.apply("Concat", {model.integers({1, 3}), whole});
  set(model.last(), "axis", 0);
  const std::string y = model.apply("Resize", {x, "", "", sizes});
  model.output(y);
  EXPECT_EQ(shape_in(read(model), y), (Shape{1, 3, 10, 13}));
}

/// Pads of the last axis as torch writes them for Pad: (before, after) from the last axis on,
/// turned round by a Reshape to pairs, a Slice with a step of -1 and a Transpose. silero-VAD has
/// them.
TEST(NewerModels, PadsThatAreTurnedRoundAreFollowed) {
  ModelBuilder model(18);
  const std::string x = model.input("x", {1, 576});
  const std::string rest = model.apply("ConstantOfShape", {model.integers({2})});
  auto* zero = model.last().add_attribute();
  zero->set_name("value");
  zero->set_type(onnx::AttributeProto::TENSOR);
  zero->mutable_t()->set_data_type(ModelBuilder::kInt64);
  zero->mutable_t()->add_dims(1);
  zero->mutable_t()->add_int64_data(0);
  const std::string all = model.apply("Concat", {model.integers({3, 64}), rest});
  set(model.last(), "axis", 0);
  const std::string pairs = model.apply("Reshape", {all, model.integers({-1, 2})});
  const std::string turned =
      model.apply("Slice", {pairs, model.integers({-1}), model.integers({-9223372036854775807}),
                            model.integers({0}), model.integers({-1})});
  const std::string pads = model.apply("Transpose", {turned});
  set(model.last(), "perm", {1, 0});
  const std::string list = model.apply("Reshape", {pads, model.integers({-1})});
  const std::string y = model.apply("Pad", {x, list});
  model.output(y);
  EXPECT_EQ(shape_in(read(model), y), (Shape{1, 576 + 3 + 64}));
}

}  // namespace
}  // namespace ridge::predict
