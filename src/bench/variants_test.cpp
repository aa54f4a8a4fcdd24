#include "bench/variants.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/jit.hpp"

namespace ridge::bench {
namespace {

using testing::Contains;
using testing::UnorderedElementsAre;
using testing::UnorderedElementsAreArray;

platform::SimdSupport everything() {
  return {.avx = true,
          .fma = true,
          .avx2 = true,
          .avx512 = true,
          .avx512_dq = true,
          .avx512_fp16 = true,
          .avx512_bf16 = true,
          .avx512_vnni = true,
          .amx_bf16 = true,
          .amx_int8 = true};
}

platform::SimdSupport haswell() {
  return {.avx = true, .fma = true, .avx2 = true};
}

std::size_t count(const std::vector<Variant>& variants, std::string_view name) {
  return static_cast<std::size_t>(
      std::count_if(variants.begin(), variants.end(),
                    [&](const Variant& variant) { return variant.kernel->name() == name; }));
}

TEST(Variants, AQuickRunHasFourOperationsForEachWidthAndPrecision) {
  const std::size_t second_forms = 3U * 2U;  // of fma+add, up to 256 bit
  const std::size_t integers = 4;            // add and mul, 32 and 64 bit
  EXPECT_EQ(compute_variants(Effort::quick, everything()).size(),
            4U * 4U * 2U + second_forms + integers);
  EXPECT_EQ(compute_variants(Effort::quick, haswell()).size(),
            4U * 3U * 2U + second_forms + integers);
}

TEST(Variants, ASecondFormExistsWhereRegistersAreFewAndAFirstOneDoes) {
  for (const Variant& variant : compute_variants(Effort::full, everything())) {
    if (variant.kernel->free_adds) {
      EXPECT_TRUE(variant.isa == Isa::scalar || variant.isa == Isa::sse ||
                  variant.isa == Isa::avx2);
      const Kernel* first = find_kernel(CeilingKind::compute, variant.kernel->name());
      EXPECT_FALSE(first->free_adds);
      EXPECT_TRUE(exists({first, variant.isa, variant.precision}));
    }
  }
}

TEST(Variants, BytesAndBrainFloatsOnlyWhereTheCpuHasThem) {
  const auto all = compute_variants(Effort::standard, everything());
  EXPECT_EQ(count(all, "dot"), 4U);  // bf16 and int8, with AVX-512 and with AMX
  EXPECT_EQ(count(compute_variants(Effort::standard, haswell()), "dot"), 0U);
  auto simd = everything();
  simd.amx_bf16 = simd.avx512_vnni = false;
  EXPECT_EQ(count(compute_variants(Effort::standard, simd), "dot"), 2U);
  for (const Variant& variant : all) {
    EXPECT_EQ(data_name(*variant.kernel, variant.precision) == "int8",
              variant.kernel->numbers == Numbers::int8);
  }
}

std::vector<std::string> integers_in(const std::vector<Variant>& variants) {
  std::vector<std::string> found;
  for (const Variant& variant : variants) {
    if (variant.kernel->is_integer()) {
      found.push_back(fmt::format("{}.{}.{}", data_name(*variant.kernel, variant.precision),
                                  to_string(variant.isa), variant.kernel->name()));
    }
  }
  return found;
}

TEST(Variants, IntegersAreThoseOfTheWidestInstructionSetThatHasTheOperation) {
  EXPECT_THAT(integers_in(compute_variants(Effort::quick, everything())),
              UnorderedElementsAre("int32.avx512.add", "int32.avx512.mul", "int64.avx512.add",
                                   "int64.avx512.mul"));
  EXPECT_THAT(integers_in(compute_variants(Effort::standard, haswell())),
              UnorderedElementsAre("int32.avx2.add", "int32.avx2.mul", "int64.avx2.add",
                                   "int64.scalar.mul"));
  auto without_dq = everything();
  without_dq.avx512_dq = false;
  EXPECT_THAT(integers_in(compute_variants(Effort::quick, without_dq)),
              Contains("int64.scalar.mul"));
}

TEST(Variants, IntegersOfEveryInstructionSetAtFullEffortOrWhenAskedFor) {
  const std::vector<std::string> all{
      "int32.sse-legacy.add", "int64.sse-legacy.add", "int32.scalar.add", "int32.scalar.mul",
      "int64.scalar.add",     "int64.scalar.mul",     "int32.sse.add",    "int32.sse.mul",
      "int64.sse.add",        "int32.avx2.add",       "int32.avx2.mul",   "int64.avx2.add"};
  EXPECT_THAT(integers_in(compute_variants(Effort::quick, haswell(), IntegerWidths::all)),
              UnorderedElementsAreArray(all));
  EXPECT_THAT(integers_in(compute_variants(Effort::full, haswell())),
              UnorderedElementsAreArray(all));
}

TEST(Variants, TheOldEncodingHasNoFma) {
  for (const Variant& variant : compute_variants(Effort::full, everything())) {
    EXPECT_FALSE(variant.isa == Isa::sse_legacy && variant.kernel->needs_fma());
  }
  const Variant add{find_kernel(CeilingKind::compute, "add"), Isa::sse_legacy, Precision::fp32};
  EXPECT_TRUE(can_run(add, {}));  // on any x86-64
}

TEST(Variants, WhatNeedsFmaIsNotPlannedWithoutIt) {
  auto simd = haswell();
  simd.fma = false;
  EXPECT_EQ(count(compute_variants(Effort::full, simd), "fma"), 0U);
  EXPECT_EQ(count(bandwidth_variants(Effort::quick, simd, Place::memory), "triad"), 0U);
  EXPECT_GT(count(bandwidth_variants(Effort::quick, simd, Place::memory), "copy"), 0U);
}

TEST(Variants, KernelsOfMemoryAloneStayThere) {
  const auto at = [](Place place) {
    return bandwidth_variants(Effort::standard, everything(), place);
  };
  EXPECT_EQ(count(at(Place::innermost), "nt-store"), 0U);
  EXPECT_EQ(count(at(Place::middle), "nt-copy"), 0U);
  EXPECT_EQ(count(at(Place::memory), "nt-store"), 2U);
  EXPECT_EQ(count(at(Place::innermost), "load"), 4U);
  EXPECT_EQ(count(at(Place::middle), "load"), 2U);
  EXPECT_EQ(count(at(Place::memory), "stride-8"), 1U);
  EXPECT_EQ(count(at(Place::innermost), "stride-8"), 1U);
  EXPECT_EQ(count(at(Place::innermost), "gather"), 2U);
  EXPECT_EQ(count(at(Place::middle), "gather-emulated"), 2U);
  EXPECT_EQ(count(bandwidth_variants(Effort::quick, everything(), Place::memory), "gather"), 0U);
}

TEST(Variants, LatencyIsMeasuredOnBothSizesOfPages) {
  EXPECT_TRUE(latency_variants(Effort::quick).empty());
  const auto chases = latency_variants(Effort::standard);
  ASSERT_EQ(chases.size(), 2U);
  EXPECT_NE(chases[0].kernel->pages, chases[1].kernel->pages);
  EXPECT_TRUE(can_run(chases[0], haswell()));
}

TEST(Variants, EachThatIsPlannedIsOneThatIsEmitted) {
  auto all = compute_variants(Effort::full, everything());
  for (const Place place : {Place::innermost, Place::middle, Place::memory}) {
    const auto more = bandwidth_variants(Effort::full, everything(), place);
    all.insert(all.end(), more.begin(), more.end());
  }
  for (const Variant& variant : all) {
    const auto built = JitKernel::build(*variant.kernel, variant.isa, variant.precision);
    EXPECT_TRUE(built) << variant.kernel->name() << " " << to_string(variant.isa) << " "
                       << ridge::to_string(variant.precision) << ": " << built.error().message;
  }
}

TEST(Variants, UntestedIsWhatItsAuthorsHaveNoCpuFor) {
  const Kernel* fma = find_kernel(CeilingKind::compute, "fma");
  EXPECT_TRUE(is_untested({fma, Isa::avx512, Precision::fp16}));
  EXPECT_FALSE(is_untested({fma, Isa::avx512, Precision::fp64}));
  EXPECT_TRUE(is_untested({find_kernel(CeilingKind::compute, "dot"), Isa::amx, Precision::bf16}));
}

}  // namespace
}  // namespace ridge::bench
