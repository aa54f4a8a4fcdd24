#include "measure/binary/runs/plan.hpp"

#include <cstring>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::measure::binary {
namespace {

template <class T>
T value_at(const std::vector<std::byte>& bytes, std::size_t offset) {
  T value{};
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

TEST(PlanBytes, ModulesRangesAndPathsFollowTheHeader) {
  PlannedTraffic traffic;
  traffic.region_count = 4;
  traffic.mode = RIDGE_TRAFFIC_SAMPLED;
  traffic.sample_mask = 0xFF;
  const std::vector<PlannedModule> modules{{"/bin/a", {{0x10, 0x20, 1}, {0x20, 0x30, 3}}},
                                           {"/lib/longer.so", {{0x100, 0x180, 2}}}};
  const auto bytes = plan_bytes(traffic, modules);
  const auto plan = value_at<ridge_plan>(bytes, 0);
  EXPECT_EQ(plan.magic, static_cast<std::uint32_t>(RIDGE_PLAN_MAGIC));
  EXPECT_EQ(plan.region_count, 4U);
  EXPECT_EQ(plan.module_count, 2U);
  EXPECT_EQ(plan.range_count, 3U);
  EXPECT_EQ(plan.traffic_mode, static_cast<std::uint32_t>(RIDGE_TRAFFIC_SAMPLED));
  EXPECT_EQ(plan.text_bytes % 8, 0U);
  const std::size_t of_modules = sizeof(ridge_plan);
  const std::size_t of_ranges = of_modules + 2 * sizeof(ridge_plan_module);
  const std::size_t of_text = of_ranges + 3 * sizeof(ridge_plan_range);
  EXPECT_EQ(bytes.size(), of_text + plan.text_bytes);
  const auto second = value_at<ridge_plan_module>(bytes, of_modules + sizeof(ridge_plan_module));
  EXPECT_EQ(second.first_range, 2U);
  EXPECT_EQ(second.range_count, 1U);
  const auto* text = reinterpret_cast<const char*>(bytes.data() + of_text);
  EXPECT_EQ(std::string_view(text), "/bin/a");
  EXPECT_EQ(std::string_view(text + second.path), "/lib/longer.so");
  const auto range = value_at<ridge_plan_range>(bytes, of_ranges + 2 * sizeof(ridge_plan_range));
  EXPECT_EQ(range.begin, 0x100U);
  EXPECT_EQ(range.region, 2U);
}

TEST(PlanBytes, WithoutModulesItIsAHeader) {
  const auto bytes = plan_bytes({}, {});
  EXPECT_EQ(bytes.size(), sizeof(ridge_plan));
  EXPECT_EQ(value_at<ridge_plan>(bytes, 0).text_bytes, 0U);
}

}  // namespace
}  // namespace ridge::measure::binary
