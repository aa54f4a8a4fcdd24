#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "import/files_for_tests.hpp"

namespace ridge::imports {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(Ert, PublishedRoofs) {
  const Imported imported = import_file("ert.json");
  ASSERT_TRUE(is_machine(imported));
  EXPECT_EQ(imported.version, "1.1.0");
  EXPECT_EQ(imported.machine.host, "node") << "no name: --redact leaves names";
  ASSERT_EQ(imported.machine.ceilings.size(), 5U);
  EXPECT_DOUBLE_EQ(p90_of(find_ceiling(imported.machine, "bandwidth.L3.update.any.t8")->value),
                   81.15e9);
  EXPECT_DOUBLE_EQ(p90_of(find_ceiling(imported.machine, "bandwidth.DRAM.update.any.t8")->value),
                   31.78e9);
  EXPECT_DOUBLE_EQ(p90_of(find_ceiling(imported.machine, "compute.fp64.vector.fma.t8")->value),
                   49.92e9);
  ASSERT_EQ(imported.machine.memories.size(), 1U);
  EXPECT_EQ(imported.machine.memories[0].level, Level::DRAM);
}

TEST(Ert, BrokenFilesGiveFileLineAndReason) {
  const auto of_data = [](std::string_view gbytes, std::string_view gflops) {
    return refusal("{\"empirical\": {\"gbytes\": {\"data\": [" + std::string(gbytes) +
                       "]},\n\"gflops\": {\"data\": [" + std::string(gflops) + "]}}}",
                   "ert");
  };
  EXPECT_THAT(of_data("[\"L1\", -1]", ""), HasSubstr("f.txt:1:"));
  EXPECT_THAT(of_data("[\"L1\"]", ""), HasSubstr("f.txt:1:"));
  EXPECT_THAT(of_data("[\"L1\", 1]", "[\"TOPS\", 1]"), HasSubstr("f.txt:2:"));
  EXPECT_THAT(of_data("[\"L1\", 1]", "[\"GFLOPs\", 1e308]"),
              AllOf(HasSubstr("f.txt:2:"), HasSubstr("more than any machine")));
  EXPECT_THAT(of_data("", ""), HasSubstr("no figure"));
}

}  // namespace
}  // namespace ridge::imports
