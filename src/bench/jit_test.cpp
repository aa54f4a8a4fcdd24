#include "bench/jit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <immintrin.h>
#include <string>
#include <sys/mman.h>
#include <vector>

#include <gtest/gtest.h>

#include "bench/jit_emitter.hpp"
#include "bench/variants.hpp"
#include "platform/pages.hpp"

namespace ridge::bench {
namespace {

std::vector<Variant> all_variants() {
  std::vector<Variant> all;
  for (const Kernel& kernel : kKernels) {
    for (const Isa isa : kAllIsas) {
      for (const Precision precision :
           {Precision::fp64, Precision::fp32, Precision::fp16, Precision::bf16}) {
        const Variant variant{&kernel, isa, precision};
        if (exists(variant)) {
          all.push_back(variant);
        }
      }
    }
  }
  return all;
}

std::vector<Variant> integer_variants() {
  std::vector<Variant> integers = all_variants();
  std::erase_if(integers, [](const Variant& at) { return !at.kernel->is_integer(); });
  return integers;
}

std::string name_of(const testing::TestParamInfo<Variant>& info) {
  const Kernel& kernel = *info.param.kernel;
  std::string name(kernel.name());
  name += kernel.free_adds ? "_free_adds" : "";
  name += kernel.reach == Reach::l1 ? "_l1_" : "_";
  name += std::string(to_string(info.param.isa)) + "_";
  name += data_name(kernel, info.param.precision);
  std::replace_if(name.begin(), name.end(), [](char c) { return c == '+' || c == '-'; }, '_');
  return name;
}

class EveryKernel : public testing::TestWithParam<Variant> {};

/// Instructions of each kind in the loop of a compute kernel, as its name says.
struct Counts {
  unsigned fma = 0, add = 0, mul = 0, div = 0, sqrt = 0, dot = 0, integer = 0;
};

Counts expected_counts(const Variant& at) {
  const std::string_view name = at.kernel->name();
  const unsigned single = at.isa == Isa::avx512 ? 48 : 42;
  const unsigned pairs = at.isa == Isa::avx512 ? 48 : at.kernel->free_adds ? 36 : 24;
  const unsigned chain = 16;
  const unsigned tiles = 12;
  if (at.kernel->is_integer()) {
    return {.integer = at.isa == Isa::scalar ? 192 : single};
  }
  return name == "fma"         ? Counts{.fma = single}
         : name == "add"       ? Counts{.add = single}
         : name == "mul"       ? Counts{.mul = single}
         : name == "fma+add"   ? Counts{.fma = pairs, .add = pairs}
         : name == "mul+add"   ? Counts{.add = pairs, .mul = pairs}
         : name == "div"       ? Counts{.div = single}
         : name == "sqrt"      ? Counts{.sqrt = single}
         : name == "fma-chain" ? Counts{.fma = chain}
         : name == "add-chain" ? Counts{.add = chain}
                               : Counts{.dot = at.isa == Isa::amx ? tiles : single};
}

/// The closed forms that the decoded loop must have: so many operations and nothing else.
void expect_compute_work(const Variant& at, const LoopWork& loop) {
  const Counts counts = expected_counts(at);
  EXPECT_EQ(loop.fma, counts.fma);
  EXPECT_EQ(loop.add, counts.add);
  EXPECT_EQ(loop.mul, counts.mul);
  EXPECT_EQ(loop.div, counts.div);
  EXPECT_EQ(loop.sqrt, counts.sqrt);
  EXPECT_EQ(loop.dot, counts.dot);
  EXPECT_EQ(loop.integer, counts.integer);
  const unsigned operations =
      loop.fma + loop.add + loop.mul + loop.div + loop.sqrt + loop.dot + loop.integer;
  EXPECT_EQ(loop.instructions, operations + 2);  // dec and jnz
  EXPECT_EQ(loop.accesses, 0U);
  EXPECT_EQ(loop.loaded_bytes + loop.stored_bytes, 0U);
  if (loop.dot > 0) {
    const bool bytes = at.kernel->numbers == Numbers::int8;
    const std::uint64_t each = (at.isa == Isa::amx ? 16384U : 64U) * (bytes ? 2U : 1U);
    EXPECT_EQ(loop.ops, bytes ? loop.dot * each : 0U);
    EXPECT_EQ(loop.flops, bytes ? 0U : loop.dot * each);
    return;
  }
  const unsigned element = element_bits(at.precision);
  const unsigned width = at.isa == Isa::scalar ? element : 8 * vector_bytes(at.isa, element / 8);
  EXPECT_EQ(loop.vector_bits, width);
  const std::uint64_t done = std::uint64_t{width / element} * (operations + loop.fma);
  const bool integers = at.kernel->is_integer();
  EXPECT_EQ(loop.flops, integers ? 0U : done);
  EXPECT_EQ(loop.ops, integers ? done : 0U);
}

/// Vectors loaded and stored for each one that a straight kernel advances by, and flops for each
/// element.
struct Pass {
  unsigned loads = 0, stores = 0, flops = 0;
};

Pass expected_pass(const Kernel& kernel) {
  const std::string_view name = kernel.name();
  return name == "load"                          ? Pass{kernel.reach == Reach::l1 ? 2U : 1U, 0, 0}
         : name == "store" || name == "nt-store" ? Pass{0, 1, 0}
         : name == "copy" || name == "nt-copy"   ? Pass{1, 1, 0}
         : name == "update"                      ? Pass{1, 1, 1}
         : name == "2load1store"                 ? Pass{2, 1, kernel.reach == Reach::l1 ? 0U : 1U}
                                                 : Pass{2, 1, 2};
}

void expect_straight_work(const Variant& at, const JitKernel& kernel) {
  const LoopWork& loop = kernel.loop();
  const Pass pass = expected_pass(*at.kernel);
  const std::uint64_t turn = kernel.bytes_per_turn();
  const unsigned element = element_bits(at.precision) / 8;
  EXPECT_EQ(loop.loaded_bytes, pass.loads * turn);
  EXPECT_EQ(loop.stored_bytes, pass.stores * turn);
  EXPECT_EQ(turn % 64, 0U);
  EXPECT_EQ(loop.flops, pass.flops * turn / element);
  EXPECT_EQ(loop.vector_bits, 8 * vector_bytes(at.isa, element));
}

void expect_traversal_work(const Variant& at, const JitKernel& kernel) {
  const LoopWork& loop = kernel.loop();
  const std::uint64_t lines = kernel.bytes_per_turn() / 64;
  EXPECT_EQ(loop.flops, 0U);
  EXPECT_EQ(loop.stored_bytes, 0U);
  if (at.kernel->order == Order::strided) {
    EXPECT_EQ(loop.accesses, lines);
    EXPECT_EQ(lines, 4U);
    EXPECT_EQ(loop.loaded_bytes, lines * vector_bytes(at.isa, element_bits(at.precision) / 8));
  } else if (at.kernel->order == Order::gather) {
    EXPECT_EQ(loop.loaded_bytes, lines * (8 + 4));  // a double and its index
  } else {
    EXPECT_EQ(loop.loaded_bytes, lines * 8);
    EXPECT_EQ(loop.accesses, lines);
    EXPECT_EQ(loop.instructions, lines + 2);
  }
}

TEST_P(EveryKernel, DoesInItsLoopWhatItSays) {
  const auto& [of, isa, precision] = GetParam();
  const auto kernel = JitKernel::build(*of, isa, precision);
  ASSERT_TRUE(kernel) << kernel.error().message;
  EXPECT_EQ(kernel->loop().stack_accesses, 0U);
  if (of->kind == CeilingKind::compute) {
    EXPECT_EQ(kernel->bytes_per_turn(), 0U);
    expect_compute_work(GetParam(), kernel->loop());
  } else if (of->order == Order::straight) {
    expect_straight_work(GetParam(), *kernel);
  } else {
    expect_traversal_work(GetParam(), *kernel);
  }
}

/// Runs on memory with a page of guard values on both sides of each array.
TEST_P(EveryKernel, RunsAndWritesOnlyItsArrays) {
  if (!can_run(GetParam(), platform::simd_support())) {
    GTEST_SKIP() << "this CPU lacks the instructions of this kernel";
  }
  if (GetParam().kernel->order != Order::straight) {
    GTEST_SKIP() << "reads memory of its own: traversal_test";
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
  const bool stores =
      GetParam().kernel->has(StepKind::store) || GetParam().kernel->has(StepKind::nt_store);
  for (std::size_t i = 0; i < memory->size(); ++i) {
    const bool inside =
        stores && memory->data() + i >= target && memory->data() + i < target + bytes;
    ASSERT_TRUE(inside || memory->data()[i] == before[i]) << i;
  }
  if (GetParam().kernel->name() == "copy" || GetParam().kernel->name() == "nt-copy") {
    EXPECT_EQ(std::memcmp(target, arguments.arrays[1], bytes), 0);
  }
}

// ---- what integer kernels compute, beside the same in C++ ----

/// The code once more, as a function that gives back its first chain: that stands where a function
/// gives back an integer, or the low half of a vector.
class ChainReader {
 public:
  explicit ChainReader(const JitKernel& kernel) : size_(kernel.code().size()) {
    memory_ = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    std::memcpy(memory_, kernel.code().data(), size_);
    mprotect(memory_, size_, PROT_READ | PROT_EXEC);
  }
  ~ChainReader() { munmap(memory_, size_); }
  ChainReader(const ChainReader&) = delete;
  ChainReader& operator=(const ChainReader&) = delete;

  [[nodiscard]] std::uint64_t after(const KernelArguments& arguments, bool scalar) const {
    if (scalar) {
      return reinterpret_cast<std::uint64_t (*)(const KernelArguments*)>(memory_)(&arguments);
    }
    const __m128i vector =
        reinterpret_cast<__m128i (*)(const KernelArguments*)>(memory_)(&arguments);
    return static_cast<std::uint64_t>(_mm_cvtsi128_si64(vector));
  }

 private:
  std::size_t size_;
  void* memory_;
};

template <class Element>
Element chain_in_c(bool product, Element start, Element operand, std::uint64_t steps) {
  for (std::uint64_t i = 0; i < steps; ++i) {
    start = product ? static_cast<Element>(start * operand) : static_cast<Element>(start + operand);
  }
  return start;
}

template <class Element>
Element first_of(const std::array<std::byte, kVectorBytes>& vector) {
  Element element = 0;
  std::memcpy(&element, vector.data(), sizeof element);
  return element;
}

template <class Element>
void expect_chain_as_in_c(const Variant& at) {
  const auto kernel = JitKernel::build(*at.kernel, at.isa, at.precision);
  ASSERT_TRUE(kernel) << kernel.error().message;
  const Constants constants = make_constants(at);
  const bool product = at.kernel->has(StepKind::mul);
  const auto operand = first_of<Element>(
      constants.registers.at(product ? factor_register(at.isa) : summand_register(at.isa)));
  const bool scalar = at.isa == Isa::scalar;
  const std::uint64_t in_a_turn = scalar ? 16 : at.isa == Isa::avx512 ? 2 : 3;
  const auto expected =
      chain_in_c(product, first_of<Element>(constants.registers[0]), operand, 7 * 3 * in_a_turn);
  const std::uint64_t found =
      ChainReader(*kernel).after({.iterations = 7, .repetitions = 3}, scalar);
  EXPECT_EQ(static_cast<Element>(found), expected);
  EXPECT_NE(expected, 0U);
}

class EveryIntegerKernel : public EveryKernel {};

TEST_P(EveryIntegerKernel, ComputesWhatCDoes) {
  if (!can_run(GetParam(), platform::simd_support())) {
    GTEST_SKIP() << "this CPU lacks the instructions of this kernel";
  }
  GetParam().kernel->numbers == Numbers::int64 ? expect_chain_as_in_c<std::uint64_t>(GetParam())
                                               : expect_chain_as_in_c<std::uint32_t>(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Jit, EveryKernel, testing::ValuesIn(all_variants()), name_of);
INSTANTIATE_TEST_SUITE_P(Jit, EveryIntegerKernel, testing::ValuesIn(integer_variants()), name_of);

/// One turn; the arrays stand one behind the other.
void run_on_three_arrays(const JitKernel& kernel, platform::PageBuffer& memory) {
  memory.fill();
  KernelArguments arguments;
  for (unsigned array = 0; array < 3; ++array) {
    arguments.arrays[array] = memory.data() + array * kernel.bytes_per_turn();
  }
  kernel.run(arguments);
}

TEST(Jit, TriadComputesAPlusCTimesB) {
  if (!platform::simd_support().fma) {
    GTEST_SKIP() << "needs FMA";
  }
  const auto kernel =
      JitKernel::build(*find_kernel(CeilingKind::bandwidth, "triad"), Isa::sse, Precision::fp64);
  ASSERT_TRUE(kernel) << kernel.error().message;
  auto memory = platform::PageBuffer::allocate(3 * kernel->bytes_per_turn());
  ASSERT_TRUE(memory);
  run_on_three_arrays(*kernel, *memory);
  const auto* values = reinterpret_cast<const double*>(memory->data());
  const std::size_t length = kernel->bytes_per_turn() / sizeof(double);
  for (std::size_t i = 0; i < length; ++i) {
    EXPECT_EQ(values[i], std::fma(values[2 * length + i], 1.0 - 0x1p-24, values[length + i]));
  }
}

TEST(Jit, TwoLoadsAndAStoreAddTheTwo) {
  if (!platform::simd_support().avx) {
    GTEST_SKIP() << "needs AVX";
  }
  const auto kernel = JitKernel::build(*find_kernel(CeilingKind::bandwidth, "2load1store"),
                                       Isa::sse, Precision::fp64);
  ASSERT_TRUE(kernel) << kernel.error().message;
  auto memory = platform::PageBuffer::allocate(3 * kernel->bytes_per_turn());
  ASSERT_TRUE(memory);
  run_on_three_arrays(*kernel, *memory);
  const auto* values = reinterpret_cast<const double*>(memory->data());
  const std::size_t length = kernel->bytes_per_turn() / sizeof(double);
  for (std::size_t i = 0; i < length; ++i) {
    EXPECT_EQ(values[i], values[length + i] + values[2 * length + i]);
  }
}

TEST(Jit, WhatDoesNotExistIsRefused) {
  const auto fp16_triad =
      JitKernel::build(*find_kernel(CeilingKind::bandwidth, "triad"), Isa::avx512, Precision::fp16);
  ASSERT_FALSE(fp16_triad);
  EXPECT_EQ(fp16_triad.error().code, ErrorCode::bad_input);
  EXPECT_FALSE(JitKernel::build(kKernels[0], Isa::sse_legacy, Precision::fp64));
  EXPECT_FALSE(JitKernel::build(kKernels[0], Isa::amx, Precision::bf16));
}

TEST(Jit, ARoofHasItsMixAtEveryWidth) {
  for (const Isa isa : kIsas) {
    for (const Mix mix : {Mix{8, 1}, Mix{4, 1}, Mix{2, 1}, Mix{1, 1}, Mix{1, 3}, Mix{2, 17},
                          Mix{1, 64}, Mix{2, 129}, Mix{1, 256}}) {
      for (const bool innermost : {false, true}) {
        const Kernel kernel = roof_kernel(mix, innermost);
        const auto built = JitKernel::build(kernel, isa, Precision::fp64);
        ASSERT_TRUE(built) << built.error().message;
        const LoopWork& loop = built->loop();
        EXPECT_EQ(loop.fma * mix.loads, loop.accesses * mix.fmas);
        EXPECT_EQ(loop.loaded_bytes, built->bytes_per_turn() * (innermost ? 2U : 1U));
        EXPECT_EQ(loop.stored_bytes + loop.stack_accesses, 0U);
        EXPECT_LT(built->code().size(), 16384U);  // half of the smallest first level
      }
    }
  }
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
