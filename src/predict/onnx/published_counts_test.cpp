// Networks at opset 17 and newer against operation counts that others published. What these count
// is said at each; an fma is one multiply-add there where they say so, two flop here.
#include <array>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "predict/network/layers.hpp"
#include "predict/onnx/exported_models_for_tests.hpp"
#include "predict/onnx/reader.hpp"

namespace ridge::predict {
namespace {

/// 17: the library infers shapes. 18: the table of operators does. 20: GELU is one operator. 23:
/// attention is one.
class PublishedCounts : public testing::TestWithParam<int> {
 protected:
  static Network network_of(const ModelBuilder& model) {
    const auto graph = read_onnx(model.bytes(), "model.onnx", {.batch = 1});
    EXPECT_TRUE(graph) << graph.error().message;
    if (!graph) {
      return {};
    }
    const auto network = layers_of(*graph, {});
    EXPECT_TRUE(network) << network.error().message;
    return network.value_or(Network{});
  }

  /// One for each result: all Conv and Gemm here have one.
  static std::uint64_t biases_of(const NetworkLayer& layer) {
    std::uint64_t results = layer.operation == "Conv" || layer.operation == "Gemm" ? 1 : 0;
    for (const std::uint64_t extent : layer.output_shape) {
      results *= extent;
    }
    return results;
  }

  /// Flop of convolutions and matrix products, those of attention included, biases and activation
  /// functions not.
  static double products_of(const Network& network) {
    std::uint64_t sum = 0;
    for (const NetworkLayer& layer : network.layers) {
      EXPECT_TRUE(layer.flops && layer.bytes()) << layer.name;
      sum += layer.kind == LayerKind::product
                 ? layer.flops.value_or(0) - layer.vector_flops - biases_of(layer)
                 : 0;
    }
    return static_cast<double>(sum);
  }

  static void expect_near(double found, double published) {
    EXPECT_NEAR(found / published, 1.0, 0.01);
  }
};

/// torchvision's table of weights: 4.09 "GFLOPS" and 25 557 032 parameters; it counts multiply-adds
/// of convolutions and matrix products. Batch norms stand inside the convolutions here: two
/// parameters of each channel have become one bias.
TEST_P(PublishedCounts, ResNet50) {
  const Network network = network_of(exported_resnet50(GetParam()));
  expect_near(products_of(network), 2 * 4.089e9);
  expect_near(static_cast<double>(totals_of(network).flops), 2 * 4.089e9);
  EXPECT_EQ(network.weight_bytes, 4U * (25557032 - 26560));
}

/// torchvision: 0.301 and 3 504 872 parameters (17 056 channels are normed; each of 35 ReLU6 has
/// two bounds besides). The paper says 300 M "multiply-adds".
TEST_P(PublishedCounts, MobileNetV2) {
  const Network network = network_of(exported_mobilenet_v2(GetParam()));
  expect_near(products_of(network), 2 * 0.301e9);
  EXPECT_EQ(network.weight_bytes, 4U * (3504872 - 17056 + 2 * 35));
}

/// torchvision: 17.564 and 86 567 656 parameters.
TEST_P(PublishedCounts, VisionTransformerB16) {
  const Network network = network_of(exported_vit_b_16(GetParam()));
  expect_near(products_of(network), 2 * 17.564e9);
  expect_near(static_cast<double>(totals_of(network).flops), 2 * 17.564e9);
}

/// 22.5 G "FLOPs" with 128 tokens (Sun et al. 2020, MobileBERT, table 4; Jiao et al. 2020,
/// TinyBERT, table 1): both operations of a multiply-add.
TEST_P(PublishedCounts, BertBase) {
  const Network network = network_of(exported_bert_base(GetParam(), 128));
  expect_near(products_of(network), 22.5e9);
  expect_near(static_cast<double>(totals_of(network).flops), 22.5e9);
}

/// 291 648 307 200 flop forward of 1024 tokens (Karpathy, nanoGPT, transformer_sizing.ipynb): both
/// operations of a multiply-add, of matrix products alone, without a discount for the mask.
TEST_P(PublishedCounts, Gpt2) {
  const Network network = network_of(exported_gpt2(GetParam(), 1024));
  EXPECT_EQ(products_of(network), 291648307200.0);
  expect_near(static_cast<double>(totals_of(network).flops), 291648307200.0);
}

INSTANTIATE_TEST_SUITE_P(Opsets, PublishedCounts, testing::Values(17, 18, 20, 21, 23, 25),
                         [](const testing::TestParamInfo<int>& opset) {
                           return fmt::format("Opset{}", opset.param);
                         });

/// The same network is the same work at every opset, whatever its operators are called.
TEST(ExportedModels, ProductsDoNotDependOnTheOpset) {
  std::array<std::uint64_t, 2> products{};
  for (std::size_t i = 0; i < products.size(); ++i) {
    const auto graph =
        read_onnx(exported_bert_base(i == 0 ? 17 : 23, 64).bytes(), "m.onnx", {.batch = 2});
    ASSERT_TRUE(graph) << graph.error().message;
    const auto network = layers_of(*graph, {});
    ASSERT_TRUE(network);
    for (const NetworkLayer& layer : network->layers) {
      products[i] += layer.kind == LayerKind::product ? *layer.flops - layer.vector_flops : 0;
    }
  }
  EXPECT_EQ(products[0], products[1]);
}

}  // namespace
}  // namespace ridge::predict
