// Every formula against a count written down by hand.
#include "predict/network/operators.hpp"

#include <set>

#include <gtest/gtest.h>

#include "predict/network/graph_for_tests.hpp"

namespace ridge::predict {
namespace {

OperatorWork work_of(const GraphBuilder& builder) {
  const OperatorNode& node = builder.graph.nodes.back();
  const OperatorRow* row = find_operator(node.domain, node.operation);
  EXPECT_NE(row, nullptr) << node.operation;
  return row != nullptr ? row->work(OperatorView(builder.graph, node)).value_or(OperatorWork{})
                        : OperatorWork{};
}

std::uint64_t flops(const GraphBuilder& builder) {
  return work_of(builder).flops.value();
}

TEST(Operators, TableIsSortedWithoutTwinsAndEachRowHasAFormula) {
  std::set<std::string_view> names;
  for (const OperatorRow& row : operator_table()) {
    EXPECT_TRUE(names.insert(row.operation).second) << row.operation;
    EXPECT_NE(row.work, nullptr) << row.operation;
    EXPECT_FALSE(row.formula.empty()) << row.operation;
    EXPECT_EQ(find_operator("", row.operation), &row);
    EXPECT_NE(row.kind, LayerKind::unknown);
  }
  EXPECT_EQ(names.size(), 167U);  // CHANGELOG says how many
  EXPECT_EQ(find_operator("", "Mystery"), nullptr);
  EXPECT_EQ(find_operator("com.example", "Conv"), nullptr);
  EXPECT_EQ(find_operator("ai.onnx", "Conv"), find_operator("", "Conv"));
}

TEST(Operators, ConvolutionCountsGroupsKernelsAndBias) {
  GraphBuilder builder;
  const auto x = builder.input({2, 8, 10, 10});
  // 4 groups: each of the 12 filters sees 2 channels of 3 x 5.
  const auto w = builder.weight({12, 2, 3, 5});
  builder.add("Conv", {x, w}, Shape{2, 12, 8, 6});
  const std::uint64_t outputs = 2 * 12 * 8 * 6;
  EXPECT_EQ(flops(builder), 2 * outputs * 2 * 15);
  builder.add("Conv", {x, w, builder.weight({12})}, Shape{2, 12, 8, 6});
  EXPECT_EQ(flops(builder), 2 * outputs * 2 * 15 + outputs);
  // Stride and dilation only show in the size of the result: depthwise, 1 output pixel.
  builder.add("Conv", {x, builder.weight({8, 1, 3, 3})}, Shape{2, 8, 1, 1});
  EXPECT_EQ(flops(builder), 2U * 2 * 8 * 9);
}

TEST(Operators, TransposedConvolutionMeetsEachInputWithEachWeight) {
  GraphBuilder builder;
  const auto x = builder.input({1, 4, 5, 5});
  builder.add("ConvTranspose", {x, builder.weight({4, 3, 2, 2})}, Shape{1, 3, 10, 10});
  // Stride 2, kernel 2: every output has one product per input channel.
  EXPECT_EQ(flops(builder), 2U * 3 * 100 * 4);
}

TEST(Operators, MatrixProductsBroadcastTheirBatch) {
  GraphBuilder builder;
  const auto a = builder.input({7, 1, 2, 3});
  builder.add("MatMul", {a, builder.input({5, 3, 4})}, Shape{7, 5, 2, 4});
  EXPECT_EQ(flops(builder), 2U * 35 * 2 * 4 * 3);
  builder.add("MatMul", {builder.input({6}), builder.input({6})}, Shape{});
  EXPECT_EQ(flops(builder), 12U);
  builder.add("MatMul", {builder.input({2, 6}), builder.input({6})}, Shape{2});
  EXPECT_EQ(flops(builder), 24U);
}

TEST(Operators, GemmCountsTransposesScalesAndBias) {
  GraphBuilder builder;
  const auto b = builder.weight({5, 4});
  builder.add("Gemm", {builder.input({3, 5}), b}, Shape{3, 4});
  EXPECT_EQ(flops(builder), 2U * 3 * 4 * 5);
  builder.add("Gemm", {builder.input({5, 3}), b, builder.weight({4})}, Shape{3, 4});
  builder.attribute("transA", std::int64_t{1});
  EXPECT_EQ(flops(builder), 2U * 3 * 4 * 5 + 12);
  builder.attribute("alpha", 0.5);
  builder.attribute("beta", 2.0);
  EXPECT_EQ(flops(builder), 2U * 3 * 4 * 5 + 3 * 12);
  builder.attribute("beta", 0.0);
  EXPECT_EQ(flops(builder), 2U * 3 * 4 * 5 + 12);
}

TEST(Operators, EinsumOfTwoOperands) {
  GraphBuilder builder;
  builder.add("Einsum", {builder.input({2, 3, 4}), builder.input({2, 4, 5})}, Shape{2, 3, 5});
  builder.attribute("equation", std::string("bij, bjk -> bik"));
  EXPECT_EQ(flops(builder), 2U * 2 * 3 * 4 * 5);
  const OperatorRow* row = find_operator("", "Einsum");
  for (const char* other : {"...ij,jk->...ik", "ij,jk->ik", "", "bij,bjk,k->bik"}) {
    builder.attribute("equation", std::string(other));
    EXPECT_FALSE(row->work(OperatorView(builder.graph, builder.graph.nodes.back()))) << other;
  }
}

TEST(Operators, IntegerProductsAreNoFlops) {
  GraphBuilder builder;
  const auto x = builder.input({1, 3, 4, 4}, "uint8");
  const auto w = builder.weight({2, 3, 1, 1}, "int8");
  const auto one = builder.weight({});
  const std::uint64_t products = 2 * 32 * 3;
  builder.add("ConvInteger", {x, w}, Shape{1, 2, 4, 4}, "int32");
  EXPECT_EQ(work_of(builder).intops.value(), products);
  EXPECT_EQ(flops(builder), 0U);
  builder.add("QLinearConv", {x, one, one, w, one, one, one, one}, Shape{1, 2, 4, 4}, "uint8");
  EXPECT_EQ(work_of(builder).intops.value(), products + 32);
  EXPECT_EQ(flops(builder), 32U);
  builder.add("MatMul", {builder.input({2, 3}, "int32"), builder.input({3, 2}, "int32")},
              Shape{2, 2}, "int32");
  EXPECT_EQ(work_of(builder).intops.value(), 24U);
  EXPECT_EQ(flops(builder), 0U);
  builder.add("Add", {builder.input({7}, "int64"), builder.input({7}, "int64")}, Shape{7}, "int64");
  EXPECT_EQ(work_of(builder).intops.value(), 7U);
}

TEST(Operators, ElementWise) {
  GraphBuilder builder;
  const auto x = builder.input({10});
  const auto count = [&](const char* operation) {
    builder.add(operation, {x}, Shape{10});
    return flops(builder);
  };
  EXPECT_EQ(count("Relu"), 0U);
  EXPECT_EQ(count("Neg"), 0U);
  EXPECT_EQ(count("Cast"), 0U);
  EXPECT_EQ(count("Sqrt"), 10U);
  EXPECT_EQ(count("Sigmoid"), 20U);
  EXPECT_EQ(work_of(builder).calls[0].first, "exp");
  EXPECT_EQ(work_of(builder).calls[0].second.value(), 10U);
  EXPECT_EQ(count("Tanh"), 0U);
  EXPECT_EQ(count("Mish"), 20U);
  EXPECT_EQ(work_of(builder).calls.size(), 3U);
  EXPECT_EQ(count("BatchNormalization"), 20U);
  EXPECT_EQ(work_of(builder).fma.value(), 20U);
  builder.add("Sum", {x, x, x}, Shape{10});
  EXPECT_EQ(flops(builder), 20U);
  builder.add("Mul", {x, builder.input({4, 1})}, Shape{4, 10});
  EXPECT_EQ(flops(builder), 40U);
}

TEST(Operators, NormsAndSoftmax) {
  GraphBuilder builder;
  const auto x = builder.input({4, 5, 6});
  const auto w = builder.weight({6});
  builder.add("LayerNormalization", {x, w, w}, Shape{4, 5, 6});
  EXPECT_EQ(flops(builder), 8U * 120 + 5 * 20);
  builder.add("LayerNormalization", {x, w}, Shape{4, 5, 6});
  builder.attribute("axis", std::int64_t{1});
  EXPECT_EQ(flops(builder), 7U * 120 + 5 * 4);
  builder.add("Softmax", {x}, Shape{4, 5, 6});
  EXPECT_EQ(flops(builder), 3U * 120 + 20);
  builder.attribute("axis", std::int64_t{1});
  EXPECT_EQ(flops(builder), 3U * 120 + 24);
  builder.graph.opset = 11;  // then along all axes from this one on
  EXPECT_EQ(flops(builder), 3U * 120 + 4);
}

TEST(Operators, ReductionsAndPools) {
  GraphBuilder builder;
  const auto x = builder.input({2, 3, 8, 8});
  builder.add("ReduceSum", {x}, Shape{2, 3});
  EXPECT_EQ(flops(builder), 384U);
  builder.add("ReduceMean", {x}, Shape{2, 3});
  EXPECT_EQ(flops(builder), 384U + 6);
  builder.add("ReduceL2", {x}, Shape{2, 3});
  EXPECT_EQ(flops(builder), 2U * 384 + 6);
  builder.add("ReduceMax", {x}, Shape{2, 3});
  EXPECT_EQ(flops(builder), 0U);
  builder.add("GlobalAveragePool", {x}, Shape{2, 3, 1, 1});
  EXPECT_EQ(flops(builder), 384U + 6);
  builder.add("AveragePool", {x}, Shape{2, 3, 4, 4});
  builder.attribute("kernel_shape", std::vector<std::int64_t>{2, 2});
  EXPECT_EQ(flops(builder), 96U * 5);
  builder.add("MaxPool", {x}, Shape{2, 3, 4, 4});
  EXPECT_EQ(flops(builder), 0U);
}

TEST(Operators, RecurrentCells) {
  GraphBuilder builder;
  const auto x = builder.input({7, 2, 5});  // 7 steps of 2 sequences
  const auto lstm_w = builder.weight({1, 16, 5});
  const auto lstm_r = builder.weight({1, 16, 4});
  builder.add("LSTM", {x, lstm_w, lstm_r}, Shape{7, 1, 2, 4});
  EXPECT_EQ(flops(builder), 14U * (2 * 16 * (5 + 4) + 10 * 4));
  builder.add("LSTM", {x, lstm_w, lstm_r, builder.weight({1, 32})}, Shape{7, 1, 2, 4});
  EXPECT_EQ(flops(builder), 14U * (2 * 16 * (5 + 4) + 16 + 10 * 4));
  builder.add("GRU", {x, builder.weight({2, 12, 5}), builder.weight({2, 12, 4})},
              Shape{7, 2, 2, 4});
  EXPECT_EQ(flops(builder), 28U * (2 * 12 * (5 + 4) + 9 * 4));
  builder.attribute("activations", std::string("Sigmoid,Tanh,Sigmoid,Tanh"));
  EXPECT_GT(flops(builder), 0U);
  builder.attribute("activations", std::string("Relu,Tanh"));
  EXPECT_FALSE(
      find_operator("", "GRU")->work(OperatorView(builder.graph, builder.graph.nodes.back())));
}

TEST(Count, StaysTooLarge) {
  const Count most(kLargestCount);
  EXPECT_FALSE(most.too_large());
  EXPECT_TRUE((most + 1).too_large());
  EXPECT_TRUE((most * 2).too_large());
  EXPECT_TRUE((most * most * most).too_large());
  EXPECT_TRUE((most * 2 - 5).too_large());
  EXPECT_TRUE((most * 2 * 1).too_large());
  EXPECT_EQ((most * 2 * 0).value(), 0U);
  EXPECT_EQ((Count(std::uint64_t{1} << 26) * (std::uint64_t{1} << 27)).value(), kLargestCount);
  EXPECT_EQ((Count(3) - 5).value(), 0U);
}

}  // namespace
}  // namespace ridge::predict
