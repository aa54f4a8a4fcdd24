#include "core/identity/ceiling_key.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace ridge {
namespace {

TEST(CeilingKind, EveryTextParsesBack) {
  for (std::size_t i = 0; i < kCeilingKindTable.size(); ++i) {
    const CeilingKind kind = kCeilingKindTable.at(i).first;
    EXPECT_EQ(static_cast<std::size_t>(kind), i) << "the table follows the enumerators";
    EXPECT_EQ(parse_ceiling_kind(to_string(kind)), kind);
  }
  EXPECT_FALSE(parse_ceiling_kind("computing"));
}

TEST(CeilingKey, IsSpeltAsInTheContract) {
  EXPECT_EQ(to_string(ComputeKey{"fp64", Isa::avx512, Operation::fma, 1}),
            "compute.fp64.avx512.fma.t1");
  EXPECT_EQ(to_string(ComputeKey{"fp32", Isa::sse_legacy, Operation::mul_add, 16}),
            "compute.fp32.sse-legacy.mul+add.t16");
  EXPECT_EQ(to_string(ComputeKey{"int64", Isa::scalar, Operation::mul, 2}),
            "compute.int64.scalar.mul.t2");
  EXPECT_EQ(to_string(BandwidthKey{"L2", Pattern::load, Isa::avx512, 2}),
            "bandwidth.L2.load.avx512.t2");
  EXPECT_EQ(to_string(LatencyKey{"L2", Pattern::chase_huge, 1}), "latency.L2.chase-huge.t1");
}

TEST(CeilingKey, WhatNamesNoInstructionSetSaysSo) {
  EXPECT_EQ(to_string(ComputeKey{"fp16", {}, Operation::fma, 1}), "compute.fp16.vector.fma.t1");
  EXPECT_EQ(to_string(BandwidthKey{"HBM", Pattern::load, {}, 8}), "bandwidth.HBM.load.any.t8");
}

TEST(CeilingKey, HasTheTextAndTheKindOfWhatItHolds) {
  const CeilingKey compute{ComputeKey{"fp64", Isa::avx2, Operation::fma_add, 4}};
  EXPECT_EQ(to_string(compute), "compute.fp64.avx2.fma+add.t4");
  EXPECT_EQ(kind_of(compute), CeilingKind::compute);
  EXPECT_EQ(kind_of({BandwidthKey{"L1", Pattern::copy, Isa::sse, 1}}), CeilingKind::bandwidth);
  EXPECT_EQ(kind_of({LatencyKey{"DRAM", Pattern::chase_4k, 1}}), CeilingKind::latency);
}

TEST(CeilingKey, KeysOfDifferentCeilingsDiffer) {
  std::set<std::string> ids;
  std::set<CeilingKey> keys;
  const auto add = [&](CeilingKey key) {
    EXPECT_TRUE(ids.insert(to_string(key)).second) << to_string(key);
    EXPECT_TRUE(keys.insert(std::move(key)).second);
  };
  for (const IsaProperties& properties : kIsaTable) {
    for (const auto& [operation, text] : kOperationTable) {
      add({ComputeKey{"fp64", properties.isa, operation, 1}});
    }
    for (const auto& [pattern, text] : kPatternTable) {
      add({BandwidthKey{"L1", pattern, properties.isa, 1}});
    }
  }
  for (const auto& [pattern, text] : kPatternTable) {
    add({LatencyKey{"L1", pattern, 1}});
  }
  EXPECT_FALSE(keys.insert({LatencyKey{"L1", Pattern::chase_4k, 1}}).second);
  EXPECT_TRUE(keys.insert({LatencyKey{"L1", Pattern::chase_4k, 1}, "gpu0"}).second);
}

}  // namespace
}  // namespace ridge
