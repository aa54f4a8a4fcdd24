#include "core/identity/isa.hpp"

#include <set>
#include <string_view>

#include <gtest/gtest.h>

namespace ridge {
namespace {

TEST(Isa, EveryTextParsesBackAndNoneStandsTwice) {
  std::set<std::string_view> texts;
  for (std::size_t i = 0; i < kIsaTable.size(); ++i) {
    const Isa isa = kIsaTable.at(i).isa;
    EXPECT_EQ(static_cast<std::size_t>(isa), i) << "the table follows the enumerators";
    EXPECT_EQ(parse_isa(to_string(isa)), isa);
    EXPECT_TRUE(texts.insert(to_string(isa)).second) << to_string(isa);
  }
}

TEST(Isa, TextsAreThoseOfTheFiles) {
  EXPECT_EQ(to_string(Isa::scalar), "scalar");
  EXPECT_EQ(to_string(Isa::sse_legacy), "sse-legacy");
  EXPECT_EQ(to_string(Isa::sse), "sse");
  EXPECT_EQ(to_string(Isa::avx2), "avx2");
  EXPECT_EQ(to_string(Isa::avx512), "avx512");
  EXPECT_EQ(to_string(Isa::amx), "amx");
  EXPECT_EQ(to_string(Isa::neon), "neon");
  EXPECT_EQ(to_string(Isa::sve), "sve");
  EXPECT_EQ(to_string(Isa::vsx), "vsx");
}

TEST(Isa, OtherTextIsNone) {
  for (const char* text : {"", "avx", "AVX2", "avx-512", "avx512 ", "sse_legacy"}) {
    EXPECT_FALSE(parse_isa(text)) << text;
  }
}

TEST(Isa, LanesFollowFromTheWidth) {
  EXPECT_EQ(lanes_of(Isa::scalar, 64), 1U);
  EXPECT_EQ(lanes_of(Isa::scalar, 32), 1U);
  EXPECT_EQ(lanes_of(Isa::sse_legacy, 64), 2U);
  EXPECT_EQ(lanes_of(Isa::sse, 64), 2U);
  EXPECT_EQ(lanes_of(Isa::avx2, 64), 4U);
  EXPECT_EQ(lanes_of(Isa::avx512, 64), 8U);
  EXPECT_EQ(lanes_of(Isa::avx512, 16), 32U);
  EXPECT_EQ(lanes_of(Isa::neon, 64), 2U);
  EXPECT_FALSE(lanes_of(Isa::sve, 64)) << "128 to 2048 bit, as the CPU has it";
}

TEST(Isa, RanksAscendWithinAFamily) {
  for (const IsaFamily family : {IsaFamily::x86, IsaFamily::arm, IsaFamily::power}) {
    unsigned last = *properties_of(Isa::scalar).rank;
    for (const IsaProperties& properties : kIsaTable) {
      if (properties.family == family && properties.rank) {
        EXPECT_EQ(*properties.rank, last + 1) << properties.text;
        last = *properties.rank;
      }
    }
  }
}

TEST(Isa, DistanceIsInStepsOfWidth) {
  EXPECT_EQ(rank_distance(Isa::scalar, Isa::avx512), 3U);
  EXPECT_EQ(rank_distance(Isa::avx512, Isa::sse), 2U);
  EXPECT_EQ(rank_distance(Isa::avx2, Isa::avx2), 0U);
  EXPECT_EQ(rank_distance(Isa::sve, Isa::scalar), 2U);
  EXPECT_FALSE(rank_distance(Isa::neon, Isa::sse)) << "of two families";
  EXPECT_FALSE(rank_distance(Isa::vsx, Isa::neon));
  EXPECT_FALSE(rank_distance(Isa::amx, Isa::avx512)) << "tiles are no wider vectors";
  EXPECT_FALSE(rank_distance(Isa::sse, Isa::sse_legacy));
}

TEST(Isa, AWidthNeedsTheNarrowestThatHoldsIt) {
  EXPECT_EQ(isa_holding(IsaFamily::x86, 64, 64), Isa::scalar);
  EXPECT_EQ(isa_holding(IsaFamily::x86, 64, 32), Isa::sse) << "two lanes";
  EXPECT_EQ(isa_holding(IsaFamily::x86, 256, 64), Isa::avx2);
  EXPECT_EQ(isa_holding(IsaFamily::x86, 4096, 64), Isa::avx512);
  EXPECT_EQ(isa_holding(IsaFamily::arm, 128, 64), Isa::neon);
  EXPECT_EQ(isa_holding(IsaFamily::arm, 256, 64), Isa::sve);
  EXPECT_EQ(widest_of(IsaFamily::x86), Isa::avx512);
  EXPECT_EQ(widest_of(IsaFamily::generic), Isa::scalar);
}

}  // namespace
}  // namespace ridge
