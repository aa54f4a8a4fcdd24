// The plan reader finds the region of an offset, and takes nothing that is not a plan.

#include <cstdint>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "instrument/engine/engine_fixture.hpp"

namespace ridge::engine_tests {
namespace {

std::string problem_of(const PlanFile& file) {
  const std::vector<std::uint64_t> words = file.words();
  engine_plan plan{};
  const char* problem = engine_plan_open(&plan, words.data(), file.bytes());
  return problem != nullptr ? problem : "";
}

std::string problem_after(const std::function<void(PlanFile&)>& change) {
  PlanFile file;
  change(file);
  return problem_of(file);
}

TEST(Plan, FindsTheRegionOfAnOffset) {
  const PlanFile file(100);
  const std::vector<std::uint64_t> words = file.words();
  engine_plan plan{};
  ASSERT_EQ(engine_plan_open(&plan, words.data(), file.bytes()), nullptr);
  const std::uint32_t module = engine_plan_module(&plan, "/program");
  ASSERT_EQ(module, 0U);
  for (std::uint64_t offset = 0; offset < 102U * 32; ++offset) {
    const std::uint64_t region = offset / 32;
    const bool inside = offset % 32 < 16 && region >= 1 && region <= 100;
    ASSERT_EQ(engine_plan_region(&plan, module, offset), inside ? region : 0) << offset;
  }
  EXPECT_EQ(engine_plan_region(&plan, module, UINT64_MAX), 0U);
}

TEST(Plan, KnowsModulesByTheirPaths) {
  PlanFile file(2);
  const std::uint64_t other = file.text.size();
  file.text += std::string("/program.so") + '\0';
  file.modules = {{0, 0, 1}, {other, 1, 1}};
  file.header.module_count = 2;
  file.header.text_bytes = file.text.size();
  const std::vector<std::uint64_t> words = file.words();
  engine_plan plan{};
  ASSERT_EQ(engine_plan_open(&plan, words.data(), file.bytes()), nullptr);
  EXPECT_EQ(engine_plan_module(&plan, "/program"), 0U);
  EXPECT_EQ(engine_plan_module(&plan, "/program.so"), 1U);
  EXPECT_EQ(engine_plan_module(&plan, "/prog"), std::uint32_t{ENGINE_NO_MODULE});
  EXPECT_EQ(engine_plan_region(&plan, 0, 64), 0U);
  EXPECT_EQ(engine_plan_region(&plan, 1, 64), 2U);
  EXPECT_EQ(engine_plan_region(&plan, ENGINE_NO_MODULE, 64), 0U);
}

TEST(Plan, WithoutModulesHasNoRegions) {
  PlanFile file(0);
  file.modules.clear();
  file.text.clear();
  file.header.module_count = 0;
  file.header.text_bytes = 0;
  EXPECT_EQ(problem_of(file), "");
}

TEST(Plan, RefusesWhatIsNone) {
  EXPECT_NE(problem_after([](PlanFile& file) { ++file.header.magic; }), "");
  EXPECT_NE(problem_after([](PlanFile& file) { ++file.header.version; }), "");
  EXPECT_NE(problem_after([](PlanFile& file) { file.header.region_count = 0; }), "");
  EXPECT_NE(
      problem_after([](PlanFile& file) { file.header.region_count = RIDGE_REGION_CAPACITY + 1; }),
      "");
  EXPECT_NE(problem_after([](PlanFile& file) { file.header.module_count = UINT32_MAX; }), "");
  EXPECT_NE(problem_after([](PlanFile& file) { file.header.range_count = UINT64_MAX / 8; }), "");
  EXPECT_NE(problem_after([](PlanFile& file) { ++file.header.text_bytes; }), "");
  EXPECT_NE(problem_after([](PlanFile& file) { file.header.elsewhere_count = 9; }), "");
  EXPECT_NE(problem_after([](PlanFile& file) { file.header.traffic_mode = 3; }), "");
  EXPECT_NE(problem_after([](PlanFile& file) { file.header.caches.levels[0].ways = 0; }), "");
}

TEST(Plan, RefusesTablesThatLieOutside) {
  EXPECT_NE(problem_after([](PlanFile& file) { file.modules[0].path = file.text.size(); }), "");
  EXPECT_NE(problem_after([](PlanFile& file) { file.modules[0].first_range = 5; }), "");
  EXPECT_NE(problem_after([](PlanFile& file) { file.modules[0].range_count = UINT64_MAX; }), "");
  EXPECT_NE(problem_after([](PlanFile& file) { file.ranges[1].region = 5; }), "");
  EXPECT_NE(problem_after([](PlanFile& file) { file.ranges[1].end = file.ranges[1].begin; }), "");
  EXPECT_NE(problem_after([](PlanFile& file) { file.ranges[1].begin = 33; }), "");
  EXPECT_NE(problem_after([](PlanFile& file) { file.text.back() = 'x'; }), "");
}

TEST(Plan, RefusesWhatIsCut) {
  const PlanFile file;
  const std::vector<std::uint64_t> words = file.words();
  engine_plan plan{};
  for (std::uint64_t size = 0; size < file.bytes(); ++size) {
    ASSERT_NE(engine_plan_open(&plan, words.data(), size), nullptr) << size;
  }
  const auto* bytes = reinterpret_cast<const char*>(words.data());
  EXPECT_NE(engine_plan_open(&plan, bytes + 4, file.bytes() - 4), nullptr);
}

TEST(Plan, AnsweresWithinItselfWhateverItHolds) {
  const PlanFile file(8);
  std::mt19937_64 random(1);
  std::uint64_t taken = 0;
  for (int i = 0; i < 200'000; ++i) {
    std::vector<std::uint64_t> words = file.words();
    auto* bytes = reinterpret_cast<unsigned char*>(words.data());
    const std::uint64_t behind_caches = random() % (file.bytes() - sizeof(ridge_plan));
    const std::uint64_t at = random() % 4 == 0 ? random() % 32 : sizeof(ridge_plan) + behind_caches;
    bytes[at] = static_cast<unsigned char>(random());
    engine_plan plan{};
    if (engine_plan_open(&plan, words.data(), file.bytes()) != nullptr) {
      continue;
    }
    ++taken;
    const std::uint32_t module = engine_plan_module(&plan, "/program");
    ASSERT_LT(engine_plan_region(&plan, module, random() % 512), plan.header->region_count);
  }
  EXPECT_GT(taken, 0U);
}

}  // namespace
}  // namespace ridge::engine_tests
