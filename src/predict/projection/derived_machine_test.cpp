#include "predict/projection/derived_machine.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/value/specification.hpp"
#include "predict/projection/target_machine.hpp"

namespace ridge::predict {
namespace {

using ::testing::HasSubstr;

double peak(const DerivedMachine& machine, std::string_view precision,
            Pipes pipes = Pipes::vector) {
  const auto* found = highest_peak(machine.target.figures, precision, pipes, Basis::theoretical);
  return found != nullptr ? found->figure.value : 0.0;
}

double bandwidth(const DerivedMachine& machine, Level level) {
  const auto* found = highest_bandwidth(machine.target.figures, level, Basis::theoretical);
  return found != nullptr ? found->figure.value : 0.0;
}

TEST(DerivedMachine, ACpuByItsClocksAndWidths) {
  // 64 x 2.45e9 x 2 x 8 x 2 = 5017.6e9; 12 x 4800e6 x 8 = 460.8e9
  const auto machine =
      derive_machine("cores=64 clock=2.45G simd=512 fma=2 channels=12 mem=ddr5-4800").value();
  EXPECT_DOUBLE_EQ(peak(machine, "fp64"), 5017.6e9);
  EXPECT_DOUBLE_EQ(peak(machine, "fp32"), 10035.2e9);
  EXPECT_DOUBLE_EQ(bandwidth(machine, "DRAM"), 460.8e9);
  ASSERT_EQ(machine.steps.size(), 3U);
  EXPECT_EQ(machine.steps[0].arithmetic, "64 cores x 2.45 GHz x 2 FMA pipes x 8 lanes x 2 flop");
  EXPECT_EQ(machine.steps[2].arithmetic, "12 channels x 4800 MT/s x 8 byte");
  EXPECT_EQ(machine.target.figures.peaks[0].figure.origin, Origin::modelled);
  EXPECT_FALSE(machine.target.arithmetic_is_free);
}

TEST(DerivedMachine, SocketsMultiplyPeaksAndChannels) {
  const auto one = derive_machine("cores=14 clock=2.6G simd=512 fma=2 channels=6 mem=ddr4-2666");
  const auto two =
      derive_machine("sockets=2 cores=14 clock=2.6G simd=512 fma=2 channels=6 mem=ddr4-2666");
  EXPECT_DOUBLE_EQ(peak(*two, "fp64"), 2 * peak(*one, "fp64"));
  EXPECT_DOUBLE_EQ(bandwidth(*one, "DRAM"), 127.968e9);
  EXPECT_DOUBLE_EQ(bandwidth(*two, "DRAM"), 2 * 127.968e9);
}

TEST(DerivedMachine, AGpuByItsLanesAndMemoryClock) {
  // V100: 80 SM x 32 fp64 lanes x 1.38 GHz x 2; HBM2 877 MHz x 2 x 4096 bit
  const auto machine =
      derive_machine("sms=80 lanes=64 fp64_lanes=32 clock=1.38G memory_clock=877M memory_bits=4096")
          .value();
  EXPECT_EQ(machine.target.figures.kind, MachineKind::gpu);
  EXPECT_DOUBLE_EQ(peak(machine, "fp64"), 80 * 32 * 1.38e9 * 2);
  EXPECT_DOUBLE_EQ(peak(machine, "fp32"), 80 * 64 * 1.38e9 * 2);
  EXPECT_DOUBLE_EQ(bandwidth(machine, "HBM"), 877e6 * 2 * 512);
  EXPECT_EQ(machine.target.write_allocate, WriteAllocate::never);
}

TEST(DerivedMachine, GivenRatesAreAssumed) {
  const auto machine =
      derive_machine("name=node fp64=768G fp16.matrix=112T DRAM=210GB/s L2=2MiB").value();
  EXPECT_EQ(machine.target.figures.key, "node");
  EXPECT_DOUBLE_EQ(peak(machine, "fp64"), 768e9);
  EXPECT_DOUBLE_EQ(peak(machine, "fp16", Pipes::matrix), 112e12);
  EXPECT_DOUBLE_EQ(bandwidth(machine, "DRAM"), 210e9);
  EXPECT_EQ(machine.target.figures.peaks[0].figure.origin, Origin::assumed);
  ASSERT_EQ(machine.target.figures.caches.size(), 1U);
  EXPECT_TRUE(machine.target.figures.caches[0].per_core);
  EXPECT_FALSE(machine.target.figures.cores.has_value());
  EXPECT_TRUE(machine.steps.empty());
}

TEST(DerivedMachine, BytesPerCycleAreThoseOfEachCore) {
  const auto machine =
      derive_machine("cores=4 clock=3G fp64=1T L1=128B/cycle L2=64B/cycle L2.size=1MiB").value();
  EXPECT_DOUBLE_EQ(bandwidth(machine, "L1"), 4 * 3e9 * 128);
  EXPECT_DOUBLE_EQ(bandwidth(machine, "L2"), 4 * 3e9 * 64);
  ASSERT_EQ(machine.target.figures.caches.size(), 1U);
  EXPECT_DOUBLE_EQ(machine.target.figures.caches[0].size.value, 0x1p20);
}

TEST(DerivedMachine, LinksByGenerationAndLanes) {
  // 8 GT/s x 16 x 128/130 / 8 = 15.75 GB/s
  const auto machine = derive_machine("fp64=1T DRAM=100GB/s PCIe=3x16").value();
  ASSERT_EQ(machine.target.figures.links.size(), 1U);
  EXPECT_NEAR(machine.target.figures.links[0].figure.value, 15.753846e9, 1e3);
  EXPECT_FALSE(machine.target.figures.links[0].both_directions);
  EXPECT_DOUBLE_EQ(derive_machine("DRAM=1GB/s PCIe=25GB/s")->target.figures.links[0].figure.value,
                   25e9);
}

TEST(DerivedMachine, WithoutAPeakArithmeticIsFree) {
  EXPECT_TRUE(derive_machine("DRAM=46.6GB/s")->target.arithmetic_is_free);
}

TEST(DerivedMachine, WhatIsWrongIsNamed) {
  const auto message = [](const char* text) {
    const auto machine = derive_machine(text);
    return machine ? std::string("fine") : machine.error().message;
  };
  EXPECT_THAT(message(""), HasSubstr("nothing"));
  EXPECT_THAT(message("cores"), HasSubstr("`cores`"));
  EXPECT_THAT(message("cores=4 cores=8"), HasSubstr("cores is given twice"));
  EXPECT_THAT(message("cores=4.5 DRAM=1GB/s"), HasSubstr("`cores=4.5`"));
  EXPECT_THAT(message("cores=0"), HasSubstr("`cores=0`"));
  EXPECT_THAT(message("cores=4 clock=2G simd=511"), HasSubstr("`simd=511`"));
  EXPECT_THAT(message("cores=4 clock=2G simd=96"), HasSubstr("`simd=96`"));
  EXPECT_THAT(message("clock=fast"), HasSubstr("`clock=fast`"));
  EXPECT_THAT(message("simd=512"), HasSubstr("clock"));
  EXPECT_THAT(message("L2=64B/cycle"), HasSubstr("clock"));
  EXPECT_THAT(message("DRAM=64B/cycle clock=1G"), HasSubstr("`DRAM=64B/cycle`"));
  EXPECT_THAT(message("channels=2"), HasSubstr("kind of memory"));
  EXPECT_THAT(message("mem=ddr5"), HasSubstr("`mem=ddr5`"));
  EXPECT_THAT(message("memory_bits=4096"), HasSubstr("belong together"));
  EXPECT_THAT(message("PCIe=9x16"), HasSubstr("`PCIe=9x16`"));
  EXPECT_THAT(message("PCIe=3"), HasSubstr("`PCIe=3`"));
  EXPECT_THAT(message("kind=tpu"), HasSubstr("`kind=tpu`"));
  EXPECT_THAT(message("fp64=1T colour=red"), HasSubstr("`colour`"));
  EXPECT_THAT(message("fp64=1e300P"), HasSubstr("`fp64=1e300P`"));
  EXPECT_THAT(message("fp64=1e300"), HasSubstr("`fp64=1e300`"));
  EXPECT_THAT(message("DRAM=1e300B/s"), HasSubstr("`DRAM=1e300B/s`"));
  EXPECT_THAT(message("DRAM=0B/s"), HasSubstr("`DRAM=0B/s`"));
}

TEST(MultiplyParts, EverythingSharedGrowsAndACoresOwnDoesNot) {
  auto derived = derive_machine(
                     "name=part cores=8 fp64=1T DRAM=100GB/s DRAM.size=64G L2=1MiB "
                     "L3=32MiB PCIe=4x16")
                     .value();
  const double link = derived.target.figures.links[0].figure.value;
  ASSERT_TRUE(multiply_parts(derived.target, 4));
  const Specification& figures = derived.target.figures;
  EXPECT_EQ(figures.key, "4xpart");
  EXPECT_DOUBLE_EQ(figures.cores->value, 32);
  EXPECT_DOUBLE_EQ(figures.peaks[0].figure.value, 4e12);
  EXPECT_DOUBLE_EQ(figures.bandwidths[0].figure.value, 4e11);
  EXPECT_DOUBLE_EQ(figures.memories[0].size.value, 256e9);
  EXPECT_DOUBLE_EQ(figures.caches[0].size.value, 0x1p20);
  EXPECT_DOUBLE_EQ(figures.caches[1].size.value, 4 * 0x1p25);
  EXPECT_DOUBLE_EQ(figures.links[0].figure.value, 4 * link);
  EXPECT_EQ(derived.target.changes.size(), 1U);
}

}  // namespace
}  // namespace ridge::predict
