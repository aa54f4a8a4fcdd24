#include "platform/pages.hpp"

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <limits>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace ridge::platform {
namespace {

TEST(Pages, AreAlignedAndHoldNormalNumbersThatDiffer) {
  auto buffer = PageBuffer::allocate(3 << 20U);
  ASSERT_TRUE(buffer) << buffer.error().message;
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer->data()) % (2U << 20U), 0U);
  EXPECT_EQ(buffer->size(), 3U << 20U);
  buffer->fill();
  const auto* values = reinterpret_cast<const double*>(buffer->data());
  for (std::size_t i = 0; i < buffer->size() / sizeof(double); ++i) {
    ASSERT_GE(values[i], 1.0) << i;
    ASSERT_LT(values[i], 2.0) << i;
    ASSERT_TRUE(i == 0 || values[i] != values[i - 1]) << i;
  }
}

TEST(Pages, MovingHandsTheMemoryOver) {
  auto first = PageBuffer::allocate(4096);
  ASSERT_TRUE(first);
  std::byte* const data = first->data();
  PageBuffer second = std::move(*first);
  EXPECT_EQ(second.data(), data);
  second.fill();
  PageBuffer third;
  third = std::move(second);
  EXPECT_EQ(third.data(), data);
  EXPECT_EQ(third.size(), 4096U);
}

TEST(Pages, SmallOnesAreNotHuge) {
  auto buffer = PageBuffer::allocate(8 << 20U, Pages::small);
  ASSERT_TRUE(buffer) << buffer.error().message;
  EXPECT_FALSE(buffer->huge_pages_granted());
  buffer->fill();
  const auto address = reinterpret_cast<std::uintptr_t>(buffer->data());
  std::ifstream maps("/proc/self/smaps");
  std::string line;
  bool inside = false;
  bool seen = false;
  while (std::getline(maps, line)) {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &begin, &end) == 2) {
      inside = begin <= address && address < end;
    } else if (inside && line.starts_with("AnonHugePages:")) {
      seen = true;
      EXPECT_NE(line.find(" 0 kB"), std::string::npos) << line;
    }
  }
  if (!seen) {
    GTEST_SKIP() << "the system does not say";
  }
}

TEST(Pages, ImpossibleSizesAreErrors) {
  for (const std::size_t bytes : {std::size_t{0}, std::numeric_limits<std::size_t>::max(),
                                  std::numeric_limits<std::size_t>::max() / 4}) {
    const auto buffer = PageBuffer::allocate(bytes);
    ASSERT_FALSE(buffer) << bytes;
    EXPECT_EQ(buffer.error().code, ErrorCode::unavailable);
  }
}

}  // namespace
}  // namespace ridge::platform
