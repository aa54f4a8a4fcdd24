#include "predict/network/layer_times.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/sentences_for_tests.hpp"

namespace ridge::predict {
namespace {

using testing::AllOf;
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

/// Without launches, unless they are asked for: what roofs allow.
NetworkTimes times(const std::vector<NetworkLayer>& layers, const TargetMachine& target,
                   std::optional<double> launch_seconds = 0.0) {
  Network network;
  network.layers = layers;
  const auto found = times_of(network, target, {.launch_seconds = launch_seconds});
  EXPECT_TRUE(found) << found.error().message;
  return found.value_or(NetworkTimes{});
}

std::string notes_of(const NetworkTimes& times) {
  std::string text;
  for (const Note& note : times.notes) {
    text += (text.empty() ? "" : "\n") + note.text;
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
  EXPECT_THAT(notes_of(found), AllOf(HasSubstr("fp16"), HasSubstr("vector pipes")));
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

NetworkLayer product_of_fp32() {
  NetworkLayer layer = product(1'000'000, 8);
  layer.precision = "fp32";
  return layer;
}

TEST(LayerTimes, WithoutMatrixPeakProductsUseTheVectorPipes) {
  const auto found = times({product_of_fp32()}, accelerator());
  EXPECT_DOUBLE_EQ(*found.layers[0].compute_seconds, 1e-7);
  EXPECT_THAT(notes_of(found), AllOf(HasSubstr("fp32"), HasSubstr("matrix pipes")));
}

TEST(LayerTimes, AMissingPrecisionIsAnError) {
  Network network;
  network.layers = {product(1, 1)};
  network.layers[0].precision = "fp8";
  const auto refused = times_of(network, accelerator());
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, AllOf(HasSubstr("x100"), HasSubstr("fp8")));
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

TEST(LayerTimes, EachLayerOfAGpuIsALaunch) {
  NetworkLayer view = product(0, 0);
  view.kind = LayerKind::view;
  const std::vector<NetworkLayer> layers{product(2'000'000'000, 1'000'000), view,
                                         product(2'000, 1'000'000)};
  const auto found = times(layers, accelerator(), 1.5e-6);
  EXPECT_DOUBLE_EQ(*found.layers[0].seconds, 2e-6 + 1.5e-6);
  EXPECT_EQ(found.roofs[*found.layers[0].bound].name, "fp16 matrix");
  EXPECT_EQ(found.layers[1].seconds, 0.0);
  EXPECT_FALSE(found.layers[1].launch_seconds);
  EXPECT_DOUBLE_EQ(*found.layers[2].seconds, 1e-6 + 1.5e-6);
  EXPECT_EQ(found.roofs[*found.layers[2].bound].name, "launch");
  EXPECT_DOUBLE_EQ(found.seconds, 6e-6);
  EXPECT_DOUBLE_EQ(*found.launch_seconds, 3e-6);
  EXPECT_DOUBLE_EQ(found.seconds_without_overlap, 4e-6 + 2e-12 + 3e-6);
}

TEST(LayerTimes, ALoopLaunchesInEachIteration) {
  NetworkLayer layer = product(1, 1);
  layer.repeats = 10;
  EXPECT_DOUBLE_EQ(*times({layer}, accelerator(), 1e-6).launch_seconds, 1e-5);
}

TEST(LayerTimes, TheLaunchIsTheMachinesElseADefaultOfGpus) {
  TargetMachine target = accelerator();
  const auto by_default = times({product(1, 1)}, target, std::nullopt);
  EXPECT_DOUBLE_EQ(*by_default.launch_seconds, kLaunchSeconds);
  EXPECT_THAT(notes_of(by_default),
              AllOf(HasSubstr("7.15 us"), HasSubstr("V100"), HasSubstr("CSCS")));
  target.figures.launch_latency = Figure{2e-6, Origin::measured};
  const auto known = times({product(1, 1)}, target, std::nullopt);
  EXPECT_DOUBLE_EQ(*known.launch_seconds, 2e-6);
  EXPECT_EQ(known.roofs.back().origin, Origin::measured);
  EXPECT_DOUBLE_EQ(*times({product(1, 1)}, target, 3e-6).launch_seconds, 3e-6);
}

TEST(LayerTimes, CpusAndUnknownAcceleratorsStartForNothing) {
  TargetMachine target = accelerator();
  target.figures.kind = MachineKind::accelerator;
  EXPECT_FALSE(times({product(1, 1)}, target, std::nullopt).launch_seconds);
  EXPECT_DOUBLE_EQ(*times({product(1, 1)}, target, 1e-6).launch_seconds, 1e-6);
  target.figures.kind = MachineKind::cpu;
  EXPECT_FALSE(times({product(1, 1)}, target, 1e-6).launch_seconds);
  EXPECT_FALSE(times({product(1, 1)}, accelerator(), 0.0).launch_seconds);
}

TEST(LayerTimes, ALayerWithoutFiguresIsStillLaunched) {
  NetworkLayer unknown = product(0, 0);
  unknown.flops.reset();
  unknown.read_bytes.reset();
  const auto found = times({unknown}, accelerator(), 1e-6);
  EXPECT_DOUBLE_EQ(*found.layers[0].seconds, 1e-6);
  EXPECT_TRUE(found.layers[0].incomplete);
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

void layer_time_sentences(tests::Sentences& sentences) {
  TargetMachine target = accelerator();
  sentences.add("network: no fp16 peak of vector pipes",
                notes_of(times({vector_work(1'000'000, 1'000'000, 8)}, target)));
  sentences.add("network: no fp32 peak of matrix pipes",
                notes_of(times({product_of_fp32()}, target)));
  Network network;
  network.layers = {product(1, 1)};
  network.layers[0].precision = "fp8";
  sentences.add("network: no fp8 peak", times_of(network, target).error().message);
  sentences.add("network: the launch of a GPU that does not say its own",
                notes_of(times({product(1, 1)}, target, std::nullopt)));
  target.fma_shares_pipe = true;
  target.write_allocate = WriteAllocate::always;
  target.figures.peaks.pop_back();
  NetworkLayer integers = product(0, 1'000'000);
  integers.precision = "uint8";
  integers.intops = 4'000'000'000;
  sentences.add("network: shared pipes, write-allocate, no int8 peak",
                notes_of(times({vector_work(1'000'000, 400'000, 8), integers}, target)));
}

}  // namespace ridge::predict
