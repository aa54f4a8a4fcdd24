// Operators inside If, Loop, Scan and functions of the model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/network/layers.hpp"
#include "predict/onnx/models_for_tests.hpp"
#include "predict/onnx/reader.hpp"
#include "predict/onnx/wire_format.hpp"

namespace ridge::predict {
namespace {

using testing::HasSubstr;
using Shape = std::vector<std::uint64_t>;

Result<Network> network_of(const ModelBuilder& model) {
  const auto graph = read_onnx(model.bytes(), "model.onnx", {});
  return graph ? layers_of(*graph, {}) : tl::make_unexpected(graph.error());
}

/// x [4, 8]: times w [8, 8], or only a sigmoid.
ModelBuilder with_if(int opset, const std::string& condition, ModelBuilder model) {
  model.model().mutable_opset_import(0)->set_version(opset);
  const std::string x = model.input("x", {4, 8});
  const std::string w = model.weight({8, 8});
  const std::string y = model.apply("If", {condition});
  add(body(model.last(), "then_branch"), "MatMul", {x, w}, "a");
  model.last().mutable_attribute(0)->mutable_g()->add_output()->set_name("a");
  add(body(model.last(), "else_branch"), "Sigmoid", {x}, "b");
  model.last().mutable_attribute(1)->mutable_g()->add_output()->set_name("b");
  model.output(model.apply("Relu", {y}));
  return model;
}

ModelBuilder with_open_if(int opset) {
  ModelBuilder model(opset);
  const std::string condition = model.input("c", {}, {}, 9);
  return with_if(opset, condition, std::move(model));
}

ModelBuilder with_constant_if(bool taken) {
  ModelBuilder model(20);
  const std::string condition = model.weight({}, 9);
  model.graph().mutable_initializer()->rbegin()->add_int32_data(taken ? 1 : 0);
  return with_if(20, condition, std::move(model));
}

TEST(Bodies, TheDearerBranchIsCountedAndTheOtherSaid) {
  for (const int opset : {16, 21}) {
    const auto network = network_of(with_open_if(opset));
    ASSERT_TRUE(network) << network.error().message;
    ASSERT_EQ(network->layers.size(), 2U);
    EXPECT_EQ(network->layers[0].operation, "MatMul");
    EXPECT_EQ(totals_of(*network).flops, 2U * 4 * 8 * 8);
    EXPECT_EQ(network->layers[1].output_shape, (Shape{4, 8}));
    ASSERT_EQ(network->notes.size(), 1U);
    EXPECT_EQ(network->notes[0].code, "branches");
    EXPECT_THAT(network->notes[0].text, HasSubstr("512"));
    EXPECT_THAT(network->notes[0].text, HasSubstr("64"));  // 2 flop for each of 32 sigmoids
  }
}

TEST(Bodies, AConstantConditionTakesItsBranch) {
  const auto taken = network_of(with_constant_if(true));
  const auto other = network_of(with_constant_if(false));
  ASSERT_TRUE(taken && other);
  EXPECT_EQ(taken->layers[0].operation, "MatMul");
  EXPECT_EQ(other->layers[0].operation, "Sigmoid");
  EXPECT_EQ(other->notes[0].code, "constant-conditions");
}

/// y = y w, `trips` times, and each y collected.
ModelBuilder with_loop(std::optional<std::int64_t> trips, bool condition_stays) {
  ModelBuilder model(21);
  const std::string x = model.input("x", {4, 8});
  const std::string w = model.weight({8, 8});
  std::string count = model.input("n", {}, {}, ModelBuilder::kInt64);
  if (trips) {
    count = model.weight({}, ModelBuilder::kInt64);
    model.graph().mutable_initializer()->rbegin()->add_int64_data(*trips);
  }
  const std::string last = model.apply("Loop", {count, "", x});
  auto& node = model.last();
  node.add_output("all");
  auto& inner = body(node, "body");
  for (const char* name : {"i", "c", "y"}) {
    inner.add_input()->set_name(name);
  }
  add(inner, "MatMul", {"y", w}, "z");
  if (condition_stays) {
    add(inner, "Identity", {"c"}, "d");
  } else {
    add(inner, "ReduceMax", {"z"}, "m");
    set(*inner.mutable_node()->rbegin(), "keepdims", 0);
    add(inner, "Cast", {"m"}, "d");
    set(*inner.mutable_node()->rbegin(), "to", 9);
  }
  for (const char* name : {"d", "z", "z"}) {
    inner.add_output()->set_name(name);
  }
  model.output(last);
  model.output("all");
  return model;
}

TEST(Bodies, LoopsCountTheirIterations) {
  const auto graph = read_onnx(with_loop(10, true).bytes(), "m", {});
  ASSERT_TRUE(graph) << graph.error().message;
  EXPECT_EQ(graph->tensors[graph->outputs[0]].shape, (Shape{4, 8}));
  EXPECT_EQ(graph->tensors[graph->outputs[1]].shape, (Shape{10, 4, 8}));
  const auto network = layers_of(*graph, {});
  ASSERT_TRUE(network);
  EXPECT_EQ(network->layers[0].flops, 10U * 2 * 4 * 8 * 8);
  EXPECT_EQ(network->layers[0].weight_bytes, 10U * 4 * 8 * 8);
  EXPECT_THAT(network->layers[0].remarks, testing::Contains(HasSubstr("10 times")));
  EXPECT_EQ(network->weight_bytes, 4U * 8 * 8);
}

TEST(Bodies, StandInEachOther) {
  for (const int opset : {13, 17, 18, 26}) {
    const auto network = network_of(with_bodies(opset));
    ASSERT_TRUE(network) << network.error().message;
    EXPECT_EQ(totals_of(*network).flops, 10U * 2 * 4 * 8 * 8) << opset;
    EXPECT_EQ(totals_of(*network).without_flops, 0U);
    EXPECT_EQ(totals_of(*network).without_bytes, 0U);
  }
}

TEST(Bodies, LoopsThatDataEndAreCountedOnce) {
  for (const auto& model : {with_loop({}, true), with_loop(10, false)}) {
    const auto network = network_of(model);
    ASSERT_TRUE(network) << network.error().message;
    EXPECT_EQ(network->layers[0].flops, 2U * 4 * 8 * 8);
    EXPECT_THAT(network->notes,
                testing::Contains(testing::Field(&Note::code, "loops-counted-once")));
  }
}

TEST(Bodies, WhatChangesItsShapeInALoopIsNotKnown) {
  ModelBuilder model(21);
  const std::string x = model.input("x", {4, 8});
  const std::string count = model.weight({}, ModelBuilder::kInt64);
  model.graph().mutable_initializer()->rbegin()->add_int64_data(3);
  const std::string last = model.apply("Loop", {count, "", x});
  auto& inner = body(model.last(), "body");
  for (const char* name : {"i", "c", "y"}) {
    inner.add_input()->set_name(name);
  }
  add(inner, "Concat", {"y", "y"}, "z");
  set(*inner.mutable_node()->rbegin(), "axis", 0);
  add(inner, "Identity", {"c"}, "d");
  inner.add_output()->set_name("d");
  inner.add_output()->set_name("z");
  model.output(last);
  const auto graph = read_onnx(model.bytes(), "m", {});
  ASSERT_TRUE(graph) << graph.error().message;
  EXPECT_FALSE(graph->tensors[graph->outputs[0]].shape);
}

TEST(Bodies, ScansRunOnceForEachElement) {
  ModelBuilder model(18);
  const std::string state = model.input("s", {1, 8});
  const std::string x = model.input("x", {5, 1, 8});
  const std::string last = model.apply("Scan", {state, x});
  auto& node = model.last();
  node.add_output("all");
  set(node, "num_scan_inputs", 1);
  auto& inner = body(node, "body");
  inner.add_input()->set_name("a");
  inner.add_input()->set_name("b");
  add(inner, "Add", {"a", "b"}, "c");
  inner.add_output()->set_name("c");
  inner.add_output()->set_name("c");
  model.output(last);
  model.output("all");
  const auto graph = read_onnx(model.bytes(), "m", {});
  ASSERT_TRUE(graph) << graph.error().message;
  EXPECT_EQ(graph->tensors[graph->outputs[1]].shape, (Shape{5, 1, 8}));
  EXPECT_EQ(layers_of(*graph, {})->layers[0].flops, 5U * 8);
}

TEST(Bodies, FunctionsOfTheModelAreUnfolded) {
  ModelBuilder model(18);
  auto* function = model.model().add_functions();
  function->set_domain("local");
  function->set_name("Twice");
  function->add_input("a");
  function->add_output("b");
  auto* inside = function->add_node();
  inside->set_op_type("Add");
  inside->add_input("a");
  inside->add_input("a");
  inside->add_output("b");
  const std::string y = model.apply("Twice", {model.input("x", {3, 3})});
  model.last().set_domain("local");
  model.output(y);
  const auto network = network_of(model);
  ASSERT_TRUE(network) << network.error().message;
  ASSERT_EQ(network->layers.size(), 1U);
  EXPECT_EQ(network->layers[0].flops, 9U);
}

/// Functions that call each other twice would unfold without end.
TEST(Bodies, FunctionsThatUnfoldWithoutEndAreRefused) {
  ModelBuilder model(18);
  auto* function = model.model().add_functions();
  function->set_domain("local");
  function->set_name("Bomb");
  function->add_input("a");
  function->add_output("c");
  for (const auto& [from, to] : {std::pair{"a", "b"}, {"b", "d"}, {"d", "c"}}) {
    auto* inside = function->add_node();
    inside->set_op_type("Bomb");
    inside->set_domain("local");
    inside->add_input(from);
    inside->add_output(to);
  }
  const std::string y = model.apply("Bomb", {model.input("x", {3, 3})});
  model.last().set_domain("local");
  model.output(y);
  const auto graph = read_onnx(model.bytes(), "m", {});
  ASSERT_FALSE(graph);
  EXPECT_THAT(graph.error().message, HasSubstr("too many operators"));
}

TEST(Bodies, ValuesThatNobodyMakesAreRefused) {
  ModelBuilder model = with_open_if(20);
  model.graph().mutable_node(0)->mutable_attribute(0)->mutable_g()->mutable_node(0)->set_input(
      1, "nowhere");
  const auto graph = read_onnx(model.bytes(), "m", {});
  ASSERT_FALSE(graph);
  EXPECT_THAT(graph.error().message, HasSubstr("`nowhere`"));
}

}  // namespace
}  // namespace ridge::predict
