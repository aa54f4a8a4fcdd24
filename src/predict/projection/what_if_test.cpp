#include "predict/projection/what_if.hpp"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/catalogue/kernels_for_tests.hpp"
#include "predict/projection/kernel_on_machine.hpp"
#include "predict/roof/machines_for_tests.hpp"

namespace ridge::predict {
namespace {

using testing::sized;
using testing::target_with;
using testing::zen4;
using testing::zen4_pipes;

TargetMachine published() {
  TargetMachine target = target_with(1e12, 1e11);
  target.figures.cores = Figure{8};
  target.figures.caches = {{"L1", true, {32768}}, {"L2", true, {1048576}}, {"L3", false, {32e6}}};
  target.figures.bandwidths.push_back({"L2", Basis::theoretical, {}, {8e11}});
  target.figures.links = {{"PCIe", true, 4U, {6.4e10}}};
  return target;
}

TargetMachine measured() {
  const Microarchitecture pipes = zen4_pipes();
  return target_from(zen4(), &pipes);
}

/// Of data that come from the memory.
double seconds(const char* kernel, const TargetMachine& target) {
  PredictionChoices choices;
  choices.cold = true;
  const auto prediction = predict_kernel(sized(kernel, {{"n", 10000}}), target, choices);
  return prediction.seconds.value();
}

TEST(WhatIf, BandwidthByFactorAndByValue) {
  for (const char* change : {"DRAM=2x", "DRAM=200GB/s", "DRAM=0.2TB/s"}) {
    TargetMachine target = published();
    ASSERT_TRUE(apply_what_if(target, change)) << change;
    EXPECT_NEAR(seconds("triad", published()) / seconds("triad", target), 2.0, 1e-12);
    EXPECT_EQ(target.figures.bandwidths[0].figure.origin, Origin::assumed);
    EXPECT_THAT(target.changes, ::testing::ElementsAre(change));
  }
}

TEST(WhatIf, CoresScaleArithmeticAndTheirOwnCaches) {
  for (const char* change : {"cores=16", "cores=2x"}) {
    TargetMachine target = published();
    ASSERT_TRUE(apply_what_if(target, change));
    EXPECT_DOUBLE_EQ(target.figures.cores->value, 16.0);
    EXPECT_DOUBLE_EQ(target.figures.peaks[0].figure.value, 2e12);
    EXPECT_DOUBLE_EQ(target.figures.bandwidths[0].figure.value, 1e11);    // DRAM
    EXPECT_DOUBLE_EQ(target.figures.bandwidths[1].figure.value, 1.6e12);  // L2
  }
}

TEST(WhatIf, AMeasuredMachineChangesWithItsCeilings) {
  for (const char* change : {"DRAM=2x", "compute=2x", "clock=2x", "cores=4"}) {
    TargetMachine target = measured();
    ASSERT_TRUE(apply_what_if(target, change)) << change;
    const bool memory = std::string(change) == "DRAM=2x";
    EXPECT_NEAR(seconds("triad", measured()) / seconds("triad", target), memory ? 2.0 : 1.0, 1e-9);
    EXPECT_NEAR(seconds("gemm", measured()) / seconds("gemm", target), memory ? 1.0 : 2.0, 1e-9);
  }
}

TEST(WhatIf, ALargerCacheHoldsTheLayers) {
  // 3 planes of 200 x 200 points are 960 kB; twice that do not fit into 1 MiB.
  TargetMachine target = published();
  target.figures.caches.pop_back();  // L2 is the last
  const auto kernel = sized("stencil7", {{"nx", 200}});
  const auto read = [&](const TargetMachine& machine) {
    std::vector<Note> notes;
    return level_traffic(kernel, machine, notes).at("DRAM").read;
  };
  EXPECT_EQ(read(target), 3U * 8 * 200 * 200 * 200);
  ASSERT_TRUE(apply_what_if(target, "L2=2M"));
  EXPECT_EQ(read(target), 8U * 200 * 200 * 200);
}

TEST(WhatIf, SizesOfCachesAreTold) {
  EXPECT_EQ(resized_cache("L2=2M"), "L2");
  for (const char* change : {"L2=2x", "DRAM=400GB/s", "cores=16", "L2", ""}) {
    EXPECT_FALSE(resized_cache(change)) << change;
  }
}

TEST(WhatIf, PrecisionsAndLinks) {
  TargetMachine target = published();
  ASSERT_TRUE(apply_what_if(target, "fp64=3x"));
  EXPECT_DOUBLE_EQ(target.figures.peaks[0].figure.value, 3e12);
  ASSERT_TRUE(apply_what_if(target, "PCIe=2x"));
  EXPECT_DOUBLE_EQ(target.figures.links[0].figure.value, 1.28e11);
}

TEST(WhatIf, WhatIsUnknownOrNoChangeIsRefused) {
  for (const char* change : {"DRM=2x", "HBM=2x", "fp16=2x", "NVLink=2x", "core=16"}) {
    TargetMachine target = published();
    const auto applied = apply_what_if(target, change);
    ASSERT_FALSE(applied) << change;
    EXPECT_EQ(applied.error().code, ErrorCode::bad_input) << change;
    EXPECT_TRUE(target.changes.empty());
  }
  for (const char* change :
       {"", "DRAM", "=2x", "DRAM=", "DRAM=x", "DRAM=0x", "DRAM=-2x", "DRAM=infx", "DRAM=nanx",
        "DRAM=2y", "DRAM=16", "cores=2M", "L2=1e400", "DRAM=2M", "L3=400GB/s", "fp64=2"}) {
    TargetMachine target = published();
    const auto applied = apply_what_if(target, change);
    ASSERT_FALSE(applied) << change;
    EXPECT_EQ(applied.error().code, ErrorCode::usage) << change;
    EXPECT_FALSE(applied.error().hint.empty()) << change;
  }
  EXPECT_THAT(what_if_keys(published()), ::testing::IsSupersetOf({"DRAM", "cores", "L2", "PCIe"}));
}

TEST(WhatIf, AnyTextIsAnswered) {
  std::mt19937 random(3);
  const std::string letters = "DRAMcoresL2=x0123456789.eE+-GB/s \xff";
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (std::size_t n = random() % 12; n > 0; --n) {
      text += letters[random() % letters.size()];
    }
    TargetMachine target = published();
    const auto applied = apply_what_if(target, text);
    if (applied) {
      for (const PublishedBandwidth& bandwidth : target.figures.bandwidths) {
        EXPECT_GT(bandwidth.figure.value, 0.0) << text;
      }
    } else {
      EXPECT_FALSE(applied.error().message.empty());
    }
  }
}

TEST(WhatIf, ExtremesAreRefused) {
  for (const char* change : {"DRAM=1e300x", "compute=1e-300x", "cores=1e300", "DRAM=1e300TB/s",
                             "clock=1e200x", "PCIe=1e300x"}) {
    TargetMachine target = published();
    target.figures.clock = Figure{2e9};
    const auto applied = apply_what_if(target, change);
    ASSERT_FALSE(applied) << change;
    EXPECT_EQ(applied.error().code, ErrorCode::usage) << change;
  }
}

}  // namespace
}  // namespace ridge::predict
