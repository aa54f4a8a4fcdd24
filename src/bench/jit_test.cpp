#include "bench/jit.hpp"

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "platform/pages.hpp"

namespace ridge::bench {
namespace {

struct Case {
  const Kernel* kernel;
  Isa isa;
  Precision precision;
};

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const Kernel& kernel : kKernels) {
    for (const Isa isa : kIsas) {
      for (const Precision precision : {Precision::fp64, Precision::fp32}) {
        cases.push_back({&kernel, isa, precision});
      }
    }
  }
  return cases;
}

std::string name_of(const testing::TestParamInfo<Case>& info) {
  std::string name(info.param.kernel->name);
  name = name == "fma+add" ? "fma_add" : name;
  name += info.param.kernel->reach == Reach::l1 ? "_l1" : "";
  return name + "_" + std::string(to_string(info.param.isa)) + "_" +
         std::string(ridge::to_string(info.param.precision));
}

class EveryKernel : public testing::TestWithParam<Case> {};

/// The closed forms that the decoded loop must have.
void expect_compute_work(const Case& at, const LoopWork& loop) {
  const unsigned element = element_bits(at.precision);
  const unsigned width = at.isa == Isa::scalar ? element : 8 * vector_bytes(at.isa, element / 8);
  const unsigned lanes = width / element;
  EXPECT_EQ(loop.vector_bits, width);
  EXPECT_EQ(loop.flops, std::uint64_t{lanes} * (2 * loop.fma + loop.add + loop.mul));
  EXPECT_EQ(loop.loaded_bytes + loop.stored_bytes, 0U);
  EXPECT_EQ(loop.instructions, loop.fma + loop.add + loop.mul + 2);  // dec and jnz
  const unsigned single = at.isa == Isa::avx512 ? 48 : 42;
  const unsigned pairs = at.isa == Isa::avx512 ? 48 : 24;
  const bool mix = at.kernel->name == "fma+add";
  EXPECT_EQ(loop.fma, mix ? pairs : (at.kernel->name == "fma" ? single : 0));
  EXPECT_EQ(loop.add, mix ? pairs : (at.kernel->name == "add" ? single : 0));
  EXPECT_EQ(loop.mul, at.kernel->name == "mul" ? single : 0);
}

void expect_memory_work(const Case& at, const JitKernel& kernel) {
  const LoopWork& loop = kernel.loop();
  const auto loads = at.kernel->reach == Reach::l1 ? 2U
                     : at.kernel->name == "load"   ? 1U
                     : at.kernel->name == "store"  ? 0U
                     : at.kernel->name == "copy"   ? 1U
                                                   : 2U;
  const auto stores = at.kernel->name == "load" ? 0U : 1U;
  EXPECT_EQ(loop.loaded_bytes, loads * kernel.bytes_per_turn());
  EXPECT_EQ(loop.stored_bytes, stores * kernel.bytes_per_turn());
  EXPECT_EQ(kernel.bytes_per_turn() % 64, 0U);
  const unsigned element = element_bits(at.precision) / 8;
  const std::uint64_t triad_flops = 2 * kernel.bytes_per_turn() / element;
  EXPECT_EQ(loop.flops, at.kernel->name == "triad" ? triad_flops : 0);
  EXPECT_EQ(loop.vector_bits, 8 * vector_bytes(at.isa, element));
}

TEST_P(EveryKernel, DoesInItsLoopWhatItSays) {
  const auto kernel = JitKernel::build(*GetParam().kernel, GetParam().isa, GetParam().precision);
  ASSERT_TRUE(kernel) << kernel.error().message;
  EXPECT_EQ(kernel->loop().stack_accesses, 0U);
  if (GetParam().kernel->kind == CeilingKind::compute) {
    EXPECT_EQ(kernel->bytes_per_turn(), 0U);
    expect_compute_work(GetParam(), kernel->loop());
  } else {
    expect_memory_work(GetParam(), *kernel);
  }
}

/// Runs on memory with a page of guard values on both sides of each array.
TEST_P(EveryKernel, RunsAndWritesOnlyItsArrays) {
  if (!is_supported(GetParam().isa, platform::simd_support()) || !platform::simd_support().fma) {
    GTEST_SKIP() << "not on this CPU";
  }
  const auto kernel = JitKernel::build(*GetParam().kernel, GetParam().isa, GetParam().precision);
  ASSERT_TRUE(kernel) << kernel.error().message;
  constexpr std::size_t kGuard = 4096;
  constexpr std::uint64_t kTurns = 3;
  const std::size_t bytes = kTurns * kernel->bytes_per_turn();
  auto memory = platform::PageBuffer::allocate(4 * kGuard + 3 * bytes + kGuard);
  ASSERT_TRUE(memory);
  memory->fill();
  const std::vector<std::byte> before(memory->data(), memory->data() + memory->size());
  KernelArguments arguments;
  for (unsigned array = 0; array < 3; ++array) {
    arguments.arrays[array] = memory->data() + kGuard + array * (bytes + kGuard);
  }
  arguments.iterations = kTurns;
  arguments.repetitions = 2;
  kernel->run(arguments);

  const std::byte* const target = arguments.arrays[0];
  const bool stores = GetParam().kernel->has(StepKind::store);
  for (std::size_t i = 0; i < memory->size(); ++i) {
    const bool inside =
        stores && memory->data() + i >= target && memory->data() + i < target + bytes;
    ASSERT_TRUE(inside || memory->data()[i] == before[i]) << i;
  }
  if (GetParam().kernel->name == "copy") {
    EXPECT_EQ(std::memcmp(target, arguments.arrays[1], bytes), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Jit, EveryKernel, testing::ValuesIn(all_cases()), name_of);

TEST(Jit, TriadComputesAPlusCTimesB) {
  if (!platform::simd_support().fma) {
    GTEST_SKIP() << "not on this CPU";
  }
  const auto kernel =
      JitKernel::build(*find_kernel(CeilingKind::bandwidth, "triad"), Isa::sse, Precision::fp64);
  ASSERT_TRUE(kernel) << kernel.error().message;
  auto memory = platform::PageBuffer::allocate(3 * kernel->bytes_per_turn());
  ASSERT_TRUE(memory);
  memory->fill();
  KernelArguments arguments;
  for (unsigned array = 0; array < 3; ++array) {
    arguments.arrays[array] = memory->data() + array * kernel->bytes_per_turn();
  }
  kernel->run(arguments);
  const auto* values = reinterpret_cast<const double*>(memory->data());
  const std::size_t length = kernel->bytes_per_turn() / sizeof(double);
  for (std::size_t i = 0; i < length; ++i) {
    EXPECT_EQ(values[i], std::fma(values[2 * length + i], 1.0 - 0x1p-24, values[length + i]));
  }
}

TEST(Jit, OtherPrecisionsAreRefused) {
  EXPECT_FALSE(JitKernel::build(kKernels[0], Isa::avx512, Precision::fp16));
}

TEST(Jit, CopiesShareTheCode) {
  auto kernel = JitKernel::build(kKernels[0], Isa::scalar, Precision::fp64);
  ASSERT_TRUE(kernel);
  const JitKernel copy = *kernel;
  kernel = JitKernel::build(kKernels[1], Isa::scalar, Precision::fp64);
  EXPECT_EQ(copy.loop().fma, 42U);
  if (platform::simd_support().fma) {
    copy.run({});
  }
}

}  // namespace
}  // namespace ridge::bench
