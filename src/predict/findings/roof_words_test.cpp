#include "predict/findings/roof_words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/findings/finding_case.hpp"
#include "predict/sentences_for_tests.hpp"

namespace ridge::predict {
namespace {

using ::testing::AllOf;
using testing::Case;
using ::testing::HasSubstr;
using testing::kMega;
using ::testing::StartsWith;

std::string words(Case& example) {
  const Prediction prediction = predict(example.profile, &example.cpu);
  return roof_words(example.loop(), prediction.regions.at(1).code.value(), example.profile.machine);
}

/// With those bytes from and to memory.
Case memory(double read, double written, unsigned threads = 1) {
  Case example;
  example.loop().traffic["DRAM"] = {static_cast<std::uint64_t>(read),
                                    static_cast<std::uint64_t>(written)};
  example.loop().threads = threads;
  return example;
}

Case loads_from_l1() {
  Case example;
  example.loop().bytes_loaded = 2560000 * kMega;
  return example;
}

Case arithmetic(Precision precision, OperationKind kind, unsigned bits) {
  Case example;
  work_of(example.loop()).add(precision, kind, bits, 320000 * kMega);
  return example;
}

TEST(RoofWords, NameLevelPatternRateAndThreads) {
  Case load = memory(160e9, 0);
  EXPECT_THAT(words(load), AllOf(StartsWith("DRAM "), HasSubstr("(load,"), HasSubstr("40 GB/s"),
                                 HasSubstr("1 thread)")));
  Case both = memory(160e9, 0, 2);
  EXPECT_THAT(words(both), AllOf(HasSubstr("60 GB/s"), HasSubstr("2 threads)")));
  Case copy = memory(100e9, 50e9);
  EXPECT_THAT(words(copy), AllOf(HasSubstr("(copy,"), HasSubstr("36 GB/s")));
}

// What it could reach lies between two ceilings: neither's own rate is its roof.
TEST(RoofWords, OfAMixTheNearestPatternAndTheRateOfTheMix) {
  Case mix = memory(100e9, 30e9);
  EXPECT_THAT(words(mix), AllOf(HasSubstr("(near copy,"), HasSubstr("37.1 GB/s")));
}

TEST(RoofWords, OfL1TheLoadsAlone) {
  Case loads = loads_from_l1();
  EXPECT_THAT(words(loads), AllOf(StartsWith("L1 "), HasSubstr("(load,"), HasSubstr("256 GB/s")));
}

TEST(RoofWords, OfArithmeticTheOperation) {
  Case fma = arithmetic(Precision::fp64, OperationKind::fma, 512);
  EXPECT_THAT(words(fma), AllOf(StartsWith("arithmetic "), HasSubstr("(AVX-512 FMA,"),
                                HasSubstr("64 GFlop/s")));
  Case add = arithmetic(Precision::fp32, OperationKind::add, 32);
  EXPECT_THAT(words(add), HasSubstr("(scalar ADD "));
}

TEST(RoofWords, OfAnotherMachineTheResourceAlone) {
  Case example;
  EXPECT_EQ(roof_words(example.loop(), Bound{"bandwidth.L4.load.avx2.t1", {}, 1.0, {}, {}, {}},
                       example.profile.machine),
            "L4 roof");  // this machine has no L4
}

}  // namespace

void roof_words_sentences(tests::Sentences& sentences) {
  const auto add = [&](const char* what, Case example) { sentences.add(what, words(example)); };
  add("roof of loads", memory(160e9, 0));
  add("roof of loads, 2 threads", memory(160e9, 0, 2));
  add("roof of a copy", memory(100e9, 50e9));
  add("roof of a mix", memory(100e9, 30e9));
  add("roof of L1", loads_from_l1());
  add("roof of FMA", arithmetic(Precision::fp64, OperationKind::fma, 512));
  add("roof of scalar additions", arithmetic(Precision::fp32, OperationKind::add, 32));
}

}  // namespace ridge::predict
