#include "measure/instrumented/descriptor.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "measure/instrumented/arena_builder.hpp"

namespace ridge::measure {
namespace {

/// Two functions with three probes and one.
DescriptorBuilder probed_unit() {
  DescriptorBuilder unit;
  unit.counter(unit.region(RIDGE_REGION_FUNCTION, "f", RIDGE_NO_PARENT));
  unit.flops(RIDGE_FP64, RIDGE_ADD, 64, 1);
  unit.counters.back().execution_class = 7;
  unit.functions = {{0x1111, 0, 3}, {0x2222, 3, 1}};
  unit.classes = {7, 0, 9 | RIDGE_PROBE_BEHIND_CALL, 8};
  return unit;
}

TEST(Descriptor, ProbesAreNumberedFromOneWithinTheirFunction) {
  const auto bytes = probed_unit().bytes();
  const auto descriptor = Descriptor::parse(bytes);
  ASSERT_TRUE(descriptor);
  EXPECT_EQ(descriptor->header().probed_function_count, 2U);
  EXPECT_EQ(descriptor->probed_function(1).id, 0x2222U);
  EXPECT_EQ(descriptor->counter(0).execution_class, 7U);
  EXPECT_EQ(descriptor->execution_class(0, 1), 7U);
  EXPECT_EQ(descriptor->execution_class(0, 2), 0U);
  EXPECT_EQ(descriptor->execution_class(0, 3), 9U | RIDGE_PROBE_BEHIND_CALL);
  EXPECT_EQ(descriptor->execution_class(1, 1), 8U);
  EXPECT_EQ(descriptor->text(descriptor->region(0).name), "f");  // texts lie behind the tables
}

TEST(Descriptor, ProbesThatAFunctionDoesNotHaveHaveNoClass) {
  const auto bytes = probed_unit().bytes();
  const auto descriptor = Descriptor::parse(bytes);
  ASSERT_TRUE(descriptor);
  for (const std::uint32_t probe : {0U, 4U, std::numeric_limits<std::uint32_t>::max()}) {
    EXPECT_EQ(descriptor->execution_class(0, probe), std::nullopt) << probe;
  }
  EXPECT_EQ(descriptor->execution_class(1, 2), std::nullopt);
}

TEST(Descriptor, ProbesOutsideOfTheTableAreRefused) {
  constexpr std::uint32_t kMax = std::numeric_limits<std::uint32_t>::max();
  for (const auto& [first, count] :
       {std::pair{0U, 5U}, {4U, 1U}, {5U, 0U}, {1U, kMax}, {kMax, 1U}, {kMax, kMax}}) {
    DescriptorBuilder unit = probed_unit();
    unit.functions[1].first_probe = first;
    unit.functions[1].probe_count = count;
    EXPECT_FALSE(Descriptor::parse(unit.bytes())) << first << " " << count;
  }
  DescriptorBuilder unit = probed_unit();
  unit.functions[1] = {0x2222, 4, 0};  // none, at the end
  EXPECT_TRUE(Descriptor::parse(unit.bytes()));
}

TEST(Descriptor, TablesOfProbesLargerThanTheBlobAreRefused) {
  constexpr std::uint32_t kMax = std::numeric_limits<std::uint32_t>::max();
  for (const auto member :
       {&ridge_descriptor_header::probed_function_count, &ridge_descriptor_header::probe_count}) {
    for (const std::uint32_t count : {1000U, kMax / 4 + 1, kMax / 16 + 1, kMax}) {
      auto bytes = probed_unit().bytes();
      reinterpret_cast<ridge_descriptor_header*>(bytes.data())->*member = count;
      EXPECT_FALSE(Descriptor::parse(bytes)) << count;
    }
  }
}

}  // namespace
}  // namespace ridge::measure
