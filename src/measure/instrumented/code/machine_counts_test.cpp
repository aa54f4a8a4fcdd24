#include "measure/instrumented/code/machine_counts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/instrumented/code/counted_program_for_tests.hpp"

namespace ridge::measure {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

const WorkTerm kTwoAdds{Precision::fp64, OperationKind::add, 64, 2};
const WorkTerm kOneMul{Precision::fp64, OperationKind::mul, 64, 1};

Result<std::vector<MachineCounts>> counts_of(const FileBytes& file,
                                             const std::vector<DescriptorBuilder>& units) {
  std::vector<std::vector<std::byte>> blobs;
  for (const DescriptorBuilder& unit : units) {
    blobs.push_back(unit.bytes());
  }
  std::vector<Descriptor> descriptors;
  for (const auto& blob : blobs) {
    descriptors.push_back(*Descriptor::parse(blob));
  }
  return machine_code::ElfImage::read(file).and_then(
      [&](const machine_code::ElfImage& image) { return machine_counts(image, descriptors); });
}

std::vector<std::map<std::uint32_t, CounterWork>> counters(
    const std::vector<MachineCounts>& modules) {
  std::vector<std::map<std::uint32_t, CounterWork>> found;
  for (const MachineCounts& module : modules) {
    found.push_back(module.counters);
  }
  return found;
}

TEST(MachineCounts, WhatTheBlockOfTheProbeDoes) {
  const auto counts = counts_of(counted_program(kThreeFlops), {one_mul()});
  ASSERT_TRUE(counts) << counts.error().message;
  EXPECT_THAT(counts->front().uncounted, IsEmpty());
  EXPECT_THAT(counters(*counts),
              ElementsAre(ElementsAre(Pair(0, CounterWork{{kTwoAdds, kOneMul}, 3, 3}))));
}

TEST(MachineCounts, WhereTheCodeLeavesItOpenAnInterval) {
  const auto counts = counts_of(counted_program(kPerhapsOne), {one_mul()});
  ASSERT_TRUE(counts);
  EXPECT_THAT(counters(*counts), ElementsAre(ElementsAre(Pair(0, CounterWork{{}, 0, 1}))));
}

TEST(MachineCounts, ALoopWithoutACounterIsNamed) {
  const auto counts = counts_of(counted_program(kLoop), {one_mul()});
  ASSERT_TRUE(counts);
  ASSERT_EQ(counts->front().uncounted.size(), 1U);
  EXPECT_THAT(counts->front().uncounted[0].counters, ElementsAre(0));
}

TEST(MachineCounts, ProbesThatNoDescriptorNamesCountNothing) {
  DescriptorBuilder unit = one_mul();
  unit.functions[0].id = 0x9999;
  const auto counts = counts_of(counted_program(kThreeFlops, unit), {unit});
  ASSERT_TRUE(counts);
  EXPECT_THAT(counters(*counts), ElementsAre(IsEmpty()));
  EXPECT_THAT(counts->front().uncounted, IsEmpty());  // nobody knows whether it ran
}

TEST(MachineCounts, OfTwoModulesEachGetsItsOwn) {
  constexpr std::uint64_t kOther = 0x2222;
  DescriptorBuilder other = one_mul();
  other.functions[0].id = kOther;
  FileBytes code = kThreeFlops;
  const std::uint64_t second = kCodeAddress + code.size();
  code.insert(code.end(), kThreeFlops.begin() + 4, kThreeFlops.end());
  ProbeBytes probes = probe_at_begin();
  probes.function(kOther, 2);
  probes.sentinel();
  probes.after(1, 0);
  const FileBytes file = elf_file(sections_of(code, {one_mul(), other}, probes.bytes,
                                              {{kFunctionId, kCodeAddress}, {kOther, second}}));
  const auto counts = counts_of(file, {one_mul(), other});
  ASSERT_TRUE(counts);
  const WorkTerm one_add{Precision::fp64, OperationKind::add, 64, 1};
  EXPECT_THAT(counters(*counts),
              ElementsAre(ElementsAre(Pair(0, CounterWork{{kTwoAdds, kOneMul}, 3, 3})),
                          ElementsAre(Pair(0, CounterWork{{one_add, kOneMul}, 2, 2}))));
}

/// Damaged: no linker puts code of two modules into one block. Their counters are numbered apart.
TEST(MachineCounts, ProbesOfTwoModulesInOneBlockMixNoCounters) {
  constexpr std::uint64_t kOther = 0x2222;
  DescriptorBuilder other = one_mul();
  other.functions[0].id = kOther;
  for (int i = 0; i < 100; ++i) {
    other.counter(0);
  }
  std::swap(other.counters.front(), other.counters.back());
  ProbeBytes probes = probe_at_begin();
  probes.function(kOther, 1);
  probes.after(1, 4);
  const FileBytes file = elf_file(
      sections_of(kThreeFlops, {one_mul(), other}, probes.bytes, {{kFunctionId, kCodeAddress}}));
  const auto counts = counts_of(file, {one_mul(), other});
  ASSERT_TRUE(counts);
  EXPECT_THAT(counters(*counts),
              ElementsAre(ElementsAre(Pair(0, CounterWork{{kTwoAdds, kOneMul}, 3, 3})),
                          ElementsAre(Pair(100, CounterWork{}))));
}

TEST(MachineCounts, DamagedProbesAreAnError) {
  FileBytes damaged = probe_at_begin().bytes;
  damaged.pop_back();
  const auto counts = counts_of(
      elf_file(sections_of(kThreeFlops, {one_mul()}, damaged, {{kFunctionId, kCodeAddress}})),
      {one_mul()});
  ASSERT_FALSE(counts);
  EXPECT_EQ(counts.error().code, ErrorCode::bad_input);
}

}  // namespace
}  // namespace ridge::measure
