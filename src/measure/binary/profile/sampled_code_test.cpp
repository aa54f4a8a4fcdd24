#include "measure/binary/profile/sampled_code.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::measure::binary {
namespace {

using platform::AddressSample;
using platform::CodeMapping;

constexpr std::uint64_t kMillisecond = 1'000'000;

AddressSample awake(std::uint64_t milliseconds, std::uint64_t address, std::uint32_t mapping,
                    pid_t tid = 7) {
  AddressSample sample;
  sample.nanoseconds = milliseconds * kMillisecond;
  sample.weight_nanoseconds = kMillisecond;
  sample.pid = 7;
  sample.tid = tid;
  sample.address = address;
  sample.mapping = mapping;
  return sample;
}

const std::vector<CodeMapping> kMappings{{7, 0x1000, 0x2000, 0x400, "/lib/a.so"},
                                         {7, 0x9000, 0xA000, 0, ""}};

TEST(SampleCollector, PlacesAreOffsetsInFilesAndAddressesWithoutOne) {
  SampleCollector collector(0);
  collector.add(std::vector{awake(1, 0x1010, 0), awake(2, 0x9010, 1),
                            awake(3, 0x5000, platform::kNoMapping), awake(4, 0x1010, 0)},
                kMappings);
  const SampledCode& code = collector.code();
  ASSERT_EQ(code.places.size(), 3U);
  EXPECT_EQ(code.files[code.places[0].file], "/lib/a.so");
  EXPECT_EQ(code.places[0].offset, 0x410U);
  EXPECT_EQ(code.files[code.places[1].file], "");
  EXPECT_EQ(code.places[1].offset, 0x9010U);
  EXPECT_EQ(code.places[2].offset, 0x5000U);
  EXPECT_EQ(code.moments[3].place, code.moments[0].place);
}

TEST(SampleCollector, AMomentReachesBackToTheOneBeforeButNotTooFar) {
  SampleCollector collector(0);
  collector.add(std::vector{awake(5, 0x1010, 0), awake(9, 0x1010, 0), awake(2000, 0x1010, 0),
                            awake(2000, 0x1010, 0, 8)},
                kMappings);
  const auto& moments = collector.code().moments;
  EXPECT_EQ(moments[0].begin, 0U) << "the first thread began with the program";
  EXPECT_EQ(moments[3].begin, 1999 * kMillisecond) << "when others began is not known";
  EXPECT_EQ(moments[1].begin, 5 * kMillisecond);
  EXPECT_EQ(moments[1].end, 9 * kMillisecond);
  EXPECT_EQ(moments[1].weight, kMillisecond);
  EXPECT_EQ(moments[2].begin, 1750 * kMillisecond);
}

TEST(SampleCollector, ThreadsOfOneProcess) {
  SampleCollector collector(0);
  collector.add(std::vector{awake(1, 0x1010, 0, 7), awake(1, 0x1010, 0, 8)}, kMappings);
  EXPECT_EQ(collector.code().threads.size(), 2U);
  EXPECT_EQ(collector.code().processes.size(), 1U);
}

TEST(SampleCollector, TooManyMomentsAreJoinedWithoutLosingTime) {
  SampleCollector collector(0, 100);
  std::uint64_t weight = 0;
  for (std::uint64_t i = 1; i <= 1000; ++i) {
    collector.add(std::vector{awake(i, 0x1000 + i % 3, 0)}, kMappings);
  }
  EXPECT_LE(collector.code().moments.size(), 101U);
  std::uint64_t last = 0;
  for (const SampledMoment& moment : collector.code().moments) {
    EXPECT_EQ(moment.begin, last);
    last = moment.end;
    weight += moment.weight;
  }
  EXPECT_EQ(last, 1000 * kMillisecond);
  EXPECT_EQ(weight, 1000 * kMillisecond);
}

}  // namespace
}  // namespace ridge::measure::binary
