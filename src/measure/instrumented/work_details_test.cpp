#include "measure/instrumented/work_details.hpp"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::measure {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

ridge_term_descriptor term(std::uint32_t quantity, std::uint16_t precision, std::uint16_t operation,
                           std::uint32_t width) {
  ridge_term_descriptor made{};
  made.quantity = quantity;
  made.precision = precision;
  made.operation = operation;
  made.width_bits = width;
  return made;
}

Region written(const WorkDetails& details) {
  Region region;
  details.write_to(region);
  return region;
}

TEST(WorkDetails, NothingIsUnknown) {
  const Region region = written({});
  EXPECT_THAT(region.accesses, IsEmpty());
  EXPECT_THAT(region.chain, IsEmpty());
  EXPECT_FALSE(region.gathered);
  EXPECT_FALSE(region.bytes_overwritten);
  EXPECT_FALSE(region.masked);
}

TEST(WorkDetails, AccessesByPatternDirectionAndStride) {
  WorkDetails details;
  details.add(term(RIDGE_BYTES_BY_PATTERN, RIDGE_PATTERN_UNIT, 0, 0), 100);
  details.add(term(RIDGE_BYTES_BY_PATTERN, RIDGE_PATTERN_UNIT, 0, 0), 20);
  details.add(term(RIDGE_BYTES_BY_PATTERN, RIDGE_PATTERN_CONSTANT, 1, 24), 8);
  details.add(term(RIDGE_BYTES_BY_PATTERN, RIDGE_PATTERN_CONSTANT, 0, 0), 7);
  EXPECT_THAT(written(details).accesses,
              ElementsAre(AccessTerm{AccessPattern::unit, false, std::nullopt, 120},
                          AccessTerm{AccessPattern::constant, false, std::nullopt, 7},
                          AccessTerm{AccessPattern::constant, true, 24, 8}));
}

TEST(WorkDetails, GatheredIsNoneWherePatternsAreKnown) {
  WorkDetails details;
  details.add(term(RIDGE_BYTES_BY_PATTERN, RIDGE_PATTERN_INDIRECT, 0, 0), 100);
  EXPECT_EQ(written(details).gathered, (Traffic{0, 0}));
  details.add(term(RIDGE_BYTES_GATHERED, 0, 0, 0), 64);
  details.add(term(RIDGE_BYTES_GATHERED, 0, 1, 0), 32);
  EXPECT_EQ(written(details).gathered, (Traffic{64, 32}));
  EXPECT_EQ(written(details).bytes_overwritten, 0U);
  details.add(term(RIDGE_BYTES_OVERWRITTEN, 0, 0, 0), 16);
  EXPECT_EQ(written(details).bytes_overwritten, 16U);
}

TEST(WorkDetails, FusibleFlopsAreKnownWhereThereIsWork) {
  WorkDetails details;
  Region region;
  details.write_to(region);
  EXPECT_FALSE(region.fusible_flops);
  work_of(region).add(Precision::fp64, OperationKind::add, 64, 100);
  details.write_to(region);
  EXPECT_EQ(region.fusible_flops, 0U);
  details.add(term(RIDGE_FUSIBLE_FLOPS, 0, 0, 0), 40);
  details.write_to(region);
  EXPECT_EQ(region.fusible_flops, 40U);
}

TEST(WorkDetails, MasksOfDifferentWidthsAddUp) {
  WorkDetails details;
  details.add(term(RIDGE_MASKED_BYTES, 8, 0, 8), 10 * 64);  // 10 operations of 8 doubles
  details.add(term(RIDGE_ACTIVE_BYTES, 8, 0, 8), 10 * 24);
  details.add(term(RIDGE_MASKED_BYTES, 4, 0, 16), 5 * 64);
  details.add(term(RIDGE_ACTIVE_BYTES, 4, 0, 16), 5 * 16);
  EXPECT_EQ(written(details).masked, (MaskedOperations{15, 160, 50}));
}

TEST(WorkDetails, MoreActiveLanesThanLanesAreDamage) {
  WorkDetails details;
  details.add(term(RIDGE_MASKED_BYTES, 8, 0, 8), 64);
  details.add(term(RIDGE_ACTIVE_BYTES, 8, 0, 8), 65);
  details.add(term(RIDGE_MASKED_BYTES, 0, 0, 0), 64);
  EXPECT_FALSE(written(details).masked);
}

TEST(WorkDetails, Chains) {
  WorkDetails details;
  details.add(term(RIDGE_CHAIN_OPS, RIDGE_FP32, RIDGE_ADD, 1), 5);
  details.add(term(RIDGE_CHAIN_OPS, 0, RIDGE_CHAIN_LOAD, 0), 6);
  EXPECT_THAT(written(details).chain,
              ElementsAre(ChainTerm{ChainOperation::add, Precision::fp32, true, 5},
                          ChainTerm{ChainOperation::load, Precision::fp64, false, 6}));
}

TEST(WorkDetails, KeysThatNoPluginWritesAreLeftOut) {
  WorkDetails details;
  details.add(term(RIDGE_BYTES_BY_PATTERN, 5, 0, 0), 1);
  details.add(term(RIDGE_BYTES_BY_PATTERN, 0, 2, 0), 1);
  details.add(term(RIDGE_CHAIN_OPS, 0, 8, 0), 1);
  details.add(term(RIDGE_CHAIN_OPS, 4, 0, 0), 1);
  details.add(term(99, 0, 0, 0), 1);
  EXPECT_EQ(written(details), Region{});
}

TEST(WorkDetails, SumsOverUnitsSaturate) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  WorkDetails a;
  a.add(term(RIDGE_BYTES_BY_PATTERN, RIDGE_PATTERN_UNIT, 0, 0), kMost - 1);
  WorkDetails b = a;
  b += a;
  EXPECT_THAT(written(b).accesses,
              ElementsAre(AccessTerm{AccessPattern::unit, false, std::nullopt, kMost}));
}

}  // namespace
}  // namespace ridge::measure
