#include "platform/core_map.hpp"

#include <cstdlib>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/temporary_folder.hpp"

namespace ridge::platform {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
namespace fs = std::filesystem;

void add_cpu(const fs::path& root, unsigned cpu, int package, int core) {
  const fs::path folder = root / ("cpu" + std::to_string(cpu)) / "topology";
  fs::create_directories(folder);
  std::ofstream(folder / "physical_package_id") << package << '\n';
  std::ofstream(folder / "core_id") << core << '\n';
}

TEST(CoreMap, SiblingsShareACoreAndNumbersHaveNoHoles) {
  const tests::TemporaryFolder folder;
  const fs::path& root = folder.path();
  add_cpu(root, 0, 0, 0);
  add_cpu(root, 1, 0, 8);
  add_cpu(root, 2, 1, 0);
  add_cpu(root, 3, 0, 0);
  fs::create_directories(root / "cpufreq");
  fs::create_directories(root / "cpu4");  // offline: no topology
  EXPECT_THAT(core_of_each_cpu(root),
              ElementsAre(Pair(0U, 0U), Pair(1U, 1U), Pair(2U, 2U), Pair(3U, 0U)));
}

TEST(CoreMap, AMissingFolderGivesNothing) {
  EXPECT_THAT(core_of_each_cpu("/no/such/folder"), IsEmpty());
}

}  // namespace
}  // namespace ridge::platform
