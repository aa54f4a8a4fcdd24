// Whole networks against closed forms and published counts.
#include <gtest/gtest.h>

#include "predict/network/layers.hpp"
#include "predict/onnx/models_for_tests.hpp"
#include "predict/onnx/reader.hpp"

namespace ridge::predict {
namespace {

Network network_of(const ModelBuilder& model, const DimensionSizes& sizes,
                   const NetworkOptions& options = {}) {
  const auto graph = read_onnx(model.bytes(), "model.onnx", sizes);
  EXPECT_TRUE(graph) << graph.error().message;
  if (!graph) {
    return {};
  }
  const auto network = layers_of(*graph, options);
  EXPECT_TRUE(network) << network.error().message;
  return network.value_or(Network{});
}

std::uint64_t flops_of(const Network& network, std::string_view operation) {
  std::uint64_t sum = 0;
  for (const NetworkLayer& layer : network.layers) {
    sum += layer.operation == operation ? layer.flops.value_or(0) : 0;
  }
  return sum;
}

/// The layer list of the paper, written down a second time: size of the output, channels, kernel.
std::uint64_t resnet_products() {
  std::uint64_t products = 112ULL * 112 * 64 * 3 * 49;
  std::uint64_t in = 64;
  std::uint64_t width = 64;
  std::uint64_t size = 56;
  for (const int blocks : {3, 4, 6, 3}) {
    for (int block = 0; block < blocks; ++block) {
      const std::uint64_t before = block == 0 && width > 64 ? 2 * size : size;
      products += before * before * in * width + size * size * width * width * 9 +
                  size * size * width * 4 * width;
      products += block == 0 ? size * size * in * 4 * width : 0;
      in = 4 * width;
    }
    width *= 2;
    size /= 2;
  }
  return products + 2048 * 1000;
}

TEST(RealModels, ResNet50HasThePublishedProductsAndParameters) {
  const auto network = network_of(resnet50(), {.batch = 1});
  const std::uint64_t products = resnet_products();
  // torchvision publishes 4.09 GFLOPS, which are multiply-add pairs, and 25 557 032 parameters.
  EXPECT_NEAR(static_cast<double>(products), 4.09e9, 0.005e9);
  EXPECT_EQ(flops_of(network, "Conv"), 2 * (products - 2048 * 1000));
  EXPECT_EQ(flops_of(network, "Gemm"), 2 * 2048 * 1000 + 1000U);
  // Batch norms hold mean and variance besides: 2 x 26560 numbers that are no parameters.
  EXPECT_EQ(network.weight_bytes, 4U * (25557032 + 2 * 26560));
  for (const NetworkLayer& layer : network.layers) {
    EXPECT_TRUE(layer.flops && layer.bytes()) << layer.name;
  }
}

TEST(RealModels, WorkGrowsWithTheBatchAndWeightsDoNot) {
  const auto one = totals_of(network_of(resnet50(), {.batch = 1}));
  const auto eight = totals_of(network_of(resnet50(), {.batch = 8}, {.precision = "fp16"}));
  EXPECT_EQ(eight.flops, 8 * one.flops);
  EXPECT_EQ(2 * eight.weight_bytes, one.weight_bytes);
  EXPECT_EQ(2 * eight.read_bytes, 8 * one.read_bytes);
  EXPECT_EQ(2 * eight.written_bytes, 8 * one.written_bytes);
}

TEST(RealModels, FusingKeepsTheWorkAndSavesTraffic) {
  const auto apart = network_of(resnet50(), {.batch = 1});
  const auto fused = network_of(resnet50(), {.batch = 1}, {.fuse = true});
  EXPECT_EQ(totals_of(fused).flops, totals_of(apart).flops);
  EXPECT_EQ(totals_of(fused).weight_bytes, totals_of(apart).weight_bytes);
  EXPECT_LT(totals_of(fused).bytes(), totals_of(apart).bytes());
  // 53 convolutions, two pools, Flatten, Gemm: every norm, Relu and Add runs inside a convolution.
  EXPECT_EQ(fused.layers.size(), 57U);
}

TEST(RealModels, TransformerBlockEqualsItsClosedForm) {
  constexpr std::uint64_t b = 3;
  constexpr std::uint64_t s = 128;
  constexpr std::uint64_t d = 64;
  constexpr std::uint64_t h = 4;
  const auto network =
      network_of(transformer_block(d, h), {.batch = b, .named = {{"sequence", s}}});
  // q, k, v, output: 4 d^2; feed-forward 8 d^2; scores and values: 2 s d; per token.
  EXPECT_EQ(flops_of(network, "MatMul"), 2 * b * s * (12 * d * d + 2 * s * d));
  EXPECT_EQ(flops_of(network, "Softmax"), 3 * b * h * s * s + b * h * s);
  EXPECT_EQ(flops_of(network, "LayerNormalization"), 2 * (8 * b * s * d + 5 * b * s));
  // biases 4 d + 4 d + d, residuals 2 d, the 1 + erf 4 d
  EXPECT_EQ(flops_of(network, "Add"), b * s * (9 * d + 2 * d + 4 * d));
  EXPECT_EQ(totals_of(network).calls.at("erf"), b * s * 4 * d);
  EXPECT_EQ(totals_of(network).calls.at("exp"), b * h * s * s);
  EXPECT_EQ(totals_of(network).without_flops, 0U);
  EXPECT_EQ(totals_of(network).without_bytes, 0U);
  for (const NetworkLayer& layer : network.layers) {
    if (layer.operation == "Shape" || layer.operation == "Concat") {
      EXPECT_EQ(layer.kind, LayerKind::constant);
    }
  }
}

}  // namespace
}  // namespace ridge::predict
