#include "predict/network/layer_times.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::predict {
namespace {

using testing::HasSubstr;

TargetMachine accelerator() {
  TargetMachine target;
  target.figures.key = "x100";
  target.figures.kind = MachineKind::gpu;
  target.figures.peaks = {{"fp16", Pipes::matrix, Basis::theoretical, {}, {1e15}},
                          {"fp32", Pipes::vector, Basis::theoretical, {}, {1e13}},
                          {"int8", Pipes::matrix, Basis::theoretical, {}, {2e15}}};
  target.figures.bandwidths = {{"HBM", Basis::theoretical, {}, {1e12}}};
  target.write_allocate = WriteAllocate::never;
  return target;
}

NetworkLayer product(std::uint64_t flops, std::uint64_t bytes) {
  NetworkLayer layer;
  layer.kind = LayerKind::product;
  layer.precision = "fp16";
  layer.flops = flops;
  layer.intops = 0;
  layer.weight_bytes = bytes;
  layer.read_bytes = 0;
  layer.written_bytes = 0;
  return layer;
}

NetworkLayer vector_work(std::uint64_t flops, std::uint64_t fma, std::uint64_t bytes) {
  NetworkLayer layer = product(flops, bytes);
  layer.kind = LayerKind::elementwise;
  layer.vector_flops = flops;
  layer.vector_fma_flops = fma;
  return layer;
}

NetworkTimes times(const std::vector<NetworkLayer>& layers, const TargetMachine& target) {
  Network network;
  network.layers = layers;
  const auto found = times_of(network, target);
  EXPECT_TRUE(found) << found.error().message;
  return found.value_or(NetworkTimes{});
}

std::string notes_of(const NetworkTimes& times) {
  std::string text;
  for (const Note& note : times.notes) {
    text += note.text + "\n";
  }
  return text;
}

TEST(LayerTimes, TheSlowerOfWorkAndTrafficBinds) {
  const auto found =
      times({product(2'000'000'000, 1'000'000), product(2'000, 1'000'000)}, accelerator());
  EXPECT_DOUBLE_EQ(*found.layers[0].seconds, 2e-6);
  EXPECT_EQ(found.roofs[*found.layers[0].bound].name, "fp16 matrix");
  EXPECT_DOUBLE_EQ(*found.layers[1].seconds, 1e-6);
  EXPECT_EQ(found.roofs[*found.layers[1].bound].name, "HBM");
  EXPECT_DOUBLE_EQ(found.seconds, 3e-6);
  EXPECT_DOUBLE_EQ(found.seconds_without_overlap, 4e-6 + 2e-12);
}

TEST(LayerTimes, OtherWorkTakesTheVectorPipesOfAWiderPrecision) {
  const auto found = times({vector_work(1'000'000, 1'000'000, 8)}, accelerator());
  EXPECT_DOUBLE_EQ(*found.layers[0].compute_seconds, 1e-7);
  EXPECT_EQ(found.roofs[*found.layers[0].bound].name, "fp32 vector");
  EXPECT_THAT(notes_of(found), HasSubstr("no fp16 peak of vector pipes known"));
  EXPECT_EQ(found.incomplete_layers, 0U);
}

TEST(LayerTimes, OnASharedPipeWorkThatIsNoFmaIsChargedDouble) {
  TargetMachine target = accelerator();
  target.fma_shares_pipe = true;
  const auto found = times({vector_work(1'000'000, 400'000, 8)}, target);
  EXPECT_DOUBLE_EQ(*found.layers[0].compute_seconds, 1.6e-7);
  EXPECT_THAT(notes_of(found), HasSubstr("charged double"));
}

TEST(LayerTimes, FusedWorkRunsBesideTheProduct) {
  NetworkLayer layer = product(1'000'000, 8);
  layer.flops = *layer.flops + 50'000;
  layer.vector_flops = layer.vector_fma_flops = 50'000;
  const auto found = times({layer}, accelerator());
  EXPECT_DOUBLE_EQ(*found.layers[0].compute_seconds, 5e-9);  // 1e-9 on the matrix pipes
}

TEST(LayerTimes, StoresThatAllocateAreReadFirst) {
  TargetMachine target = accelerator();
  NetworkLayer layer = product(2, 1'000'000);
  layer.written_bytes = 500'000;
  EXPECT_DOUBLE_EQ(times({layer}, target).seconds, 1.5e-6);
  target.write_allocate = WriteAllocate::always;
  EXPECT_DOUBLE_EQ(times({layer}, target).seconds, 2.0e-6);
  EXPECT_THAT(notes_of(times({layer}, target)), HasSubstr("allocate"));
}

TEST(LayerTimes, WithoutMatrixPeakProductsUseTheVectorPipes) {
  NetworkLayer layer = product(1'000'000, 8);
  layer.precision = "fp32";
  const auto found = times({layer}, accelerator());
  EXPECT_DOUBLE_EQ(*found.layers[0].compute_seconds, 1e-7);
  EXPECT_THAT(notes_of(found), HasSubstr("no fp32 peak of matrix pipes"));
}

TEST(LayerTimes, AMissingPrecisionIsAnError) {
  Network network;
  network.layers = {product(1, 1)};
  network.layers[0].precision = "fp8";
  const auto refused = times_of(network, accelerator());
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("x100: no fp8 peak known"));
  TargetMachine no_memory = accelerator();
  no_memory.figures.bandwidths.clear();
  EXPECT_FALSE(times_of(network, no_memory));
}

TEST(LayerTimes, IntegersWithoutPeakAreMarkedNotFree) {
  NetworkLayer layer = product(0, 1'000'000);
  layer.precision = "uint8";
  layer.intops = 4'000'000'000;
  EXPECT_DOUBLE_EQ(*times({layer}, accelerator()).layers[0].seconds, 2e-6);
  TargetMachine target = accelerator();
  target.figures.peaks.pop_back();
  const auto found = times({layer}, target);
  EXPECT_TRUE(found.layers[0].incomplete);
  EXPECT_FALSE(found.layers[0].compute_seconds);
  EXPECT_DOUBLE_EQ(*found.layers[0].seconds, 1e-6);  // at least
  EXPECT_THAT(notes_of(found), HasSubstr("no int8 peak known"));
}

TEST(LayerTimes, UnknownWorkOrBytesMakeALowerBound) {
  NetworkLayer work = product(0, 1'000'000);
  work.flops.reset();
  NetworkLayer bytes = product(1'000'000'000, 0);
  bytes.read_bytes.reset();
  NetworkLayer neither = work;
  neither.read_bytes.reset();
  const auto found = times({work, bytes, neither}, accelerator());
  EXPECT_EQ(found.incomplete_layers, 3U);
  EXPECT_DOUBLE_EQ(*found.layers[0].seconds, 1e-6);
  EXPECT_DOUBLE_EQ(*found.layers[1].seconds, 1e-6);
  EXPECT_FALSE(found.layers[2].seconds);
  EXPECT_DOUBLE_EQ(found.seconds, 2e-6);
}

TEST(LayerTimes, ViewsTakeNoTime) {
  NetworkLayer view = product(0, 0);
  view.kind = LayerKind::view;
  view.precision.clear();
  const auto found = times({view}, accelerator());
  EXPECT_EQ(found.layers[0].seconds, 0.0);
  EXPECT_FALSE(found.layers[0].bound);
  EXPECT_FALSE(found.layers[0].incomplete);
}

TEST(LayerTimes, MoreWorkOrTrafficIsNeverFaster) {
  double before = 0.0;
  for (std::uint64_t amount = 1; amount < 1'000'000'000'000; amount *= 7) {
    const double now =
        times({product(3 * amount, amount), vector_work(amount, 0, amount)}, accelerator()).seconds;
    EXPECT_GE(now, before);
    before = now;
  }
}

}  // namespace
}  // namespace ridge::predict
