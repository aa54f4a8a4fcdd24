#include "bench/traversal.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "bench/variants.hpp"
#include "platform/affinity.hpp"

namespace ridge::bench {
namespace {

constexpr std::uint64_t kSet = 24U << 10U;

std::shared_ptr<const TraversalMemory> memory_of(std::uint64_t set_bytes) {
  auto made =
      TraversalMemory::make({platform::allowed_cpus().front()}, set_bytes, platform::Pages::small);
  return made ? std::make_shared<const TraversalMemory>(std::move(*made)) : nullptr;
}

Result<JitKernel> code_of(const Kernel& kernel, Isa isa) {
  return JitKernel::build(kernel, isa, Precision::fp64);
}

TEST(Traversal, TheChainGoesThroughEachLineOnce) {
  const auto memory = memory_of(kSet);
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->lines(), kSet / 64);
  std::set<std::uint64_t> lines;
  const std::byte* at = memory->data(0);
  for (std::uint64_t i = 0; i < memory->lines(); ++i) {
    at = *reinterpret_cast<std::byte* const*>(at);
    ASSERT_GE(at, memory->data(0));
    ASSERT_LT(at, memory->data(0) + kSet);
    lines.insert(static_cast<std::uint64_t>(at - memory->data(0)) / 64);
  }
  EXPECT_EQ(lines.size(), memory->lines());
  EXPECT_EQ(at, memory->data(0)) << "and comes back";
}

TEST(Traversal, TheIndicesNameOneElementOfEachLineInAnotherOrder) {
  const auto memory = memory_of(kSet);
  ASSERT_TRUE(memory);
  std::vector<std::uint32_t> lines(memory->indices(0), memory->indices(0) + memory->lines());
  EXPECT_FALSE(std::is_sorted(lines.begin(), lines.end()));
  for (std::uint32_t& line : lines) {
    line /= 8;
  }
  std::sort(lines.begin(), lines.end());
  for (std::uint32_t i = 0; i < lines.size(); ++i) {
    EXPECT_EQ(lines[i], i);
  }
}

TEST(Traversal, TinySetsGetTwoTurns) {
  const auto memory = memory_of(64);
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->lines(), 128U);
}

/// Lines touched by each turn of a strided kernel, by the rule that its loop follows.
std::vector<std::vector<std::uint64_t>> rounds(std::uint64_t lines, unsigned stride,
                                               std::uint64_t turns) {
  const std::uint64_t circle = circle_of(lines, stride);
  std::vector<std::vector<std::uint64_t>> touched;
  for (std::uint64_t turn = 0; turn < turns; ++turn) {
    touched.emplace_back();
    for (std::uint64_t i = 0; i < 4; ++i) {
      touched.back().push_back(turn * 4 * stride % circle + i * stride);
    }
  }
  return touched;
}

TEST(Traversal, AStrideTouchesAllLinesAlikeAndStaysInside) {
  for (const unsigned stride : {2U, 4U, 8U, 16U}) {
    for (const std::uint64_t lines : {128U, 384U, 4096U}) {
      const std::uint64_t circle = circle_of(lines, stride);
      std::vector<unsigned> times(lines);
      for (const auto& turn : rounds(lines, stride, circle)) {
        for (const std::uint64_t line : turn) {
          ASSERT_LT(line, lines);
          ++times[line];
        }
      }
      // At both ends of the circle the first and last turns overlap.
      for (std::uint64_t line = 64; line < circle; ++line) {
        ASSERT_EQ(times[line], 4U) << stride << " " << lines << " " << line;
      }
    }
  }
}

TEST(Traversal, NeighboursOfALineComeMuchLater) {
  constexpr std::uint64_t kLines = 4096;
  const auto least = [](unsigned stride) {
    std::vector<std::uint64_t> last(kLines, 0);
    std::uint64_t gap = kLines;
    std::uint64_t number = 1;
    for (const auto& turn : rounds(kLines, stride, 2 * kLines)) {
      for (const std::uint64_t line : turn) {
        for (const std::uint64_t beside : {line - 1, line + 1}) {
          if (beside < kLines && last[beside] > 0) {
            gap = std::min(gap, number - last[beside]);
          }
        }
        last[line] = number++;
      }
    }
    return gap;
  };
  // In accesses: a round has kLines / stride of them, the circle is one turn shorter than the set.
  EXPECT_GE(least(16), 6 * kLines / 16);
  EXPECT_GE(least(8), 5 * kLines / 2 / 8);
  EXPECT_GE(least(4), kLines / 4 * 9 / 10);
  EXPECT_GE(least(2), kLines / 2 * 9 / 10);
}

class EveryTraversal : public testing::TestWithParam<Variant> {};

std::vector<Variant> traversals() {
  std::vector<Variant> all;
  for (const Kernel& kernel : kKernels) {
    for (const Isa isa : kIsas) {
      const Variant variant{&kernel, isa, Precision::fp64};
      if (kernel.order != Order::straight && exists(variant)) {
        all.push_back(variant);
      }
    }
  }
  return all;
}

/// A turn at a time: where the emitted code stands must be where its rule says.
TEST_P(EveryTraversal, GoesOnWhereItStood) {
  const auto& [kernel, isa, precision] = GetParam();
  if (!can_run(GetParam(), platform::simd_support())) {
    GTEST_SKIP() << "this CPU lacks the instructions of this kernel";
  }
  const auto memory = memory_of(kSet);
  const auto code = code_of(*kernel, isa);
  ASSERT_TRUE(memory && code);
  const std::vector<std::byte> before(memory->data(0), memory->data(0) + kSet);
  Traversal traversal(*kernel, *code, memory);
  const std::uint64_t circle =
      kernel->order == Order::strided ? circle_of(memory->lines(), kernel->stride_lines) : 384;
  std::set<std::uint64_t> places;
  for (std::uint64_t turn = 0; turn < 2 * circle; ++turn) {
    if (kernel->order != Order::chase) {
      const std::uint64_t step = kernel->order == Order::strided ? 4 * kernel->stride_lines : 64;
      ASSERT_EQ(traversal.position(0), turn * step % circle);
    }
    places.insert(traversal.position(0));
    traversal.run(0, 1);
  }
  EXPECT_EQ(places.size(), kernel->order == Order::strided ? circle : 384U / 64U);
  const std::uint64_t here = traversal.position(0);
  traversal.run(0, 384);  // a multiple of all turns per pass of gather and chase
  if (kernel->order != Order::strided) {
    EXPECT_EQ(traversal.position(0), here);
  }
  traversal.touch(0);
  EXPECT_TRUE(std::equal(before.begin(), before.end(), memory->data(0)));
}

INSTANTIATE_TEST_SUITE_P(Traversal, EveryTraversal, testing::ValuesIn(traversals()),
                         [](const auto& at) {
                           std::string name(at.param.kernel->name());
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name + "_" + std::string(to_string(at.param.isa));
                         });

}  // namespace
}  // namespace ridge::bench
