#include "predict/findings/roof_words.hpp"

#include <gtest/gtest.h>

#include "predict/findings/finding_case.hpp"

namespace ridge::predict {
namespace {

using testing::Case;
using testing::kMega;

std::string words(Case& example) {
  const Prediction prediction = predict(example.profile, &example.cpu);
  return roof_words(example.loop(), prediction.regions.at(1).code.value(), example.profile.machine);
}

TEST(RoofWords, NameLevelPatternRateAndThreads) {
  Case example;
  example.reads("DRAM", 160e9);
  EXPECT_EQ(words(example), "DRAM roof (load, 40 GB/s with 1 thread)");
  example.loop().threads = 2;
  EXPECT_EQ(words(example), "DRAM roof (load, 60 GB/s with 2 threads)");
  example.loop().threads = 1;
  example.loop().traffic["DRAM"] = {100000 * kMega, 50000 * kMega};
  EXPECT_EQ(words(example), "DRAM roof (copy, 36 GB/s with 1 thread)");
}

// What it could reach lies between two ceilings: neither's own rate is its roof.
TEST(RoofWords, OfAMixTheNearestPatternAndTheRateOfTheMix) {
  Case example;
  example.loop().traffic["DRAM"] = {100000 * kMega, 30000 * kMega};
  EXPECT_EQ(words(example), "DRAM roof (near copy, 37.1 GB/s with 1 thread)");
}

TEST(RoofWords, OfL1TheLoadsAlone) {
  Case example;
  example.loop().bytes_loaded = 2560000 * kMega;
  EXPECT_EQ(words(example), "L1 roof (load, 256 GB/s with 1 thread)");
}

TEST(RoofWords, OfArithmeticTheOperation) {
  Case example;
  work_of(example.loop()).add(Precision::fp64, OperationKind::fma, 512, 320000 * kMega);
  EXPECT_EQ(words(example), "arithmetic roof (AVX-512 FMA, 64 GFlop/s with 1 thread)");
  example.loop().flops = {};
  work_of(example.loop()).add(Precision::fp32, OperationKind::add, 32, 1000 * kMega);
  EXPECT_EQ(words(example).substr(0, 28), "arithmetic roof (scalar ADD ");
}

TEST(RoofWords, OfAnotherMachineTheResourceAlone) {
  Case example;
  EXPECT_EQ(roof_words(example.loop(), Bound{"bandwidth.L7.load.avx2.t1", {}, 1.0, {}, {}, {}},
                       example.profile.machine),
            "L7 roof");
}

}  // namespace
}  // namespace ridge::predict
