#include "measure/binary/profile/timed_code.hpp"

#include <gtest/gtest.h>

#include "measure/binary/profile/code_for_tests.hpp"

namespace ridge::measure::binary {
namespace {

constexpr std::uint64_t kCounted = 0x10;

/// One region with two versions: vaddpd ymm at kCounted, which ran under the engine, and vaddpd zmm
/// behind it. Without a file on disk an offset is an address.
class TimedCodeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::vector<std::uint8_t> code{0xc5, 0xfd, 0x58, 0xc1,              // vaddpd ymm
                                         0xc3,                                // ret
                                         0x62, 0xf1, 0xfd, 0x48, 0x58, 0xc1,  // vaddpd zmm
                                         0xc3};                               // ret
    made_.file("/no/such/file");
    region_ = made_.region("axpy", 1000);
    CodeModule& module = made_.code.modules.back();
    module.regions.functions.push_back(
        machine_code::read_function(machine_code::Architecture::x86_64, code, kCounted).value());
    module.executed.instructions = {{.address = kCounted, .length = 4, .executions = 1000}};
    module.work[0].evidence.gathered = Traffic{1, 0};
    made_.samples.places[0].offset = kCounted;
    made_.samples.places.push_back({0, kCounted + 5});
    made_.code.region_of_place.push_back(region_);
  }

  void run(std::size_t counted, std::size_t other) {
    made_.was_in(0, counted);
    made_.was_in(1, other);  // place 1, of the same region
    CodeFiles files;
    take_timed_widths(made_.code, made_.samples, files);
  }
  [[nodiscard]] const ModuleWork& work() const { return made_.code.modules.back().work[0]; }

  CodeForTests made_;
  std::uint32_t region_ = 0;
};

TEST_F(TimedCodeTest, WidthsAreThoseOfTheCodeThatWasTimed) {
  run(1, 99);
  ASSERT_EQ(work().work.flops->terms.size(), 1U);
  EXPECT_EQ(work().work.flops->terms[0].width_bits, 512U);
  EXPECT_EQ(work().work.flops->total(), 10'000U) << "as counted";
  EXPECT_FALSE(work().evidence.gathered) << "of the other code";
  ASSERT_EQ(work().notes.size(), 1U);
  EXPECT_EQ(work().notes[0].code, "timed-code");
}

TEST_F(TimedCodeTest, CodeThatRanInBothKeepsItsOwn) {
  run(99, 1);
  EXPECT_EQ(work().work.flops->terms[0].width_bits, 256U);
  EXPECT_TRUE(work().evidence.gathered);
  EXPECT_TRUE(work().notes.empty());
}

TEST_F(TimedCodeTest, AFewSamplesSayNothing) {
  run(0, 19);
  EXPECT_EQ(work().work.flops->terms[0].width_bits, 256U);
}

TEST_F(TimedCodeTest, PrecisionsThatTheTimedCodeDoesNotHaveKeepTheirWidths) {
  made_.code.modules.back().work[0].work.flops->terms.push_back(
      {Precision::fp32, OperationKind::mul, 128, 5});
  run(0, 100);
  EXPECT_EQ(work().work.flops->terms[0].width_bits, 512U);
  EXPECT_EQ(work().work.flops->terms[1].width_bits, 128U);
}

}  // namespace
}  // namespace ridge::measure::binary
