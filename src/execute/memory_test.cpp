#include "execute/memory.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "execute/objects_for_tests.hpp"

namespace ridge::execute {
namespace {

using testing::ElementsAre;
using testing_objects::array;

template <class T>
std::vector<T> filled(const Array& of) {
  std::vector<T> values(of.extent);
  fill(of, reinterpret_cast<std::byte*>(values.data()));
  return values;
}

TEST(Memory, RealsAreNormalAndDiffer) {
  for (const double value : filled<double>(array("a", 3000))) {
    EXPECT_TRUE(value >= 1.0 && value < 2.0) << value;
  }
  const auto floats = filled<float>(array("a", 3000, Element::fp32));
  EXPECT_GT(std::set<float>(floats.begin(), floats.end()).size(), 2900U);
  EXPECT_TRUE(floats[2999] >= 1.0F && floats[2999] <= 2.0F);  // rounded
  EXPECT_NE(filled<double>(array("a", 1)), filled<double>(array("b", 1)));
  EXPECT_EQ(filled<double>(array("a", 9)), filled<double>(array("a", 9)));
}

TEST(Memory, ContentsOfTheCallerAreRepeated) {
  Array of = array("index", 5, Element::int32);
  EXPECT_THAT(filled<std::int32_t>(of), ElementsAre(0, 1, 2, 3, 4));
  of.below = 3;
  EXPECT_THAT(filled<std::int32_t>(of), ElementsAre(0, 1, 2, 0, 1));
  of.integers = {-7, 9};
  EXPECT_THAT(filled<std::int32_t>(of), ElementsAre(-7, 9, -7, 9, -7));
  of.element = Element::int16;
  EXPECT_THAT(filled<std::int16_t>(of), ElementsAre(-7, 9, -7, 9, -7));
  Array reals = array("a", 3, Element::fp32);
  reals.reals = {0.5, -2.0};
  EXPECT_THAT(filled<float>(reals), ElementsAre(0.5F, -2.0F, 0.5F));
}

TEST(Memory, BytesThatDoNotFitAreKnown) {
  EXPECT_EQ(bytes_of(array("a", 10, Element::fp32)), 40U);
  EXPECT_EQ(bytes_of(array("a", 10, Element::int8)), 10U);
  EXPECT_EQ(bytes_of(array("a", std::numeric_limits<std::uint64_t>::max() / 4)), std::nullopt);
}

TEST(Memory, CompactArraysBeginAtDifferentPlacesOfAPage) {
  const std::vector<std::uint64_t> sizes{8192, 8192, 100, 8192};
  const std::vector<std::uint64_t> offsets = compact_offsets(sizes);
  ASSERT_EQ(offsets.size(), 5U);
  std::set<std::uint64_t> phases;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    phases.insert(offsets[i] % 4096);
    EXPECT_EQ(offsets[i] % 64, 0U);
    const std::uint64_t gap = offsets[i + 1] - offsets[i] - sizes[i];
    EXPECT_GE(gap, 64U);
    EXPECT_LT(gap, 8192U);
  }
  EXPECT_THAT(phases, ElementsAre(0U, 1024U, 2048U, 3072U));
}

TEST(Memory, WhatIsWrittenBesideArraysIsFound) {
  for (const bool is_guarded : {false, true}) {
    auto memory =
        is_guarded ? ArrayMemory::guarded({1000, 5000}) : ArrayMemory::compact({1000, 5000});
    ASSERT_TRUE(memory) << memory.error().message;
    const std::vector<Span> spans = memory->spans();
    ASSERT_EQ(spans.size(), 2U);
    memory->mark_margins();
    std::memset(spans[0].data(), 1, spans[0].bytes);
    std::memset(spans[1].data(), 1, spans[1].bytes);
    EXPECT_EQ(memory->damage(), std::nullopt) << is_guarded;
    const auto after = [&](std::byte* place) {
      memory->mark_margins();
      *place = std::byte{7};
      return memory->damage();
    };
    EXPECT_EQ(after(spans[0].data() + 1000 + 5), (Damage{0, true, 5}));
    EXPECT_EQ(after(spans[1].data() - 1), (Damage{1, false, 0}));
    EXPECT_EQ(after(spans[0].data() - 24), (Damage{0, false, 23}));
    EXPECT_EQ(after(spans[1].data() + 5000), (Damage{1, true, 0}));
  }
}

TEST(Memory, SubnormalNumbersAreFound) {
  const std::vector<double> values{1.0, 0.0, std::numeric_limits<double>::denorm_min()};
  const auto* at = reinterpret_cast<const std::byte*>(values.data());
  EXPECT_FALSE(has_subnormal(array("a", 2), at));
  EXPECT_TRUE(has_subnormal(array("a", 3), at));
  EXPECT_FALSE(has_subnormal(array("a", 3, Element::int64), at));
}

TEST(Memory, MoreThanThereCanBeIsRefused) {
  const std::vector<std::uint64_t> sizes{std::uint64_t{1} << 50U};
  EXPECT_EQ(ArrayMemory::guarded(sizes).error().code, ErrorCode::unavailable);
  EXPECT_EQ(ArrayMemory::compact(sizes).error().code, ErrorCode::unavailable);
}

}  // namespace
}  // namespace ridge::execute
