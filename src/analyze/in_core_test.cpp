#include "analyze/in_core.hpp"

#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyze/program_for_tests.hpp"

namespace ridge::analyze {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_programs::file_bytes;

std::vector<InCoreLoop> loops(const std::string& object, const std::string& function = {}) {
  auto found = in_core_loops(file_bytes(object), object, function, "sapphirerapids");
  EXPECT_TRUE(found) << found.error().message;
  return found ? *found : std::vector<InCoreLoop>();
}

TEST(InCore, LoopsOfBothCompilersAreFoundWithTheirWorkAndLines) {
  for (const char* object : {"in_core_clang.o", "in_core_gcc.o", "in_core.so"}) {
    const auto found = loops(object, "daxpy");
    ASSERT_FALSE(found.empty()) << object;
    const InCoreLoop& vector = found.front();
    EXPECT_EQ(vector.function, "daxpy");
    EXPECT_EQ(vector.flops_per_pass * 8, vector.bytes_loaded_per_pass) << object;
    EXPECT_EQ(vector.flops_per_pass * 4, vector.bytes_stored_per_pass) << object;
    EXPECT_THAT(vector.file, HasSubstr("in_core.c"));
    EXPECT_THAT(vector.lines, Contains(6U));
    EXPECT_EQ(vector.model.microarchitecture, "Golden Cove");
    EXPECT_GE(vector.model.cycles, vector.model.port_cycles);
    EXPECT_THAT(vector.model.unknown, IsEmpty());
  }
}

}  // namespace
}  // namespace ridge::analyze
