// Under which regions outlined bodies hang, and where waits stand.
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "abi/descriptor.h"
#include "instrument/llvm_pass/pass_fixture.hpp"

namespace ridge::pass_test {
namespace {

TEST(OpenMp, BodiesHangUnderWhatStartsThemAndWaitsHaveTheirLine) {
  const Program program("parallel.c", "-O2 -fopenmp -g");
  ASSERT_EQ(program.error(), "");
  const Counts run = program.run();
  const auto find = [&](uint32_t kind, uint32_t line, const std::string& function) {
    for (const auto& [id, region] : run.regions) {
      if (region.kind == kind && region.line == line && region.function == function) return id;
    }
    return uint64_t{0};
  };
  const auto parent_of = [&](uint64_t id) {
    return static_cast<uint64_t>(run.regions.at(id).parent);
  };
  // Lines of parallel.c.
  const uint64_t steps = find(RIDGE_REGION_LOOP, 8, "sweep");
  const uint64_t body = find(RIDGE_REGION_FUNCTION, 9, "sweep");
  ASSERT_NE(steps, 0u);
  ASSERT_NE(body, 0u);
  EXPECT_EQ(parent_of(body), steps) << "started in each turn of the loop around";
  EXPECT_EQ(parent_of(find(RIDGE_REGION_LOOP, 9, "sweep")), body);
  const uint64_t wait = find(RIDGE_REGION_OMP_WAIT, 9, "sweep");
  ASSERT_NE(wait, 0u);
  EXPECT_EQ(parent_of(wait), steps);
  EXPECT_EQ(run.regions.at(wait).name, "__kmpc_fork_call");
  EXPECT_EQ(parent_of(find(RIDGE_REGION_FUNCTION, 18, "nested")),
            find(RIDGE_REGION_FUNCTION, 16, "nested"))
      << "a body in a body";
  EXPECT_EQ(parent_of(find(RIDGE_REGION_FUNCTION, 35, "tasks")),
            find(RIDGE_REGION_LOOP, 34, "tasks"))
      << "a task";
  const uint64_t shared = find(RIDGE_REGION_FUNCTION, 24, "shared");
  ASSERT_NE(shared, 0u);
  EXPECT_EQ(run.regions.at(shared).parent, -1) << "two functions start it";
  EXPECT_NE(find(RIDGE_REGION_OMP_WAIT, 24, "shared"), 0u) << "by the source, not where inlined";
}

}  // namespace
}  // namespace ridge::pass_test
