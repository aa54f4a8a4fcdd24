#include "predict/network/layers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/network/graph_for_tests.hpp"

namespace ridge::predict {
namespace {

using testing::HasSubstr;

Network network_of(const GraphBuilder& builder, const NetworkOptions& options = {}) {
  const auto network = layers_of(builder.graph, options);
  EXPECT_TRUE(network) << network.error().message;
  return network.value_or(Network{});
}

TEST(Layers, BytesOfWeightsInputsAndOutputs) {
  GraphBuilder builder;
  const auto x = builder.input({10, 20});
  builder.add("MatMul", {x, builder.weight({20, 30})}, Shape{10, 30});
  const NetworkLayer layer = network_of(builder).layers[0];
  EXPECT_EQ(layer.weight_bytes, 4U * 600);
  EXPECT_EQ(layer.read_bytes, 4U * 200);
  EXPECT_EQ(layer.written_bytes, 4U * 300);
  EXPECT_DOUBLE_EQ(*intensity_of(layer), 12000.0 / (4 * 1100));
}

TEST(Layers, PrecisionPricesFloatsAlone) {
  GraphBuilder builder;
  const auto table = builder.weight({1000, 64});
  builder.add("Gather", {table, builder.input({8}, "int64")}, Shape{8, 64});
  for (const auto& [precision, bytes] : {std::pair<const char*, std::uint64_t>{"", 4},
                                         {"fp64", 8},
                                         {"tf32", 4},
                                         {"bf16", 2},
                                         {"fp8", 1}}) {
    const NetworkLayer layer = network_of(builder, {.precision = precision}).layers[0];
    EXPECT_EQ(layer.weight_bytes, 512 * bytes) << precision;  // the rows, not the table
    EXPECT_EQ(layer.read_bytes, 64U);                         // the indices
    EXPECT_EQ(layer.written_bytes, 512 * bytes);
  }
  EXPECT_EQ(network_of(builder).weight_bytes, 4U * 64000);
  for (const char* bad : {"int8", "fp31", "FP16"}) {
    const auto refused = layers_of(builder.graph, {.precision = bad});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::usage);
  }
}

TEST(Layers, ATensorThatIsReadTwiceCountsOnce) {
  GraphBuilder builder;
  const auto x = builder.input({100});
  builder.add("Mul", {x, x}, Shape{100});
  EXPECT_EQ(network_of(builder).layers[0].read_bytes, 400U);
}

TEST(Layers, SharedWeightsAreStoredOnce) {
  GraphBuilder builder;
  const auto w = builder.weight({8, 8});
  const auto y = builder.add("MatMul", {builder.input({1, 8}), w}, Shape{1, 8});
  builder.add("MatMul", {y, w}, Shape{1, 8});
  const Network network = network_of(builder);
  EXPECT_EQ(network.weight_bytes, 256U);
  EXPECT_EQ(totals_of(network).weight_bytes, 512U);
}

TEST(Layers, WhatFollowsFromWeightsAndShapesIsConstant) {
  GraphBuilder builder;
  const auto x = builder.input({2, 3});
  const auto w = builder.add("Transpose", {builder.weight({4, 3})}, Shape{3, 4});
  builder.add("Shape", {x}, Shape{2}, "int64");
  builder.add("MatMul", {x, w}, Shape{2, 4});
  const Network network = network_of(builder);
  EXPECT_EQ(network.layers[0].kind, LayerKind::constant);
  EXPECT_EQ(network.layers[0].bytes(), 0U);
  EXPECT_EQ(network.layers[1].kind, LayerKind::constant);
  EXPECT_EQ(network.layers[2].weight_bytes, 48U);
}

TEST(Layers, ViewsMoveNothingAndKeepTheirElements) {
  GraphBuilder builder;
  const auto x = builder.input({2, 6});
  builder.add("Reshape", {x, builder.weight({2}, "int64")}, Shape{3, 4});
  EXPECT_EQ(network_of(builder).layers[0].bytes(), 0U);
  builder.add("Reshape", {x, builder.weight({2}, "int64")}, Shape{1, 6});
  const auto refused = layers_of(builder.graph, {});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("Reshape1"));
  EXPECT_THAT(refused.error().message, HasSubstr("6 elements of 12"));
}

TEST(Layers, UnknownOperatorsKeepTheirBytesAndHaveNoFlops) {
  GraphBuilder builder;
  const auto x = builder.input({100});
  const auto y = builder.add("Mystery", {x}, Shape{50});
  builder.graph.nodes.back().domain = "com.example";
  builder.add("Relu", {y}, std::nullopt);
  builder.add("If", {x}, Shape{1});
  builder.graph.nodes.back().inner_nodes = 3;
  const Network network = network_of(builder);
  ASSERT_EQ(network.layers.size(), 3U);
  EXPECT_EQ(network.layers[0].operation, "com.example.Mystery");
  EXPECT_EQ(network.layers[0].kind, LayerKind::unknown);
  EXPECT_FALSE(network.layers[0].flops);
  EXPECT_EQ(network.layers[0].bytes(), 600U);
  EXPECT_FALSE(network.layers[1].flops);  // its shape is not known
  EXPECT_FALSE(network.layers[1].bytes());
  EXPECT_EQ(network.layers[1].read_bytes, 200U);
  EXPECT_FALSE(network.layers[2].flops);
  EXPECT_THAT(network.layers[2].remarks[0], HasSubstr("sub-graph of 3 operators"));
  EXPECT_EQ(totals_of(network).without_flops, 3U);
  EXPECT_EQ(totals_of(network).without_bytes, 1U);
}

TEST(Layers, CountsBeyond2To53AreRefused) {
  GraphBuilder builder;
  const std::uint64_t side = std::uint64_t{1} << 20;
  const auto x = builder.input({side, side});
  builder.add("MatMul", {x, x}, Shape{side, side});
  const auto refused = layers_of(builder.graph, {});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("MatMul0"));
  EXPECT_THAT(refused.error().message, HasSubstr("2^53"));
  // Each of them fits, their sum does not.
  GraphBuilder sum;
  const auto y = sum.input({std::uint64_t{1} << 49});
  for (int i = 0; i < 3; ++i) {
    sum.add("Relu", {y}, Shape{std::uint64_t{1} << 49});
  }
  const auto too_much = layers_of(sum.graph, {});
  ASSERT_FALSE(too_much);
  EXPECT_THAT(too_much.error().message, HasSubstr("sum over all layers"));
}

// ---- fusing ----

TEST(Fusing, ElementWiseLayersRunInsideTheirProducer) {
  GraphBuilder builder;
  const auto x = builder.input({10, 20});
  const auto y = builder.add("MatMul", {x, builder.weight({20, 30})}, Shape{10, 30});
  const auto z = builder.add("Add", {y, builder.weight({30})}, Shape{10, 30});
  builder.graph.outputs = {builder.add("Relu", {z}, Shape{10, 30})};
  const Network network = network_of(builder, {.fuse = true});
  ASSERT_EQ(network.layers.size(), 1U);
  const NetworkLayer& layer = network.layers[0];
  EXPECT_THAT(layer.fused, testing::ElementsAre("Add", "Relu"));
  EXPECT_EQ(layer.flops, 12000U + 300);
  EXPECT_EQ(layer.vector_flops, 300U);
  EXPECT_EQ(layer.weight_bytes, 4U * 630);
  EXPECT_EQ(layer.read_bytes, 4U * 200);
  EXPECT_EQ(layer.written_bytes, 4U * 300);
}

TEST(Fusing, NotWhereSomethingElseNeedsTheTensor) {
  GraphBuilder builder;
  const auto x = builder.input({10});
  const auto y = builder.add("Sigmoid", {x}, Shape{10});
  builder.graph.outputs = {y};  // the caller gets it
  builder.add("Relu", {y}, Shape{10});
  EXPECT_EQ(network_of(builder, {.fuse = true}).layers.size(), 2U);
  builder.graph.outputs = {};
  EXPECT_EQ(network_of(builder, {.fuse = true}).layers.size(), 1U);
  builder.add("Neg", {y}, Shape{10});  // a second reader
  EXPECT_EQ(network_of(builder, {.fuse = true}).layers.size(), 3U);
}

TEST(Fusing, NotWhereTheResultIsLargerOrTheProducerCannotLead) {
  GraphBuilder builder;
  const auto x = builder.input({10});
  const auto y = builder.add("Sigmoid", {x}, Shape{10});
  builder.add("Add", {y, builder.input({4, 1})}, Shape{4, 10});
  EXPECT_EQ(network_of(builder, {.fuse = true}).layers.size(), 2U);
  GraphBuilder moved;
  const auto t = moved.add("Transpose", {moved.input({2, 5})}, Shape{5, 2});
  moved.add("Relu", {t}, Shape{5, 2});
  EXPECT_EQ(network_of(moved, {.fuse = true}).layers.size(), 2U);
}

TEST(Fusing, AResidualRunsInTheBranchThatEndsLast) {
  GraphBuilder builder;
  const auto x = builder.input({4, 4});
  const auto a = builder.add("MatMul", {x, builder.weight({4, 4})}, Shape{4, 4});
  const auto b = builder.add("MatMul", {x, builder.weight({4, 4})}, Shape{4, 4});
  builder.add("Add", {a, b}, Shape{4, 4});
  const Network network = network_of(builder, {.fuse = true});
  ASSERT_EQ(network.layers.size(), 2U);
  EXPECT_TRUE(network.layers[0].fused.empty());
  EXPECT_THAT(network.layers[1].fused, testing::ElementsAre("Add"));
  EXPECT_EQ(network.layers[1].read_bytes, 2U * 64);  // x and the other branch
}

TEST(Fusing, WhatSeveralFusedLayersReadIsReadOnce) {
  GraphBuilder builder;
  const auto x = builder.input({10});
  const auto s = builder.add("Sigmoid", {x}, Shape{10});
  builder.add("Mul", {x, s}, Shape{10});  // SiLU as exporters write it
  const Network network = network_of(builder, {.fuse = true});
  ASSERT_EQ(network.layers.size(), 1U);
  EXPECT_EQ(network.layers[0].read_bytes, 40U);
  EXPECT_EQ(network.layers[0].written_bytes, 40U);
}

}  // namespace
}  // namespace ridge::predict
