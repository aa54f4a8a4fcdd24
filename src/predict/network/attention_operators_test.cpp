// Attention, norms around it, and resampling against counts written down by hand.
#include <gtest/gtest.h>

#include "predict/network/graph_for_tests.hpp"
#include "predict/network/layers.hpp"
#include "predict/network/operators.hpp"

namespace ridge::predict {
namespace {

std::optional<OperatorWork> work_of(GraphBuilder& builder, const std::string& domain = "") {
  OperatorNode& node = builder.graph.nodes.back();
  node.domain = domain;
  const OperatorRow* row = find_operator(domain, node.operation);
  EXPECT_NE(row, nullptr) << node.operation;
  return row != nullptr ? row->work(OperatorView(builder.graph, node)) : std::nullopt;
}

constexpr const char* kVendor = "com.microsoft";

/// Two heads of width 4, 3 queries, 5 keys.
constexpr std::uint64_t kScores = 2 * 3 * 5;
constexpr std::uint64_t kAttended = 2 * kScores * 4 + 2 * kScores * 4 + 4 * kScores + 2 * 3;

TEST(Attention, OfManyHeads) {
  GraphBuilder builder;
  const auto q = builder.input({1, 3, 8});
  const auto k = builder.input({1, 5, 8});
  builder.add("MultiHeadAttention", {q, k, k}, Shape{1, 3, 8});
  builder.attribute("num_heads", std::int64_t{2});
  const auto work = work_of(builder, kVendor);
  ASSERT_TRUE(work);
  EXPECT_EQ(work->flops.value(), kAttended);
  EXPECT_EQ(work->vector.value(), 4 * kScores + 6);
  EXPECT_EQ(work->calls.at(0).second.value(), kScores);
}

TEST(Attention, OfTheStandardOperatorsWithHeadsApartAndTogether) {
  GraphBuilder builder;
  builder.graph.opset = 23;
  const auto q = builder.input({1, 2, 3, 4});
  const auto k = builder.input({1, 1, 5, 4});
  builder.add("Attention", {q, k, k}, Shape{1, 2, 3, 4});
  EXPECT_EQ(work_of(builder)->flops.value(), kAttended);
  builder.add("Attention",
              {builder.input({1, 3, 8}), builder.input({1, 5, 4}), builder.input({1, 5, 4})},
              Shape{1, 3, 8});
  EXPECT_FALSE(work_of(builder));  // nothing says how many heads
  builder.attribute("q_num_heads", std::int64_t{2});
  builder.attribute("kv_num_heads", std::int64_t{1});
  EXPECT_EQ(work_of(builder)->flops.value(), kAttended);
}

TEST(Attention, OfGroupsReadsThePast) {
  GraphBuilder builder;
  const auto q = builder.input({1, 3, 8});
  const auto k = builder.input({1, 3, 4});
  const auto past = builder.input({1, 1, 2, 4});
  builder.add("GroupQueryAttention", {q, k, k, past, past}, Shape{1, 3, 8});
  builder.attribute("num_heads", std::int64_t{2});
  builder.attribute("kv_num_heads", std::int64_t{1});
  EXPECT_EQ(work_of(builder, kVendor)->flops.value(), kAttended);
  builder.attribute("do_rotary", std::int64_t{1});
  EXPECT_EQ(work_of(builder, kVendor)->flops.value(), kAttended + 3 * 3 * (2 + 1) * 4);
}

TEST(Attention, WithItsProjection) {
  GraphBuilder builder;
  const auto x = builder.input({1, 5, 6});
  builder.add("Attention", {x, builder.weight({6, 24}), builder.weight({24})}, Shape{1, 5, 8});
  builder.attribute("num_heads", std::int64_t{2});
  const std::uint64_t scores = 2 * 5 * 5;
  const std::uint64_t attended = 4 * scores * 4 + 4 * scores + 2 * 5;
  EXPECT_EQ(work_of(builder, kVendor)->flops.value(), 2 * 5 * 6 * 24 + 5 * 24 + attended);
  builder.add("QAttention",
              {builder.input({1, 5, 6}, "uint8"), builder.weight({6, 24}, "int8"),
               builder.weight({24}), builder.weight({}), builder.weight({})},
              Shape{1, 5, 8});
  builder.attribute("num_heads", std::int64_t{2});
  const auto quantised = work_of(builder, kVendor);
  EXPECT_EQ(quantised->intops.value(), 2U * 5 * 6 * 24);
  EXPECT_EQ(quantised->flops.value(), 2 * 5 * 24 + attended);
}

TEST(Attention, NormsAndRotations) {
  GraphBuilder builder;
  const auto x = builder.input({2, 3, 8});
  const auto w = builder.weight({8});
  builder.add("RMSNormalization", {x, w}, Shape{2, 3, 8});
  EXPECT_EQ(work_of(builder)->flops.value(), 4U * 48 + 4 * 6);
  builder.add("SimplifiedLayerNormalization", {x, w}, Shape{2, 3, 8});
  EXPECT_EQ(work_of(builder)->flops.value(), 4U * 48 + 4 * 6);
  builder.add("SkipSimplifiedLayerNormalization", {x, x, w}, Shape{2, 3, 8});
  EXPECT_EQ(work_of(builder, kVendor)->flops.value(), 5U * 48 + 4 * 6);
  builder.add("SkipLayerNormalization", {x, x, w, w, w}, Shape{2, 3, 8});
  EXPECT_EQ(work_of(builder, kVendor)->flops.value(), (8U + 2) * 48 + 5 * 6);
  builder.add("RotaryEmbedding", {x}, Shape{2, 3, 8});
  EXPECT_EQ(work_of(builder, kVendor)->flops.value(), 3U * 48);
  builder.attribute("rotary_embedding_dim", std::int64_t{2});
  builder.attribute("num_heads", std::int64_t{2});
  EXPECT_EQ(work_of(builder, kVendor)->flops.value(), 3U * 24);
  builder.add("GroupNormalization", {x, w, w}, Shape{2, 3, 8});
  builder.attribute("num_groups", std::int64_t{3});
  EXPECT_EQ(work_of(builder)->flops.value(), 8U * 48 + 5 * 6);
}

TEST(Attention, ProductsAndActivations) {
  GraphBuilder builder;
  const auto x = builder.input({2, 3, 8});
  builder.add("MatMulNBits", {x, builder.weight({16, 1, 4}, "uint8"), builder.weight({16})},
              Shape{2, 3, 16});
  builder.attribute("K", std::int64_t{8});
  EXPECT_EQ(work_of(builder, kVendor)->flops.value(), 2U * 6 * 16 * 8);
  builder.add("FusedMatMul", {x, builder.weight({8, 16})}, Shape{2, 3, 16});
  builder.attribute("alpha", 0.5);
  EXPECT_EQ(work_of(builder, kVendor)->flops.value(), 2U * 6 * 16 * 8 + 96);
  builder.add("BiasGelu", {x, builder.weight({8})}, Shape{2, 3, 8});
  EXPECT_EQ(work_of(builder, kVendor)->flops.value(), 5U * 48);
  builder.add("FastGelu", {x}, Shape{2, 3, 8});
  EXPECT_EQ(work_of(builder, kVendor)->flops.value(), 8U * 48);
  const auto image = builder.input({1, 4, 6, 6});
  builder.add("FusedConv", {image, builder.weight({5, 4, 3, 3}), builder.weight({5})},
              Shape{1, 5, 4, 4});
  EXPECT_EQ(work_of(builder, kVendor)->flops.value(), 2U * 80 * 36 + 80);
  builder.attribute("activation", std::string("Mystery"));
  EXPECT_FALSE(work_of(builder, kVendor));
}

TEST(Resampling, InterpolatesBetweenSamples) {
  GraphBuilder builder;
  const auto x = builder.input({1, 2, 4, 4});
  builder.add("Resize", {x}, Shape{1, 2, 8, 8});
  EXPECT_EQ(work_of(builder)->flops.value(), 0U);
  builder.attribute("mode", std::string("linear"));
  EXPECT_EQ(work_of(builder)->flops.value(), 128U * (2 + 1) * 2 * 2);
  builder.attribute("mode", std::string("cubic"));
  EXPECT_EQ(work_of(builder)->flops.value(), 128U * (4 + 1) * 4 * 2);
  builder.add("Resize", {x}, Shape{1, 2, 8, 4});  // one dimension alone
  builder.attribute("mode", std::string("linear"));
  EXPECT_EQ(work_of(builder)->flops.value(), 64U * 4);
  builder.add("GridSample", {x, builder.input({1, 5, 5, 2})}, Shape{1, 2, 5, 5});
  EXPECT_EQ(work_of(builder)->flops.value(), 50U * 12 + 25 * 2 * 4);
}

TEST(Resampling, Transforms) {
  GraphBuilder builder;
  builder.add("DFT", {builder.input({3, 16, 2})}, Shape{3, 16, 2});
  EXPECT_EQ(work_of(builder)->flops.value(), 3U * 5 * 16 * 4);
  builder.add("DFT", {builder.input({3, 16, 1})}, Shape{3, 9, 2});
  builder.attribute("onesided", std::int64_t{1});
  EXPECT_EQ(work_of(builder)->flops.value(), 3U * 16 * 4 * 5 / 2);
  builder.add("STFT", {builder.input({2, 40, 1}), builder.weight({}), builder.weight({8})},
              Shape{2, 9, 5, 2});
  EXPECT_EQ(work_of(builder)->flops.value(), 2U * 9 * (5 * 8 * 3 / 2 + 8));
}

TEST(Resampling, EinsumOfOneTwoAndThree) {
  GraphBuilder builder;
  const auto a = builder.input({2, 3, 4});
  builder.add("Einsum", {a}, Shape{4, 3, 2});
  builder.attribute("equation", std::string("ijk->kji"));
  EXPECT_EQ(work_of(builder)->flops.value(), 0U);
  builder.add("Einsum", {a}, Shape{2});
  builder.attribute("equation", std::string("ijk->i"));
  EXPECT_EQ(work_of(builder)->flops.value(), 24U);
  builder.add("Einsum", {a, builder.input({2, 4, 5})}, Shape{2, 3, 5});
  builder.attribute("equation", std::string("...jk,...kl->...jl"));
  EXPECT_EQ(work_of(builder)->flops.value(), 2U * 2 * 3 * 4 * 5);
  // (a b) first: i j k l, of which j is summed; then i k l m.
  builder.add("Einsum", {builder.input({2, 3}), builder.input({3, 4}), builder.input({4, 5})},
              Shape{2, 5});
  builder.attribute("equation", std::string("ij,jk,kl->il"));
  EXPECT_EQ(work_of(builder)->flops.value(), 2U * (2 * 3 * 4) + 2 * (2 * 4 * 5));
}

/// Dequantise, multiply, quantise is QLinearMatMul written out.
TEST(Quantised, PairsAroundAProductRunInIntegers) {
  GraphBuilder builder;
  const auto scale = builder.weight({});
  const auto zero = builder.weight({}, "uint8");
  const auto x = builder.input({4, 8}, "uint8");
  const auto w = builder.weight({8, 16}, "int8");
  const auto a = builder.add("DequantizeLinear", {x, scale, zero}, Shape{4, 8});
  const auto b = builder.add("DequantizeLinear", {w, scale}, Shape{8, 16});
  const auto c = builder.add("MatMul", {a, b}, Shape{4, 16});
  const auto d = builder.add("QuantizeLinear", {c, scale, zero}, Shape{4, 16}, "uint8");
  builder.graph.outputs = {d};
  const auto network = layers_of(builder.graph, {});
  ASSERT_TRUE(network);
  ASSERT_EQ(network->layers.size(), 1U);
  const NetworkLayer& layer = network->layers[0];
  EXPECT_EQ(layer.operation, "QLinearMatMul");
  EXPECT_EQ(layer.precision, "uint8");
  EXPECT_EQ(layer.intops, 2U * 4 * 8 * 16 + 4 * 16);
  EXPECT_EQ(layer.flops, 4U * 16);
  EXPECT_EQ(layer.read_bytes, 4U * 8);
  EXPECT_EQ(layer.written_bytes, 4U * 16);
  // Of a result that somebody else reads, the product stays as it is.
  builder.graph.outputs = {d, c};
  EXPECT_EQ(layers_of(builder.graph, {})->layers.size(), 4U);
}

}  // namespace
}  // namespace ridge::predict
